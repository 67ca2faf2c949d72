internal import TransitModel

/// Finds the run that a vehicle serves, and where on it the vehicle is.
struct VehicleTracker {
    let matcher: TripMatcher
    /// Of the header, or of the receipt.
    let messageTime: Instant

    struct Sighting {
        var run: MatchedRun?
        var unmatched: UnmatchedTrip?
        var progress: VehicleProgress?
        /// Seconds late, computed from the place; `nil` when the place does not tell.
        var delay: Int32?
    }

    func sight(_ position: VehiclePosition) throws -> Sighting {
        // A descriptor without anything in it is a vehicle without a trip.
        guard let trip = position.trip, trip.tripID != nil || trip.routeID != nil, trip.relationship.runs else {
            return Sighting()
        }
        switch try match(trip, at: position.timestamp ?? messageTime) {
        case .failure(let cause):
            // A vehicle often names its route alone.
            let isPartial = cause == .unidentified
            return Sighting(unmatched: isPartial ? nil : cause)
        case .success(let run): return try sight(position, on: run)
        }
    }

    private func match(_ trip: TripDescriptor, at time: Instant) throws -> Result<MatchedRun, UnmatchedTrip> {
        let clue = DateClue(time: time.secondsSince1970, offset: nil)
        guard let id = trip.tripID else { return try matcher.run(byRoute: trip, clue: clue) }
        guard let known = try matcher.trip(id) else { return .failure(.unknownTrip) }
        return matcher.run(of: known, trip, clue: clue)
    }

    private func sight(_ position: VehiclePosition, on run: MatchedRun) throws -> Sighting {
        let pattern = matcher.patterns[Int(run.known.patternNumber)]
        let stated = try self.stated(position, on: pattern)
        return Sighting(run: run, progress: stated)
    }

    /// The call that the publisher names (*VehiclePosition*, `current_stop_sequence`, `stop_id`, `current_status`).
    private func stated(_ position: VehiclePosition, on pattern: LivePattern) throws -> VehicleProgress? {
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

extension TripRelationship {
    /// Whether a vehicle can serve a trip of the timetable with that relationship.
    fileprivate var runs: Bool {
        switch self {
        case .scheduled, .unscheduled, .canceled, .deleted: true
        case .added, .new, .replacement, .duplicated: false
        }
    }
}
