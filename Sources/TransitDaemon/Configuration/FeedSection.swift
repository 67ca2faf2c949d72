internal import TransitControl
internal import TransitFeeds
internal import TransitFetch
internal import TransitModel
internal import TransitWire

/// Reads the `[[feed]]` tables.
struct FeedSection {
    /// The folder against which relative paths are resolved.
    var folder: String
    var home: String?
    /// Used to check files and keys; `nil` skips these checks.
    var keys: FeedKeys?
    /// The certificate file of feeds without a `ca_file` of their own.
    var daemonCAFile: String?

    func read(_ root: ConfigurationTable) -> [FeedConfiguration] {
        var feeds: [FeedConfiguration] = []
        let tables = root.tables("feed")
        for table in tables {
            guard let feed = readFeed(table) else { continue }
            if feeds.contains(where: { $0.id == feed.id }) {
                table.report("id", "there are two feeds \"\(feed.id)\"", remedy: "give each feed a different id")
            } else {
                feeds.append(feed)
            }
        }
        checkSupplements(tables)
        return feeds
    }

    private func readFeed(_ table: ConfigurationTable) -> FeedConfiguration? {
        table.rejectUnknownKeys(
            besides: ["id", "provider", "agency", "base_url", "supplements", "static"] + Self.realtimeKeys
                + [
                    "refresh_hours", "refresh", "limits", "budget", "key_file", "key_parameter", "key_header",
                    "key_hosts",
                    "ca_file", "keep",
                ],
            instead: Self.instead, in: "[[feed]]")
        let id = readID(table)
        let provider = readProvider(table)
        let settings = provider?.settings ?? ProviderSettings()
        if let provider { rejectUnusedSources(provider, table) }
        let source = provider.flatMap { readSource($0, table) }
        let hours = table.integer("refresh_hours", in: 1...168, unit: "hours", example: 24)
        let limits = readLimits(table)
        let refresh = readRefresh(table)
        let realtime = readRealtime(settings, table)
        let (credential, budget, caFile) = (readCredential(provider, table), readBudget(table), readCAFile(table))
        guard let id, let provider, let source else { return nil }
        var feed = FeedConfiguration(
            id: id, source: source,
            refreshInterval: hours.map { $0 * 3600 } ?? refresh.intervals[.static]
                ?? provider.intervals[.static] ?? DaemonOptions.defaultRefreshInterval,
            limits: limits)
        (feed.provider, feed.agency, feed.base) = (
            provider.name, readAgency(provider, table), readBase(provider, table)
        )
        feed.supplements = readSupplements(table)
        (feed.realtime, feed.refresh, feed.budget) = (realtime, refresh, budget)
        (feed.credential, feed.caFile) = (credential, caFile ?? daemonCAFile)
        warnAboutKey(feed, provider, table)
        return feed
    }

    /// Remedies for common wrong keys.
    private static let instead: [String: String] = {
        let key =
            "write the key to a file and set `key_file = \"my.key\"`, or use `transitctl key set`"
        var instead = [
            "url": "did you mean `static`?", "name": "did you mean `id`?", "type": "did you mean `provider`?",
            "beside": "`beside` is now `supplements`",
        ]
        for name in ["key", "api_key", "apikey", "token", "password"] { instead[name] = key }
        return instead
    }()

    private func readID(_ table: ConfigurationTable) -> FeedID? {
        guard let text = table.requiredText("id", example: "my-city", of: "this [[feed]]") else { return nil }
        guard let id = FeedID(validating: text) else {
            table.report(
                "id", "\"\(text)\" is not a valid feed id",
                remedy: "use 1 to 64 lowercase letters, digits, `-` and `_`")
            return nil
        }
        guard !DatasetID.externalData.contains(where: { $0.feed == id }) else {
            table.report("id", "the feed id \"\(id)\" is reserved", remedy: "use another id")
            return nil
        }
        return id
    }

    private func readLimits(_ feed: ConfigurationTable) -> FeedLimits {
        var limits = FeedLimits()
        guard let table = feed.table("limits") else { return limits }
        table.rejectUnknownKeys(
            besides: ["download_mib", "total_mib", "member_mib", "ratio", "members"], in: "[feed.limits]")
        func bytes(_ key: String) -> UInt64? {
            table.integer(key, in: 1...1_048_576, unit: "MiB", example: 1024).map { UInt64($0) << 20 }
        }
        limits.download = bytes("download_mib") ?? limits.download
        limits.total = bytes("total_mib")
        limits.member = bytes("member_mib")
        limits.ratio = table.integer("ratio", in: 2...100_000, unit: "", example: 200)
        limits.members = table.integer("members", in: 1...1_000_000, unit: "files", example: 10_000)
        return limits
    }
}

// The keys of a `[[feed]]` that the provider's settings allow or require.
extension FeedSection {
    private func readProvider(_ table: ConfigurationTable) -> ProviderTraits? {
        guard let name = table.requiredText("provider", example: "gtfs", of: "this [[feed]]") else { return nil }
        if let provider = ProviderCatalog.provider(name) { return provider.traits }
        reject(provider: name, table)
        return nil
    }

    private func reject(provider name: String, _ table: ConfigurationTable) {
        let names = ProviderCatalog.names
        let near = Spelling.closest(to: name, among: names)
        let all = names.dropLast().map { "\"\($0)\"" }.joined(separator: ", ") + " or \"\(names.last ?? "")\""
        table.report(
            "provider", "there is no provider \"\(name)\"",
            remedy: near.map { "did you mean \"\($0)\"?" } ?? "use \(all)")
    }

    // MARK: Source

    /// Reports URLs that the provider does not use.
    private func rejectUnusedSources(_ provider: ProviderTraits, _ table: ConfigurationTable) {
        for kind in DatasetKind.refreshed where provider.settings.requirement(of: kind) == .refused {
            reject(kind.rawValue, provider, table)
        }
    }

    private func reject(_ key: String, _ provider: ProviderTraits, _ table: ConfigurationTable) {
        guard table.has(key) else { return }
        table.report(key, "the provider \"\(provider.name)\" has no `\(key)`", remedy: "remove the line")
    }

    private func readSource(_ provider: ProviderTraits, _ table: ConfigurationTable) -> StaticSource? {
        let key = DatasetKind.static.rawValue
        let text: String?
        switch provider.settings.requirement(of: .static) {
        case .required(let example):
            guard let given = table.requiredText(key, example: example, of: "this [[feed]]") else { return nil }
            text = given
        case .optional(let example): text = table.text(key, example: example)
        case .refused: text = nil
        }
        guard let text else { return providerSource(provider, table) }
        switch StaticSource.parse(text, key: key, folder: folder, home: home) {
        case .success(let source):
            if case .file(let path) = source { warnAboutFile(path, key, table) }
            return source
        case .failure(let invalidSource):
            table.report(key, invalidSource.message, remedy: invalidSource.remedy)
            return nil
        }
    }

    /// Returns the provider's own source. Its name differs between agencies and base URLs.
    private func providerSource(_ provider: ProviderTraits, _ table: ConfigurationTable) -> StaticSource {
        if provider.isComputed { return .demo }
        let agency = readAgency(provider, table).map { ":\($0)" } ?? ""
        let base = readBase(provider, table).map { " at \($0)" } ?? ""
        return .provider(provider.name + agency + base)
    }

    // MARK: Agency and base URL

    private func readAgency(_ provider: ProviderTraits, _ table: ConfigurationTable) -> String? {
        guard let agency = read("agency", provider.settings.agency, provider, table) else { return nil }
        guard provider.settings.isAgency(agency) else {
            table.report(
                "agency", "\"\(agency)\" is not a valid agency of \(provider.title)",
                remedy: provider.settings.hasNumericAgencies
                    ? "use the agency's number, such as \"2\""
                    : "use letters, digits, `-`, `_` and `.`, as the provider writes it")
            return nil
        }
        return agency
    }

    private func readBase(_ provider: ProviderTraits, _ table: ConfigurationTable) -> String? {
        guard let text = read("base_url", provider.settings.base, provider, table) else { return nil }
        return table.base(text, key: "base_url", example: "https://mirror.example.org")
    }

    private func read(
        _ key: String, _ requirement: ProviderSettings.Requirement, _ provider: ProviderTraits,
        _ table: ConfigurationTable
    ) -> String? {
        switch requirement {
        case .required(let example):
            return table.requiredText(key, example: example, of: "this [[feed]] of \"\(provider.name)\"")
        case .optional(let example): return table.text(key, example: example)
        case .refused:
            reject(key, provider, table)
            return nil
        }
    }
}

extension ProviderSettings {
    func requirement(of kind: DatasetKind) -> Requirement { urls[kind] ?? .refused }
}

// Reads and checks `supplements`, which pairs two feeds of one agency.
extension FeedSection {
    private func readSupplements(_ table: ConfigurationTable) -> FeedID? {
        table.text("supplements", example: "town-gtfs").flatMap { FeedID(validating: $0) }
    }

    /// Reports invalid values of `supplements`. Call this after all tables have been read, because it looks up feeds
    /// by id.
    private func checkSupplements(_ tables: [ConfigurationTable]) {
        let feeds = tables.compactMap { table in
            table.text("id", example: "my-city").map {
                (id: $0, supplements: table.text("supplements", example: "town-gtfs"), table)
            }
        }
        var taken: [String: String] = [:]
        for (id, supplements, table) in feeds {
            guard let supplements else { continue }
            if let problem = problem(supplements, of: id, among: feeds.map { ($0.id, $0.supplements) }) {
                table.report("supplements", problem.message, remedy: problem.remedy)
            } else if let other = taken.updateValue(id, forKey: supplements) {
                table.report(
                    "supplements", "the feeds \"\(other)\" and \"\(id)\" both supplement \"\(supplements)\"",
                    remedy: "remove `supplements` from one of them")
            }
        }
    }

    private func problem(
        _ supplements: String, of id: String, among feeds: [(id: String, supplements: String?)]
    ) -> (message: String, remedy: String)? {
        if supplements == id { return ("the feed \"\(id)\" supplements itself", "name the agency's other feed") }
        guard let other = feeds.first(where: { $0.id == supplements }) else {
            let near = Spelling.closest(to: supplements, among: feeds.map(\.id).filter { $0 != id })
            return (
                "there is no feed \"\(supplements)\"",
                near.map { "did you mean \"\($0)\"?" } ?? "name another [[feed]] by its id"
            )
        }
        // Stops and departures take their names from the supplemented feed, so chains and cycles are not allowed.
        guard let third = other.supplements else { return nil }
        return (
            "the feed \"\(supplements)\" itself supplements \"\(third)\"",
            third == id ? "remove `supplements` from one of them" : "name a feed that has no `supplements`"
        )
    }
}

extension Configuration {
    /// Returns the other feeds of the same agency: the one that the feed supplements, or the one that supplements it.
    func supplementedFeeds(of feed: FeedID) -> [FeedID] {
        feeds.compactMap { $0.id == feed ? $0.supplements : $0.supplements == feed ? $0.id : nil }
    }
}
