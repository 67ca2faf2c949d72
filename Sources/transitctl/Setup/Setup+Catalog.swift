internal import TransitClient
internal import TransitControl
internal import TransitModel

// Feeds from the catalog of public feeds.
extension Setup {
    /// The maximum number of feeds to choose from.
    private static let maximumChoices = 8

    /// Finds feeds by the name of a city and asks which one is meant. Returns `nil` if none is, or the catalog is not
    /// available.
    func findFeed(_ text: String) throws(Failure) -> CatalogFeed? {
        let result: FeedFindResult
        do throws(Failure) {
            result = try request(
                FeedFindParameters(text: text, count: Self.maximumChoices, language: session.language))
        } catch {
            guard case .client(.refused(let refusal)) = error else { throw error }
            say(refusal)
            return nil
        }
        for notice in result.notices { prompter.say(notice.message, .caution) }
        if let address = result.address { prompter.say("Near \(address):") }
        guard !result.feeds.isEmpty else {
            prompter.say("The catalog of public feeds has nothing for \"\(text)\".", .caution)
            return nil
        }
        if let feed = result.feeds.first(where: { $0.isNamed(text) }) {
            if feed.id != text.lowercased() {
                prompter.say("The catalog replaced \(text) with \(feed.id): \(feed.choiceText).", .caution)
            }
            return feed
        }
        let choice: Int
        do throws(Failure) {
            choice = try choose("Which one", among: result.feeds.map(\.choiceText) + ["none of these"])
        } catch {
            // The question before is that about the city.
            guard case .prompter(.back) = error else { throw error }
            return nil
        }
        return result.feeds.indices.contains(choice) ? result.feeds[choice] : nil
    }

    /// A question about a feed of the catalog.
    private enum CatalogQuestion { case key, keyName, name }

    /// Asks for the key and the name of a feed of the catalog. Returns `nil` if the feed cannot be used.
    func fill(_ feed: CatalogFeed, taken: [String]) throws(Failure) -> FeedChoice? {
        if let license = feed.license { prompter.say("License: \(license)", .faint) }
        guard let offered = feed.draft(id: "a")?.draft else {
            prompter.say("The catalog has no URL for this feed.", .caution)
            return nil
        }
        guard let sources = try usableSources(of: feed, offered) else { return nil }
        var (keyName, key, id): (String?, String?, String) = (nil, nil, "")
        try ask([CatalogQuestion.key, .keyName, .name]) { (question) throws(Failure) -> Bool in
            switch question {
            case .key:
                guard feed.needsKey else { return false }
                if let page = feed.keyPage { prompter.say("To get a key: \(page)", .faint) }
                key = try hiddenKey("API key for \(feed.provider)", enter: .uses("set it later"))
            case .keyName:
                guard feed.draft(id: "a")?.needsKeyName == true else { return false }
                keyName = try answer(
                    "Name of the parameter or header that contains the key, as the source's page says",
                    option: given.has(.setting("key_header")) ? .setting("key_header") : .setting("key_parameter"))
            case .name: id = try askName(feed.suggestedID.isEmpty ? nil : feed.suggestedID, taken: taken)
            }
            return true
        }
        guard let draft = feed.draft(id: id, keyName: keyName)?.draft else { return nil }
        if key?.isEmpty == true {
            prompter.say("To set the key later: transitctl key set \(id)", .caution)
            key = nil
        }
        return FeedChoice(draft: draft.with(sources), key: key, hasOwnSources: true)
    }

    /// Requests each source of a feed once. Returns `nil` if the timetable cannot be used.
    private func usableSources(
        of feed: CatalogFeed, _ draft: FeedDraft
    ) throws(Failure) -> CatalogSources? {
        prompter.say("Checking the sources of \(feed.id).", .faint)
        let sources = try feed.sources(of: draft) { (call) throws(Failure) in try request(call) }
        for notice in sources.notices { prompter.say(notice, .caution) }
        switch sources.problem {
        case nil: return sources
        case .refused(let message):
            prompter.say(message, .caution)
            return nil
        case .unreachable(let message):
            prompter.say(message, .caution)
            return try confirmUse() ? sources : nil
        }
    }
}
