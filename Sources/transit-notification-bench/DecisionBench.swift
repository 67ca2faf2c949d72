internal import Glibc
internal import TransitEngine
internal import TransitFeeds
internal import TransitModel
internal import TransitNotifications
internal import TransitQueries
internal import TransitStore

/// Measures the time from an applied message to the decisions about 20 subjects of one user: usual departures and
/// commutes of the next hour at different stops.
struct DecisionBench {
    /// Which trips a message changes, compared with the previous one.
    enum Changes {
        /// All trips.
        case all
        /// The trips of two subjects.
        case few
        /// None; only the time of the message differs.
        case none
    }

    struct Result {
        /// In milliseconds.
        var total = Series()
        /// The part of the time that finding the subjects' departures takes.
        var finding = Series()
        var decisions = 0
    }

    private struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    private static let feed = FeedID("bench")
    private static let usualDepartures = 14
    private static let commutes = 6
    private static let rounds = 60

    private let timetable: Timetable
    private let matcher: TripMatcher
    private let updates: [TripUpdate]
    private var now: Instant
    private var dataset: RealtimeDataset?
    private var personal = PersonalState()
    /// The trips of two subjects.
    private var fewTrips: Set<TripID> = []
    private var finder: SubjectFinder
    private var engine: NotificationEngine

    var trips: Int { updates.count }
    private(set) var subjects = 0

    /// The number of trips in each message.
    private static let trips = 5000

    init(timetable path: String) throws {
        timetable = Timetable(
            feed: Self.feed, version: 1, file: try TimetableFile(path: path), zones: TimeZoneDatabase())
        matcher = TripMatcher(timetable)
        guard let dates = timetable.serviceDates else { throw Failure(description: "The timetable has no dates.") }
        // A weekday in the middle of the service, at 07:30.
        var date = dates.lowerBound.advanced(by: dates.lowerBound.days(to: dates.upperBound) / 2)
        while date.weekday != .wednesday { date = date.advanced(by: 1) }
        now = timetable.zone.instant(date: date, secondsOfDay: 7 * 3600 + 1800)
        updates = try Self.updates(timetable, now: now)
        let moment = now
        let settings = NotificationSettings(
            machine: [:],
            personal: [
                "notifications.on": "on", "quiet.on": "off", "bucket.per_hour": "60", "bucket.burst": "20",
            ])
        engine = NotificationEngine(settings: settings)
        finder = SubjectFinder(QueryContext(now: moment, feeds: []))
        let view = try receive(.none, round: 0)
        try choose(in: context(view))
        finder = SubjectFinder(context(view))
        if let problem = finder.problems.first { throw Failure(description: "\(problem.name): \(problem.reason)") }
        let found = finder.subjects(context(view), changed: nil) ?? []
        subjects = found.count
        _ = engine.evaluate(NotificationInput(now: now, zone: timetable.zone, subjects: found))
    }

    /// Applies messages one second after the other, and measures the decisions after each.
    mutating func measure(_ changes: Changes) throws -> Result {
        var result = Result()
        for round in 1...Self.rounds {
            now = now.advanced(by: 1)
            let view = try receive(changes, round: round)
            let began = MonotonicTime.milliseconds
            let found = finder.subjects(
                context(view), changed: [Self.feed], following: engine.followedDepartures,
                awaiting: engine.awaitedDepartures)
            let middle = MonotonicTime.milliseconds
            let decisions = engine.evaluate(NotificationInput(now: now, zone: timetable.zone, subjects: found))
            _ = engine.nextMoment(after: now)
            _ = finder.nextMoment(after: now)
            result.total.add(MonotonicTime.milliseconds - began)
            result.finding.add(middle - began)
            result.decisions += decisions.count
        }
        return result
    }

    private func context(_ view: FeedView) -> QueryContext {
        QueryContext(now: now, feeds: [view], personal: personal)
    }

    // MARK: Messages

    /// Applies a message. In every second round, the changed trips are five minutes later.
    private mutating func receive(_ changes: Changes, round: Int) throws -> FeedView {
        var builder = RealtimeDatasetBuilder(
            header: RealtimeHeader(version: "2.0", timestamp: now), received: now, matcher: matcher, previous: dataset)
        for (number, update) in updates.enumerated() {
            var update = update
            update.timestamp = now.advanced(by: -(number % 30))
            let isChanged =
                switch changes {
                case .all: true
                case .few: update.trip.tripID.map { fewTrips.contains($0) } ?? false
                case .none: false
                }
            if isChanged, round % 2 == 1 { update.delay(by: 300) }
            try builder.apply(.tripUpdate(update))
        }
        let made = try builder.finish()
        dataset = made
        var snapshot = RealtimeSnapshot(timetable: timetable)
        snapshot.responses[.tripUpdates] = RealtimeResponse(dataset: made, problems: RealtimeProblems())
        return FeedView(id: Self.feed, timetable: timetable, realtime: snapshot)
    }

    /// Returns updates of trips that leave in the next hours, punctual, all from their first call on.
    private static func updates(_ timetable: Timetable, now: Instant) throws -> [TripUpdate] {
        let context = QueryContext(now: now, feeds: [FeedView(id: feed, timetable: timetable)])
        var seen: Set<TripIndex> = []
        var updates: [TripUpdate] = []
        let count = timetable.file.summary.counts.stops
        for step in 0..<count where updates.count < trips {
            let stop = StopIndex(step * 7919 % count)
            let board = try MergedBoard(FeedBoard(timetable, stops: [stop], routes: nil), context)
            for merged in try board.departures(at: now, count: 60, context) {
                guard let call = merged.call.scheduledCall, updates.count < trips, seen.insert(call.trip).inserted
                else {
                    continue
                }
                let trip = try timetable.file.trip(call.trip)
                updates.append(
                    TripUpdate(
                        id: EntityID("\(updates.count)"),
                        trip: TripDescriptor(tripID: trip.id, startDate: call.serviceDate, relationship: .scheduled),
                        updates: [
                            StopTimeUpdate(
                                sequence: call.pattern.calls[0].sequence,
                                departure: StopTimeEvent(delay: 0, uncertainty: 20))
                        ], timestamp: now))
            }
        }
        return updates
    }

    // MARK: Subjects

    /// Chooses live departures of the next hour as the user's usual departures and commutes.
    private mutating func choose(in context: QueryContext) throws {
        let count = timetable.file.summary.counts.stops
        var chosen = 0
        for step in 0..<count where chosen < Self.usualDepartures + Self.commutes {
            let stop = StopIndex(step * 7919 % count)
            guard let (departure, call) = try departure(at: stop, context) else { continue }
            let isCommute = chosen >= Self.usualDepartures
            let end = call.position + 8
            guard end < call.pattern.callCount else { continue }
            let name = chosen == Self.usualDepartures ? "home" : "way-\(chosen)"
            let destination = QualifiedStop(
                feed: Self.feed, stop: try timetable.file.stop(call.pattern.stop(at: end)).id)
            // A third of the usual departures belong to a commute, which finds their alternatives.
            if isCommute || chosen % 3 == 0 {
                if name == "home" { personal.places[name] = PlaceConfiguration(location: .stop(destination)) }
                personal.commutes.append(
                    CommuteConfiguration(
                        name: name, from: "\(Self.feed):\(departure.key.stop)",
                        to: name == "home" ? name : "\(destination)",
                        windows: isCommute ? [CommuteWindow(start: 7 * 3600, end: 9 * 3600)] : []))
            }
            if !isCommute {
                let start = timetable.zone.serviceDayStart(call.serviceDate)
                personal.usualDepartures.append(
                    SavedUsualDeparture(
                        feed: Self.feed, route: departure.key.route, direction: departure.key.direction,
                        stop: departure.key.stop,
                        time: ServiceTime(seconds: Int32(start.seconds(to: departure.key.scheduled))),
                        days: [call.serviceDate.weekday], commute: chosen % 3 == 0 ? name : nil, isPinned: false))
                if chosen < 2 { fewTrips.insert(try timetable.file.trip(call.trip).id) }
            }
            chosen += 1
        }
        guard chosen == Self.usualDepartures + Self.commutes else {
            throw Failure(description: "Only \(chosen) stops have live departures in the next hour.")
        }
    }

    private func departure(
        at stop: StopIndex, _ context: QueryContext
    ) throws -> (WatchedDeparture, ScheduledCall)? {
        let board = try MergedBoard(FeedBoard(timetable, stops: [stop], routes: nil), context)
        var observer = DepartureObserver()
        for merged in try board.departures(at: now.advanced(by: 900), count: 20, context) {
            guard merged.call.source == .live, let call = merged.call.scheduledCall,
                let departure = try observer.departure(merged),
                departure.key.scheduled < now.advanced(by: 3600), departure.key.scheduled > now.advanced(by: 900)
            else { continue }
            return (departure, call)
        }
        return nil
    }
}

extension TripUpdate {
    /// Moves all predictions by a number of seconds.
    fileprivate mutating func delay(by seconds: Int) {
        for position in updates.indices {
            updates[position].arrival?.delay(by: seconds)
            updates[position].departure?.delay(by: seconds)
        }
    }
}

extension StopTimeEvent {
    fileprivate mutating func delay(by seconds: Int) {
        time = time?.advanced(by: seconds)
        delay = delay.map { $0 + Int32(seconds) }
    }
}
