internal import TransitSystem

/// The reason why there is no usable response. The texts come from the daemon or from libcurl, never from an upstream.
enum TransportFailure: Error, Hashable, Sendable {
    /// The host name could not be resolved.
    case dns
    case connect
    /// The verification of the certificate or the TLS handshake failed. The reason is a user-facing message.
    case tls(String)
    /// The deadline for the request or the connection has passed.
    case timedOut(seconds: Int)
    /// The transfer stayed below ``FetchRequest/minimumSpeed`` bytes per second for this many seconds.
    case tooSlow(seconds: Int)
    /// The body exceeds this limit in bytes after decompression.
    case tooLarge(limit: UInt64)
    case redirection(RedirectionRefusal)
    /// The connection closed in the middle of the response.
    case interrupted
    /// The compressed body is corrupt.
    case encoding
    case canceled
    /// A file could not be written or read; the value is the system's error number.
    case file(Int32)
    /// The key that the request needs is not available.
    case key(String)
    /// Requests to the URL are not allowed.
    case address
    /// The recording has no response for this URL at this time.
    case notRecorded
    /// libcurl is not installed or is out of memory.
    case unavailable(String)
    /// Another failure, with libcurl's message.
    case other(String)
}

extension TransportFailure: CustomStringConvertible {
    /// Begins with a lowercase letter and has no final period.
    var description: String {
        switch self {
        case .dns: "the server's name could not be resolved"
        case .connect: "the server could not be reached"
        case .tls(let reason): "the TLS connection failed: \(reason)"
        case .timedOut(let seconds): "the server did not finish within \(seconds) s"
        case .tooSlow(let seconds): "the server sent almost no data for \(seconds) s"
        case .tooLarge(let limit): "the response is larger than \(Self.size(limit))"
        case .redirection(let refusal): "the server's redirect was not followed: \(refusal)"
        case .interrupted: "the server closed the connection in the middle of its response"
        case .encoding: "the compressed response is corrupt"
        case .canceled: "it was canceled"
        case .file(let number): "the file could not be read or written: \(ErrnoMessage.text(number))"
        case .key(let reason): reason
        case .address: "requests to the URL are not allowed"
        case .notRecorded: "the recording has no response for this URL"
        case .unavailable(let reason): "libcurl cannot be used: \(reason)"
        case .other(let reason): "the request failed: \(reason)"
        }
    }

    private static func size(_ bytes: UInt64) -> String {
        bytes >= 1 << 20 ? "\(bytes >> 20) MiB" : "\(bytes) bytes"
    }
}
