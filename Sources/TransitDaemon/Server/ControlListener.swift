internal import Glibc
internal import Synchronization

/// A socket on which clients connect: the daemon's own, or one that systemd opened for it.
public final class ControlListener: Sendable {
    /// The socket's path, or the name that systemd gave it; for `hello`, `status` and the log.
    public let name: String
    private let open: Mutex<Descriptor?>
    /// `nil` for an inherited socket, which stays after the daemon has gone.
    private let ownership: SocketOwnership?

    init(name: String, descriptor: Descriptor, ownership: SocketOwnership?) {
        self.name = name
        open = Mutex(descriptor)
        self.ownership = ownership
    }

    /// Takes no more clients. The daemon's own socket file and its lock file are removed.
    func close() {
        ownership?.release()
        open.withLock { $0 = nil }
    }

    /// `nil` when it takes no more clients.
    var descriptor: Descriptor? { open.withLock { $0 } }
}

extension ControlListener {
    /// How many clients wait for being accepted.
    private static let backlog: Int32 = 128

    /// Makes the daemon's own socket, readable and writable for its user and group only (mode 0660).
    ///
    /// A socket file that a killed daemon left is replaced; one on which somebody listens is never taken. A lock file
    /// beside it
    /// (`PATH.lock`) decides between two daemons that start at the same time.
    ///
    /// - Parameters:
    ///   - path: Where, at most 106 bytes.
    /// - directoryMode: For the directories that are missing on the way: 0700 for a user's daemon, 0755 for the
    /// system's.
    public static func own(path: String, directoryMode: UInt32 = 0o700) throws(ControlSocketError) -> ControlListener {
        // One byte more for the name under which it is made.
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

    /// The socket is made under another name, and gets its own only when its mode is right and it listens.
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
