internal import TransitControl
internal import TransitEngine
internal import TransitModel

/// An immutable snapshot of the data for one request, so that changes in the meantime do not affect the reply.
///
/// This is a class because every part of a reply refers to it.
final class RequestContext: Sendable {
    let now: Instant
    let caller: Caller
    let configuration: Configuration
    let feeds: [FeedSnapshot]
    let personal: PersonalState
    /// The signal that announces slow work, such as a search.
    let slowWork: SlowWorkSignal

    init(
        now: Instant, caller: Caller, configuration: Configuration, feeds: [FeedSnapshot], personal: PersonalState,
        slowWork: SlowWorkSignal
    ) {
        self.now = now
        self.caller = caller
        self.configuration = configuration
        self.feeds = feeds
        self.personal = personal
        self.slowWork = slowWork
    }

    /// Returns the same context with other feeds.
    func about(_ feeds: [FeedSnapshot]) -> RequestContext {
        RequestContext(
            now: now, caller: caller, configuration: configuration, feeds: feeds, personal: personal, slowWork: slowWork
        )
    }

    /// Returns the same context after a change of the caller's data.
    func withPersonalState(_ personal: PersonalState) -> RequestContext {
        RequestContext(
            now: now, caller: caller, configuration: configuration, feeds: feeds, personal: personal, slowWork: slowWork
        )
    }

    /// The time zone for times that are not tied to a place: the zone of the first timetable.
    var zone: ServiceZone { feeds.lazy.compactMap(\.timetable).first?.zone ?? .utc }

    /// `now` as a wire timestamp.
    var at: Timestamp { Timestamp(now, in: zone) }

    /// Returns the feed that a request names or, if it names none, all feeds.
    func feeds(named feed: FeedID?) throws(ControlError) -> [FeedSnapshot] {
        guard let feed else { return feeds }
        return [try self.feed(feed)]
    }

    func feed(_ id: FeedID) throws(ControlError) -> FeedSnapshot {
        if let feed = feeds.first(where: { $0.id == id }) { return feed }
        throw ControlError.feedNotFound(id, known: feeds.map(\.id))
    }

    /// Returns the timetables of the given feeds.
    ///
    /// - Parameter text: The stop, route or trip to find; it may name its feed (`feed:id`).
    /// - Throws: ``ErrorKind/feedNoData`` when no feed has a timetable, or when the named feed has none. Without a
    ///   timetable, it is not known which stops, routes and trips exist.
    static func timetables(
        of feeds: [FeedSnapshot], at now: Instant, naming text: String? = nil
    ) throws(ControlError) -> [Timetable] {
        if let text, let named = feeds.first(where: { $0.timetable == nil && text.hasPrefix("\($0.id):") }) {
            throw ControlError.noData([named], at: now)
        }
        let timetables = feeds.compactMap(\.timetable)
        if timetables.isEmpty { throw ControlError.noData(feeds, at: now) }
        return timetables
    }
}

extension Timestamp {
    /// Creates a timestamp with the zone's UTC offset at that instant.
    init(_ instant: Instant, in zone: ServiceZone) {
        self.init(instant, offset: zone.offset(at: instant))
    }
}

extension RequestContext {
    var commuteList: CommuteList { CommuteList(personal: personal, configuration: configuration) }

    var places: PlaceList { PlaceList(personal: personal, configuration: configuration) }

    /// Returns the time of a query: now, or the value of `--at`.
    func moment(_ text: String?, zone: ServiceZone) throws(QueryTimeError) -> Instant {
        try text.map { (text) throws(QueryTimeError) in try QueryTime.parse(text, now: now, zone: zone) } ?? now
    }

    /// Returns the feeds behind a reply: the feeds of the timetables and, after a radius search, also the feeds without
    /// a timetable.
    func feeds(behind accessStops: [AccessStops]) -> [FeedSnapshot] {
        let isRadiusSearch = accessStops.contains(where: \.isRadiusSearch)
        return feeds.filter { feed in
            accessStops.contains { $0.timetable.feed == feed.id } || (isRadiusSearch && feed.timetable == nil)
        }
    }

    /// Returns one of this request's timetables with the state of its feed.
    func view(of timetable: Timetable) -> FeedView {
        FeedView(timetable, of: feeds.first { $0.id == timetable.feed }, now: now)
    }

    /// Returns the realtime data for one of this request's timetables.
    func realtime(_ timetable: Timetable) -> RealtimeDatasets? { view(of: timetable).realtime }

    /// Returns the notices for a reply based on a timetable.
    func notices(about timetable: Timetable) -> [Notice] { view(of: timetable).notices }

    func rendering(_ timetable: Timetable, language: String?) -> DepartureRenderer {
        DepartureRenderer(view(of: timetable), language: language)
    }
}
