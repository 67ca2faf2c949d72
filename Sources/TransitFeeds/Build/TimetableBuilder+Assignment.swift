internal import TransitModel

extension TimetableBuilder {
    /// Assigns the current trip to a pattern and a profile.
    ///
    /// If its stop times are incomplete or need repair, they are moved to ``overflow`` instead, because more rows of
    /// the trip can follow later in the source.
    mutating func flush() {
        guard let trip = current, !stopTimes.isEmpty else { return }
        rowCounts[Int(trip.rawValue)] += UInt16(stopTimes.count)
        if !isAscending {
            sortStopTimes()
            dropDuplicates(trip)
        }
        if assignments[Int(trip.rawValue)].profile == TripAssignment.unassigned, isComplete {
            assign(trip)
        } else {
            overflow.append(stopTimes, of: trip)
        }
        stopTimes.removeAll(keepingCapacity: true)
        current = nil
    }

    private var isAscending: Bool {
        var previous = stopTimes[0].sequence
        for position in 1..<stopTimes.count {
            if stopTimes[position].sequence <= previous { return false }
            previous = stopTimes[position].sequence
        }
        return true
    }

    /// Sorts ``stopTimes`` by `stop_sequence`, then in source order.
    mutating func sortStopTimes() {
        stopTimes.sort { ($0.sequence, $0.line) < ($1.sequence, $1.line) }
    }

    /// Whether no row in ``stopTimes`` needs repair.
    private var isComplete: Bool {
        guard stopTimes.count >= 2, Self.hasTime(stopTimes[0]), Self.hasTime(stopTimes[stopTimes.count - 1]) else {
            return false
        }
        var sequence: UInt32?
        var time = Int32.min
        for call in stopTimes {
            if let sequence, call.sequence <= sequence { return false }
            sequence = call.sequence
            if let arrival = (call.arrival ?? call.departure)?.seconds {
                let departure = call.departure?.seconds ?? arrival
                if arrival < time || departure < arrival { return false }
                time = departure
            }
        }
        return true
    }

    static func hasTime(_ call: StopTime) -> Bool { call.arrival != nil || call.departure != nil }

    /// Completes the times of ``stopTimes`` and assigns the trip to its pattern and profile.
    mutating func assign(_ trip: SourceTripNumber) {
        completePairs(trip)
        checkDistances(trip)
        interpolation.complete(&stopTimes)
        let trait = attributes[Int(trip.rawValue)]
        CallPacking.pack(stopTimes, route: trait.route, direction: trait.direction, into: &scratch)
        let pattern = patterns.intern(scratch).number
        RunningTimesPacking.pack(stopTimes, pattern: pattern, into: &scratch)
        let (profile, isNew) = profiles.intern(scratch)
        checkTravel(trip, profile, isNew: isNew)
        assignments[Int(trip.rawValue)] = TripAssignment(profile: profile, start: stopTimes[0].departure?.seconds ?? 0)
        stopTimeCount += stopTimes.count
    }

    /// Distances must increase along a trip (GTFS reference, stop_times.txt).
    private mutating func checkDistances(_ trip: SourceTripNumber) {
        var previous: Float?
        for position in stopTimes.indices {
            guard let distance = stopTimes[position].distance else { continue }
            if let previous, distance <= previous { report(.distanceNotIncreasing, trip, stopTimes[position].line) }
            previous = distance
        }
    }

    private mutating func checkTravel(_ trip: SourceTripNumber, _ profile: UInt32, isNew: Bool) {
        if isNew {
            let found = travelSpeedCheck.check(stopTimes, route: attributes[Int(trip.rawValue)].route)
            if found != TravelSpeedCheck.Finding() { fastProfiles[profile] = found }
        }
        guard !fastProfiles.isEmpty, let found = fastProfiles[profile] else { return }
        if let position = found.toNextStop { report(.fastToNextStop, trip, stopTimes[position].line) }
        if let position = found.overDistance { report(.fastOverDistance, trip, stopTimes[position].line) }
    }

    /// Uses the arrival as the departure, or the departure as the arrival, if only one of them is given.
    private mutating func completePairs(_ trip: SourceTripNumber) {
        for position in stopTimes.indices {
            switch (stopTimes[position].arrival, stopTimes[position].departure) {
            case (nil, let departure?): stopTimes[position].arrival = departure
            case (let arrival?, nil): stopTimes[position].departure = arrival
            default: continue
            }
            report(.onlyOneTime, trip, stopTimes[position].line)
        }
    }

    mutating func report(_ kind: BuildProblem.Kind, _ trip: SourceTripNumber, _ line: UInt32) {
        problems.add(BuildProblem(kind: kind, trip: trip, line: line))
    }
}
