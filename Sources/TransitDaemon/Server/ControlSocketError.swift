/// Why the daemon cannot listen for clients; messages for people.
public enum ControlSocketError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kernel takes 107 bytes.
    case pathTooLong(String)
    /// A live daemon, or something else that listens, has the socket.
    case inUse(String)
    /// Something is in the way that is not a socket and therefore is not removed.
    case notASocket(String)
    /// A descriptor that systemd handed over is no listening Unix stream socket.
    case notAListener(String)
    /// A call of the system failed; what and why.
    case failed(path: String, reason: String)

    public var description: String {
        switch self {
        case .pathTooLong(let path):
            "The socket's path is longer than 107 bytes, the most that the system takes: \(path)"
        case .inUse(let path):
            "Another daemon answers on \(path). Stop it first, or choose another socket with --socket."
        case .notASocket(let path):
            "\(path) is in the way: it is no socket, and is not removed."
        case .notAListener(let name):
            "The socket \(name) from systemd does not listen for streams; see ListenStream= in the socket unit."
        case .failed(let path, let reason):
            "The control socket cannot be made: \(path): \(reason)"
        }
    }
}

extension ControlSocketError {
    /// Reads `errno`; to be made at once after the call.
    static func system(_ call: String, _ path: String) -> ControlSocketError {
        .failed(path: path, reason: SystemFailure(call).description)
    }
}
