internal import TransitModel

/// The call of a trip to which an update refers.
enum StopMatch {
    /// `otherStop` is the platform that replaces the scheduled platform.
    case call(Int, otherStop: StopIndex?)
    /// The trip visits the stop several times, and the update does not specify to which visit it refers.
    case ambiguous([Int])
    case none
}

extension TripMatcher {
    /// Finds the call by `stop_sequence`, then by `stop_id` (*StopTimeUpdate*). An `assigned_stop_id`, or a `stop_id`
    /// of another platform of the same station, is a platform change.
    ///
    /// - Parameter guess: the likely position, which is the position after the previous update's call.
    func call(_ update: StopTimeUpdate, on pattern: MatchedPattern, guess: Int) throws -> StopMatch {
        let bySequence = update.sequence.flatMap { pattern.position(sequence: $0, after: guess) }
        let assigned = try update.assignedStopID.flatMap { try stop($0) }
        if let position = bySequence {
            guard let id = update.stopID, pattern.stopIDs[position] != id else {
                return .call(position, otherStop: assigned.flatMap { $0 == pattern.stops[position] ? nil : $0 })
            }
            return try otherStop(id, at: position, on: pattern, assigned: assigned)
        }
        guard let id = update.stopID else { return .none }
        return try call(stop: id, on: pattern, assigned: assigned)
    }

    /// Handles an update whose sequence refers to a call at a stop other than the stop that the update names.
    private func otherStop(
        _ id: StopID, at position: Int, on pattern: MatchedPattern, assigned: StopIndex?
    ) throws -> StopMatch {
        // An unknown stop does not contradict the sequence.
        guard let stop = try stop(id) else { return .call(position, otherStop: assigned) }
        if try stop == assigned || isSameStation(stop, pattern.stops[position]) {
            return .call(position, otherStop: assigned ?? stop)
        }
        return try call(stop: id, on: pattern, assigned: assigned)
    }

    private func call(stop id: StopID, on pattern: MatchedPattern, assigned: StopIndex?) throws -> StopMatch {
        let visits = pattern.positions(stop: id)
        if visits.count > 1 { return .ambiguous(visits) }
        if let position = visits.first { return .call(position, otherStop: assigned) }
        guard let stop = try stop(id) else { return .none }
        let station = try pattern.stops.indices.filter { try isSameStation(pattern.stops[$0], stop) }
        if station.count > 1 { return .ambiguous(station) }
        return station.first.map { .call($0, otherStop: assigned ?? stop) } ?? .none
    }
}
