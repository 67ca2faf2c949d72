internal import Glibc

/// The system calls on files and folders that the store makes in addition to SQLite's. ``FileFaults`` lets a test make
/// them fail.
public enum FileSystem {
    /// Reads a whole file. Fails if the file is longer than `limit` bytes.
    static func read(_ path: String, limit: Int) throws(StoreError) -> [UInt8] {
        let (descriptor, status) = try openFile(path, O_RDONLY, "open")
        defer { close(descriptor) }
        guard status.st_size <= limit else {
            throw .file(path: path, operation: "read", reason: "the file is too large")
        }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var filled = 0
        while filled < bytes.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                Glibc.read(descriptor, buffer.baseAddress! + filled, buffer.count - filled)
            }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw failure(path, "read") }
            if count == 0 { break }
            filled += count
        }
        bytes.removeLast(bytes.count - filled)
        return bytes
    }

    /// Maps a file into memory for reading. The pages are read now, and again when the system has reused their memory. The
    /// caller unmaps them with ``unmap(_:)``.
    ///
    /// The file must not be shortened while it is mapped: reading the missing part would end the process. The same happens
    /// if the disk fails to read a page.
    static func map(_ path: String) throws(StoreError) -> UnsafeRawBufferPointer {
        let (descriptor, status) = try openFile(path, O_RDONLY, "open")
        defer { close(descriptor) }
        // Nothing can be mapped of an empty file.
        guard status.st_size > 0 else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        let address = mmap(nil, Int(status.st_size), PROT_READ, MAP_PRIVATE | MAP_POPULATE, descriptor, 0)
        guard let address, address != MAP_FAILED else { throw failure(path, "map") }
        return UnsafeRawBufferPointer(start: address, count: Int(status.st_size))
    }

    static func unmap(_ bytes: UnsafeRawBufferPointer) {
        guard let address = bytes.baseAddress else { return }
        munmap(UnsafeMutableRawPointer(mutating: address), bytes.count)
    }

    /// Creates or replaces a file that only its owner may read.
    public static func write(_ bytes: [UInt8], to path: String) throws(StoreError) {
        try write(parts: [bytes], to: path)
    }

    /// Creates or replaces a file with the concatenation of several parts. An existing file is overwritten in place,
    /// which reuses its pages in the page cache.
    static func write(parts: [[UInt8]], to path: String) throws(StoreError) {
        let (descriptor, _) = try openFile(path, O_WRONLY | O_CREAT, "create")
        defer { close(descriptor) }
        try write(parts, descriptor, path)
        guard !FileFaults.fails(.truncate, path), ftruncate(descriptor, parts.reduce(0) { $0 + $1.count }) == 0 else {
            throw failure(path, "write")
        }
    }

    private static func write(_ parts: [[UInt8]], _ descriptor: Int32, _ path: String) throws(StoreError) {
        for bytes in parts {
            var written = 0
            if let code = FileFaults.code(.write, path) {
                // A disk becomes full in the middle of a write.
                _ = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, bytes.count / 2) }
                throw failure(path, "write", code: code)
            }
            while written < bytes.count {
                let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { throw failure(path, "write") }
                written += count
            }
        }
    }

    /// Opens a regular file. Does not block on a FIFO or read from a device.
    ///
    /// - Throws: ``StoreError/file(path:operation:reason:)`` with the reason ``notRegular`` if the path is not a
    ///   regular file.
    private static func openFile(
        _ path: String, _ flags: Int32, _ operation: String
    ) throws(StoreError) -> (descriptor: Int32, status: stat) {
        let descriptor =
            FileFaults.fails(.open, path) ? -1 : open(path, flags | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else {
            // The path is a socket, or a FIFO without a reader that is opened for writing.
            if errno == ENXIO { throw .file(path: path, operation: operation, reason: notRegular) }
            throw failure(path, operation)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let code = errno
            close(descriptor)
            throw failure(path, "get the status of", code: code)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw .file(path: path, operation: operation, reason: notRegular)
        }
        return (descriptor, status)
    }

    /// The reason in the error for a path that leads to a folder, FIFO, socket or device instead of a file.
    static let notRegular = "it is not a regular file"

    /// The type of the file at a path, after following symbolic links.
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

    /// Flushes the content of a file or the entries of a folder to disk.
    static func synchronize(_ path: String) throws(StoreError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure(path, "open") }
        defer { close(descriptor) }
        guard !FileFaults.fails(.synchronize, path), fsync(descriptor) == 0 else { throw failure(path, "flush") }
    }

    /// Flushes the entries of a folder to disk, so that a rename survives a power loss.
    static func synchronizeDirectory(_ path: String) throws(StoreError) { try synchronize(path) }

    /// Moves a file to `target` and atomically replaces an existing file there.
    static func rename(_ source: String, to target: String) throws(StoreError) {
        guard !FileFaults.fails(.rename, target), Glibc.rename(source, target) == 0 else {
            throw failure(target, "replace")
        }
    }

    /// Moves a file to `target` and atomically replaces an existing file there, which is moved to `source`.
    static func swap(_ source: String, with target: String) throws(StoreError) {
        let previous = source + TimetableFile.buildingSuffix
        try remove(previous)
        // If there is no previous file, or if the file system does not support hard links, nothing is moved to
        // `source`.
        let hasPrevious = !FileFaults.fails(.link, previous) && link(target, previous) == 0
        try rename(source, to: target)
        if hasPrevious { try rename(previous, to: source) }
    }

    /// Removes a file, or a folder with its contents. Succeeds if the file does not exist.
    public static func remove(_ path: String) throws(StoreError) {
        if FileFaults.fails(.remove, path) { throw failure(path, "remove") }
        if unlink(path) == 0 || errno == ENOENT { return }
        guard errno == EISDIR else { throw failure(path, "remove") }
        for name in try names(in: path) { try remove(path + "/" + name) }
        guard rmdir(path) == 0 || errno == ENOENT else { throw failure(path, "remove") }
    }

    /// Renames an unusable file. Replaces a file that was previously set aside under the same name.
    static func setAside(_ path: String, as target: String) throws(StoreError) {
        try remove(target)
        try rename(path, to: target)
    }

    /// Creates a folder and any missing parent folders with mode 0700, because the content is personal.
    public static func makeDirectory(_ path: String) throws(StoreError) {
        if FileFaults.fails(.makeDirectory, path) { throw failure(path, "create") }
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let above = parent(of: path), above != path else { throw failure(path, "create") }
        try makeDirectory(above)
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure(path, "create") }
    }

    /// Creates an empty folder in `$TMPDIR`, or in `/tmp`, that only its owner may enter. Returns its path.
    ///
    /// - Parameter prefix: The first part of its name; the rest is random.
    public static func makeTemporaryDirectory(_ prefix: String) throws(StoreError) -> String {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        var template = Array("\(parent.isEmpty ? "/tmp" : parent)/\(prefix)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw failure(String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self), "create")
        }
        return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Returns the names in a folder in alphabetical order, without "." and "..".
    public static func names(in path: String) throws(StoreError) -> [String] {
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

    /// The suffix of an unusable file that was set aside. The file is kept for inspection and not used again.
    static let damagedSuffix = ".damaged"

    /// Returns the size of a file in bytes, or `nil` if it does not exist.
    static func size(of path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }

    /// Returns the part before the last "/", or `nil` if there is none.
    static func parent(of path: String) -> String? {
        guard let slash = path.utf8.lastIndex(of: 0x2F) else { return nil }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Creates an error from `errno`.
    static func failure(_ path: String, _ operation: String) -> StoreError {
        failure(path, operation, code: errno)
    }

    static func failure(_ path: String, _ operation: String, code: Int32) -> StoreError {
        if isOutOfSpace(code) { return .diskFull(path: path) }
        return .file(path: path, operation: operation, reason: String(cString: strerror(code)))
    }

    /// Whether an error code indicates a lack of space, an exhausted quota, or a file above the process's size limit.
    static func isOutOfSpace(_ code: Int32) -> Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }
}

// MARK: Symbolic links

extension FileSystem {
    /// Atomically creates or replaces a symbolic link at `path` to a name in the same folder.
    static func setSymbolicLink(_ path: String, to name: String) throws(StoreError) {
        let building = path + TimetableFile.buildingSuffix
        try remove(building)
        guard !FileFaults.fails(.link, building), symlink(name, building) == 0 else { throw failure(path, "create") }
        // rename(2) cannot replace a folder with a link.
        var status = stat()
        if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            try setAside(path, as: path + damagedSuffix)
        }
        try rename(building, to: path)
    }

    /// Returns the target of a symbolic link, or `nil` if the path is not a link.
    static func target(of path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = buffer.withUnsafeMutableBytes { bytes in
            bytes.bindMemory(to: CChar.self).baseAddress.map { readlink(path, $0, bytes.count) } ?? -1
        }
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }
}
