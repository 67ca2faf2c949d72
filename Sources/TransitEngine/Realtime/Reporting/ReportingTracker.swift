public import TransitModel

/// Observes the messages of one source, learns which trips it reports and when (``ReportingHabits``), and determines
/// what follows for the trips that a message does not mention (``ReportingEvidence``).
///
/// The first message after a start or an interruption teaches nothing about leads, because its trips may have been
/// reported long before. Trips all of whose times were refused do not count as reported.
public struct ReportingTracker: Sendable {
    public private(set) var habits: ReportingHabits
    private var trips = TimetableTrips()
    /// The time of the last message, in seconds since 1970; `nil` before the first.
    private var last: Int64?
    /// The time since which messages have arrived without an interruption.
    private var observedSince: Int64 = 0
    /// The trips that are no longer reported, until an hour after their end.
    private var dropped: [TripInstanceKey: ReportingEvidence.DroppedTrip] = [:]
    /// Set while most trips are gone together: nothing is learned, and no trip is missing.
    private var collapse: Collapse?
    private var names: [TimetableTrips.RouteDirection: ReportingHabits.RouteName] = [:]
    private var routes: [TimetableTrips.RouteDirection: ReportingEvidence.Route] = [:]

    private struct Collapse {
        var until: Int64
        /// The number of trips before.
        var trips: Int
    }

    /// The maximum number of trips whose end is remembered after the source stops reporting them.
    static let maximumDroppedTrips = 20_000
    /// A trip that is no longer reported within this number of seconds before its end is over.
    private static let ending: Int64 = 600
    /// The number of seconds after which a source that reports few trips is believed. Until the trips that it reported
    /// before have ended, they count as reported (``dropped``) and would speak for it.
    private static let collapseDuration = TimetableTrips.memory + 900

    public init(habits: ReportingHabits = ReportingHabits()) { self.habits = habits }

    /// The approximate number of bytes of the trips that are remembered.
    public var memoryEstimate: Int {
        dropped.count * 2 * (MemoryLayout<TripInstanceKey>.stride + MemoryLayout<ReportingEvidence.DroppedTrip>.stride)
            + trips.trips.count * MemoryLayout<TimetableTrips.Trip>.stride
    }

    /// Observes a message.
    ///
    /// - Parameter previous: the dataset before the message.
    /// - Returns: the evidence for the trips that the message lacks; `nil` if there is none.
    /// - Throws: the errors of the timetable.
    public mutating func observe(
        _ dataset: RealtimeDataset, after previous: RealtimeDataset?, in timetable: any TimetableLookup,
        policy: FreshnessPolicy
    ) throws -> ReportingEvidence? {
        let time = min(dataset.time, dataset.received).secondsSince1970
        let before = last ?? time
        let isFirst = last == nil || previous == nil || time - before > 2 * Int64(policy.fresh) || time < before
        if isFirst { observedSince = time }
        last = time
        try trips.advance(to: time, in: timetable)
        routes = routes.filter { trips.lists($0.key.route) }
        let reported = dataset.trips.count { Self.isReport($0) }
        let gone = drop(from: previous, to: dataset, at: time, isFirst: isFirst)
        noteCollapse(gone, reported: reported, time)
        try learn(from: dataset, after: previous, in: timetable, time, isFirst: isFirst)
        guard collapse == nil else { return nil }
        return try evidence(dataset, in: timetable, time, since: before, isFirst: isFirst)
    }

    /// Whether the source reports the trip with its message. A prediction that was computed from a position is not a
    /// report, and a copy is not the scheduled trip.
    private static func isReport(_ trip: RealtimeTrip) -> Bool {
        trip.kind != .estimated && trip.kind != .duplicated && !trip.areTimesRefused && trip.retention == 0
    }

    private static func reports(_ dataset: RealtimeDataset?, _ key: TripInstanceKey) -> Bool {
        guard let dataset, let number = dataset.index(of: key) else { return false }
        return isReport(dataset.trips[number])
    }

    // MARK: Trips that are no longer reported

    /// Adds the trips that are no longer reported to ``dropped``. Returns how many of them are not over, and of how many
    /// trips.
    private mutating func drop(
        from previous: RealtimeDataset?, to dataset: RealtimeDataset, at time: Int64, isFirst: Bool
    ) -> (gone: Int, of: Int) {
        for (key, trip) in dropped where time > trip.end + TimetableTrips.memory + 60 {
            dropped[key] = nil
            if trip.isEarly { habits.addAbandonedTrip() }
        }
        guard let previous else { return (0, 0) }
        var (gone, all) = (0, 0)
        for trip in previous.trips where Self.isReport(trip) && trip.isRunning {
            let (planned, predicted) = Self.end(of: trip, in: previous)
            let isUnderWay = min(planned, predicted) - Self.ending > time
            if isUnderWay { all += 1 }
            guard !Self.reports(dataset, trip.key) else { continue }
            if isUnderWay { gone += 1 }
            guard dropped.count < Self.maximumDroppedTrips else { continue }
            let end = max(planned, predicted)
            guard end + TimetableTrips.memory > time else { continue }
            dropped[trip.key] = .init(end: end, isEarly: isUnderWay && !isFirst && collapse == nil)
        }
        return (gone, all)
    }

    /// The planned and the predicted end of a trip, in seconds since 1970.
    private static func end(of trip: RealtimeTrip, in dataset: RealtimeDataset) -> (planned: Int64, predicted: Int64) {
        let start = trip.startInstant.secondsSince1970
        let duration = dataset.pattern(of: trip).duration(ofTimingGroup: Int(trip.timingGroup))
        let predicted = dataset.calls(of: trip).last.map { Int64($0.arrival) } ?? Int64(duration)
        return (start + Int64(duration), start + predicted)
    }

    /// Most trips that are gone together are no reason to miss them: the source has a fault of its own.
    private mutating func noteCollapse(_ lost: (gone: Int, of: Int), reported: Int, _ time: Int64) {
        if let known = collapse, time >= known.until || reported * 2 >= known.trips { collapse = nil }
        guard collapse == nil, lost.of >= 5, lost.gone * 2 >= lost.of else { return }
        collapse = Collapse(until: time + Self.collapseDuration, trips: lost.of)
        for key in dropped.keys { dropped[key]?.isEarly = false }
    }

    // MARK: Learning

    private mutating func learn(
        from dataset: RealtimeDataset, after previous: RealtimeDataset?, in timetable: any TimetableLookup,
        _ time: Int64, isFirst: Bool
    ) throws {
        for trip in dataset.trips where Self.isReport(trip) && !Self.reports(previous, trip.key) {
            let pattern = dataset.pattern(of: trip)
            let route = TimetableTrips.RouteDirection(route: pattern.route, direction: pattern.direction)
            guard let name = name(of: route, in: timetable) else { continue }
            if trip.isRunning { habits.addRoute(name) }
            if let known = dropped.removeValue(forKey: trip.key) {
                if known.isEarly { habits.addReturn() }
            } else if trip.kind == .scheduled, !isFirst, collapse == nil {
                habits.addFirstReport(of: name, lead: Int(clamping: trip.startInstant.secondsSince1970 - time))
            }
        }
    }

    private mutating func name(
        of route: TimetableTrips.RouteDirection, in timetable: any TimetableLookup
    ) -> ReportingHabits.RouteName? {
        if let name = names[route] { return name }
        guard let id = timetable.routeID(route.route) else { return nil }
        let name = ReportingHabits.RouteName(route: id, direction: route.direction)
        names[route] = name
        return name
    }

    // MARK: Evidence

    /// Counts the trips of the last hour, and those that ended unreported since the last message.
    private mutating func evidence(
        _ dataset: RealtimeDataset, in timetable: any TimetableLookup, _ time: Int64, since before: Int64, isFirst: Bool
    ) throws -> ReportingEvidence {
        // A source may stop reporting a trip shortly before its end.
        let countedSince = max(time - TimetableTrips.memory, observedSince + Self.ending)
        var feed = ReportingEvidence.Share()
        // A message whose time repeats is counted anew and not added to what was counted before.
        for route in routes.keys { routes[route]?.share = ReportingEvidence.Share() }
        for trip in trips.trips {
            let lead = prepare(trip.route, in: timetable, time)
            guard
                ReportingEvidence.counts(start: trip.start, end: trip.end, lead: lead, time: time, since: countedSince)
            else { continue }
            let number = dataset.index(of: trip.key)
            if let number, [.canceled, .deleted].contains(dataset.trips[number].kind) { continue }
            let isReported = number.map { Self.isReport(dataset.trips[$0]) } ?? false || dropped[trip.key] != nil
            feed.total += 1
            routes[trip.route]?.share.total += 1
            if isReported {
                feed.reported += 1
                routes[trip.route]?.share.reported += 1
            }
        }
        let found = ReportingEvidence(
            time: time, countedSince: countedSince, feed: feed, routes: routes, dropped: dropped, habits: habits)
        if !isFirst { countUnreported(found, dataset, between: before, and: time) }
        return found
    }

    /// Prepares a route for a message, and returns its usual lead.
    private mutating func prepare(
        _ route: TimetableTrips.RouteDirection, in timetable: any TimetableLookup, _ time: Int64
    ) -> Int? {
        if let known = routes[route], known.time == time { return known.lead }
        var entry = ReportingEvidence.Route(name: name(of: route, in: timetable))
        entry.isCounted = trips.lists(route.route)
        entry.lead = habits.usualLead(of: entry.name)
        entry.time = time
        routes[route] = entry
        return entry.lead
    }

    /// Counts the trips that ended since the last message without ever having been reported.
    private mutating func countUnreported(
        _ evidence: ReportingEvidence, _ dataset: RealtimeDataset, between before: Int64, and time: Int64
    ) {
        for trip in trips.trips where before < trip.end && trip.end <= time {
            guard let entry = routes[trip.route], let name = entry.name, dropped[trip.key] == nil,
                dataset.index(of: trip.key) == nil, trip.start - Int64(max(0, entry.lead ?? 0)) >= observedSince,
                let finding = evidence.finding(
                    trip.key, route: trip.route, start: trip.start, end: trip.end, now: time),
                finding.verdict == .missing || finding.verdict == .oftenReportedLate
            else { continue }
            habits.addNeverReported(of: name)
        }
    }
}
