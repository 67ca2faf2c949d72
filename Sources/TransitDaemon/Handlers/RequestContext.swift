internal import TransitControl
internal import TransitEngine
internal import TransitModel

/// What one request is answered from: everything that may change meanwhile, taken once.
///
/// An object, since whatever has a part in an answer holds it, and nobody changes it.
final class RequestContext: Sendable {
    let now: Instant
    let caller: Caller
    let configuration: Configuration
    let feeds: [FeedSnapshot]
    let personal: PersonalState
    /// To be told before a search.
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

    /// The same question about other feeds.
    func about(_ feeds: [FeedSnapshot]) -> RequestContext {
        RequestContext(
            now: now, caller: caller, configuration: configuration, feeds: feeds, personal: personal, slowWork: slowWork
        )
    }

    /// The same question after the caller has changed something.
    func withPersonalState(_ personal: PersonalState) -> RequestContext {
        RequestContext(
            now: now, caller: caller, configuration: configuration, feeds: feeds, personal: personal, slowWork: slowWork
        )
    }

    /// The zone in which times without a place are told: the first timetable's.
    var zone: ServiceZone { feeds.lazy.compactMap(\.timetable).first?.zone ?? .utc }

    /// `now` as it stands in an answer.
    var at: Timestamp { Timestamp(now, in: zone) }

    /// The feeds that a request is about: the one that it names, else all.
    func feeds(named feed: FeedID?) throws(ControlError) -> [FeedSnapshot] {
        guard let feed else { return feeds }
        return [try self.feed(feed)]
    }

    func feed(_ id: FeedID) throws(ControlError) -> FeedSnapshot {
        if let feed = feeds.first(where: { $0.id == id }) { return feed }
        throw ControlError.feedNotFound(id, known: feeds.map(\.id))
    }

    /// The timetables of these feeds.
    ///
    /// - Parameter text: what is to be found in them; it may name its feed (`feed:id`).
    /// - Throws: ``ErrorKind/feedNoData`` when none of them has one, or the one that is named has none: then nothing is
    ///   known, which is not the same as that nothing runs, or that something is not there.
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
    /// The instant with the offset that the zone has then.
    init(_ instant: Instant, in zone: ServiceZone) {
        self.init(instant, offset: zone.offset(at: instant))
    }
}

extension RequestContext {
    var book: CommuteList { CommuteList(personal: personal, configuration: configuration) }

    var places: PlaceList { PlaceList(personal: personal, configuration: configuration) }

    /// The time that a question is for: now, or what `--at` says.
    func moment(_ text: String?, zone: ServiceZone) throws(QueryTimeError) -> Instant {
        try text.map { (text) throws(QueryTimeError) in try QueryTime.parse(text, now: now, zone: zone) } ?? now
    }

    /// The feeds behind an answer: those of the timetables, and, where stops were looked for around a place, also those
    /// that have none yet.
    func feeds(behind accessStops: [AccessStops]) -> [FeedSnapshot] {
        let isAround = accessStops.contains(where: \.isAround)
        return feeds.filter { feed in
            accessStops.contains { $0.timetable.feed == feed.id } || (isAround && feed.timetable == nil)
        }
    }

    /// A timetable of this question with what is known of its feed.
    func view(of timetable: Timetable) -> FeedView {
        FeedView(timetable, of: feeds.first { $0.id == timetable.feed }, now: now)
    }

    /// What is live about a timetable of this question.
    func live(_ timetable: Timetable) -> RealtimeTimetable? { view(of: timetable).live }

    /// What a reader of an answer from a timetable must know.
    func notices(about timetable: Timetable) -> [Notice] { view(of: timetable).notices }

    func rendering(_ timetable: Timetable, language: String?) -> DepartureRenderer {
        DepartureRenderer(view(of: timetable), language: language)
    }
}
