internal import Glibc

/// A connection to the daemon's Unix socket that sends and receives lines without interpreting them.
package struct DaemonConnection: ~Copyable {
    package let path: String
    private let socket: CInt
    /// The bytes received and not yet returned.
    private var pending: [UInt8] = []
    /// The number of bytes of ``pending`` that are known to contain no line feed.
    private var scanned = 0

    /// The maximum length of a line in bytes. The daemon's own limit is 1 MiB.
    package static let maximumLineLength = 16 << 20

    /// Connects within `timeout` seconds.
    package init(path: String, timeout: Int) throws(ClientError) {
        self.path = path
        // A daemon that accepts no connections must not block the client.
        socket = UnixSocket.make(timeout: timeout)
        guard socket >= 0 else { throw .system(call: "socket", number: errno) }
        switch UnixSocket.connect(socket, to: Array(path.utf8)) {
        case 0: break
        case ENAMETOOLONG: throw .pathTooLong(path: path)
        case EACCES, EPERM: throw .denied(path: path, remedy: SocketGroup.remedy(forSocket: path))
        case EAGAIN: throw .busy(path: path)
        case let number: throw .unreachable([.init(path: path, reason: Self.reason(number))])
        }
    }

    deinit { close(socket) }

    /// The socket, for `poll` together with other descriptors.
    package var descriptor: CInt { socket }

    private static func reason(_ number: Int32) -> String {
        switch number {
        case ENOENT: "no such file"
        case ECONNREFUSED: "no process is listening"
        default: ErrnoText.text(number)
        }
    }

    /// Sends all of `bytes`.
    package func send(_ bytes: [UInt8]) throws(ClientError) {
        // The next read reports other failures. A response may be available even if the daemon has stopped reading.
        if UnixSocket.send(bytes, to: socket) == EAGAIN { throw .busy(path: path) }
    }

    /// The outcome of waiting for a line.
    package enum Event {
        /// A line without its line feed.
        case line([UInt8])
        case interrupted
    }

    /// Waits for the next complete line.
    package mutating func receive(before deadline: Deadline, interrupt: Interrupt) throws(ClientError) -> Event {
        while true {
            if let line = try takeLine() { return .line(line) }
            switch UnixSocket.wait(socket, before: deadline, interrupt) {
            case .ready: try fill()
            case .interrupted: return .interrupted
            case .timedOut: throw .silent(path: path, seconds: deadline.seconds ?? 0)
            }
        }
    }

    private mutating func takeLine() throws(ClientError) -> [UInt8]? {
        guard let end = pending[scanned...].firstIndex(of: 0x0A) else {
            scanned = pending.count
            guard scanned <= Self.maximumLineLength else {
                throw .invalidReply(path: path, reason: "a line of more than \(Self.maximumLineLength >> 20) MiB")
            }
            return nil
        }
        let line = Array(pending[..<end])
        pending.removeSubrange(...end)
        scanned = 0
        return line
    }

    private mutating func fill() throws(ClientError) {
        let count = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 65_536) { buffer in
            let count = recv(socket, buffer.baseAddress, buffer.count, 0)
            if count > 0 { pending.append(contentsOf: buffer[..<count]) }
            return count
        }
        if count == 0 || (count < 0 && errno == ECONNRESET) {
            throw .closed(path: path, received: pending.count)
        }
        if count < 0, errno != EINTR { throw .system(call: "recv", number: errno) }
    }
}
