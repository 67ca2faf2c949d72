public import TransitModel

/// Checks a message against the specification and the timetable, entity by entity, without modifying any data.
///
/// The validator reads every member of every update, which costs several times as much as applying the message. It is
/// used by `feed validate`.
public struct RealtimeValidator {
    private let matcher: TripMatcher
    private let header: RealtimeHeader
    private let now: Instant
    public private(set) var findings = RealtimeFindings()
    /// The hashes of the identifiers of the vehicles, which take less memory than the identifiers.
    private var vehicles: Set<Int> = []

    /// The maximum number of names that the matcher needs to cache for a message.
    public static let cachedNames = 4096

    /// - Parameters:
    ///   - previous: the timestamp of the previous message's header.
    ///   - now: the time at which the message was received.
    public init(header: RealtimeHeader, previous: Instant? = nil, now: Instant, matcher: TripMatcher) {
        self.matcher = matcher
        self.header = header
        self.now = now
        check(header, previous)
    }

    /// Checks an entity.
    ///
    /// - Throws: the errors of the timetable.
    public mutating func check(_ entity: RealtimeEntity) throws {
        switch entity {
        case .tripUpdate(let update): try check(update)
        case .vehicle(let position): try check(position)
        case .alert(let alert): try check(alert)
        case .deleted: break
        }
    }

    private mutating func check(_ header: RealtimeHeader, _ previous: Instant?) {
        let isOld = header.version == "1.0"
        if !isOld, header.version != "2.0" { findings.add(.unknownVersion, nil) }
        guard let time = header.timestamp else {
            findings.add(isOld ? .timestampMissing : .headerTimestampMissing, nil)
            return
        }
        if let previous, time < previous { findings.add(.headerBackwards, nil) }
        if FreshnessPolicy().age(of: time, at: now).isAhead { findings.add(.timestampAhead, nil) }
        if now.secondsSince1970 &- time.secondsSince1970 > 65 { findings.add(.headerOld, nil) }
    }

    private mutating func check(timestamp: Instant?, _ entity: EntityID) {
        guard let timestamp else { return findings.add(.timestampMissing, entity) }
        if let time = header.timestamp, timestamp > time { findings.add(.headerOlderThanEntity, entity) }
        if FreshnessPolicy().age(of: timestamp, at: now).isAhead { findings.add(.timestampAhead, entity) }
    }

    // MARK: Trips

    private mutating func check(_ update: TripUpdate) throws {
        check(timestamp: update.timestamp, update.id)
        if update.vehicle?.id == nil { findings.add(.vehicleMissing, update.id) }
        if update.trip.tripID == nil { findings.add(.tripMissing, update.id) }
        let known = try check(update.trip, update.id)
        if let known, known.isFrequencyBased, update.vehicle?.id == nil, isInexact(known) {
            findings.add(.frequencyVehicleMissing, update.id)
        }
        try check(update.updates, of: update.trip, known, update.id)
    }

    /// Returns the scheduled trip.
    private mutating func check(_ trip: TripDescriptor, _ entity: EntityID) throws -> CachedTrip? {
        if try matcher.isOutside(trip) { return nil }
        if let route = trip.routeID, isUnknown(route) { findings.add(.unknownRoute, entity) }
        guard let id = trip.tripID else { return nil }
        let isExtra = trip.relationship == .added || trip.relationship == .new
        guard let known = try matcher.trip(id) else {
            if !isExtra { findings.add(.unknownTrip, entity) }
            return nil
        }
        if isExtra { findings.add(.addedTripKnown, entity) }
        let pattern = matcher.patterns[Int(known.patternNumber)].pattern
        if let route = trip.routeID.flatMap({ matcher.route($0) }), route != pattern.route {
            findings.add(.routeDiffers, entity)
        }
        if let direction = trip.direction, let own = pattern.direction, direction != own {
            findings.add(.directionDiffers, entity)
        }
        checkStart(trip, known, entity)
        return known
    }

    /// Whether the source lacks a route. A partial timetable does not say it.
    private func isUnknown(_ route: RouteID) -> Bool { !matcher.timetable.isPartial && matcher.route(route) == nil }

    /// Whether the source lacks a stop. A partial timetable does not say it.
    private func isUnknown(_ stop: StopID) throws -> Bool {
        try !matcher.timetable.isPartial && matcher.stop(stop) == nil
    }

    private mutating func checkStart(_ trip: TripDescriptor, _ known: CachedTrip, _ entity: EntityID) {
        guard known.isFrequencyBased else {
            let isCopy = trip.relationship == .duplicated
            if let start = trip.startTime, start.seconds != known.start, !isCopy {
                findings.add(.startTimeDiffers, entity)
            }
            return
        }
        if isInexact(known) {
            if trip.startTime == nil || trip.startDate == nil { findings.add(.incompleteFrequencyTrip, entity) }
            let isFitting = trip.relationship == .unscheduled || trip.relationship == .scheduled
            if !isFitting { findings.add(.frequencyRelationship, entity) }
        } else if let start = trip.startTime, !frequencies(known).contains(where: { $0.starts(at: start.seconds) }) {
            findings.add(.frequencyStart, entity)
        }
    }

    private func frequencies(_ known: CachedTrip) -> [Frequency] {
        matcher.patterns[Int(known.patternNumber)].pattern.frequencies(ofTimingGroup: Int(known.timingGroup))
            .filter { $0.trip == UInt32(bitPattern: known.position) }
    }

    private func isInexact(_ known: CachedTrip) -> Bool { frequencies(known).contains { !$0.isExact } }

    // MARK: Vehicles

    private mutating func check(_ position: VehiclePosition) throws {
        check(timestamp: position.timestamp, position.id)
        if let id = position.vehicle?.id {
            if !vehicles.insert(id.hashValue).inserted { findings.add(.repeatedVehicle, position.id) }
        } else {
            findings.add(.vehicleMissing, position.id)
        }
        if let speed = position.speed, speed > 26 { findings.add(.speed, position.id) }
        if let stop = position.stopID, try isUnknown(stop) { findings.add(.unknownStop, position.id) }
        guard let trip = position.trip, let known = try check(trip, position.id), let coordinate = position.coordinate,
            let projection = try matcher.path(of: known)?.projection(of: coordinate, expected: 0),
            projection.distanceFromPath > 200
        else { return }
        findings.add(.farFromShape, position.id)
    }

    // MARK: Alerts

    private mutating func check(_ alert: Alert) throws {
        if alert.informed.isEmpty { findings.add(.alertWithoutEntity, alert.id) }
        for informed in alert.informed { try check(informed, alert.id) }
    }

    private mutating func check(_ informed: InformedEntity, _ entity: EntityID) throws {
        if informed == InformedEntity() { findings.add(.emptySelector, entity) }
        if let route = informed.routeID, isUnknown(route) { findings.add(.unknownRoute, entity) }
        if let stop = informed.stopID, try isUnknown(stop) { findings.add(.unknownStop, entity) }
        guard let trip = informed.trip else { return }
        if let outer = informed.routeID, let inner = trip.routeID, outer != inner {
            findings.add(.alertRoutesDiffer, entity)
        }
        guard let id = trip.tripID, try !matcher.isOutside(trip) else { return }
        guard let known = try matcher.trip(id) else { return findings.add(.unknownTrip, entity) }
        if let route = informed.routeID.flatMap({ matcher.route($0) }),
            route != matcher.patterns[Int(known.patternNumber)].pattern.route
        {
            findings.add(.alertTripOfOtherRoute, entity)
        }
    }

    // MARK: Stop time updates

    /// Checks the stop time updates of a trip.
    ///
    /// - Parameter known: the scheduled trip; `nil` if the timetable lacks it.
    private mutating func check(
        _ updates: [StopTimeUpdate], of trip: TripDescriptor, _ known: CachedTrip?, _ entity: EntityID
    ) throws {
        let runs = trip.relationship != .canceled && trip.relationship != .deleted
        if updates.isEmpty, runs { findings.add(.noUpdates, entity) }
        let sequences = updates.compactMap(\.sequence)
        if zip(sequences, sequences.dropFirst()).contains(where: { $0 > $1 }) {
            findings.add(.unsortedSequences, entity)
        }
        for (update, next) in zip(updates, updates.dropFirst()) {
            if let sequence = update.sequence, sequence == next.sequence { findings.add(.repeatedSequence, entity) }
            if let stop = update.stopID, stop == next.stopID { findings.add(.repeatedStop, entity) }
        }
        checkOrder(updates, entity)
        let pattern = known.map { matcher.patterns[Int($0.patternNumber)] }
        for update in updates {
            checkEvents(update, isServed: runs, entity)
            try checkStop(update, trip, pattern, entity)
        }
    }

    private mutating func checkOrder(_ updates: [StopTimeUpdate], _ entity: EntityID) {
        var latest: Instant?
        for update in updates {
            let (arrival, departure) = (update.arrival?.time, update.departure?.time)
            if let arrival, let departure, departure < arrival { findings.add(.departureBeforeArrival, entity) }
            if let latest, let time = arrival ?? departure, time <= latest {
                findings.add(.timesNotIncreasing, entity)
            }
            latest = departure ?? arrival ?? latest
        }
    }

    private mutating func checkEvents(_ update: StopTimeUpdate, isServed: Bool, _ entity: EntityID) {
        let events = [update.arrival, update.departure].compactMap { $0 }
        switch update.relationship {
        case .noData:
            if events.contains(where: { $0.time != nil || $0.delay != nil }) {
                findings.add(.timesWithoutData, entity)
            }
        case .skipped: break
        case .scheduled, .unscheduled:
            if events.isEmpty, isServed { findings.add(.eventMissing, entity) }
            if events.contains(where: { $0.time == nil && $0.delay == nil }) { findings.add(.timeMissing, entity) }
        }
    }

    private mutating func checkStop(
        _ update: StopTimeUpdate, _ trip: TripDescriptor, _ pattern: MatchedPattern?, _ entity: EntityID
    ) throws {
        if update.sequence == nil, update.stopID == nil { findings.add(.stopMissing, entity) }
        if let id = update.stopID {
            if let stop = try matcher.stop(id) {
                let kind = try matcher.timetable.stop(stop).kind
                if kind != .platform { findings.add(.stopIsNoPlatform, entity) }
            } else {
                findings.add(.unknownStop, entity)
            }
        }
        guard let pattern, !trip.relationship.hasOwnCalls else { return }
        guard let sequence = update.sequence else {
            if let id = update.stopID, pattern.positions(stop: id).count > 1 { findings.add(.ambiguousStop, entity) }
            return
        }
        guard let position = pattern.position(sequence: sequence, after: 0) else {
            return findings.add(.unknownSequence, entity)
        }
        let stop = update.stopID ?? pattern.stopIDs[position]
        if stop != pattern.stopIDs[position], stop != update.assignedStopID {
            findings.add(.sequenceAndStopDiffer, entity)
        }
    }
}

extension TripScheduleRelationship {
    /// Whether the update defines the calls of the trip instead of referring to the timetable.
    fileprivate var hasOwnCalls: Bool { self == .added || self == .new || self == .replacement }
}
