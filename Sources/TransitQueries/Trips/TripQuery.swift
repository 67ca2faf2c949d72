package import TransitEngine
package import TransitModel
package import TransitStore

/// One trip on one service date, with its pattern, service and frequencies.
package struct TripQuery {
    package let timetable: Timetable
    package let trip: Trip
    package let place: TimetableFile.TripPatternLocation
    /// Unpacked only once, because every call needs the timing group and unpacking takes time proportional to the
    /// trip's calls.
    package let timingGroup: TimingGroup
    private let frequencies: [Frequency]
    /// The start time of the copy (`DUPLICATED`) to which the departure belongs. Only a copy of a trip without
    /// frequencies has a start time of its own.
    private let duplicateStart: ServiceTime?
    private let departure: DepartureID?
    private let date: ServiceDate?

    /// The maximum number of days ahead in the search for the next service date.
    private static let horizon = 366

    /// - Parameters:
    ///   - text: A text that ``TripFinder`` or ``DepartureTextFinder`` accepts.
    ///   - date: The service date; `nil` for the date of the trip instance that is running or next.
    ///   - feed: The feed that has the trip; `nil` for any.
    /// - Throws: The errors of ``TripFinder``, ``QueryError/tripOnlyInRealtime(_:)``,
    ///   ``QueryError/tripWithoutCalls(_:)``, and `StoreError`.
    package init(_ text: String, date: ServiceDate?, feed: FeedID?, _ context: QueryContext) throws {
        let timetables = try context.timetables(of: feed, naming: text)
        var text = text
        var departure = DepartureID(text)
        if departure == nil, try !TripFinder(timetables).has(text) {
            do {
                let found = try DepartureTextFinder(context).find(text, feed: feed)
                (text, departure) = (found.description, found)
            } catch QueryError.departureNotFound { throw QueryError.tripNotFound(text) }
        }
        self.departure = departure
        if let departure { try Self.refuseExtraTrip(departure, timetables, context) }
        let found = try TripFinder(timetables).find(text)
        timetable = found.timetable
        trip = try timetable.file.trip(found.index)
        guard let place = try timetable.file.locate(found.index) else { throw QueryError.tripWithoutCalls(trip.id) }
        self.place = place
        self.date = date ?? departure?.date
        timingGroup = place.pattern.timingGroups[place.timingGroup]
        frequencies = timingGroup.frequencies.filter { Int($0.trip) == place.position }
        duplicateStart = frequencies.isEmpty ? departure?.start : nil
    }

    /// Throws an error for a trip that is only in the realtime data and therefore has no scheduled calls.
    private static func refuseExtraTrip(
        _ departure: DepartureID, _ timetables: [Timetable], _ context: QueryContext
    ) throws {
        guard let timetable = timetables.first(where: { $0.feed == departure.feed }),
            try timetable.file.trip(id: departure.trip) == nil,
            context.realtime(timetable)?.extraCall(
                trip: departure.trip, date: departure.date, sequence: departure.sequence, now: context.now) != nil
        else { return }
        throw QueryError.tripOnlyInRealtime(departure)
    }

    package var zone: ServiceZone { timetable.zone(of: place.pattern.route) }

    package var service: Service? {
        let services = timetable.file.services
        return services.indices.contains(trip.service.position) ? services[trip.service.position] : nil
    }

    /// The start of the trip instance: that of the departure or, with frequencies, of the first trip instance.
    private var start: ServiceTime {
        departure?.start ?? ServiceTime(seconds: frequencies.first?.start ?? timingGroup.starts[place.position])
    }

    /// The row of frequencies.txt for the trip instance; `nil` for a trip without frequencies.
    package var frequency: Frequency? {
        let start = start
        return frequencies.first { $0.start <= start.seconds && start.seconds < $0.end } ?? frequencies.first
    }

    /// - Throws: ``QueryError/tripCopyNotFound(_:_:)``.
    package func result(_ context: QueryContext) throws(QueryError) -> TripResult {
        let realtime = context.realtime(timetable)
        let date = date ?? dateNowOrNext(realtime: realtime, at: context.now)
        let calls = expected(timingGroup.times.indices, on: date, realtime: realtime, now: context.now)
        if duplicateStart != nil, calls.first?.duplicateStart == nil {
            throw .tripCopyNotFound(trip.id, timetable.feed)
        }
        return TripResult(date: date, calls: calls, realtime: realtime, now: context.now)
    }

    /// Returns the service date of the trip instance that is running or next. A late trip instance may still be running
    /// after its scheduled end. Returns today if the trip no longer runs.
    private func dateNowOrNext(realtime: RealtimeDatasets?, at now: Instant) -> ServiceDate {
        let today = zone.civil(at: now).date
        guard let service, let last = timingGroup.times.last else { return today }
        let lastStart = frequencies.map(\.end).max() ?? timingGroup.starts[place.position]
        let end = ServiceTime(seconds: max(0, lastStart + last.arrival))
        let daysBack = Int(end.seconds / 86_400) + 1
        for day in -daysBack...Self.horizon {
            let date = today.advanced(by: day)
            guard service.runs(on: date) else { continue }
            if zone.instant(of: end, on: date) >= now { return date }
            let last = expected(timingGroup.times.indices.suffix(1), on: date, realtime: realtime, now: now).first
            if let last, last.isRunning, let arrival = last.expectedArrival, arrival >= now { return date }
        }
        return today
    }

    /// Returns the calls of the trip instance at the given positions, with expected times or, without realtime data,
    /// scheduled times.
    private func expected(
        _ positions: Range<Int>, on date: ServiceDate, realtime: RealtimeDatasets?, now: Instant
    ) -> [ExpectedCall] {
        let start = start
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
            // The call is hidden in lists, but this query is for its trip.
            var deleted = ExpectedCall(scheduled: call)
            deleted.status = .canceled
            return deleted
        }
    }
}

/// The calls of one trip instance at one moment.
package struct TripResult {
    package var date: ServiceDate
    /// In the order of the pattern's calls.
    package var calls: [ExpectedCall]
    fileprivate var realtime: RealtimeDatasets?
    fileprivate var now: Instant

    fileprivate init(date: ServiceDate, calls: [ExpectedCall], realtime: RealtimeDatasets?, now: Instant) {
        self.date = date
        self.calls = calls
        self.realtime = realtime
        self.now = now
    }

    /// The realtime state of a trip as a whole.
    package struct Summary {
        package var status: ExpectedCall.Status
        /// The call that represents the trip.
        package var call: ExpectedCall
        package var vehicle: RealtimeVehicle?
        package var realtime: RealtimeDatasets
    }

    /// Returns `nil` if no call has realtime data.
    package var summary: Summary? {
        guard let realtime, let call = representative, let key = call.tripInstance else { return nil }
        let isOver = calls.last?.status == .departed
        let status = isOver ? .departed : call.status == .departed ? .scheduled : call.status
        return Summary(
            status: call.status == .skipped ? .scheduled : status, call: call,
            vehicle: realtime.vehicle(of: key, now: now), realtime: realtime)
    }

    /// The next call with realtime data or, if there is none, one that has departed.
    private var representative: ExpectedCall? {
        let realtime = calls.filter { $0.source != .scheduled }
        return realtime.first { $0.isRunning && $0.status != .departed } ?? realtime.first { $0.isRunning }
            ?? realtime.first ?? calls.first { $0.age != nil } ?? calls.first { $0.departure >= now } ?? calls.first
    }
}

/// Finds a trip by `feed:trip_id`, by the trip's identifier, or by the `id` of a departure.
package struct TripFinder {
    private let timetables: [Timetable]

    package init(_ timetables: [Timetable]) { self.timetables = timetables }

    /// Whether a text is `feed:trip_id` or the identifier of a trip.
    func has(_ text: String) throws(StoreError) -> Bool {
        for timetable in timetables {
            if try Self.qualified(text, in: timetable) != nil { return true }
            if try timetable.file.trip(id: TripID(text)) != nil { return true }
        }
        return false
    }

    /// - Throws: ``QueryError/tripNotFound(_:)``, ``QueryError/tripAmbiguous(_:feeds:)``, and `StoreError`.
    package func find(_ text: String) throws -> (timetable: Timetable, index: TripIndex) {
        if let found = try timetables.lazy.compactMap({ try Self.qualified(text, in: $0) }).first { return found }
        if let departure = DepartureID(text), let timetable = timetables.first(where: { $0.feed == departure.feed }),
            let index = try timetable.file.trip(id: departure.trip)
        {
            return (timetable, index)
        }
        let found = try timetables.compactMap { timetable in
            try timetable.file.trip(id: TripID(text)).map { (timetable: timetable, index: $0) }
        }
        guard let first = found.first else { throw QueryError.tripNotFound(text) }
        guard found.count == 1 else { throw QueryError.tripAmbiguous(text, feeds: found.map(\.timetable.feed)) }
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
