internal import TransitModel

extension TimetableBuilder {
    /// Brings what was put aside together with what was placed of the same trips, repairs what can be, and places it.
    mutating func mergeOverflow() {
        for number in 0..<overflow.tripLimit {
            run.removeAll(keepingCapacity: true)
            overflow.collect(number, into: &run)
            guard !run.isEmpty else { continue }
            restorePlacedRows(SourceTrip(number))
            repair(SourceTrip(number))
        }
        isBroken = overflow.isBroken
        overflow = StopTimeOverflow()
        run = []
    }

    /// Adds to ``run`` what was placed of a trip already.
    private mutating func restorePlacedRows(_ trip: SourceTrip) {
        let placement = placements[Int(trip.rawValue)]
        guard placement.profile != TripAssignment.unplaced else { return }
        var earlier: [StopTime] = []
        profiles.withBytes(of: placement.profile) { profile in
            patterns.withBytes(of: ProfilePacking.pattern(profile)) { pattern in
                earlier = CallPacking.unpack(pattern).calls.map { call in
                    StopTime(
                        stop: call.stop, sequence: call.sequence, arrival: nil, departure: nil, headsign: call.headsign,
                        pickup: call.pickup, dropOff: call.dropOff)
                }
            }
            ProfilePacking.restore(profile, start: placement.start, into: &earlier)
        }
        run.append(contentsOf: earlier)
        placements[Int(trip.rawValue)] = TripAssignment()
        stopTimeCount -= earlier.count
    }

    /// Drops rows and times that cannot be; places the trip when the rest is enough for a journey.
    private mutating func repair(_ trip: SourceTrip) {
        sortRun()
        dropDuplicates(trip)
        guard run.count >= 2 else { return report(.tooFewStopTimes, trip, run.first?.line ?? 0) }
        dropDecreasingTimes(trip)
        dropUntimedEdges(trip)
        guard run.count >= 2 else { return report(.tooFewStopTimes, trip, run.first?.line ?? 0) }
        place(trip)
    }

    /// Drops the calls before the first time and after the last one: when they happen cannot be told, while the rest of
    /// the trip is still somebody's train.
    private mutating func dropUntimedEdges(_ trip: SourceTrip) {
        let first = run.firstIndex(where: Self.hasTime) ?? run.endIndex
        let end = run.lastIndex(where: Self.hasTime).map { $0 + 1 } ?? run.endIndex
        for call in run[..<first] + run[end...] { report(.missingEdgeTime, trip, call.line) }
        run.removeSubrange(end...)
        run.removeSubrange(..<first)
    }

    /// Keeps the first of several stop times with one sequence number. The run must be sorted.
    mutating func dropDuplicates(_ trip: SourceTrip) {
        var kept = 0
        for position in run.indices {
            if kept > 0, run[kept - 1].sequence == run[position].sequence {
                report(.duplicateSequence, trip, run[position].line)
            } else {
                run[kept] = run[position]
                kept += 1
            }
        }
        run.removeSubrange(kept...)
    }

    private mutating func dropDecreasingTimes(_ trip: SourceTrip) {
        var time = Int32.min
        for position in run.indices {
            guard let arrival = (run[position].arrival ?? run[position].departure)?.seconds else { continue }
            let departure = run[position].departure?.seconds ?? arrival
            if arrival >= time, departure >= arrival {
                time = departure
            } else {
                report(arrival < time ? .decreasingTime : .departureBeforeArrival, trip, run[position].line)
                run[position].arrival = nil
                run[position].departure = nil
            }
        }
    }
}
