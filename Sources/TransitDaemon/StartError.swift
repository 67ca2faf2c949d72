internal import Glibc
internal import TransitSystem

/// The reason why the daemon cannot start, other than errors of its configuration, state and socket.
public enum StartError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Another daemon uses a folder.
    case inUse(FolderLock.Kind, folder: String)
    case folder(FolderLock.Kind, String, reason: String)
    /// An environment variable that names a directory of the daemon has a path that is not absolute.
    case relativeDirectory(variable: String, path: String)
    /// A recording cannot be written or read. The value is a sentence for the user.
    case recording(String)
    /// The process may open only this many files, fewer than the daemon needs.
    case openFiles(limit: UInt64)

    public var description: String {
        switch self {
        case .inUse(let kind, let folder):
            "Another transitd process uses the \(kind) folder \(folder). Stop it first, or set \(kind.variable) to "
                + "another folder."
        case .folder(let kind, let folder, let reason):
            "The \(kind) folder \(folder) cannot be used: \(reason)."
        case .relativeDirectory(let variable, let path):
            "\(variable) is \"\(path)\", but it must be an absolute path. Set it to a path that begins with /, or unset it."
        case .recording(let reason): reason
        case .openFiles(let limit):
            "transitd may open only \(limit) files at a time and needs \(OpenFileLimit.minimum). Raise the limit: "
                + "LimitNOFILE= in the unit, or ulimit -n \(OpenFileLimit.minimum) in the shell that starts it."
        }
    }
}

/// Locks a folder against a second daemon. The lock is released when the process ends, even after a crash.
public final class FolderLock: Sendable {
    /// What a folder contains.
    public enum Kind: String, Hashable, Sendable, CustomStringConvertible {
        case state, cache

        public var description: String { rawValue }
        /// The environment variable that names the folder.
        var variable: String { self == .state ? "STATE_DIRECTORY" : "CACHE_DIRECTORY" }
        /// The name of the lock's file. The names differ, so that one folder can be both.
        fileprivate var file: String { self == .state ? "lock" : "cache.lock" }
    }

    private let descriptor: Int32

    init(_ folder: String, _ kind: Kind) throws(StartError) {
        guard Self.makeFolder(folder) else { throw .folder(kind, folder, reason: ErrnoMessage.text(errno)) }
        let path = "\(folder)/\(kind.file)"
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw .folder(kind, folder, reason: ErrnoMessage.text(errno)) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let number = errno
            close(descriptor)
            if number == EWOULDBLOCK { throw .inUse(kind, folder: folder) }
            throw .folder(kind, folder, reason: ErrnoMessage.text(number))
        }
    }

    deinit { close(descriptor) }

    private static func makeFolder(_ folder: String) -> Bool {
        if mkdir(folder, 0o700) == 0 || errno == EEXIST { return true }
        guard errno == ENOENT, let slash = folder.lastIndex(of: "/"), slash > folder.startIndex else { return false }
        return makeFolder(String(folder[..<slash])) && mkdir(folder, 0o700) == 0
    }
}
