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
    /// A sequence of trips with the same calls in which no trip overtakes another one.
    public struct Route: Sendable {
        /// The pattern (``PatternIndex``) of all trips.
        public var pattern: UInt32
        /// The route of the timetable (``RouteIndex``).
        public var route: UInt32
        /// The position of the first call in ``JourneyNetwork/calls``; the calls end where those of the next route begin.
        public var firstCall: UInt32
        /// The position of the first trip in ``JourneyNetwork/trips``, likewise.
        public var firstTrip: UInt32
        /// The position of the first running time in ``JourneyNetwork/times``. The times of one timing group are
        /// consecutive.
        public var firstTime: UInt32
        /// The position of the first timing group in ``JourneyNetwork/timingGroups``, likewise.
        public var firstTimingGroup: UInt32

        public init(
            pattern: UInt32, route: UInt32, firstCall: UInt32, firstTrip: UInt32, firstTime: UInt32,
            firstTimingGroup: UInt32
        ) {
            self.pattern = pattern
            self.route = route
            self.firstCall = firstCall
            self.firstTrip = firstTrip
            self.firstTime = firstTime
            self.firstTimingGroup = firstTimingGroup
        }
    }

    /// A call of a route.
    public struct Call: Sendable {
        private var value: UInt32

        public init(node: Int, canBoard: Bool, canAlight: Bool) {
            value = UInt32(node) << 2 | (canBoard ? 1 : 0) | (canAlight ? 2 : 0)
        }

        /// The highest number of nodes of a network.
        public static let maximumNodes = 1 << 30

        public var node: Int { Int(value >> 2) }
        /// Whether riders may board (`pickup_type` is not 1).
        public var canBoard: Bool { value & 1 != 0 }
        /// Whether riders may alight (`drop_off_type` is not 1).
        public var canAlight: Bool { value & 2 != 0 }
    }

    /// A trip of a route at one start: the trip itself, or one of its repetitions according to frequencies.txt.
    public struct Trip: Sendable {
        /// The start in seconds of service time.
        public var start: Int32
        private var serviceAndGroup: UInt32

        public init(start: Int32, service: Int, timingGroup: Int) {
            self.start = start
            serviceAndGroup = UInt32(service) << 12 | UInt32(timingGroup)
        }

        /// The limits of `service` and `timingGroup`.
        public static let maximumServices = 1 << 20
        public static let maximumTimingGroups = 1 << 12

        public var service: Int { Int(serviceAndGroup >> 12) }
        /// The timing group, as a position among those of the route.
        public var timingGroup: Int { Int(serviceAndGroup & 0xFFF) }
    }

    /// What a trip of a route is in the timetable.
    public struct TripReference: Sendable {
        /// ``TripIndex``.
        public var trip: UInt32
        /// The position of the row of frequencies.txt among those of the timing group; -1 for a trip that runs once.
        public var frequency: Int32

        public init(trip: UInt32, frequency: Int32) {
            self.trip = trip
            self.frequency = frequency
        }
    }

    /// The times of a call, in seconds from the start of a trip.
    public struct Times: Sendable {
        public var arrival: Int32
        public var departure: Int32

        public init(arrival: Int32, departure: Int32) {
            self.arrival = arrival
            self.departure = departure
        }
    }

    /// A call of a route at a node.
    public struct Visit: Sendable {
        public var route: UInt32
        /// The position among the calls of the route.
        public var position: UInt32

        public init(route: UInt32, position: UInt32) {
            self.route = route
            self.position = position
        }
    }

    /// The kind of a change between two nodes.
    public enum FootpathKind: UInt8, Sendable {
        /// A walk, whose time depends on the walking speed; ``Footpath/value`` is the distance in meters.
        case walk = 0
        /// A change whose time transfers.txt states; ``Footpath/value`` is that time in seconds.
        case stated = 1
        /// A timed transfer (`transfer_type` 1): the departing vehicle waits. ``Footpath/value`` is a time in seconds.
        case timed = 2
        /// The change is not possible (`transfer_type` 3). Occurs only from a node to itself, where a change is otherwise
        /// possible without a footpath.
        case notPossible = 3
    }

    /// A change from one node to another, or a rule for changes within one node.
    public struct Footpath: Sendable {
        private var nodeAndKind: UInt32
        /// Meters or seconds, see ``FootpathKind``.
        public var value: UInt32

        public init(node: Int, kind: FootpathKind, value: UInt32) {
            nodeAndKind = UInt32(node) << 2 | UInt32(kind.rawValue)
            self.value = value
        }

        public var node: Int { Int(nodeAndKind >> 2) }
        public var kind: FootpathKind { FootpathKind(rawValue: UInt8(nodeAndKind & 3)) ?? .notPossible }
    }

    /// A trip that continues as another one in the same vehicle, on the same service date.
    public struct Continuation: Sendable {
        /// Both are positions in ``JourneyNetwork/trips``.
        public var trip: UInt32
        public var next: UInt32
        /// The route of `next`.
        public var route: UInt32

        public init(trip: UInt32, next: UInt32, route: UInt32) {
            self.trip = trip
            self.next = next
            self.route = route
        }
    }

    /// A route whose trips may continue as trips of another route.
    public struct RouteContinuation: Hashable, Sendable {
        public var route: UInt32
        public var next: UInt32

        /// Returns the continuations between routes, in ascending order.
        fileprivate static func all(
            of continuations: UnsafeBufferPointer<Continuation>, _ routes: UnsafeBufferPointer<Route>
        ) -> [Self] {
            var found: [Self] = []
            var route = 0
            for continuation in continuations {
                while route + 2 < routes.count, routes[route + 1].firstTrip <= continuation.trip { route += 1 }
                let next = Self(route: UInt32(route), next: continuation.route)
                if found.last != next { found.append(next) }
            }
            return Set(found).sorted { ($0.route, $0.next) < ($1.route, $1.next) }
        }
    }

    /// What a network was derived from. A network with another source is built again.
    public struct Source: Hashable, Sendable {
        /// A hash of the timetable version and of the rules of derivation. It is the same in all processes.
        public var hash: UInt64

        public init(hash: UInt64) { self.hash = hash }
    }

    /// The tables of a network, in the order of the file.
    public enum Table: Int, CaseIterable, Sendable {
        case nodesOfStops, stopsOfNodes, visitsOfNodes, visits, footpathsOfNodes, footpaths, routes, calls, trips,
            tripReferences, times, timingGroups, continuations, routesOfPatterns, routesByPattern, fastest,
            omissions

        /// The size of a row in bytes.
        public var stride: Int {
            switch self {
            case .routes: 24
            case .continuations: 12
            case .visits, .footpaths, .trips, .tripReferences, .times: 8
            default: 4
            }
        }
    }

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
    public let footpaths: UnsafeBufferPointer<Footpath>
    /// The routes, followed by one whose positions are the ends of the tables.
    public let routes: UnsafeBufferPointer<Route>
    public let calls: UnsafeBufferPointer<Call>
    public let trips: UnsafeBufferPointer<Trip>
    /// Parallel to ``trips``.
    public let tripReferences: UnsafeBufferPointer<TripReference>
    public let times: UnsafeBufferPointer<Times>
    /// The number of each timing group in its pattern.
    public let timingGroups: UnsafeBufferPointer<UInt32>
    /// Sorted by ``Continuation/trip`` and then by preference: the first one that runs on the service date is used.
    public let continuations: UnsafeBufferPointer<Continuation>
    /// For each pattern, the position of its first route in ``routesByPattern``, followed by the number of routes.
    public let routesOfPatterns: UnsafeBufferPointer<UInt32>
    /// The routes of each pattern.
    public let routesByPattern: UnsafeBufferPointer<UInt32>
    /// Parallel to ``calls``: the shortest time of any trip from the departure there to the arrival at the next call, in
    /// seconds; 0 for the last call of a route.
    public let fastest: UnsafeBufferPointer<Int32>
    /// The routes whose trips may continue as trips of another route, in ascending order.
    public let routeContinuations: [RouteContinuation]
    /// For each route, whether its trips may continue as others; empty if none do.
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
        footpaths = try table(.footpaths, Footpath.self)
        routes = try table(.routes, Route.self)
        calls = try table(.calls, Call.self)
        trips = try table(.trips, Trip.self)
        tripReferences = try table(.tripReferences, TripReference.self)
        times = try table(.times, Times.self)
        timingGroups = try table(.timingGroups, UInt32.self)
        continuations = try table(.continuations, Continuation.self)
        routesOfPatterns = try table(.routesOfPatterns, UInt32.self)
        routesByPattern = try table(.routesByPattern, UInt32.self)
        fastest = try table(.fastest, Int32.self)
        try Self.checkContinuations(continuations, trips, routes)
        routeContinuations = RouteContinuation.all(of: continuations, routes)
        var hasContinuations = [Bool](repeating: false, count: routeContinuations.isEmpty ? 0 : routes.count)
        for continuation in routeContinuations { hasContinuations[Int(continuation.route)] = true }
        self.hasContinuations = hasContinuations
        omissions = try table(.omissions, UInt32.self)
        source = header.source
        self.bytes = bytes
        try checkIndices()
        if let counts { try check(counts) }
    }

    /// Returns the nodes of a stop.
    @inlinable
    public func nodes(of stop: Int) -> Range<Int> { Int(nodesOfStops[stop])..<Int(nodesOfStops[stop + 1]) }

    /// Returns the range of a route's calls in ``calls``.
    @inlinable
    public func calls(of route: Int) -> Range<Int> {
        Int(routes[route].firstCall)..<Int(routes[route + 1].firstCall)
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

    /// Returns the routes of a pattern as a range of ``routesByPattern``.
    public func routes(of pattern: Int) -> Range<Int> {
        guard pattern + 1 < routesOfPatterns.count else { return 0..<0 }
        return Int(routesOfPatterns[pattern])..<Int(routesOfPatterns[pattern + 1])
    }

    /// Returns the range of the continuations of a trip (a position in ``trips``) in ``continuations``.
    public func continuations(of trip: Int) -> Range<Int> {
        let first = firstContinuation(from: trip)
        var end = first
        while end < continuations.count, continuations[end].trip == trip { end += 1 }
        return first..<end
    }

    private func firstContinuation(from trip: Int) -> Int {
        var (low, high) = (0, continuations.count)
        while low < high {
            let middle = (low + high) / 2
            if continuations[middle].trip < trip { low = middle + 1 } else { high = middle }
        }
        return low
    }

    // MARK: Checks

    private func checkIndices() throws(JourneyNetworkError) {
        let nodes = stopsOfNodes.count
        guard let last = routes.last, nodesOfStops.count > 0, visitsOfNodes.count == nodes + 1,
            footpathsOfNodes.count == nodes + 1, tripReferences.count == trips.count, fastest.count == calls.count,
            !routesOfPatterns.isEmpty
        else { throw .malformed("the tables have contradictory sizes") }
        try Self.checkOffsets(nodesOfStops, end: nodes, "nodes")
        try Self.checkOffsets(visitsOfNodes, end: visits.count, "visits")
        try Self.checkOffsets(footpathsOfNodes, end: footpaths.count, "footpaths")
        try Self.checkOffsets(routesOfPatterns, end: routesByPattern.count, "routes")
        let (stopCount, routeCount) = (stopCount, routeCount)
        guard stopsOfNodes.allSatisfy({ $0 < stopCount }), footpaths.allSatisfy({ $0.node < nodes }),
            routesByPattern.allSatisfy({ $0 < routeCount }), calls.allSatisfy({ $0.node < nodes })
        else { throw .malformed("an index is out of range") }
        guard last.firstCall == calls.count, last.firstTrip == trips.count, last.firstTime == times.count,
            last.firstTimingGroup == timingGroups.count
        else { throw .malformed("the last route does not end at the ends of the tables") }
        for route in 0..<routeCount {
            let (one, next) = (routes[route], routes[route + 1])
            guard one.firstCall <= next.firstCall, one.firstTrip <= next.firstTrip, one.firstTime <= next.firstTime,
                one.firstTimingGroup <= next.firstTimingGroup, next.firstTrip <= trips.count
            else { throw .malformed("the routes are out of order") }
            guard next.firstCall - one.firstCall > 1 else { throw .malformed("a route has fewer than two calls") }
            let groups = Int(next.firstTimingGroup - one.firstTimingGroup)
            guard Int(next.firstTime - one.firstTime) == groups * Int(next.firstCall - one.firstCall) else {
                throw .malformed("a route has another number of times than of calls")
            }
            for trip in Int(one.firstTrip)..<Int(next.firstTrip) where trips[trip].timingGroup >= groups {
                throw .malformed("a trip has an unknown timing group")
            }
        }
        for visit in visits {
            guard visit.route < routeCount,
                visit.position < routes[Int(visit.route) + 1].firstCall - routes[Int(visit.route)].firstCall
            else { throw .malformed("a visit has an unknown call") }
        }
    }

    private static func checkContinuations(
        _ continuations: UnsafeBufferPointer<Continuation>, _ trips: UnsafeBufferPointer<Trip>,
        _ routes: UnsafeBufferPointer<Route>
    ) throws(JourneyNetworkError) {
        var previous: UInt32 = 0
        for continuation in continuations {
            let route = Int(continuation.route)
            guard continuation.trip < trips.count, continuation.trip >= previous, route + 1 < routes.count,
                routes[route].firstTrip <= continuation.next, continuation.next < routes[route + 1].firstTrip
            else { throw .malformed("a continuation has an unknown trip") }
            previous = continuation.trip
        }
    }

    /// Checks the indices of the timetable's tables.
    private func check(_ counts: TimetableSummary.Counts) throws(JourneyNetworkError) {
        guard stopCount == counts.stops, routesOfPatterns.count == counts.patterns + 1,
            routes.dropLast().allSatisfy({ $0.pattern < counts.patterns && $0.route < counts.routes }),
            trips.allSatisfy({ $0.service < counts.services }),
            tripReferences.allSatisfy({ $0.trip < counts.trips })
        else { throw .malformed("it does not fit the timetable") }
    }

    private static func checkOffsets(
        _ offsets: UnsafeBufferPointer<UInt32>, end: Int, _ name: String
    ) throws(JourneyNetworkError) {
        var previous: UInt32 = 0
        for offset in offsets {
            guard offset >= previous else { throw .malformed("the offsets of \(name) descend") }
            previous = offset
        }
        guard offsets.first == 0, previous == end else {
            throw .malformed("the offsets of \(name) do not end at the end")
        }
    }
}

/// The bytes of a network and what keeps them in memory. The bytes must not change while the object exists.
public final class JourneyNetworkBytes: @unchecked Sendable {
    public let buffer: UnsafeRawBufferPointer
    private let release: @Sendable (UnsafeRawBufferPointer) -> Void

    /// - Parameter release: Called with the bytes when they are no longer used.
    public init(_ buffer: UnsafeRawBufferPointer, release: @escaping @Sendable (UnsafeRawBufferPointer) -> Void) {
        self.buffer = buffer
        self.release = release
    }

    /// Copies the bytes.
    public convenience init(copying bytes: [UInt8]) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
        copy.copyBytes(from: bytes)
        self.init(UnsafeRawBufferPointer(copy)) { $0.deallocate() }
    }

    deinit { release(buffer) }
}

/// Why bytes are not a ``JourneyNetwork``.
public enum JourneyNetworkError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The bytes do not begin as a network of this version does.
    case format
    /// The bytes are damaged.
    case malformed(String)

    public var description: String {
        switch self {
        case .format: "it has another format"
        case .malformed(let detail): detail
        }
    }
}

/// The beginning of a network: the format, the source, and the position of each table.
///
/// All numbers are little-endian: 8 bytes of format, 8 bytes of ``JourneyNetwork/Source/hash``, the checksum of all
/// following bytes as 8 bytes, and for each table its first byte and the number of its rows, 8 bytes each. Tables begin at
/// multiples of 8 bytes.
public struct JourneyNetworkHeader: Sendable {
    public var source: JourneyNetwork.Source
    public var checksum: UInt32
    /// The bytes of each ``JourneyNetwork/Table``.
    public var ranges: [Range<Int>]

    /// "transnt1" in ASCII.
    private static let format: UInt64 = 0x3174_6E73_6E61_7274
    /// The position of the bytes that the checksum covers.
    public static let checkedFrom = 24
    public static let size = checkedFrom + 16 * JourneyNetwork.Table.allCases.count

    public init(_ bytes: UnsafeRawBufferPointer) throws(JourneyNetworkError) {
        guard bytes.count >= Self.size, bytes.loadUnaligned(as: UInt64.self) == Self.format.littleEndian else {
            throw .format
        }
        guard Int(bitPattern: bytes.baseAddress) % 8 == 0 else { throw .malformed("it is not aligned") }
        func number(_ position: Int) -> UInt64 {
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
        }
        source = JourneyNetwork.Source(hash: number(8))
        guard let checksum = UInt32(exactly: number(16)) else { throw .malformed("its checksum is out of range") }
        self.checksum = checksum
        ranges = []
        var end = Self.size
        for table in JourneyNetwork.Table.allCases {
            let first = number(Self.checkedFrom + 16 * table.rawValue)
            let rows = number(Self.checkedFrom + 16 * table.rawValue + 8)
            let (size, overflow) = rows.multipliedReportingOverflow(by: UInt64(table.stride))
            guard !overflow, first % 8 == 0, first >= end, first <= bytes.count, size <= UInt64(bytes.count) - first
            else { throw .malformed("the table \(table) is not within the file") }
            ranges.append(Int(first)..<Int(first + size))
            end = Int(first + size)
        }
    }

    /// Returns the bytes of a header for tables of the given sizes, and the size of the whole network.
    public static func encode(
        _ source: JourneyNetwork.Source, rows: [Int], checksum: UInt32
    ) -> (bytes: [UInt8], size: Int) {
        var bytes: [UInt8] = []
        func append(_ number: UInt64) { withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) } }
        append(format)
        append(source.hash)
        append(UInt64(checksum))
        var first = size
        for table in JourneyNetwork.Table.allCases {
            append(UInt64(first))
            append(UInt64(rows[table.rawValue]))
            first = (first + rows[table.rawValue] * table.stride + 7) / 8 * 8
        }
        return (bytes, first)
    }
}
