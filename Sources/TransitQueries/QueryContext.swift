package import TransitEngine
package import TransitModel
internal import TransitStore

/// The data of one query: the time, the feeds, the caller's places, commutes and favorites, and the settings. A query
/// depends on nothing else.
///
/// Immutable, so that changes in the meantime do not affect the result. This is a class because every part of a query
/// refers to it.
package final class QueryContext: Sendable {
    package let now: Instant
    /// In the order of the configuration.
    package let feeds: [FeedView]
    package let personal: PersonalState
    package let settings: QuerySettings
    /// The language of names and texts that no request names, as an IETF BCP 47 language tag; `nil` for those of the
    /// feeds. Notifications are decided with it.
    package let language: String?
    /// Called before work that takes several hundred microseconds or more, such as a search of all stop names.
    package let beginSlowWork: @Sendable () -> Void
    /// Returns whether the client no longer waits for the result. Long searches then end early.
    package let isCanceled: @Sendable () -> Bool

    package init(
        now: Instant, feeds: [FeedView], personal: PersonalState = PersonalState(),
        settings: QuerySettings = QuerySettings(), language: String? = nil,
        beginSlowWork: @escaping @Sendable () -> Void = {}, isCanceled: @escaping @Sendable () -> Bool = { false }
    ) {
        self.now = now
        self.feeds = feeds
        self.personal = personal
        self.settings = settings
        self.language = language
        self.beginSlowWork = beginSlowWork
        self.isCanceled = isCanceled
    }

    /// Returns the same context with other feeds.
    package func about(_ feeds: [FeedView]) -> QueryContext {
        QueryContext(
            now: now, feeds: feeds, personal: personal, settings: settings, language: language,
            beginSlowWork: beginSlowWork, isCanceled: isCanceled)
    }

    /// Returns the same context with another language.
    package func inLanguage(_ language: String?) -> QueryContext {
        QueryContext(
            now: now, feeds: feeds, personal: personal, settings: settings, language: language,
            beginSlowWork: beginSlowWork, isCanceled: isCanceled)
    }

    // MARK: Feeds

    /// The time zone for times that are not tied to a place: the zone of the first timetable.
    package var zone: ServiceZone { feeds.lazy.compactMap(\.timetable).first?.zone ?? .utc }

    /// Returns the feed that a request names or, if it names none, all feeds.
    package func feeds(named feed: FeedID?) throws(QueryError) -> [FeedView] {
        guard let feed else { return feeds }
        return [try self.feed(feed)]
    }

    /// Returns the feed that a request names or, if it names none, all feeds, as far as they have realtime data.
    package func feedsWithRealtime(named feed: FeedID?) -> [FeedView] {
        feeds.filter { ($0.id == feed || feed == nil) && $0.timetable != nil && $0.realtime != nil }
    }

    package func feed(_ id: FeedID) throws(QueryError) -> FeedView {
        if let feed = feeds.first(where: { $0.id == id }) { return feed }
        throw .feedNotFound(id, known: feeds.map(\.id))
    }

    /// Returns the feeds that can have the departures of a feed: the feed itself, the one that it supplements, and the others
    /// that supplement the same one.
    package func feedsOfAgency(_ feed: FeedID) -> [FeedID] {
        let agency = feeds.first { $0.id == feed }?.source.supplements ?? feed
        return feeds.filter { $0.id == agency || $0.source.supplements == agency }.map(\.id)
    }

    /// Returns the timetables of the given feeds.
    ///
    /// - Parameter text: The stop, route or trip to find; it may name its feed (`feed:id`).
    /// - Throws: ``QueryError/noData(_:)`` when no feed has a timetable, or when the named feed has none. Without a
    ///   timetable, it is not known which stops, routes and trips exist.
    package static func timetables(
        of feeds: [FeedView], naming text: String? = nil
    ) throws(QueryError) -> [Timetable] {
        if let text, let named = feeds.first(where: { $0.timetable == nil && text.hasPrefix("\($0.id):") }) {
            throw .noData([named])
        }
        let timetables = feeds.compactMap(\.timetable)
        if timetables.isEmpty { throw .noData(feeds) }
        return timetables
    }

    /// Returns the timetables of the feed that a request names or, if it names none, of all feeds.
    ///
    /// - Parameter text: The stop, route or trip to find; it may name its feed (`feed:id`).
    package func timetables(of feed: FeedID?, naming text: String? = nil) throws(QueryError) -> [Timetable] {
        try Self.timetables(of: feeds(named: feed), naming: text)
    }

    /// Returns the feed of a timetable; `nil` if the feed was removed from the configuration.
    package func feed(of timetable: Timetable) -> FeedView? { feeds.first { $0.id == timetable.feed } }

    /// Returns the realtime data for a timetable; `nil` if none matches this version of the timetable.
    package func realtime(_ timetable: Timetable) -> RealtimeDatasets? {
        guard let feed = feed(of: timetable), feed.timetable === timetable else { return nil }
        return feed.realtime
    }

    /// Whether a timetable is the current version of its feed.
    package func isCurrent(_ timetable: Timetable) -> Bool { feed(of: timetable)?.timetable === timetable }

    // MARK: Time

    /// Returns the time that the caller names; `nil` for now.
    package func time(_ text: String?, zone: ServiceZone) throws(QueryTimeError) -> QueryTime? {
        try text.map { (text) throws(QueryTimeError) in try QueryTime(text, now: now, zone: zone) }
    }

    /// Returns the time of a query: now, or the time that the caller names. A day is its first moment.
    package func moment(_ text: String?, zone: ServiceZone) throws(QueryTimeError) -> Instant {
        try time(text, zone: zone)?.start ?? now
    }

    // MARK: Personal data

    package var commuteList: CommuteList { CommuteList(personal: personal, settings: settings) }
    package var places: PlaceList { PlaceList(personal: personal, settings: settings) }
    package var favorites: FavoriteList { FavoriteList(personal.favorites) }

    /// Returns the position of a place; `nil` if the place is a stop that is not in any timetable.
    package func coordinate(of place: PlaceConfiguration) -> Coordinate? {
        switch place.location {
        case .coordinate(let coordinate): return coordinate
        case .stop(let stop):
            let timetable = feeds.first { $0.id == stop.feed }?.timetable
            // A stop that cannot be read has no position. Queries about the stop report the error.
            return (try? timetable?.file.find(stop.stop))?.stop.coordinate
        }
    }
}

/// The settings that affect results.
package struct QuerySettings: Sendable {
    /// The hour of the day, 0...24, from which the commute home is chosen.
    package var returnHour = 12
    /// The radius around a place, in meters, within which stops are searched.
    package var walkingRadius = 1000
    /// The radius in meters that is tried if there is no stop within ``walkingRadius``.
    package var maxWalkingRadius = 3000
    /// How fast riders walk, to and from stops and between them.
    package var walkingSpeed = WalkingSpeed.usual
    /// The greatest straight-line distance of a walk between two stops at a change, in meters.
    package var maxChangeWalk = Int(JourneyNetworkInput.defaultWalkingDistance)
    /// The places for all callers.
    package var places: [String: PlaceConfiguration] = [:]
    /// The commutes for all callers.
    package var commutes: [CommuteConfiguration] = []
    /// The number of departures in a result of `next`, 1...50, unless the request names one.
    package var nextCount = 3
    /// The number of departures in a result of `departures`, 1...50, unless the request names one.
    package var departuresCount = 10
    /// The least uncertainty in seconds of an arrival or a departure at a change for which no realtime data states one.
    package var changeUncertainty = 60
    /// The units of callers who did not choose any.
    package var units = UnitSetting.automatic

    package init() {}
}
