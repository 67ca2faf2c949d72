internal import TransitModel

/// An `http` or `https` URL, taken apart strictly: what two readers could understand differently is refused.
struct WebURL: Hashable, Sendable {
    /// `http` or `https`.
    private(set) var scheme: String
    /// Lower case; an IPv6 address without its brackets.
    private(set) var host: String
    /// The one that is written, or the scheme's own.
    private(set) var port: UInt16
    /// Begins with `/`.
    private(set) var path: String
    /// What stands behind `?`, in its parts between `&`.
    private(set) var query: [String]

    /// `nil` for another scheme, a user name, and whatever RFC 3986 does not allow. A fragment is dropped.
    init?(_ text: String) {
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

    /// Whether a request may go there: protected, or to this machine.
    var isAllowed: Bool { scheme == "https" || StaticSource.isLoopback(host) }

    /// The same scheme, host and port (RFC 6454 section 4).
    func hasOrigin(of other: WebURL) -> Bool {
        scheme == other.scheme && host == other.host && port == other.port
    }

    var text: String {
        let name = host.contains(":") ? "[\(host)]" : host
        let isOwnPort = port == (scheme == "https" ? 443 : 80)
        return "\(scheme)://\(name)\(isOwnPort ? "" : ":\(port)")\(path)"
            + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    // MARK: Parameters of the query

    /// With the parameter at its end, unless one of that name is there.
    func adding(_ name: String, _ value: String) -> WebURL {
        guard !query.contains(where: { Self.name(of: $0) == name }) else { return self }
        var longer = self
        longer.query.append(PercentEncoding.of(name) + "=" + PercentEncoding.of(value))
        return longer
    }

    /// Without the parameters of which this is true; names and values are decoded.
    func removing(where isUnwanted: (_ name: String, _ value: String) -> Bool) -> WebURL {
        var shorter = self
        shorter.query.removeAll { isUnwanted(Self.name(of: $0), Self.value(of: $0)) }
        return shorter
    }

    /// With other values in the place of those of which this is true.
    func hiding(_ placeholder: String, where isHidden: (_ name: String) -> Bool) -> WebURL {
        var hidden = self
        hidden.query = query.map { part in
            isHidden(Self.name(of: part)) ? part.prefix { $0 != "=" } + "=" + placeholder : part
        }
        return hidden
    }

    private static func name(of part: String) -> String { percentDecoded(part.prefix { $0 != "=" }) }
    private static func value(of part: String) -> String { percentDecoded(part.drop { $0 != "=" }.dropFirst()) }

    /// What is not a `%` with two digits stays as it is; `+` is a blank.
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
