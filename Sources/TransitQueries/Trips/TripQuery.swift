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
        if let departure { try Self.refuseExtraTrip(departure, timetables, context) }
        let found = try TripFinder(timetables).find(text)
        try self.init(found.index, in: found.timetable, departure, date: date ?? departure?.date)
    }

    /// The trip of a departure.
    ///
    /// - Returns: `nil` for a trip that is only in the realtime data.
    package init?(of departure: MergedDeparture) throws {
        guard case .scheduled(let call) = departure.call.subject else { return nil }
        try self.init(call.trip, in: departure.timetable, departure.identifier, date: call.serviceDate)
    }

    private init(
        _ index: TripIndex, in timetable: Timetable, _ departure: DepartureID?, date: ServiceDate?
    ) throws {
        self.timetable = timetable
        trip = try timetable.file.trip(index)
        guard let place = try timetable.file.locate(index) else { throw QueryError.tripWithoutCalls(trip.id) }
        (self.place, self.departure, self.date) = (place, departure, date)
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

    /// - Throws: ``QueryError/tripCopyNotFound(_:_:)`` and `StoreError`.
    package func result(_ context: QueryContext) throws -> TripResult {
        let date = try date ?? dateNowOrNext(context)
        let calls = try merged(on: date, context)
        if duplicateStart != nil, calls.first?.call.duplicateStart == nil {
            throw QueryError.tripCopyNotFound(trip.id, timetable.feed)
        }
        return TripResult(date: date, merged: calls, hasRealtime: context.realtime(timetable) != nil, context)
    }

    /// The number of seconds after its scheduled end for which a trip may still be under way.
    private static let maximumLateness = 3 * 3600

    /// Returns the service date of the trip instance that is running or next. A late trip instance may still be running
    /// after its scheduled end. Returns today if the trip no longer runs.
    private func dateNowOrNext(_ context: QueryContext) throws(StoreError) -> ServiceDate {
        let now = context.now
        let today = zone.civil(at: now).date
        guard let service, let last = timingGroup.times.last else { return today }
        let lastStart = frequencies.map(\.end).max() ?? timingGroup.starts[place.position]
        let end = ServiceTime(seconds: max(0, lastStart + last.arrival))
        let daysBack = Int(end.seconds / 86_400) + 1
        for day in -daysBack...Self.horizon {
            let date = today.advanced(by: day)
            guard service.runs(on: date) else { continue }
            let planned = zone.instant(of: end, on: date)
            if planned >= now { return date }
            // Only the other feed may report that the trip is late.
            let isRecent = planned.seconds(to: now) <= Self.maximumLateness
            let calls =
                try isRecent
                ? merged(on: date, context).map(\.call) : expected(timingGroup.times.indices, on: date, context)
            if let last = calls.last(where: { $0.status != .skipped }), last.isRunning,
                let arrival = last.expectedArrival, arrival >= now
            {
                return date
            }
        }
        return today
    }

    /// Returns the calls of the trip instance on a date, merged with the agency's other feed.
    private func merged(on date: ServiceDate, _ context: QueryContext) throws(StoreError) -> [MergedDeparture] {
        let calls = expected(timingGroup.times.indices, on: date, context)
        guard let first = calls.first, var trip = try MergedTrip(of: first, in: timetable, context) else {
            let feed = FeedConditions(timetable, context)
            return calls.map { MergedDeparture(feed, $0) }
        }
        // Each call is looked up on a board of the other feed.
        context.beginSlowWork()
        var merged: [MergedDeparture] = []
        for call in calls { merged.append(try trip.merged(call, context)) }
        return merged
    }

    /// Returns the calls of the trip instance at the given positions, with expected times or, without realtime data,
    /// scheduled times.
    private func expected(
        _ positions: Range<Int>, on date: ServiceDate, _ context: QueryContext
    ) -> [ExpectedCall] {
        let (realtime, now) = (context.realtime(timetable), context.now)
        let start = start
        let isRepeated = !frequencies.isEmpty
        let begin = zone.instant(
            of: isRepeated ? start : ServiceTime(seconds: timingGroup.starts[place.position]), on: date)
        let row = frequencies.first { $0.start <= start.seconds && start.seconds < $0.end }
        return positions.map { position in
            let call = ScheduledCall(
                pattern: place.pattern, timingGroup: place.timingGroup, tripPosition: place.position, serviceDate: date,
                position: position, start: begin, frequency: row.map { (start, $0) })
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
    /// The calls with the data of both feeds, in the order of the pattern's calls.
    package var merged: [MergedDeparture]
    private var hasRealtime: Bool
    private var context: QueryContext
    private var now: Instant { context.now }
    package var calls: [ExpectedCall] { merged.map(\.call) }

    fileprivate init(date: ServiceDate, merged: [MergedDeparture], hasRealtime: Bool, _ context: QueryContext) {
        self.date = date
        self.merged = merged
        self.hasRealtime = hasRealtime || merged.contains { $0.call.source != .scheduled }
        self.context = context
    }

    /// The realtime state of a trip as a whole.
    package struct Summary {
        package var status: ExpectedCall.Status
        /// The call that represents the trip.
        package var departure: MergedDeparture
        /// The vehicle with the realtime data that describes it.
        package var vehicle: (vehicle: RealtimeVehicle, realtime: RealtimeDatasets)?
    }

    /// Returns `nil` if no call has realtime data.
    package var summary: Summary? {
        guard hasRealtime, let departure = representative else { return nil }
        let call = departure.call
        // The trip ends at the last call that it serves.
        let isOver = merged.last { $0.call.status != .skipped }?.call.status == .departed
        let status = isOver ? .departed : call.status == .departed ? .scheduled : call.status
        return Summary(
            status: call.status == .skipped ? .scheduled : status, departure: departure,
            vehicle: merged.lazy.compactMap { $0.vehicle(context) }.first)
    }

    /// The next call with realtime data or, if there is none, one that has departed.
    private var representative: MergedDeparture? {
        let realtime = merged.filter { $0.call.source != .scheduled }
        return realtime.first { $0.call.isRunning && $0.call.status != .departed }
            ?? realtime.first { $0.call.isRunning } ?? realtime.first ?? merged.first { $0.call.age != nil }
            ?? merged.first { $0.call.departure >= now } ?? merged.first
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
