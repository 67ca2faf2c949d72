internal import Glibc
internal import TransitClient
internal import TransitControl
internal import TransitModel
internal import TransitWire

/// The interactive setup, from an empty configuration to the first departures.
struct Setup {
    let session: Session
    let prompter: Prompter
    /// The server to use instead of a provider's own.
    private let base: String?

    /// The reason why the setup ended early.
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
            let offer = try request(ProviderListParameters())
            guard let file = offer.file else {
                prompter.say("The daemon's configuration is not in a file, so setup cannot add to it.", .bad)
                return .configuration
            }
            let writer = ConfigurationWriter(path: file)
            let known = try request(FeedListParameters()).feeds.map(\.id.rawValue)
            let feeds = try chooseFeeds(offer.providers, known: known)
            if !feeds.isEmpty {
                let before = try configure(feeds, in: writer)
                try importAll(feeds, in: writer, before)
            }
            try askPlaces(offer, in: writer)
            try askNotifications()
            return try showNext()
        } catch {
            return report(error)
        }
    }

    /// A feed to add, and its API key, which is not part of the configuration.
    struct Choice {
        var draft: FeedDraft
        var key: String?
    }

    // MARK: Choosing feeds

    private func chooseFeeds(_ providers: [ProviderSummary], known: [String]) throws(Failure) -> [Choice] {
        var feeds: [Choice] = []
        let offers = SetupOffer.all(providers)
        if !known.isEmpty {
            prompter.say("Already configured: \(known.joined(separator: ", ")).")
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

    /// Prompts for the settings of a feed. `keys` are the keys given so far, by provider.
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
            // A mirror is an expert setting, given on the command line only.
            case ("base_url", _) where base != nil: value = base ?? ""
            case (_, .required): value = try required(setting, of: provider)
            case ("base_url", _), ("agency", _): continue
            case (_, .optional) where provider.needsAddress:
                value = try address("\(setting.words), optional", setting, of: provider)
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

    /// Returns the key of a provider, for which the user is prompted once.
    private func key(
        of provider: ProviderSummary, _ keys: inout [String: CheckedKey]
    ) throws(Failure) -> CheckedKey {
        if let given = keys[provider.name] {
            prompter.say("Using the key for \(provider.title) that you entered before.", .faint)
            return given
        }
        let key = try askKey(provider)
        keys[provider.name] = key
        return key
    }

    /// Prompts until the provider accepts the key or cannot be reached.
    private func askKey(_ provider: ProviderSummary) throws(Failure) -> CheckedKey {
        if let source = provider.keySource { prompter.say(source, .faint) }
        while true {
            let key: String
            do throws(Prompter.Failure) { key = try prompter.askKey("API key for \(provider.title)") } catch {
                throw .prompter(error)
            }
            if key.isEmpty {
                prompter.say("\(provider.title) requires an API key.", .caution)
                continue
            }
            let check = try request(ProviderCheckParameters(provider: provider.name, key: key, base: base))
            prompter.say(check.message, check.state == .accepted ? .good : .caution)
            if check.state != .rejected { return CheckedKey(key: key, agencies: check.agencies) }
        }
    }

    private func required(_ setting: ProviderSetting, of provider: ProviderSummary) throws(Failure) -> String {
        while true {
            let question = setting.words + (setting.example.map { ", such as \($0)" } ?? "")
            let value = try address(question, setting, of: provider)
            if !value.isEmpty { return value }
            prompter.say("This setting is required. Press Ctrl-C to end the setup.", .caution)
        }
    }

    /// Prompts until the answer is empty, or is a URL or file that has the required data. Settings that are not URLs
    /// are not checked.
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

    /// Checks a URL with the daemon. If the check is not possible, asks the user whether to use the URL anyway.
    private func accepts(_ url: String, _ dataset: DatasetName, _ provider: ProviderSummary) throws(Failure) -> Bool {
        do throws(Failure) {
            let check = try request(ProviderCheckParameters(provider: provider.name, url: url, dataset: dataset))
            prompter.say(check.message, check.state == .accepted ? .good : .caution)
            if check.state != .unverified { return check.state == .accepted }
            return try confirm("Use it anyway?", defaultAnswer: false)
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
            let id = FeedDraft.identifier(from: try answer("Name of the feed", defaultAnswer: defaultAnswer))
            if id.isEmpty {
                prompter.say("Use only letters, digits and hyphens.", .caution)
            } else if taken.contains(id) {
                prompter.say("The feed \(id) already exists.", .caution)
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

    // MARK: Applying

    /// - Returns: The previous contents of the configuration file.
    private func configure(
        _ feeds: [Choice], in writer: ConfigurationWriter
    ) throws(Failure) -> ConfigurationWriter.PreviousContents {
        let before = try add(feeds.map(\.draft.toml).joined(separator: "\n"), in: writer)
        prompter.say("Added \(feeds.map(\.draft.id).joined(separator: ", ")) to \(writer.path).", .good)
        for feed in feeds { if let key = feed.key { try keep(key, of: feed.draft.id) } }
        return before
    }

    /// Appends to the configuration and reloads it. Reverts the change if the daemon rejects it.
    ///
    /// - Returns: The previous contents of the configuration file.
    @discardableResult
    func add(_ text: String, in writer: ConfigurationWriter) throws(Failure) -> ConfigurationWriter.PreviousContents {
        let before: ConfigurationWriter.PreviousContents
        do throws(ConfigurationWriter.Failure) { before = try writer.append(text) } catch {
            prompter.say("Add these lines to \(writer.path):", .caution)
            for line in text.split(separator: "\n", omittingEmptySubsequences: false) { prompter.say("  \(line)") }
            throw .file(error)
        }
        do throws(Failure) { _ = try request(ConfigReloadParameters()) } catch {
            do throws(ConfigurationWriter.Failure) { try writer.restore(before) } catch { throw .file(error) }
            prompter.say("Reverted the configuration.", .caution)
            throw error
        }
        return before
    }

    private func keep(_ key: String, of feed: String) throws(Failure) {
        let result = try request(KeySetParameters(feed: FeedID(feed), key: key, unverified: true))
        prompter.say("\(feed): \(result.message)", result.state == .accepted ? .good : .caution)
    }

    /// Imports the timetables. If an import fails, the user can remove the feed from the configuration, because repeating the
    /// setup with the same answers would not help.
    private func importAll(
        _ feeds: [Choice], in writer: ConfigurationWriter, _ before: ConfigurationWriter.PreviousContents
    ) throws(Failure) {
        var kept: [Choice] = []
        for feed in feeds {
            let id = feed.draft.id
            let status = session.update(FeedUpdateParameters(feed: FeedID(id), progress: true), to: session.printNotice)
            if status == .interrupted { throw .prompter(.interrupted) }
            if status == .success {
                kept.append(feed)
            } else if status != .failure {
                // The source could not be reached, so its data may be fine.
                prompter.say("To try again later: transitctl feed update \(id)", .caution)
                kept.append(feed)
            } else if try !confirm("Remove \(id) from the configuration?", defaultAnswer: false) {
                prompter.say("To try again later: transitctl feed update \(id)", .caution)
                kept.append(feed)
            }
        }
        guard kept.count < feeds.count else { return }
        do throws(ConfigurationWriter.Failure) { try writer.restore(before) } catch { throw .file(error) }
        if kept.isEmpty {
            _ = try request(ConfigReloadParameters())
        } else {
            try add(kept.map(\.draft.toml).joined(separator: "\n"), in: writer)
        }
        prompter.say("To use another source, run transitctl setup again.", .caution)
    }

    /// Asks whether to turn notifications on, unless they are.
    private func askNotifications() throws(Failure) {
        let list = try request(NotifyListParameters())
        if list.isOn { sayQuietCommutes(list) }
        guard !list.isOn,
            try confirm("Notify you when to leave, and when a departure is late or canceled?", defaultAnswer: false)
        else { return }
        let result = try request(NotifyEnableParameters(isOn: true))
        prompter.say("Your notifications are on.", .good)
        if result.agent.subscribers == 0 {
            prompter.say("To show them on your desktop: systemctl --user enable --now transitd-notify")
        }
        sayQuietCommutes(result)
        if result.subjects.isEmpty {
            prompter.say(
                "Give your commutes time windows, such as: transitctl commute add work-day home work --window 07:00-09:00 --days weekdays"
            )
        }
    }

    /// Names the commutes that quiet hours silence.
    private func sayQuietCommutes(_ result: NotifyListResult) {
        for notice in result.notices where notice.kind == .quiet { prompter.say(notice.message, .caution) }
    }

    private func showNext() throws(Failure) -> ExitStatus {
        let places = try request(PlaceListParameters()).places.map(\.name)
        guard places.contains("home"), places.contains("work") else {
            prompter.say("Done. To show the departures of a stop: transitctl departures STOP", .good)
            return .success
        }
        return session.next([])
    }

    // MARK: Prompts and requests

    func request<Call: ControlParameters>(_ call: Call) throws(Failure) -> Call.Reply {
        do throws(ClientError) { return try session.request(call) } catch { throw .client(error) }
    }

    func answer(_ question: String, defaultAnswer: String? = nil) throws(Failure) -> String {
        do throws(Prompter.Failure) { return try prompter.ask(question, defaultAnswer: defaultAnswer) } catch {
            throw .prompter(error)
        }
    }

    private func confirm(_ question: String, defaultAnswer: Bool) throws(Failure) -> Bool {
        do throws(Prompter.Failure) { return try prompter.confirm(question, defaultAnswer: defaultAnswer) } catch {
            // If the input ends, the answer is no.
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

    private func report(_ failure: Failure) -> ExitStatus {
        switch failure {
        case .client(let error):
            session.report(error)
            return error.exitStatus
        case .file(let error):
            prompter.say(error.message, .bad)
            return error.number == EACCES || error.number == EPERM || error.number == EROFS ? .notAllowed : .failure
        case .prompter(.ended):
            prompter.say("Standard input has no more lines.", .bad)
            return .usage
        case .prompter(.interrupted): return .interrupted
        case .prompter(.unreadable(let number)):
            prompter.say("Cannot read the answer: \(String(cString: strerror(number))).", .bad)
            return .failure
        }
    }
}

/// A choice of the setup: a preset, or a provider that requires URLs.
struct SetupOffer: Equatable {
    var title: String
    /// The suggested identifier of the feed; `nil` if the user must enter one.
    var id: String?
    var provider: ProviderSummary
    var agency: String?

    /// Returns the choices: presets first, then providers without presets, then demonstration data.
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
            SetupOffer(title: "Another city, from \($0.title)", provider: $0)
        }
        return presets + own + any + demo
    }
}

extension ProviderSummary {
    /// Whether the provider has no source of its own and requires a URL.
    fileprivate var needsAddress: Bool { settings.contains { $0.key == "static" && $0.requirement == .required } }
}

extension ProviderSetting {
    /// The name of the setting for a prompt.
    fileprivate var words: String {
        switch key {
        case "static": "URL of the timetable (GTFS)"
        case "trip_updates": "URL of the trip updates (GTFS-Realtime)"
        case "vehicles": "URL of the vehicle positions (GTFS-Realtime)"
        case "alerts": "URL of the alerts (GTFS-Realtime)"
        case "agency": "Agency"
        case "base_url": "URL of the server"
        default: key
        }
    }
}
