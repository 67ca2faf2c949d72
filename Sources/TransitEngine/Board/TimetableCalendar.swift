public import TransitModel

/// The data of a timetable that a query needs in addition to the patterns: services and time zones.
public struct TimetableCalendar: Sendable {
    /// All services of the version, by ``ServiceIndex``.
    public let services: [Service]
    /// The time zones of the agencies, without duplicates; at least one.
    public let zones: [ServiceZone]
    /// The position in ``zones`` for each route. Empty if there is only one zone.
    private let zoneOfRoute: [UInt16]
    /// The latest call of any trip, including trips of frequencies.txt. It determines how many earlier service dates a
    /// query must search.
    public let latestStopTime: ServiceTime
    /// Whether no service ever runs, as in the timetable of a network that publishes its routes but no times.
    public let isWithoutTimes: Bool

    /// Creates the context of a timetable with a single time zone, as GTFS requires for all agencies of a feed.
    public init(services: [Service], zone: ServiceZone, latestStopTime: ServiceTime) {
        self.services = services
        self.latestStopTime = latestStopTime
        isWithoutTimes = Self.isWithoutTimes(services)
        zones = [zone]
        zoneOfRoute = []
    }

    /// Creates the context of a timetable whose agencies have different time zones. A route of an unknown agency uses
    /// the zone of the first agency.
    ///
    /// - Parameters:
    ///   - agencyZones: the zone of each agency. If there is no agency, UTC is used.
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

    /// Returns the time zone to which the times of a route refer.
    public func zone(of route: RouteIndex) -> ServiceZone { zones[zonePosition(of: route)] }

    func zonePosition(of route: RouteIndex) -> Int {
        zoneOfRoute.indices.contains(route.position) ? Int(zoneOfRoute[route.position]) : 0
    }

    /// Returns the exclusive upper limit of departures for a query at a moment: the end of the day `days` days later,
    /// in the first zone.
    public func horizon(at: Instant, days: Int) -> Instant {
        zones[0].instant(date: zones[0].civil(at: at).date.advanced(by: max(0, days) + 1), secondsOfDay: 0)
    }
}
