public import TransitModel

/// What a network is built from.
public struct JourneyNetworkInput: Sendable {
    /// A stop, by ``StopIndex``.
    public struct Stop: Sendable {
        public var parent: StopIndex?
        public var coordinate: Coordinate?

        public init(parent: StopIndex? = nil, coordinate: Coordinate? = nil) {
            self.parent = parent
            self.coordinate = coordinate
        }
    }

    /// A row of transfers.txt whose trips have been found.
    public struct Transfer: Sendable {
        public var transfer: TransitModel.Transfer
        /// The trips of `from_trip_id` and `to_trip_id`. `nil` if the row states none.
        public var fromTrip: TripIndex?
        public var toTrip: TripIndex?

        public init(_ transfer: TransitModel.Transfer, fromTrip: TripIndex? = nil, toTrip: TripIndex? = nil) {
            self.transfer = transfer
            self.fromTrip = fromTrip
            self.toTrip = toTrip
        }
    }

    public var stops: [Stop]
    public var transfers: [Transfer]
    public var pathways: Pathways
    /// The block of each trip by ``TripIndex``; empty if no trip has one.
    public var blocks: [TextIndex?]
    /// The greatest straight-line distance of a walk between two stops, in meters.
    public var walkingDistance: Double

    /// The default of ``walkingDistance``.
    public static let defaultWalkingDistance = 500.0

    public init(
        stops: [Stop], transfers: [Transfer] = [], pathways: Pathways = Pathways(), blocks: [TextIndex?] = [],
        walkingDistance: Double = JourneyNetworkInput.defaultWalkingDistance
    ) {
        self.stops = stops
        self.transfers = transfers
        self.pathways = pathways
        self.blocks = blocks
        self.walkingDistance = walkingDistance
    }
}

/// What a network does not contain, because the timetable contradicts itself or exceeds a limit.
public struct JourneyNetworkOmissions: Hashable, Sendable {
    /// Rows of transfers.txt whose time is negative or longer than ``FootpathBuilder/maximumTransferTime``.
    public var implausibleTransfers = 0
    /// Pairs of stops in walking distance beyond the limit of each stop.
    public var walks = 0
    /// Repetitions of trips according to frequencies.txt beyond the limit of a network.
    public var repetitions = 0
    /// Trips of patterns with more calls or services than a network can number.
    public var trips = 0
    /// Rules for single routes or trips at stops that have too many of them.
    public var specialRules = 0

    public init() {}

    /// The omissions of a network.
    public init(of network: JourneyNetwork) {
        for (part, count) in zip(Self.parts, network.omissions) { self[keyPath: part] = Int(count) }
    }

    /// The counts in the order in which a network has them.
    private static var parts: [WritableKeyPath<Self, Int>] {
        [\.implausibleTransfers, \.walks, \.repetitions, \.trips, \.specialRules]
    }

    /// The counts as a table of a network.
    var table: ContiguousArray<UInt32> { ContiguousArray(Self.parts.map { UInt32(clamping: self[keyPath: $0]) }) }
}

/// Builds the ``JourneyNetwork`` of a timetable.
public struct JourneyNetworkBuilder {
    /// A sequence of trips with the same calls in which no trip overtakes another one.
    struct Route {
        var pattern: UInt32
        var route: UInt32
        /// Positions in the tables.
        var firstCall: Int
        var callCount: Int
        var firstTrip: Int
        var timeBlock: Int
    }

    /// A trip of a route, or one of its repetitions.
    struct Trip {
        var start: Int32
        var service: Int
        /// The timing group of the pattern.
        var timingGroup: Int
        /// ``TripIndex``.
        var trip: UInt32
        /// The row of frequencies.txt among those of the timing group; -1 for a trip that runs once.
        var frequency: Int32
    }

    /// The running times of consecutive timing groups of a pattern.
    struct TimeBlock {
        /// The position in ``Tables/times``.
        var firstTime: Int
        var firstGroup: Int
        var groups: Int
        var callCount: Int
        /// Whether these are all timing groups of the pattern.
        var isWholePattern: Bool
    }

    /// A trip that continues as another one. Both are positions in ``Tables/trips``.
    struct Continuation {
        var trip: Int
        var next: Int
    }

    /// The tables, before they are written.
    struct Tables {
        /// The routes, followed by one with the ends of the tables.
        var routes: ContiguousArray<Route> = []
        var calls: ContiguousArray<JourneyNetwork.Call> = []
        var trips: ContiguousArray<Trip> = []
        var timeBlocks: [TimeBlock] = []
        var times: ContiguousArray<JourneyNetwork.Times> = []
        var nodesOfStops: ContiguousArray<UInt32> = []
        var stopsOfNodes: ContiguousArray<UInt32> = []
        var visitsOfNodes: ContiguousArray<UInt32> = []
        var visits: ContiguousArray<JourneyNetwork.Visit> = []
        var footpathsOfNodes: ContiguousArray<UInt32> = []
        var footpaths: ContiguousArray<JourneyNetwork.Footpath> = []
        var continuations: ContiguousArray<Continuation> = []
        var routesOfPatterns: ContiguousArray<UInt32> = [0]
        var fastest: ContiguousArray<Int16> = []
        var omissions: ContiguousArray<UInt32> = []

        /// The departure of a trip from its first call and its arrival at the last one, in seconds of service time.
        func ends(of trip: Int, in route: Route) -> (start: Int64, end: Int64) {
            let block = timeBlocks[route.timeBlock]
            let first = block.firstTime + (trips[trip].timingGroup - block.firstGroup) * route.callCount
            let start = Int64(trips[trip].start)
            return (
                start + Int64(times[first].departure), start + Int64(times[first + route.callCount - 1].arrival)
            )
        }
    }

    private let input: JourneyNetworkInput
    private var tables = Tables()
    /// The agency's route, and the trip if the route consists of one to which rules refer, of each route of the network.
    private var subjects: [JourneyNodes.Subject] = []
    private let tripsWithRules: Set<TripIndex>
    public private(set) var omissions = JourneyNetworkOmissions()

    /// The version of the rules by which a network is derived from a timetable. It is increased when the same timetable
    /// results in another network, so that networks of earlier releases are built again.
    public static let rules = 3

    /// The highest number of repetitions of trips in one network.
    private static let maximumRepetitions = 1_000_000

    public init(_ input: JourneyNetworkInput) {
        self.input = input
        tripsWithRules = Set(
            input.transfers.filter(\.isFootpathRule).flatMap { [$0.fromTrip, $0.toTrip].compactMap { $0 } })
    }

    /// Adds the next pattern. Patterns are added in the order of their indices.
    public mutating func add(_ pattern: Pattern) {
        if pattern.callCount > 1 {
            let times = TimingGroupMatrix(pattern)
            if pattern.callCount <= JourneyNetwork.Visit.maximumCalls, times.fastest(0..<times.count) != nil {
                addRoutes(of: pattern, times)
            } else {
                omissions.trips += pattern.column(.starts).count
            }
        }
        tables.routesOfPatterns.append(UInt32(tables.routes.count))
    }

    /// Completes the network and returns its bytes.
    ///
    /// - Parameter checksum: Computes the checksum of bytes.
    public mutating func finish(
        source: JourneyNetwork.Source, checksum: (UnsafeRawBufferPointer) -> UInt32
    ) -> [UInt8] {
        tables.routes.append(endOfRoutes)
        let nodes = JourneyNodes(input, subjects, &tables, &omissions)
        FootpathBuilder(input, nodes).build(&tables, &omissions)
        tables.continuations = ContinuationBuilder(input, tables).continuations()
        tables.omissions = omissions.table
        return JourneyNetworkEncoder(tables).bytes(source, checksum)
    }

    // MARK: Routes

    private var endOfRoutes: Route {
        Route(
            pattern: .max, route: .max, firstCall: tables.calls.count, callCount: 0, firstTrip: tables.trips.count,
            timeBlock: 0)
    }

    /// The trips of one time block whose numbers differ by less than 65,536.
    fileprivate struct Bucket {
        var timeBlock: Int
        var splitter: RouteSplitter
        var sequences: [[Trip]] = []
        /// The trips to which rules of transfers.txt refer.
        var single: [Trip] = []
    }

    private mutating func addRoutes(of pattern: Pattern, _ times: TimingGroupMatrix) {
        var candidates = self.candidates(of: pattern)
        candidates.sort { left, right in
            let (leftEnd, rightEnd) = (
                Int64(left.start) + Int64(times.end(left.timingGroup)),
                Int64(right.start) + Int64(times.end(right.timingGroup))
            )
            return (left.start, leftEnd, left.trip, left.frequency) < (
                right.start, rightEnd, right.trip, right.frequency
            )
        }
        guard let firstReference = candidates.lazy.map(\.trip).min() else { return }
        let firstBlock = tables.timeBlocks.count
        addTimes(times)
        var buckets: [Bucket] = []
        var numbers: [[Int]: Int] = [:]
        for candidate in candidates {
            let block = candidate.timingGroup / JourneyNetwork.Trip.maximumTimingGroups
            let key = [block, Int(candidate.trip - firstReference) >> 16]
            let number = numbers[key] ?? buckets.count
            if number == buckets.count {
                numbers[key] = number
                buckets.append(Bucket(timeBlock: firstBlock + block, splitter: RouteSplitter(times)))
            }
            buckets[number].add(candidate, isSingle: tripsWithRules.contains(TripIndex(candidate.trip)))
        }
        var shared: Int?
        for bucket in buckets {
            for sequence in bucket.sequences {
                for trips in Self.parts(of: sequence) { addRoute(trips, of: pattern, bucket.timeBlock, times, &shared) }
            }
        }
        for bucket in buckets {
            for trip in bucket.single {
                var own: Int?
                addRoute([trip], of: pattern, bucket.timeBlock, times, &own, trip: TripIndex(trip.trip))
            }
        }
    }

    /// Returns parts of a sequence whose starts differ by less than 65,536 of their common unit.
    private static func parts(of trips: [Trip]) -> [ArraySlice<Trip>] {
        var unit: Int64 = 0
        for trip in trips {
            var other = Int64(trip.start) - Int64(trips[0].start)
            while other != 0 { (unit, other) = (other, unit % other) }
        }
        var parts: [ArraySlice<Trip>] = []
        var first = 0
        for number in trips.indices
        where Int64(trips[number].start) - Int64(trips[first].start) > 0xFFFF * max(1, unit) {
            parts.append(trips[first..<number])
            first = number
        }
        return parts + [trips[first...]]
    }

    private mutating func candidates(of pattern: Pattern) -> [Trip] {
        var candidates: [Trip] = []
        let instances = PatternTripInstances(pattern)
        for timingGroup in 0..<instances.timingGroupCount {
            let first = pattern.firstTrip(ofTimingGroup: timingGroup)
            instances.forEachInstance(ofTimingGroup: timingGroup, from: Int64(Int32.min)) { instance, service in
                guard service.position < JourneyNetwork.Trip.maximumServices else {
                    omissions.trips += 1
                    return true
                }
                if instance.frequency >= 0 {
                    guard tables.trips.count + candidates.count < Self.maximumRepetitions else {
                        omissions.repetitions += 1
                        return false
                    }
                }
                candidates.append(
                    Trip(
                        start: instance.start, service: service.position, timingGroup: timingGroup,
                        trip: first.rawValue + UInt32(instance.trip), frequency: instance.frequency))
                return true
            }
        }
        return candidates
    }

    private mutating func addTimes(_ times: TimingGroupMatrix) {
        for first in stride(from: 0, to: times.count, by: JourneyNetwork.Trip.maximumTimingGroups) {
            let groups = min(JourneyNetwork.Trip.maximumTimingGroups, times.count - first)
            tables.timeBlocks.append(
                TimeBlock(
                    firstTime: tables.times.count, firstGroup: first, groups: groups, callCount: times.callCount,
                    isWholePattern: groups == times.count))
            for group in first..<first + groups { tables.times.append(contentsOf: times[group]) }
        }
    }

    /// - Parameter firstCall: The position of the calls, if another route of the pattern has added them.
    private mutating func addRoute(
        _ trips: ArraySlice<Trip>, of pattern: Pattern, _ timeBlock: Int, _ times: TimingGroupMatrix,
        _ firstCall: inout Int?, trip: TripIndex? = nil
    ) {
        guard tables.routes.count < JourneyNetwork.Visit.maximumRoutes else {
            omissions.trips += trips.count
            return
        }
        // A trip with rules has calls of its own.
        let group = trips[trips.startIndex].timingGroup
        let groups = trip == nil ? 0..<times.count : group..<group + 1
        let first = firstCall ?? addCalls(of: pattern, fastest: times.fastest(groups) ?? [])
        firstCall = first
        tables.routes.append(
            Route(
                pattern: pattern.index.rawValue, route: pattern.route.rawValue, firstCall: first,
                callCount: pattern.callCount, firstTrip: tables.trips.count, timeBlock: timeBlock))
        subjects.append(JourneyNodes.Subject(route: pattern.route, trip: trip))
        tables.trips.append(contentsOf: trips)
    }

    /// Adds calls whose nodes are their stops, and returns the position of the first one.
    private mutating func addCalls(of pattern: Pattern, fastest: [Int16]) -> Int {
        let first = tables.calls.count
        let last = pattern.callCount - 1
        for (position, call) in pattern.calls.enumerated() {
            tables.calls.append(
                JourneyNetwork.Call(
                    node: call.stop.position, canBoard: call.pickup != .none && position < last,
                    canAlight: call.dropOff != .none && position > 0))
        }
        tables.fastest.append(contentsOf: fastest)
        return first
    }
}

extension JourneyNetworkBuilder.Bucket {
    fileprivate mutating func add(_ trip: JourneyNetworkBuilder.Trip, isSingle: Bool) {
        if isSingle {
            single.append(trip)
            return
        }
        let number = splitter.sequence(
            for: trip.start, timingGroup: trip.timingGroup, service: ServiceIndex(trip.service))
        if number == sequences.count { sequences.append([]) }
        sequences[number].append(trip)
    }
}

extension JourneyNetworkInput.Transfer {
    /// Whether the row states how riders change between two vehicles, rather than stay in one.
    var isFootpathRule: Bool {
        switch transfer.kind {
        case .recommended, .timed, .minimumTime, .notPossible: true
        case .inSeat, .inSeatNotAllowed: false
        }
    }
}
