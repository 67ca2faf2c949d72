internal import TransitClient
internal import TransitControl
internal import TransitModel
internal import TransitWire

// Checks of the URLs and keys that the user enters, and of the data after the import.
extension Setup {
    /// Checks an answer with the daemon and shows the result. If the check is not possible, or the data is doubtful, asks
    /// the user whether to use the answer anyway.
    func accepts(_ call: ProviderCheckParameters) throws(Failure) -> Bool { try state(of: call) == .accepted }

    /// The result of a check, after a question to the user.
    private enum CheckedState { case accepted, rejected, needsKey }

    private func state(of call: ProviderCheckParameters) throws(Failure) -> CheckedState {
        do throws(Failure) {
            let check = try request(call)
            prompter.say(check.message, check.state == .accepted ? .good : .caution)
            if check.needsKey { return .needsKey }
            if check.state != .unverified { return check.state == .accepted ? .accepted : .rejected }
            return try confirmUse() ? .accepted : .rejected
        } catch {
            guard case .client(.refused(let refusal)) = error, refusal.kind == .invalidParameters else { throw error }
            say(refusal)
            return .rejected
        }
    }

    // MARK: URLs and keys

    /// Checks a URL, and asks for a key if its server requires one. A key in the URL is moved out of it.
    ///
    /// - Parameter key: The key of the feed so far. It is sent to its hosts only.
    /// - Returns: The URL without a key, and the key for its host if it needs one; `nil` if the user has to enter another
    ///   URL.
    func checkedURL(
        _ text: String, _ dataset: DatasetName, of provider: ProviderSummary, _ key: SourceKey?
    ) throws(Failure) -> (url: String, key: SourceKey?)? {
        let source = SourceURL(text)
        var wanted: SourceKey?
        if let key, key.hosts.contains(source.host) {
            wanted = SourceKey(key: key.key, place: key.place, hosts: [source.host])
        }
        if let (parameter, value) = source.key {
            wanted = SourceKey(key: value, place: .parameter(parameter), hosts: [source.host])
            guard isOnlyKey(wanted, key) else { return nil }
            prompter.say(
                "The URL contains a key (\(parameter)). It is stored in a file that only transitd can read, not in the "
                    + "configuration.")
            let others = source.otherKeys.map { "`\($0)`" }.joined(separator: ", ")
            if !others.isEmpty {
                prompter.say("The URL also contains \(others), which would stay in the configuration.", .caution)
                guard try confirmUse() else { return nil }
            }
        }
        while true {
            switch try state(of: call(source, dataset, of: provider, wanted)) {
            case .accepted:
                return (source.url, wanted)
            case .rejected: return nil
            case .needsKey:
                let given: SourceKey?
                do throws(Failure) { given = try askSourceKey(for: source, after: wanted ?? key) } catch {
                    // The previous question asks for the URL.
                    guard case .prompter(.back) = error else { throw error }
                    return nil
                }
                guard let given, isOnlyKey(given, key) else { return nil }
                wanted = given
            }
        }
    }

    private func call(
        _ source: SourceURL, _ dataset: DatasetName, of provider: ProviderSummary, _ key: SourceKey?
    ) -> ProviderCheckParameters {
        var call = ProviderCheckParameters(
            provider: provider.name, key: key?.key, url: source.url, dataset: dataset)
        switch key?.place {
        case .header(let name): call.keyHeader = name
        case .parameter(let name): call.keyParameter = name
        case nil: break
        }
        return call
    }

    /// Whether a key can be that of the feed. A feed has one key, which is sent in one place.
    private func isOnlyKey(_ new: SourceKey?, _ known: SourceKey?) -> Bool {
        guard let new, let known, !known.hosts.allSatisfy(new.hosts.contains) else { return true }
        if new.key == known.key, new.place == known.place { return true }
        prompter.say(
            "A feed has one key, and that of \(known.hosts.joined(separator: ", ")) is another one. Add this source as a "
                + "feed of its own.", .caution)
        return false
    }

    /// Asks for a key and how it is sent. Returns `nil` if the user has no key.
    private func askSourceKey(for source: SourceURL, after known: SourceKey?) throws(Failure) -> SourceKey? {
        var key = ""
        while true {
            key = try hiddenKey(
                "API key for \(source.host)", enter: .uses(known == nil ? "another URL" : "the same key"))
            if key.isEmpty { key = known?.key ?? "" }
            if key.isEmpty { return nil }
            do throws(Failure) {
                return SourceKey(key: key, place: try askKeyPlace(), hosts: [source.host])
            } catch {
                // The previous question asks for the key.
                guard case .prompter(.back) = error else { throw error }
            }
        }
    }

    /// Asks how a key is sent.
    private func askKeyPlace() throws(Failure) -> KeyPlace {
        if let name = given.take(.setting("key_header")) { return .header(name) }
        if let name = given.take(.setting("key_parameter")) { return .parameter(name) }
        prompter.say("How is the key sent? See the documentation of the source.")
        let common = KeyPlace.common
        let choice = try choose(
            "Number", among: common.map(\.words) + ["another header", "another parameter of the URL"])
        if common.indices.contains(choice) { return common[choice] }
        while true {
            let name = try answer("Name of the \(choice == common.count ? "header" : "parameter")")
            if !name.isEmpty { return choice == common.count ? .header(name) : .parameter(name) }
        }
    }

    // MARK: Import

    /// Imports the timetables and shows what they contain. If an import fails, or the data is not what the user wants, the
    /// feed is removed from the configuration, because repeating the setup with the same answers would not help.
    ///
    /// - Returns: Whether the setup can go on; otherwise, the user wants to choose another source.
    func importAll(_ feeds: [FeedChoice]) throws(Failure) -> Bool {
        var removed: [String] = []
        for feed in feeds where try !isKept(feed) {
            try remove(feed)
            removed.append(feed.draft.id)
        }
        if removed.isEmpty { return true }
        prompter.say("Removed \(removed.joined(separator: ", ")) from the configuration.", .caution)
        return try !repeating { () throws(Failure) in
            try confirm("Choose another source?", defaultAnswer: false, option: .another)
        }
    }

    private func isKept(_ feed: FeedChoice) throws(Failure) -> Bool {
        let id = feed.draft.id
        let status = session.update(FeedUpdateParameters(feed: FeedID(id), progress: true), to: session.printNotice)
        if status == .interrupted { throw .prompter(.interrupted) }
        if status == .success { return feed.hasOwnSources ? try isRight(feed) : true }
        // If the source could not be reached, its data may be fine.
        if status == .failure {
            let isRemoved = try repeating { () throws(Failure) in
                try confirm(
                    "Remove \(id) from the configuration?", defaultAnswer: false, option: .removal, isRepeated: true)
            }
            if isRemoved { return false }
        }
        prompter.say("To try again later: transitctl feed update \(id)", .caution)
        return true
    }

    // MARK: Confirmation

    /// Shows the agencies, the region, the service dates and the share of realtime trips that are in the timetable, and asks
    /// whether this is the right data.
    private func isRight(_ feed: FeedChoice) throws(Failure) -> Bool {
        let id = FeedID(feed.draft.id)
        let names: [DatasetName] = [.tripUpdates, .vehicles, .alerts]
        for name in names where feed.draft.settings.contains(where: { $0.key == name.rawValue }) {
            // A source that fails now may work later; its dataset is then not counted below.
            let result = try request(RefreshParameters(feed: id, dataset: name, force: true))
            for dataset in result.datasets where [.failed, .refused].contains(dataset.outcome) {
                prompter.say("\(name.rawValue): \(dataset.message)", .caution)
            }
        }
        guard let status = try request(FeedListParameters()).feeds.first(where: { $0.id == id }) else { return true }
        let summary = FeedSummary(status)
        for line in summary.lines { prompter.show(line) }
        return try repeating { () throws(Failure) in
            try confirm("Is this the right data?", defaultAnswer: !summary.isDoubtful, option: .data)
        }
    }
}

/// The facts by which a person judges whether a feed is the right one.
struct FeedSummary {
    private(set) var lines: [Line] = []
    /// Whether the data is probably wrong: it has expired, or the realtime data belongs to another timetable.
    private(set) var isDoubtful = false

    init(_ feed: FeedStatus) {
        if !feed.agencies.isEmpty { add("Agency", feed.agencies.joined(separator: ", ")) }
        let zone = feed.timeZone.map { ["time zone \($0)"] } ?? []
        let stops = feed.exampleStops.isEmpty ? [] : ["stops such as \(feed.exampleStops.joined(separator: ", "))"]
        if !(zone + stops).isEmpty { add("Region", (zone + stops).joined(separator: "; ")) }
        if let dates = feed.serviceDates {
            let isExpired = (feed.daysLeft ?? 0) < 0
            add("Service", "\(dates.first) to \(dates.last)" + (isExpired ? ", which is over" : ""), isBad: isExpired)
        }
        guard let realtime = feed.realtime else { return }
        addShare(
            "Trip updates", of: realtime.tripsMatched, among: realtime.tripsMatched + realtime.tripsUnmatched, "trips")
        addShare(
            "Vehicles", of: realtime.vehicles - realtime.vehiclesUnmatched, among: realtime.vehicles, "vehicles")
    }

    private mutating func add(_ title: String, _ text: String, isBad: Bool = false) {
        lines.append(Line("  \(title): ", .strong) + Line(text, isBad ? .bad : .normal))
        if isBad { isDoubtful = true }
    }

    private mutating func addShare(_ title: String, of matched: Int, among all: Int, _ things: String) {
        guard all > 0 else { return }
        let isBad = matched * 2 < all
        add(
            title,
            "\(matched) of \(all) \(things) (\(matched * 100 / all) %) are in the timetable"
                + (isBad ? "; the data is probably for another city" : ""), isBad: isBad)
    }
}
