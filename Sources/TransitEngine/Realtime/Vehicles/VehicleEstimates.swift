internal import TransitModel

/// Tracks the vehicles of a network without times, and creates a trip for each vehicle that riders can use.
private struct VehicleEstimates {
    let matcher: TripMatcher
    /// The time at which the message was received. Age limits are relative to this time.
    let received: Instant

    /// The maximum age of a position for estimates, in seconds.
    static let maximumAge = 300
    /// The maximum number of seconds by which a time of measurement may be in the future, because clocks differ.
    static let maximumLead = 60
    /// The maximum distance from its path at which a vehicle counts as being on the path, in meters.
    static let offRouteDistance = 300.0
    /// The distance from its path, in meters, beyond which the vehicle's times are less reliable.
    static let nearPathDistance = 100.0
    /// The distance along the path from the last stop at which a vehicle has arrived, in meters.
    static let arrivalDistance = 60.0
    /// The number of seconds without movement after which the vehicle's times are less reliable.
    static let longStop = 600
    /// The maximum time in seconds for which a vehicle may wait at its first stop.
    static let maximumWait = 600

    /// The result of applying a position.
    struct Result {
        var track: VehicleTrack?
        var exclusion: VehicleExclusion?
        var known: CachedTrip?
        var progress: VehicleProgress?
        var trip: ExtraTrip?
    }

    /// Applies a position.
    ///
    /// - Parameter before: the vehicle's track from the previous message; `nil` for a new vehicle.
    func track(_ position: VehiclePosition, before: VehicleTrack?) throws -> Result {
        guard let coordinate = position.coordinate else { return Result(exclusion: .withoutPosition) }
        guard let measured = position.timestamp, measured <= received.advanced(by: Self.maximumLead) else {
            return Result(exclusion: .undated)
        }
        // Ignores positions that are too old for the track, and implausible times in hostile messages.
        guard measured >= received.advanced(by: -VehicleTrack.trackRetention) else { return Result(exclusion: .old) }
        let trip = position.trip?.tripID
        let moved =
            before?.moved(to: coordinate, trip: trip, measured: measured)
            ?? VehicleTrack(trip: trip, coordinate: coordinate, measured: measured)
        var result = Result(track: moved)
        guard let trip else {
            result.exclusion = .withoutTrip
            return result
        }
        result.known = try matcher.trip(trip)
        guard let known = result.known else {
            result.exclusion = .unknownTrip
            return result
        }
        guard let path = try matcher.path(of: known) else {
            result.exclusion = .withoutPath
            return result
        }
        let reachableRange = before.flatMap { $0.trip == trip ? $0.reachableRange(at: measured) : nil }
        var pathPosition = path.position(of: coordinate, reachableRange: reachableRange)
        // An older or repeated measurement contains no new information.
        if let before, measured <= before.measured, before.trip == trip {
            pathPosition = before.pathPosition ?? pathPosition
        }
        let track = moved.placed(
            at: pathPosition.flatMap { $0.distanceFromPath <= Self.offRouteDistance ? $0 : nil }, after: before)
        result.track = track
        result.exclusion = exclusion(track, path)
        if let pathPosition = track.pathPosition { result.progress = Self.progress(pathPosition, path) }
        if result.exclusion == nil, let pathPosition = track.pathPosition {
            result.trip = try self.trip(position, track, pathPosition, known, path)
            if result.trip == nil { result.exclusion = .atEnd }
        }
        return result
    }

    private func exclusion(_ track: VehicleTrack, _ path: TripPath) -> VehicleExclusion? {
        if track.measured.seconds(to: received) > Self.maximumAge { return .old }
        if track.isParked { return .parked }
        guard let pathPosition = track.pathPosition else { return .offRoute }
        return pathPosition.distanceAlongPath >= (path.calls.last ?? 0) - Self.arrivalDistance && pathPosition.isCertain
            ? .atEnd : nil
    }

    private static func progress(_ pathPosition: PathPosition, _ path: TripPath) -> VehicleProgress {
        let basis: VehicleProgress.Basis = path.isShape ? .shape : .stops
        guard
            let next = path.calls.firstIndex(where: { $0 >= pathPosition.distanceAlongPath - ArrivalEstimator.nearStop }
            )
        else {
            return VehicleProgress(state: .atStop, call: max(0, path.calls.count - 1), basis: basis)
        }
        if path.calls[next] - pathPosition.distanceAlongPath <= ArrivalEstimator.nearStop {
            return VehicleProgress(state: .atStop, call: next, basis: basis)
        }
        guard next > 0 else { return VehicleProgress(state: .approaching, call: 0, basis: basis) }
        let length = path.calls[next] - path.calls[next - 1]
        let share = length > 0 ? (pathPosition.distanceAlongPath - path.calls[next - 1]) / length : 1
        return VehicleProgress(state: .between, call: next, basis: basis, fraction: min(1, max(0, share)))
    }

    // MARK: The trip

    private func trip(
        _ position: VehiclePosition, _ track: VehicleTrack, _ pathPosition: PathPosition, _ known: CachedTrip,
        _ path: TripPath
    ) throws -> ExtraTrip? {
        let pattern = matcher.patterns[Int(known.patternNumber)]
        let isMoving = track.stationarySeconds < 120 && (track.speed ?? 0) > 0.5 || (position.speed ?? 0) > 0.5
        let isWaiting =
            !isMoving && pathPosition.distanceAlongPath <= (path.calls.first ?? 0) + VehicleTrack.stationaryRadius
        let estimator = ArrivalEstimator(
            path: path, times: pattern.pattern.times(ofTimingGroup: Int(known.timingGroup)))
        let estimates = estimator.calls(
            along: pathPosition.distanceAlongPath, speed: track.speed,
            age: max(0, track.measured.seconds(to: received)), wait: isWaiting ? Self.maximumWait : 0)
        guard estimates.count > 1 else { return nil }
        // A waiting vehicle can leave now or later.
        let origin = isWaiting ? max(track.measured, received) : track.measured
        let calls = estimates.map { estimate in
            ExtraCall(
                stop: pattern.stops[estimate.position], sequence: pattern.sequences[estimate.position],
                arrival: origin.advanced(by: Int(estimate.arrival)),
                departure: origin.advanced(by: Int(estimate.departure)), uncertainty: estimate.uncertainty,
                isExpected: true, isSkipped: false, occupancy: position.occupancy)
        }
        let isDoubtful =
            !pathPosition.isCertain || pathPosition.distanceFromPath > Self.nearPathDistance
            || !isMoving && track.speed == nil
            || track.stationarySeconds >= Self.longStop
        return ExtraTrip(
            kind: .withoutTimetable, id: name(position, track), route: pattern.pattern.route,
            direction: pattern.pattern.direction,
            serviceDate: matcher.context.zones[pattern.zone].civil(at: calls[0].departure).date, calls: calls,
            measured: min(track.measured, received), entity: position.id, basis: .estimated,
            reliability: isDoubtful ? .weak : .plain,
            variantTrip: known.trip)
    }

    /// Combines the trip identifier and the vehicle, because several vehicles follow the same trip.
    private func name(_ position: VehiclePosition, _ track: VehicleTrack) -> TripID {
        let vehicle = position.vehicle?.id?.rawValue ?? position.id.rawValue
        return TripID("\(track.trip?.rawValue ?? "")/\(vehicle)")
    }
}

// MARK: - Datasets

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
