internal import Glibc
internal import TransitSystem

/// The daemon's ownership of the socket file at a path while it holds the lock file next to it.
final class SocketOwnership: Sendable {
    private let path: String
    private let lock: Descriptor
    /// Identifies the socket file, so that another file at the same path is not removed.
    private let file: FileIdentity?

    init(path: String, lock: Descriptor) {
        self.path = path
        self.lock = lock
        file = FileIdentity(path)
    }

    /// Removes the socket file and the lock file, provided that the socket file is still the daemon's own.
    func release() {
        guard let file, FileIdentity(path) == file else { return }
        unlink(path)
        unlink(Self.lockPath(path))
    }

    static func lockPath(_ path: String) -> String { path + ".lock" }

    /// Locks the open file with flock(2), so the kernel releases the lock when the process ends.
    static func lock(_ path: String) throws(ControlSocketError) -> Descriptor {
        let lockPath = lockPath(path)
        // A daemon that exits removes its lock file. A lock on a file that was removed after it was opened is useless,
        // so the file is opened again.
        for _ in 0..<16 {
            let number = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
            guard number >= 0 else { throw .system("open", lockPath) }
            let descriptor = Descriptor(number)
            guard flock(number, LOCK_EX | LOCK_NB) == 0 else {
                if errno == EWOULDBLOCK { throw .inUse(path) }
                throw .system("flock", lockPath)
            }
            if let identity = FileIdentity(lockPath), identity == FileIdentity(number) { return descriptor }
        }
        throw .inUse(path)
    }

    /// Throws unless the path is free or is a socket without a listener. The lock alone is not sufficient, because
    /// systemd listens without holding it.
    static func checkIsStale(_ path: String) throws(ControlSocketError) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return }
            throw .system("lstat", path)
        }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path) }
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard number >= 0 else { throw .system("socket", path) }
        let descriptor = Descriptor(number)
        let isRefused = UnixSocketAddress.connect(descriptor.number, to: path) != 0 && errno == ECONNREFUSED
        if !isRefused { throw .inUse(path) }
    }

    /// Creates the missing directories of a path.
    static func makeDirectory(of path: String, mode: UInt32) throws(ControlSocketError) {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return }
        let directory = String(path[..<slash])
        if mkdir(directory, mode) == 0 || errno == EEXIST { return }
        guard errno == ENOENT else { throw .system("mkdir", directory) }
        try makeDirectory(of: directory, mode: mode)
        guard mkdir(directory, mode) == 0 || errno == EEXIST else { throw .system("mkdir", directory) }
    }
}

/// Identifies a file independently of its name.
private struct FileIdentity: Hashable {
    var device: UInt
    var number: UInt

    /// Returns `nil` if there is no file. Does not follow symbolic links.
    init?(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    init?(_ descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        device = UInt(status.st_dev)
        number = UInt(status.st_ino)
    }
}
