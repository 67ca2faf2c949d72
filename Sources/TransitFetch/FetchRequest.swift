package import TransitModel

/// A request to an upstream, with its limits.
package struct FetchRequest: Sendable {
    /// The destination of the body.
    package enum Destination: Hashable, Sendable {
        case memory
        /// A file, which is overwritten. Its contents are valid only if the outcome is
        /// ``FetchResult/Outcome/fetched(_:)``.
        case file(path: String)
    }

    /// An `https` URL, an `http` URL of a loopback address, or a `file` URL. Does not contain the secrets.
    package var url: String
    package var method = RequestMethod.get
    /// Sent unless the method is GET.
    package var body: RequestBody?
    /// Secrets that are sent only to the host of ``url``.
    package var secrets: [SecretLocation] = []
    /// Additional headers, without secrets.
    package var headers: [HTTPHeader] = []
    /// The request is conditional if any validator is set (RFC 9110 section 13).
    package var validators = Validators()
    /// The value of the `Accept` header.
    package var accept = "*/*"
    /// The timeout for the whole request in seconds of real time, including the connection, redirects, and the complete
    /// body.
    package var deadline: Double = 30
    /// The timeout for each connection in seconds of real time, including its TLS handshake and limited by
    /// ``deadline``.
    package var connectTimeout: Double = 10
    /// The period, in seconds of real time, over which the transfer must average ``minimumSpeed`` bytes per second. It
    /// includes the wait for the response.
    package var stallTimeout = 60
    /// Minimum transfer speed in bytes per second. A slower transfer is considered stalled.
    package static let minimumSpeed = 100
    /// Maximum size of the body in bytes, after decompression.
    package var bodyLimit: UInt64 = 32 << 20
    package var destination = Destination.memory
    /// A PEM file whose certificates replace the system's trusted certificates.
    package var caFile: String?
    /// Called on the transport's thread with the number of received bytes and the total number of bytes (0 if unknown).
    package var progress: (@Sendable (UInt64, UInt64) -> Void)?

    package init(url: String) { self.url = url }

    /// All headers except the secret ones and the body's.
    var plainHeaders: [HTTPHeader] {
        var all = [HTTPHeader(name: "Accept", value: accept)] + headers
        if let etag = validators.etag { all.append(HTTPHeader(name: "If-None-Match", value: etag)) }
        if let date = validators.lastModified { all.append(HTTPHeader(name: "If-Modified-Since", value: date)) }
        return all.filter(\.isOneLine)
    }
}

/// A header field of a request or response.
package struct HTTPHeader: Hashable, Sendable {
    /// In a response, the name is in lowercase.
    package var name: String
    package var value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// A line break, for example in a validator that a server sent, would start another header.
    var isOneLine: Bool { !(name + value).unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F } }
}
