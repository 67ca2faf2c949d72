internal import TransitModel

extension TimetableBuilder {
    /// Merges the rows of each trip in the overflow with the trip's other rows, repairs them, and assigns the trip to a
    /// profile.
    mutating func mergeOverflow() {
        for number in 0..<overflow.tripLimit {
            stopTimes.removeAll(keepingCapacity: true)
            overflow.collect(number, into: &stopTimes)
            guard !stopTimes.isEmpty else { continue }
            restoreAssignedRows(SourceTripNumber(number))
            repair(SourceTripNumber(number))
        }
        isBroken = overflow.isBroken
        overflow = ScatteredStopTimes()
        stopTimes = []
    }

    /// Adds to ``stopTimes`` the rows of a trip that was already assigned to a profile, and clears the assignment.
    private mutating func restoreAssignedRows(_ trip: SourceTripNumber) {
        let assignment = assignments[Int(trip.rawValue)]
        guard assignment.profile != TripAssignment.unassigned else { return }
        var earlier: [StopTime] = []
        profiles.withBytes(of: assignment.profile) { profile in
            patterns.withBytes(of: RunningTimesPacking.pattern(profile)) { pattern in
                earlier = CallPacking.unpack(pattern).calls.map { call in
                    StopTime(
                        stop: call.stop, sequence: call.sequence, arrival: nil, departure: nil, headsign: call.headsign,
                        pickup: call.pickup, dropOff: call.dropOff)
                }
            }
            RunningTimesPacking.restore(profile, start: assignment.start, into: &earlier)
        }
        stopTimes.append(contentsOf: earlier)
        assignments[Int(trip.rawValue)] = TripAssignment()
        stopTimeCount -= earlier.count
    }

    /// Drops invalid rows and times. Assigns the trip to a profile if at least two stop times remain.
    private mutating func repair(_ trip: SourceTripNumber) {
        sortStopTimes()
        dropDuplicates(trip)
        guard stopTimes.count >= 2 else { return report(.tooFewStopTimes, trip, stopTimes.first?.line ?? 0) }
        dropDecreasingTimes(trip)
        dropUntimedEdges(trip)
        guard stopTimes.count >= 2 else { return report(.tooFewStopTimes, trip, stopTimes.first?.line ?? 0) }
        assign(trip)
    }

    /// Drops the calls before the first call with a time and after the last call with a time. Their times cannot be
    /// interpolated, but the rest of the trip is still useful.
    private mutating func dropUntimedEdges(_ trip: SourceTripNumber) {
        let first = stopTimes.firstIndex(where: Self.hasTime) ?? stopTimes.endIndex
        let end = stopTimes.lastIndex(where: Self.hasTime).map { $0 + 1 } ?? stopTimes.endIndex
        for call in stopTimes[..<first] + stopTimes[end...] { report(.missingEdgeTime, trip, call.line) }
        stopTimes.removeSubrange(end...)
        stopTimes.removeSubrange(..<first)
    }

    /// Drops all but the first stop time with the same sequence number. ``stopTimes`` must be sorted.
    mutating func dropDuplicates(_ trip: SourceTripNumber) {
        var uniqueCount = 0
        for position in stopTimes.indices {
            if uniqueCount > 0, stopTimes[uniqueCount - 1].sequence == stopTimes[position].sequence {
                report(.duplicateSequence, trip, stopTimes[position].line)
            } else {
                stopTimes[uniqueCount] = stopTimes[position]
                uniqueCount += 1
            }
        }
        stopTimes.removeSubrange(uniqueCount...)
    }

    private mutating func dropDecreasingTimes(_ trip: SourceTripNumber) {
        var time = Int32.min
        for position in stopTimes.indices {
            guard let arrival = (stopTimes[position].arrival ?? stopTimes[position].departure)?.seconds else {
                continue
            }
            let departure = stopTimes[position].departure?.seconds ?? arrival
            if arrival >= time, departure >= arrival {
                time = departure
            } else {
                report(arrival < time ? .decreasingTime : .departureBeforeArrival, trip, stopTimes[position].line)
                stopTimes[position].arrival = nil
                stopTimes[position].departure = nil
            }
        }
    }
}
