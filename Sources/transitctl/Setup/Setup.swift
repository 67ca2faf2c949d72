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
    let base: String?
    let given: GivenAnswers
    private let progress = Progress()

    /// What the setup has done so far.
    private final class Progress {
        /// The feeds that were added and not removed again.
        var feeds: Set<String> = []
        var hasGeocoder = false

        var hasChanges: Bool { !feeds.isEmpty || hasGeocoder }
    }

    /// The reason why the setup ended early.
    enum Failure: Error {
        case prompter(Prompter.Failure)
        case client(ClientError)
        case configuration(ConfigurationChanger.Failure)
    }

    init(_ session: Session, base: String? = nil, given: GivenAnswers = GivenAnswers()) {
        self.session = session
        self.base = base
        self.given = given
        prompter = Prompter(session: session, hasNavigation: true)
    }

    func run() -> ExitStatus {
        do throws(Failure) {
            let offer = try request(ProviderListParameters())
            guard offer.file != nil else {
                prompter.say("The daemon's configuration is not in a file, so setup cannot add to it.", .bad)
                return .configuration
            }
            while try !addFeeds(offer) {}
            try askRest(offer)
            try offerPart()
            return try showNext()
        } catch {
            return report(error)
        }
    }

    /// Asks for home, work and notifications.
    private func askRest(_ offer: ProviderListResult) throws(Failure) {
        let missing = try missingPlaces()
        var hasGeocoder = offer.geocoder != nil
        let questions = (missing.isEmpty ? [] : ["geocoder"]) + missing + ["notifications"]
        try repeating { () throws(Failure) in
            try ask(questions) { (question) throws(Failure) -> Bool in
                switch question {
                case "geocoder": return try askGeocoder(&hasGeocoder)
                case "notifications": return try askNotifications()
                default:
                    while try !askPlace(question, findsAddresses: hasGeocoder) {}
                    return true
                }
            }
        }
    }

    /// Asks for feeds, adds and imports them. Returns whether the setup can go on; otherwise, the user wants to choose
    /// another source.
    private func addFeeds(_ offer: ProviderListResult) throws(Failure) -> Bool {
        let known = try request(FeedListParameters()).feeds.map(\.id.rawValue)
        var feeds: [FeedChoice] = []
        try repeating { () throws(Failure) in feeds = try self.chooseFeeds(offer.providers, known: known) }
        if feeds.isEmpty { return true }
        // Settings that no question asks for.
        if let last = feeds.indices.last { feeds[last].draft.settings += given.takeSettings() }
        try configure(feeds)
        return try importAll(feeds)
    }

    // MARK: Order of questions

    /// Asks questions in order. `back` returns to the last question that was asked.
    ///
    /// - Parameters:
    ///   - questions: The questions in their order.
    ///   - put: Asks a question, and returns whether it asked anything.
    /// - Throws: ``Prompter/Failure/back`` if the user goes back from the first question.
    func ask<Question>(
        _ questions: [Question], _ put: (Question) throws(Failure) -> Bool
    ) throws(Failure) {
        var asked: [Int] = []
        var next = 0
        while next < questions.count {
            do throws(Failure) {
                if try put(questions[next]) { asked.append(next) }
                next += 1
            } catch {
                guard case .prompter(.back) = error, let last = asked.popLast() else { throw error }
                next = last
            }
        }
    }

    /// Asks the first question of `body` again if the user goes back from it.
    func repeating<Answer>(_ body: () throws(Failure) -> Answer) throws(Failure) -> Answer {
        while true {
            do throws(Failure) { return try body() } catch {
                guard case .prompter(.back) = error else { throw error }
                prompter.say(
                    progress.hasChanges
                        ? "The feeds are configured; there is no earlier question." : "There is no earlier question.",
                    .caution)
            }
        }
    }

    // MARK: Configuration

    private func configure(_ feeds: [FeedChoice]) throws(Failure) {
        for feed in feeds {
            // The daemon requests the data as soon as the feed is configured. A key that it still stores for an earlier feed
            // of this name may belong to another host.
            if feed.key != nil { try removeKey(of: feed.draft.id) }
            let file = try change(feed.draft.addition)
            prompter.say("Added \(feed.draft.id) to \(file).", .good)
        }
        for feed in feeds { if let key = feed.key { try keep(key, of: feed.draft.id) } }
    }

    /// Changes the configuration file and reloads it.
    ///
    /// - Returns: The path of the file.
    @discardableResult
    func change(_ change: ConfigProposeParameters) throws(Failure) -> String {
        do throws(ConfigurationChanger.Failure) {
            let file = try ConfigurationChanger(session: session).apply(change).file
            switch (change.feed, change.action) {
            case (nil, _): progress.hasGeocoder = true
            case (let feed?, .remove): progress.feeds.remove(feed.rawValue)
            case (let feed?, _): progress.feeds.insert(feed.rawValue)
            }
            return file
        } catch { throw .configuration(error) }
    }

    /// Stores a key. If the source rejects it now, asks for another one.
    private func keep(_ key: String, of feed: String) throws(Failure) {
        var key = key
        while !key.isEmpty {
            do throws(Failure) {
                let result = try request(KeySetParameters(feed: FeedID(feed), key: key, unverified: true))
                return prompter.say("\(feed): \(result.message)", result.state == .accepted ? .good : .caution)
            } catch {
                guard case .client(.refused(let refusal)) = error, refusal.kind == .keyRejected else { throw error }
                say(refusal)
            }
            key = try repeating { () throws(Failure) in try hiddenKey("API key for \(feed)", enter: .skips) }
        }
        prompter.say("To set the key later: transitctl key set \(feed)", .caution)
    }

    private func removeKey(of feed: String) throws(Failure) {
        do throws(ClientError) { try session.removeStoredKey(of: feed) } catch { throw .client(error) }
    }

    /// Removes a feed that was added in this setup, with its key.
    func remove(_ feed: FeedChoice) throws(Failure) {
        if feed.key != nil { try removeKey(of: feed.draft.id) }
        try change(ConfigProposeParameters(action: .remove, feed: FeedID(feed.draft.id)))
    }

    // MARK: Notifications and departures

    /// Asks whether to turn notifications on, unless they are.
    private func askNotifications() throws(Failure) -> Bool {
        let list = try request(NotifyListParameters())
        if list.isOn {
            sayQuietCommutes(list)
            return false
        }
        let question = "Notify you when to leave, and when a departure is late or canceled?"
        guard try confirm(question, defaultAnswer: false, option: .notifications) else { return true }
        let result = try request(NotifyEnableParameters(isOn: true))
        prompter.say("Your notifications are on.", .good)
        for notice in result.notices where notice.kind == .missing { prompter.say(notice.message) }
        sayQuietCommutes(result)
        if result.subjects.isEmpty {
            prompter.say(
                "Give your commutes time windows, such as: transitctl commute add work-day home work --window 07:00-09:00 --days weekdays"
            )
        }
        return true
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

    /// Asks whether to use a source after the result of its check was shown.
    func confirmUse() throws(Failure) -> Bool {
        try confirm("Use it anyway?", defaultAnswer: false, option: .unverified, isRepeated: true)
    }

    func request<Call: ControlParameters>(_ call: Call) throws(Failure) -> Call.Reply {
        do throws(ClientError) { return try session.request(call) } catch { throw .client(error) }
    }

    /// - Parameter option: The option that answers the question.
    func answer(
        _ question: String, enter: Prompter.Enter = .nothing, option: GivenAnswers.Question? = nil
    ) throws(Failure) -> String {
        if let option, let text = given.take(option) { return text }
        do throws(Prompter.Failure) { return try prompter.ask(question, enter: enter) } catch {
            throw .prompter(error)
        }
    }

    /// - Parameters:
    ///   - option: The option that answers the question.
    ///   - isRepeated: Whether the option answers the question each time that it would be asked.
    func confirm(
        _ question: String, defaultAnswer: Bool, option: GivenAnswers.Question? = nil, isRepeated: Bool = false
    ) throws(Failure) -> Bool {
        if let option, let answer = isRepeated ? given.text(option) : given.take(option) { return answer == "y" }
        do throws(Prompter.Failure) { return try prompter.confirm(question, defaultAnswer: defaultAnswer) } catch {
            if error == .ended { return defaultAnswer }
            throw .prompter(error)
        }
    }

    func choose(_ question: String, among choices: [String]) throws(Failure) -> Int {
        do throws(Prompter.Failure) { return try prompter.choose(question, among: choices) } catch {
            throw .prompter(error)
        }
    }

    /// - Parameter option: The option that answers the question.
    func chooseOrEnter(
        _ question: String, among choices: [String], option: GivenAnswers.Question
    ) throws(Failure) -> Prompter.Choice {
        if let text = given.take(option) {
            let wanted = text.lowercased()
            return choices.firstIndex { $0.lowercased() == wanted }.map { .index($0) } ?? .text(text)
        }
        do throws(Prompter.Failure) { return try prompter.chooseOrEnter(question, among: choices) } catch {
            throw .prompter(error)
        }
    }

    func say(_ refusal: ControlError) {
        let refusal = refusal.naming { _ in "The answer" }
        prompter.say([refusal.message, refusal.hint].compactMap(\.self).joined(separator: " "), .caution)
    }

    private func report(_ failure: Failure) -> ExitStatus {
        switch failure {
        case .client(let error):
            session.report(error)
            return error.exitStatus
        case .configuration(let error): return ConfigurationChanger(session: session).report(error)
        case .prompter(.ended):
            prompter.say("Standard input has no more lines.", .bad)
            return .usage
        case .prompter(.interrupted): return .interrupted
        case .prompter(.quit), .prompter(.back):
            prompter.say(
                progress.hasChanges
                    ? "Everything that was set up so far is kept. To continue: transitctl setup"
                    : "Nothing was changed.")
            return .success
        case .prompter(.unreadable(let number)):
            prompter.say("Cannot read the answer: \(String(cString: strerror(number))).", .bad)
            return .failure
        }
    }
}
