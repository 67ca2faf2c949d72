/// Why there was no usable response. The words are ours or libcurl's, never an upstream's.
enum FetchFailure: Error, Hashable, Sendable {
    /// The host's name has no address.
    case dns
    case connect
    /// The certificate or the handshake; the reason is for people.
    case tls(String)
    /// The deadline, or that of connecting.
    case timedOut(seconds: Int)
    /// The transfer stayed below ``FetchRequest/leastSpeed`` bytes per second for this many seconds.
    case tooSlow(seconds: Int)
    /// The body's limit in bytes, counted after decompression.
    case tooLarge(limit: UInt64)
    case redirection(RedirectionRefusal)
    /// The connection ended in the middle of the response.
    case interrupted
    /// The body's compression is damaged.
    case encoding
    case canceled
    /// The system's error number for the file that was written or read.
    case file(Int32)
    /// The key that the request needs cannot be had.
    case key(String)
    /// The URL is not one that may be asked.
    case address
    /// The recording has no answer for this URL at this time.
    case notRecorded
    /// libcurl is not there or has no memory.
    case unavailable(String)
    /// Anything else, in libcurl's words.
    case other(String)
}

extension FetchFailure: CustomStringConvertible {
    /// A sentence without a capital and a full stop.
    var description: String {
        switch self {
        case .dns: "the server's name could not be found"
        case .connect: "the server could not be reached"
        case .tls(let reason): "the server could not be trusted: \(reason)"
        case .timedOut(let seconds): "the server did not finish within \(seconds) s"
        case .tooSlow(let seconds): "the server sent next to nothing for \(seconds) s"
        case .tooLarge(let limit): "the answer has more than \(Self.size(limit))"
        case .redirection(let refusal): "the server's redirection is not followed: \(refusal)"
        case .interrupted: "the server ended the connection in the middle of its answer"
        case .encoding: "the answer's compression is damaged"
        case .canceled: "it was canceled"
        case .file(let number): "the file could not be used: \(ErrnoMessage.text(number))"
        case .key(let reason): reason
        case .address: "the address is not one that may be asked"
        case .notRecorded: "not in the recording"
        case .unavailable(let reason): "libcurl cannot be used: \(reason)"
        case .other(let reason): "the server could not be asked: \(reason)"
        }
    }

    private static func size(_ bytes: UInt64) -> String {
        bytes >= 1 << 20 ? "\(bytes >> 20) MiB" : "\(bytes) bytes"
    }
}
