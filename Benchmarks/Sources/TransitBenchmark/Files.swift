import Glibc

/// Reads and writes files.
enum Files {
    /// Returns the size of a file in bytes; `nil` if it does not exist.
    static func size(_ path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Returns the text of a small file; empty if it cannot be read.
    static func text(_ path: String) -> String { String(decoding: (try? bytes(path)) ?? [], as: UTF8.self) }

    /// Returns the content of a file.
    static func bytes(_ path: String) throws(BenchmarkError) -> [UInt8] {
        let file = open(path, O_RDONLY)
        guard file >= 0 else { throw BenchmarkError("cannot read \(path)") }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(file, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes.append(contentsOf: buffer[..<count])
        }
        return bytes
    }

    static func write(_ text: String, to path: String) throws(BenchmarkError) { try write(Array(text.utf8), to: path) }

    static func write(_ bytes: [UInt8], to path: String) throws(BenchmarkError) {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        guard file >= 0 else { throw BenchmarkError("cannot write \(path)") }
        defer { close(file) }
        guard Glibc.write(file, bytes, bytes.count) == bytes.count else {
            throw BenchmarkError("cannot write \(path)")
        }
    }

    /// Reads a file into the page cache, so that the measurement does not include disk access.
    static func warm(_ path: String) {
        let file = open(path, O_RDONLY)
        guard file >= 0 else { return }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while read(file, &buffer, buffer.count) > 0 {}
    }

    /// Removes a file from the page cache, so that the next read accesses the disk.
    static func cool(_ path: String) {
        let file = open(path, O_RDONLY)
        guard file >= 0 else { return }
        defer { close(file) }
        fsync(file)
        posix_fadvise(file, 0, 0, Int32(POSIX_FADV_DONTNEED))
    }

    /// Returns the names of the entries of a directory.
    static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}
