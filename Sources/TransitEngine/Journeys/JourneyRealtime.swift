public import TransitModel

/// The trips with realtime data of one feed, in the form that a search for journeys reads.
///
/// Which trips count, and with which times, is decided by ``ReportedTrip`` and ``RealtimeDatasetViews``, as for boards and
/// direct trips. Trips of the timetable about which there is realtime data are left out of the scheduled ones and are
/// searched here instead.
///
/// Immutable. An object is valid for one moment: the validity of the data depends on its age.
public final class JourneyRealtime {
    /// Trips with the same calls in which no trip overtakes another.
    struct Line {
        /// The route of the network with the same calls; `nil` if the trips have calls of their own.
        var route: Int?
        /// The calls of trips without a route of the network.
        var calls: [JourneyNetwork.Call] = []
        var callCount: Int
        var trips: Range<Int>
        /// The shortest time of any trip from each call to the next, in seconds.
        fileprivate(set) var fastest: [Int32] = []
        /// The earliest departure and the latest arrival of any trip, in seconds from ``JourneyRealtime/base``.
        fileprivate(set) var earliest = Int32.max
        fileprivate(set) var latest = Int32.min
    }

    /// A trip of a line.
    struct Trip {
        var source: FoundTrip.Source
        /// The trip instance; `nil` for a trip that the timetable lacks.
        var key: TripInstanceKey?
        /// The position of its first call in ``times`` and ``usability``.
        var firstCall: Int
    }

    struct Usability: OptionSet {
        var rawValue: UInt8
        static let boarding = Self(rawValue: 1)
        static let alighting = Self(rawValue: 2)
    }

    /// A line at a node where it has a call of its own.
    struct Visit {
        var line: Int
        var position: Int
    }

    let views: RealtimeDatasetViews
    /// The moment from which ``times`` are measured, in seconds since 1970.
    let base: Int64
    private(set) var lines: [Line] = []
    private(set) var trips: [Trip] = []
    private(set) var times: ContiguousArray<JourneyNetwork.Times> = []
    /// Parallel to ``times``.
    private(set) var usability: ContiguousArray<Usability> = []
    /// For each route of the network, its lines as a range of ``lines``; only routes with lines.
    private(set) var linesOfRoutes: [Int: Range<Int>] = [:]
    /// For each route with lines, the shortest time of any trip, scheduled or not, from each call to the next, in seconds.
    private(set) var fastestOfRoutes: [Int: [Int32]] = [:]
    private(set) var visits: [Int: [Visit]] = [:]
    /// The lines that have calls of their own.
    private(set) var linesWithCalls: [Int] = []
    /// The position in ``trips`` of trips of the timetable, if the network has continuations.
    private(set) var numbers: [TripInstanceKey: (line: Int, trip: Int)] = [:]
    /// Bit `n` is set if there may be realtime data about the trip with the index `n`.
    private var reported: ContiguousArray<UInt64> = []

    /// Returns `nil` if there is no realtime data that can affect journeys.
    public init?(_ realtime: RealtimeDatasets?, _ network: JourneyNetwork, now: Instant) {
        guard let views = RealtimeDatasetViews(ofTrips: realtime, now: now) else { return nil }
        self.views = views
        base = now.secondsSince1970
        addReportedTrips(network)
        addExtraTrips(network)
        linesWithCalls = lines.indices.filter { lines[$0].route == nil }
        for (route, range) in linesOfRoutes {
            var fastest = network.calls(of: route).map { network.fastest[$0] }
            for line in range {
                for call in fastest.indices { fastest[call] = min(fastest[call], lines[line].fastest[call]) }
            }
            fastestOfRoutes[route] = fastest
        }
        for number in linesWithCalls {
            let line = lines[number]
            for (position, call) in line.calls.enumerated() where call.canBoard {
                visits[call.node, default: []].append(Visit(line: number, position: position))
            }
        }
        if !network.continuations.isEmpty {
            for (number, line) in lines.enumerated() {
                for trip in line.trips { if let key = trips[trip].key { numbers[key] = (number, trip) } }
            }
        }
    }

    /// Whether a scheduled trip is replaced by realtime data about it.
    @inline(__always)
    func isHidden(_ trip: UInt32, _ key: () -> TripInstanceKey) -> Bool {
        let word = Int(trip >> 6)
        guard word < reported.count, reported[word] & (1 << UInt64(trip & 63)) != 0 else { return false }
        return views.isHidden(key())
    }

    // MARK: Trips of the timetable

    /// A trip before it has a line.
    private struct Draft {
        var source: FoundTrip.Source
        var key: TripInstanceKey?
        var times: [JourneyNetwork.Times]
        var usability: [Usability]
    }

    private func addReportedTrips(_ network: JourneyNetwork) {
        for view in views.indices {
            let dataset = views[view].dataset
            for trip in dataset.trips { markReported(trip.key.trip) }
        }
        var added: Set<PatternIndex> = []
        for matched in views.indices.flatMap({ views[$0].dataset.patterns })
        where added.insert(matched.pattern.index).inserted { addLines(of: matched.pattern, network) }
    }

    private func markReported(_ trip: TripIndex) {
        let word = trip.position >> 6
        if word >= reported.count {
            reported.append(contentsOf: repeatElement(0, count: max(word + 1, reported.count * 2) - reported.count))
        }
        reported[word] |= 1 << UInt64(trip.position & 63)
    }

    private func addLines(of pattern: Pattern, _ network: JourneyNetwork) {
        let routes = network.routes(of: pattern.index.position).map { Int(network.routesByPattern[$0]) }
        guard let first = routes.first else { return }
        let calls = network.calls(of: first).map { network.calls[$0] }
        // A trip to which rules of transfers.txt refer has a route and nodes of its own.
        var drafts: [Int: [Draft]] = [:]
        for view in views.indices {
            let dataset = views[view].dataset
            for number in dataset.trips(on: pattern.index) {
                guard let trip = ReportedTrip(number, inView: view, of: views), trip.instance.isRunning else {
                    continue
                }
                let draft = draft(trip, number, view, calls)
                let moved = Int(trip.instance.firstCall)..<Int(trip.instance.firstCall) + calls.count
                if dataset.hasPlatformChange(in: moved) {
                    addMovedTrip(draft, trip, dataset, calls, network)
                } else {
                    let route = Self.singleRoute(of: trip.instance.key.trip, routes, network)
                    drafts[route ?? first, default: []].append(draft)
                }
            }
        }
        for (route, drafts) in drafts.sorted(by: { $0.key < $1.key }) { addLines(drafts, route: route) }
    }

    private static func singleRoute(of trip: TripIndex, _ routes: [Int], _ network: JourneyNetwork) -> Int? {
        routes.count < 2
            ? nil
            : routes.last { route in
                let trips = network.trips(of: route)
                return trips.count == 1 && network.tripReferences[trips.lowerBound].trip == trip.rawValue
            }
    }

    private func draft(
        _ trip: ReportedTrip, _ number: Int, _ view: Int, _ calls: [JourneyNetwork.Call]
    ) -> Draft {
        var times: [JourneyNetwork.Times] = []
        var usability: [Usability] = []
        times.reserveCapacity(calls.count)
        usability.reserveCapacity(calls.count)
        // If stated times contradict each other, a vehicle arrives no earlier than it leaves an earlier stop, as for direct
        // trips.
        var latest = Int64.min
        for (position, call) in calls.enumerated() {
            let stated = trip.times(at: position)
            let isSkipped = trip.isSkipped(at: position)
            let arrival = max(stated.arrival, latest)
            if !isSkipped, trip.isExpected(at: position) { latest = max(latest, stated.departure) }
            times.append(
                JourneyNetwork.Times(
                    arrival: Int32(clamping: arrival - base), departure: Int32(clamping: stated.departure - base)))
            var usable: Usability = []
            if !isSkipped {
                if call.canAlight { usable.insert(.alighting) }
                if call.canBoard, !trip.ends(at: position), !trip.hasPassed(position, at: base) {
                    usable.insert(.boarding)
                }
            }
            usability.append(usable)
        }
        return Draft(
            source: .reported(view: view, number: number), key: trip.instance.key, times: times, usability: usability)
    }

    /// Adds a trip that calls at other stops than scheduled.
    private func addMovedTrip(
        _ draft: Draft, _ trip: ReportedTrip, _ dataset: RealtimeDataset, _ calls: [JourneyNetwork.Call],
        _ network: JourneyNetwork
    ) {
        let moved = calls.enumerated().map { position, call in
            guard let stop = dataset.otherStop(position, of: trip.instance), stop.position < network.stopCount else {
                return call
            }
            return JourneyNetwork.Call(
                node: Int(network.nodesOfStops[stop.position]), canBoard: call.canBoard, canAlight: call.canAlight)
        }
        add([draft], Line(route: nil, calls: moved, callCount: moved.count, trips: 0..<0))
    }

    /// Distributes trips with the same calls to lines.
    private func addLines(_ drafts: [Draft], route: Int) {
        guard let callCount = drafts.first?.times.count else { return }
        let first = lines.count
        let sorted = drafts.sorted { left, right in
            left.times[0].departure != right.times[0].departure
                ? left.times[0].departure < right.times[0].departure
                : left.times[callCount - 1].arrival < right.times[callCount - 1].arrival
        }
        var sequences: [[Draft]] = []
        for draft in sorted {
            let fitting = sequences.indices.first { number in
                let last = sequences[number][sequences[number].count - 1]
                return Self.isOrdered(last, draft)
            }
            if let fitting { sequences[fitting].append(draft) } else { sequences.append([draft]) }
        }
        for sequence in sequences { add(sequence, Line(route: route, callCount: callCount, trips: 0..<0)) }
        linesOfRoutes[route] = first..<lines.count
    }

    /// Whether the second trip is never before the first, and riders can alight at the same calls. Otherwise riders may
    /// have to wait for the second one because the first one skips their stop.
    private static func isOrdered(_ one: Draft, _ other: Draft) -> Bool {
        for position in one.times.indices {
            if one.usability[position].contains(.alighting) != other.usability[position].contains(.alighting) {
                return false
            }
            if one.times[position].departure > other.times[position].departure { return false }
            if one.times[position].arrival > other.times[position].arrival { return false }
        }
        return true
    }

    private func add(_ drafts: [Draft], _ line: Line) {
        var line = line
        line.trips = trips.count..<trips.count + drafts.count
        for draft in drafts {
            trips.append(Trip(source: draft.source, key: draft.key, firstCall: times.count))
            times.append(contentsOf: draft.times)
            usability.append(contentsOf: draft.usability)
        }
        for time in drafts.lazy.flatMap(\.times) {
            line.earliest = min(line.earliest, time.departure)
            line.latest = max(line.latest, time.arrival)
        }
        line.fastest = (0..<line.callCount).map { call in
            call + 1 == line.callCount
                ? 0 : drafts.map { $0.times[call].shortest(to: $0.times[call + 1]) }.min() ?? 0
        }
        lines.append(line)
    }

    // MARK: Trips that the timetable lacks

    private func addExtraTrips(_ network: JourneyNetwork) {
        for index in views.indices {
            let view = views[index]
            for (number, trip) in view.dataset.extraTrips.enumerated() where trip.calls.count > 1 {
                addExtraTrip(trip, number, view, index, network)
            }
        }
    }

    private func addExtraTrip(
        _ trip: ExtraTrip, _ number: Int, _ view: RealtimeDatasetView, _ index: Int, _ network: JourneyNetwork
    ) {
        guard view.validity(of: trip) != .outdated, trip.calls.allSatisfy({ $0.stop.position < network.stopCount })
        else { return }
        var draft = Draft(
            source: .extra(view: index, number: number, destination: nil), key: nil, times: [], usability: [])
        var calls: [JourneyNetwork.Call] = []
        var latest = Int64.min
        for (position, call) in trip.calls.enumerated() {
            let validity = view.validity(of: trip, at: position)
            let stated = view.times(at: position, of: trip, validity)
            let arrival = max(stated.arrival, latest)
            if call.isExpected { latest = max(latest, stated.departure) }
            let isUsable = !call.isSkipped && validity != .outdated
            let isLast = position == trip.calls.count - 1 || trip.earlyTerminus == position
            draft.times.append(
                JourneyNetwork.Times(
                    arrival: Int32(clamping: arrival - base), departure: Int32(clamping: stated.departure - base)))
            draft.usability.append(isUsable ? (isLast ? .alighting : [.boarding, .alighting]) : [])
            calls.append(
                JourneyNetwork.Call(
                    node: Int(network.nodesOfStops[call.stop.position]), canBoard: !isLast, canAlight: position > 0))
        }
        add([draft], Line(route: nil, calls: calls, callCount: calls.count, trips: 0..<0))
    }
}
