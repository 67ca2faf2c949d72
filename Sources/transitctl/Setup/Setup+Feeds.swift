internal import TransitClient
internal import TransitControl
internal import TransitModel
internal import TransitWire

/// A feed to add, and its API key, which is not part of the configuration.
struct FeedChoice {
    var draft: FeedDraft
    var key: String?
    /// Whether the user gave the URLs, so that the data has to be confirmed after the import.
    var hasOwnSources: Bool
}

// Questions about the feeds to add.
extension Setup {
    /// A key of a provider, and the agencies that the provider lists for it.
    private struct CheckedKey {
        var key: String
        var agencies: [AgencyChoice]
    }

    /// A question about one feed.
    private enum FeedQuestion {
        case server, key, name
        case agency(ProviderSetting)
        case url(ProviderSetting)
    }

    /// The answers to the questions about one feed.
    private final class Answers {
        /// The values by the keys of the configuration.
        var values: [String: String] = [:]
        var providerKey: CheckedKey?
        /// The keys that the URLs need, by the keys of the configuration, in the order in which they were given.
        var sourceKeys: [(setting: String, key: SourceKey)] = []
        var id = ""

        /// The key of the feed: the last one given, for the hosts of all URLs.
        var sourceKey: SourceKey? {
            guard var key = sourceKeys.last?.key else { return nil }
            key.hosts = []
            for host in sourceKeys.flatMap(\.key.hosts) where !key.hosts.contains(host) { key.hosts.append(host) }
            return key
        }
    }

    /// The keys that the user gave in this setup, by provider.
    private final class GivenKeys {
        var keys: [String: CheckedKey] = [:]
    }

    /// Asks for feeds until the user wants no more.
    ///
    /// - Throws: ``Prompter/Failure/back`` if the user goes back from the first question.
    func chooseFeeds(_ providers: [ProviderSummary], known: [String]) throws(Failure) -> [FeedChoice] {
        enum Question {
            case start, offer
            case feed(SetupOffer)
            case search(String)
            /// A feed that was found with a text.
            case catalog(CatalogFeed, String)
            case more
        }
        let (offers, keys) = (SetupOffer.all(providers), GivenKeys())
        var feeds: [FeedChoice] = []
        let isGiven = given.has(.city)
        var question = known.isEmpty || isGiven ? Question.offer : .start
        while true {
            do throws(Failure) {
                switch question {
                case .start:
                    prompter.say("Already configured: \(known.joined(separator: ", ")).")
                    // A setup that ended in the middle may have left a feed that is not the right one.
                    prompter.say(
                        "To remove one: transitctl feed remove \(known.count == 1 ? known[0] : "FEED")", .faint)
                    guard try confirm("Add another city?", defaultAnswer: false) else { return [] }
                    question = .offer
                case .offer:
                    if !given.has(.city) { prompter.say("Where do you travel?", .strong) }
                    let choice = try chooseOrEnter(
                        "Number, or the name of another city to search for", among: offers.map(\.title), option: .city)
                    switch choice {
                    case .index(let index): question = .feed(offers[index])
                    case .text(let text):
                        if let offer = SetupOffer.named(text, in: offers) {
                            question = .feed(offer)
                        } else {
                            question = .search(text)
                        }
                    }
                case .feed(let offer):
                    if isGiven, isConfigured(offer.id, among: known) { return feeds }
                    feeds.append(try fill(offer, taken: known + feeds.map(\.draft.id), keys))
                    question = .more
                case .search(let text):
                    question = try findFeed(text).map { .catalog($0, text) } ?? .offer
                case .catalog(let feed, _):
                    if isGiven, isConfigured(feed.suggestedID, among: known) { return feeds }
                    if let choice = try fill(feed, taken: known + feeds.map(\.draft.id)) {
                        feeds.append(choice)
                        question = .more
                    } else {
                        question = .offer
                    }
                case .more:
                    if isGiven { return feeds }
                    guard try confirm("Add another city?", defaultAnswer: false) else { return feeds }
                    question = .offer
                }
            } catch {
                guard case .prompter(.back) = error else { throw error }
                switch question {
                case .start: throw error
                case .offer where !feeds.isEmpty: question = .more
                case .offer where known.isEmpty: throw error
                case .offer: question = .start
                case .catalog(let feed, let text) where !feed.isNamed(text): question = .search(text)
                case .feed, .search, .catalog: question = .offer
                case .more:
                    feeds.removeLast()
                    question = .offer
                }
            }
        }
    }

    /// Whether a city that was given as an option is already configured, for example by a setup that was interrupted.
    private func isConfigured(_ suggestion: String?, among known: [String]) -> Bool {
        guard let id = given.text(.id) ?? suggestion, known.contains(id) else { return false }
        prompter.say("Already configured: \(id).")
        return true
    }

    /// Asks for the settings of a feed.
    private func fill(_ offer: SetupOffer, taken: [String], _ keys: GivenKeys) throws(Failure) -> FeedChoice {
        let (provider, answers) = (offer.provider, Answers())
        for sentence in [provider.attribution, provider.disclaimer].compactMap({ $0 }) {
            prompter.say(sentence, .faint)
        }
        if let base, provider.settings.contains(where: { $0.key == "base_url" }) { answers.values["base_url"] = base }
        answers.values["agency"] = offer.agency
        var questions: [FeedQuestion] = []
        if provider.isSelfHosted, base == nil { questions.append(.server) }
        if provider.needsKey { questions.append(.key) }
        for setting in provider.settings where setting.key != "base_url" {
            if setting.key == "agency" {
                if setting.requirement == .required, offer.agency == nil { questions.append(.agency(setting)) }
            } else if setting.requirement == .required || provider.needsAddress {
                questions.append(.url(setting))
            }
        }
        try ask(questions + [.name]) { (question) throws(Failure) -> Bool in
            switch question {
            case .server: try askServer(of: provider, answers)
            case .key: try askKey(of: provider, keys, answers)
            case .agency(let setting): try askAgency(setting, of: provider, answers)
            case .url(let setting): try askURL(setting, of: provider, answers)
            case .name: try askName(offer, taken: taken, answers)
            }
        }
        let settings = provider.settings.compactMap { setting in
            answers.values[setting.key].map { ConfigurationSetting(setting.key, $0) }
        }
        let draft = FeedDraft(
            id: answers.id, provider: provider.name, settings: settings + (answers.sourceKey?.settings ?? []))
        return FeedChoice(
            draft: draft, key: answers.providerKey?.key ?? answers.sourceKey?.key, hasOwnSources: provider.needsAddress)
    }

    // MARK: Server, key and agency

    /// Asks for the user's own server of a provider without a public one.
    private func askServer(of provider: ProviderSummary, _ answers: Answers) throws(Failure) -> Bool {
        let usual = provider.settings.first { $0.key == "base_url" }?.example ?? ""
        while true {
            let url = try answer(
                "URL of your server for \(provider.title)", enter: .uses(usual), option: .setting("base_url"))
            if url.isEmpty {
                prompter.say("\(provider.title) has no public server, so the URL is required.", .caution)
                continue
            }
            guard try accepts(ProviderCheckParameters(provider: provider.name, base: url)) else { continue }
            answers.values["base_url"] = url
            return true
        }
    }

    /// Asks for the key of a provider, for which the user is prompted once, until the provider accepts it or cannot be
    /// reached.
    private func askKey(
        of provider: ProviderSummary, _ keys: GivenKeys, _ answers: Answers
    ) throws(Failure) -> Bool {
        if let key = keys.keys[provider.name] {
            prompter.say("Using the key for \(provider.title) that you entered before.", .faint)
            answers.providerKey = key
            return false
        }
        if let source = provider.keySource { prompter.say(source, .faint) }
        while true {
            let key = try hiddenKey("API key for \(provider.title)")
            if key.isEmpty {
                prompter.say("\(provider.title) requires an API key.", .caution)
                continue
            }
            let check = try request(
                ProviderCheckParameters(provider: provider.name, key: key, base: answers.values["base_url"]))
            prompter.say(check.message, check.state == .accepted ? .good : .caution)
            if check.state == .rejected { continue }
            answers.providerKey = CheckedKey(key: key, agencies: check.agencies)
            keys.keys[provider.name] = answers.providerKey
            return true
        }
    }

    /// Asks for the agency: one of the provider's list, or, if the list is not known, an identifier that is checked.
    private func askAgency(
        _ setting: ProviderSetting, of provider: ProviderSummary, _ answers: Answers
    ) throws(Failure) -> Bool {
        if let agencies = answers.providerKey?.agencies, !agencies.isEmpty {
            answers.values["agency"] = try chooseAgency(agencies).id
            return true
        }
        while true {
            let agency = try answer(
                "Agency" + (setting.example.map { ", such as \($0)" } ?? ""), option: .setting("agency"))
            if agency.isEmpty {
                prompter.say("The agency is required.", .caution)
                continue
            }
            let check = ProviderCheckParameters(
                provider: provider.name, key: answers.providerKey?.key, agency: agency, base: answers.values["base_url"]
            )
            guard try accepts(check) else { continue }
            answers.values["agency"] = agency
            return true
        }
    }

    private func chooseAgency(_ agencies: [AgencyChoice]) throws(Failure) -> AgencyChoice {
        if let text = given.take(.setting("agency")) {
            let wanted = text.lowercased()
            if let agency = agencies.first(where: { [$0.id, $0.name.lowercased()].contains(wanted) }) { return agency }
            prompter.say("There is no agency \"\(text)\".", .caution)
        }
        return agencies[try choose("Agency", among: agencies.map(\.name))]
    }

    func hiddenKey(_ question: String, enter: Prompter.Enter = .nothing) throws(Failure) -> String {
        if let key = given.take(.key) { return key }
        do throws(Prompter.Failure) { return try prompter.askKey(question, enter: enter) } catch {
            throw .prompter(error)
        }
    }

    // MARK: URLs

    /// Asks until the answer is empty, or is a URL or file that has the required data.
    private func askURL(
        _ setting: ProviderSetting, of provider: ProviderSummary, _ answers: Answers
    ) throws(Failure) -> Bool {
        answers.values[setting.key] = nil
        answers.sourceKeys.removeAll { $0.setting == setting.key }
        let isRequired = setting.requirement == .required
        let question = setting.words + (setting.example.map { ", such as \($0)" } ?? "")
        while true {
            let value = try answer(
                isRequired ? question : "\(setting.words), optional", enter: isRequired ? .nothing : .skips,
                option: .setting(setting.key))
            if value.isEmpty {
                if !isRequired { return true }
                prompter.say("This URL is required.", .caution)
                continue
            }
            guard let dataset = DatasetName(rawValue: setting.key) else {
                answers.values[setting.key] = value
                return true
            }
            if let path = SourceAnswer.file(value) {
                if let problem = SourceAnswer.problem(with: path, dataset: dataset) {
                    prompter.say(problem, .caution)
                    continue
                }
                answers.values[setting.key] = value
                return true
            }
            guard let source = try checkedURL(value, dataset, of: provider, answers.sourceKey) else { continue }
            answers.values[setting.key] = source.url
            if let key = source.key { answers.sourceKeys.append((setting.key, key)) }
            return true
        }
    }

    private func askName(_ offer: SetupOffer, taken: [String], _ answers: Answers) throws(Failure) -> Bool {
        answers.id = try askName(offer.id, taken: taken)
        return true
    }

    /// Asks for the identifier of a feed.
    func askName(_ suggestion: String?, taken: [String]) throws(Failure) -> String {
        let name = suggestion.map { Self.free($0, taken) }
        while true {
            let text = try answer(
                "Name of the feed", enter: name.map { Prompter.Enter.uses($0) } ?? .nothing, option: .id)
            let id = FeedDraft.identifier(from: text)
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
            SetupOffer(title: "A timetable whose URL or file you have (\($0.title))", provider: $0)
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
        case "static": "URL or path of the timetable (GTFS)"
        case "trip_updates": "URL of the trip updates (GTFS-Realtime)"
        case "vehicles": "URL of the vehicle positions (GTFS-Realtime)"
        case "alerts": "URL of the alerts (GTFS-Realtime)"
        default: key
        }
    }
}
