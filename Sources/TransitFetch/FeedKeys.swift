internal import Glibc
package import TransitModel
internal import TransitSystem

/// Reads the keys of feeds. Reads them again for each request, so that a replaced key takes effect at once and no key
/// stays in memory.
package struct FeedKeys: Sendable {
    /// systemd's credential directory; `nil` if the daemon was started without one.
    package var credentialsDirectory: String?
    /// The keys that users have set over the control socket.
    package var store: KeyStore?
    /// Whether requests are answered from a recording. A replay needs no keys.
    package var isReplay = false

    private static let maximumLength = 4096

    package init(credentialsDirectory: String? = nil, store: KeyStore? = nil, isReplay: Bool = false) {
        self.credentialsDirectory = credentialsDirectory
        self.store = store
        self.isReplay = isReplay
    }

    /// The origin of a feed's key.
    package enum Origin: Hashable, Sendable {
        /// The configuration's `key_file`.
        case file(path: String)
        case store(path: String)
        case credential(path: String)
    }

    /// Returns the origin of a feed's key: the configured file, otherwise the key that a user set, otherwise systemd's
    /// credential. `nil` if there is no key.
    ///
    /// - Parameter file: The absolute path of the configuration's `key_file`; `nil` if there is none.
    package func origin(of feed: FeedID, file: String?) -> Origin? {
        if let file { return .file(path: file) }
        if let store, store.has(feed) { return .store(path: store.path(of: feed)) }
        guard let path = credentialsDirectory.map({ "\($0)/\(feed).key" }), access(path, F_OK) == 0 else { return nil }
        return .credential(path: path)
    }

    /// - Throws: ``TransportFailure/key(_:)`` with the cause and the remedy.
    package func secret(of feed: FeedID, file: String?) throws(TransportFailure) -> Secret {
        switch origin(of: feed, file: file) {
        case .file(let path), .store(let path): try Self.read(path, forbiddenMode: 0o077)
        // systemd grants access to the service's user with an access control list, which shows up as group permissions.
        case .credential(let path): try Self.read(path, forbiddenMode: 0o007)
        case nil: throw .key("the feed \(feed) needs a key: set it with `transitctl key set \(feed)`")
        }
    }

    /// Why a feed has no key that can be sent.
    package enum Problem: Hashable, Sendable {
        case missing
        /// The key file cannot be used. The reason is such as "can be read by others"; the remedy is a command.
        case unusable(Origin, reason: String, remedy: String?)
    }

    /// Returns why a feed has no key that can be sent; `nil` if it has one.
    package func problem(of feed: FeedID, file: String?) -> Problem? {
        guard let origin = origin(of: feed, file: file) else { return .missing }
        let (path, mode): (String, mode_t) =
            switch origin {
            case .file(let path), .store(let path): (path, 0o077)
            case .credential(let path): (path, 0o007)
            }
        do throws(Unusable) { _ = try Self.secret(in: path, forbiddenMode: mode) } catch {
            return .unusable(origin, reason: error.reason, remedy: error.command)
        }
        return nil
    }

    /// Returns the reason why a `key_file` cannot be used, such as "is empty"; `nil` if the file can be used.
    package static func unusable(_ file: String) -> String? {
        do throws(Unusable) { _ = try secret(in: file, forbiddenMode: 0o077) } catch { return error.reason }
        return nil
    }

    private static func read(_ path: String, forbiddenMode: mode_t) throws(TransportFailure) -> Secret {
        do throws(Unusable) { return try secret(in: path, forbiddenMode: forbiddenMode) } catch {
            throw .key("the key file \(path) \(error.reason)\(error.remedy.map { ": \($0)" } ?? "")")
        }
    }

    /// The reason why a key file cannot be used.
    private struct Unusable: Error {
        var reason: String
        var remedy: String?
        /// The command that makes the file usable; `nil` if its contents have to change.
        var command: String?
    }

    /// - Parameter forbiddenMode: The mode bits that must not be set.
    private static func secret(in path: String, forbiddenMode: mode_t) throws(Unusable) -> Secret {
        func unreadable() -> Unusable { Unusable(reason: "cannot be read: \(ErrnoMessage.text(errno))") }
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw unreadable() }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Unusable(reason: "is not a file")
        }
        guard status.st_mode & forbiddenMode == 0 else {
            let command = "chmod 600 \(path)"
            throw Unusable(reason: "can be read by others", remedy: "run `\(command)`", command: command)
        }
        var bytes = [UInt8](repeating: 0, count: maximumLength + 1)
        let count = Glibc.read(file, &bytes, bytes.count)
        guard count >= 0 else { throw unreadable() }
        // The file must contain one line of visible ASCII. Surrounding whitespace is ignored.
        if bytes.prefix(count).allSatisfy(Self.isWhitespace) { throw Unusable(reason: "is empty") }
        guard let secret = secret(bytes.prefix(count)) else {
            throw Unusable(reason: "contains more than one key", remedy: "write only the key, on one line")
        }
        return secret
    }

    /// Returns `nil` if the bytes cannot be a key.
    package static func secret(_ bytes: ArraySlice<UInt8>) -> Secret? {
        let key = bytes.drop(while: isWhitespace).reversed().drop(while: isWhitespace).reversed()
        guard (1...maximumLength).contains(key.count), key.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        return Secret(String(decoding: Array(key), as: UTF8.self))
    }

    private static func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
