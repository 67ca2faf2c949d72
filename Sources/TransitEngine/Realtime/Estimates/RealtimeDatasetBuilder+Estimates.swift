internal import TransitModel

extension RealtimeDatasetBuilder {
    /// Applies a vehicle position in a network without times, where arrivals can only be estimated from positions.
    mutating func estimate(_ position: VehiclePosition) throws {
        let estimates = VehicleEstimates(matcher: matcher, received: draft.received)
        let id = position.vehicle?.id ?? VehicleID(position.id.rawValue)
        let result = try estimates.track(position, before: draft.tracks[id])
        draft.tracks[id] = result.track ?? draft.tracks[id]
        if result.exclusion == .unknownTrip, let trip = position.trip {
            draft.statistics.addUnmatched(.unknownTrip, trip, entity: position.id)
        }
        if result.known != nil { draft.statistics.matchedTrips += 1 }
        var vehicle = RealtimeVehicle(
            position: position, tripInstance: nil, progress: result.progress,
            measured: plausible(position.timestamp))
        vehicle.exclusion = result.exclusion
        if let known = result.known {
            vehicle.variant = RealtimeVehicle.Variant(
                pattern: matcher.patterns[Int(known.patternNumber)].pattern.index, trip: known.trip)
        }
        memory += position.memory
        draft.vehicles.append(vehicle)
        if let trip = result.trip { draft.extraTrips.append(trip) }
    }

    /// Returns the tracks of vehicles that were reported recently.
    func recentTracks(of previous: RealtimeDataset?) -> [VehicleID: VehicleTrack] {
        guard let previous, matcher.context.isWithoutTimes else { return [:] }
        return previous.tracks.filter { $0.value.measured.seconds(to: draft.received) <= VehicleTrack.trackRetention }
    }
}
