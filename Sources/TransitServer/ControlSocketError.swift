internal import TransitSystem

/// The reason why the daemon cannot listen for clients. Descriptions are meant for users.
public enum ControlSocketError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path exceeds the kernel's limit of 107 bytes.
    case pathTooLong(String)
    /// A running daemon or another program is listening on the socket.
    case inUse(String)
    /// A file at the path is not a socket and is therefore not removed.
    case notASocket(String)
    /// A descriptor passed by systemd is not a listening Unix stream socket.
    case notAListener(String)
    /// A system call failed.
    case failed(path: String, reason: String)

    public var description: String {
        switch self {
        case .pathTooLong(let path):
            "The socket path is longer than the system's limit of 107 bytes: \(path)"
        case .inUse(let path):
            "Another daemon is listening on \(path). Stop it first, or choose another socket with --socket."
        case .notASocket(let path):
            "\(path) exists and is not a socket. Remove it, or choose another path with --socket."
        case .notAListener(let name):
            "The socket \(name) from systemd is not a listening stream socket; see ListenStream= in the socket unit."
        case .failed(let path, let reason):
            "Cannot create the control socket: \(path): \(reason)"
        }
    }
}

extension ControlSocketError {
    /// Creates the error from `errno`, so call it directly after the system call.
    static func system(_ call: String, _ path: String) -> ControlSocketError {
        .failed(path: path, reason: SystemFailure(call).description)
    }
}
