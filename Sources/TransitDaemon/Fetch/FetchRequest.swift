internal import TransitModel

/// A GET request to an upstream, with its limits.
struct FetchRequest: Sendable {
    /// The destination of the body.
    enum Destination: Hashable, Sendable {
        case memory
        /// A file, which is overwritten. Its contents are valid only if the outcome is
        /// ``FetchResult/Outcome/fetched(_:)``.
        case file(path: String)
    }

    /// An `https` URL, an `http` URL of a loopback address, or a `file` URL. Does not contain the secrets.
    var url: String
    /// Secrets that are sent only to the host of ``url``.
    var secrets: [SecretLocation] = []
    /// Additional headers, without secrets.
    var headers: [HTTPHeader] = []
    /// The request is conditional if any validator is set (RFC 9110 section 13).
    var validators = Validators()
    /// The value of the `Accept` header.
    var accept = "*/*"
    /// Seconds of real time for the whole request: connecting, redirections, and the body up to its last byte.
    var deadline: Double = 30
    /// Seconds of real time for each connection including its TLS handshake, limited by ``deadline``.
    var connectTimeout: Double = 10
    /// Seconds of real time over which the transfer must average ``minimumSpeed`` bytes per second. The wait for the
    /// response counts.
    var stallTimeout = 60
    /// Minimum transfer speed in bytes per second. At a lower speed, the server merely keeps the connection open.
    static let minimumSpeed = 100
    /// Maximum number of bytes of the body after decompression.
    var bodyLimit: UInt64 = 32 << 20
    var destination = Destination.memory
    /// A PEM file whose certificates replace the system's trusted certificates.
    var caFile: String?
    /// Called on the transport's thread with the number of received bytes and the total number of bytes, 0 if unknown.
    var progress: (@Sendable (UInt64, UInt64) -> Void)?

    init(url: String) { self.url = url }

    /// All headers except the secret ones.
    var plainHeaders: [HTTPHeader] {
        var all = [HTTPHeader(name: "Accept", value: accept)] + headers
        if let etag = validators.etag { all.append(HTTPHeader(name: "If-None-Match", value: etag)) }
        if let date = validators.lastModified { all.append(HTTPHeader(name: "If-Modified-Since", value: date)) }
        // A line break in a validator that a server sent would start another header.
        return all.filter { header in
            !(header.name + header.value).unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
        }
    }
}

/// A header field of a request or response.
struct HTTPHeader: Hashable, Sendable {
    /// In lowercase in a response.
    var name: String
    var value: String
}
