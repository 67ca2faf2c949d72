internal import Glibc

/// The few calls to the operating system that the store needs besides SQLite's.
enum FileSystem {
    /// The whole content. Longer files than `limit` bytes are refused.
    static func read(_ path: String, limit: Int) throws(StoreError) -> [UInt8] {
        let (descriptor, status) = try openFile(path, O_RDONLY, "open")
        defer { close(descriptor) }
        guard status.st_size <= limit else { throw .file(path: path, operation: "read", reason: "too large") }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var filled = 0
        while filled < bytes.count {
            let got = bytes.withUnsafeMutableBytes { buffer in
                Glibc.read(descriptor, buffer.baseAddress! + filled, buffer.count - filled)
            }
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else { throw failure(path, "read") }
            if got == 0 { break }
            filled += got
        }
        bytes.removeLast(bytes.count - filled)
        return bytes
    }

    /// Makes or replaces a file that only its owner may read.
    static func write(_ bytes: [UInt8], to path: String) throws(StoreError) { try write(parts: [bytes], to: path) }

    /// The same for a content in several parts, one after the other. A file that is there is written over, so that the memory
    /// that the system keeps of it need not be found anew.
    static func write(parts: [[UInt8]], to path: String) throws(StoreError) {
        let (descriptor, _) = try openFile(path, O_WRONLY | O_CREAT, "make")
        defer { close(descriptor) }
        try write(parts, descriptor, path)
        guard ftruncate(descriptor, parts.reduce(0) { $0 + $1.count }) == 0 else { throw failure(path, "write") }
    }

    private static func write(_ parts: [[UInt8]], _ descriptor: Int32, _ path: String) throws(StoreError) {
        for bytes in parts {
            var written = 0
            while written < bytes.count {
                let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { throw failure(path, "write") }
                written += count
            }
        }
    }

    /// Opens a regular file only. A FIFO or a device at the path neither blocks nor is read.
    ///
    /// - Throws: ``StoreError/file(path:operation:reason:)`` with the reason ``notRegular`` for anything else.
    private static func openFile(
        _ path: String, _ flags: Int32, _ operation: String
    ) throws(StoreError) -> (descriptor: Int32, status: stat) {
        let descriptor = open(path, flags | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else {
            // A socket, or a FIFO without a reader that is opened for writing.
            if errno == ENXIO { throw .file(path: path, operation: operation, reason: notRegular) }
            throw failure(path, operation)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let code = errno
            close(descriptor)
            throw failure(path, "look at", code: code)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw .file(path: path, operation: operation, reason: notRegular)
        }
        return (descriptor, status)
    }

    /// The error reason if a folder, FIFO, socket or device is where a file should be.
    static let notRegular = "It is not a regular file"

    /// The type of the file at a path. Symbolic links are followed.
    enum Entry {
        case missing
        case file(size: Int)
        /// A folder, FIFO, socket or device.
        case other
    }

    static func entry(at path: String) -> Entry {
        var status = stat()
        guard stat(path, &status) == 0 else { return .missing }
        return status.st_mode & S_IFMT == S_IFREG ? .file(size: Int(status.st_size)) : .other
    }

    /// Waits until a file's content or a folder's entries are on the disk.
    static func synchronize(_ path: String) throws(StoreError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure(path, "open") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure(path, "write") }
    }

    /// Waits until the names in it are on the disk: after a rename, so that it survives a loss of power.
    static func synchronizeDirectory(_ path: String) throws(StoreError) { try synchronize(path) }

    /// Replaces what was at `target`, in one step for everyone who looks.
    static func rename(_ source: String, to target: String) throws(StoreError) {
        guard Glibc.rename(source, target) == 0 else { throw failure(target, "put in place") }
    }

    /// Replaces what was at `target`, in one step for everyone who looks, and puts it where `source` was.
    static func exchange(_ source: String, with target: String) throws(StoreError) {
        let aside = source + TimetableFile.buildingSuffix
        try remove(aside)
        // Where there is nothing yet, or no second name for a file, there is nothing to put back.
        let isKept = link(target, aside) == 0
        try rename(source, to: target)
        if isKept { try rename(aside, to: source) }
    }

    /// Removes a file, or a folder with its contents. A missing file is no error.
    static func remove(_ path: String) throws(StoreError) {
        if unlink(path) == 0 || errno == ENOENT { return }
        guard errno == EISDIR else { throw failure(path, "remove") }
        for name in try names(in: path) { try remove(path + "/" + name) }
        guard rmdir(path) == 0 || errno == ENOENT else { throw failure(path, "remove") }
    }

    /// Renames an unusable file and replaces a file that was set aside under that name before.
    static func setAside(_ path: String, as target: String) throws(StoreError) {
        try remove(target)
        try rename(path, to: target)
    }

    /// With every missing folder above it, mode 0700: what is kept here is personal.
    static func makeDirectory(_ path: String) throws(StoreError) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let above = parent(of: path), above != path else { throw failure(path, "make") }
        try makeDirectory(above)
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure(path, "make") }
    }

    /// The names in a folder, without "." and "..", in alphabetical order.
    static func names(in path: String) throws(StoreError) -> [String] {
        guard let directory = opendir(path) else { throw failure(path, "list") }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// The suffix of a renamed unusable file. The file is not used again and can be inspected.
    static let damagedSuffix = ".damaged"

    /// Returns `nil` if no file exists.
    static func size(of path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }

    /// Everything before the last "/"; `nil` when there is none.
    static func parent(of path: String) -> String? {
        guard let slash = path.utf8.lastIndex(of: 0x2F) else { return nil }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The error for what `errno` says now.
    static func failure(_ path: String, _ operation: String) -> StoreError {
        failure(path, operation, code: errno)
    }

    static func failure(_ path: String, _ operation: String, code: Int32) -> StoreError {
        if isSpace(code) { return .diskFull(path: path) }
        return .file(path: path, operation: operation, reason: String(cString: strerror(code)))
    }

    /// No space, no quota, or a file larger than this process may write.
    static func isSpace(_ code: Int32) -> Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }
}

// MARK: Pointers

extension FileSystem {
    /// Makes `path` a symbolic link to a name beside it, in one step for everyone who looks, also when it was one before.
    static func point(_ path: String, to name: String) throws(StoreError) {
        let building = path + TimetableFile.buildingSuffix
        try remove(building)
        guard symlink(name, building) == 0 else { throw failure(path, "make") }
        // rename(2) cannot replace a folder with a link.
        var status = stat()
        if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            try setAside(path, as: path + damagedSuffix)
        }
        try rename(building, to: path)
    }

    /// What a symbolic link says; `nil` when there is none.
    static func target(of path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = buffer.withUnsafeMutableBytes { bytes in
            bytes.bindMemory(to: CChar.self).baseAddress.map { readlink(path, $0, bytes.count) } ?? -1
        }
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }
}
