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
    /// The block of each trip by ``TripIndex``; empty if no trip has one.
    public var blocks: [TextIndex?]
    /// The greatest straight-line distance of a walk between two stops, in meters.
    public var walkingDistance: Double

    /// The default of ``walkingDistance``.
    public static let defaultWalkingDistance = 500.0

    public init(
        stops: [Stop], transfers: [Transfer] = [], blocks: [TextIndex?] = [],
        walkingDistance: Double = JourneyNetworkInput.defaultWalkingDistance
    ) {
        self.stops = stops
        self.transfers = transfers
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
    /// The tables, before they are written.
    struct Tables {
        var routes: ContiguousArray<JourneyNetwork.Route> = []
        var calls: ContiguousArray<JourneyNetwork.Call> = []
        var trips: ContiguousArray<JourneyNetwork.Trip> = []
        var tripReferences: ContiguousArray<JourneyNetwork.TripReference> = []
        var times: ContiguousArray<JourneyNetwork.Times> = []
        var timingGroups: ContiguousArray<UInt32> = []
        var nodesOfStops: ContiguousArray<UInt32> = []
        var stopsOfNodes: ContiguousArray<UInt32> = []
        var visitsOfNodes: ContiguousArray<UInt32> = []
        var visits: ContiguousArray<JourneyNetwork.Visit> = []
        var footpathsOfNodes: ContiguousArray<UInt32> = []
        var footpaths: ContiguousArray<JourneyNetwork.Footpath> = []
        var continuations: ContiguousArray<JourneyNetwork.Continuation> = []
        var routesOfPatterns: ContiguousArray<UInt32> = [0]
        var routesByPattern: ContiguousArray<UInt32> = []
        var fastest: ContiguousArray<Int32> = []
        var omissions: ContiguousArray<UInt32> = []
    }

    private let input: JourneyNetworkInput
    private var tables = Tables()
    /// The agency's route, and the trip if the route consists of one to which rules refer, of each route of the network.
    private var subjects: [JourneyNodes.Subject] = []
    private let tripsWithRules: Set<TripIndex>
    public private(set) var omissions = JourneyNetworkOmissions()

    /// The version of the rules by which a network is derived from a timetable. It is increased when the same timetable
    /// results in another network, so that networks of earlier releases are built again.
    public static let rules = 1

    /// The highest number of repetitions of trips in one network.
    private static let maximumRepetitions = 1_000_000

    public init(_ input: JourneyNetworkInput) {
        self.input = input
        tripsWithRules = Set(
            input.transfers.filter(\.isFootpathRule).flatMap { [$0.fromTrip, $0.toTrip].compactMap { $0 } })
    }

    /// Adds the next pattern. Patterns are added in the order of their indices.
    public mutating func add(_ pattern: Pattern) {
        let first = tables.routes.count
        if pattern.callCount > 1, pattern.callCount <= 1 << 16 {
            addRoutes(of: pattern)
        } else if pattern.callCount > 1 {
            omissions.trips += pattern.column(.starts).count
        }
        for route in first..<tables.routes.count { tables.routesByPattern.append(UInt32(route)) }
        tables.routesOfPatterns.append(UInt32(tables.routesByPattern.count))
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
        return encode(source, checksum)
    }

    // MARK: Routes

    /// A trip instance of a pattern before it has a route.
    private struct Candidate {
        var start: Int32
        var timingGroup: Int
        var service: ServiceIndex
        var reference: JourneyNetwork.TripReference
    }

    private var endOfRoutes: JourneyNetwork.Route {
        JourneyNetwork.Route(
            pattern: .max, route: .max, firstCall: UInt32(tables.calls.count), firstTrip: UInt32(tables.trips.count),
            firstTime: UInt32(tables.times.count), firstTimingGroup: UInt32(tables.timingGroups.count))
    }

    private mutating func addRoutes(of pattern: Pattern) {
        let times = TimingGroupMatrix(pattern)
        var candidates = self.candidates(of: pattern)
        candidates.sort { left, right in
            let (leftEnd, rightEnd) = (
                Int64(left.start) + Int64(times.end(left.timingGroup)),
                Int64(right.start) + Int64(times.end(right.timingGroup))
            )
            return (left.start, leftEnd, left.reference.trip, left.reference.frequency)
                < (right.start, rightEnd, right.reference.trip, right.reference.frequency)
        }
        var splitter = RouteSplitter(times)
        var sequences: [[Candidate]] = []
        var single: [Candidate] = []
        for candidate in candidates {
            if tripsWithRules.contains(TripIndex(candidate.reference.trip)) {
                single.append(candidate)
                continue
            }
            let number = splitter.sequence(
                for: candidate.start, timingGroup: candidate.timingGroup, service: candidate.service)
            if number == sequences.count { sequences.append([]) }
            sequences[number].append(candidate)
        }
        for sequence in sequences { addRoute(sequence, of: pattern, times, trip: nil) }
        for candidate in single {
            addRoute([candidate], of: pattern, times, trip: TripIndex(candidate.reference.trip))
        }
    }

    private mutating func candidates(of pattern: Pattern) -> [Candidate] {
        var candidates: [Candidate] = []
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
                    Candidate(
                        start: instance.start, timingGroup: timingGroup, service: service,
                        reference: .init(
                            trip: first.rawValue + UInt32(instance.trip), frequency: instance.frequency)))
                return true
            }
        }
        return candidates
    }

    private mutating func addRoute(
        _ trips: [Candidate], of pattern: Pattern, _ times: TimingGroupMatrix, trip: TripIndex?
    ) {
        tables.routes.append(endOfRoutes)
        tables.routes[tables.routes.count - 1].pattern = pattern.index.rawValue
        tables.routes[tables.routes.count - 1].route = pattern.route.rawValue
        subjects.append(JourneyNodes.Subject(route: pattern.route, trip: trip))
        let last = pattern.callCount - 1
        for (position, call) in pattern.calls.enumerated() {
            tables.calls.append(
                JourneyNetwork.Call(
                    node: call.stop.position, canBoard: call.pickup != .none && position < last,
                    canAlight: call.dropOff != .none && position > 0))
        }
        var numbers: [Int: Int] = [:]
        for candidate in trips {
            let number: Int
            if let known = numbers[candidate.timingGroup] {
                number = known
            } else {
                number = numbers.count
                numbers[candidate.timingGroup] = number
                tables.timingGroups.append(UInt32(candidate.timingGroup))
                tables.times.append(contentsOf: times[candidate.timingGroup])
            }
            tables.trips.append(
                JourneyNetwork.Trip(
                    start: candidate.start, service: candidate.service.position, timingGroup: number))
            tables.tripReferences.append(candidate.reference)
        }
        addFastest(callCount: last + 1, timingGroups: numbers.keys.map { times[$0] })
    }

    /// Adds the shortest running time after each call.
    private mutating func addFastest(callCount: Int, timingGroups: [ArraySlice<JourneyNetwork.Times>]) {
        for call in 0..<callCount - 1 {
            tables.fastest.append(
                timingGroups.lazy.map { times in
                    let first = times.startIndex + call
                    return times[first].shortest(to: times[first + 1])
                }.min() ?? 0)
        }
        tables.fastest.append(0)
    }

    // MARK: Encoding

    private func encode(
        _ source: JourneyNetwork.Source, _ checksum: (UnsafeRawBufferPointer) -> UInt32
    ) -> [UInt8] {
        let rows = JourneyNetwork.Table.allCases.map { withBytes(of: $0) { $0.count } / $0.stride }
        var (bytes, size) = JourneyNetworkHeader.encode(source, rows: rows, checksum: 0)
        bytes.reserveCapacity(size)
        for table in JourneyNetwork.Table.allCases {
            withBytes(of: table) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: repeatElement(0, count: (8 - bytes.count % 8) % 8))
        }
        let sum = bytes.withUnsafeBytes {
            checksum(UnsafeRawBufferPointer(rebasing: $0[JourneyNetworkHeader.checkedFrom...]))
        }
        let header = JourneyNetworkHeader.encode(source, rows: rows, checksum: sum).bytes
        bytes.replaceSubrange(0..<header.count, with: header)
        return bytes
    }

    private func withBytes<Result>(
        of table: JourneyNetwork.Table, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        switch table {
        case .nodesOfStops: tables.nodesOfStops.withUnsafeBytes(body)
        case .stopsOfNodes: tables.stopsOfNodes.withUnsafeBytes(body)
        case .visitsOfNodes: tables.visitsOfNodes.withUnsafeBytes(body)
        case .visits: tables.visits.withUnsafeBytes(body)
        case .footpathsOfNodes: tables.footpathsOfNodes.withUnsafeBytes(body)
        case .footpaths: tables.footpaths.withUnsafeBytes(body)
        case .routes: tables.routes.withUnsafeBytes(body)
        case .calls: tables.calls.withUnsafeBytes(body)
        case .trips: tables.trips.withUnsafeBytes(body)
        case .tripReferences: tables.tripReferences.withUnsafeBytes(body)
        case .times: tables.times.withUnsafeBytes(body)
        case .timingGroups: tables.timingGroups.withUnsafeBytes(body)
        case .continuations: tables.continuations.withUnsafeBytes(body)
        case .routesOfPatterns: tables.routesOfPatterns.withUnsafeBytes(body)
        case .routesByPattern: tables.routesByPattern.withUnsafeBytes(body)
        case .fastest: tables.fastest.withUnsafeBytes(body)
        case .omissions: tables.omissions.withUnsafeBytes(body)
        }
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
