internal import Glibc
internal import TransitClient

/// Replaces the configuration file atomically: readers see either the old or the new file.
struct ConfigurationWriter {
    let path: String

    /// The reason why the file was not changed.
    enum Failure: Error, Equatable {
        /// The file could not be read or written. The number is the `errno`.
        case system(path: String, number: Int32)
        /// The file no longer has the expected text.
        case changedMeanwhile(path: String)

        var message: String {
            switch self {
            case .system(let path, let number): "Cannot write \(path): \(ErrnoText.text(number))."
            case .changedMeanwhile(let path):
                "\(path) was changed by another program at the same time, so it was not written. Repeat the command."
            }
        }

        /// Whether the user lacks the permission to write the file.
        var isNotAllowed: Bool {
            guard case .system(_, let number) = self else { return false }
            return number == EACCES || number == EPERM || number == EROFS
        }
    }

    private static let maximumSize = 1 << 20

    /// Replaces the text of the file. A symbolic link stays one.
    ///
    /// - Parameters:
    ///   - before: The text that the file must have; `nil` if it must not exist.
    ///   - after: The new text; `nil` to delete the file.
    func replace(_ before: String?, with after: String?) throws(Failure) {
        let expected = before.map { Array($0.utf8) }
        guard try read() == expected else { throw .changedMeanwhile(path: path) }
        guard let after else {
            guard unlink(SmallFile.target(of: path)) == 0 || errno == ENOENT else { throw failure(errno) }
            return
        }
        var status = stat()
        let mode = stat(path, &status) == 0 ? status.st_mode & 0o777 : 0o644
        let number = SmallFile.replace(
            path, with: Array(after.utf8), mode: mode, folderMode: 0o755, isDurable: true, keepsOwner: true,
            // Writing to the disk takes long enough for another change.
            isCurrent: { SmallFile.read(path, limit: Self.maximumSize) == expected })
        guard number != ECANCELED else { throw .changedMeanwhile(path: path) }
        guard number == 0 else { throw failure(number) }
    }

    private func read() throws(Failure) -> [UInt8]? {
        let bytes = SmallFile.read(path, limit: Self.maximumSize)
        guard bytes != nil || errno == ENOENT else { throw failure(errno) }
        return bytes
    }

    private func failure(_ number: Int32) -> Failure { .system(path: path, number: number) }
}
