internal import CLinux
package import Glibc

/// Functions for descriptors.
package enum Descriptors {
    /// Writes all bytes. Returns `false` on failure, with the reason in `errno`.
    package static func write(_ bytes: [UInt8], to descriptor: CInt) -> Bool {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + written, $0.count - written) }
            if count >= 0 { written += count } else if errno != EINTR { return false }
        }
        return true
    }

    /// Reads until the end or a limit.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor.
    ///   - limit: The maximum number of bytes.
    ///   - deadline: When to give up; `nil` to read as the descriptor does, which may block.
    ///   - isComplete: Returns whether the bytes suffice.
    /// - Returns: The bytes, or `nil` with the reason in `errno`, which is EFBIG if more than `limit` bytes arrive, and
    ///   ETIMEDOUT when the deadline passes.
    package static func read(
        _ descriptor: CInt, limit: Int, before deadline: Deadline? = nil,
        until isComplete: ([UInt8]) -> Bool = { _ in false }
    ) -> [UInt8]? {
        var bytes: [UInt8] = []
        while !isComplete(bytes) {
            if let deadline, UnixSocket.wait(descriptor, before: deadline, .none) != .ready {
                errno = ETIMEDOUT
                return nil
            }
            let count = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16_384) { buffer in
                let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                if count > 0 { bytes += buffer[..<count] }
                return count
            }
            if count < 0, errno != EINTR, errno != EAGAIN || deadline == nil { return nil }
            if count == 0 { break }
            if bytes.count > limit {
                errno = EFBIG
                return nil
            }
        }
        return bytes
    }
}

/// Reads and replaces whole files.
package enum SmallFile {
    /// Reads a file. Does not wait for the other end of a FIFO.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - folder: The descriptor of the folder of a relative path.
    ///   - limit: The maximum length in bytes.
    ///   - flags: Further flags of open(2).
    ///   - isTrusted: Returns whether to read a file with this status.
    /// - Returns: The bytes, or `nil` with the reason in `errno`: EFBIG if the file is too long, and EPERM if it is not
    ///   trusted.
    package static func read(
        _ path: String, in folder: CInt = AT_FDCWD, limit: Int, flags: CInt = 0,
        where isTrusted: (stat) -> Bool = { _ in true }
    ) -> [UInt8]? {
        let file = openat(folder, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { return nil }
        guard isTrusted(status) else {
            errno = EPERM
            return nil
        }
        return Descriptors.read(file, limit: limit)
    }

    /// Replaces a file atomically. A symbolic link is preserved.
    ///
    /// - Parameters:
    ///   - path: The path of the file. Its folders are created if they do not exist.
    ///   - bytes: The contents.
    ///   - mode: The permissions of the file, and of new folders with the right to search.
    ///   - isDurable: Whether the contents are on disk when the function returns.
    ///   - keepsOwner: Whether the file must still belong to the same user and group, also if root replaces it.
    ///   - isCurrent: Returns whether the file may still be replaced. Called when the new contents are on disk.
    /// - Returns: 0, or an `errno`, which is ECANCELED if `isCurrent` returns false.
    package static func replace(
        _ path: String, with bytes: [UInt8], mode: mode_t = 0o600, folderMode: mode_t = 0o700, isDurable: Bool = false,
        keepsOwner: Bool = false, isCurrent: () -> Bool = { true }
    ) -> CInt {
        let target = target(of: path)
        // A failure to create a folder is reported by `open`.
        for slash in target.indices.dropFirst() where target[slash] == "/" {
            mkdir(String(target[..<slash]), folderMode)
        }
        let building = "\(target).\(getpid())"
        // Left by a process with the same identifier that was killed.
        unlink(building)
        let file = open(building, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        guard file >= 0 else { return errno }
        let isWritten =
            (!keepsOwner || copyOwner(of: target, to: file)) && Descriptors.write(bytes, to: file)
            && (!isDurable || fsync(file) == 0)
        var number = errno
        close(file)
        if isWritten, !isCurrent() {
            unlink(building)
            return ECANCELED
        }
        if isWritten, rename(building, target) == 0 {
            if isDurable { synchronizeFolder(of: target) }
            return 0
        }
        if isWritten { number = errno }
        unlink(building)
        return number
    }

    /// Gives a file the owner of another one, if that exists and its owner differs from the user of this process.
    private static func copyOwner(of path: String, to file: CInt) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.st_uid != geteuid() || status.st_gid != getegid() else { return true }
        // The owner of a file may not be able to give it to its former group, which does not make it unusable.
        return fchown(file, status.st_uid, status.st_gid) == 0 || status.st_uid == geteuid()
    }

    /// Returns the path itself or, if it is a symbolic link, its target, which need not exist.
    package static func target(of path: String) -> String {
        if let real = realpath(path, nil) {
            defer { free(real) }
            return String(cString: real)
        }
        let link = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            let count = readlink(path, buffer.baseAddress!, buffer.count)
            return count > 0 ? String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
        }
        guard let link else { return path }
        if link.hasPrefix("/") { return link }
        return (path.lastIndex(of: "/").map { String(path[...$0]) } ?? "") + link
    }

    /// Makes a rename durable. If the power fails before that, the old file is intact.
    private static func synchronizeFolder(of path: String) {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "."
        let descriptor = open(String(folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}

/// The memory of this process.
package enum ProcessMemory {
    /// Returns the memory that was freed, such as that of the start.
    package static func returnFreed() { linux_memory_trim() }

    /// Returns the pages of code and constants, which waiting does not need. The system maps them again when they are used.
    ///
    /// Of each page that the process uses, Linux also maps its neighbors, so that some megabytes are mapped after each answer.
    package static func returnFilePages() { linux_memory_forget_files() }
}

/// Clocks of Linux in milliseconds (clock_gettime(2)).
package enum LinuxClock {
    /// CLOCK_MONOTONIC, which stands still while the machine is suspended.
    package static var monotonic: Int64 { milliseconds(CLOCK_MONOTONIC) }
    /// CLOCK_BOOTTIME, which runs while the machine is suspended.
    package static var boot: Int64 { milliseconds(CLOCK_BOOTTIME) }

    private static func milliseconds(_ clock: CInt) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
