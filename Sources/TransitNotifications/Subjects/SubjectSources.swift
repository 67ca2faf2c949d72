internal import TransitEngine
internal import TransitModel
internal import TransitQueries
internal import TransitStore

// The three kinds of subjects: a departure at a scheduled time, a commute in its window, and a favorite route at a stop.

/// A pinned or usual departure, with the other departures of its commute or, without one, of its route and direction.
struct UsualDepartureSource: SubjectSource {
    private let usual: SavedUsualDeparture
    private let timetable: Timetable
    private let zone: ServiceZone
    /// The visits of the route and direction to the stop and its other platforms.
    private let visits: [PatternCallPosition]
    private let board: MergedBoard
    private let commute: DirectTripsQuery?

    let feeds: Set<FeedID>

    /// The maximum difference in seconds between the saved time and the scheduled departure. A larger change of the
    /// timetable means that the departure is gone.
    private static let maximumShift = 600
    /// The number of days after today on which the departure is searched.
    private static let days = 8
    /// The time after a departure that does not run for which its alternatives are watched, in seconds.
    private static let replacement = 45 * 60
    /// The time after a departure within which another one replaces it, in seconds.
    private static let longestWait = 6 * 3600

    init(_ usual: SavedUsualDeparture, _ context: QueryContext) throws {
        let feed = try context.feed(usual.feed)
        guard let timetable = try QueryContext.timetables(of: [feed]).first else { throw QueryError.noData([feed]) }
        guard let route = timetable.file.route(id: usual.route) else {
            throw QueryError.routeGone(usual.route, feed.id)
        }
        guard let index = try timetable.file.stop(id: usual.stop) else {
            throw QueryError.stopGone(usual.stop, feed.id)
        }
        let stop = try FoundStop(timetable: timetable, index: index, stop: try timetable.file.stop(index))
            .withNamesakes()
        var own = try FeedBoard(timetable, stops: try stop.callingStops(), routes: [route])
        own.visits.removeAll { usual.direction != nil && $0.pattern.direction != usual.direction }
        (self.usual, self.timetable) = (usual, timetable)
        zone = try stop.zone
        visits = own.visits
        board = try MergedBoard(own, context)
        // A commute that was renamed or removed does not end the subject.
        commute = usual.commute.flatMap { try? DirectTripsQuery(commute: $0, at: nil, context) }
        feeds = Set(board.timetables.map(\.feed)).union(commute.map { $0.directTrips.timetables.map(\.feed) } ?? [])
    }

    func evaluation(
        _ context: QueryContext, _ observer: inout DepartureObserver, previous: SubjectEvaluation?,
        awaiting awaited: AwaitedDepartures
    ) throws -> SubjectEvaluation {
        let now = context.now
        let kind = usual.isPinned ? SubjectKind.pinned : .usual
        guard let (merged, date, end) = try nextInstance(context, &observer, awaiting: awaited) else {
            // The departure does not run in the coming days, or it is gone.
            let tomorrow = zone.instant(date: zone.civil(at: now).date.advanced(by: 1), secondsOfDay: 3 * 3600)
            return SubjectEvaluation(subject: nil, at: now, near: tomorrow, until: tomorrow)
        }
        let call = merged.call
        let scheduled = call.scheduledDeparture ?? call.departure
        var (departures, walk) = try alternatives(around: scheduled, context, &observer)
        let first = departures.firstIndex { $0.isSame(scheduled, of: usual) }
        guard let own = try first.map({ departures.remove(at: $0) }) ?? observer.departure(merged) else {
            return SubjectEvaluation(subject: nil, at: now, near: now, until: now.advanced(by: 3600))
        }
        departures.insert(own, at: 0)
        let subject = WatchedSubject(
            kind: kind, name: "\(zone.timeOfDay(at: scheduled)) \(own.names.route)", departures: departures, walk: walk,
            leadsHome: commute?.entry.commute.to == CommuteList.home, isForDate: usual.date != nil)
        let isNear = now >= scheduled.advanced(by: -SubjectEvaluation.lead)
        // The alternatives change whenever the earliest of them leaves.
        let leaves = departures.dropFirst().map(\.observation.time).min()?.advanced(by: SubjectEvaluation.overdue)
        let over = end.advanced(by: 1)
        let midnight = zone.instant(date: date.advanced(by: 1), secondsOfDay: 0)
        return SubjectEvaluation(
            subject: subject, at: now, near: scheduled.advanced(by: -SubjectEvaluation.lead),
            until: max(now.advanced(by: 30), min(over, isNear ? leaves ?? over : max(over, midnight))))
    }

    /// Returns the time at which the departure is over and the one of the next date becomes the subject.
    private func end(of call: ExpectedCall, _ scheduled: Instant) -> Instant {
        call.isRunning
            ? max(call.departure, scheduled).advanced(by: SubjectEvaluation.overdue)
            : scheduled.advanced(by: Self.replacement)
    }

    /// Returns the end of the last departure that the user awaits instead of one; `nil` if there is none.
    private func endOfReplacement(
        of merged: MergedDeparture, _ context: QueryContext, _ observer: inout DepartureObserver,
        awaiting awaited: AwaitedDepartures
    ) throws -> Instant? {
        guard !awaited.replacements.isEmpty, let own = try observer.departure(merged)?.key else {
            return nil
        }
        let replacements = awaited.replacements(of: own)
        guard !replacements.isEmpty else { return nil }
        return try alternatives(around: own.scheduled, context, &observer).0
            .filter { replacements.contains($0.key) }
            .map { max($0.observation.time, $0.key.scheduled).advanced(by: SubjectEvaluation.overdue) }.max()
    }

    /// Returns the departure on the first date on which it, or an alternative that the user awaits, is not over, and
    /// when that is over; `nil` if it does not run in the coming days.
    private func nextInstance(
        _ context: QueryContext, _ observer: inout DepartureObserver, awaiting awaited: AwaitedDepartures
    ) throws -> (merged: MergedDeparture, date: ServiceDate, end: Instant)? {
        let realtime = context.realtime(timetable)
        let today = zone.civil(at: context.now).date
        for ahead in -2...Self.days {
            let date = today.advanced(by: ahead)
            guard usual.date.map({ $0 == date }) ?? usual.days.contains(date.weekday) else { continue }
            let moment = zone.instant(of: usual.time, on: date)
            // A vehicle that is three hours late is not awaited, and neither is what replaces it after six hours.
            guard moment >= context.now.advanced(by: -3 * 3600 - (awaited.replacements.isEmpty ? 0 : Self.longestWait))
            else {
                continue
            }
            let found = DepartureBoard.departures(
                visits: visits, context: timetable.context, realtime: realtime, now: context.now,
                plannedAround: moment, within: Self.maximumShift, count: 32)
            guard let call = found.min(by: { distance($0, moment) < distance($1, moment) }) else { continue }
            // The other feed may report that the departure is late.
            var merged = try context.merged(call, of: timetable)
            // A vehicle that ends here cannot be taken.
            if merged.call.endsHere, merged.call.isRunning { merged.call.status = .canceled }
            let own = end(of: merged.call, call.scheduledDeparture ?? call.departure)
            let replacement = try endOfReplacement(of: merged, context, &observer, awaiting: awaited)
            let end = max(own, replacement ?? own)
            guard end >= context.now else { continue }
            return (merged, date, end)
        }
        return nil
    }

    private func distance(_ call: ExpectedCall, _ moment: Instant) -> Int {
        abs((call.scheduledDeparture ?? call.departure).seconds(to: moment))
    }

    /// Returns the departures that can be taken instead, and those that leave earlier, in the order of their scheduled
    /// times; also the walk to the stop.
    private func alternatives(
        around scheduled: Instant, _ context: QueryContext, _ observer: inout DepartureObserver
    ) throws -> ([WatchedDeparture], walk: Int?) {
        let from = max(context.now.advanced(by: -180), scheduled.advanced(by: -900))
        var departures: [WatchedDeparture] = []
        var walk: Int?
        if let commute {
            let longest = commute.longestWalk
            let found = try commute.directTrips.next(at: from.advanced(by: -longest), count: 16, context)
            for trip in found where trip.merged.call.departure >= from {
                guard let departure = try observer.departure(trip) else { continue }
                if departure.isSame(scheduled, of: usual) { walk = trip.walkBefore }
                departures.append(departure)
            }
            walk = walk ?? found.first?.walkBefore
        } else {
            for merged in try board.departures(at: from, count: 16, context) {
                if let departure = try observer.departure(merged) { departures.append(departure) }
            }
        }
        return (WatchedDeparture.nearest(departures, to: scheduled, before: 3, after: 4), walk)
    }

    func requiredArrivals(_ context: QueryContext, _ namesTrips: (FeedID) -> Bool) -> [RequiredArrivals] {
        commute.map { $0.requiredArrivals(context, namesTrips: namesTrips) } ?? board.requiredArrivals(at: context.now)
    }
}

/// A commute in its current or next window.
struct CommuteSource: SubjectSource {
    private let query: DirectTripsQuery
    private let commute: CommuteConfiguration

    let feeds: Set<FeedID>

    /// The maximum number of departures of the commute that are watched.
    private static let maximumDepartures = 8

    init(_ commute: CommuteConfiguration, _ context: QueryContext) throws {
        query = try DirectTripsQuery(commute: commute.name, at: nil, context)
        self.commute = commute
        feeds = Set(query.directTrips.timetables.map(\.feed))
        if feeds.isEmpty { throw SubjectFailure(reason: "No feed has direct trips between its ends.") }
    }

    func evaluation(
        _ context: QueryContext, _ observer: inout DepartureObserver, previous: SubjectEvaluation?,
        awaiting awaited: AwaitedDepartures
    ) throws -> SubjectEvaluation {
        let now = context.now
        let windows = commute.windows.flatMap { $0.instances(from: now, days: 8, in: query.zone) }
        guard let window = windows.min(by: { $0.lowerBound < $1.lowerBound }) else {
            return SubjectEvaluation(
                subject: nil, at: now, near: now.advanced(by: 86_400), until: now.advanced(by: 86_400))
        }
        let near = window.lowerBound.advanced(by: -900)
        let from = max(now.advanced(by: -180), window.lowerBound)
        let longest = query.longestWalk
        let found = try query.directTrips.next(at: from.advanced(by: -longest), count: 24, context)
        var departures: [WatchedDeparture] = []
        var catchable = 0
        for trip in found where trip.merged.call.departure >= from && catchable < Self.maximumDepartures {
            guard let departure = try observer.departure(trip) else { continue }
            departures.append(departure)
            if trip.merged.call.departure.advanced(by: -(trip.walkBefore ?? 0)) >= now { catchable += 1 }
        }
        departures.sort { ($0.key.scheduled, $0.id) < ($1.key.scheduled, $1.id) }
        var subject = WatchedSubject(
            kind: .commute, name: commute.name, departures: departures, walk: found.first?.walkBefore, window: window,
            leadsHome: commute.to == CommuteList.home)
        try findLast(context, &observer, &subject, previous: previous?.subjects.first?.lastDepartures ?? [], awaited)
        let lasts = subject.lastDepartures
        let leaves = departures.map(\.observation.time).min()?.advanced(by: 181)
        let over = window.upperBound.advanced(by: 1)
        var evaluation = SubjectEvaluation(
            subject: subject, at: now, near: near, until: now < near ? over : min(over, leaves ?? over))
        // The last departure of the day is watched even outside the window.
        if let first = lasts.first, now < near {
            evaluation.near = min(near, first.key.scheduled.advanced(by: -SubjectEvaluation.lead))
            evaluation.until = lasts.reduce(over) {
                min($0, $1.observation.time.advanced(by: SubjectEvaluation.overdue))
            }
        }
        if commute.to == CommuteList.home, lasts.isEmpty {
            // The next service day has a last departure too, even if its commute has no window on that day.
            evaluation.until = min(evaluation.until, RiderDay(of: now, in: query.zone).end)
        }
        evaluation.until = max(now.advanced(by: 30), evaluation.until)
        return evaluation
    }

    /// Finds the last departure of the service day of a commute home, and those that were the last and do not run.
    ///
    /// - Parameters:
    ///   - previous: The last departures as they were found earlier.
    ///   - awaited: The departures of which the user was notified.
    private func findLast(
        _ context: QueryContext, _ observer: inout DepartureObserver, _ subject: inout WatchedSubject,
        previous: [WatchedDeparture], _ awaited: AwaitedDepartures
    ) throws {
        guard subject.leadsHome else { return }
        let now = context.now
        let end = RiderDay(of: now, in: query.zone).end
        // A departure that was canceled before a restart is known from its notification.
        let keys = awaited.last.filter { feeds.contains($0.feed) && $0.scheduled >= now }
            .union(previous.filter { $0.observation.time >= now }.map(\.key)).filter { $0.scheduled < end }
        let known = try keys.compactMap { try current($0, context, &observer) }
        subject.last = known.filter(\.observation.status.isRunning).max { $0.key.scheduled < $1.key.scheduled }
        subject.canceledLast = known.filter { !$0.observation.status.isRunning }
            .sorted { $0.key.scheduled < $1.key.scheduled }
        // A departure that was announced before a restart may no longer be the last one.
        if let last = subject.last, previous.contains(where: { $0.key == last.key }) { return }
        let found = try lastRunning(context, &observer, until: end)
        subject.last = [subject.last, found].compactMap(\.self).max { $0.key.scheduled < $1.key.scheduled }
    }

    /// Returns a departure as it is known now; `nil` if it is not listed.
    private func current(
        _ key: DepartureKey, _ context: QueryContext, _ observer: inout DepartureObserver
    ) throws -> WatchedDeparture? {
        let from = key.scheduled.advanced(by: -query.longestWalk - 60)
        for trip in try query.directTrips.next(at: from, count: 16, context) {
            if let departure = try observer.departure(trip), departure.key == key { return departure }
        }
        return nil
    }

    /// Returns the last departure of the service day that runs; `nil` after it.
    private func lastRunning(
        _ context: QueryContext, _ observer: inout DepartureObserver, until end: Instant
    ) throws -> WatchedDeparture? {
        let now = context.now
        // Searched from the end of the day, in steps, because the searches run forward.
        for hours in [2, 4, 8, 16, 28] {
            let start = max(now, end.advanced(by: -hours * 3600))
            let found = try query.directTrips.next(at: start, count: 200, context)
            let own = found.last { $0.merged.call.departure < end && $0.merged.call.isRunning }
            if let own { return try observer.departure(own) }
            if start == now { break }
        }
        return nil
    }

    func requiredArrivals(_ context: QueryContext, _ namesTrips: (FeedID) -> Bool) -> [RequiredArrivals] {
        query.requiredArrivals(context, namesTrips: namesTrips)
    }
}

/// The next departures of a favorite route at a stop.
struct FavoriteSource: SubjectSource {
    private let favorite: SavedFavorite
    private let query: FavoriteBoardQuery

    let feeds: Set<FeedID>

    init(_ favorite: SavedFavorite, _ context: QueryContext) throws {
        let found = try FavoritesQuery(favorite: favorite.name, category: nil, at: nil, context).all
        guard let one = found.first else { throw SubjectFailure(reason: "It is not in the list of favorites.") }
        self.favorite = favorite
        query = try one.board.get()
        feeds = Set(query.boards.flatMap(\.timetables).map(\.feed))
    }

    func evaluation(
        _ context: QueryContext, _ observer: inout DepartureObserver, previous: SubjectEvaluation?,
        awaiting awaited: AwaitedDepartures
    ) throws -> SubjectEvaluation {
        let now = context.now
        var departures: [WatchedDeparture] = []
        for board in query.boards {
            for merged in try board.departures(at: now.advanced(by: -180), count: 8, context) {
                if let departure = try observer.departure(merged) { departures.append(departure) }
            }
        }
        departures.sort { ($0.key.scheduled, $0.id) < ($1.key.scheduled, $1.id) }
        let first = departures.first
        let near = first.map { $0.key.scheduled.advanced(by: -SubjectEvaluation.lead) } ?? now.advanced(by: 3600)
        let leaves = departures.map(\.observation.time).min()?.advanced(by: 181) ?? now.advanced(by: 3600)
        return SubjectEvaluation(
            subject: first == nil
                ? nil : WatchedSubject(kind: .favorite, name: favorite.name, departures: departures),
            at: now, near: min(near, leaves), until: max(now.advanced(by: 30), leaves))
    }

    func requiredArrivals(_ context: QueryContext, _ namesTrips: (FeedID) -> Bool) -> [RequiredArrivals] {
        query.requiredArrivals(context)
    }
}

extension DirectTripsQuery {
    /// The longest walk to a boarding stop in seconds.
    fileprivate var longestWalk: Int { directTrips.originDestinations.flatMap(\.origin.walks.values).max() ?? 0 }
}

extension WatchedDeparture {
    /// Whether this is the departure of a route at a scheduled time.
    fileprivate func isSame(_ scheduled: Instant, of usual: SavedUsualDeparture) -> Bool {
        key.scheduled == scheduled && key.route == usual.route && key.feed == usual.feed
    }

    /// Returns departures with an expected or scheduled time from before a time to six hours after it, in the order of
    /// their scheduled times.
    fileprivate static func nearest(
        _ departures: [WatchedDeparture], to time: Instant, before: Int, after: Int
    ) -> [WatchedDeparture] {
        func leaves(_ departure: WatchedDeparture) -> Instant {
            max(departure.observation.time, departure.key.scheduled)
        }
        let sorted = departures.sorted { (leaves($0), $0.id) < (leaves($1), $1.id) }
        let end = time.advanced(by: 6 * 3600)
        let nearest =
            sorted.filter { leaves($0) < time }.suffix(before)
            + sorted.filter { leaves($0) >= time && leaves($0) <= end }.prefix(after + 1)
        return nearest.sorted { ($0.key.scheduled, $0.id) < ($1.key.scheduled, $1.id) }
    }
}
