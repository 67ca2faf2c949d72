internal import TransitControl
internal import TransitEngine
internal import TransitModel

/// What one request is answered from: everything that may change meanwhile, taken once.
struct Question: Sendable {
    var now: Instant
    var caller: Caller
    var configuration: Configuration
    var feeds: [FeedSnapshot]
    var personal: PersonalState
    /// To be told before a search.
    var pace: AnswerPace

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
    /// - Throws: ``ErrorKind/feedNoData`` when none of them has one: then nothing is known, which is not the same as
    ///   that nothing runs.
    static func timetables(of feeds: [FeedSnapshot], at now: Instant) throws(ControlError) -> [Timetable] {
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

extension Question {
    var book: CommuteBook { CommuteBook(personal: personal, configuration: configuration) }

    var places: KnownPlaces { KnownPlaces(personal: personal, configuration: configuration) }

    /// The time that a question is for: now, or what `--at` says.
    func moment(_ text: String?, zone: ServiceZone) throws(AskedTimeError) -> Instant {
        try text.map { (text) throws(AskedTimeError) in try AskedTime.parse(text, now: now, zone: zone) } ?? now
    }

    /// The feeds behind an answer: those of the timetables, and, where stops were looked for around a place, also those
    /// that have none yet.
    func feeds(behind reaches: [Reach]) -> [FeedSnapshot] {
        let isAround = reaches.contains(where: \.isAround)
        return feeds.filter { feed in
            reaches.contains { $0.timetable.feed == feed.id } || (isAround && feed.timetable == nil)
        }
    }

    /// What is live about a timetable of this question.
    func live(_ timetable: Timetable) -> LiveTimetable? {
        feeds.firstIndex { $0.timetable === timetable }.flatMap { feeds[$0].liveTimetable }
    }

    /// What a reader of an answer from a timetable must know.
    func notices(about timetable: Timetable) -> [Notice] {
        feeds.firstIndex { $0.id == timetable.feed }.map { FeedNotices(now: now).about(feeds[$0]) } ?? []
    }

    func rendering(_ timetable: Timetable, language: String?) -> DepartureRendering {
        let confirmed = feeds.firstIndex { $0.id == timetable.feed }.flatMap { feeds[$0].confirmed }
        return DepartureRendering(
            timetable, live: live(timetable), confirmed: confirmed, now: now, language: language)
    }
}
