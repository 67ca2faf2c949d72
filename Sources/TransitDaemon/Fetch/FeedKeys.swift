internal import Glibc
internal import TransitModel

/// Reads the feeds' keys, at each request anew, so that a key that was replaced is used at once and none is kept.
struct FeedKeys: Sendable {
    /// systemd's; `nil` when the daemon was not started with one.
    var credentialsDirectory: String?
    /// A replay asks nobody: it needs no keys, and whoever replays need not have them.
    var isReplay = false

    private static let largest = 4096

    /// - Throws: ``FetchFailure/key(_:)`` with what is wrong and what helps.
    func key(of feed: FeedID, _ credential: FeedCredential) throws(FetchFailure) -> SecretPart {
        let secret: Secret
        if let file = credential.file {
            secret = try Self.read(file, others: 0o077)
        } else if let credentialsDirectory {
            // systemd gives the service's user its right by an access control list, which shows as the group's.
            secret = try Self.read("\(credentialsDirectory)/\(feed).key", others: 0o007)
        } else {
            throw .key(
                "the feed \(feed) needs a key: give it a `key_file`, or a systemd credential \"\(feed).key\"")
        }
        return switch credential.placement {
        case .parameter(let name): .query(name: name, secret)
        case .header(let name): .header(name: name, secret)
        }
    }

    /// - Parameter others: The bits of the mode that may not be set.
    private static func read(_ path: String, others: mode_t) throws(FetchFailure) -> Secret {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw .key("the key file \(path) cannot be read: \(SystemError.text(errno))") }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .key("the key file \(path) is not a file")
        }
        guard status.st_mode & others == 0 else {
            throw .key("the key file \(path) can be read by others: run `chmod 600 \(path)`")
        }
        var bytes = [UInt8](repeating: 0, count: largest + 1)
        let count = Glibc.read(file, &bytes, bytes.count)
        guard count >= 0 else { throw .key("the key file \(path) cannot be read: \(SystemError.text(errno))") }
        return try secret(bytes.prefix(count), path)
    }

    /// One line of visible ASCII; blanks and line breaks around it do not belong to it.
    private static func secret(_ bytes: ArraySlice<UInt8>, _ path: String) throws(FetchFailure) -> Secret {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        let key = bytes.drop(while: isBlank).reversed().drop(while: isBlank).reversed()
        guard !key.isEmpty else { throw .key("the key file \(path) is empty") }
        guard key.count <= largest, key.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .key("the key file \(path) holds more than one key: write the key alone, on one line")
        }
        return Secret(String(decoding: Array(key), as: UTF8.self))
    }
}
