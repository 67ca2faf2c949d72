public import TransitModel

/// The alerts of a feed, found by what they inform.
public struct AlertIndex: Sendable {
    /// The maximum number of alerts that a departure shows.
    public static let maximumShown = 20
    /// How many selectors of active alerts are compared with one departure, beginning with those of the most severe alerts.
    public static let maximumCompared = 2000

    /// As published.
    public let alerts: [Alert]
    // Indexes by the narrowest entity that a selector names; all of the selector must match. Each list is sorted by
    // severity, so that a search stops as soon as it has found enough alerts.
    private var byAgency: [AgencyID: [Entry]] = [:]
    private var byRoute: [RouteID: [Entry]] = [:]
    private var byTrip: [TripID: [Entry]] = [:]
    private var byStop: [StopID: [Entry]] = [:]
    private var byType: [Int32: [Entry]] = [:]
    /// Selectors that name only a date or time of a trip.
    private var others: [Entry] = []
    /// Positions in ``alerts``, by descending severity, then in published order.
    private let order: [Int32]
    /// By rank: when the alert may be active. In one piece of memory, so that thousands that are not are passed over at once.
    private let spans: [Span]

    /// Seconds since 1970, the end not included.
    private struct Span {
        var start = Int64.min
        var end = Int64.max

        /// From the first period's start to the last one's end.
        init(_ periods: [Alert.ActivePeriod]) {
            if periods.isEmpty { return }
            start = periods.map { $0.start?.secondsSince1970 ?? .min }.min() ?? .min
            end = periods.map { $0.end?.secondsSince1970 ?? .max }.max() ?? .max
        }

        func contains(_ moment: Int64) -> Bool { start <= moment && moment < end }
    }

    /// One selector of one alert.
    private struct Entry {
        /// The position in ``order``.
        var rank: Int32
        /// The position in the alert's selectors.
        var selector: Int32
    }

    public init(_ alerts: [Alert]) {
        self.alerts = alerts
        order = alerts.indices.sorted { left, right in
            let (one, other) = (alerts[left].severity, alerts[right].severity)
            return one == other ? left < right : one > other
        }.map { Int32(clamping: $0) }
        spans = order.map { Span(alerts[Int($0)].activePeriods) }
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

    /// The alerts that inform the subject and are active at a moment, by descending severity, then in published order;
    /// at most ``mostShown``.
    public func about(_ subject: Subject, at moment: Instant) -> [Alert] {
        if alerts.isEmpty { return [] }
        var lists: [[Entry]?] = subject.stops.map { byStop[$0] }
        lists.append(subject.trip.flatMap { byTrip[$0] })
        lists.append(subject.route.flatMap { byRoute[$0] })
        lists.append(subject.agency.flatMap { byAgency[$0] })
        lists.append(subject.routeType.flatMap { byType[Int32(clamping: $0)] })
        lists.append(others)
        return found(
            in: lists.compactMap { $0 }, at: moment, isShown: { $0.isActive(at: moment) },
            isAbout: { $0.informs(subject) })
    }

    /// The alerts that name one of these stops itself, active or not, by descending severity; at most ``mostShown``.
    public func naming(stops: [StopID]) -> [Alert] {
        found(in: stops.compactMap { byStop[$0] }, isShown: { _ in true }, isAbout: { _ in true })
    }

    /// Merges the lists by rank, and stops when enough alerts are found or ``mostCompared`` selectors have been compared.
    ///
    /// - Parameters:
    ///   - moment: skips alerts that cannot be active then; `nil` skips none.
    ///   - isShown: called once for each alert, because an alert may have as many periods as selectors.
    private func found(
        in lists: [[Entry]], at moment: Instant? = nil, isShown: (Alert) -> Bool, isAbout: (InformedEntity) -> Bool
    ) -> [Alert] {
        var next = lists.map { firstActive(in: $0, from: 0, at: moment) }
        var found: [Alert] = []
        // The alert of the previous entry, and whether its other selectors still matter.
        var last: (rank: Int32, isOpen: Bool)?
        var compared = 0
        while found.count < Self.maximumShown, compared < Self.maximumCompared {
            var nearest: (list: Int, entry: Entry)?
            for (list, entries) in lists.enumerated() where next[list] < entries.count {
                let entry = entries[next[list]]
                if nearest.map({ entry.rank < $0.entry.rank }) ?? true { nearest = (list, entry) }
            }
            guard let nearest else { break }
            next[nearest.list] = firstActive(in: lists[nearest.list], from: next[nearest.list] + 1, at: moment)
            let rank = nearest.entry.rank
            let number = Int(order[Int(rank)])
            let isOpen = last?.rank == rank ? last?.isOpen == true : isShown(alerts[number])
            if isOpen { compared += 1 }
            let isFound = isOpen && isAbout(alerts[number].informed[Int(nearest.entry.selector)])
            last = (rank, isOpen && !isFound)
            if isFound { found.append(alerts[number]) }
        }
        return found
    }

    private func firstActive(in list: [Entry], from position: Int, at moment: Instant?) -> Int {
        guard let seconds = moment?.secondsSince1970 else { return position }
        var position = position
        while position < list.count, !spans[Int(list[position].rank)].contains(seconds) { position += 1 }
        return position
    }
}

extension InformedEntity {
    /// Whether everything that it names fits (GTFS-Realtime reference, *EntitySelector*). One that names nothing informs nobody.
    func informs(_ subject: AlertIndex.Subject) -> Bool {
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
