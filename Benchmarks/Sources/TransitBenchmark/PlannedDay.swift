import TransitEngine
import TransitModel
import TransitQueries
import TransitStore

/// The trips of one service date, and the changes between them that the timetable permits.
///
/// A change is planned from each arrival of a trip to the first departure of each other route and direction that leaves
/// enough time, at the same stop or at one to which the network has a footpath; of several stops, the one with the
/// shortest walk counts. The time in hand is at most ``maximumInHand``.
struct PlannedDay {
    /// A trip with its times in seconds from its start.
    struct Trip {
        var pattern: Pattern
        var timingGroup: Int
        /// The position in the timing group.
        var position: Int
        var key: TripInstanceKey
        var start: Instant
        var arrivals: [Int32]
        var departures: [Int32]

        var index: TripIndex { pattern.trip(timingGroup: timingGroup, position: position) }

        func arrival(_ call: Int) -> Instant { start.advanced(by: Int(arrivals[call])) }
        func departure(_ call: Int) -> Instant { start.advanced(by: Int(departures[call])) }

        func call(_ call: Int) -> ScheduledCall {
            ScheduledCall(
                pattern: pattern, timingGroup: timingGroup, tripPosition: position, serviceDate: key.serviceDate,
                position: call, start: start)
        }
    }

    /// A call of a trip, by its position in ``PlannedDay/trips``.
    struct Call: Hashable {
        var trip: Int
        var position: Int
    }

    struct Change {
        var arrival: Call
        var departure: Call
        /// The time in seconds that the change needs.
        var seconds: Int
        var isTimed: Bool
        /// The scheduled departure minus the scheduled arrival minus ``seconds``.
        var inHand: Int
    }

    /// The longest time in hand in seconds: riders seldom plan to wait longer.
    static let maximumInHand = 1800

    let date: ServiceDate
    private(set) var trips: [Trip] = []
    private(set) var changes: [Change] = []
    /// For each route of the network, its trips.
    private var tripsOfRoutes: [Range<Int>] = []
    private let network: JourneyNetwork

    init(_ date: ServiceDate, _ file: TimetableFile, _ context: BenchmarkContext, _ network: JourneyNetwork) throws {
        self.date = date
        self.network = network
        for route in 0..<network.routeCount {
            let first = trips.count
            let row = network.routes[route]
            let pattern = try file.pattern(PatternIndex(Int(row.pattern)))
            let day = context.zone(of: pattern.route).serviceDayStart(date)
            for number in network.trips(of: route) {
                let trip = network.trips[number]
                guard network.frequency(of: number, in: row) < 0, context.runs(ServiceIndex(trip.service), on: date)
                else { continue }
                let (reference, group) = (network.reference(of: number, in: row), Int(row.firstTimingGroup))
                guard let found = pattern.position(of: TripIndex(reference), near: group + trip.timingGroup) else {
                    continue
                }
                add(found, of: pattern, start: day.advanced(by: Int(row.start(of: trip))))
            }
            tripsOfRoutes.append(first..<trips.count)
        }
        for (number, trip) in trips.enumerated() {
            let route = tripsOfRoutes.firstIndex { $0.contains(number) } ?? 0
            addChanges(from: number, trip, ofRoute: route)
        }
        let trips = trips
        func time(_ change: Change) -> Instant { trips[change.arrival.trip].arrival(change.arrival.position) }
        changes.sort { time($0) < time($1) }
    }

    private mutating func add(_ found: (timingGroup: Int, position: Int), of pattern: Pattern, start: Instant) {
        var (arrivals, departures): ([Int32], [Int32]) = ([], [])
        pattern.readTimes(ofTimingGroup: found.timingGroup, arrivals: &arrivals, departures: &departures)
        let call = ScheduledCall(
            pattern: pattern, timingGroup: found.timingGroup, tripPosition: found.position, serviceDate: date,
            position: 0, start: start)
        trips.append(
            Trip(
                pattern: pattern, timingGroup: found.timingGroup, position: found.position,
                key: TripInstanceKey(call), start: start, arrivals: arrivals, departures: departures))
    }

    // MARK: Changes

    /// A route of the timetable in one direction.
    private struct Line: Hashable {
        var route: RouteIndex
        var direction: Direction?

        init(_ pattern: Pattern) { (route, direction) = (pattern.route, pattern.direction) }
    }

    private mutating func addChanges(from number: Int, _ trip: Trip, ofRoute route: Int) {
        let calls = network.calls(of: route).map { network.calls[$0] }
        let line = Line(trip.pattern)
        for position in calls.indices.dropFirst() where calls[position].canAlight {
            var best: [Line: Change] = [:]
            network.forEachChange(from: calls[position].node, at: .usual) { node, seconds, kind in
                let seconds = Int(seconds)
                let earliest = trip.arrival(position).advanced(by: seconds)
                for visit in network.visits(of: node).map({ network.visits[$0] }) {
                    guard let departure = departure(of: visit, at: earliest) else { continue }
                    let other = Line(trips[departure.trip].pattern)
                    let inHand = earliest.seconds(to: trips[departure.trip].departure(departure.position))
                    guard other != line, inHand <= Self.maximumInHand else { continue }
                    let change = Change(
                        arrival: Call(trip: number, position: position), departure: departure, seconds: seconds,
                        isTimed: kind == .timed, inHand: inHand)
                    if let former = best[other], (former.seconds, former.inHand) <= (seconds, inHand) { continue }
                    best[other] = change
                }
            }
            changes.append(contentsOf: best.values.sorted { ($0.departure.trip) < ($1.departure.trip) })
        }
    }

    /// Returns the first departure at a node from a time on, of the routes for which a visit stands.
    private func departure(of visit: JourneyNetwork.Visit, at earliest: Instant) -> Call? {
        let (route, position) = (visit.route, visit.position)
        let calls = network.calls(of: route)
        guard position < calls.count - 1, network.calls[calls.lowerBound + position].canBoard else { return nil }
        let next = network.routes(sharingCallsOf: route).compactMap { route in
            tripsOfRoutes[route].first { trips[$0].departure(position) >= earliest }
        }
        let trip = next.min { trips[$0].departure(position) < trips[$1].departure(position) }
        return trip.map { Call(trip: $0, position: position) }
    }
}
