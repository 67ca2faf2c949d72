internal import Glibc

/// Functions for Unix stream sockets (unix(7)).
enum UnixSocket {
    /// Creates a socket that is closed on exec and blocks for at most `timeout` seconds when connecting and sending.
    /// Returns a negative number on failure, with the reason in `errno`.
    static func make(timeout: Int) -> CInt {
        let socket = Glibc.socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        var time = timeval(tv_sec: timeout, tv_usec: 0)
        if socket >= 0 { setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size)) }
        return socket
    }

    /// Connects a socket.
    ///
    /// - Parameters:
    ///   - socket: The socket.
    ///   - address: A path, or a name in the abstract namespace, which begins with NUL.
    /// - Returns: 0, or an `errno`.
    static func connect(_ socket: CInt, to address: [UInt8]) -> CInt {
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        let isAbstract = address.first == 0
        guard address.count < MemoryLayout.size(ofValue: name.sun_path), isAbstract || !address.contains(0) else {
            return ENAMETOOLONG
        }
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: address) }
        // An abstract name has no terminator; its length delimits it.
        let whole = MemoryLayout<sockaddr_un>.size
        let length = isAbstract ? whole - MemoryLayout.size(ofValue: name.sun_path) + address.count : whole
        let connected = withUnsafePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(socket, $0, socklen_t(length)) }
        }
        return connected == 0 ? 0 : errno
    }

    /// Sends all of `bytes`. Returns 0, or an `errno`.
    static func send(_ bytes: [UInt8], to socket: CInt) -> CInt {
        var sent = 0
        while sent < bytes.count {
            // MSG_NOSIGNAL prevents SIGPIPE when the peer closes the connection.
            let count = bytes.withUnsafeBytes { buffer in
                buffer.baseAddress.map { Glibc.send(socket, $0 + sent, buffer.count - sent, CInt(MSG_NOSIGNAL)) } ?? 0
            }
            if count >= 0 { sent += count } else if errno != EINTR { return errno }
        }
        return 0
    }

    /// The outcome of waiting.
    enum Readiness { case ready, interrupted, timedOut }

    /// Waits until the socket is readable.
    static func wait(_ socket: CInt, before deadline: Deadline, _ interrupt: Interrupt) -> Readiness {
        while true {
            // poll ignores negative descriptors.
            var watched = [
                pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
                pollfd(fd: interrupt.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&watched, nfds_t(watched.count), deadline.remaining)
            if count == 0 { return .timedOut }
            if watched[1].revents != 0 { return .interrupted }
            // The following read reports any other failure of poll.
            if count > 0 || errno != EINTR { return .ready }
        }
    }
}
