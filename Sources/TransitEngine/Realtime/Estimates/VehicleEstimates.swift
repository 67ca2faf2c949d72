internal import TransitModel

/// Follows the vehicles of a network without times, and makes a trip of each that one can travel with.
struct VehicleEstimates {
    let matcher: TripMatcher
    /// When the message came: what "too old" and "ahead" are counted from.
    let received: Instant

    /// Seconds after which a place is too old to estimate from.
    static let oldest = 300
    /// Seconds that a time may lie ahead, since clocks differ.
    static let maximumLead = 60
    /// Metres beside its way from which a vehicle is not on it.
    static let offRoute = 300.0
    /// Metres beside its way up to which nothing is doubted.
    static let nearPath = 100.0
    /// So near to the last stop it has arrived; metres along the way.
    static let nearEnd = 60.0
    /// Seconds without moving after which its times are doubted.
    static let longHalt = 600
    /// Seconds for which it may wait at its first stop.
    static let maximumWait = 600

    /// What a position tells.
    struct Result {
        var track: VehicleTrack?
        var exclusion: VehicleExclusion?
        var known: CachedTrip?
        var progress: VehicleProgress?
        var trip: ExtraTrip?
    }

    /// - Parameter before: what is remembered of the vehicle.
    func follow(_ position: VehiclePosition, before: VehicleTrack?) throws -> Result {
        guard let coordinate = position.coordinate else { return Result(exclusion: .withoutPlace) }
        guard let measured = position.timestamp, measured <= received.advanced(by: Self.maximumLead) else {
            return Result(exclusion: .undated)
        }
        // Nothing is to be learned from yesterday's places, and hostile times are not reckoned with.
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
        let reach = before.flatMap { $0.trip == trip ? $0.reach(at: measured) : nil }
        var place = path.place(of: coordinate, reach: reach)
        // The same measurement again, or an older one, tells no more than before.
        if let before, measured <= before.measured, before.trip == trip { place = before.place ?? place }
        let track = moved.placed(at: place.flatMap { $0.beside <= Self.offRoute ? $0 : nil }, after: before)
        result.track = track
        result.exclusion = exclusion(track, path)
        if let place = track.place { result.progress = Self.progress(place, path) }
        if result.exclusion == nil, let place = track.place {
            result.trip = try self.trip(position, track, place, known, path)
            if result.trip == nil { result.exclusion = .atEnd }
        }
        return result
    }

    private func exclusion(_ track: VehicleTrack, _ path: TripPath) -> VehicleExclusion? {
        if track.measured.seconds(to: received) > Self.oldest { return .old }
        if track.isParked { return .parked }
        guard let place = track.place else { return .offRoute }
        return place.along >= (path.calls.last ?? 0) - Self.nearEnd && place.isCertain ? .atEnd : nil
    }

    private static func progress(_ place: PathPosition, _ path: TripPath) -> VehicleProgress {
        let basis: VehicleProgress.Basis = path.isShape ? .shape : .stops
        guard let next = path.calls.firstIndex(where: { $0 >= place.along - ArrivalEstimator.nearStop }) else {
            return VehicleProgress(state: .atStop, call: max(0, path.calls.count - 1), basis: basis)
        }
        if path.calls[next] - place.along <= ArrivalEstimator.nearStop {
            return VehicleProgress(state: .atStop, call: next, basis: basis)
        }
        guard next > 0 else { return VehicleProgress(state: .approaching, call: 0, basis: basis) }
        let length = path.calls[next] - path.calls[next - 1]
        let share = length > 0 ? (place.along - path.calls[next - 1]) / length : 1
        return VehicleProgress(state: .between, call: next, basis: basis, fraction: min(1, max(0, share)))
    }

    // MARK: The trip

    private func trip(
        _ position: VehiclePosition, _ track: VehicleTrack, _ place: PathPosition, _ known: CachedTrip, _ path: TripPath
    ) throws -> ExtraTrip? {
        let pattern = matcher.patterns[Int(known.patternNumber)]
        let isMoving = track.stationarySeconds < 120 && (track.speed ?? 0) > 0.5 || (position.speed ?? 0) > 0.5
        let isWaiting = !isMoving && place.along <= (path.calls.first ?? 0) + VehicleTrack.stationaryRadius
        let estimator = ArrivalEstimator(
            path: path, times: pattern.pattern.times(ofTimingGroup: Int(known.timingGroup)))
        let estimates = estimator.calls(
            along: place.along, speed: track.speed,
            age: max(0, track.measured.seconds(to: received)), wait: isWaiting ? Self.maximumWait : 0)
        guard estimates.count > 1 else { return nil }
        // One that waits leaves now at the earliest.
        let origin = isWaiting ? max(track.measured, received) : track.measured
        let calls = estimates.map { estimate in
            ExtraCall(
                stop: pattern.stops[estimate.position], sequence: pattern.sequences[estimate.position],
                arrival: origin.advanced(by: Int(estimate.arrival)),
                departure: origin.advanced(by: Int(estimate.departure)), uncertainty: estimate.uncertainty,
                isExpected: true, isSkipped: false, occupancy: position.occupancy)
        }
        let isDoubtful =
            !place.isCertain || place.beside > Self.nearPath || !isMoving && track.speed == nil
            || track.stationarySeconds >= Self.longHalt
        return ExtraTrip(
            kind: .usual, id: name(position, track), route: pattern.pattern.route,
            direction: pattern.pattern.direction,
            serviceDate: matcher.context.zones[pattern.zone].civil(at: calls[0].departure).date, calls: calls,
            measured: min(track.measured, received), entity: position.id, basis: .estimated,
            reliability: isDoubtful ? .weak : .plain,
            variant: known.trip)
    }

    /// The way and the vehicle together: several vehicles are on one way.
    private func name(_ position: VehiclePosition, _ track: VehicleTrack) -> TripID {
        let vehicle = position.vehicle?.id?.rawValue ?? position.id.rawValue
        return TripID("\(track.trip?.rawValue ?? "")/\(vehicle)")
    }
}
