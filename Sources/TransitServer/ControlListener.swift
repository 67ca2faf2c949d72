internal import Glibc
internal import Synchronization
internal import TransitSystem

/// A socket that accepts clients: the daemon's own, or one that systemd opened for it.
public final class ControlListener: Sendable {
    /// The socket's path or, for a socket from systemd without a path, its descriptor. Reported in `hello`, `status`
    /// and the log.
    public let name: String
    private let open: Mutex<Descriptor?>
    /// `nil` for an inherited socket, which remains when the daemon exits.
    private let ownership: SocketOwnership?

    init(name: String, descriptor: Descriptor, ownership: SocketOwnership?) {
        self.name = name
        open = Mutex(descriptor)
        self.ownership = ownership
    }

    /// Stops accepting clients. Removes the socket file and lock file if the daemon created them.
    public func close() {
        ownership?.release()
        open.withLock { $0 = nil }
    }

    /// `nil` after ``close()``.
    var descriptor: Descriptor? { open.withLock { $0 } }
}

extension ControlListener {
    /// Maximum number of clients that wait to be accepted.
    private static let backlog: Int32 = 128

    /// Creates the daemon's own socket, accessible only to its user and group (mode 0660).
    ///
    /// Replaces the socket file of a daemon that was killed, but never a socket that is listening. A lock file next to
    /// it (`PATH.lock`) prevents two daemons that start at the same time from both creating the socket.
    ///
    /// - Parameters:
    ///   - path: The path of the socket, at most 106 bytes.
    ///   - directoryMode: The mode of missing directories: 0700 for a user's daemon, 0755 for the system's daemon.
    public static func own(path: String, directoryMode: UInt32 = 0o700) throws(ControlSocketError) -> ControlListener {
        // The temporary name is one byte longer.
        guard path.utf8.count + 1 <= UnixSocketAddress.maximumLength else { throw .pathTooLong(path) }
        try SocketOwnership.makeDirectory(of: path, mode: directoryMode)
        let lock = try SocketOwnership.lock(path)
        do {
            let descriptor = try bind(path)
            return ControlListener(
                name: path, descriptor: descriptor, ownership: SocketOwnership(path: path, lock: lock))
        } catch {
            unlink(SocketOwnership.lockPath(path))
            throw error
        }
    }

    /// Creates the socket under a temporary name and renames it when its mode is set and it is listening.
    private static func bind(_ path: String) throws(ControlSocketError) -> Descriptor {
        try SocketOwnership.checkIsStale(path)
        let temporary = path + "~"
        unlink(temporary)
        let number = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard number >= 0 else { throw .system("socket", path) }
        let descriptor = Descriptor(number)
        guard UnixSocketAddress.bind(number, to: temporary) == 0 else { throw .system("bind", path) }
        do throws(ControlSocketError) {
            guard chmod(temporary, 0o660) == 0 else { throw .system("chmod", path) }
            guard listen(number, backlog) == 0 else { throw .system("listen", path) }
            guard rename(temporary, path) == 0 else { throw .system("rename", path) }
        } catch {
            unlink(temporary)
            throw error
        }
        return descriptor
    }
}

// MARK: - Sockets from systemd

extension ControlListener {
    /// Returns the sockets that systemd opened and passed to the daemon (sd_listen_fds(3)), or an empty array. Call
    /// this function only once: it removes the environment variables that describe the sockets, so that no child
    /// process inherits these variables.
    public static func inherited() throws(ControlSocketError) -> [ControlListener] {
        var listeners: [ControlListener] = []
        for number in Systemd.takeListenDescriptors() { listeners.append(try adopt(number)) }
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
