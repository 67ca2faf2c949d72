internal import TransitControl
internal import TransitModel

/// The sources of a feed of the catalog, after each of them was requested once. Some URLs of the catalog no longer work.
struct CatalogSources {
    /// The reason why the timetable cannot be used.
    enum Problem: Equatable {
        case refused(String)
        /// The server cannot be reached now.
        case unreachable(String)
    }

    /// The URLs by the keys of the configuration.
    var urls: [String: String] = [:]
    /// Sentences about the sources that differ from those of the catalog.
    var notices: [String] = []
    /// `nil` if the timetable can be used.
    var problem: Problem?
}

extension CatalogFeed {
    /// Requests each source of a table that needs no key once. A timetable that fails comes from the catalog's copy
    /// instead, and a realtime source that fails is left out.
    ///
    /// - Parameter check: Requests a source.
    func sources<Failure: Error>(
        of draft: FeedDraft, check: (ProviderCheckParameters) throws(Failure) -> ProviderCheckResult
    ) throws(Failure) -> CatalogSources {
        var sources = CatalogSources()
        for setting in draft.settings {
            guard let dataset = DatasetName(rawValue: setting.key), let url = setting.values.first else { continue }
            sources.urls[setting.key] = url
            // A key is set after the table was written.
            if draft.keyHosts.contains(SourceURL(url).host) { continue }
            let call = ProviderCheckParameters(provider: draft.provider, url: url, dataset: dataset)
            let result = try check(call)
            if result.state == .accepted { continue }
            if dataset == .static {
                try replaceTimetable(result, call, &sources, check)
            } else if result.state == .rejected, !result.needsKey {
                sources.urls[setting.key] = nil
                sources.notices.append("\(setting.key): \(result.message) This source is left out.")
            }
        }
        return sources
    }

    /// Uses the catalog's copy instead of a timetable whose check failed.
    private func replaceTimetable<Failure: Error>(
        _ result: ProviderCheckResult, _ call: ProviderCheckParameters, _ sources: inout CatalogSources,
        _ check: (ProviderCheckParameters) throws(Failure) -> ProviderCheckResult
    ) throws(Failure) {
        let message = "static: \(result.message)"
        if let copyUrl, copyUrl != call.url {
            var other = call
            other.url = copyUrl
            if try check(other).state == .accepted {
                sources.urls[DatasetName.static.rawValue] = copyUrl
                sources.notices.append("\(message) The catalog's copy is used instead, which may be older.")
                return
            }
        }
        sources.problem = result.state == .unverified ? .unreachable(message) : .refused(message)
    }
}

extension FeedDraft {
    /// The hosts that receive the key.
    var keyHosts: [String] { settings.first { $0.key == "key_hosts" }?.values ?? [] }

    /// Returns the table with checked sources.
    func with(_ sources: CatalogSources) -> FeedDraft {
        var draft = self
        draft.settings = settings.compactMap { setting in
            guard DatasetName(rawValue: setting.key) != nil else { return setting }
            return sources.urls[setting.key].map { ConfigurationSetting(setting.key, $0) }
        }
        return draft
    }
}

extension FeedDraft {
    /// Whether the request for the timetable contains a key.
    var hasKeyedTimetable: Bool {
        guard settings.contains(where: { ["key_header", "key_parameter"].contains($0.key) }) else { return false }
        guard let url = settings.first(where: { $0.key == "static" })?.values.first else { return false }
        return keyHosts.isEmpty || keyHosts.contains(SourceURL(url).host)
    }
}
