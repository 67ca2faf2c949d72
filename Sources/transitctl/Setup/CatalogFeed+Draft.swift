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

    /// Whether an identifier of the catalog is that of this feed, or of one that it replaces.
    func isNamed(_ identifier: String) -> Bool {
        let wanted = identifier.lowercased()
        return id == wanted || replaces.contains(wanted)
    }

    /// The suggested identifier of the feed: the first name of the provider.
    var suggestedID: String {
        let first = provider.split(whereSeparator: { ",;/(".contains($0) }).first.map(String.init) ?? provider
        let id = FeedDraft.identifier(from: first)
        return id.isEmpty ? id : String(id.prefix(32))
    }

    /// The URL of the timetable: that of the producer, or the catalog's copy if the producer's no longer works.
    private var timetableURL: String? { status == .inactive ? copyUrl ?? url : url ?? copyUrl }

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
