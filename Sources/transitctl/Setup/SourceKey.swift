internal import TransitControl

/// The key of a feed whose provider is a URL that the user gave, and how it is sent.
struct SourceKey: Equatable {
    var key: String
    var place: KeyPlace
    /// The hosts that receive the key. No other host does.
    var hosts: [String]

    /// The keys of `[[feed]]` that describe how the key is sent. The key itself is not among them.
    var settings: [ConfigurationSetting] {
        [ConfigurationSetting(place.setting, place.name), ConfigurationSetting(key: "key_hosts", values: hosts)]
    }
}

/// The part of a request that contains a key.
enum KeyPlace: Equatable {
    /// `key_header` of transitd.toml(5): a name such as `X-API-KEY`, or `Authorization: Bearer`.
    case header(String)
    /// `key_parameter` of transitd.toml(5).
    case parameter(String)

    /// The places that are common, in the order in which they are offered.
    static let common: [KeyPlace] = [
        .header("x-api-key"), .header("Authorization"), .header("Authorization: Bearer"),
        .header("Ocp-Apim-Subscription-Key"), .parameter("api_key"), .parameter("apikey"), .parameter("key"),
        .parameter("token"), .parameter("access_token"), .parameter("subscription-key"),
    ]

    var name: String {
        switch self {
        case .header(let name), .parameter(let name): name
        }
    }

    /// The key of the configuration.
    var setting: String {
        switch self {
        case .header: "key_header"
        case .parameter: "key_parameter"
        }
    }

    /// The place in a list of choices, such as "header x-api-key".
    var words: String {
        switch self {
        case .header("Authorization"): "header Authorization (the key alone)"
        case .header(let name): "header \(name)"
        case .parameter(let name): "parameter \(name) of the URL"
        }
    }
}

/// A URL that the user gave: the host, and a key that its query contains.
struct SourceURL: Equatable {
    /// The URL without the key.
    var url: String
    /// The host in lowercase, without a port and without the brackets of an IPv6 address; empty for a text that is not a URL.
    var host: String
    /// The parameter whose value is a key, and the key; `nil` if the query contains none.
    var key: (parameter: String, value: String)?
    /// The names of further parameters that seem to contain keys. They are part of ``url``.
    var otherKeys: [String] = []

    /// The names of parameters that contain keys, in lowercase and without `-` and `_`.
    private static let names: Set<String> = [
        "apikey", "key", "token", "accesstoken", "authtoken", "usertoken", "apptoken", "subscriptionkey", "appkey",
        "authkey", "clientkey", "userkey",
    ]

    init(_ text: String) {
        url = text
        let rest = text.components(after: "://")
        let authority = rest.prefix { !"/?#".contains($0) }
        // User information ends with "@"; an IPv6 address is in brackets (RFC 3986, section 3.2).
        let address = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        let name = address.hasPrefix("[") ? address.dropFirst().prefix { $0 != "]" } : address.prefix { $0 != ":" }
        host = name.lowercased()
        let end = text.firstIndex(of: "#") ?? text.endIndex
        guard let mark = text[..<end].firstIndex(of: "?") else { return }
        var parts = text[text.index(after: mark)..<end].split(separator: "&")
        let keys = parts.indices.compactMap { position in Self.key(in: parts[position]).map { (position, $0) } }
        guard let (position, found) = keys.first else { return }
        parts.remove(at: position)
        let query = parts.isEmpty ? "" : "?" + parts.joined(separator: "&")
        url = String(text[..<mark]) + query + text[end...]
        key = found
        otherKeys = keys.dropFirst().map(\.1.parameter)
    }

    /// Returns the parameter and the key if a part of a query such as `api_key=K1` contains a key.
    private static func key(in part: Substring) -> (parameter: String, value: String)? {
        let name = part.prefix { $0 != "=" }
        let value = decoded(part.dropFirst(name.count + 1))
        let plain = name.lowercased().filter { $0 != "-" && $0 != "_" }
        let isKey = !value.isEmpty && value.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return names.contains(plain) && isKey ? (String(name), value) : nil
    }

    static func == (left: SourceURL, right: SourceURL) -> Bool {
        left.url == right.url && left.host == right.host && left.key?.parameter == right.key?.parameter
            && left.key?.value == right.key?.value
    }

    /// Returns text without percent-encoding (RFC 3986, section 2.1).
    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension String {
    /// Returns the text after the first occurrence of a separator; the whole text if it does not occur.
    fileprivate func components(after separator: String) -> Substring {
        guard let range = firstRange(of: separator) else { return self[...] }
        return self[range.upperBound...]
    }
}
