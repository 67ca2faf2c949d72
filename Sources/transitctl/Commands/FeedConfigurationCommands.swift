internal import ArgumentParser
internal import Glibc
internal import TransitClient
internal import TransitControl
internal import TransitModel

struct FeedAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a feed to the configuration and import it.",
        discussion: """
            The source is an id that feed find lists, such as mdb-53, the URL or the path of a GTFS archive, or a name that \
            setup offers, such as caltrain. Further settings are those of [[feed]] in transitd.toml(5), such as trip_updates=https://example.org/updates.pb.
            """)

    @Argument(
        help: "An id that feed find lists, a URL, a path, or a name that setup offers.", completion: .names(.city))
    var source: String
    @Argument(help: ArgumentHelp("Further settings of the feed.", valueName: "key=value"))
    var settings: [SettingArgument] = []
    @Option(help: ArgumentHelp("The name of the feed.", valueName: "name"))
    var id: String?
    @Flag(help: "Do not check the URLs before they are written.")
    var unchecked = false
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { session in
            FeedAddition(session: session, settings: SettingArgument.merged(settings), isChecked: !unchecked).run(
                source, id: id)
        }
    }
}

struct FeedEditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change settings of a feed in the configuration.",
        discussion: """
            Settings are those of [[feed]] in transitd.toml(5), such as refresh_hours=12 or refresh.vehicles=30s. Everything \
            else in the file stays as it is. Repeat a key to give a list.
            """)

    @Argument(help: "The feed.")
    var feed: String
    @Argument(help: ArgumentHelp("The settings to change.", valueName: "key=value"))
    var settings: [SettingArgument] = []
    @Option(help: ArgumentHelp("Remove a setting. Can be repeated.", valueName: "key"), completion: .names(.feedKey))
    var unset: [String] = []
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if settings.isEmpty, unset.isEmpty { throw ValidationError("Name a setting, such as refresh_hours=12.") }
    }

    func run() throws {
        let removed = unset.map { ConfigurationSetting(key: $0, values: []) }
        let settings = SettingArgument.merged(settings) + removed
        try global.run { session in
            let changer = ConfigurationChanger(session: session)
            do throws(ConfigurationChanger.Failure) {
                let change = ConfigProposeParameters(action: .edit, feed: FeedID(feed), settings: settings)
                let (file, changes) = try changer.apply(change)
                session.printNotice(
                    Line(changes.isEmpty ? "Nothing changed." : "Changed \(feed) in \(file).", .good))
            } catch { return changer.report(error) }
            guard settings.contains(where: { $0.key == "static" }) else { return .success }
            let status = session.update(
                FeedUpdateParameters(feed: FeedID(feed), progress: true), to: session.printNotice)
            guard status == .success else { return status }
            return session.reportMissing(from: FeedID(feed))
        }
    }
}

struct FeedRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a feed from the configuration.",
        discussion: "The timetable versions are deleted. Favorites and places stay, but show nothing without the feed.")

    @Argument(help: "The feed.")
    var feed: String
    @Flag(help: "Do not ask for confirmation.")
    var yes = false
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { (session) throws(ClientError) in
            if !yes {
                let isConfirmed = try session.confirmRemoval(
                    "Remove \(feed) from the configuration?", by: "feed remove")
                guard isConfirmed else { return .success }
            }
            let changer = ConfigurationChanger(session: session)
            do throws(ConfigurationChanger.Failure) {
                let (file, _) = try changer.apply(ConfigProposeParameters(action: .remove, feed: FeedID(feed)))
                session.printNotice(Line("Removed \(feed) from \(file).", .good))
                return .success
            } catch { return changer.report(error) }
        }
    }
}

/// A setting of a feed, such as `refresh_hours=12`.
struct SettingArgument: ExpressibleByArgument {
    var key: String
    var value: String

    init?(argument: String) {
        guard let mark = argument.firstIndex(of: "="), mark > argument.startIndex else { return nil }
        key = String(argument[..<mark])
        value = String(argument[argument.index(after: mark)...])
    }

    /// Returns the settings; those with the same key become a list.
    static func merged(_ arguments: [SettingArgument]) -> [ConfigurationSetting] {
        var settings: [ConfigurationSetting] = []
        for argument in arguments {
            if let known = settings.firstIndex(where: { $0.key == argument.key }) {
                settings[known].values.append(argument.value)
            } else {
                settings.append(ConfigurationSetting(argument.key, argument.value))
            }
        }
        return settings
    }
}

/// Adds a feed whose settings were given on the command line.
private struct FeedAddition {
    let session: Session
    let settings: [ConfigurationSetting]
    /// Whether URLs are requested once before they are written.
    let isChecked: Bool

    private enum Failure: Error {
        case refused(message: String, remedy: String?)
        /// A source cannot be checked now.
        case unreachable(message: String)
        case client(ClientError)
        case configuration(ConfigurationChanger.Failure)
    }

    func run(_ source: String, id: String?) -> ExitStatus {
        do throws(Failure) {
            let providers = try request(ProviderListParameters()).providers
            let (draft, key) = try draft(source, id: id, providers)
            if isChecked { try check(draft, key) }
            do throws(ConfigurationChanger.Failure) {
                let file = try ConfigurationChanger(session: session).apply(draft.addition).file
                session.printNotice(Line("Added \(draft.id) to \(file).", .good))
            } catch { throw .configuration(error) }
            if let key { try store(key, of: draft.id) }
            let needsKey = providers.first { $0.name == draft.provider }?.needsKey == true
            if key == nil, needsKey || draft.settings.contains(where: { $0.key.hasPrefix("key_") }) {
                session.printNotice(
                    Line("The source requires a key. To set it: transitctl key set \(draft.id)", .caution))
                return .success
            }
            return importTimetable(of: draft.id)
        } catch {
            switch error {
            case .refused(let message, let remedy):
                session.report(Line(message, .bad))
                if let remedy { session.report(Line(remedy)) }
                return .usage
            case .unreachable(let message):
                session.report(Line(message, .bad))
                session.report(Line("To add it anyway, use --unchecked."))
                return .tryAgain
            case .client(let error):
                session.report(error)
                return error.exitStatus
            case .configuration(let error): return ConfigurationChanger(session: session).report(error)
            }
        }
    }

    /// Returns the table for a source, and the key that its URL contains.
    private func draft(
        _ source: String, id: String?, _ providers: [ProviderSummary]
    ) throws(Failure) -> (FeedDraft, key: SourceKey?) {
        if let offer = SetupOffer.named(source, in: SetupOffer.all(providers)), let name = id ?? offer.id {
            var given = settings
            if let agency = offer.agency { given.insert(ConfigurationSetting("agency", agency), at: 0) }
            return (FeedDraft(id: name, provider: offer.provider.name, settings: given), nil)
        }
        if Self.isCatalogID(source) { return (try catalogDraft(source, id: id), nil) }
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
            return (
                FeedDraft(id: id, provider: "gtfs", settings: [ConfigurationSetting("static", whole)] + settings), nil
            )
        }
        let url = SourceURL(source)
        var key: SourceKey?
        if let (parameter, value) = url.key {
            key = SourceKey(key: value, place: .parameter(parameter), hosts: [url.host])
        }
        let all = [ConfigurationSetting("static", url.url)] + settings + (key?.settings ?? [])
        return (FeedDraft(id: id, provider: "gtfs", settings: all), key)
    }

    /// Whether text is an identifier of the catalog, such as `mdb-53`.
    private static func isCatalogID(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.count == 2 && parts[0].allSatisfy { $0.isASCII && $0.isLowercase } && !parts[0].isEmpty
            && Int(parts[1]) != nil
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
        complete.settings.removeAll { setting in settings.contains { $0.key == setting.key } }
        complete.settings += settings
        return complete
    }

    private static func absolute(_ path: String) -> String {
        guard let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }

    /// Requests each URL once. A URL whose server requires a key cannot be checked before the key is set.
    private func check(_ draft: FeedDraft, _ key: SourceKey?) throws(Failure) {
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
            let check = try request(call)
            if check.needsKey, isKeyed { continue }
            guard check.state != .accepted else { continue }
            let message = "\(setting.key): \(check.message)"
            if !check.needsKey, check.state == .unverified { throw .unreachable(message: message) }
            throw .refused(
                message: message,
                remedy: check.needsKey
                    ? "Add key_header=NAME or key_parameter=NAME, as the source's documentation says." : nil)
        }
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

extension SetupOffer {
    /// Returns the offer whose identifier or title is a text. A remark in parentheses need not be given.
    static func named(_ text: String, in offers: [SetupOffer]) -> SetupOffer? {
        let wanted = text.lowercased()
        return offers.first { $0.id == wanted } ?? offers.first { $0.title.lowercased() == wanted }
            ?? offers.first { $0.title.lowercased().hasPrefix(wanted + " (") }
    }
}

extension Session {
    /// Lists the favorites, places and commutes that a feed with another source does not have.
    fileprivate func reportMissing(from feed: FeedID) -> ExitStatus {
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
                if let problem = commute.problem { lines.append("commute \(commute.name): \(problem)") }
            }
            if lines.isEmpty { return .success }
            report(Line("The new source does not have everything that you use:", .caution))
            for line in lines { report(Line("  \(line)")) }
            return .success
        }
    }
}
