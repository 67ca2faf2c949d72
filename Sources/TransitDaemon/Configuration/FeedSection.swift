internal import TransitControl
internal import TransitFeeds
internal import TransitModel

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
                    "ca_file",
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
