import TransitEngine
import TransitModel
import TransitStore

/// The data that the engine needs in addition to a timetable file, prepared as in the daemon.
struct BenchmarkContext {
    let timetable: TimetableCalendar
    private let services: [Service]

    init(_ file: TimetableFile) {
        let zones = TimeZoneDatabase()
        services = file.services
        timetable = TimetableCalendar(
            services: file.services, agencyZones: file.agencies.map { zones.zone(named: $0.timezone) ?? .utc },
            routeAgencies: file.routes.lazy.map(\.agency), latestStopTime: file.summary.latestStopTime)
    }

    func zone(of route: RouteIndex) -> ServiceZone { timetable.zone(of: route) }

    func runs(_ service: ServiceIndex, on date: ServiceDate) -> Bool { services[service.position].runs(on: date) }
}

/// The lookups of trip matching in a timetable file, as in the daemon.
struct BenchmarkLookup: TimetableLookup {
    let file: TimetableFile
    let context: TimetableCalendar

    func patternPositions(ofTrips ids: [TripID]) throws -> [TripPatternPosition?] {
        try file.locate(ids).map { location in
            location.map {
                TripPatternPosition(pattern: $0.pattern, timingGroup: $0.timingGroup, position: $0.position)
            }
        }
    }

    func stop(id: StopID) throws -> StopIndex? { try file.stop(id: id) }
    func stop(_ index: StopIndex) throws -> Stop { try file.stop(index) }
    func stopLocations(ofStops range: Range<Int>) throws -> [StopLocation] { try file.stopLocations(ofStops: range) }
    func route(id: RouteID) -> RouteIndex? { file.route(id: id) }
    var routeCount: Int { file.routes.count }
    func routeID(_ index: RouteIndex) -> RouteID? {
        file.routes.indices.contains(index.position) ? file.routes[index.position].id : nil
    }
    func patterns(of route: RouteIndex) throws -> [Pattern] { try file.patterns(of: route) }

    func patterns(at stop: StopIndex) throws -> [PatternCallPosition] { try file.patterns(at: stop) }

    func path(of trip: TripIndex) throws -> [Coordinate] {
        guard let shape = try file.trip(trip).shape else { return [] }
        return try file.shape(shape).points
    }
}
