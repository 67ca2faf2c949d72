internal import Glibc

/// What the system knows about this process's memory.
enum ProcessMemory {
    /// Bytes of resident memory (proc(5), `/proc/self/statm`); 0 when it cannot be read.
    static func resident() -> Int {
        guard case .success(let bytes) = FileContents.read("/proc/self/statm", limit: 4096) else { return 0 }
        let fields = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else { return 0 }
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }
}

/// How much of a disk is used and left.
enum DiskUsage {
    /// Folders inside folders; deeper ones are not the daemon's.
    private static let deepest = 3

    /// The bytes of the files in a folder and in its folders; 0 when it cannot be read.
    static func bytes(under folder: String) -> Int { bytes(folder, depth: 0) }

    private static func bytes(_ folder: String, depth: Int) -> Int {
        guard depth < deepest, let stream = opendir(folder) else { return 0 }
        defer { closedir(stream) }
        var total = 0
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name == "." || name == ".." { continue }
            var status = stat()
            guard lstat(folder + "/" + name, &status) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFREG: total += Int(status.st_size)
            case S_IFDIR: total += bytes(folder + "/" + name, depth: depth + 1)
            default: break
            }
        }
        return total
    }

    /// Bytes that the daemon's user may still write; `nil` when they are not known.
    static func free(at folder: String) -> Int? {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { return nil }
        return Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    }
}
