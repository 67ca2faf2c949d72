internal import Glibc

/// A system call of ``FileSystem`` that changes files or opens them.
package enum FileOperation: String, Hashable, Sendable, CaseIterable {
    case open, write, truncate, synchronize, rename, link, remove, makeDirectory
}

/// Makes system calls of ``FileSystem`` fail in a test. Nothing else sets ``current``.
///
/// The calls of a task fail only while ``current`` has a value in it, so tests that run in parallel do not disturb each
/// other.
package struct FileFaults: Sendable {
    @TaskLocal package static var current: FileFaults?

    /// Returns the error number with which a call on a path fails; `nil` if it is made.
    private let decide: @Sendable (FileOperation, String) -> Int32?

    package init(_ decide: @escaping @Sendable (FileOperation, String) -> Int32?) { self.decide = decide }

    /// Returns the error number with which a call fails; `nil` if it is made.
    static func code(_ operation: FileOperation, _ path: String) -> Int32? { current?.decide(operation, path) }

    /// Whether a call fails. `errno` is set then.
    static func fails(_ operation: FileOperation, _ path: String) -> Bool {
        guard let code = code(operation, path) else { return false }
        errno = code
        return true
    }
}
