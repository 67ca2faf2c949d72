package import TransitModel

/// Groups trips into patterns and timing groups while their stop times are read. Ten million stop times take tens of
/// megabytes of memory.
///
/// Call ``addTrip(_:_:)`` for every trip, then ``append(_:to:)`` for every stop time in any order, then ``append(_:)``
/// for every frequency, then ``finish(report:)``. Consecutive rows of one trip are processed at once. If more rows of a
/// trip follow later, they are stored until the end.
///
/// The stop times of a trip become a *pattern* (its stops) and a *profile* (its times relative to the start). Patterns
/// and profiles are deduplicated and stored as packed bytes. For each trip, only its profile and its start are stored.
package struct TimetableBuilder: Sendable {
    /// The maximum number of stop times of one trip. No real trip has this many stop times. The limit applies while
    /// rows are read, so that memory use is bounded even if all rows of a feed belong to one trip.
    package static let maximumStopTimes = 10_000

    /// The maximum number of rows of frequencies.txt for one trip: a new headway every minute of a day.
    package static let maximumFrequencies = 1440

    /// The profile and start of a trip. `profile` is ``unassigned`` until the trip's stop times are complete.
    struct TripAssignment: Sendable {
        static let unassigned = UInt32.max
        var profile = Self.unassigned
        var start: Int32 = 0
    }

    /// Headsigns, block IDs and trip short names, by ``TextIndex``.
    package var texts = ByteInterner()
    /// The problems found since the caller last emptied this property.
    package var problems = BuildProblemTally()

    var tripIDs = ByteInterner()
    var attributes: [TripAttributes] = []
    var assignments: [TripAssignment] = []
    /// The number of accepted stop times by trip, at most ``maximumStopTimes``. The stop times in ``stopTimes`` are not
    /// included.
    var rowCounts: [UInt16] = []
    var stopTimeCount = 0

    var patterns = ByteInterner()
    var profiles = ByteInterner()
    var frequencies: [SourceFrequency] = []
    /// The number of frequencies by trip.
    private var frequencyCounts: [SourceTripNumber: Int] = [:]

    private var interpolation: TimeInterpolation
    private var travelSpeedCheck: TravelSpeedCheck
    var renumbering = Renumbering()
    /// Decides which trips are kept; `nil` to keep all trips that are added.
    var selection: TripSelection?
    /// The ``IdentifierHash`` of each trip that was not added because it is not kept.
    var outsideTrips: Set<UInt64> = []
    /// The findings by profile. They are computed once for each profile and counted for every trip with the profile.
    private var fastProfiles: [UInt32: TravelSpeedCheck.Finding] = [:]
    /// Whether stop times could not be read back from a file.
    var isBroken = false
    /// The trip whose stop times are being collected.
    private var current: SourceTripNumber?
    /// The stop times of ``current`` that were collected so far.
    var stopTimes: [StopTime] = []
    /// The maximum number of stop times in ``stopTimes``.
    private var stopTimeLimit = 0
    var overflow: ScatteredStopTimes
    /// A buffer for packing.
    private var scratch: [UInt8] = []

    /// - Parameters:
    ///   - coordinates: The position of each stop, by ``StopIndex``, which is used to interpolate times.
    ///   - routeTypes: The `route_type` of each route, by ``RouteIndex``. Speeds are not checked for routes without a
    ///     type.
    ///   - folder: The folder for an unnamed file that holds deferred stop times, or `nil` to keep them in memory.
    package init(coordinates: [Coordinate?], routeTypes: [Int] = [], folder: String? = nil) {
        overflow = ScatteredStopTimes(folder: folder)
        interpolation = TimeInterpolation(coordinates: coordinates)
        travelSpeedCheck = TravelSpeedCheck(coordinates: coordinates, routeTypes: routeTypes)
    }

    package var tripCount: Int { attributes.count }

    // MARK: Kept routes and stops

    /// Returns whether any trip belongs to each route.
    func areRoutesUsed(count: Int) -> [Bool] {
        var isUsed = [Bool](repeating: false, count: count)
        for trip in attributes { isUsed[trip.route.position] = true }
        return isUsed
    }

    /// Gives the trips the new positions of their routes. Must be called before the first stop time is added.
    ///
    /// - Parameter routeTypes: The `route_type` of each kept route.
    mutating func keepRoutes(_ selection: RowSelection, routeTypes: [Int]) {
        travelSpeedCheck.routeTypes = routeTypes
        guard selection.leftOutCount > 0 else { return }
        for number in attributes.indices {
            // A route with trips is kept.
            if let route = selection[attributes[number].route.rawValue] { attributes[number].route = RouteIndex(route) }
        }
    }

    /// Gives the stops their positions in the timetable. Until then, stop times refer to positions in the source.
    mutating func keepStops(_ selection: RowSelection) { renumbering.stops = selection.positions }

    /// Adds a trip and returns its position, or returns `nil` if the identifier is already in use.
    package mutating func addTrip(_ id: UnsafeBufferPointer<UInt8>, _ trip: TripAttributes) -> SourceTripNumber? {
        if !outsideTrips.isEmpty, outsideTrips.contains(IdentifierHash.of(id)) { return nil }
        let (number, isNew) = tripIDs.intern(id)
        guard isNew else { return nil }
        attributes.append(trip)
        assignments.append(TripAssignment())
        rowCounts.append(0)
        return SourceTripNumber(number)
    }

    package func trip(_ id: UnsafeBufferPointer<UInt8>) -> SourceTripNumber? {
        tripIDs.find(id).map { SourceTripNumber($0) }
    }

    /// Returns whether the trip has the identifier `id`. This method is faster than ``trip(_:)`` if the caller can
    /// guess the trip.
    @inline(__always)
    package func trip(_ trip: SourceTripNumber, hasID id: UnsafeBufferPointer<UInt8>) -> Bool {
        tripIDs.matches(trip.rawValue, id)
    }

    package func id(of trip: SourceTripNumber) -> String { tripIDs.text(trip.rawValue) }

    /// Adds a stop time. The coordinates must include its stop, and `trip` must be a result of ``addTrip(_:_:)``.
    @inline(__always)
    package mutating func append(_ stopTime: StopTime, to trip: SourceTripNumber) {
        if trip != current {
            flush()
            current = trip
            stopTimeLimit = Self.maximumStopTimes - Int(rowCounts[Int(trip.rawValue)])
        }
        guard stopTimes.count < stopTimeLimit else { return report(.tooManyStopTimes, trip, stopTime.line) }
        stopTimes.append(stopTime)
    }

    package mutating func append(_ frequency: SourceFrequency) {
        guard frequencyCounts[frequency.trip, default: 0] < Self.maximumFrequencies else {
            return report(.tooManyFrequencies, frequency.trip, frequency.line)
        }
        frequencyCounts[frequency.trip, default: 0] += 1
        frequencies.append(frequency)
    }
}

// MARK: - Assignment of trips to patterns and profiles
extension TimetableBuilder {
    /// Assigns the current trip to a pattern and a profile.
    ///
    /// If its stop times are incomplete or need repair, they are moved to ``overflow`` instead, because more rows of
    /// the trip can follow later in the source.
    mutating func flush() {
        guard let trip = current, !stopTimes.isEmpty else { return }
        rowCounts[Int(trip.rawValue)] += UInt16(stopTimes.count)
        if selection != nil, selection?.keeps(stopTimes, of: trip) == false {
            stopTimes.removeAll(keepingCapacity: true)
            current = nil
            return
        }
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
    private mutating func sortStopTimes() {
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

    private static func hasTime(_ call: StopTime) -> Bool { call.arrival != nil || call.departure != nil }

    /// Completes the times of ``stopTimes`` and assigns the trip to its pattern and profile.
    private mutating func assign(_ trip: SourceTripNumber) {
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

// MARK: - Repair of stop times
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
        isBroken = isBroken || overflow.isBroken
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
        addDayAfterMidnight(trip)
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
    private mutating func dropDuplicates(_ trip: SourceTripNumber) {
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

    /// Adds 24 hours to all times from the first decrease to the end if this makes the times of the whole trip increase.
    ///
    /// Times after midnight of a trip's service date must exceed 24:00:00 (GTFS reference, field type *Time*), but some
    /// publishers begin again at 00:00:00, usually on the last trips of the day. A decrease for which a day does not
    /// make the trip increase, or leaves a gap of more than ``MidnightRollover/maximumGap``, is a typing error.
    private mutating func addDayAfterMidnight(_ trip: SourceTripNumber) {
        guard let midnight = MidnightRollover(in: stopTimes) else { return }
        midnight.addDay(to: &stopTimes)
        report(.timesBeginAgainAtMidnight, trip, stopTimes[midnight.position].line)
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
