internal import CLinux
internal import Glibc
internal import TransitSystem

/// The memory usage of this process.
enum ProcessMemory {
    /// Returns the bytes of resident memory (proc(5), `/proc/self/statm`); 0 if the file cannot be read.
    static func resident() -> Int {
        guard case .success(let bytes) = FileContents.read("/proc/self/statm", limit: 4096) else { return 0 }
        let fields = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else { return 0 }
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }

    /// Limits malloc to two arenas for all threads. Otherwise, each thread would have its own arena, which would keep
    /// the memory that an import needed.
    static func limitPools() { linux_memory_arenas(2) }

    /// Returns freed memory to the system.
    static func trim() { linux_memory_trim() }

    /// Returns temporarily used memory to the system: freed memory, and pages of code that ran once.
    ///
    /// Startup and imports run a lot of code that requests do not need, and the system maps 64 kB around each page of
    /// code that is used. These pages are clean, so they can be dropped. A page that is needed again is loaded from
    /// the page cache, just as after the system reclaims memory.
    static func releaseFreeMemory() {
        linux_memory_trim()
        guard case .success(let bytes) = FileContents.read("/proc/self/maps", limit: 1 << 20) else { return }
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            guard let range = codeRange(line) else { continue }
            // The call fails for a locked mapping, which then stays in memory.
            _ = linux_memory_forget(range.lowerBound, UInt64(range.count))
        }
    }

    /// Returns the address range in a line of `/proc/self/maps` (proc(5)) if it maps code from a file, that is, if it
    /// is readable, executable and not writable.
    static func codeRange(_ line: Substring) -> Range<UInt64>? {
        let fields = line.split(separator: " ", omittingEmptySubsequences: true)
        guard fields.count >= 6, fields[1] == "r-xp", fields[5].hasPrefix("/") else { return nil }
        let ends = fields[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
        return ends.count == 2 && ends[0] < ends[1] ? ends[0]..<ends[1] : nil
    }
}

/// Used and free disk space.
enum DiskUsage {
    /// Maximum depth of nested folders. The daemon does not nest folders more deeply.
    private static let maximumDepth = 3

    /// Returns the size in bytes of all files in a folder and its subfolders; 0 if the folder cannot be read.
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

    /// Returns the device number of a folder's file system; `nil` if it cannot be determined.
    static func device(of folder: String) -> UInt64? {
        var status = stat()
        return stat(folder, &status) == 0 ? UInt64(status.st_dev) : nil
    }

    /// Returns the number of bytes available to the daemon's user; `nil` if it cannot be determined.
    static func free(at folder: String) -> Int? {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { return nil }
        return Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    }
}
