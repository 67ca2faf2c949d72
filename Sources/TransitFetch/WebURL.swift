internal import TransitModel

/// An `http` or `https` URL. Parsed strictly: a string that two parsers could interpret differently is rejected.
package struct WebURL: Hashable, Sendable {
    /// `http` or `https`.
    package private(set) var scheme: String
    /// In lowercase; an IPv6 address has no brackets.
    package private(set) var host: String
    /// The explicit port, or the scheme's default.
    package private(set) var port: UInt16
    /// Begins with `/`.
    package private(set) var path: String
    /// The text after `?`, split at `&`.
    package private(set) var query: [String]

    /// Returns `nil` for another scheme, a user name, or characters that RFC 3986 does not allow. Drops the fragment.
    package init?(_ text: String) {
        let isAllowed = text.unicodeScalars.allSatisfy { scalar in
            scalar.value > 0x20 && scalar.value != 0x7F && !"\"<>\\^`{|}".unicodeScalars.contains(scalar)
        }
        guard isAllowed, let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { return nil }
        let scheme = text[..<colon].lowercased()
        guard scheme == "https" || scheme == "http" else { return nil }
        let rest = text[text.index(colon, offsetBy: 3)...].prefix { $0 != "#" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard let (host, port) = Self.split(authority) else { return nil }
        self.scheme = scheme
        self.host = host
        self.port = port ?? (scheme == "https" ? 443 : 80)
        let target = rest[authority.endIndex...]
        let path = target.prefix { $0 != "?" }
        self.path = path.isEmpty ? "/" : String(path)
        query = target[path.endIndex...].dropFirst().split(separator: "&").map(String.init)
    }

    private static func split(_ authority: Substring) -> (host: String, port: UInt16?)? {
        let host: Substring
        let rest: Substring
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            host = authority[..<end].dropFirst()
            rest = authority[authority.index(after: end)...]
            guard host.allSatisfy({ $0.isASCII && ($0.isHexDigit || $0 == ":" || $0 == ".") }) else { return nil }
        } else {
            host = authority.prefix { $0 != ":" }
            rest = authority[host.endIndex...]
            guard host.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) }) else {
                return nil
            }
        }
        guard !host.isEmpty else { return nil }
        if rest.isEmpty { return (host.lowercased(), nil) }
        guard rest.hasPrefix(":"), rest.dropFirst().allSatisfy(\.isNumber), let port = UInt16(rest.dropFirst()) else {
            return nil
        }
        return (host.lowercased(), port)
    }

    /// Whether requests to the URL are allowed. They must be encrypted or go to this machine.
    package var isAllowed: Bool { scheme == "https" || Self.isLoopback(host) }

    /// Recognizes `localhost`, 127.0.0.0/8 and ::1 (RFC 6761 section 6.3, RFC 1122 section 3.2.1.3, RFC 4291 section
    /// 2.5.3).
    package static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// Compares scheme, host and port (RFC 6454 section 4).
    func hasSameOrigin(as other: WebURL) -> Bool {
        scheme == other.scheme && host == other.host && port == other.port
    }

    package var text: String {
        let name = host.contains(":") ? "[\(host)]" : host
        let isDefaultPort = port == (scheme == "https" ? 443 : 80)
        return "\(scheme)://\(name)\(isDefaultPort ? "" : ":\(port)")\(path)"
            + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    // MARK: Parameters of the query

    /// Returns the URL with a parameter appended, or unchanged if it has a parameter with that name.
    func adding(_ name: String, _ value: String) -> WebURL {
        guard !query.contains(where: { Self.name(of: $0) == name }) else { return self }
        var longer = self
        longer.query.append(PercentEncoding.of(name) + "=" + PercentEncoding.of(value))
        return longer
    }

    /// Returns the URL without the parameters that match. The predicate receives decoded names and values.
    package func removing(where shouldRemove: (_ name: String, _ value: String) -> Bool) -> WebURL {
        var shorter = self
        shorter.query.removeAll { shouldRemove(Self.name(of: $0), Self.value(of: $0)) }
        return shorter
    }

    /// Returns the URL with the values of matching parameters replaced.
    func hiding(_ placeholder: String, where shouldReplace: (_ name: String) -> Bool) -> WebURL {
        var hidden = self
        hidden.query = query.map { part in
            shouldReplace(Self.name(of: part)) ? part.prefix { $0 != "=" } + "=" + placeholder : part
        }
        return hidden
    }

    private static func name(of part: String) -> String { percentDecoded(part.prefix { $0 != "=" }) }
    private static func value(of part: String) -> String { percentDecoded(part.drop { $0 != "=" }.dropFirst()) }

    /// Keeps a `%` that is not followed by two hexadecimal digits, and decodes `+` as a space.
    private static func percentDecoded(_ text: some StringProtocol) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == 0x25, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
                rest.count >= 2
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == 0x2B ? 0x20 : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A `file` URL (RFC 8089).
package enum FileURL {
    /// The reason why a text is not the URL of a file on this machine.
    package enum Failure: Error, Hashable, Sendable {
        /// The URL has no absolute path, or names another machine.
        case path
        /// A `%` is not followed by two hexadecimal digits, or the bytes are not UTF-8.
        case encoding
    }

    /// Returns the URL of an absolute path.
    package static func text(_ path: String) -> String {
        "file://"
            + path.split(separator: "/", omittingEmptySubsequences: false)
            .map { PercentEncoding.of(String($0)) }.joined(separator: "/")
    }

    /// Returns the path of `file:/path`, `file:///path` or `file://localhost/path`.
    package static func path(_ url: String) throws(Failure) -> String {
        var rest = url.dropFirst("file:".count)
        for prefix in ["//localhost/", "///"] where rest.lowercased().hasPrefix(prefix) {
            rest = rest.dropFirst(prefix.count - 1)
        }
        guard rest.hasPrefix("/"), !rest.hasPrefix("//") else { throw .path }
        guard let path = percentDecoded(rest.utf8) else { throw .encoding }
        return path
    }

    private static func percentDecoded(_ text: Substring.UTF8View) -> String? {
        var bytes: [UInt8] = []
        var rest = text[...]
        while let byte = rest.popFirst() {
            guard byte == 0x25 else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
                value != 0
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
