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
        let texts = keptTexts()
        let patterns = PackedPatterns(
            calls: patterns.column(), profiles: profiles.column(), order: plan.patterns,
            timingGroups: plan.timingGroups,
            starts: starts, services: trips.services, frequencies: packed, renumbering: renumbering)
        return BuiltTimetable(
            patterns: patterns, trips: trips, texts: texts, stopTimeCount: stopTimeCount,
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
            trips.headsigns.append(renumbered(trip.headsign))
            trips.shortNames.append(renumbered(trip.shortName))
            trips.blocks.append(renumbered(trip.block))
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

/// The patterns of a ``TimetableBuilder``, which are unpacked one at a time.
package struct PackedPatterns: PatternSource {
    fileprivate let calls: TextColumn
    fileprivate let profiles: TextColumn
    fileprivate let order: [TimingGroupOrder.PlannedPattern]
    fileprivate let timingGroups: [PackedTimingGroup]
    /// The start of each trip in seconds of service time, by trip.
    fileprivate let starts: [Int32]
    /// The service of each trip, by trip.
    fileprivate let services: [ServiceIndex]
    /// The frequencies, ascending by trip and start.
    fileprivate let frequencies: [PackedFrequency]
    fileprivate let renumbering: TimetableBuilder.Renumbering

    package var count: Int { order.count }

    package func forEachPattern<Failure: Error>(_ body: (Pattern) throws(Failure) -> Void) throws(Failure) {
        var firstTimingGroup = 0
        var frequency = 0
        for (position, planned) in order.enumerated() {
            let unpacked = timingGroups[firstTimingGroup..<Int(planned.timingGroupsEnd)].map {
                unpack($0, frequency: &frequency)
            }
            firstTimingGroup = Int(planned.timingGroupsEnd)
            var pattern = calls.withBytes(Int(planned.number)) { CallPacking.unpack($0) }
            renumbering.apply(to: &pattern.calls, &pattern.route)
            try body(
                Pattern(
                    index: PatternIndex(position), route: pattern.route, direction: pattern.direction,
                    calls: pattern.calls, timingGroups: unpacked))
        }
    }

    private func unpack(_ timingGroup: PackedTimingGroup, frequency: inout Int) -> TimingGroup {
        let trips = Int(timingGroup.firstTrip)..<Int(timingGroup.firstTrip + timingGroup.count)
        var repeated: [Frequency] = []
        while frequency < frequencies.count, Int(frequencies[frequency].trip) < trips.upperBound {
            let row = frequencies[frequency]
            repeated.append(
                Frequency(
                    trip: row.trip - timingGroup.firstTrip, start: row.start, end: row.end, headway: row.headway,
                    isExact: row.isExact))
            frequency += 1
        }
        return TimingGroup(
            times: profiles.withBytes(Int(timingGroup.profile)) { RunningTimesPacking.unpack($0) },
            firstTrip: TripIndex(timingGroup.firstTrip), starts: Array(starts[trips]), services: Array(services[trips]),
            frequencies: repeated)
    }
}

extension TextColumn {
    fileprivate func withBytes<Result>(_ position: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        let range = range(position)
        return bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
    }
}

extension TimetableBuilder.Renumbering {
    fileprivate func apply(to calls: inout [PatternCall], _ route: inout RouteIndex) {
        if !routes.isEmpty { route = RouteIndex(routes[route.position]) }
        for call in calls.indices {
            if !stops.isEmpty { calls[call].stop = StopIndex(stops[calls[call].stop.position]) }
            guard !texts.isEmpty, let headsign = calls[call].headsign else { continue }
            calls[call].headsign = TextIndex(texts[headsign.position])
        }
    }
}

/// A row of frequencies.txt whose trip is numbered in timetable order.
private struct PackedFrequency: Sendable {
    var trip: UInt32
    var start: Int32
    var end: Int32
    var headway: Int32
    var isExact: Bool

    init(_ row: SourceFrequency, trip: UInt32) {
        self.trip = trip
        start = row.start.seconds
        end = row.end.seconds
        headway = row.headway
        isExact = row.isExact
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
