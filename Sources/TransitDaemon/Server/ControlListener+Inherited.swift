internal import CSystemd
internal import Glibc
internal import TransitSystem

extension ControlListener {
    /// `SD_LISTEN_FDS_START` of sd-daemon.h.
    private static let firstDescriptor: Int32 = 3

    /// Returns the sockets that systemd opened and passed to the daemon (sd_listen_fds(3)), or an empty array. Call
    /// this function only once: it removes the environment variables that describe the sockets, so that no child
    /// process inherits these variables.
    public static func inherited() throws(ControlSocketError) -> [ControlListener] {
        let count = sd_listen_fds(1)
        guard count > 0 else { return [] }
        var listeners: [ControlListener] = []
        for number in firstDescriptor..<(firstDescriptor + count) {
            listeners.append(try adopt(number))
        }
        return listeners
    }

    /// Takes ownership of a descriptor that is already listening.
    static func adopt(_ number: Int32) throws(ControlSocketError) -> ControlListener {
        let descriptor = Descriptor(number)
        guard option(SO_DOMAIN, of: number) == AF_UNIX, option(SO_TYPE, of: number) == Int32(SOCK_STREAM.rawValue),
            option(SO_ACCEPTCONN, of: number) == 1
        else {
            throw .notAListener(String(number))
        }
        _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        return ControlListener(name: localPath(number) ?? "fd \(number)", descriptor: descriptor, ownership: nil)
    }

    /// Returns the integer value of a socket option; `nil` if the descriptor is not a socket.
    private static func option(_ name: Int32, of number: Int32) -> Int32? {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(number, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
    }

    /// Returns the path to which a socket is bound; `nil` if it has none.
    private static func localPath(_ number: Int32) -> String? {
        var address = sockaddr_un()
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(number, $0, &length) }
        }
        guard result == 0 else { return nil }
        let path = withUnsafeBytes(of: address.sun_path) { $0.prefix { $0 != 0 } }
        return path.isEmpty ? nil : String(decoding: path, as: UTF8.self)
    }
}
