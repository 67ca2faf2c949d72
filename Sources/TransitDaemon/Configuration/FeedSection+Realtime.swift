internal import TransitFeeds
internal import TransitFetch
internal import TransitModel
internal import TransitSystem

// The keys of a `[[feed]]` for realtime datasets, refresh intervals, budgets and the API key.
extension FeedSection {
    static let realtimeKeys = DatasetKind.realtime.map(\.rawValue)

    func readRealtime(
        _ settings: ProviderSettings, _ table: ConfigurationTable
    ) -> [DatasetKind: RealtimeSource] {
        var sources: [DatasetKind: RealtimeSource] = [:]
        for kind in DatasetKind.realtime where settings.requirement(of: kind) != .refused {
            let key = kind.rawValue
            guard let text = table.text(key, example: "https://example.org/\(key).pb") else { continue }
            switch StaticSource.parse(text, key: key, folder: folder, home: home) {
            case .success(.remote(let url)): sources[kind] = .remote(url: url)
            case .success(.file(let path)):
                sources[kind] = .file(path: path)
                warnAboutFile(path, key, table)
            case .success(.demo), .success(.provider): break
            case .failure(let invalidSource): table.report(key, invalidSource.message, remedy: invalidSource.remedy)
            }
        }
        return sources
    }

    // MARK: Refresh intervals

    func readRefresh(_ feed: ConfigurationTable) -> RefreshOptions {
        var options = RefreshOptions()
        guard let table = feed.table("refresh") else { return options }
        table.rejectUnknownKeys(
            besides: DatasetKind.refreshed.map(\.rawValue) + ["idle", "download_hour"],
            instead: ["quiet_hour": "`quiet_hour` is now `download_hour`"], in: "[feed.refresh]")
        let longest = RefreshPolicy.maximumInterval
        for kind in DatasetKind.refreshed {
            let shortest = kind == .static ? 3600 : RefreshPolicy.minimumInterval
            let example = kind == .static ? "24h" : "60s"
            options.intervals[kind] = table.duration(kind.rawValue, in: shortest...longest, example: example)
        }
        options.idle = table.duration("idle", in: RefreshPolicy.minimumInterval...longest, example: "5m")
        options.downloadHour = table.integer("download_hour", in: 0...23, unit: "(the hour of the day)", example: 3)
        if feed.has("refresh_hours"), table.has("static") {
            table.report(
                "static", "`refresh_hours` already sets how often the archive is checked",
                remedy: "remove one of the two")
        }
        return options
    }

    func readBudget(_ feed: ConfigurationTable) -> [BudgetLimit] {
        feed.tables("budget").compactMap { table in
            table.rejectUnknownKeys(besides: ["requests", "seconds"], in: "a window of `budget`")
            for key in ["requests", "seconds"] where !table.has(key) {
                table.report(
                    key, "a window of `budget` has no `\(key)`", remedy: "write `{ requests = 60, seconds = 3600 }`")
            }
            let requests = table.integer("requests", in: 1...1_000_000, unit: "requests", example: 60)
            let seconds = table.integer("seconds", in: 1...2_678_400, unit: "seconds", example: 3600)
            guard let requests, let seconds else { return nil }
            return BudgetLimit(requests, per: .rolling(seconds: seconds))
        }
    }

    // MARK: API key

    /// - Parameter provider: Determines how the key is sent if the configuration does not.
    func readCredential(_ provider: ProviderTraits?, _ table: ConfigurationTable) -> FeedCredential? {
        let file = table.text("key_file", example: "~/.config/transitd/511.key").map {
            StaticSource.absolute($0, folder: folder, home: home)
        }
        let parameter = table.text("key_parameter", example: "api_key")
        let header = table.text("key_header", example: "X-API-KEY")
        if parameter != nil && header != nil {
            table.report(
                "key_header", "`key_parameter` already sets how the key is sent", remedy: "remove one of the two")
        }
        let hosts = readHosts(table)
        if let parameter { return readParameter(parameter, file, hosts, table) }
        if let header { return readHeader(header, file, hosts, table) }
        if let placement = provider?.key { return FeedCredential(placement: placement, file: file, hosts: hosts) }
        if table.has("key_hosts") {
            table.report(
                "key_hosts", "`key_hosts` is set, but the feed has no key",
                remedy: "add `key_parameter` or `key_header`, or remove the line")
        }
        if table.has("key_file"), !table.has("key_parameter"), !table.has("key_header") {
            table.report(
                "key_file", "`key_file` is set, but `key_parameter` and `key_header` are missing",
                remedy: "add `key_parameter = \"api_key\"` or `key_header = \"X-API-KEY\"`")
        }
        return nil
    }

    /// Reads the hosts that may receive the key.
    private func readHosts(_ table: ConfigurationTable) -> [String] {
        let hosts = table.texts("key_hosts", example: "api.example.org").map { $0.lowercased() }
        // An IPv6 address is in brackets in a URL (RFC 3986, section 3.2.2).
        for host in hosts where WebURL("https://\(host.contains(":") ? "[\(host)]" : host)/")?.host != host {
            table.report(
                "key_hosts", "\"\(host)\" is not the name of a host", remedy: "write it as `api.example.org`")
        }
        return hosts
    }

    private func readParameter(
        _ name: String, _ file: String?, _ hosts: [String], _ table: ConfigurationTable
    ) -> FeedCredential? {
        guard Self.isToken(name) else { return reject("key_parameter", name, table) }
        for key in ["static"] + Self.realtimeKeys {
            guard let address = table.text(key, example: "").flatMap(WebURL.init) else { continue }
            if address != address.removing(where: { other, _ in other == name }) {
                table.report(
                    key, "the URL already contains `\(name)`",
                    remedy: "remove it from the URL; the key comes from the key file")
            }
        }
        return FeedCredential(placement: .parameter(name), file: file, hosts: hosts)
    }

    private func readHeader(
        _ name: String, _ file: String?, _ hosts: [String], _ table: ConfigurationTable
    ) -> FeedCredential? {
        guard let placement = Self.header(name) else { return reject("key_header", name, table) }
        return FeedCredential(placement: placement, file: file, hosts: hosts)
    }

    /// Returns how a key is sent in a header: `X-API-KEY`, or `Authorization: Bearer` with the name of a scheme. `nil` for
    /// an invalid name.
    static func header(_ text: String) -> ProviderTraits.KeyPlacement? {
        if isToken(text) { return .header(text) }
        let parts = text.split(separator: ":", maxSplits: 1).map { $0.drop { $0 == " " } }
        guard parts.count == 2, parts[0].lowercased() == "authorization", isToken(String(parts[1])) else { return nil }
        return .authorization(scheme: String(parts[1]))
    }

    /// Returns how a key is sent in a parameter of the URL; `nil` for an invalid name.
    static func parameter(_ text: String) -> ProviderTraits.KeyPlacement? { isToken(text) ? .parameter(text) : nil }

    private func reject(_ key: String, _ name: String, _ table: ConfigurationTable) -> FeedCredential? {
        table.report(
            key, "\"\(name)\" is not a valid parameter or header name",
            remedy: "use letters, digits, `-`, `_` and `.`"
                + (key == "key_header" ? ", or write `Authorization: Bearer`" : ""))
        return nil
    }

    private static func isToken(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 64
            && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
    }

    func readCAFile(_ table: ConfigurationTable) -> String? {
        guard let text = table.text("ca_file", example: "/etc/ssl/private-ca.pem") else { return nil }
        let path = StaticSource.absolute(text, folder: folder, home: home)
        warnAboutFile(path, "ca_file", table)
        return path
    }

    // MARK: Missing files and keys

    /// Warns of an unreadable file. This is not an error, because the file can be added later, and data that was read
    /// earlier is still available.
    func warnAboutFile(_ path: String, _ key: String, _ table: ConfigurationTable) {
        guard keys != nil, let reason = FileContents.unreadable(path) else { return }
        table.warn(
            key, "`\(key)` names \(path), which cannot be read: \(reason)",
            remedy: "check the path and its permissions; a URL begins with `https://`")
    }

    /// Warns if the key that the feed's source requires is missing or unusable.
    func warnAboutKey(_ feed: FeedConfiguration, _ provider: ProviderTraits, _ table: ConfigurationTable) {
        guard let keys, let credential = feed.credential else { return }
        if keys.origin(of: feed.id, file: credential.file) == nil {
            let needed = provider.key == nil ? "its requests need one" : "\(provider.title) requires one"
            return table.warn(
                "provider", "the feed \"\(feed.id)\" has no key, and \(needed)",
                remedy: "run `transitctl key set \(feed.id)`, or set `key_file = \"\(feed.id).key\"`")
        }
        // The warning omits the path, because users sometimes write the key itself there.
        guard let file = credential.file, let reason = FeedKeys.unusable(file) else { return }
        table.warn(
            "key_file", "the file that `key_file` names \(reason)",
            remedy: "write only the key to it, and let only the daemon's user read it (chmod 600)")
    }
}
