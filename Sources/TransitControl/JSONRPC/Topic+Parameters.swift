public import TransitWire

extension Topic {
    /// Returns the parameters of the request that the subscription repeats.
    ///
    /// - Throws: ``WireSchemaMismatch`` if a member is not a parameter of the method, or a required one is missing.
    public func parameters() throws(WireSchemaMismatch) -> any ControlParameters {
        try rejectUnrelatedMembers()
        return switch topic {
        case .next:
            NextParameters(
                commute: commute, from: from, to: to, count: count, changes: changes ?? 0, modes: modes,
                wheelchair: wheelchair, bicycles: bicycles, language: language)
        case .departures: try departures()
        case .vehicles:
            VehiclesParameters(
                feed: feed, route: route, stop: stop, trip: trip, count: count ?? Self.count, language: language)
        case .alerts:
            AlertsParameters(
                feed: feed, route: route, stop: stop, commute: commute, count: count ?? Self.count, language: language)
        case .favorite:
            FavoriteShowParameters(
                favorite: favorite, category: category, count: try boardCount(), language: language)
        case .status: StatusParameters(feed: feed, updates: true)
        case .notifications: NotificationsParameters(language: language)
        case .journey: PinnedJourneysParameters(language: language)
        }
    }

    private func departures() throws(WireSchemaMismatch) -> DeparturesParameters {
        guard let stop else { throw WireSchemaMismatch("is missing").inside("stop") }
        return DeparturesParameters(stop: stop, feed: feed, route: route, count: count, language: language)
    }

    /// The default maximum number of vehicles or alerts.
    private static let count = 100

    /// Returns the maximum number of departures for each favorite.
    private func boardCount() throws(WireSchemaMismatch) -> Int {
        guard let count else { return FavoriteShowParameters().count }
        guard (1...20).contains(count) else { throw WireSchemaMismatch("must be from 1 to 20").inside("count") }
        return count
    }

    private func rejectUnrelatedMembers() throws(WireSchemaMismatch) {
        let given: [(name: String, isGiven: Bool, takers: Set<TopicKind>)] = [
            ("commute", commute != nil, [.next, .alerts]),
            ("from", from != nil, [.next]),
            ("to", to != nil, [.next]),
            ("changes", changes != nil, [.next]),
            ("modes", !modes.isEmpty, [.next]),
            ("wheelchair", wheelchair, [.next]),
            ("bicycles", bicycles, [.next]),
            ("stop", stop != nil, [.departures, .vehicles, .alerts]),
            ("feed", feed != nil, [.departures, .vehicles, .alerts, .status]),
            ("route", route != nil, [.departures, .vehicles, .alerts]),
            ("trip", trip != nil, [.vehicles]),
            ("favorite", favorite != nil, [.favorite]),
            ("category", category != nil, [.favorite]),
            ("count", count != nil, [.next, .departures, .vehicles, .alerts, .favorite]),
            (
                "language", language != nil,
                [.next, .departures, .vehicles, .alerts, .favorite, .notifications, .journey]
            ),
        ]
        guard let stranger = given.first(where: { $0.isGiven && !$0.takers.contains(topic) }) else { return }
        throw WireSchemaMismatch("is not a member of the topic \(topic.rawValue)").inside(stranger.name)
    }
}
