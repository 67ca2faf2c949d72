internal import Synchronization
package import TransitEngine
package import TransitModel
package import TransitStore

/// The opened current version of a feed, with cached data that requests derive from it. A timetable is immutable.
/// Each new version is a new object.
package final class Timetable: Sendable {
    package let feed: FeedID
    /// The number of the version.
    package let version: Int
    package let file: TimetableFile
    package let context: TimetableCalendar
    /// The time zones by agency.
    private let agencyZones: [ServiceZone]
    private let zones: TimeZoneDatabase
    private let cache = Mutex(Cache())
    /// Created on the first search for a route. The search has its own lock, because its creation reads the whole
    /// table of routes.
    private let cachedRouteSearch = Mutex<RouteSearch?>(nil)
    /// The cached mappings to the stops of the supplementary feed.
    package let stopMappings = StopMappingCache()
    /// The keys of learned delays of recent departures.
    let delayKeys = DelayKeyCache()
    /// The network for searches of journeys, opened when it is first requested.
    let openedNetwork: OpenedJourneyNetwork
    /// The cached footpaths to the stops of other feeds.
    let journeyFootpaths = JourneyFootpathCache()
    /// The accessibility of trips and stops, for searches that depend on it.
    let journeyFacts = JourneyFactsCache()
    /// The entrances of stations, for walks of journeys.
    let stationEntrances = StationEntrancesCache()
    /// The realtime data as the last search for journeys read it.
    let journeyRealtime = JourneyRealtimeCache()

    /// Data that is cached because most requests are for the same few stops.
    private struct Cache {
        var cachedStops: [StopIndex: CachedStop] = [:]
        /// The same stops by their identifiers.
        var cachedStopIDs: [StopID: CachedStop] = [:]
        var texts: [TextIndex: String] = [:]
        /// Each trip has one slot, which it shares with others; empty before the first trip.
        var trips: [CachedTrip?] = []
        var walkingArea: [WalkingArea: Set<StopIndex>] = [:]
        /// The languages of the translations.
        var languages: [String]?
        /// The results of ``languages(near:)`` by requested language.
        var nearLanguages: [String: [String]] = [:]
        /// The rectangle around the stops; `nil` before it is first requested.
        var area: BoundingBox??
    }

    /// A stop with its station and time zone. This is a class so that the results of requests share it.
    package final class CachedStop: Sendable {
        package let index: StopIndex
        package let stop: Stop
        /// `nil` if the stop does not belong to a station.
        package let station: StopID?
        /// `nil` for the agency's time zone.
        package let zone: ServiceZone?
        /// The cached ``directionHint``; the outer value is `nil` before it is first requested.
        private let cachedDirectionHint = Mutex<StopDirectionHint??>(nil)

        fileprivate init(_ index: StopIndex, _ stop: Stop, station: StopID?, zone: ServiceZone?) {
            self.index = index
            self.stop = stop
            self.station = station
            self.zone = zone
        }

        package var id: StopID { stop.id }
        package var name: String { stop.name }
        package var platform: String? { stop.platform }
        package var coordinate: Coordinate? { stop.coordinate }

        /// The direction of travel that the stop's platform or name states; `nil` if they state none.
        package var directionHint: StopDirectionHint? {
            cachedDirectionHint.withLock { cached in
                if let cached { return cached }
                let hint = StopDirectionHint(name: name, platform: platform)
                cached = .some(hint)
                return hint
            }
        }
    }

    /// A trip with its published texts. This is a class so that the results of requests share it.
    package final class CachedTrip: Sendable {
        package let index: TripIndex
        package let trip: Trip
        package let shortName: String?
        /// `nil` if the trip has no headsign of its own.
        package let headsign: String?

        fileprivate init(_ index: TripIndex, _ trip: Trip, shortName: String?, headsign: String?) {
            self.index = index
            self.trip = trip
            self.shortName = shortName
            self.headsign = headsign
        }

        package var id: TripID { trip.id }
    }

    /// A place with its walking radii in meters.
    package struct WalkingArea: Hashable, Sendable {
        package var place: Coordinate
        package var usual: Int
        package var widened: Int
    }

    /// The maximum number of places with cached stops.
    private static let maximumWalkingAreas = 64

    /// The maximum number of entries in `nearLanguages`.
    private static let maximumLanguages = 64

    /// The maximum number of cached stops; they take up to 800 KB.
    private static let maximumCachedStops = 2048

    /// The maximum number of cached trips; they take up to 300 KB.
    private static let maximumTrips = 1024

    /// The maximum number of cached texts; they take up to 100 KB.
    private static let maximumTexts = 1024

    /// - Parameter buildNetwork: Begins to build the network for journeys with walks up to a distance in meters, which ends
    ///   with ``finishJourneyNetwork(_:walkingDistance:)``. Returns the reason if it does not begin, as a sentence without
    ///   paths. `nil` to build the network in memory when it is requested.
    package init(
        feed: FeedID, version: Int, file: TimetableFile, zones: TimeZoneDatabase,
        buildNetwork: (@Sendable (Timetable, Double) -> String?)? = nil
    ) {
        openedNetwork = OpenedJourneyNetwork(build: buildNetwork)
        self.feed = feed
        self.version = version
        self.file = file
        self.zones = zones
        agencyZones = file.agencies.map { zones.zone(named: $0.timezone) ?? .utc }
        context = TimetableCalendar(
            services: file.services, agencyZones: agencyZones, routeAgencies: file.routes.lazy.map(\.agency),
            latestStopTime: file.summary.latestStopTime)
    }

    /// The time zone of the first agency, which applies to dates that are not tied to a stop.
    package var zone: ServiceZone { agencyZones.first ?? .utc }

    package func zone(of route: RouteIndex) -> ServiceZone { context.zone(of: route) }

    package func route(_ index: RouteIndex) -> Route? {
        file.routes.indices.contains(index.position) ? file.routes[index.position] : nil
    }

    package func agency(of route: Route) -> Agency? {
        file.agencies.indices.contains(route.agency.position) ? file.agencies[route.agency.position] : nil
    }

    /// Returns the time zone that the feed specifies for a stop or its station (GTFS reference, stops.txt,
    /// `stop_timezone`).
    private func ownZone(of stop: Stop, station: Stop?) -> ServiceZone? {
        (station?.timezone ?? stop.timezone).flatMap { zones.zone(named: $0) }
    }

    package func cachedStop(_ index: StopIndex) throws(StoreError) -> CachedStop {
        if let cachedStop = cache.withLock({ $0.cachedStops[index] }) { return cachedStop }
        return try insert(try file.stop(index), at: index)
    }

    /// Returns the stop with an identifier; `nil` if this version has no such stop.
    package func cachedStop(id: StopID) throws(StoreError) -> CachedStop? {
        if let cachedStop = cache.withLock({ $0.cachedStopIDs[id] }) { return cachedStop }
        return try file.find(id).map { (found) throws(StoreError) in try insert(found.stop, at: found.index) }
    }

    /// Adds a stop to the cache.
    private func insert(_ stop: Stop, at index: StopIndex) throws(StoreError) -> CachedStop {
        let station = try stop.parent.map { (parent) throws(StoreError) in try file.stop(parent) }
        let cachedStop = CachedStop(index, stop, station: station?.id, zone: ownZone(of: stop, station: station))
        cache.withLock { cache in
            if cache.cachedStops.count >= Self.maximumCachedStops {
                cache.cachedStops.removeAll(keepingCapacity: true)
                cache.cachedStopIDs.removeAll(keepingCapacity: true)
            }
            cache.cachedStops[index] = cachedStop
            cache.cachedStopIDs[stop.id] = cachedStop
        }
        return cachedStop
    }

    /// Returns a trip. The trips that run now are on many boards.
    package func cachedTrip(_ index: TripIndex) throws(StoreError) -> CachedTrip {
        let slot = index.position % Self.maximumTrips
        let known = cache.withLock { cache in cache.trips.isEmpty ? nil : cache.trips[slot] }
        if let known, known.index == index { return known }
        let trip = try file.trip(index)
        let cachedTrip = CachedTrip(
            index, trip, shortName: try trip.shortName.map { (name) throws(StoreError) in try text(name) },
            headsign: try trip.headsign.map { (headsign) throws(StoreError) in try text(headsign) })
        cache.withLock { cache in
            if cache.trips.isEmpty { cache.trips = Array(repeating: nil, count: Self.maximumTrips) }
            cache.trips[slot] = cachedTrip
        }
        return cachedTrip
    }

    /// Returns a headsign, a block identifier or a train number.
    package func text(_ index: TextIndex) throws(StoreError) -> String {
        if let text = cache.withLock({ $0.texts[index] }) { return text }
        let text = try file.text(index)
        cache.withLock { cache in
            if cache.texts.count >= Self.maximumTexts { cache.texts.removeAll() }
            cache.texts[index] = text
        }
        return text
    }

    package func cachedStops(in walkingArea: WalkingArea) -> Set<StopIndex>? {
        cache.withLock { $0.walkingArea[walkingArea] }
    }

    package func cacheStops(_ stops: Set<StopIndex>, in walkingArea: WalkingArea) {
        cache.withLock { cache in
            if cache.walkingArea.count >= Self.maximumWalkingAreas { cache.walkingArea.removeAll() }
            cache.walkingArea[walkingArea] = stops
        }
    }

    /// Returns the rectangle around the stops; see ``TimetableFile/stopArea()``.
    package func area() throws(StoreError) -> BoundingBox? {
        if let known = cache.withLock({ $0.area }) { return known }
        let area = try file.stopArea()
        cache.withLock { $0.area = .some(area) }
        return area
    }

    /// Returns the languages of the feed's translations that match a requested language, the nearest first. Languages
    /// that match worse than the feed's own language are left out.
    package func languages(near language: String) throws(StoreError) -> [String] {
        if let known = cache.withLock({ $0.nearLanguages[language] }) { return known }
        let wanted = LanguageTag(language)
        let own = publishedLanguage.flatMap { wanted.distance(to: LanguageTag($0)) }
        let near = try languages.lazy
            .compactMap { tag in wanted.distance(to: LanguageTag(tag)).map { (distance: $0, tag: tag) } }
            .filter { entry in own.map { entry.distance <= $0 } ?? true }
            .sorted { ($0.distance, $0.tag) < ($1.distance, $1.tag) }.map(\.tag)
        cache.withLock { cache in
            if cache.nearLanguages.count >= Self.maximumLanguages { cache.nearLanguages.removeAll() }
            cache.nearLanguages[language] = near
        }
        return near
    }

    private var publishedLanguage: String? {
        [file.summary.feedInfo?.language, file.agencies.first?.language].compactMap { $0 }.first
    }

    /// The language of the published names; `nil` if the feed does not say it, or publishes names in several languages
    /// (GTFS reference, feed_info.txt, `feed_lang`: "mul").
    package var ownLanguage: String? {
        publishedLanguage.flatMap { $0.lowercased() == "mul" || $0.isEmpty ? nil : $0 }
    }

    private var languages: [String] {
        get throws(StoreError) {
            if let languages = cache.withLock({ $0.languages }) { return languages }
            let languages = try file.translatedLanguages()
            cache.withLock { $0.languages = languages }
            return languages
        }
    }

    /// The index for searching all routes with trips.
    package var routeSearch: RouteSearch {
        get throws(StoreError) {
            try cachedRouteSearch.withLock { (search) throws(StoreError) in
                if let search { return search }
                var served: Set<RouteIndex> = []
                for route in file.routes.indices where try file.hasTrips(RouteIndex(route)) {
                    served.insert(RouteIndex(route))
                }
                let created = RouteSearch(routes: file.routes) { served.contains($0) }
                search = created
                return created
            }
        }
    }

    /// False for a network without departure times.
    package var hasTimes: Bool { file.summary.serviceDates != nil }

    /// Whether the last service date has passed.
    package func isExpired(at now: Instant) -> Bool {
        guard let last = file.summary.serviceDates?.upperBound else { return false }
        return last < zone.civil(at: now).date
    }
}

/// Looks up trips and stops in this version of the timetable to match realtime data.
extension Timetable: TimetableLookup {
    package func patternPositions(ofTrips ids: [TripID]) throws -> [TripPatternPosition?] {
        try file.locate(ids).map { location in
            location.map {
                TripPatternPosition(pattern: $0.pattern, timingGroup: $0.timingGroup, position: $0.position)
            }
        }
    }

    package func stop(id: StopID) throws -> StopIndex? { try file.stop(id: id) }
    package func stop(_ index: StopIndex) throws -> Stop { try file.stop(index) }
    package func stopLocations(ofStops range: Range<Int>) throws -> [StopLocation] {
        try file.stopLocations(ofStops: range)
    }
    package func route(id: RouteID) -> RouteIndex? { file.route(id: id) }
    package var routeCount: Int { file.routes.count }
    package func routeID(_ index: RouteIndex) -> RouteID? { route(index)?.id }
    package func patterns(of route: RouteIndex) throws -> [Pattern] { try file.patterns(of: route) }

    package func patterns(at stop: StopIndex) throws -> [PatternCallPosition] { try file.patterns(at: stop) }

    package var isPartial: Bool { file.summary.subset != nil }
    package func isOutside(_ trip: TripID) throws -> Bool { try file.isOutside(trip) }

    package func path(of trip: TripIndex) throws -> [Coordinate] {
        guard let shape = try file.trip(trip).shape else { return [] }
        return try file.shape(shape).points
    }
}
