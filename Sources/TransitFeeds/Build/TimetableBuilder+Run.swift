internal import TransitModel

extension TimetableBuilder {
    /// Takes the stop times collected for the current trip into a pattern and a profile.
    ///
    /// A run that is not whole in itself is put aside: the rest of the trip may stand elsewhere in the source.
    mutating func flush() {
        guard let trip = current, !run.isEmpty else { return }
        rowCounts[Int(trip.rawValue)] += UInt16(run.count)
        if !isAscending {
            sortRun()
            dropDuplicates(trip)
        }
        if placements[Int(trip.rawValue)].profile == TripAssignment.unplaced, isWhole {
            place(trip)
        } else {
            overflow.append(run, of: trip)
        }
        run.removeAll(keepingCapacity: true)
        current = nil
    }

    private var isAscending: Bool {
        var previous = run[0].sequence
        for position in 1..<run.count {
            if run[position].sequence <= previous { return false }
            previous = run[position].sequence
        }
        return true
    }

    /// By `stop_sequence`, then by the order of the source.
    mutating func sortRun() {
        run.sort { ($0.sequence, $0.line) < ($1.sequence, $1.line) }
    }

    /// Whether nothing in the run needs repair.
    private var isWhole: Bool {
        guard run.count >= 2, Self.hasTime(run[0]), Self.hasTime(run[run.count - 1]) else { return false }
        var sequence: UInt32?
        var time = Int32.min
        for call in run {
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

    /// Completes the times of ``run`` and interns it.
    mutating func place(_ trip: SourceTrip) {
        completePairs(trip)
        checkDistances(trip)
        interpolation.complete(&run)
        let trait = attributes[Int(trip.rawValue)]
        CallPacking.pack(run, route: trait.route, direction: trait.direction, into: &scratch)
        let pattern = patterns.intern(scratch).number
        ProfilePacking.pack(run, pattern: pattern, into: &scratch)
        let (profile, isNew) = profiles.intern(scratch)
        checkTravel(trip, profile, isNew: isNew)
        placements[Int(trip.rawValue)] = TripAssignment(profile: profile, start: run[0].departure?.seconds ?? 0)
        stopTimeCount += run.count
    }

    /// Distances must increase along a trip (GTFS reference, stop_times.txt).
    private mutating func checkDistances(_ trip: SourceTrip) {
        var previous: Float?
        for position in run.indices {
            guard let distance = run[position].distance else { continue }
            if let previous, distance <= previous { report(.distanceNotIncreasing, trip, run[position].line) }
            previous = distance
        }
    }

    private mutating func checkTravel(_ trip: SourceTrip, _ profile: UInt32, isNew: Bool) {
        if isNew {
            let found = travelSpeedCheck.check(run, route: attributes[Int(trip.rawValue)].route)
            if found != TravelSpeedCheck.Finding() { fastProfiles[profile] = found }
        }
        guard !fastProfiles.isEmpty, let found = fastProfiles[profile] else { return }
        if let position = found.toNextStop { report(.fastToNextStop, trip, run[position].line) }
        if let position = found.overDistance { report(.fastOverDistance, trip, run[position].line) }
    }

    /// Where only one of arrival and departure is given, it is both.
    private mutating func completePairs(_ trip: SourceTrip) {
        for position in run.indices {
            switch (run[position].arrival, run[position].departure) {
            case (nil, let departure?): run[position].arrival = departure
            case (let arrival?, nil): run[position].departure = arrival
            default: continue
            }
            report(.onlyOneTime, trip, run[position].line)
        }
    }

    mutating func report(_ kind: BuildProblem.Kind, _ trip: SourceTrip, _ line: UInt32) {
        problems.add(BuildProblem(kind: kind, trip: trip, line: line))
    }
}
