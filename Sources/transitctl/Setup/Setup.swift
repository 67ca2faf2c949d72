internal import Glibc
internal import TransitControl
internal import TransitModel

/// The dialogue that leads from nothing to the first departures.
struct Setup {
    let session: Session
    let prompter: Prompter
    /// The server that is asked in place of a provider's own.
    private let base: String?

    /// Why it did not come to its end.
    enum Failure: Error {
        case prompter(Prompter.Failure)
        case client(ClientError)
        case file(ConfigurationWriter.Failure)
    }

    init(_ session: Session, base: String? = nil) {
        self.session = session
        self.base = base
        prompter = Prompter(session: session)
    }

    func run() -> ExitStatus {
        do throws(Failure) {
            let offer = try ask(ProviderListParameters())
            guard let file = offer.file else {
                prompter.say("This daemon's configuration stands in no file: there is nothing to add to.", .bad)
                return .configuration
            }
            let writer = ConfigurationWriter(path: file)
            let known = try ask(FeedListParameters()).feeds.map(\.id.rawValue)
            let feeds = try chooseFeeds(offer.providers, known: known)
            if !feeds.isEmpty {
                let before = try configure(feeds, in: writer)
                try importAll(feeds, in: writer, before)
            }
            try askPlaces(offer, in: writer)
            return try showNext()
        } catch {
            return tell(error)
        }
    }

    /// A feed with what is not written into the configuration.
    struct Choice {
        var draft: FeedDraft
        var key: String?
    }

    // MARK: What to add

    private func chooseFeeds(_ providers: [ProviderSummary], known: [String]) throws(Failure) -> [Choice] {
        var feeds: [Choice] = []
        let offers = SetupOffer.all(providers)
        if !known.isEmpty {
            prompter.say("Configured already: \(known.joined(separator: ", ")).")
            guard try confirm("Add another city?", defaultAnswer: false) else { return [] }
        }
        var keys: [String: CheckedKey] = [:]
        repeat {
            prompter.say("Where do you travel?", .strong)
            let offer = offers[try choose("Number", among: offers.map(\.title))]
            feeds.append(try fill(offer, taken: known + feeds.map(\.draft.id), &keys))
        } while try confirm("Add another city?", defaultAnswer: false)
        return feeds
    }

    /// - Parameter keys: those that were given already, by their provider.
    private func fill(
        _ offer: SetupOffer, taken: [String], _ keys: inout [String: CheckedKey]
    ) throws(Failure) -> Choice {
        let provider = offer.provider
        for sentence in [provider.attribution, provider.disclaimer].compactMap({ $0 }) {
            prompter.say(sentence, .faint)
        }
        var settings: [FeedDraft.Setting] = []
        let key = try provider.needsKey ? key(of: provider, &keys) : nil
        var agency = offer.agency ?? ""
        if agency.isEmpty, let key, !key.agencies.isEmpty {
            agency = key.agencies[try choose("Agency", among: key.agencies.map(\.name))].id
        }
        for setting in provider.settings {
            var value = ""
            switch (setting.key, setting.requirement) {
            case ("agency", _) where !agency.isEmpty: value = agency
            // A mirror is for who knows of one; and who has addresses of its own need not be told any.
            case ("base_url", _) where base != nil: value = base ?? ""
            case (_, .required): value = try required(setting, of: provider)
            case ("base_url", _), ("agency", _): continue
            case (_, .optional) where provider.needsAddress:
                value = try address("\(setting.words), if there is one", setting, of: provider)
            default: continue
            }
            if !value.isEmpty { settings.append(.init(key: setting.key, value: value)) }
        }
        let id = try name(offer, settings, taken: taken)
        return Choice(draft: FeedDraft(id: id, provider: provider.name, settings: settings), key: key?.key)
    }

    private struct CheckedKey {
        var key: String
        var agencies: [AgencyChoice]
    }

    /// A provider is asked for with the same key again: it is given once.
    private func key(
        of provider: ProviderSummary, _ keys: inout [String: CheckedKey]
    ) throws(Failure) -> CheckedKey {
        if let given = keys[provider.name] {
            prompter.say("The key of \(provider.title) is the one that you gave before.", .faint)
            return given
        }
        let key = try askKey(provider)
        keys[provider.name] = key
        return key
    }

    /// Asks until the provider takes the key, or cannot be asked.
    private func askKey(_ provider: ProviderSummary) throws(Failure) -> CheckedKey {
        if let source = provider.keySource { prompter.say(source, .faint) }
        while true {
            let key: String
            do throws(Prompter.Failure) { key = try prompter.askKey("Key of \(provider.title)") } catch {
                throw .prompter(error)
            }
            if key.isEmpty {
                prompter.say("\(provider.title) needs a key.", .caution)
                continue
            }
            let check = try ask(ProviderCheckParameters(provider: provider.name, key: key, base: base))
            prompter.say(check.message, check.state == .accepted ? .good : .caution)
            if check.state != .rejected { return CheckedKey(key: key, agencies: check.agencies) }
        }
    }

    private func required(_ setting: ProviderSetting, of provider: ProviderSummary) throws(Failure) -> String {
        while true {
            let question = setting.words + (setting.example.map { ", such as \($0)" } ?? "")
            let value = try address(question, setting, of: provider)
            if !value.isEmpty { return value }
            prompter.say("An answer is needed here; Ctrl-C ends the setup.", .caution)
        }
    }

    /// Repeats the question until the answer is empty or an address that serves the required data. Settings that are
    /// not addresses are not checked.
    private func address(
        _ question: String, _ setting: ProviderSetting, of provider: ProviderSummary
    ) throws(Failure) -> String {
        while true {
            let value = try answer(question)
            guard !value.isEmpty, let dataset = DatasetName(rawValue: setting.key) else { return value }
            if let path = SourceAnswer.file(value) {
                guard let problem = SourceAnswer.problem(with: path, dataset: dataset) else { return value }
                prompter.say(problem, .caution)
            } else if try accepts(value, dataset, provider) {
                return value
            }
        }
    }

    /// Lets the daemon check an address. If the check is not possible, the user may accept the address anyway.
    private func accepts(_ url: String, _ dataset: DatasetName, _ provider: ProviderSummary) throws(Failure) -> Bool {
        do throws(Failure) {
            let check = try ask(ProviderCheckParameters(provider: provider.name, url: url, dataset: dataset))
            prompter.say(check.message, check.state == .accepted ? .good : .caution)
            if check.state != .unverified { return check.state == .accepted }
            return try confirm("Use it all the same?", defaultAnswer: false)
        } catch {
            guard case .client(.refused(let refusal)) = error, refusal.kind == .invalidParameters else { throw error }
            say(refusal)
            return false
        }
    }

    private func name(
        _ offer: SetupOffer, _ settings: [FeedDraft.Setting], taken: [String]
    ) throws(Failure) -> String {
        let defaultAnswer = offer.id.map { Self.free($0, taken) } ?? ""
        while true {
            let id = FeedDraft.identifier(from: try answer("What to call it", defaultAnswer: defaultAnswer))
            if id.isEmpty {
                prompter.say("Use letters, digits and -.", .caution)
            } else if taken.contains(id) {
                prompter.say("There is a feed \(id) already.", .caution)
            } else {
                return id
            }
        }
    }

    private static func free(_ name: String, _ taken: [String]) -> String {
        var number = 2
        var free = name
        while taken.contains(free) {
            free = "\(name)-\(number)"
            number += 1
        }
        return free
    }

    // MARK: Doing it

    /// - Returns: the previous content of the configuration.
    private func configure(
        _ feeds: [Choice], in writer: ConfigurationWriter
    ) throws(Failure) -> ConfigurationWriter.PreviousContents {
        let before = try add(feeds.map(\.draft.toml).joined(separator: "\n"), in: writer)
        prompter.say("\(writer.path) has \(feeds.map(\.draft.id).joined(separator: ", ")) now.", .good)
        for feed in feeds { if let key = feed.key { try keep(key, of: feed.draft.id) } }
        return before
    }

    /// Adds to the configuration and has it applied; what the daemon refuses is taken back.
    ///
    /// - Returns: the previous content of the configuration.
    @discardableResult
    func add(_ text: String, in writer: ConfigurationWriter) throws(Failure) -> ConfigurationWriter.PreviousContents {
        let before: ConfigurationWriter.PreviousContents
        do throws(ConfigurationWriter.Failure) { before = try writer.append(text) } catch {
            prompter.say("This would be added to \(writer.path):", .caution)
            for line in text.split(separator: "\n", omittingEmptySubsequences: false) { prompter.say("  \(line)") }
            throw .file(error)
        }
        do throws(Failure) { _ = try ask(ConfigReloadParameters()) } catch {
            do throws(ConfigurationWriter.Failure) { try writer.restore(before) } catch { throw .file(error) }
            prompter.say("The configuration is as it was before.", .caution)
            throw error
        }
        return before
    }

    private func keep(_ key: String, of feed: String) throws(Failure) {
        let result = try ask(KeySetParameters(feed: FeedID(feed), key: key, unverified: true))
        prompter.say("\(feed): \(result.message)", result.state == .accepted ? .good : .caution)
    }

    /// Imports the timetables. If an import fails, the user may remove the feed from the configuration, because
    /// answering the same questions again would not help.
    private func importAll(
        _ feeds: [Choice], in writer: ConfigurationWriter, _ before: ConfigurationWriter.PreviousContents
    ) throws(Failure) {
        var kept: [Choice] = []
        for feed in feeds {
            let id = feed.draft.id
            let status = session.update(FeedUpdateParameters(feed: FeedID(id), progress: true), to: session.note)
            if status == .interrupted { throw .prompter(.interrupted) }
            if status == .success {
                kept.append(feed)
            } else if status != .failure {
                // The source could not be reached, which says nothing about its data.
                prompter.say("Try it again later: transitctl feed update \(id)", .caution)
                kept.append(feed)
            } else if try !confirm("Take \(id) out of the configuration again?", defaultAnswer: false) {
                prompter.say("Try it again later: transitctl feed update \(id)", .caution)
                kept.append(feed)
            }
        }
        guard kept.count < feeds.count else { return }
        do throws(ConfigurationWriter.Failure) { try writer.restore(before) } catch { throw .file(error) }
        if kept.isEmpty {
            _ = try ask(ConfigReloadParameters())
        } else {
            try add(kept.map(\.draft.toml).joined(separator: "\n"), in: writer)
        }
        prompter.say("Run transitctl setup again for another address.", .caution)
    }

    private func showNext() throws(Failure) -> ExitStatus {
        let places = try ask(PlaceListParameters()).places.map(\.name)
        guard places.contains("home"), places.contains("work") else {
            prompter.say("Done. Ask for a stop: transitctl departures STOP", .good)
            return .success
        }
        return session.next(commute: nil)
    }

    // MARK: Asking

    func ask<Call: ControlParameters>(_ call: Call) throws(Failure) -> Call.Reply {
        do throws(ClientError) { return try session.ask(call) } catch { throw .client(error) }
    }

    func answer(_ question: String, defaultAnswer: String? = nil) throws(Failure) -> String {
        do throws(Prompter.Failure) { return try prompter.ask(question, defaultAnswer: defaultAnswer) } catch {
            throw .prompter(error)
        }
    }

    private func confirm(_ question: String, defaultAnswer: Bool) throws(Failure) -> Bool {
        do throws(Prompter.Failure) { return try prompter.confirm(question, defaultAnswer: defaultAnswer) } catch {
            // Answers that stand in a file end where nothing more is wanted.
            if error == .ended { return false }
            throw .prompter(error)
        }
    }

    func choose(_ question: String, among choices: [String]) throws(Failure) -> Int {
        do throws(Prompter.Failure) { return try prompter.choose(question, among: choices) } catch {
            throw .prompter(error)
        }
    }

    func say(_ refusal: ControlError) {
        prompter.say([refusal.message, refusal.hint].compactMap(\.self).joined(separator: " "), .caution)
    }

    private func tell(_ failure: Failure) -> ExitStatus {
        switch failure {
        case .client(let error):
            session.tell(error)
            return error.exitStatus
        case .file(let error):
            prompter.say(error.message, .bad)
            return error.number == EACCES || error.number == EPERM || error.number == EROFS ? .notAllowed : .failure
        case .prompter(.ended):
            prompter.say("There are no more answers.", .bad)
            return .usage
        case .prompter(.interrupted): return .interrupted
        case .prompter(.unreadable(let number)):
            prompter.say("The answer could not be read: \(String(cString: strerror(number))).", .bad)
            return .failure
        }
    }
}

/// One of the lines to choose from: a preset, or a provider that asks for addresses.
struct SetupOffer: Equatable {
    var title: String
    /// What to call the feed; `nil`: that is asked.
    var id: String?
    var provider: ProviderSummary
    var agency: String?

    /// Presets come first. A provider without presets is an offer of its own. The demo city comes last.
    static func all(_ all: [ProviderSummary]) -> [SetupOffer] {
        let providers = all.filter { !$0.isDemo }
        let demo = all.filter(\.isDemo).flatMap { provider in
            provider.presets.map { SetupOffer(title: $0.title, id: $0.id.rawValue, provider: provider) }
        }
        let presets = providers.flatMap { provider in
            provider.presets.map {
                SetupOffer(title: $0.title, id: $0.id.rawValue, provider: provider, agency: $0.agency)
            }
        }
        let others = providers.filter { $0.presets.isEmpty }
        let own = others.filter { !$0.needsAddress }.map { SetupOffer(title: $0.title, id: $0.name, provider: $0) }
        let any = others.filter(\.needsAddress).map {
            SetupOffer(title: "Any other city, by \($0.title)", provider: $0)
        }
        return presets + own + any + demo
    }
}

extension ProviderSummary {
    /// Whether it asks nobody that it knows itself.
    fileprivate var needsAddress: Bool { settings.contains { $0.key == "static" && $0.requirement == .required } }
}

extension ProviderSetting {
    /// What is asked for.
    fileprivate var words: String {
        switch key {
        case "static": "Address of the timetable (GTFS)"
        case "trip_updates": "Address of the trip updates (GTFS-Realtime)"
        case "vehicles": "Address of the vehicle positions (GTFS-Realtime)"
        case "alerts": "Address of the alerts (GTFS-Realtime)"
        case "agency": "Agency"
        case "base_url": "Address of the server"
        default: key
        }
    }
}
