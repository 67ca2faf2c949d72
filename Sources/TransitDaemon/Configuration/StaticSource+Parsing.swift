internal import TransitFetch

extension StaticSource {
    /// The reason why a source cannot be used, and a remedy.
    struct InvalidSource: Error, Hashable {
        var message: String
        var remedy: String
    }

    /// Parses an `https` URL, an `http` URL with a loopback address, a `file:` URL or a path.
    ///
    /// Relative paths are resolved against `folder`, and `home` replaces `~`. Messages refer to the value as `key`.
    static func parse(_ text: String, key: String, folder: String, home: String?) -> Result<StaticSource, InvalidSource>
    {
        if text.isEmpty {
            return .failure(InvalidSource(message: "`\(key)` is empty", remedy: "set a URL or the path of a file"))
        }
        if text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
            return .failure(
                InvalidSource(message: "`\(key)` contains a control character", remedy: "remove it"))
        }
        if let host = hostWithoutScheme(text) { return .failure(withoutScheme(text, host, key: key)) }
        guard let scheme = scheme(of: text) else {
            return .success(.file(path: absolute(text, folder: folder, home: home)))
        }
        switch scheme {
        case "https": return remote(text, scheme: scheme)
        case "http": return remote(text, scheme: scheme)
        case "file": return file(text)
        default:
            return .failure(
                InvalidSource(
                    message: "`\(key)` has the scheme \"\(scheme)\"",
                    remedy: "use https or a path; http is allowed only for this machine"))
        }
    }

    /// Parses the base URL of a server and removes trailing slashes.
    ///
    /// - Parameter example: A base URL that the remedy shows.
    static func base(_ text: String, key: String, example: String) -> Result<String, InvalidSource> {
        switch parse(text, key: key, folder: "/", home: nil) {
        case .success(.remote(let url)) where !url.contains("?") && !url.contains("#") && WebURL(url) != nil:
            return .success(String(url.reversed().drop { $0 == "/" }.reversed()))
        case .success:
            return .failure(
                InvalidSource(
                    message: "`\(key)` is not a base URL",
                    remedy: "write it as `\(example)`"))
        case .failure(let invalidSource): return .failure(invalidSource)
        }
    }

    /// Returns the host of a URL without a scheme, such as `example.org/gtfs.zip` or `localhost:8080`; `nil` for any
    /// other text.
    ///
    /// A host is `localhost`, an IPv4 address, or a domain name that ends in letters. A port or a path must follow, unless
    /// the first label is `www`. A leading `./` marks a path.
    private static func hostWithoutScheme(_ text: String) -> String? {
        let host = text.prefix { $0 != "/" && $0 != ":" && $0 != "?" }
        let rest = text[host.endIndex...]
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        let isName = labels.allSatisfy { label in
            !label.isEmpty && label.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
        }
        guard isName, let last = labels.last else { return nil }
        let isPort = rest.first == ":" && rest.dropFirst().first?.isNumber == true
        let isAddress = labels.count == 4 && labels.allSatisfy { UInt8($0) != nil }
        let isDomain = labels.count > 1 && last.count > 1 && last.allSatisfy(\.isLetter)
        let isHost = isAddress || isDomain || host == "localhost"
        return isHost && (isPort || rest.first == "/" || labels[0] == "www") ? String(host) : nil
    }

    /// Omits the text after a `?`, which may contain a key.
    private static func withoutScheme(_ text: String, _ host: String, key: String) -> InvalidSource {
        let address = text.firstIndex(of: "?").map { text[..<$0] + "?…" } ?? text[...]
        let scheme = WebURL.isLoopback(host) ? "http" : "https"
        return InvalidSource(
            message: "`\(key)` is \"\(address)\", a URL without its scheme",
            remedy: "write `\(scheme)://\(address)`, or `./` before a path")
    }

    /// Returns the scheme in lowercase, or `nil` for a path.
    private static func scheme(of text: String) -> String? {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let scheme = text[..<colon]
        guard let first = scheme.first, first.isLetter, first.isASCII,
            scheme.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
        else { return nil }
        return scheme.lowercased()
    }

    private static func remote(_ text: String, scheme: String) -> Result<StaticSource, InvalidSource> {
        guard let host = host(of: text), !host.name.isEmpty else {
            return .failure(
                InvalidSource(message: "the URL has no host", remedy: "write it as `https://example.org/gtfs.zip`"))
        }
        if host.hasCredentials {
            return .failure(
                InvalidSource(
                    message: "the URL contains a user name or password", remedy: "remove everything before the `@`"))
        }
        if text.contains(" ") {
            return .failure(InvalidSource(message: "the URL contains a space", remedy: "write it as `%20`"))
        }
        if scheme == "http" && !WebURL.isLoopback(host.name) {
            return .failure(
                InvalidSource(
                    message: "`http` is not encrypted, and \(host.name) is not this machine",
                    remedy: "use `https://`"))
        }
        return .success(.remote(url: text))
    }

    private static func host(of text: String) -> (name: String, hasCredentials: Bool)? {
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { return nil }
        let rest = text[text.index(colon, offsetBy: 3)...]
        let authority = rest.prefix { !"/?#\\".contains($0) }
        let address = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        let hasCredentials = authority.contains("@")
        if address.hasPrefix("[") {
            return (String(address.dropFirst().prefix { $0 != "]" }), hasCredentials)
        }
        return (address.prefix { $0 != ":" }.lowercased(), hasCredentials)
    }

    private static func file(_ text: String) -> Result<StaticSource, InvalidSource> {
        do throws(FileURL.Failure) { return .success(.file(path: try FileURL.path(text))) } catch {
            let reason =
                switch error {
                case .path: "no absolute path on this machine"
                case .encoding: "a `%` without two hexadecimal digits after it"
                }
            return .failure(
                InvalidSource(
                    message: "the file URL has \(reason)",
                    remedy: "write it as `file:///srv/gtfs.zip`, or use the path alone"))
        }
    }

    /// Makes a path from the configuration absolute.
    static func absolute(_ path: String, folder: String, home: String?) -> String {
        if path.hasPrefix("/") { return path }
        if let home, path.hasPrefix("~/") { return home + path.dropFirst(1) }
        return folder + (folder.hasSuffix("/") ? "" : "/") + path
    }
}
