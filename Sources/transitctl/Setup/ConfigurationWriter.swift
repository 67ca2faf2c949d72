internal import Glibc
internal import TransitClient

/// Appends to the configuration file atomically: readers see either the old or the new file.
struct ConfigurationWriter {
    let path: String

    /// A failure to change the file.
    struct Failure: Error, Equatable {
        let path: String
        /// The `errno`.
        let number: Int32

        var message: String { "Cannot write \(path): \(ErrnoText.text(number))." }
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
        guard unlink(SmallFile.target(of: path)) == 0 || errno == ENOENT else {
            throw Failure(path: path, number: errno)
        }
    }

    private func read() throws(Failure) -> [UInt8]? {
        let bytes = SmallFile.read(path, limit: Self.maximumSize)
        guard bytes != nil || errno == ENOENT else { throw Failure(path: path, number: errno) }
        return bytes
    }

    private func replace(with bytes: [UInt8]) throws(Failure) {
        var status = stat()
        let mode = stat(path, &status) == 0 ? status.st_mode & 0o777 : 0o644
        let number = SmallFile.replace(path, with: bytes, mode: mode, folderMode: 0o755, isDurable: true)
        guard number == 0 else { throw Failure(path: path, number: number) }
    }
}
