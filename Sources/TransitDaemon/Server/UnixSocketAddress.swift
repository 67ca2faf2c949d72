internal import Glibc

/// Creates addresses of Unix sockets (unix(7)) from paths.
enum UnixSocketAddress {
    /// The size of `sun_path`, 108 bytes, without its terminating null byte.
    static let maximumLength = 107

    /// Calls bind(2). The path has at most ``maximumLength`` bytes.
    static func bind(_ socket: Int32, to path: String) -> Int32 {
        with(path) { Glibc.bind(socket, $0, $1) }
    }

    /// Calls connect(2). The path has at most ``maximumLength`` bytes.
    static func connect(_ socket: Int32, to path: String) -> Int32 {
        with(path) { Glibc.connect(socket, $0, $1) }
    }

    private static func with(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        precondition(path.utf8.count <= maximumLength)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
