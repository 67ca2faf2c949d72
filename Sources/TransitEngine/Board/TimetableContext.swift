public import TransitModel

/// What a question needs to know of a timetable besides the patterns: when services run, and by which clocks.
public struct TimetableContext: Sendable {
    /// Every service of the version; ``ServiceIndex`` points here.
    public let services: [Service]
    /// The zones of the routes' agencies, without repetition; at least one.
    public let zones: [ServiceZone]
    /// The position in ``zones`` of each route's zone. Empty when there is one zone.
    private let zoneOfRoute: [UInt16]
    /// The latest call of any trip, runs of frequencies.txt included: how many service dates back a question must look.
    public let latestStopTime: ServiceTime
    /// Whether no service ever runs: the timetable of a network that tells where its routes go and not when.
    public let isWithoutTimes: Bool

    /// A timetable whose routes all lie in one zone, as GTFS demands of all agencies of a feed.
    public init(services: [Service], zone: ServiceZone, latestStopTime: ServiceTime) {
        self.services = services
        self.latestStopTime = latestStopTime
        isWithoutTimes = Self.isWithoutTimes(services)
        zones = [zone]
        zoneOfRoute = []
    }

    /// A timetable whose agencies differ in their zones. A route of an agency that is not listed is counted in the first one's.
    ///
    /// - Parameters:
    ///   - agencyZones: the zone of each agency; UTC stands in when there is no agency.
    ///   - routeAgencies: the agency of each route.
    public init(
        services: [Service], agencyZones: [ServiceZone], routeAgencies: some Sequence<AgencyIndex>,
        latestStopTime: ServiceTime
    ) {
        var zones: [ServiceZone] = []
        let positions = agencyZones.map { zone in
            if let known = zones.firstIndex(of: zone) { return UInt16(known) }
            zones.append(zone)
            return UInt16(zones.count - 1)
        }
        self.services = services
        self.latestStopTime = latestStopTime
        isWithoutTimes = Self.isWithoutTimes(services)
        self.zones = zones.isEmpty ? [.utc] : zones
        zoneOfRoute =
            zones.count < 2
            ? [] : routeAgencies.map { positions.indices.contains($0.position) ? positions[$0.position] : 0 }
    }

    private static func isWithoutTimes(_ services: [Service]) -> Bool {
        !services.isEmpty && services.allSatisfy { $0.weekdays == 0 && $0.added.isEmpty }
    }

    /// The zone in which the times of a route are counted.
    public func zone(of route: RouteIndex) -> ServiceZone { zones[zonePosition(of: route)] }

    func zonePosition(of route: RouteIndex) -> Int {
        zoneOfRoute.indices.contains(route.position) ? Int(zoneOfRoute[route.position]) : 0
    }

    /// Where a question asked at that moment stops looking: the end of the day that lies `days` days later, in the first zone.
    ///
    /// What leaves at this moment or later is not in the answer.
    public func horizon(at: Instant, days: Int) -> Instant {
        zones[0].instant(date: zones[0].civil(at: at).date.advanced(by: max(0, days) + 1), secondsOfDay: 0)
    }
}
