internal import TransitEngine
internal import TransitModel
internal import TransitQueries
internal import TransitTestSupport

/// Random realtime data about the trips of a feed around a time: delays, cancellations, skipped calls, and trips that the
/// timetable lacks.
struct RandomRealtime {
    private struct RunName: Hashable {
        var trip: TripIndex
        var date: ServiceDate
    }

    /// A trip that the timetable lacks, with times in seconds since 1970.
    fileprivate struct Extra {
        var stops: [Int]
        var times: [(arrival: Int64, departure: Int64)]
        var date: ServiceDate
    }

    let datasets: RealtimeDatasets
    private let feed: CheckedFeed
    private let now: Instant
    private var reported: Set<RunName> = []
    private var extras: [Extra] = []

    /// Trips that begin so many seconds before or after the time of the message are reported.
    private static let reach: Int64 = 3 * 3600
    private static let mostReported = 3_000
    private static let extraTrips = 30

    init(_ feed: CheckedFeed, now: Instant, silence: Int, _ generator: inout SeededGenerator) throws {
        self.feed = feed
        self.now = now.advanced(by: silence)
        let time = now.secondsSince1970
        var runs: [ReferenceTimetable.ScheduledRun] = []
        ReferenceTimetable.forEachRun(of: feed, in: (time - Self.reach)...(time + Self.reach)) { run in
            if run.frequency == nil { runs.append(run) }
        }
        runs.shuffle(using: &generator)
        var builder = RealtimeDatasetBuilder(
            header: RealtimeHeader(version: "2.0", timestamp: now), received: now,
            matcher: TripMatcher(feed.timetable))
        for run in runs.prefix(min(Self.mostReported, runs.count * 2 / 3)) {
            reported.insert(RunName(trip: run.trip, date: run.date))
            try builder.apply(.tripUpdate(Self.update(run, feed, &generator)))
        }
        for (number, run) in runs.suffix(Self.extraTrips).enumerated() {
            let extra = Extra(run, later: Int64(generator.number(-20...40) * 60))
            extras.append(extra)
            try builder.apply(.tripUpdate(Self.update(extra, number, feed)))
        }
        datasets = RealtimeDatasets(tripUpdates: try builder.finish())
    }

    // MARK: Messages

    private static func update(
        _ run: ReferenceTimetable.ScheduledRun, _ feed: CheckedFeed, _ generator: inout SeededGenerator
    ) -> TripUpdate {
        let kind = generator.number(0...99)
        let descriptor = TripDescriptor(
            tripID: feed.tripIDs[run.trip.position], startDate: run.date,
            relationship: kind < 8 ? .canceled : kind < 12 ? .deleted : .scheduled)
        var update = TripUpdate(
            id: EntityID("\(run.trip.rawValue)-\(run.date)"), trip: descriptor)
        guard kind >= 12 else { return update }
        var delay = generator.number(-4...40) * 30
        for position in run.times.indices where generator.number(0...99) < 30 {
            let sequence = run.pattern.sequence(at: position)
            // Some messages contradict themselves.
            if kind > 85 { delay = generator.number(-20...120) * 30 } else { delay += generator.number(-1...3) * 20 }
            let event = StopTimeEvent(delay: Int32(delay))
            switch generator.number(0...99) {
            case ..<12: update.updates.append(StopTimeUpdate(sequence: sequence, relationship: .skipped))
            case ..<18: update.updates.append(StopTimeUpdate(sequence: sequence, relationship: .noData))
            default:
                update.updates.append(StopTimeUpdate(sequence: sequence, arrival: event, departure: event))
            }
        }
        return update
    }

    private static func update(_ extra: Extra, _ number: Int, _ feed: CheckedFeed) -> TripUpdate {
        let descriptor = TripDescriptor(
            tripID: TripID("extra-\(number)"), startDate: extra.date, relationship: number % 2 == 0 ? .added : .new)
        let updates = extra.stops.indices.map { position in
            StopTimeUpdate(
                sequence: UInt32(position + 1), stopID: feed.stops[extra.stops[position]].id,
                arrival: .init(time: Instant(secondsSince1970: extra.times[position].arrival)),
                departure: .init(time: Instant(secondsSince1970: extra.times[position].departure)))
        }
        return TripUpdate(id: EntityID("extra-\(number)"), trip: descriptor, updates: updates)
    }

    // MARK: Vehicles

    /// Adds a trip of the timetable as a board shows it.
    func add(_ run: ReferenceTimetable.ScheduledRun, feed number: Int, to timetable: inout ReferenceTimetable) {
        guard run.frequency == nil, reported.contains(RunName(trip: run.trip, date: run.date)) else {
            return timetable.add(run, feed: number)
        }
        var latest = Int64.min
        var canStay = true
        var calls: [ReferenceTimetable.GivenCall] = []
        for position in run.times.indices {
            let planned = run.pattern.calls[position]
            let scheduled = ScheduledCall(
                pattern: run.pattern, timingGroup: run.timingGroup, tripPosition: run.position, serviceDate: run.date,
                position: position, start: Instant(secondsSince1970: run.start))
            guard let shown = datasets.expected(scheduled, now: now), shown.status != .canceled else { return }
            let isSkipped = shown.status == .skipped
            let departure = shown.departure.secondsSince1970
            calls.append(
                .init(
                    stop: planned.stop.position, arrival: max(latest, shown.arrival.secondsSince1970),
                    departure: departure,
                    canBoard: planned.pickup != .none && position + 1 < run.times.count && !isSkipped
                        && !shown.endsHere,
                    canAlight: planned.dropOff != .none && position > 0 && !isSkipped))
            if shown.expectedDeparture != nil, !isSkipped { latest = max(latest, departure) }
            canStay = !isSkipped
        }
        timetable.add(
            calls, feed: number, route: run.pattern.route, trip: run.trip, date: run.date, isRepeated: false,
            canStay: canStay)
    }

    /// Adds the trips that the timetable lacks.
    func addExtraTrips(feed number: Int, to timetable: inout ReferenceTimetable) {
        for extra in extras {
            let calls = extra.stops.indices.map { position in
                ReferenceTimetable.GivenCall(
                    stop: extra.stops[position], arrival: extra.times[position].arrival,
                    departure: extra.times[position].departure, canBoard: position + 1 < extra.stops.count,
                    canAlight: position > 0)
            }
            timetable.add(
                calls, feed: number, route: nil, trip: nil, date: extra.date, isRepeated: false, canStay: false)
        }
    }
}

extension RandomRealtime.Extra {
    /// A copy of a trip at another time, whose times do not descend.
    fileprivate init(_ run: ReferenceTimetable.ScheduledRun, later seconds: Int64) {
        stops = run.pattern.calls.map(\.stop.position)
        date = run.date
        var latest = Int64.min
        times = run.times.indices.map { position in
            let arrival = max(latest, run.arrival(position) + seconds)
            let departure = max(arrival, run.departure(position) + seconds)
            latest = departure
            return (arrival, departure)
        }
    }
}
