internal import Glibc

/// Appends to the configuration file atomically: readers see either the old or the new file.
struct ConfigurationWriter {
    let path: String

    /// A failure to change the file.
    struct Failure: Error, Equatable {
        let path: String
        /// The `errno`.
        let number: Int32

        var message: String { "Cannot write \(path): \(String(cString: strerror(number)))." }
    }

    /// The contents before a change, for restoring them; `nil` if there was no file.
    typealias PreviousContents = [UInt8]?

    private static let maximumSize = 1 << 20

    /// Appends `text` to the file, after an empty line.
    ///
    /// - Returns: The previous contents.
    func append(_ text: String) throws(Failure) -> PreviousContents {
        let before = try read()
        var bytes = before ?? []
        if !bytes.isEmpty, bytes.last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
        if !bytes.isEmpty { bytes.append(UInt8(ascii: "\n")) }
        bytes += Array(text.utf8)
        try replace(with: bytes)
        return before
    }

    /// Restores previous contents.
    func restore(_ before: PreviousContents) throws(Failure) {
        if let before { return try replace(with: before) }
        guard unlink(target) == 0 || errno == ENOENT else { throw Failure(path: path, number: errno) }
    }

    /// The target of the path if it is a symbolic link, which is preserved.
    private var target: String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    private func read() throws(Failure) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw Failure(path: path, number: errno)
        }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(file, &buffer, buffer.count)
            if count == 0 { return bytes }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw Failure(path: path, number: errno)
            }
            bytes += buffer.prefix(count)
            if bytes.count > Self.maximumSize { throw Failure(path: path, number: EFBIG) }
        }
    }

    private func replace(with bytes: [UInt8]) throws(Failure) {
        let target = target
        let folder = target.lastIndex(of: "/").map { String(target[..<$0]) } ?? "."
        guard Self.makeFolder(folder) else { throw Failure(path: path, number: errno) }
        var status = stat()
        let mode = stat(target, &status) == 0 ? status.st_mode & 0o777 : 0o644
        let building = target + ".new"
        unlink(building)
        let file = open(building, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        guard file >= 0 else { throw Failure(path: path, number: errno) }
        let isWritten = StandardStream(descriptor: file).write(bytes) && fsync(file) == 0
        var number = errno
        close(file)
        if isWritten, rename(building, target) == 0 { return Self.synchronize(folder) }
        if isWritten { number = errno }
        unlink(building)
        throw Failure(path: path, number: number)
    }

    private static func makeFolder(_ folder: String) -> Bool {
        if folder.isEmpty || mkdir(folder, 0o755) == 0 || errno == EEXIST { return true }
        guard errno == ENOENT, let slash = folder.lastIndex(of: "/"), slash > folder.startIndex else { return false }
        return makeFolder(String(folder[..<slash])) && mkdir(folder, 0o755) == 0
    }

    /// Makes the rename durable. If the power fails before that, the old file is intact.
    private static func synchronize(_ folder: String) {
        let descriptor = open(folder.isEmpty ? "/" : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
