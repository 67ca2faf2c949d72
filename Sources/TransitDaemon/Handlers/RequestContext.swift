internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitQueries
internal import TransitReplies
internal import TransitServer
internal import TransitStore
internal import TransitSystem
internal import TransitWire

/// An immutable snapshot of the data for one request, so that changes in the meantime do not affect the reply.
///
/// This is a class because every part of a reply refers to it.
final class RequestContext: Sendable {
    let caller: Caller
    let configuration: Configuration
    let feeds: [FeedSnapshot]
    /// The signal that announces slow work, such as a search.
    let slowWork: SlowWorkSignal
    /// The part of the data on which the results of queries depend.
    let query: QueryContext

    init(
        now: Instant, caller: Caller, configuration: Configuration, feeds: [FeedSnapshot], personal: PersonalState,
        slowWork: SlowWorkSignal, isCanceled: @escaping @Sendable () -> Bool = { false }
    ) {
        self.caller = caller
        self.configuration = configuration
        self.feeds = feeds
        self.slowWork = slowWork
        var views: [FeedView] = []
        views.reserveCapacity(feeds.count)
        // Iterates over positions, because copying a snapshot is expensive.
        for position in feeds.indices { views.append(feeds[position].view) }
        query = QueryContext(
            now: now, feeds: views, personal: personal,
            settings: QuerySettings(configuration, isAnonymous: caller.restriction == .anonymous),
            beginSlowWork: { slowWork.beginSlowWork() }, isCanceled: isCanceled)
    }

    /// Returns the same context after a change of the caller's data.
    func withPersonalState(_ personal: PersonalState) -> RequestContext {
        RequestContext(
            now: now, caller: caller, configuration: configuration, feeds: feeds, personal: personal, slowWork: slowWork
        )
    }

    var now: Instant { query.now }
    var personal: PersonalState { query.personal }
    /// The time zone for times that are not tied to a place: the zone of the first timetable.
    var zone: ServiceZone { query.zone }
    /// `now` as a wire timestamp.
    var at: Timestamp { query.at }

    /// Returns the feed that a request names or, if it names none, all feeds.
    func feeds(named feed: FeedID?) throws(ControlError) -> [FeedSnapshot] {
        guard let feed else { return feeds }
        return [try self.feed(feed)]
    }

    func feed(_ id: FeedID) throws(ControlError) -> FeedSnapshot {
        if let feed = feeds.first(where: { $0.id == id }) { return feed }
        throw ControlError.feedNotFound(id, known: feeds.map(\.id))
    }
}

/// Makes the snapshots of data from which requests are answered.
struct RequestContexts: Sendable {
    let clock: any DaemonClock
    let configuration: ConfigurationHolder
    let feeds: FeedRegistry
    let state: StateStore

    /// Returns a snapshot of the data for a request.
    func context(
        from caller: Caller, slowWork: SlowWorkSignal = SlowWorkSignal {},
        isCanceled: @escaping @Sendable () -> Bool = { false }
    ) -> RequestContext {
        RequestContext(
            now: clock.now(), caller: caller, configuration: configuration.current, feeds: feeds.all,
            personal: caller.restriction == .anonymous
                ? PersonalState() : PersonalState(state.userRecord(of: caller.uid)),
            slowWork: slowWork, isCanceled: isCanceled)
    }

    /// The time zone of the first feed.
    var zone: ServiceZone { feeds.all.lazy.compactMap(\.timetable).first?.zone ?? .utc }
    /// The daemon's time, in the zone of its first feed.
    var time: Timestamp { Timestamp(clock.now(), in: zone) }
}

extension QuerySettings {
    /// - Parameter isAnonymous: Whether to leave out the places and commutes of the configuration.
    init(_ configuration: Configuration, isAnonymous: Bool = false) {
        self.init()
        returnHour = configuration.queries.returnHour
        nextCount = configuration.queries.nextCount
        departuresCount = configuration.queries.departuresCount
        walkingRadius = configuration.queries.walkingRadius
        maxWalkingRadius = configuration.queries.maxWalkingRadius
        walkingSpeed = WalkingSpeed(kilometersPerHour: configuration.queries.walkingSpeed)
        maxChangeWalk = configuration.queries.maxChangeWalk
        changeUncertainty = configuration.queries.changeUncertainty
        if !isAnonymous {
            places = configuration.places
            commutes = configuration.commutes
        }
        units = configuration.insights.units
    }
}
