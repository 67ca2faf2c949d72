public import TransitModel

/// Everything live that one source of a feed told, matched to one version of the timetable. Never changes.
public final class RealtimeDataset: Sendable {
    public let header: RealtimeHeader
    /// When the message was received; stands in for a header without a timestamp.
    public let received: Instant
    public let statistics: RealtimeStatistics
    /// What was odd about the message as a whole.
    public let notes: [RealtimeMessageNotice]
    /// The patterns that runs point to.
    let patterns: [MatchedPattern]
    /// Ascending by key.
    public let runs: [RealtimeTrip]
    let calls: [RealtimeCall]
    private let entities: [EntityID]
    /// The position in ``runs`` of each pattern's first run, by the pattern's index; one more at the end.
    private let firstTripOfPattern: [Int32]
    /// The stops that are used instead of the timetable's, ascending by call.
    let platformChanges: [PlatformChange]
    public let extraTrips: [ExtraTrip]
    /// The same as they were told, where several entities tell of one trip.
    let extraTripParts: [ExtraTrip]
    let copies: [EntityID: DuplicatedTrip]
    /// What the operator says about a run, by the entity that brought it.
    let remarks: [EntityID: TranslatedText]
    public let vehicles: [RealtimeVehicle]
    /// What is remembered of the vehicles of a network without times.
    let tracks: [VehicleID: VehicleTrack]
    public let alerts: AlertIndex
    /// Until when runs of a route and direction are told of, by service date: the latest start of one that runs.
    let coverage: [RouteServiceDate: Instant]
    private let extraVisits: [StopIndex: [ExtraTripVisit]]
    private let movedVisits: [StopIndex: [MovedVisit]]
    private let vehiclesByTrip: [TripInstanceKey: Int32]

    /// A call that uses another stop than the timetable's.
    struct PlatformChange: Sendable {
        /// Position in ``RealtimeDataset/calls``.
        var call: Int32
        var stop: StopIndex
    }

    /// A call of an extra trip at a stop.
    struct ExtraTripVisit: Sendable {
        /// Position in ``RealtimeDataset/extraTrips``.
        var trip: Int32
        var position: Int32
    }

    /// A call that has moved to a stop.
    struct MovedVisit: Sendable {
        /// Position in ``RealtimeDataset/runs``.
        var run: Int32
        var position: Int32
    }

    /// A route in one direction, on one service date.
    struct RouteServiceDate: Hashable, Sendable {
        var route: RouteIndex
        var direction: Direction?
        var date: ServiceDate
    }

    /// What the publisher calls a copy of a trip.
    struct DuplicatedTrip: Sendable {
        var id: TripID?
        var headsign: String?
        var shortName: String?
    }

    init(_ draft: RealtimeDatasetDraft) {
        header = draft.header
        received = draft.received
        statistics = draft.statistics
        notes = draft.notes
        patterns = draft.patterns
        runs = draft.runs
        calls = draft.calls
        entities = draft.entities
        platformChanges = draft.platformChanges
        extraTrips = ExtraTrip.joined(draft.extraTrips)
        extraTripParts = draft.extraTrips
        copies = draft.copies
        remarks = draft.remarks
        vehicles = draft.vehicles
        tracks = draft.tracks
        alerts = AlertIndex(draft.alerts)
        firstTripOfPattern = Self.firstTripOfPattern(of: draft.runs)
        coverage = Self.coverage(draft)
        extraVisits = Self.extraVisits(extraTrips)
        movedVisits = Self.movedVisits(draft)
        vehiclesByTrip = Self.vehiclesByTrip(draft.vehicles)
    }

    /// When the content was made, as far as it is known.
    public var time: Instant { header.time(received: received) }

    /// Whether the message had content of which no part can be used.
    public var isIgnored: Bool {
        guard runs.isEmpty, extraTrips.isEmpty, vehicles.isEmpty, alerts.alerts.isEmpty else { return false }
        return !statistics.unmatchedTrips.isEmpty || notes.contains(.otherDatasets)
    }

    // MARK: Questions

    /// Positions in ``runs`` of the runs on a pattern.
    func runs(on pattern: PatternIndex) -> Range<Int> {
        guard pattern.position + 1 < firstTripOfPattern.count else { return 0..<0 }
        return Int(firstTripOfPattern[pattern.position])..<Int(firstTripOfPattern[pattern.position + 1])
    }

    /// Position in ``runs``; `nil` when nothing is told of the run.
    func run(_ key: TripInstanceKey) -> Int? {
        let range = runs(on: key.pattern)
        var low = range.lowerBound
        var high = range.upperBound
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return low < range.upperBound && runs[low].key == key ? low : nil
    }

    func call(_ position: Int, of run: RealtimeTrip) -> RealtimeCall { calls[Int(run.firstCall) + position] }

    func pattern(of run: RealtimeTrip) -> Pattern { patterns[Int(run.patternNumber)].pattern }

    /// The entity that brought the run.
    public func entity(of run: RealtimeTrip) -> EntityID { entities[Int(run.entityNumber)] }

    /// What the operator says about a run.
    func remark(of run: RealtimeTrip) -> TranslatedText? { remarks.isEmpty ? nil : remarks[entity(of: run)] }

    /// The calls of a run, in the order of its pattern.
    public func calls(of run: RealtimeTrip) -> ArraySlice<RealtimeCall> {
        calls[Int(run.firstCall)..<Int(run.firstCall) + patterns[Int(run.patternNumber)].stops.count]
    }

    /// The stop that a call uses instead of the timetable's.
    func otherStop(_ position: Int, of run: RealtimeTrip) -> StopIndex? {
        if platformChanges.isEmpty { return nil }
        let wanted = run.firstCall + Int32(position)
        var low = 0
        var high = platformChanges.count
        while low < high {
            let middle = (low + high) / 2
            if platformChanges[middle].call < wanted { low = middle + 1 } else { high = middle }
        }
        return low < platformChanges.count && platformChanges[low].call == wanted ? platformChanges[low].stop : nil
    }

    func extraVisits(at stop: StopIndex) -> [ExtraTripVisit] { extraVisits[stop] ?? [] }

    func movedVisits(to stop: StopIndex) -> [MovedVisit] { movedVisits.isEmpty ? [] : movedVisits[stop] ?? [] }

    /// The vehicle that serves a run.
    public func vehicle(of run: TripInstanceKey) -> RealtimeVehicle? {
        vehiclesByTrip.isEmpty ? nil : vehiclesByTrip[run].map { vehicles[Int($0)] }
    }

    // MARK: Indexes

    private static func firstTripOfPattern(of runs: [RealtimeTrip]) -> [Int32] {
        guard let last = runs.last else { return [] }
        var first: [Int32] = []
        first.reserveCapacity(last.key.pattern.position + 2)
        for (number, run) in runs.enumerated() {
            while first.count <= run.key.pattern.position { first.append(Int32(number)) }
        }
        first.append(Int32(runs.count))
        return first
    }

    private static func coverage(_ draft: RealtimeDatasetDraft) -> [RouteServiceDate: Instant] {
        var coverage: [RouteServiceDate: Instant] = [:]
        for run in draft.runs where run.kind == .scheduled || run.kind == .unscheduled {
            let pattern = draft.patterns[Int(run.patternNumber)].pattern
            let way = RouteServiceDate(route: pattern.route, direction: pattern.direction, date: run.key.serviceDate)
            coverage[way] = max(coverage[way] ?? run.begins, run.begins)
        }
        return coverage
    }

    /// Of several vehicles on one run the one that was measured last.
    private static func vehiclesByTrip(_ vehicles: [RealtimeVehicle]) -> [TripInstanceKey: Int32] {
        var numbers: [TripInstanceKey: Int32] = [:]
        for (number, vehicle) in vehicles.enumerated() {
            guard let run = vehicle.run else { continue }
            if let other = numbers[run], let known = vehicles[Int(other)].measured, let time = vehicle.measured,
                time < known
            {
                continue
            }
            numbers[run] = Int32(number)
        }
        return numbers
    }

    private static func extraVisits(_ trips: [ExtraTrip]) -> [StopIndex: [ExtraTripVisit]] {
        var visits: [StopIndex: [ExtraTripVisit]] = [:]
        for (number, trip) in trips.enumerated() {
            for (position, call) in trip.calls.enumerated() {
                visits[call.stop, default: []].append(ExtraTripVisit(trip: Int32(number), position: Int32(position)))
            }
        }
        return visits
    }

    private static func movedVisits(_ draft: RealtimeDatasetDraft) -> [StopIndex: [MovedVisit]] {
        if draft.platformChanges.isEmpty { return [:] }
        var visits: [StopIndex: [MovedVisit]] = [:]
        let byCall = draft.runs.indices.sorted { draft.runs[$0].firstCall < draft.runs[$1].firstCall }
        var next = 0
        for moved in draft.platformChanges {
            while next + 1 < byCall.count, draft.runs[byCall[next + 1]].firstCall <= moved.call { next += 1 }
            guard next < byCall.count else { break }
            let run = draft.runs[byCall[next]]
            let position = moved.call - run.firstCall
            // The builder drops the moved calls of dropped runs.
            guard draft.patterns[Int(run.patternNumber)].stops.indices.contains(Int(position)) else { continue }
            visits[moved.stop, default: []].append(MovedVisit(run: Int32(byCall[next]), position: position))
        }
        return visits
    }
}

/// What a dataset is made of.
struct RealtimeDatasetDraft {
    var header: RealtimeHeader
    var received: Instant
    var statistics = RealtimeStatistics()
    var notes: [RealtimeMessageNotice] = []
    var patterns: [MatchedPattern] = []
    var runs: [RealtimeTrip] = []
    var calls: [RealtimeCall] = []
    /// Of each run, by ``RealtimeTrip/entityNumber``.
    var entities: [EntityID] = []
    var platformChanges: [RealtimeDataset.PlatformChange] = []
    var extraTrips: [ExtraTrip] = []
    var copies: [EntityID: RealtimeDataset.DuplicatedTrip] = [:]
    var remarks: [EntityID: TranslatedText] = [:]
    var vehicles: [RealtimeVehicle] = []
    var tracks: [VehicleID: VehicleTrack] = [:]
    var alerts: [Alert] = []

    init(header: RealtimeHeader, received: Instant) {
        self.header = header
        self.received = received
    }
}
