public import TransitModel

/// All realtime data from one source of a feed, matched to one timetable version. Immutable.
public final class RealtimeDataset: Sendable {
    public let header: RealtimeHeader
    /// The time at which the message was received. This time is used if the header has no timestamp.
    public let received: Instant
    public let statistics: RealtimeStatistics
    /// Anomalies of the message as a whole.
    public let notes: [RealtimeMessageNotice]
    /// The patterns to which the trips refer.
    let patterns: [MatchedPattern]
    /// Sorted by key.
    public let trips: [RealtimeTrip]
    let calls: [RealtimeCall]
    private let entities: [EntityID]
    /// For each pattern index, the position of the pattern's first trip in ``trips``, followed by the number of trips.
    private let firstTripOfPattern: [Int32]
    /// The stops that replace scheduled stops, sorted by call.
    let platformChanges: [PlatformChange]
    public let extraTrips: [ExtraTrip]
    /// The extra trips before merging, if several entities describe one trip.
    let extraTripParts: [ExtraTrip]
    let duplicatedTrips: [EntityID: DuplicatedTrip]
    /// The operator's messages about trips, by the entity that contains them.
    let remarks: [EntityID: TranslatedText]
    /// The stated times that are not used, by the entity that contains them.
    let refusedTimes: [EntityID: [RefusedTime]]
    public let vehicles: [RealtimeVehicle]
    /// The vehicle tracks of a network without times, kept for the next message.
    let tracks: [VehicleID: VehicleTrack]
    public let alerts: AlertIndex
    /// The groups of trips that the source's full messages no longer contain, although it is not yet believed that they
    /// are gone (``TripWithdrawal``).
    public let retentions: [TripRetention]
    /// The trips of the last such groups that are believed to be gone; `nil` if this no longer concerns riders.
    public let withdrawal: ConfirmedWithdrawal?
    /// The changes of a differential source that may be lost; `nil` if the data is complete.
    public let lostChanges: LostChanges?
    /// The service dates of decisions without `start_date`, kept for the next message.
    public let undatedDecisions: UndatedDecisions
    /// The trips of cancellations without `start_date` that apply to no trip instance, because several are possible.
    let ambiguousDecisions: Set<TripID>
    private let extraVisits: [StopIndex: [ExtraTripVisit]]
    private let movedVisits: [StopIndex: [ReassignedVisit]]
    private let vehiclesByTrip: [TripInstanceKey: Int32]

    /// A call at a stop other than the scheduled stop.
    struct PlatformChange: Sendable {
        /// Index into ``RealtimeDataset/calls``.
        var call: Int32
        var stop: StopIndex
    }

    /// A call of an extra trip at a stop.
    struct ExtraTripVisit: Sendable {
        /// Index into ``RealtimeDataset/extraTrips``.
        var trip: Int32
        var position: Int32
    }

    /// A call that was moved to a stop from its scheduled stop.
    struct ReassignedVisit: Sendable {
        /// Index into ``RealtimeDataset/trips``.
        var instance: Int32
        var position: Int32
    }

    /// The publisher's description of a copied trip.
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
        trips = draft.trips
        calls = draft.calls
        entities = draft.entities
        platformChanges = draft.platformChanges
        extraTrips = ExtraTrip.merged(draft.extraTrips)
        extraTripParts = draft.extraTrips
        duplicatedTrips = draft.duplicatedTrips
        remarks = draft.remarks
        refusedTimes = draft.refusedTimes
        vehicles = draft.vehicles
        tracks = draft.tracks
        alerts = AlertIndex(draft.alerts)
        retentions = draft.retentions
        withdrawal = draft.withdrawal
        lostChanges = draft.lostChanges
        undatedDecisions = draft.undatedDecisions
        ambiguousDecisions = draft.ambiguousDecisions
        firstTripOfPattern = Self.firstTripOfPattern(of: draft.trips)
        extraVisits = Self.extraVisits(extraTrips)
        movedVisits = Self.movedVisits(draft)
        vehiclesByTrip = Self.vehiclesByTrip(draft.vehicles)
    }

    /// The time at which the content was created, as far as it is known.
    public var time: Instant { header.time(received: received) }

    /// Whether the message had content but none of it is usable.
    public var isIgnored: Bool {
        guard trips.isEmpty, extraTrips.isEmpty, vehicles.isEmpty, alerts.alerts.isEmpty else { return false }
        return !statistics.unmatchedTrips.isEmpty || notes.contains(.otherDatasets)
    }

    // MARK: Queries

    /// Returns the positions of a pattern's trips in ``trips``.
    func trips(on pattern: PatternIndex) -> Range<Int> {
        guard pattern.position + 1 < firstTripOfPattern.count else { return 0..<0 }
        return Int(firstTripOfPattern[pattern.position])..<Int(firstTripOfPattern[pattern.position + 1])
    }

    /// Returns the position of a trip in ``trips``, or `nil` if the dataset does not contain the trip.
    func index(of key: TripInstanceKey) -> Int? {
        let range = trips(on: key.pattern)
        var low = range.lowerBound
        var high = range.upperBound
        while low < high {
            let middle = (low + high) / 2
            if trips[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return low < range.upperBound && trips[low].key == key ? low : nil
    }

    func call(_ position: Int, of instance: RealtimeTrip) -> RealtimeCall { calls[Int(instance.firstCall) + position] }

    func pattern(of instance: RealtimeTrip) -> Pattern { patterns[Int(instance.patternNumber)].pattern }

    /// Returns the entity that describes the trip.
    public func entity(of instance: RealtimeTrip) -> EntityID { entities[Int(instance.entityNumber)] }

    /// Returns the operator's message about the trip.
    func remark(of instance: RealtimeTrip) -> TranslatedText? { remarks.isEmpty ? nil : remarks[entity(of: instance)] }

    /// Returns the stated times of the trip that are not used, at most ``RefusedTime/maximumOfTrip``.
    func refusedTimes(of instance: RealtimeTrip) -> [RefusedTime] {
        refusedTimes.isEmpty ? [] : refusedTimes[entity(of: instance)] ?? []
    }

    /// Returns the calls of a trip, in the order of the pattern.
    public func calls(of instance: RealtimeTrip) -> ArraySlice<RealtimeCall> {
        calls[Int(instance.firstCall)..<Int(instance.firstCall) + patterns[Int(instance.patternNumber)].stops.count]
    }

    /// Returns the stop that replaces the scheduled stop of a call.
    func otherStop(_ position: Int, of instance: RealtimeTrip) -> StopIndex? {
        if platformChanges.isEmpty { return nil }
        let wanted = instance.firstCall + Int32(position)
        var low = 0
        var high = platformChanges.count
        while low < high {
            let middle = (low + high) / 2
            if platformChanges[middle].call < wanted { low = middle + 1 } else { high = middle }
        }
        return low < platformChanges.count && platformChanges[low].call == wanted ? platformChanges[low].stop : nil
    }

    /// Returns whether one of the calls is moved to another stop.
    func hasPlatformChange(in calls: Range<Int>) -> Bool {
        var (low, high) = (0, platformChanges.count)
        while low < high {
            let middle = (low + high) / 2
            if Int(platformChanges[middle].call) < calls.lowerBound { low = middle + 1 } else { high = middle }
        }
        return low < platformChanges.count && Int(platformChanges[low].call) < calls.upperBound
    }

    /// Returns the entities of the trips of one of ``retentions``.
    public func entities(ofRetention index: Int) -> Set<EntityID> {
        Set(trips.filter { Int($0.retention) == index + 1 }.map { entity(of: $0) })
            .union(extraTrips.filter { Int($0.retention) == index + 1 }.map(\.entity))
    }

    /// The number of trips that the last message lacks but that stay in use.
    public var retainedTrips: Int {
        retentions.isEmpty ? 0 : trips.count { $0.retention > 0 } + extraTrips.count { $0.retention > 0 }
    }

    /// Returns the time of the message that last reported the trip.
    func reported(_ instance: RealtimeTrip) -> Instant {
        instance.retention == 0 ? time : retentions[Int(instance.retention) - 1].reported
    }

    /// Returns the time of the message that last reported the trip.
    func reported(_ trip: ExtraTrip) -> Instant {
        trip.retention == 0 ? time : retentions[Int(trip.retention) - 1].reported
    }

    func extraVisits(at stop: StopIndex) -> [ExtraTripVisit] { extraVisits[stop] ?? [] }

    func movedVisits(to stop: StopIndex) -> [ReassignedVisit] { movedVisits.isEmpty ? [] : movedVisits[stop] ?? [] }

    /// Returns the vehicle that serves the trip.
    public func vehicle(of instance: TripInstanceKey) -> RealtimeVehicle? {
        vehiclesByTrip.isEmpty ? nil : vehiclesByTrip[instance].map { vehicles[Int($0)] }
    }

    // MARK: Indexes

    private static func firstTripOfPattern(of trips: [RealtimeTrip]) -> [Int32] {
        guard let last = trips.last else { return [] }
        var first: [Int32] = []
        first.reserveCapacity(last.key.pattern.position + 2)
        for (number, instance) in trips.enumerated() {
            while first.count <= instance.key.pattern.position { first.append(Int32(number)) }
        }
        first.append(Int32(trips.count))
        return first
    }

    /// Returns the index of the vehicle for each trip instance. If several vehicles serve one trip, the vehicle with the
    /// most recent timestamp is used.
    private static func vehiclesByTrip(_ vehicles: [RealtimeVehicle]) -> [TripInstanceKey: Int32] {
        var numbers: [TripInstanceKey: Int32] = [:]
        for (number, vehicle) in vehicles.enumerated() {
            guard let instance = vehicle.tripInstance else { continue }
            if let other = numbers[instance], let known = vehicles[Int(other)].measured, let time = vehicle.measured,
                time < known
            {
                continue
            }
            numbers[instance] = Int32(number)
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

    private static func movedVisits(_ draft: RealtimeDatasetDraft) -> [StopIndex: [ReassignedVisit]] {
        if draft.platformChanges.isEmpty { return [:] }
        var visits: [StopIndex: [ReassignedVisit]] = [:]
        let byCall = draft.trips.indices.sorted { draft.trips[$0].firstCall < draft.trips[$1].firstCall }
        var next = 0
        for moved in draft.platformChanges {
            while next + 1 < byCall.count, draft.trips[byCall[next + 1]].firstCall <= moved.call { next += 1 }
            guard next < byCall.count else { break }
            let instance = draft.trips[byCall[next]]
            let position = moved.call - instance.firstCall
            // The builder has removed the moved calls of dropped trips.
            guard draft.patterns[Int(instance.patternNumber)].stops.indices.contains(Int(position)) else { continue }
            visits[moved.stop, default: []].append(ReassignedVisit(instance: Int32(byCall[next]), position: position))
        }
        return visits
    }
}

/// The mutable content from which a dataset is created.
struct RealtimeDatasetDraft {
    var header: RealtimeHeader
    var received: Instant
    var statistics = RealtimeStatistics()
    var notes: [RealtimeMessageNotice] = []
    var patterns: [MatchedPattern] = []
    var trips: [RealtimeTrip] = []
    var calls: [RealtimeCall] = []
    /// The entity of each trip, by ``RealtimeTrip/entityNumber``.
    var entities: [EntityID] = []
    var platformChanges: [RealtimeDataset.PlatformChange] = []
    var extraTrips: [ExtraTrip] = []
    var duplicatedTrips: [EntityID: RealtimeDataset.DuplicatedTrip] = [:]
    var remarks: [EntityID: TranslatedText] = [:]
    var refusedTimes: [EntityID: [RefusedTime]] = [:]
    var vehicles: [RealtimeVehicle] = []
    var tracks: [VehicleID: VehicleTrack] = [:]
    var alerts: [Alert] = []
    var retentions: [TripRetention] = []
    var withdrawal: ConfirmedWithdrawal?
    var lostChanges: LostChanges?
    var undatedDecisions = UndatedDecisions()
    var ambiguousDecisions: Set<TripID> = []
}
