internal import Glibc

/// One connection to the daemon's Unix socket: lines out, lines in. It knows nothing of what the lines say.
struct Connection: ~Copyable {
    let path: String
    private let socket: CInt
    /// What was read and not yet returned.
    private var pending: [UInt8] = []
    /// How much of ``pending`` is known to hold no newline.
    private var scanned = 0

    /// The longest answer that is read; the daemon's own limit is 1 MiB.
    static let longestLine = 16 << 20

    /// Connects within `patience` seconds.
    init(path: String, patience: Int) throws(ClientError) {
        self.path = path
        socket = Glibc.socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { throw .system(call: "socket", number: errno) }
        // Bounds connect and send: a daemon that accepts nothing must not hang the client.
        var time = timeval(tv_sec: patience, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        try connect()
    }

    deinit { close(socket) }

    private func connect() throws(ClientError) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path), !bytes.contains(0) else {
            throw .pathTooLong(path: path)
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard connected != 0 else { return }
        switch errno {
        case EACCES, EPERM: throw .denied(path: path)
        case EAGAIN: throw .busy(path: path)
        case let number:
            throw .unreachable([.init(path: path, reason: Self.reason(number))])
        }
    }

    private static func reason(_ number: Int32) -> String {
        switch number {
        case ENOENT: "no such file"
        case ECONNREFUSED: "nobody listens there"
        default: SystemError.text(number)
        }
    }

    /// Sends all of `bytes`.
    func send(_ bytes: [UInt8]) throws(ClientError) {
        var sent = 0
        while sent < bytes.count {
            // MSG_NOSIGNAL: a daemon that closes must not end this process by SIGPIPE.
            let count = bytes.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress! + sent, bytes.count - sent, CInt(MSG_NOSIGNAL))
            }
            if count >= 0 {
                sent += count
            } else if errno == EAGAIN {
                throw .busy(path: path)
            } else if errno != EINTR {
                // An answer may wait although the daemon reads no more: let the reader tell what happened.
                return
            }
        }
    }

    /// What came of waiting.
    enum Event {
        /// Without its newline.
        case line([UInt8])
        case interrupted
    }

    /// Waits for the next whole line.
    mutating func receive(before deadline: Deadline, interrupt: Interrupt) throws(ClientError) -> Event {
        while true {
            if let line = try takeLine() { return .line(line) }
            switch wait(deadline, interrupt) {
            case .ready: try fill()
            case .interrupted: return .interrupted
            case .late: throw .silent(path: path, seconds: deadline.seconds ?? 0)
            }
        }
    }

    private mutating func takeLine() throws(ClientError) -> [UInt8]? {
        guard let end = pending[scanned...].firstIndex(of: 0x0A) else {
            scanned = pending.count
            guard scanned <= Self.longestLine else {
                throw .garbage(path: path, reason: "a line of more than \(Self.longestLine >> 20) MiB")
            }
            return nil
        }
        let line = Array(pending[..<end])
        pending.removeSubrange(...end)
        scanned = 0
        return line
    }

    private enum Readiness { case ready, interrupted, late }

    private func wait(_ deadline: Deadline, _ interrupt: Interrupt) -> Readiness {
        while true {
            // A negative descriptor is passed over by poll.
            var watched = [
                pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
                pollfd(fd: interrupt.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&watched, nfds_t(watched.count), deadline.remaining)
            if count == 0 { return .late }
            if watched[1].revents != 0 { return .interrupted }
            // Any other failure of poll shows itself in the read that follows.
            if count > 0 || errno != EINTR { return .ready }
        }
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
