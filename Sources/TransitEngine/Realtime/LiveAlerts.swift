public import TransitModel

/// The alerts of a feed, found by what they inform.
public struct LiveAlerts: Sendable {
    /// As published.
    public let alerts: [Alert]
    private var byAgency: [AgencyID: [Int]] = [:]
    private var byRoute: [RouteID: [Int]] = [:]
    private var byTrip: [TripID: [Int]] = [:]
    private var byStop: [StopID: [Int]] = [:]
    /// Those with a selector that names none of these.
    private var others: [Int] = []

    public init(_ alerts: [Alert]) {
        self.alerts = alerts
        for (number, alert) in alerts.enumerated() {
            for informed in alert.informed { list(number, under: informed) }
        }
    }

    /// Under the narrowest of what the selector names: all of it must fit.
    private mutating func list(_ number: Int, under informed: InformedEntity) {
        if let trip = informed.trip?.tripID {
            byTrip[trip, default: []].append(number)
        } else if let stop = informed.stopID {
            byStop[stop, default: []].append(number)
        } else if let route = informed.routeID ?? informed.trip?.routeID {
            byRoute[route, default: []].append(number)
        } else if let agency = informed.agencyID {
            byAgency[agency, default: []].append(number)
        } else {
            others.append(number)
        }
    }

    /// What an alert may be about.
    public struct Subject: Hashable, Sendable {
        public var agency: AgencyID?
        public var route: RouteID?
        /// `route_type`.
        public var routeType: Int?
        public var direction: Direction?
        public var trip: TripID?
        public var serviceDate: ServiceDate?
        /// The first departure of the run; `nil`: not known, so that no alert is left out for it.
        public var startTime: ServiceTime?
        /// The stop and its station; those of the arrival as well, when there is one.
        public var stops: [StopID]

        public init(
            agency: AgencyID? = nil, route: RouteID? = nil, routeType: Int? = nil, direction: Direction? = nil,
            trip: TripID? = nil, serviceDate: ServiceDate? = nil, startTime: ServiceTime? = nil, stops: [StopID] = []
        ) {
            self.agency = agency
            self.route = route
            self.routeType = routeType
            self.direction = direction
            self.trip = trip
            self.serviceDate = serviceDate
            self.startTime = startTime
            self.stops = stops
        }
    }

    /// The alerts that inform the subject and are active then; the most severe first, then as published.
    public func about(_ subject: Subject, at moment: Instant) -> [Alert] {
        if alerts.isEmpty { return [] }
        var numbers: Set<Int> = Set(others)
        if let trip = subject.trip { numbers.formUnion(byTrip[trip] ?? []) }
        if let route = subject.route { numbers.formUnion(byRoute[route] ?? []) }
        if let agency = subject.agency { numbers.formUnion(byAgency[agency] ?? []) }
        for stop in subject.stops { numbers.formUnion(byStop[stop] ?? []) }
        let found = numbers.filter { number in
            alerts[number].isActive(at: moment) && alerts[number].informed.contains { $0.informs(subject) }
        }
        return sorted(found)
    }

    /// The alerts that name one of these stops itself, active or not: the most severe first.
    public func naming(stops: [StopID]) -> [Alert] {
        var numbers: Set<Int> = []
        for stop in stops { numbers.formUnion(byStop[stop] ?? []) }
        return sorted(numbers)
    }

    private func sorted(_ numbers: Set<Int>) -> [Alert] {
        numbers.sorted { left, right in
            let (one, other) = (alerts[left].severity, alerts[right].severity)
            return one == other ? left < right : one > other
        }.map { alerts[$0] }
    }
}

extension InformedEntity {
    /// Whether everything that it names fits (GTFS-Realtime reference, *EntitySelector*). One that names nothing informs nobody.
    func informs(_ subject: LiveAlerts.Subject) -> Bool {
        var names = false
        func fits<Value: Equatable>(_ wanted: Value?, _ found: Value?) -> Bool {
            guard let wanted else { return true }
            names = true
            return wanted == found
        }
        guard fits(agencyID, subject.agency), fits(routeID, subject.route),
            fits(routeType.map(Int.init), subject.routeType), fits(trip?.tripID, subject.trip),
            fits(trip?.routeID, subject.route), fits(trip?.startDate, subject.serviceDate),
            fits(trip?.startTime, subject.startTime ?? trip?.startTime)
        else { return false }
        if let stopID {
            names = true
            guard subject.stops.contains(stopID) else { return false }
        }
        // A direction alone says nothing without its route.
        return names && fits(direction, subject.direction) && fits(trip?.direction, subject.direction)
    }
}
