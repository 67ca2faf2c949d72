public import TransitModel

/// The alerts of a feed, indexed by informed entity.
public struct AlertIndex: Sendable {
    /// The maximum number of alerts that a departure shows.
    public static let maximumShown = 20
    /// The maximum number of selectors of active alerts that are compared with one departure. Selectors of the most
    /// severe alerts come first.
    public static let maximumCompared = 2000

    /// All alerts, in published order.
    public let alerts: [Alert]
    // The selectors, indexed by the narrowest entity that each one names. An alert applies only if the whole selector
    // matches. Each list is sorted by severity, so a search stops as soon as it has found enough alerts.
    private var byAgency: [AgencyID: [Entry]] = [:]
    private var byRoute: [RouteID: [Entry]] = [:]
    private var byTrip: [TripID: [Entry]] = [:]
    private var byStop: [StopID: [Entry]] = [:]
    private var byType: [Int32: [Entry]] = [:]
    /// Selectors that name only the date or start time of a trip.
    private var others: [Entry] = []
    /// Positions in ``alerts``, sorted by descending severity and then by published order.
    private let order: [Int32]
    /// The time during which each alert may be active, by rank. The spans are contiguous in memory, so that a search
    /// skips thousands of inactive alerts quickly.
    private let spans: [Span]

    /// A half-open time span, in seconds since 1970.
    private struct Span {
        var start = Int64.min
        var end = Int64.max

        /// Creates the span from the start of the first period to the end of the last one.
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

    /// A departure or stop for which alerts are searched.
    public struct Subject: Hashable, Sendable {
        public var agency: AgencyID?
        public var route: RouteID?
        /// `route_type`.
        public var routeType: Int?
        public var direction: Direction?
        public var trip: TripID?
        public var serviceDate: ServiceDate?
        /// The first departure of the trip instance. If it is `nil`, the start time is unknown and no alert is excluded
        /// by its start time.
        public var startTime: ServiceTime?
        /// The departure stop and its station, and the arrival stop and its station if there is an arrival.
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

    /// Returns at most ``maximumShown`` alerts that apply to the subject and are active at a moment, by descending
    /// severity and then by published order.
    public func active(for subject: Subject, at moment: Instant) -> [Alert] {
        if alerts.isEmpty { return [] }
        var lists: [[Entry]?] = subject.stops.map { byStop[$0] }
        lists.append(subject.trip.flatMap { byTrip[$0] })
        lists.append(subject.route.flatMap { byRoute[$0] })
        lists.append(subject.agency.flatMap { byAgency[$0] })
        lists.append(subject.routeType.flatMap { byType[Int32(clamping: $0)] })
        lists.append(others)
        return found(
            in: lists.compactMap { $0 }, at: moment, isShown: { $0.isActive(at: moment) },
            isMatch: { $0.matches(subject) })
    }

    /// Returns at most ``maximumShown`` alerts that name one of the stops, active or not, by descending severity.
    public func naming(stops: [StopID]) -> [Alert] {
        found(in: stops.compactMap { byStop[$0] }, isShown: { _ in true }, isMatch: { _ in true })
    }

    /// Merges the lists by rank. The merge stops when enough alerts are found or ``maximumCompared`` selectors have
    /// been compared.
    ///
    /// - Parameters:
    ///   - moment: skips alerts that cannot be active at this moment; `nil` skips none.
    ///   - isShown: called once for each alert, because an alert may have as many periods as selectors.
    private func found(
        in lists: [[Entry]], at moment: Instant? = nil, isShown: (Alert) -> Bool, isMatch: (InformedEntity) -> Bool
    ) -> [Alert] {
        var next = lists.map { firstActive(in: $0, from: 0, at: moment) }
        var found: [Alert] = []
        // The alert of the previous entry, and whether its remaining selectors still have to be compared.
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
            let isFound = isOpen && isMatch(alerts[number].informed[Int(nearest.entry.selector)])
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
    /// Returns whether every field that the selector names matches the subject (GTFS-Realtime reference,
    /// *EntitySelector*). An empty selector matches nothing.
    func matches(_ subject: AlertIndex.Subject) -> Bool {
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
        // A direction without its route matches nothing.
        return names && fits(direction, subject.direction) && fits(trip?.direction, subject.direction)
    }
}
