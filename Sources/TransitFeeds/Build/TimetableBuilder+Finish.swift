package import TransitModel

/// The output of ``TimetableBuilder``, which becomes part of a ``TimetableDraft``.
package struct BuiltTimetable: Sendable {
    package var patterns: PackedPatterns
    /// The usable trips, in the order of patterns, timing groups and starts.
    package var trips: TripColumns
    package var texts: TextColumn
    /// The number of stop times of all usable trips.
    package var stopTimeCount: Int
    /// Whether stop times are missing because the scratch file could not be read back.
    package var isBroken = false
}

extension TimetableBuilder {
    /// Builds the timetable. ``TimingGroupOrder`` defines the order of its contents.
    ///
    /// `report` receives an entry for every kind of problem that remains in ``problems``, and a function that returns
    /// the identifier of a trip.
    package consuming func finish(
        report: (_ problems: BuildProblemTally.Entry, _ id: (SourceTripNumber) -> String) -> Void
    ) -> BuiltTimetable {
        flush()
        mergeOverflow()
        reportTripsWithoutStopTimes()
        let plan = TimingGroupOrder(self)
        let order = plan.tripOrder(self)
        var newIndex = [UInt32](repeating: TripAssignment.unassigned, count: assignments.count)
        for (position, trip) in order.enumerated() { newIndex[Int(trip)] = UInt32(position) }
        let packed = packFrequencies(newIndex)
        newIndex = []
        for entry in problems.entries { report(entry) { id(of: $0) } }
        let starts = order.map { assignments[Int($0)].start }
        assignments = []
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
        // A trip that has stop times but no profile was already reported with the reason.
        for number in assignments.indices
        where assignments[number].profile == TripAssignment.unassigned && rowCounts[number] == 0 {
            report(.noStopTimes, SourceTripNumber(UInt32(number)), 0)
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
    /// Returns the frequencies with the trips' numbers in the timetable, ascending by trip and start, without overlaps.
    private mutating func packFrequencies(_ newIndex: [UInt32]) -> [PackedFrequency] {
        let sorted = frequencies.sorted {
            ($0.trip.rawValue, $0.start, $0.line) < ($1.trip.rawValue, $1.start, $1.line)
        }
        frequencies = []
        var packed: [PackedFrequency] = []
        var previousTrip: SourceTripNumber?
        for row in sorted {
            let trip = newIndex[Int(row.trip.rawValue)]
            guard trip != TripAssignment.unassigned else {
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
