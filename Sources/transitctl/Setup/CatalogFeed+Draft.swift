internal import TransitControl
internal import TransitModel

// The configuration of a feed of the catalog.
extension CatalogFeed {
    /// The words for a choice, such as "MVV, Munich, DE; realtime; requires a key".
    var choiceText: String {
        let place = [municipality, subdivision, country].compactMap(\.self).filter { !$0.isEmpty }
        var parts = [([provider] + place).joined(separator: ", ")]
        if let name, !name.isEmpty { parts[0] += " (\(name))" }
        if !realtime.isEmpty { parts.append("realtime") }
        if needsKey { parts.append("requires a key") }
        if status == .inactive || status == .deprecated { parts.append("retired") }
        return parts.joined(separator: "; ")
    }

    /// Whether text is an identifier of the catalog, such as `mdb-53`.
    static func isIdentifier(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.count == 2 && parts[0].allSatisfy { $0.isASCII && $0.isLowercase } && !parts[0].isEmpty
            && Int(parts[1]) != nil
    }

    /// Whether an identifier of the catalog is that of this feed, or of one that it replaces.
    func isNamed(_ identifier: String) -> Bool {
        let wanted = identifier.lowercased()
        return id == wanted || replaces.contains(wanted)
    }

    /// The suggested identifier of the feed: the abbreviation of the provider, such as "vta", or its first name.
    var suggestedID: String {
        if let abbreviation { return FeedDraft.identifier(from: abbreviation) }
        let first = provider.split(whereSeparator: { ",;/(".contains($0) }).first.map(String.init) ?? provider
        let id = FeedDraft.identifier(from: first)
        guard id.count > Self.maximumID else { return id }
        let start = id.prefix(Self.maximumID)
        return String(start.lastIndex(of: "-").map { start[..<$0] } ?? start)
    }

    private static let maximumID = 32

    /// A word of capital letters in parentheses, as in "Bay Area Rapid Transit (BART)".
    private var abbreviation: String? {
        guard let open = provider.lastIndex(of: "(") else { return nil }
        let word = provider[provider.index(after: open)...].prefix { $0 != ")" }
        let isAbbreviation =
            (2...10).contains(word.count)
            && word.allSatisfy { $0.isASCII && ($0.isUppercase || $0.isNumber || $0 == "-") }
        return isAbbreviation ? String(word) : nil
    }

    /// The URL of the timetable: that of the producer, or the catalog's copy if the producer's no longer works.
    var timetableURL: String? { status == .inactive ? copyUrl ?? url : url ?? copyUrl }

    /// Returns the table for the configuration.
    ///
    /// - Parameters:
    ///   - id: The identifier of the feed.
    ///   - keyName: The name of the parameter or header of the key, if the catalog does not have it.
    /// - Returns: `nil` if the catalog has no URL. `needsKeyName` says that the key has no name, and that it was not given.
    func draft(id: String, keyName: String? = nil) -> (draft: FeedDraft, needsKeyName: Bool)? {
        guard let timetableURL else { return nil }
        var settings = [ConfigurationSetting(DatasetName.static.rawValue, timetableURL)]
        var keyed: [(url: String, key: CatalogKey)] = key.map { [(timetableURL, $0)] } ?? []
        for feed in realtime {
            guard let url = feed.url else { continue }
            for dataset in feed.datasets where !settings.contains(where: { $0.key == dataset.rawValue }) {
                settings.append(ConfigurationSetting(dataset.rawValue, url))
                if let key = feed.key { keyed.append((url, key)) }
            }
        }
        guard let key = keyed.first?.key else {
            return (FeedDraft(id: id, provider: "gtfs", settings: settings), false)
        }
        guard let name = key.name ?? keyName else {
            return (FeedDraft(id: id, provider: "gtfs", settings: settings), true)
        }
        var hosts: [String] = []
        for host in keyed.map({ SourceURL($0.url).host }) where !hosts.contains(host) { hosts.append(host) }
        let place: KeyPlace = key.placement == .header ? .header(name) : .parameter(name)
        settings += SourceKey(key: "", place: place, hosts: hosts).settings
        return (FeedDraft(id: id, provider: "gtfs", settings: settings), false)
    }

    /// Whether any of the requests contains a key.
    var needsKey: Bool { key != nil || realtime.contains { $0.key != nil } }
    /// The page that describes how to get a key.
    var keyPage: String? { key?.info ?? realtime.compactMap { $0.key?.info }.first }
}
