package import Glibc

/// Reads a small file into memory.
package enum FileContents {
    /// The reason why a file could not be read, usually the system's error message.
    package struct Failure: Error, Hashable, CustomStringConvertible {
        package var description: String
    }

    /// - Parameter limit: The maximum size in bytes; a larger file is rejected.
    package static func read(_ path: String, limit: Int) -> Result<[UInt8], Failure> {
        // O_NONBLOCK: if the path is a FIFO, opening it does not wait for a writer.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return .failure(Failure(description: ErrnoMessage.text(errno))) }
        defer { close(file) }
        // /dev/null counts as an empty file.
        guard FileKind.of(file, isIn: [S_IFREG, S_IFCHR]) else {
            return .failure(Failure(description: "it is not a regular file"))
        }
        var contents: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let count = Glibc.read(file, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { return .failure(Failure(description: ErrnoMessage.text(errno))) }
            if count == 0 { return .success(contents) }
            contents.append(contentsOf: buffer[..<count])
            guard contents.count <= limit else {
                return .failure(Failure(description: "it is larger than \(limit) bytes"))
            }
        }
    }

    /// Returns the reason why a file cannot be read, without reading it; `nil` if it can be read.
    package static func unreadable(_ path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0, access(path, R_OK) == 0 else { return ErrnoMessage.text(errno) }
        return status.st_mode & S_IFMT == S_IFREG ? nil : "it is not a regular file"
    }
}

/// Checks the type of an open file. The daemon opens files in its folders with `O_NONBLOCK` and then checks them,
/// because a user with write access may have replaced one with a FIFO, on which open(2) could block forever.
package enum FileKind {
    /// - Parameter kinds: The accepted file types (the `S_IFMT` bits of `st_mode`).
    package static func of(_ descriptor: Int32, isIn kinds: [mode_t]) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && kinds.contains(status.st_mode & S_IFMT)
    }

    /// Opens a regular file for writing. Replaces a FIFO or socket at the path with a new file. Rejects a folder,
    /// device or symbolic link and leaves it in place.
    ///
    /// - Returns: a descriptor, or -1 with `errno`.
    package static func openForWriting(_ path: String, _ flags: Int32) -> Int32 {
        let flags = flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        for _ in 0..<2 {
            let file = open(path, flags, 0o600)
            if file >= 0, of(file, isIn: [S_IFREG]) { return file }
            if file >= 0 { close(file) } else if errno != ENXIO { return -1 }
            var status = stat()
            guard lstat(path, &status) == 0 else { return -1 }
            guard [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT) else {
                errno = EINVAL
                return -1
            }
            guard unlink(path) == 0 else { return -1 }
        }
        errno = EEXIST
        return -1
    }
}

/// Messages for the system's error numbers.
package enum ErrnoMessage {
    /// Returns a message such as "No such file or directory".
    package static func text(_ number: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard strerror_r(number, &buffer, buffer.count) == 0 else { return "error \(number)" }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
