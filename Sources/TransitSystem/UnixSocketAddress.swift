internal import Glibc

/// Creates addresses of Unix sockets (unix(7)) from paths.
package enum UnixSocketAddress {
    /// The size of `sun_path`, 108 bytes, without its terminating null byte.
    package static let maximumLength = 107

    /// Calls bind(2). The path has at most ``maximumLength`` bytes.
    package static func bind(_ socket: Int32, to path: String) -> Int32 {
        with(path) { Glibc.bind(socket, $0, $1) }
    }

    /// Calls connect(2). The path has at most ``maximumLength`` bytes.
    package static func connect(_ socket: Int32, to path: String) -> Int32 {
        with(path) { Glibc.connect(socket, $0, $1) }
    }

    /// Sends one datagram. An address that begins with `@` is a name in the abstract namespace.
    ///
    /// - Parameter timeout: The number of seconds to wait for a receiver that does not read.
    /// - Returns: Whether it was sent. `errno` says why not; it is EAGAIN after the timeout.
    package static func sendDatagram(_ bytes: [UInt8], to address: String, timeout: Int = 5) -> Bool {
        guard (1...maximumLength).contains(address.utf8.count) else {
            errno = EINVAL
            return false
        }
        let number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { return false }
        let descriptor = Descriptor(number)
        var limit = timeval(tv_sec: timeout, tv_usec: 0)
        guard setsockopt(number, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size)) == 0 else {
            return false
        }
        while true {
            let sent = with(address) { sendto(descriptor.number, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, $1) }
            if sent >= 0 { return true }
            if errno != EINTR { return false }
        }
    }

    private static func with<Result>(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        precondition(path.utf8.count <= maximumLength)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        var length = MemoryLayout<sockaddr_un>.size
        if path.utf8.first == UInt8(ascii: "@") {
            // The length of an abstract name is that of the address, because the name can contain null bytes.
            address.sun_path.0 = 0
            length += path.utf8.count - MemoryLayout.size(ofValue: address.sun_path)
        }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(length)) }
        }
    }
}
