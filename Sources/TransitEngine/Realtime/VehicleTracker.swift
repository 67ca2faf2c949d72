internal import TransitModel

/// Finds the run that a vehicle serves, and where on it the vehicle is.
struct VehicleTracker {
    let matcher: TripMatcher
    /// Of the header, or of the receipt.
    let messageTime: Instant
    /// Nothing was measured after it came, whatever the publisher's clock says.
    let received: Instant

    struct VehicleObservation {
        var run: MatchedTrip?
        var unmatched: UnmatchedTrip?
        var progress: VehicleProgress?
        /// Seconds late, computed from the place; `nil` when the place does not tell.
        var delay: Int32?
    }

    func observe(_ position: VehiclePosition) throws -> VehicleObservation {
        // A descriptor without anything in it is a vehicle without a trip.
        guard let trip = position.trip, trip.tripID != nil || trip.routeID != nil, trip.relationship.runs else {
            return VehicleObservation()
        }
        switch try match(trip, at: position.timestamp ?? messageTime) {
        case .failure(let cause):
            // A vehicle often names its route alone.
            let isPartial = cause == .unidentified
            // The timetable can lack an unscheduled trip.
            let isExtra = cause == .unknownTrip && trip.relationship == .unscheduled
            return VehicleObservation(unmatched: isPartial || isExtra ? nil : cause)
        case .success(let run): return try observe(position, on: run)
        }
    }

    private func match(_ trip: TripDescriptor, at time: Instant) throws -> Result<MatchedTrip, UnmatchedTrip> {
        let clue = ServiceDateEvidence(.seen, time: time.secondsSince1970)
        guard let id = trip.tripID else { return try matcher.run(byRoute: trip, clue: clue) }
        guard let known = try matcher.trip(id) else {
            return matcher.scheduleMatch(at: trip).map { .success($0) } ?? .failure(.unknownTrip)
        }
        return matcher.run(of: known, trip, clue: clue)
    }

    private func observe(_ position: VehiclePosition, on run: MatchedTrip) throws -> VehicleObservation {
        let pattern = matcher.patterns[Int(run.known.patternNumber)]
        let clock = TripProgressClock(
            times: pattern.pattern.times(ofTimingGroup: Int(run.known.timingGroup)), begins: run.begins,
            measured: min(position.timestamp ?? messageTime, received).secondsSince1970)
        var stated = try self.stated(position, on: pattern)
        let placed = try self.placed(position, on: run, clock, stated: stated)
        if let placed, placed.call == stated?.call { stated?.fraction = placed.fraction }
        // Publishers tell the next stop of a vehicle that waits at its first one.
        let isWaiting = placed?.call == 0 && clock.isBeforeStart
        let told = isWaiting ? [placed] : [stated, placed]
        guard let progress = told.compactMap({ $0 }).first(where: { clock.isPlausible($0) }) else {
            return VehicleObservation(run: run)
        }
        return VehicleObservation(run: run, progress: progress, delay: clock.delay(of: progress))
    }

    /// Farther from the trip's way a vehicle tells nothing about its progress; metres.
    static let maximumDistanceFromPath = 500.0
    /// So near to a stop, along the way, a vehicle stands there; metres.
    static let nearStop = 40.0
    /// So near behind the first stop, along the way, a vehicle waits for its start: a terminus is several bays and the
    /// street around them; metres.
    static let nearStart = 300.0

    /// The place of the coordinate on the trip's way.
    private func placed(
        _ position: VehiclePosition, on run: MatchedTrip, _ clock: TripProgressClock, stated: VehicleProgress?
    ) throws -> VehicleProgress? {
        guard let coordinate = position.coordinate, let path = try matcher.path(of: run.known) else { return nil }
        let expected = stated.map { path.calls[$0.call] } ?? clock.expected(along: path.calls)
        guard let place = path.place(of: coordinate, expected: expected), place.beside <= Self.maximumDistanceFromPath
        else {
            return nil
        }
        let basis: VehicleProgress.Basis = path.isShape ? .shape : .stops
        if clock.isBeforeStart, let first = path.calls.first, abs(place.along - first) <= Self.nearStart {
            return VehicleProgress(state: .atStop, call: 0, basis: basis)
        }
        if let call = path.calls.lastIndex(where: { abs($0 - place.along) <= Self.nearStop }) {
            return VehicleProgress(state: .atStop, call: call, basis: basis)
        }
        guard let next = path.calls.firstIndex(where: { $0 > place.along }) else {
            return VehicleProgress(state: .atStop, call: path.calls.count - 1, basis: basis)
        }
        guard next > 0 else { return VehicleProgress(state: .approaching, call: 0, basis: basis) }
        let length = path.calls[next] - path.calls[next - 1]
        let fraction = length > 0 ? (place.along - path.calls[next - 1]) / length : 1
        return VehicleProgress(state: .between, call: next, basis: basis, fraction: fraction)
    }

    /// The call that the publisher names (*VehiclePosition*, `current_stop_sequence`, `stop_id`, `current_status`).
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
    /// Whether a vehicle can serve a trip of the timetable with that relationship.
    fileprivate var runs: Bool {
        switch self {
        case .scheduled, .unscheduled, .canceled, .deleted: true
        case .added, .new, .replacement, .duplicated: false
        }
    }
}

/// A run's times beside the moment at which its vehicle was seen.
struct TripProgressClock {
    let times: TimingGroupTimes
    /// Seconds since 1970.
    let begins: Int64
    let measured: Int64

    /// More than two hours late, a position is of another run; seconds.
    static let maximumLateness: Int64 = 2 * 3600
    /// A vehicle that is more seconds early is not where it seems to be: it has not begun its run, is still on the run before
    /// it, or the way passes there twice. No specification says how early is possible, so the rule is ours: drivers wait at
    /// stops for their time, and what is left are positions that come from the other side of a stop and running times that are
    /// longer than it takes.
    static let maximumEarliness: Int64 = 300

    /// Whether the run was not to have left its first stop yet.
    var isBeforeStart: Bool { times.first.map { measured &- begins < Int64($0.departure) } ?? false }

    /// Whether the vehicle can have come so far by then.
    func isPlausible(_ progress: VehicleProgress) -> Bool { lateness(of: progress) >= -Self.maximumEarliness }

    /// How late the vehicle is; `nil` when it cannot be on this run, and between two stops where nothing tells how far it is.
    func delay(of progress: VehicleProgress) -> Int32? {
        if progress.state == .between, progress.call == 0 || progress.fraction == nil { return nil }
        let late = lateness(of: progress)
        return late <= Self.maximumLateness ? Int32(clamping: late) : nil
    }

    /// Seconds late, negative when early. Between two stops without a place on the way between them, the most that it can be.
    private func lateness(of progress: VehicleProgress) -> Int64 {
        let since = measured &- begins
        let call = times[progress.call]
        // Before its first departure a vehicle waits.
        if progress.call == 0 {
            return max(0, since &- Int64(progress.state == .atStop ? call.departure : call.arrival))
        }
        switch progress.state {
        case .atStop:
            // Between its arrival and its departure it is on time.
            return since > Int64(call.departure) ? since &- Int64(call.departure) : min(0, since &- Int64(call.arrival))
        case .approaching:
            return since &- Int64(call.arrival)
        case .between:
            let left = Double(times[progress.call - 1].departure)
            let share = min(1, max(0, progress.fraction ?? 0))
            return since &- Int64(left + (Double(call.arrival) - left) * share)
        }
    }

    /// How far along its way a vehicle on time would be, in metres.
    func expected(along calls: [Double]) -> Double {
        let since = Double(measured &- begins)
        guard let next = times.indices.first(where: { Double(times[$0].arrival) > since }) else {
            return calls.last ?? 0
        }
        guard next > 0 else { return 0 }
        let (left, reaches) = (Double(times[next - 1].departure), Double(times[next].arrival))
        let share = reaches > left ? min(1, max(0, (since - left) / (reaches - left))) : 0
        return calls[next - 1] + share * (calls[next] - calls[next - 1])
    }
}
