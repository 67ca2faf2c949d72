public import TransitModel

/// The alerts of a feed, found by what they inform.
public struct LiveAlerts: Sendable {
    /// How many alerts are shown with one departure: nobody reads more.
    public static let mostShown = 20

    /// As published.
    public let alerts: [Alert]
    // By the narrowest of what a selector names: all of it must fit. Each list has the most severe alerts first, so that
    // it is read only until enough is found.
    private var byAgency: [AgencyID: [Entry]] = [:]
    private var byRoute: [RouteID: [Entry]] = [:]
    private var byTrip: [TripID: [Entry]] = [:]
    private var byStop: [StopID: [Entry]] = [:]
    private var byType: [Int32: [Entry]] = [:]
    /// Of selectors that name only a date or time of a trip.
    private var others: [Entry] = []
    /// Positions in ``alerts``: the most severe first, then as published.
    private let order: [Int32]

    /// One selector of one alert.
    private struct Entry {
        /// Position in ``order``.
        var rank: Int32
        /// Position in the alert's selectors.
        var selector: Int32
    }

    public init(_ alerts: [Alert]) {
        self.alerts = alerts
        order = alerts.indices.sorted { left, right in
            let (one, other) = (alerts[left].severity, alerts[right].severity)
            return one == other ? left < right : one > other
        }.map { Int32(clamping: $0) }
        for (rank, number) in order.enumerated() {
            for (selector, informed) in alerts[Int(number)].informed.enumerated() {
                list(Entry(rank: Int32(clamping: rank), selector: Int32(clamping: selector)), under: informed)
            }
        }
    }

    private mutating func list(_ entry: Entry, under informed: InformedEntity) {
        if let trip = informed.trip?.tripID {
            byTrip[trip, default: []].append(entry)
        } else if let stop = informed.stopID {
            byStop[stop, default: []].append(entry)
        } else if let route = informed.routeID ?? informed.trip?.routeID {
            byRoute[route, default: []].append(entry)
        } else if let agency = informed.agencyID {
            byAgency[agency, default: []].append(entry)
        } else if let type = informed.routeType {
            byType[type, default: []].append(entry)
        } else if informed.trip != nil {
            others.append(entry)
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

    /// The alerts that inform the subject and are active then; the most severe first, then as published; at most
    /// ``mostShown``.
    public func about(_ subject: Subject, at moment: Instant) -> [Alert] {
        if alerts.isEmpty { return [] }
        var lists: [[Entry]?] = subject.stops.map { byStop[$0] }
        lists.append(subject.trip.flatMap { byTrip[$0] })
        lists.append(subject.route.flatMap { byRoute[$0] })
        lists.append(subject.agency.flatMap { byAgency[$0] })
        lists.append(subject.routeType.flatMap { byType[Int32(clamping: $0)] })
        lists.append(others)
        return found(
            in: lists.compactMap { $0 }, isShown: { $0.isActive(at: moment) }, isAbout: { $0.informs(subject) })
    }

    /// The alerts that name one of these stops itself, active or not: the most severe first; at most ``mostShown``.
    public func naming(stops: [StopID]) -> [Alert] {
        found(in: stops.compactMap { byStop[$0] }, isShown: { _ in true }, isAbout: { _ in true })
    }

    /// Reads the lists side by side in the order of their ranks, until enough alerts are found.
    ///
    /// `isShown` is called once for each alert: it may have as many periods as selectors.
    private func found(
        in lists: [[Entry]], isShown: (Alert) -> Bool, isAbout: (InformedEntity) -> Bool
    ) -> [Alert] {
        var next = Array(repeating: 0, count: lists.count)
        var found: [Alert] = []
        // The alert of the entry before, and whether its other selectors still matter.
        var last: (rank: Int32, isOpen: Bool)?
        while found.count < Self.mostShown {
            var nearest: (list: Int, entry: Entry)?
            for (list, entries) in lists.enumerated() where next[list] < entries.count {
                let entry = entries[next[list]]
                if nearest.map({ entry.rank < $0.entry.rank }) ?? true { nearest = (list, entry) }
            }
            guard let nearest else { break }
            next[nearest.list] += 1
            let rank = nearest.entry.rank
            let number = Int(order[Int(rank)])
            let isOpen = last?.rank == rank ? last?.isOpen == true : isShown(alerts[number])
            let isFound = isOpen && isAbout(alerts[number].informed[Int(nearest.entry.selector)])
            last = (rank, isOpen && !isFound)
            if isFound { found.append(alerts[number]) }
        }
        return found
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
