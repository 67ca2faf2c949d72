internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore
internal import TransitWire

extension RequestHandlers {
    func tripShow(_ parameters: TripShowParameters, _ context: RequestContext) throws -> TripShowResult {
        let feeds = try context.feeds(named: parameters.feed)
        let timetables = try RequestContext.timetables(of: feeds, at: context.now, naming: parameters.trip)
        let departure = DepartureID(parameters.trip)
        if let departure { try refuseExtraTrip(departure, timetables, context) }
        let found = try TripFinder(timetables).find(parameters.trip)
        let timetable = found.timetable
        let trip = try timetable.file.trip(found.index)
        guard let place = try timetable.file.locate(found.index) else {
            throw ControlError(.tripNotFound, "The trip \"\(trip.id)\" has no calls.")
        }
        let run = TripSchedule(timetable: timetable, trip: trip, place: place, departure: departure)
        let realtime = context.realtime(timetable)
        let start = departure?.start ?? run.start
        let date =
            parameters.date ?? departure?.date
            ?? run.dateNowOrNext(startingAt: start, realtime: realtime, at: context.now)
        let names = NameRenderer(timetable: timetable, language: parameters.language)
        let rendering = context.rendering(timetable, language: parameters.language)
        let calls = run.expected(on: date, startingAt: start, realtime: realtime, now: context.now)
        if run.duplicateStart != nil, calls.first?.duplicateStart == nil {
            throw ControlError(
                .tripNotFound, "The trip \"\(trip.id)\" has no copy with that start time.",
                hint: "Show the trip itself with: transitctl trip show \(timetable.feed):\(trip.id)")
        }
        let realtimeSummary = run.realtimeSummary(of: calls, realtime: realtime, rendering)
        return TripShowResult(
            at: context.at, feed: timetable.feed, trip: try run.summary(names: names),
            route: try names.route(place.pattern.route), serviceDate: date, runs: run.service?.runs(on: date) ?? false,
            status: realtimeSummary?.status ?? .scheduled, source: realtimeSummary?.source ?? .scheduled,
            confidence: realtimeSummary?.confidence,
            realtimeState: realtimeSummary?.realtimeState ?? .notExpected, age: realtimeSummary?.age,
            vehicle: realtimeSummary?.vehicle,
            alerts: try calls.first.map { (call) throws(StoreError) in try rendering.departure(call).alerts } ?? [],
            headway: run.headway(startingAt: start), calls: try run.calls(calls, names: names),
            notices: context.notices(about: timetable) + timetable.notices(about: date))
    }
}

extension RequestHandlers {
    /// Throws an error for a trip that is only in the realtime data and therefore has no scheduled calls.
    private func refuseExtraTrip(
        _ departure: DepartureID, _ timetables: [Timetable], _ context: RequestContext
    ) throws {
        guard let timetable = timetables.first(where: { $0.feed == departure.feed }),
            try timetable.file.trip(id: departure.trip) == nil,
            context.realtime(timetable)?.extraCall(
                trip: departure.trip, date: departure.date, sequence: departure.sequence, now: context.now) != nil
        else { return }
        throw ControlError(
            .tripNotFound, "The trip \"\(departure.trip)\" is only in the live data, not in the timetable.",
            hint: "Show what is known about it with: transitctl explain \(departure)")
    }
}

/// Finds a trip by `feed:trip_id`, by the trip's identifier, or by the `id` of a departure.
struct TripFinder {
    var timetables: [Timetable]

    init(_ timetables: [Timetable]) { self.timetables = timetables }

    /// - Throws: ``ErrorKind/tripNotFound``, ``ErrorKind/tripAmbiguous``, and `StoreError`.
    func find(_ text: String) throws -> (timetable: Timetable, index: TripIndex) {
        if let found = try timetables.lazy.compactMap({ try Self.qualified(text, in: $0) }).first { return found }
        if let departure = DepartureID(text), let timetable = timetables.first(where: { $0.feed == departure.feed }),
            let index = try timetable.file.trip(id: departure.trip)
        {
            return (timetable, index)
        }
        let found = try timetables.compactMap { timetable in
            try timetable.file.trip(id: TripID(text)).map { (timetable: timetable, index: $0) }
        }
        guard let first = found.first else {
            throw ControlError(
                .tripNotFound, "There is no trip \"\(text)\".",
                hint: "Use a trip_id, FEED:TRIP_ID, or the id of a departure.")
        }
        guard found.count == 1 else {
            let names = found.map { JSONValue.string("\($0.timetable.feed):\(text)") }
            throw ControlError(
                .tripAmbiguous, "\(found.count) feeds have a trip \"\(text)\".", hint: "Name the feed: FEED:TRIP_ID.",
                details: ["candidates": .array(names)])
        }
        return first
    }

    private static func qualified(
        _ text: String, in timetable: Timetable
    ) throws(StoreError) -> (timetable: Timetable, index: TripIndex)? {
        guard text.hasPrefix(timetable.feed.rawValue + ":") else { return nil }
        let id = TripID(String(text.dropFirst(timetable.feed.rawValue.count + 1)))
        return try timetable.file.trip(id: id).map { (timetable, $0) }
    }
}

/// A trip with its pattern, service and frequencies.
private struct TripSchedule {
    let timetable: Timetable
    let trip: Trip
    let place: TimetableFile.TripPatternLocation

    /// The maximum number of days ahead in the search for the next service date.
    private static let horizon = 366

    /// Unpacked only once, because every call needs the timing group and unpacking takes time proportional to the
    /// trip's calls.
    private let timingGroup: TimingGroup
    private let frequencies: [Frequency]
    /// The start time of the copy (`DUPLICATED`) to which the departure belongs. Only a copy of a trip without
    /// frequencies has a start time of its own.
    let duplicateStart: ServiceTime?

    init(timetable: Timetable, trip: Trip, place: TimetableFile.TripPatternLocation, departure: DepartureID?) {
        self.timetable = timetable
        self.trip = trip
        self.place = place
        timingGroup = place.pattern.timingGroups[place.timingGroup]
        frequencies = timingGroup.frequencies.filter { Int($0.trip) == place.position }
        duplicateStart = frequencies.isEmpty ? departure?.start : nil
    }

    private var zone: ServiceZone { timetable.zone(of: place.pattern.route) }

    var service: Service? {
        let services = timetable.file.services
        return services.indices.contains(trip.service.position) ? services[trip.service.position] : nil
    }

    /// The start of the trip or, with frequencies, of its first trip instance.
    var start: ServiceTime { ServiceTime(seconds: frequencies.first?.start ?? timingGroup.starts[place.position]) }

    func headway(startingAt start: ServiceTime) -> Headway? {
        let row = frequencies.first { $0.start <= start.seconds && start.seconds < $0.end } ?? frequencies.first
        return row.map { Headway(seconds: Int($0.headway), exact: $0.isExact) }
    }

    /// Returns the service date of the trip instance that is running or next. A late trip instance may still be running
    /// after its scheduled end. Returns today if the trip no longer runs.
    func dateNowOrNext(startingAt start: ServiceTime, realtime: RealtimeDatasets?, at now: Instant) -> ServiceDate {
        let today = zone.civil(at: now).date
        guard let service, let last = timingGroup.times.last else { return today }
        let lastStart = frequencies.map(\.end).max() ?? timingGroup.starts[place.position]
        let end = ServiceTime(seconds: max(0, lastStart + last.arrival))
        let daysBack = Int(end.seconds / 86_400) + 1
        for day in -daysBack...Self.horizon {
            let date = today.advanced(by: day)
            guard service.runs(on: date) else { continue }
            if zone.instant(of: end, on: date) >= now { return date }
            let last = expected(
                timingGroup.times.indices.suffix(1), on: date, startingAt: start, realtime: realtime, now: now
            )
            .first
            if let last, last.isRunning, let arrival = last.expectedArrival, arrival >= now { return date }
        }
        return today
    }

    func summary(names: NameRenderer) throws(StoreError) -> TripSummary {
        TripSummary(
            id: trip.id, shortName: try text(trip.shortName),
            headsign: try names.headsign(of: trip, pattern: place.pattern),
            block: try text(trip.block), service: service?.id ?? "", wheelchair: AccessibilityLevel(trip.wheelchair),
            bikes: AccessibilityLevel(trip.bikes), directionId: place.pattern.direction.map { Int($0.rawValue) })
    }

    private func text(_ index: TextIndex?) throws(StoreError) -> String? {
        try index.map { (index) throws(StoreError) in try timetable.text(index) }
    }

    /// Returns every call of the trip instance, with expected times or, without realtime data, scheduled times.
    func expected(
        on date: ServiceDate, startingAt start: ServiceTime, realtime: RealtimeDatasets?, now: Instant
    ) -> [ExpectedCall] {
        expected(timingGroup.times.indices, on: date, startingAt: start, realtime: realtime, now: now)
    }

    /// Returns the expected calls at the given positions.
    private func expected(
        _ positions: Range<Int>, on date: ServiceDate, startingAt start: ServiceTime, realtime: RealtimeDatasets?,
        now: Instant
    ) -> [ExpectedCall] {
        let isRepeated = !frequencies.isEmpty
        let begin = zone.instant(
            of: isRepeated ? start : ServiceTime(seconds: timingGroup.starts[place.position]), on: date)
        let row = frequencies.first { $0.start <= start.seconds && start.seconds < $0.end }
        return positions.map { position in
            let times = timingGroup.times[position]
            let call = ScheduledCall(
                pattern: place.pattern, timingGroup: place.timingGroup, tripPosition: place.position, serviceDate: date,
                position: position, arrival: begin.advanced(by: Int(times.arrival)),
                departure: begin.advanced(by: Int(times.departure)), frequency: row.map { (start, $0) })
            guard let realtime else { return ExpectedCall(scheduled: call) }
            var key = TripInstanceKey(call)
            if let duplicateStart { key.frequencyStart = duplicateStart }
            if let expected = realtime.expected(call, of: key, now: now) { return expected }
            // The call is hidden in lists, but this request is for its trip.
            var deleted = ExpectedCall(scheduled: call)
            deleted.status = .canceled
            return deleted
        }
    }

    /// The realtime state of the trip as a whole.
    struct RealtimeSummary {
        var status: DepartureStatus
        var source: DepartureSource
        var confidence: Confidence?
        var realtimeState: RealtimeState
        var age: Int?
        var vehicle: DepartureVehicle?
    }

    /// Returns the call that represents the trip: the next call with realtime data or, if there is none, one that has
    /// departed.
    private static func representative(of calls: [ExpectedCall], now: Instant) -> ExpectedCall? {
        let realtime = calls.filter { $0.source != .scheduled }
        return realtime.first { $0.isRunning && $0.status != .departed } ?? realtime.first { $0.isRunning } ?? realtime
            .first
            ?? calls.first { $0.age != nil } ?? calls.first { $0.departure >= now } ?? calls.first
    }

    /// Returns `nil` if no call has realtime data.
    func realtimeSummary(of calls: [ExpectedCall], realtime: RealtimeDatasets?, _ rendering: DepartureRenderer)
        -> RealtimeSummary?
    {
        let now = rendering.now
        guard let realtime, let call = Self.representative(of: calls, now: now), let key = call.tripInstance else {
            return nil
        }
        let isOver = calls.last?.status == .departed
        let status = isOver ? DepartureStatus.departed : call.status == .departed ? .scheduled : .init(call.status)
        let vehicle = realtime.vehicle(of: key, now: now)
        return RealtimeSummary(
            status: call.status == .skipped ? .scheduled : status, source: DepartureSource(call.source),
            confidence: call.age == nil ? nil : rendering.confidence(call),
            realtimeState: rendering.realtimeState(call),
            age: call.age?.seconds,
            vehicle: vehicle.map { vehicle in
                DepartureVehicle(
                    vehicle, call: vehicle.progress?.call ?? 0, occupancy: call.occupancy, realtime: realtime, now: now)
            })
    }

    func calls(_ expected: [ExpectedCall], names: NameRenderer) throws(StoreError) -> [TripCall] {
        var calls: [TripCall] = []
        for (position, expected) in expected.enumerated() {
            let (call, times) = (place.pattern.calls[position], timingGroup.times[position])
            let zone = try timetable.cachedStop(expected.stop).zone ?? self.zone
            calls.append(
                TripCall(
                    sequence: Int(call.sequence), stop: try names.callStop(expected.stop),
                    arrival: expected.scheduledArrival.map { Timestamp($0, in: zone) },
                    departure: expected.scheduledDeparture.map { Timestamp($0, in: zone) },
                    expectedArrival: expected.expectedArrival.map { Timestamp($0, in: zone) },
                    expectedDeparture: expected.expectedDeparture.map { Timestamp($0, in: zone) },
                    delay: expected.delay ?? expected.arrivalDelay,
                    uncertainty: expected.uncertainty.map { Int($0) }, status: DepartureStatus(expected.status),
                    source: DepartureSource(expected.source),
                    scheduledStop: expected.hasPlatformChange ? try names.callStop(call.stop) : nil,
                    isApproximate: !times.isExact, pickup: Boarding(call.pickup), dropOff: Boarding(call.dropOff),
                    headsign: try text(call.headsign)))
        }
        return calls
    }
}
