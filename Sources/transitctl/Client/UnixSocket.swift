internal import Glibc

/// Stream sockets of unix(7).
enum UnixSocket {
    /// One that is closed on exec and blocks for `patience` seconds at most while it connects and sends; negative, with the
    /// reason in `errno`, when there is none.
    static func make(patience: Int) -> CInt {
        let socket = Glibc.socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        var time = timeval(tv_sec: patience, tv_usec: 0)
        if socket >= 0 { setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size)) }
        return socket
    }

    /// - Parameter address: a path, or a name of the abstract namespace, which begins with NUL.
    /// - Returns: 0, or the error's number.
    static func connect(_ socket: CInt, to address: [UInt8]) -> CInt {
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        let isAbstract = address.first == 0
        guard address.count < MemoryLayout.size(ofValue: name.sun_path), isAbstract || !address.contains(0) else {
            return ENAMETOOLONG
        }
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: address) }
        // An abstract name has no end but its length.
        let whole = MemoryLayout<sockaddr_un>.size
        let length = isAbstract ? whole - MemoryLayout.size(ofValue: name.sun_path) + address.count : whole
        let connected = withUnsafePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(socket, $0, socklen_t(length)) }
        }
        return connected == 0 ? 0 : errno
    }

    /// Sends all of `bytes`; 0, or the error's number.
    static func send(_ bytes: [UInt8], to socket: CInt) -> CInt {
        var sent = 0
        while sent < bytes.count {
            // MSG_NOSIGNAL: a peer that closes must not end this process by SIGPIPE.
            let count = bytes.withUnsafeBytes { buffer in
                buffer.baseAddress.map { Glibc.send(socket, $0 + sent, buffer.count - sent, CInt(MSG_NOSIGNAL)) } ?? 0
            }
            if count >= 0 { sent += count } else if errno != EINTR { return errno }
        }
        return 0
    }

    /// What waiting came to.
    enum Readiness { case ready, interrupted, timedOut }

    /// Waits until something can be read.
    static func wait(_ socket: CInt, before deadline: Deadline, _ interrupt: Interrupt) -> Readiness {
        while true {
            // A negative descriptor is passed over by poll.
            var watched = [
                pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
                pollfd(fd: interrupt.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&watched, nfds_t(watched.count), deadline.remaining)
            if count == 0 { return .timedOut }
            if watched[1].revents != 0 { return .interrupted }
            // Any other failure of poll shows itself in the read that follows.
            if count > 0 || errno != EINTR { return .ready }
        }
    }
}
