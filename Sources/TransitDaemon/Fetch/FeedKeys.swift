internal import Glibc
internal import TransitModel

/// Reads the feeds' keys, at each request anew, so that a key that was replaced is used at once and none is kept.
struct FeedKeys: Sendable {
    /// systemd's; `nil` when the daemon was not started with one.
    var credentialsDirectory: String?
    /// What users have given over the socket.
    var store: KeyStore?
    /// A replay asks nobody: it needs no keys, and whoever replays need not have them.
    var isReplay = false

    private static let largest = 4096

    /// Where a feed's key comes from.
    enum Origin: Hashable, Sendable {
        /// The configuration's `key_file`.
        case file(path: String)
        case store(path: String)
        case credential(path: String)
    }

    /// The configuration's word comes first, then what a user set, then what systemd passed; `nil`: there is no key.
    func origin(of feed: FeedID, _ credential: FeedCredential) -> Origin? {
        if let file = credential.file { return .file(path: file) }
        if let store, store.has(feed) { return .store(path: store.path(of: feed)) }
        guard let path = credentialsDirectory.map({ "\($0)/\(feed).key" }), access(path, F_OK) == 0 else { return nil }
        return .credential(path: path)
    }

    /// - Throws: ``FetchFailure/key(_:)`` with what is wrong and what helps.
    func key(of feed: FeedID, _ credential: FeedCredential) throws(FetchFailure) -> SecretLocation {
        switch origin(of: feed, credential) {
        case .file(let path), .store(let path): credential.part(try Self.read(path, others: 0o077))
        // systemd gives the service's user its right by an access control list, which shows as the group's.
        case .credential(let path): credential.part(try Self.read(path, others: 0o007))
        case nil: throw .key("the feed \(feed) needs a key: set it with `transitctl key set \(feed)`")
        }
    }

    /// The reason why the `key_file` of a feed cannot be used, such as "is empty"; `nil` if it can.
    func unusable(_ feed: FeedID, _ credential: FeedCredential) -> String? {
        guard case .file(let path)? = origin(of: feed, credential) else { return nil }
        do throws(Unusable) { _ = try Self.secret(in: path, others: 0o077) } catch { return error.reason }
        return nil
    }

    private static func read(_ path: String, others: mode_t) throws(FetchFailure) -> Secret {
        do throws(Unusable) { return try secret(in: path, others: others) } catch {
            throw .key("the key file \(path) \(error.reason)\(error.remedy.map { ": \($0)" } ?? "")")
        }
    }

    /// The reason why a key file cannot be used.
    private struct Unusable: Error {
        var reason: String
        var remedy: String?
    }

    /// - Parameter others: mode bits that must not be set.
    private static func secret(in path: String, others: mode_t) throws(Unusable) -> Secret {
        func unreadable() -> Unusable { Unusable(reason: "cannot be read: \(ErrnoMessage.text(errno))") }
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw unreadable() }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Unusable(reason: "is not a file")
        }
        guard status.st_mode & others == 0 else {
            throw Unusable(reason: "can be read by others", remedy: "run `chmod 600 \(path)`")
        }
        var bytes = [UInt8](repeating: 0, count: largest + 1)
        let count = Glibc.read(file, &bytes, bytes.count)
        guard count >= 0 else { throw unreadable() }
        // The file must contain one line of visible ASCII. Surrounding blanks and line breaks are ignored.
        if bytes.prefix(count).allSatisfy(Self.isBlank) { throw Unusable(reason: "is empty") }
        guard let secret = secret(bytes.prefix(count)) else {
            throw Unusable(reason: "holds more than one key", remedy: "write the key alone, on one line")
        }
        return secret
    }

    /// `nil` for what cannot be a key.
    static func secret(_ bytes: ArraySlice<UInt8>) -> Secret? {
        let key = bytes.drop(while: isBlank).reversed().drop(while: isBlank).reversed()
        guard (1...largest).contains(key.count), key.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        return Secret(String(decoding: Array(key), as: UTF8.self))
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
