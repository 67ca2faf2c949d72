internal import TransitModel

/// One question to an upstream: a GET with its limits.
struct FetchRequest: Sendable {
    /// Where the body goes.
    enum Destination: Hashable, Sendable {
        case memory
        /// A file that is written from its beginning; what it holds after anything but ``FetchResult/Outcome/fetched(_:)``
        /// means nothing.
        case file(path: String)
    }

    /// `https`, `http` to a loopback address, or `file`. Without the secrets.
    var url: String
    /// What only the host of ``url`` may see.
    var secrets: [SecretLocation] = []
    /// Headers besides those of this structure; nothing secret.
    var headers: [HTTPHeader] = []
    /// With any of them the request is conditional (RFC 9110 section 13).
    var validators = Validators()
    /// The value of the header `Accept`.
    var accept = "*/*"
    /// Real seconds for all of it: connecting, redirections and the body's last byte.
    var deadline: Double = 30
    /// Real seconds for each connection, its TLS handshake included; never beyond ``deadline``.
    var connectTimeout: Double = 10
    /// Real seconds over which the transfer must average ``leastSpeed`` bytes per second, including the wait for the
    /// response.
    var stallTimeout = 60
    /// Bytes per second. A slower transfer is a connection that the server only keeps open.
    static let minimumSpeed = 100
    /// Bytes of the body, after decompression.
    var bodyLimit: UInt64 = 32 << 20
    var destination = Destination.memory
    /// A PEM file whose certificates are trusted instead of the system's.
    var caFile: String?
    /// Bytes so far and in all (0 when the server does not say), on the transport's thread.
    var progress: (@Sendable (UInt64, UInt64) -> Void)?

    init(url: String) { self.url = url }

    /// All headers but the secret ones.
    var plainHeaders: [HTTPHeader] {
        var all = [HTTPHeader(name: "Accept", value: accept)] + headers
        if let etag = validators.etag { all.append(HTTPHeader(name: "If-None-Match", value: etag)) }
        if let date = validators.lastModified { all.append(HTTPHeader(name: "If-Modified-Since", value: date)) }
        // A line break in what a server once said would begin another header.
        return all.filter { header in
            !(header.name + header.value).unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
        }
    }
}

/// A line of a request's or a response's head.
struct HTTPHeader: Hashable, Sendable {
    /// Lower case in a response.
    var name: String
    var value: String
}
