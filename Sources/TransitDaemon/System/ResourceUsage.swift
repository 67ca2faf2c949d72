internal import CLinux
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

    /// Lets all threads share two pools: each would otherwise get one of its own, and keep what an import took.
    static func limitPools() { linux_memory_arenas(2) }

    /// Gives back freed memory.
    static func trim() { linux_memory_trim() }

    /// Gives back what was taken for a while: freed memory, and the pages of code that ran once.
    ///
    /// A start and an import run through much code that no question needs, and the system maps 64 kB around each page of it
    /// that is touched. Mapped code is clean, so that what is needed again comes from the page cache, as it does for memory
    /// that the system reclaims by itself.
    static func releaseFreeMemory() {
        linux_memory_trim()
        guard case .success(let bytes) = FileContents.read("/proc/self/maps", limit: 1 << 20) else { return }
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            guard let range = codeRange(line) else { continue }
            // Refused for a mapping that is locked: it then stays.
            _ = linux_memory_forget(range.lowerBound, UInt64(range.count))
        }
    }

    /// The addresses of a line of `/proc/self/maps` (proc(5)) that maps code from a file: readable, executable and never
    /// written.
    static func codeRange(_ line: Substring) -> Range<UInt64>? {
        let fields = line.split(separator: " ", omittingEmptySubsequences: true)
        guard fields.count >= 6, fields[1] == "r-xp", fields[5].hasPrefix("/") else { return nil }
        let ends = fields[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
        return ends.count == 2 && ends[0] < ends[1] ? ends[0]..<ends[1] : nil
    }
}

/// How much of a disk is used and left.
enum DiskUsage {
    /// Folders inside folders; deeper ones are not the daemon's.
    private static let maximumDepth = 3

    /// The bytes of the files in a folder and in its folders; 0 when it cannot be read.
    static func bytes(under folder: String) -> Int { bytes(folder, depth: 0) }

    private static func bytes(_ folder: String, depth: Int) -> Int {
        guard depth < maximumDepth, let stream = opendir(folder) else { return 0 }
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

    /// Names the file system that a folder is on; `nil` when it cannot be looked at.
    static func device(of folder: String) -> UInt64? {
        var status = stat()
        return stat(folder, &status) == 0 ? UInt64(status.st_dev) : nil
    }

    /// Bytes that the daemon's user may still write; `nil` when they are not known.
    static func free(at folder: String) -> Int? {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { return nil }
        return Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    }
}
