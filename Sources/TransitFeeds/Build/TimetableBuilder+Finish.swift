package import TransitModel

/// What ``TimetableBuilder`` made of the trips: the parts of a ``TimetableDraft`` that it knows.
package struct BuiltTimetable: Sendable {
    package var patterns: PackedPatterns
    /// Only trips that run along a pattern, in the order of patterns, lanes and starts.
    package var trips: TripColumns
    package var texts: TextColumn
    /// How many stop times are behind the patterns.
    package var stopTimeCount: Int
    /// Whether stop times are missing, because they could not be read back from a file.
    package var isBroken = false
}

extension TimetableBuilder {
    /// Orders everything: patterns by route, direction and falling number of trips; lanes by their first start; trips
    /// by lane, start and identifier. `report` receives every kind of problem that the caller has not taken yet, with a
    /// function that returns a trip's identifier.
    package consuming func finish(
        report: (_ problems: BuildProblemTally.Entry, _ id: (SourceTrip) -> String) -> Void
    ) -> BuiltTimetable {
        flush()
        mergeOverflow()
        reportTripsWithoutStopTimes()
        let plan = TimingGroupOrder(self)
        let order = plan.tripOrder(self)
        var newIndex = [UInt32](repeating: TripAssignment.unplaced, count: placements.count)
        for (position, trip) in order.enumerated() { newIndex[Int(trip)] = UInt32(position) }
        let packed = packFrequencies(newIndex)
        newIndex = []
        for entry in problems.entries { report(entry) { id(of: $0) } }
        let starts = order.map { placements[Int($0)].start }
        placements = []
        let trips = orderedTrips(order)
        attributes = []
        let patterns = PackedPatterns(
            calls: patterns.column(), profiles: profiles.column(), order: plan.patterns,
            timingGroups: plan.timingGroups,
            starts: starts, services: trips.services, frequencies: packed)
        return BuiltTimetable(
            patterns: patterns, trips: trips, texts: texts.column(), stopTimeCount: stopTimeCount,
            isBroken: isBroken)
    }

    private mutating func reportTripsWithoutStopTimes() {
        // A trip with stop times and without a placement was already reported with the reason.
        for number in placements.indices
        where placements[number].profile == TripAssignment.unplaced && rowCounts[number] == 0 {
            report(.noStopTimes, SourceTrip(UInt32(number)), 0)
        }
        rowCounts = []
    }

    private func orderedTrips(_ order: [UInt32]) -> TripColumns {
        var trips = TripColumns()
        trips.reserve(order.count)
        for number in order {
            let trip = attributes[Int(number)]
            tripIDs.withBytes(of: number) { trips.ids.append($0) }
            trips.services.append(trip.service)
            trips.headsigns.append(trip.headsign)
            trips.shortNames.append(trip.shortName)
            trips.blocks.append(trip.block)
            trips.shapes.append(trip.shape)
            trips.wheelchair.append(trip.wheelchair)
            trips.bikes.append(trip.bikes)
        }
        return trips
    }
}

extension TimetableBuilder {
    /// Frequencies by the trips' new numbers, ascending by trip and start, without overlaps.
    private mutating func packFrequencies(_ newIndex: [UInt32]) -> [PackedFrequency] {
        let sorted = frequencies.sorted {
            ($0.trip.rawValue, $0.start, $0.line) < ($1.trip.rawValue, $1.start, $1.line)
        }
        frequencies = []
        var packed: [PackedFrequency] = []
        var previousTrip: SourceTrip?
        for row in sorted {
            let trip = newIndex[Int(row.trip.rawValue)]
            guard trip != TripAssignment.unplaced else {
                report(.frequencyOfSkippedTrip, row.trip, row.line)
                continue
            }
            if previousTrip == row.trip, let last = packed.last, last.end > row.start.seconds {
                if last.start == row.start.seconds {
                    report(.duplicateFrequency, row.trip, row.line)
                    continue
                }
                report(.overlappingFrequency, row.trip, row.line)
                packed[packed.count - 1].end = row.start.seconds
            }
            previousTrip = row.trip
            packed.append(PackedFrequency(row, trip: trip))
        }
        packed.sort { ($0.trip, $0.start) < ($1.trip, $1.start) }
        return packed
    }
}

extension TripColumns {
    fileprivate mutating func reserve(_ count: Int) {
        services.reserveCapacity(count)
        headsigns.reserveCapacity(count)
        shortNames.reserveCapacity(count)
        blocks.reserveCapacity(count)
        shapes.reserveCapacity(count)
        wheelchair.reserveCapacity(count)
        bikes.reserveCapacity(count)
    }
}
