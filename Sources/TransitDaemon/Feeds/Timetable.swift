internal import Synchronization
internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// A feed's live version, opened, with what questions derive from it once. Never changes; a new version is a new one.
final class Timetable: Sendable {
    let feed: FeedID
    /// The number of the version.
    let version: Int
    let file: TimetableFile
    let context: TimetableContext
    /// By agency.
    private let agencyZones: [ServiceZone]
    private let zones: TimeZoneDatabase
    private let memory = Mutex(Memory())
    /// Created on the first search for a route. It has its own lock, because it reads the whole table.
    private let cachedRouteSearch = Mutex<RouteSearch?>(nil)
    /// Of the stops of the feed that is beside this one.
    let twins = StopMappingCache()

    /// What is kept of earlier questions, since the same few stops are asked about again and again.
    private struct Memory {
        var cachedStops: [StopIndex: CachedStop] = [:]
        var texts: [TextIndex: String] = [:]
        var walkingArea: [WalkingArea: Set<StopIndex>] = [:]
        /// The languages of the translations.
        var languages: [String]?
        /// The results of ``languages(near:)`` by requested language.
        var nearLanguages: [String: [String]] = [:]
    }

    /// A stop as it stands in a departure.
    struct CachedStop: Sendable {
        var id: StopID
        /// `nil`: it belongs to none.
        var station: StopID?
        var name: String
        var platform: String?
        var coordinate: Coordinate?
        /// `nil`: the agency's.
        var zone: ServiceZone?
    }

    /// A place and how far one walks from it.
    struct WalkingArea: Hashable, Sendable {
        var place: Coordinate
        var usual: Int
        var widened: Int
    }

    /// How many places' stops are kept.
    private static let maximumWalkingAreas = 64

    /// The maximum number of entries in `nearLanguages`.
    private static let maximumLanguages = 64

    /// How many stops and texts are kept: some hundred kilobytes at most.
    private static let maximumCachedStops = 1024

    init(feed: FeedID, version: Int, file: TimetableFile, zones: TimeZoneDatabase) {
        self.feed = feed
        self.version = version
        self.file = file
        self.zones = zones
        agencyZones = file.agencies.map { zones.zone(named: $0.timezone) ?? .utc }
        context = TimetableContext(
            services: file.services, agencyZones: agencyZones, routeAgencies: file.routes.lazy.map(\.agency),
            latestStopTime: file.summary.latestStopTime)
    }

    /// The zone of the first agency, in which dates are meant when nothing else is known.
    var zone: ServiceZone { agencyZones.first ?? .utc }

    func zone(of route: RouteIndex) -> ServiceZone { context.zone(of: route) }

    func route(_ index: RouteIndex) -> Route? {
        file.routes.indices.contains(index.position) ? file.routes[index.position] : nil
    }

    func agency(of route: Route) -> Agency? {
        file.agencies.indices.contains(route.agency.position) ? file.agencies[route.agency.position] : nil
    }

    /// The zone that the feed gives to a stop itself or to its station (GTFS reference, stops.txt, `stop_timezone`).
    private func ownZone(of stop: Stop, station: Stop?) -> ServiceZone? {
        (station?.timezone ?? stop.timezone).flatMap { zones.zone(named: $0) }
    }

    func cachedStop(_ index: StopIndex) throws(StoreError) -> CachedStop {
        if let cachedStop = memory.withLock({ $0.cachedStops[index] }) { return cachedStop }
        return try cachedStop(of: try file.stop(index), at: index)
    }

    /// For whoever has read the stop already: its departures will ask for it.
    func cachedStop(of stop: Stop, at index: StopIndex) throws(StoreError) -> CachedStop {
        if let cachedStop = memory.withLock({ $0.cachedStops[index] }) { return cachedStop }
        let station = try stop.parent.map { (parent) throws(StoreError) in try file.stop(parent) }
        let cachedStop = CachedStop(
            id: stop.id, station: station?.id, name: stop.name, platform: stop.platform,
            coordinate: stop.coordinate, zone: ownZone(of: stop, station: station))
        memory.withLock { memory in
            if memory.cachedStops.count >= Self.maximumCachedStops { memory.cachedStops.removeAll() }
            memory.cachedStops[index] = cachedStop
        }
        return cachedStop
    }

    /// A headsign, a block or a train number.
    func text(_ index: TextIndex) throws(StoreError) -> String {
        if let text = memory.withLock({ $0.texts[index] }) { return text }
        let text = try file.text(index)
        memory.withLock { memory in
            if memory.texts.count >= Self.maximumCachedStops { memory.texts.removeAll() }
            memory.texts[index] = text
        }
        return text
    }

    func remembered(_ walkingArea: WalkingArea) -> Set<StopIndex>? {
        memory.withLock { $0.walkingArea[walkingArea] }
    }

    func remember(_ stops: Set<StopIndex>, of walkingArea: WalkingArea) {
        memory.withLock { memory in
            if memory.walkingArea.count >= Self.maximumWalkingAreas { memory.walkingArea.removeAll() }
            memory.walkingArea[walkingArea] = stops
        }
    }

    /// The languages of the feed's translations that suit a requested language, the nearest first. Languages that are
    /// farther than the feed's own language are left out.
    func languages(near language: String) throws(StoreError) -> [String] {
        if let known = memory.withLock({ $0.nearLanguages[language] }) { return known }
        let wanted = LanguageTag(language)
        let own = [file.summary.feedInfo?.language, file.agencies.first?.language].compactMap { $0 }.first
            .flatMap { wanted.distance(to: LanguageTag($0)) }
        let near = try languages.lazy
            .compactMap { tag in wanted.distance(to: LanguageTag(tag)).map { (distance: $0, tag: tag) } }
            .filter { entry in own.map { entry.distance <= $0 } ?? true }
            .sorted { ($0.distance, $0.tag) < ($1.distance, $1.tag) }.map(\.tag)
        memory.withLock { memory in
            if memory.nearLanguages.count >= Self.maximumLanguages { memory.nearLanguages.removeAll() }
            memory.nearLanguages[language] = near
        }
        return near
    }

    private var languages: [String] {
        get throws(StoreError) {
            if let languages = memory.withLock({ $0.languages }) { return languages }
            let languages = try file.translatedLanguages()
            memory.withLock { $0.languages = languages }
            return languages
        }
    }

    /// Over the routes that have stops: others are of no use to anybody.
    var routeSearch: RouteSearch {
        get throws(StoreError) {
            try cachedRouteSearch.withLock { (made) throws(StoreError) in
                if let search = made { return search }
                var ridden: Set<RouteIndex> = []
                for route in file.routes.indices where try file.hasTrips(RouteIndex(route)) {
                    ridden.insert(RouteIndex(route))
                }
                let search = RouteSearch(routes: file.routes) { ridden.contains($0) }
                made = search
                return search
            }
        }
    }

    /// False for a network that tells where its routes go, and not when.
    var hasTimes: Bool { file.summary.serviceDates != nil }

    /// Whether its last service date is over.
    func isExpired(at now: Instant) -> Bool {
        guard let last = file.summary.serviceDates?.upperBound else { return false }
        return last < zone.civil(at: now).date
    }
}
