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
    /// The timeout for the whole request in seconds of real time, including the connection, redirects, and the complete
    /// body.
    var deadline: Double = 30
    /// The timeout for each connection in seconds of real time, including its TLS handshake and limited by
    /// ``deadline``.
    var connectTimeout: Double = 10
    /// The period, in seconds of real time, over which the transfer must average ``minimumSpeed`` bytes per second. It
    /// includes the wait for the response.
    var stallTimeout = 60
    /// Minimum transfer speed in bytes per second. A slower transfer is considered stalled.
    static let minimumSpeed = 100
    /// Maximum size of the body in bytes, after decompression.
    var bodyLimit: UInt64 = 32 << 20
    var destination = Destination.memory
    /// A PEM file whose certificates replace the system's trusted certificates.
    var caFile: String?
    /// Called on the transport's thread with the number of received bytes and the total number of bytes (0 if unknown).
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
    /// In a response, the name is in lowercase.
    var name: String
    var value: String
}
