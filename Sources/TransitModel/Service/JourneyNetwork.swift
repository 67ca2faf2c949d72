/// The connections of one timetable version in the form that a search for journeys reads: trips that do not overtake each
/// other, the visits of each stop, footpaths and continuations in the same vehicle.
///
/// A network is derived from a timetable and contains no information of its own. It is one block of bytes with the layout
/// of a network file, which is mapped into memory and read without decoding (see docs/formats.md). Its numbers are
/// indices of the timetable's tables.
///
/// The search (RAPTOR, Delling, Pajor and Werneck, "Round-Based Public Transit Routing") needs trips in order: a later
/// trip of a ``Route`` is never before an earlier one at any call. A pattern whose trips overtake each other is
/// therefore split into several routes. A *node* is a stop, or the part of a stop's visits to which special rules of
/// transfers.txt apply, so that the time of a change depends only on two nodes.
public final class JourneyNetwork: @unchecked Sendable {
    // The bytes are not changed while the object exists.

    /// For each stop, its first node, followed by the number of nodes. The first node of a stop is the one for visits
    /// without special rules.
    public let nodesOfStops: UnsafeBufferPointer<UInt32>
    /// The stop (``StopIndex``) of each node.
    public let stopsOfNodes: UnsafeBufferPointer<UInt32>
    /// For each node, the position of its first visit in ``visits``, followed by the number of visits.
    public let visitsOfNodes: UnsafeBufferPointer<UInt32>
    public let visits: UnsafeBufferPointer<Visit>
    /// For each node, the position of its first footpath in ``footpaths``, followed by the number of footpaths.
    public let footpathsOfNodes: UnsafeBufferPointer<UInt32>
    public let footpaths: Footpaths
    /// The footpaths whose way back is not a footpath, or not the same. There are few, because walks are the same.
    public let footpathsWithoutReverse: [FootpathWithoutReverse]
    /// The routes in the order of their patterns, followed by one whose positions are the ends of the tables.
    public let routes: UnsafeBufferPointer<Route>
    /// For each pattern, its first route, followed by the number of routes.
    public let routesOfPatterns: UnsafeBufferPointer<UInt32>
    public let calls: UnsafeBufferPointer<Call>
    /// Parallel to ``calls``: the seconds from the arrival to the departure, 0 if the departures are stored.
    public let dwells: UnsafeBufferPointer<UInt16>
    /// Parallel to ``calls``: the shortest time of any trip from the departure there to the arrival at the next call, in
    /// seconds, at most 32,767; 0 for the last call.
    public let fastest: UnsafeBufferPointer<Int16>
    public let trips: UnsafeBufferPointer<Trip>
    /// For each trip of the routes with repetitions, the row of frequencies.txt among those of the timing group; -1 for a
    /// trip that runs once.
    public let frequencies: UnsafeBufferPointer<Int32>
    /// The running times; see ``times(of:)``.
    let times: UnsafeBufferPointer<UInt8>
    @usableFromInline let timesStart: UnsafeRawPointer
    /// Bit `n` is set if the trip at the position `n` in ``trips`` may continue as another one; empty if none does.
    let continuing: UnsafeBufferPointer<UInt64>
    /// For each word of ``continuing``, the position of the first continuation of its trips.
    let continuationsOfTrips: UnsafeBufferPointer<UInt32>
    /// By trip, and then by preference: the first one that runs on the service date is used.
    let continuations: UnsafeBufferPointer<Continuation>
    /// The routes whose trips may continue as trips of another route, in ascending order. Each stands for those that share
    /// its calls, of which it is the first.
    public let routeContinuations: [RouteContinuation]
    /// For each route, whether its trips may continue as others and, for the first one that shares its calls, whether any of
    /// their trips may; empty if none do.
    public let hasContinuations: [Bool]
    /// How much of the timetable the network lacks, in the order of `JourneyNetworkOmissions`.
    public let omissions: UnsafeBufferPointer<UInt32>
    public let source: Source
    private let bytes: JourneyNetworkBytes

    public var nodeCount: Int { stopsOfNodes.count }
    public var stopCount: Int { nodesOfStops.count - 1 }
    public var routeCount: Int { routes.count - 1 }
    /// The size in bytes.
    public var size: Int { bytes.buffer.count }

    /// Checks the layout and every index, so that a search needs no checks.
    ///
    /// - Parameter counts: The sizes of the timetable to whose tables the network refers; `nil` if they are not known, as
    ///   in tests.
    /// - Throws: ``JourneyNetworkError`` if the bytes are not a network, contradict themselves or do not fit the timetable.
    public init(
        _ bytes: JourneyNetworkBytes, of counts: TimetableSummary.Counts? = nil
    ) throws(JourneyNetworkError) {
        let header = try JourneyNetworkHeader(bytes.buffer)
        func table<Row>(_ table: Table, _ type: Row.Type) throws(JourneyNetworkError) -> UnsafeBufferPointer<Row> {
            guard MemoryLayout<Row>.stride == table.stride else {
                throw .malformed("a row of \(table) has another size")
            }
            return UnsafeBufferPointer(
                rebasing: bytes.buffer[header.ranges[table.rawValue]].assumingMemoryBound(to: Row.self)[...])
        }
        nodesOfStops = try table(.nodesOfStops, UInt32.self)
        stopsOfNodes = try table(.stopsOfNodes, UInt32.self)
        visitsOfNodes = try table(.visitsOfNodes, UInt32.self)
        visits = try table(.visits, Visit.self)
        footpathsOfNodes = try table(.footpathsOfNodes, UInt32.self)
        footpaths = Footpaths(
            rows: try table(.footpaths, PackedFootpath.self), values: try table(.footpathValues, FootpathValue.self),
            rare: try table(.rareFootpathValues, RareFootpathValue.self))
        routes = try table(.routes, Route.self)
        routesOfPatterns = try table(.routesOfPatterns, UInt32.self)
        calls = try table(.calls, Call.self)
        dwells = try table(.dwells, UInt16.self)
        fastest = try table(.fastest, Int16.self)
        trips = try table(.trips, Trip.self)
        frequencies = try table(.frequencies, Int32.self)
        times = try table(.times, UInt8.self)
        guard let start = bytes.buffer.baseAddress else { throw .format }
        timesStart = start + header.ranges[Table.times.rawValue].lowerBound
        continuing = try table(.continuing, UInt64.self)
        continuationsOfTrips = try table(.continuationsOfTrips, UInt32.self)
        continuations = try table(.continuations, Continuation.self)
        omissions = try table(.omissions, UInt32.self)
        source = header.source
        self.bytes = bytes
        let tables = Continuations(
            continuing: continuing, ranks: continuationsOfTrips, rows: continuations, tripCount: trips.count)
        try tables.check()
        try Self.checkTrips(of: routes, tripCount: trips.count)
        let betweenRoutes = tables.betweenRoutes(routes)
        var hasContinuations = [Bool](repeating: false, count: betweenRoutes.isEmpty ? 0 : routes.count)
        for continuation in betweenRoutes { hasContinuations[Int(continuation.route)] = true }
        routeContinuations = Self.betweenFirstRoutes(betweenRoutes, routes)
        for continuation in routeContinuations { hasContinuations[Int(continuation.route)] = true }
        self.hasContinuations = hasContinuations
        try Self.checkFootpaths(footpaths, footpathsOfNodes, nodes: stopsOfNodes.count)
        footpathsWithoutReverse = footpaths.withoutReverse(footpathsOfNodes)
        try checkIndices()
        if let counts { try check(counts) }
    }

    /// Returns the nodes of a stop.
    @inlinable
    public func nodes(of stop: Int) -> Range<Int> { Int(nodesOfStops[stop])..<Int(nodesOfStops[stop + 1]) }

    /// Returns the range of a route's calls in ``calls``.
    @inlinable
    public func calls(of route: Int) -> Range<Int> {
        let first = Int(routes[route].firstCall)
        return first..<first + Int(routes[route].callCount)
    }

    /// Returns the range of a route's trips in ``trips``.
    @inlinable
    public func trips(of route: Int) -> Range<Int> {
        Int(routes[route].firstTrip)..<Int(routes[route + 1].firstTrip)
    }

    /// Returns the range of a node's visits in ``visits``.
    @inlinable
    public func visits(of node: Int) -> Range<Int> { Int(visitsOfNodes[node])..<Int(visitsOfNodes[node + 1]) }

    /// Returns the range of a node's footpaths in ``footpaths``.
    @inlinable
    public func footpaths(of node: Int) -> Range<Int> { Int(footpathsOfNodes[node])..<Int(footpathsOfNodes[node + 1]) }

    /// Returns the routes of a pattern.
    public func routes(of pattern: Int) -> Range<Int> {
        guard pattern + 1 < routesOfPatterns.count else { return 0..<0 }
        return Int(routesOfPatterns[pattern])..<Int(routesOfPatterns[pattern + 1])
    }

    /// Returns the routes that share the calls of a route, from that route on.
    @inlinable
    public func routes(sharingCallsOf route: Int) -> Range<Int> {
        let (first, pattern) = (routes[route].firstCall, routes[route].pattern)
        var end = route + 1
        while end < routes.count - 1, routes[end].firstCall == first, routes[end].pattern == pattern { end += 1 }
        return route..<end
    }

    /// Returns the running times of a route.
    @inlinable @inline(__always)
    public func times(of route: Route) -> JourneyRunningTimes {
        JourneyRunningTimes(route, times: timesStart, dwells: dwells)
    }

    /// Returns the trip (``TripIndex``) at a position in ``trips``.
    @inlinable
    public func reference(of trip: Int, in route: Route) -> UInt32 {
        route.firstReference &+ UInt32(trips[trip].reference)
    }

    /// Returns the row of frequencies.txt for a trip at a position in ``trips``; -1 for a trip that runs once.
    @inlinable
    public func frequency(of trip: Int, in route: Route) -> Int32 {
        route.firstFrequency == .max ? -1 : frequencies[Int(route.firstFrequency) + trip - Int(route.firstTrip)]
    }

    /// Whether any trip may continue as another one.
    public var hasContinuingTrips: Bool { !continuations.isEmpty }

    /// Whether a trip may continue as another one.
    ///
    /// - Parameter trip: A position in ``trips``.
    public func mayContinue(_ trip: Int) -> Bool {
        !continuing.isEmpty && continuing[trip >> 6] >> UInt64(trip & 63) & 1 != 0
    }

    /// Calls `body` with each trip as which a trip may continue and its route, in the order of preference.
    ///
    /// - Parameter trip: A position in ``trips``, as the trips that are passed on.
    public func forEachContinuation(of trip: Int, _ body: (_ next: Int, _ route: Int) -> Void) {
        Continuations(continuing: continuing, ranks: continuationsOfTrips, rows: continuations, tripCount: trips.count)
            .forEach(of: trip) { body($0, Continuations.route(of: $0, among: routes)) }
    }
}

extension JourneyNetwork {
    /// The footpaths of all nodes.
    public struct Footpaths: @unchecked Sendable {
        // The bytes belong to the network and are not changed.
        @usableFromInline let rows: UnsafeBufferPointer<PackedFootpath>
        @usableFromInline let values: UnsafeBufferPointer<FootpathValue>
        let rare: UnsafeBufferPointer<RareFootpathValue>

        public var count: Int { rows.count }

        /// Returns the node to which a footpath leads.
        @inlinable @inline(__always)
        public func node(_ number: Int) -> Int { rows[number].node }

        /// The footpaths that differ in kind and value, if they are frequent; their nodes are 0.
        public var frequentValues: [Footpath] {
            values.map { Footpath(node: 0, kind: $0.kind, value: $0.value, stepFree: $0.stepFree) }
        }

        /// Returns the position in ``frequentValues`` of the kind and value of a footpath; `nil` if they are not frequent.
        @inlinable @inline(__always)
        public func frequentValue(_ number: Int) -> Int? {
            let value = rows[number].value
            return value == PackedFootpath.rare ? nil : value
        }

        @inlinable @inline(__always)
        public subscript(number: Int) -> Footpath {
            let row = rows[number]
            let value = row.value == PackedFootpath.rare ? rareValue(number) : values[row.value]
            return Footpath(node: row.node, kind: value.kind, value: value.value, stepFree: value.stepFree)
        }

        @usableFromInline @inline(never)
        func rareValue(_ number: Int) -> FootpathValue {
            var (low, high) = (0, rare.count)
            while low < high {
                let middle = (low + high) / 2
                if rare[middle].footpath < number { low = middle + 1 } else { high = middle }
            }
            return low < rare.count ? rare[low].value : FootpathValue(kind: .notPossible, value: 0)
        }
    }
}
