internal import Glibc
internal import TransitClient
internal import TransitControl
internal import TransitModel

/// A `[[feed]]` table that is built from the user's answers.
struct FeedDraft: Equatable {
    var id: String
    var provider: String
    /// The keys and values in the order in which they are written.
    var settings: [ConfigurationSetting] = []

    /// The request that adds the table to the configuration.
    var addition: ConfigProposeParameters {
        ConfigProposeParameters(
            action: .add, feed: FeedID(id), settings: [ConfigurationSetting("provider", provider)] + settings)
    }

    /// Returns a valid feed identifier of letters, digits and `-`, without accents, or an empty string if the text has no
    /// usable characters.
    static func identifier(from text: String) -> String {
        var name = ""
        for scalar in SearchText.fold(text).unicodeScalars.prefix(64) {
            let isUsual = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            if isUsual { name.unicodeScalars.append(scalar) } else if !name.isEmpty, name.last != "-" { name += "-" }
        }
        while name.hasSuffix("-") { name.removeLast() }
        return name
    }
}

extension ConfigurationSetting {
    init(_ key: String, _ value: String) { self.init(key: key, values: [value]) }
}

/// Recognizes a file path in an answer that may also be a URL.
enum SourceAnswer {
    /// Returns the path, or `nil` if the text must be a URL.
    static func file(_ text: String) -> String? {
        if text.lowercased().hasPrefix("file:") {
            let path = text.dropFirst("file:".count)
            return String(path.hasPrefix("//") ? path.dropFirst(2) : path)
        }
        let isRelative = !text.contains(":") && !text.contains("/")
        return ["/", "~/", "./", "../"].contains { text.hasPrefix($0) } || isRelative ? text : nil
    }

    /// Returns a sentence that explains why this process cannot use a file, or `nil` if it can. The daemon may run as
    /// another user.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - dataset: The dataset for which the file is the source.
    ///   - home: The replacement for `~`.
    static func problem(
        with path: String, dataset: DatasetName, home: String? = Environment.variable("HOME")
    ) -> String? {
        guard path.hasPrefix("/") || path.hasPrefix("~/") else {
            return "Enter a URL that begins with https://, or an absolute path of a file."
        }
        let whole = path.hasPrefix("~/") ? (home ?? "") + path.dropFirst(1) : path
        let file = open(whole, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return "Cannot read \(whole): \(String(cString: strerror(errno)))." }
        defer { close(file) }
        var start = [UInt8](repeating: 0, count: 4)
        let count = read(file, &start, start.count)
        guard count >= 0 else { return "Cannot read \(whole): \(String(cString: strerror(errno)))." }
        guard dataset == .static, Array(start.prefix(count)) != [0x50, 0x4B, 3, 4] else { return nil }
        return "\(whole) is not a zip archive."
    }
}
