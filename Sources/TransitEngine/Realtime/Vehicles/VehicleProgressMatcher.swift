internal import TransitModel

/// Determines the trip that a vehicle serves, and the vehicle's progress along it.
struct VehicleProgressMatcher {
    let matcher: TripMatcher
    /// The timestamp of the header or, without one, the time of receipt.
    let messageTime: Instant
    /// The time at which the message was received. Measurement times are limited to this time, because the publisher's
    /// clock may be fast.
    let received: Instant

    struct VehicleObservation {
        var instance: MatchedTrip?
        var unmatched: UnmatchedTrip?
        var progress: VehicleProgress?
        /// The delay in seconds, computed from the position; `nil` if the position does not determine a delay.
        var delay: Int32?
    }

    func observe(_ position: VehiclePosition) throws -> VehicleObservation {
        // An empty descriptor means that the vehicle serves no trip.
        guard let trip = position.trip, trip.tripID != nil || trip.routeID != nil, trip.relationship.runs else {
            return VehicleObservation()
        }
        switch try match(trip, at: position.timestamp ?? messageTime) {
        case .failure(let cause):
            // Vehicle positions often state only a route.
            let isPartial = cause == .unidentified
            // The timetable can lack an unscheduled trip.
            let isExtra = cause == .unknownTrip && trip.relationship == .unscheduled
            return VehicleObservation(unmatched: isPartial || isExtra ? nil : cause)
        case .success(let instance): return try observe(position, on: instance)
        }
    }

    private func match(_ trip: TripDescriptor, at time: Instant) throws -> Result<MatchedTrip, UnmatchedTrip> {
        let evidence = ServiceDateEvidence(.seen, time: time.secondsSince1970)
        guard let id = trip.tripID else { return try matcher.tripInstance(byRoute: trip, evidence: evidence) }
        guard let known = try matcher.trip(id) else {
            return matcher.scheduleMatch(at: trip).map { .success($0) } ?? .failure(.unknownTrip)
        }
        return matcher.tripInstance(of: known, trip, evidence: evidence)
    }

    private func observe(_ position: VehiclePosition, on instance: MatchedTrip) throws -> VehicleObservation {
        let pattern = matcher.patterns[Int(instance.known.patternNumber)]
        let clock = TripProgressClock(
            times: pattern.pattern.times(ofTimingGroup: Int(instance.known.timingGroup)),
            startInstant: instance.startInstant,
            measured: min(position.timestamp ?? messageTime, received).secondsSince1970)
        var stated = try self.stated(position, on: pattern)
        let placed = try self.placed(position, on: instance, clock, stated: stated)
        if let placed, placed.call == stated?.call { stated?.fraction = placed.fraction }
        // While a vehicle waits at its first stop, publishers state its next stop.
        let isWaiting = placed?.call == 0 && clock.isBeforeStart
        let candidates = isWaiting ? [placed] : [stated, placed]
        guard let progress = candidates.compactMap({ $0 }).first(where: { clock.isPlausible($0) }) else {
            return VehicleObservation(instance: instance)
        }
        return VehicleObservation(instance: instance, progress: progress, delay: clock.delay(of: progress))
    }

    /// The maximum distance from the trip's path at which a position determines progress, in meters.
    static let maximumDistanceFromPath = 500.0
    /// The maximum distance along the path at which a vehicle counts as being at a stop, in meters.
    static let nearStop = 40.0
    /// The maximum distance along the path from the first stop at which a vehicle counts as waiting for its start, in
    /// meters. A terminus includes several bays and the street around them.
    static let nearStart = 300.0

    /// Returns the progress according to the coordinate's projection onto the path.
    private func placed(
        _ position: VehiclePosition, on instance: MatchedTrip, _ clock: TripProgressClock, stated: VehicleProgress?
    ) throws -> VehicleProgress? {
        guard let coordinate = position.coordinate, let path = try matcher.path(of: instance.known) else { return nil }
        let expected = stated.map { path.calls[$0.call] } ?? clock.expected(along: path.calls)
        guard let projection = path.projection(of: coordinate, expected: expected),
            projection.distanceFromPath <= Self.maximumDistanceFromPath
        else {
            return nil
        }
        let basis: VehicleProgress.Basis = path.isShape ? .shape : .stops
        if clock.isBeforeStart, let first = path.calls.first,
            abs(projection.distanceAlongPath - first) <= Self.nearStart
        {
            return VehicleProgress(state: .atStop, call: 0, basis: basis)
        }
        if let call = path.calls.lastIndex(where: { abs($0 - projection.distanceAlongPath) <= Self.nearStop }) {
            return VehicleProgress(state: .atStop, call: call, basis: basis)
        }
        guard let next = path.calls.firstIndex(where: { $0 > projection.distanceAlongPath }) else {
            return VehicleProgress(state: .atStop, call: path.calls.count - 1, basis: basis)
        }
        guard next > 0 else { return VehicleProgress(state: .approaching, call: 0, basis: basis) }
        let length = path.calls[next] - path.calls[next - 1]
        let fraction = length > 0 ? (projection.distanceAlongPath - path.calls[next - 1]) / length : 1
        return VehicleProgress(state: .between, call: next, basis: basis, fraction: fraction)
    }

    /// Returns the progress that the publisher states (*VehiclePosition*, `current_stop_sequence`, `stop_id`,
    /// `current_status`).
    private func stated(_ position: VehiclePosition, on pattern: MatchedPattern) throws -> VehicleProgress? {
        let state: VehicleProgress.State =
            switch position.status {
            case .stoppedAt: .atStop
            case .incomingAt: .approaching
            case .inTransitTo: .between
            }
        if let sequence = position.currentSequence, let call = pattern.position(sequence: sequence, after: 0) {
            return VehicleProgress(state: state, call: call, basis: .sequence)
        }
        guard let id = position.stopID else { return nil }
        let update = StopTimeUpdate(stopID: id)
        guard case .call(let call, _) = try matcher.call(update, on: pattern, guess: 0) else { return nil }
        return VehicleProgress(state: state, call: call, basis: .stop)
    }
}

extension TripScheduleRelationship {
    /// Whether a vehicle with this relationship can serve a scheduled trip.
    fileprivate var runs: Bool {
        switch self {
        case .scheduled, .unscheduled, .canceled, .deleted: true
        case .added, .new, .replacement, .duplicated: false
        }
    }
}

/// Compares the scheduled times of a trip with the time at which its vehicle was observed.
struct TripProgressClock {
    let times: TimingGroupTimes
    /// Seconds since 1970.
    let startInstant: Int64
    let measured: Int64

    /// The maximum number of seconds by which a vehicle can be late. If the delay is more than two hours, the position
    /// belongs to another trip instance.
    static let maximumLateness: Int64 = 2 * 3600
    /// The maximum number of seconds by which a vehicle can be early. A vehicle that seems to be earlier has not
    /// started, is still on its previous trip, or is on another pass of a path that repeats itself. No specification
    /// limits earliness, so this limit is specific to this program. Drivers wait at stops for their scheduled time. The
    /// remaining early positions come from the opposite side of a stop or from generous scheduled running times.
    static let maximumEarliness: Int64 = 300

    /// Whether the scheduled departure from the first stop is still ahead.
    var isBeforeStart: Bool { times.first.map { measured &- startInstant < Int64($0.departure) } ?? false }

    /// Returns whether the vehicle can have made this progress at the time of observation.
    func isPlausible(_ progress: VehicleProgress) -> Bool { lateness(of: progress) >= -Self.maximumEarliness }

    /// Returns the delay in seconds. Returns `nil` if the vehicle cannot be on this trip, or is between two stops at an
    /// unknown position.
    func delay(of progress: VehicleProgress) -> Int32? {
        if progress.state == .between, progress.call == 0 || progress.fraction == nil { return nil }
        let late = lateness(of: progress)
        return late <= Self.maximumLateness ? Int32(clamping: late) : nil
    }

    /// Returns the delay in seconds, negative if early. If the vehicle is at an unknown position between two stops,
    /// returns the maximum possible delay.
    private func lateness(of progress: VehicleProgress) -> Int64 {
        let since = measured &- startInstant
        let call = times[progress.call]
        // A vehicle that has not left its first stop is waiting, not early.
        if progress.call == 0 {
            return max(0, since &- Int64(progress.state == .atStop ? call.departure : call.arrival))
        }
        switch progress.state {
        case .atStop:
            // A vehicle at a stop between its arrival and its departure is on time.
            return since > Int64(call.departure) ? since &- Int64(call.departure) : min(0, since &- Int64(call.arrival))
        case .approaching:
            return since &- Int64(call.arrival)
        case .between:
            let left = Double(times[progress.call - 1].departure)
            let share = min(1, max(0, progress.fraction ?? 0))
            return since &- Int64(left + (Double(call.arrival) - left) * share)
        }
    }

    /// Returns the distance in meters that an on-time vehicle would have covered along the path.
    func expected(along calls: [Double]) -> Double {
        let since = Double(measured &- startInstant)
        guard let next = times.indices.first(where: { Double(times[$0].arrival) > since }) else {
            return calls.last ?? 0
        }
        guard next > 0 else { return 0 }
        let (left, nextArrival) = (Double(times[next - 1].departure), Double(times[next].arrival))
        let share = nextArrival > left ? min(1, max(0, (since - left) / (nextArrival - left))) : 0
        return calls[next - 1] + share * (calls[next] - calls[next - 1])
    }
}
