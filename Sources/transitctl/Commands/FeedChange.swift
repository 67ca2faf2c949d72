internal import Glibc
internal import TransitClient
internal import TransitControl
internal import TransitModel
internal import TransitWire

/// Adds or changes a feed whose settings were given on the command line.
struct FeedChange {
    let session: Session
    let settings: [ConfigurationSetting]
    /// Whether URLs are requested once before they are written.
    let isChecked: Bool
    /// What to do if a source cannot be reached.
    var offlineRemedy = "To add it anyway, use --unchecked."

    enum Failure: Error {
        case refused(message: String, remedy: String?)
        /// A source cannot be checked now.
        case unreachable(message: String, remedy: String)
        case client(ClientError)
        case configuration(ConfigurationChanger.Failure)
    }

    // MARK: Adding

    func add(_ source: String, id: String?) -> ExitStatus {
        reporting { () throws(Failure) in
            let providers = try request(ProviderListParameters()).providers
            let (draft, key) = try draft(source, id: id, providers)
            let file = try apply(draft.addition).file
            session.printNotice(Line("Added \(draft.id) to \(file).", .good))
            if let key { try store(key, of: draft.id) }
            let needsKey = providers.first { $0.name == draft.provider }?.needsKey == true
            if key == nil, needsKey || draft.settings.contains(where: { $0.key.hasPrefix("key_") }) {
                session.printNotice(
                    Line("The source requires a key. To set it: transitctl key set \(draft.id)", .caution))
                if needsKey || draft.hasKeyedTimetable { return .success }
            }
            return importTimetable(of: draft.id)
        }
    }

    /// Returns the table for a source, and the key that its URL contains.
    private func draft(
        _ source: String, id: String?, _ providers: [ProviderSummary]
    ) throws(Failure) -> (FeedDraft, key: SourceKey?) {
        if let offer = SetupOffer.named(source, in: SetupOffer.all(providers)), let name = id ?? offer.id {
            var given = settings
            if let agency = offer.agency { given.insert(ConfigurationSetting("agency", agency), at: 0) }
            let draft = FeedDraft(id: name, provider: offer.provider.name, settings: given)
            try check(draft)
            return (draft, nil)
        }
        if CatalogFeed.isIdentifier(source) { return (try catalogDraft(source, id: id), nil) }
        guard source.contains("://") || source.contains("/") || source.hasSuffix(".zip") else {
            let names = SetupOffer.all(providers).compactMap(\.id)
            throw .refused(
                message: "There is no source \"\(source)\".",
                remedy:
                    "Give an id that `transitctl feed find` lists, the URL or the path of a GTFS archive, or one of: "
                    + "\(names.joined(separator: ", ")).")
        }
        guard let id else {
            throw .refused(message: "The feed has no name.", remedy: "Add --id NAME, such as --id my-city.")
        }
        if let path = SourceAnswer.file(source) {
            let whole = path.hasPrefix("/") || path.hasPrefix("~/") ? path : Self.absolute(path)
            if let problem = SourceAnswer.problem(with: whole, dataset: .static) {
                throw .refused(message: problem, remedy: nil)
            }
            let draft = FeedDraft(
                id: id, provider: "gtfs", settings: [ConfigurationSetting("static", whole)] + settings)
            try check(draft)
            return (draft, nil)
        }
        let url = SourceURL(source)
        var key: SourceKey?
        if let (parameter, value) = url.key {
            key = SourceKey(key: value, place: .parameter(parameter), hosts: [url.host])
        }
        let all = [ConfigurationSetting("static", url.url)] + settings + (key?.settings ?? [])
        let draft = FeedDraft(id: id, provider: "gtfs", settings: all)
        try check(draft, key)
        return (draft, key)
    }

    /// Returns the table for a feed of the catalog, or for the feed that replaces it.
    private func catalogDraft(_ source: String, id: String?) throws(Failure) -> FeedDraft {
        let result = try request(FeedFindParameters(text: source, language: session.language))
        guard let feed = result.feeds.first(where: { $0.isNamed(source) }) else {
            throw .refused(
                message: "The catalog of public feeds has no timetable \(source).",
                remedy: "To find one, run: transitctl feed find CITY")
        }
        if feed.id != source {
            session.report(Line("The catalog replaced \(source) with \(feed.id), which is added.", .caution))
        }
        let given = settings.first { ["key_parameter", "key_header"].contains($0.key) }?.values.first
        guard let (draft, needsKeyName) = feed.draft(id: id ?? feed.suggestedID, keyName: given) else {
            throw .refused(message: "The catalog has no URL for \(source).", remedy: nil)
        }
        guard !needsKeyName else {
            throw .refused(
                message: "The source requires a key, and the catalog does not say how it is sent.",
                remedy: "Add key_parameter=NAME or key_header=NAME"
                    + (feed.keyPage.map { ", as \($0) says." } ?? ", as the source's documentation says."))
        }
        guard !draft.id.isEmpty else {
            throw .refused(message: "The feed has no name.", remedy: "Add --id NAME, such as --id my-city.")
        }
        var complete = draft
        // The user's own settings replace those of the catalog.
        complete.settings.removeAll { setting in settings.contains { $0.key == setting.key } }
        if isChecked { complete = complete.with(try usableSources(of: feed, complete)) }
        try check(FeedDraft(id: draft.id, provider: draft.provider, settings: settings))
        complete.settings += settings
        return complete
    }

    /// Requests each source of a feed of the catalog once.
    private func usableSources(of feed: CatalogFeed, _ draft: FeedDraft) throws(Failure) -> CatalogSources {
        let sources = try feed.sources(of: draft) { (call) throws(Failure) in try request(call) }
        for notice in sources.notices { session.report(Line(notice, .caution)) }
        switch sources.problem {
        case nil: return sources
        case .refused(let message): throw .refused(message: message, remedy: nil)
        case .unreachable(let message): throw .unreachable(message: message, remedy: offlineRemedy)
        }
    }

    // MARK: Changing

    func edit(_ feed: String) -> ExitStatus {
        reporting { () throws(Failure) in
            let changed = try editedSettings(of: feed)
            let isNewSource = changed.contains { $0.key == "static" }
            func sets(_ key: String) -> Bool { changed.contains { $0.key == key && !$0.values.isEmpty } }
            let changesHosts = sets("key_hosts") || isNewSource && changed.contains { $0.key == "key_hosts" }
            let changesKey = changesHosts ? try !usesSameKey(feed, changed) : false
            // The daemon does not store a key that is in a file of the user.
            let needsKey = changesKey && sets("key_hosts") && !sets("key_file")
            if changesKey {
                do throws(ClientError) { try session.removeStoredKey(of: feed) } catch { throw .client(error) }
            }
            let (file, changes) = try apply(
                ConfigProposeParameters(action: .edit, feed: FeedID(feed), settings: changed))
            session.printNotice(Line(changes.isEmpty ? "Nothing changed." : "Changed \(feed) in \(file).", .good))
            if changes.isEmpty { return .success }
            if needsKey {
                session.printNotice(
                    Line("The source requires a key. To set it: transitctl key set \(feed)", .caution))
            }
            guard isNewSource || changed.contains(where: { $0.key == "keep" || $0.key.hasPrefix("keep.") }) else {
                return .success
            }
            let status = session.update(
                FeedUpdateParameters(feed: FeedID(feed), progress: true), to: session.printNotice)
            guard status == .success, isNewSource else { return status }
            return session.reportMissing(from: FeedID(feed))
        }
    }

    /// Returns the settings to change, with a feed of the catalog and places of the user resolved.
    private func editedSettings(of feed: String) throws(Failure) -> [ConfigurationSetting] {
        guard let source = settings.first(where: { $0.key == "static" })?.values.first else {
            return try settings.map { (setting) throws(Failure) in try keepPositions(setting) }
        }
        guard CatalogFeed.isIdentifier(source) else {
            try check(FeedDraft(id: feed, provider: "gtfs", settings: settings.filter { $0.key == "static" }))
            return try settings.map { (setting) throws(Failure) in try keepPositions(setting) }
        }
        let own = settings.filter { $0.key != "static" }
        let draft = try FeedChange(session: session, settings: own, isChecked: isChecked, offlineRemedy: offlineRemedy)
            .catalogDraft(source, id: feed)
        // What belongs to the former feed does not belong to this one.
        let names: [DatasetName] = [.tripUpdates, .vehicles, .alerts]
        let former = names.map(\.rawValue) + Self.keySettings
        var removed = former.filter { key in !draft.settings.contains { $0.key == key } }
        if try hasKeyFile(feed, replacedBy: draft), try !usesSameKey(feed, draft.settings) {
            removed.append("key_file")
            session.report(
                Line(
                    "`key_file` has the key of the former source, so it is removed from the configuration; the file stays.",
                    .caution))
        }
        return draft.settings + removed.map { ConfigurationSetting(key: $0, values: []) }
    }

    /// Whether the configuration of a feed names a file with its key, and its replacement does not.
    private func hasKeyFile(_ feed: String, replacedBy draft: FeedDraft) throws(Failure) -> Bool {
        guard !draft.settings.contains(where: { $0.key == "key_file" }) else { return false }
        let change = ConfigProposeParameters(
            action: .edit, feed: FeedID(feed), settings: [ConfigurationSetting(key: "key_file", values: [])])
        let proposal = try request(change)
        return proposal.before != proposal.after
    }

    /// The keys of `[[feed]]` that say how a key is sent, and to which hosts.
    private static let keySettings = ["key_header", "key_parameter", "key_hosts"]

    /// Whether a feed already sends its key in the place and to the hosts that new settings name.
    private func usesSameKey(_ feed: String, _ settings: [ConfigurationSetting]) throws(Failure) -> Bool {
        let keys = Self.keySettings.map { key in
            settings.first { $0.key == key } ?? ConfigurationSetting(key: key, values: [])
        }
        guard keys.contains(where: { !$0.values.isEmpty }) else { return false }
        do throws(Failure) {
            let change = ConfigProposeParameters(action: .edit, feed: FeedID(feed), settings: keys)
            return try request(change).changes.isEmpty
        } catch {
            // The former source cannot be used with these settings.
            guard case .client(.refused(let refusal)) = error, refusal.kind == .configurationInvalid else {
                throw error
            }
            return false
        }
    }

    /// Replaces the names of the user's places in `keep.places`, which the configuration does not have, by positions.
    private func keepPositions(_ setting: ConfigurationSetting) throws(Failure) -> ConfigurationSetting {
        guard setting.key == "keep.places", setting.values.contains(where: { !$0.contains(",") }) else {
            return setting
        }
        let places = try request(PlaceListParameters()).places.filter { $0.origin != .configuration }
        var setting = setting
        setting.values = setting.values.map { name in
            places.first { $0.name == name }?.position.map { "\($0.lat),\($0.lon)" } ?? name
        }
        return setting
    }

    // MARK: Requests

    private func reporting(_ body: () throws(Failure) -> ExitStatus) -> ExitStatus {
        do throws(Failure) { return try body() } catch {
            switch error {
            case .refused(let message, let remedy):
                session.report(Line(message, .bad))
                if let remedy { session.report(Line(remedy)) }
                return .usage
            case .unreachable(let message, let remedy):
                session.report(Line(message, .bad))
                session.report(Line(remedy))
                return .tryAgain
            case .client(let error):
                session.report(error)
                return error.exitStatus
            case .configuration(let error): return ConfigurationChanger(session: session).report(error)
            }
        }
    }

    private func apply(
        _ change: ConfigProposeParameters
    ) throws(Failure) -> (file: String, changes: [String]) {
        do throws(ConfigurationChanger.Failure) {
            return try ConfigurationChanger(session: session).apply(change)
        } catch { throw .configuration(error) }
    }

    private static func absolute(_ path: String) -> String {
        guard let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }

    /// Requests each URL once. A URL whose server requires a key cannot be checked before the key is set.
    private func check(_ draft: FeedDraft, _ key: SourceKey? = nil) throws(Failure) {
        if !isChecked { return }
        let isKeyed = draft.settings.contains { $0.key == "key_header" || $0.key == "key_parameter" }
        for setting in draft.settings {
            guard let dataset = DatasetName(rawValue: setting.key), let url = setting.values.first, url.contains("://"),
                SourceAnswer.file(url) == nil
            else { continue }
            var call = ProviderCheckParameters(provider: draft.provider, url: url, dataset: dataset)
            if let key, key.hosts.contains(SourceURL(url).host) {
                call.key = key.key
                call.keyParameter = key.place.name
            }
            let subject = name(of: setting)
            let check: ProviderCheckResult
            do throws(Failure) { check = try request(call) } catch {
                guard case .client(.refused(let refusal)) = error else { throw error }
                throw .client(.refused(refusal.naming { $0 == "url" ? subject : nil }))
            }
            if check.needsKey, isKeyed { continue }
            guard check.state != .accepted else { continue }
            let message = "\(subject): \(check.message)"
            if !check.needsKey, check.state == .unverified {
                throw .unreachable(message: message, remedy: offlineRemedy)
            }
            throw .refused(
                message: message,
                remedy: check.needsKey
                    ? "Add key_header=NAME or key_parameter=NAME, as the source's documentation says." : nil)
        }
    }

    /// Returns what a person typed for a setting: its key or, for the source that `feed add` takes alone, the URL.
    private func name(of setting: ConfigurationSetting) -> String {
        settings.contains { $0.key == setting.key } ? setting.key : setting.values.first ?? setting.key
    }

    private func store(_ key: SourceKey, of feed: String) throws(Failure) {
        let result = try request(KeySetParameters(feed: FeedID(feed), key: key.key, unverified: true))
        session.printNotice(Line("\(feed): \(result.message)", result.state == .accepted ? .good : .caution))
    }

    private func importTimetable(of feed: String) -> ExitStatus {
        let status = session.update(FeedUpdateParameters(feed: FeedID(feed), progress: true), to: session.printNotice)
        guard status == .success else {
            session.report(Line("To remove the feed again: transitctl feed remove \(feed)", .caution))
            return status
        }
        do throws(Failure) {
            if let feed = try request(FeedListParameters()).feeds.first(where: { $0.id == FeedID(feed) }) {
                for line in FeedSummary(feed).lines { session.printNotice(line) }
            }
            return .success
        } catch {
            guard case .client(let error) = error else { return .failure }
            session.report(error)
            return error.exitStatus
        }
    }

    private func request<Call: ControlParameters>(_ call: Call) throws(Failure) -> Call.Reply {
        do throws(ClientError) { return try session.request(call) } catch { throw .client(error) }
    }
}

extension Session {
    /// Removes the stored key of a feed, if there is one. It belongs to the hosts of the former source.
    func removeStoredKey(of feed: String) throws(ClientError) {
        do throws(ClientError) { _ = try request(KeyRemoveParameters(feed: FeedID(feed))) } catch {
            let unstored: Set<ErrorKind> = [.keyNotFound, .feedNotFound, .keyNotNeeded, .keyReadOnly]
            guard case .refused(let refusal) = error, unstored.contains(refusal.kind) else { throw error }
        }
    }

    /// Lists the favorites, places and commutes that a feed with another source does not have.
    func reportMissing(from feed: FeedID) -> ExitStatus {
        attempt { () throws(ClientError) in
            var lines: [String] = []
            for favorite in try request(FavoriteListParameters()).favorites where favorite.feed == feed {
                if let problem = favorite.problem { lines.append("favorite \(favorite.name): \(problem)") }
            }
            for place in try request(PlaceListParameters()).places {
                if let stop = place.stop, stop.hasPrefix("\(feed):"), place.stops.isEmpty {
                    lines.append("place \(place.name): \(stop) is not a stop of the new source.")
                }
            }
            for commute in try request(CommuteListParameters()).commutes {
                let isUsed = [commute.from, commute.to].contains { end in
                    end.kind == .place || end.reference.hasPrefix("\(feed):")
                }
                if isUsed, let problem = commute.problem { lines.append("commute \(commute.name): \(problem)") }
            }
            if lines.isEmpty { return .success }
            report(Line("The new source does not have everything that you use:", .caution))
            for line in lines { report(Line("  \(line)")) }
            return .success
        }
    }
}
