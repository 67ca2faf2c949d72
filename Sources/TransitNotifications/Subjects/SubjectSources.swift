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
        _ context: QueryContext, _ observer: inout DepartureObserver, previous: SubjectEvaluation?
    ) throws -> SubjectEvaluation {
        let now = context.now
        let kind = usual.isPinned ? SubjectKind.pinned : .usual
        guard let (merged, date) = try nextInstance(context) else {
            // The departure does not run in the coming days, or it is gone.
            let tomorrow = zone.instant(date: zone.civil(at: now).date.advanced(by: 1), secondsOfDay: 3 * 3600)
            return SubjectEvaluation(subject: nil, at: now, near: tomorrow, until: tomorrow)
        }
        let call = merged.call
        let scheduled = call.scheduledDeparture ?? call.departure
        var (departures, walk) = try alternatives(around: scheduled, context, &observer)
        let first = departures.firstIndex { $0.isSame(scheduled, of: usual) }
        guard let own = try first.map({ departures.remove(at: $0) }) ?? observer.departure(merged, at: now) else {
            return SubjectEvaluation(subject: nil, at: now, near: now, until: now.advanced(by: 3600))
        }
        departures.insert(own, at: 0)
        let subject = WatchedSubject(
            kind: kind, name: "\(clock(scheduled)) \(own.names.route)", departures: departures, walk: walk,
            leadsHome: commute?.entry.commute.to == CommuteList.home, isForDate: usual.date != nil)
        let isNear = now >= scheduled.advanced(by: -SubjectEvaluation.lead)
        // The alternatives change whenever the earliest of them leaves.
        let leaves = departures.dropFirst().map(\.observation.time).min()?.advanced(by: SubjectEvaluation.overdue)
        let over = end(of: call, scheduled).advanced(by: 1)
        let midnight = zone.instant(date: date.advanced(by: 1), secondsOfDay: 0)
        return SubjectEvaluation(
            subject: subject, at: now, near: scheduled.advanced(by: -SubjectEvaluation.lead),
            until: max(now.advanced(by: 30), min(over, isNear ? leaves ?? over : max(over, midnight))))
    }

    private func clock(_ instant: Instant) -> String {
        ServiceTime(seconds: Int32(zone.civil(at: instant).secondsOfDay)).clock
    }

    /// Returns the time at which the departure is over and the one of the next date becomes the subject.
    private func end(of call: ExpectedCall, _ scheduled: Instant) -> Instant {
        call.isRunning
            ? max(call.departure, scheduled).advanced(by: SubjectEvaluation.overdue)
            : scheduled.advanced(by: Self.replacement)
    }

    /// Returns the departure on the first date on which it is not over; `nil` if it does not run in the coming days.
    private func nextInstance(_ context: QueryContext) throws -> (merged: MergedDeparture, date: ServiceDate)? {
        let realtime = context.realtime(timetable)
        let today = zone.civil(at: context.now).date
        for ahead in -2...Self.days {
            let date = today.advanced(by: ahead)
            guard usual.date.map({ $0 == date }) ?? usual.days.contains(date.weekday) else { continue }
            let moment = zone.instant(of: usual.time, on: date)
            // A vehicle that is three hours late is not awaited.
            guard moment >= context.now.advanced(by: -3 * 3600) else { continue }
            let found = DepartureBoard.departures(
                visits: visits, context: timetable.context, realtime: realtime, now: context.now,
                plannedAround: moment, within: Self.maximumShift, count: 32)
            guard let call = found.min(by: { distance($0, moment) < distance($1, moment) }),
                end(of: call, call.scheduledDeparture ?? call.departure) >= context.now
            else { continue }
            return (try context.merged(call, of: timetable), date)
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
                guard let departure = try observer.departure(trip, at: context.now) else { continue }
                if departure.isSame(scheduled, of: usual) { walk = trip.walkBefore }
                departures.append(departure)
            }
            walk = walk ?? found.first?.walkBefore
        } else {
            for merged in try board.departures(at: from, count: 16, context) {
                if let departure = try observer.departure(merged, at: context.now) { departures.append(departure) }
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
        _ context: QueryContext, _ observer: inout DepartureObserver, previous: SubjectEvaluation?
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
            guard let departure = try observer.departure(trip, at: now) else { continue }
            departures.append(departure)
            if trip.merged.call.departure.advanced(by: -(trip.walkBefore ?? 0)) >= now { catchable += 1 }
        }
        departures.sort { ($0.key.scheduled, $0.id) < ($1.key.scheduled, $1.id) }
        let last = try lastDeparture(context, &observer, known: previous?.subject?.last)
        let subject = WatchedSubject(
            kind: .commute, name: commute.name, departures: departures, walk: found.first?.walkBefore, window: window,
            leadsHome: commute.to == CommuteList.home, last: last)
        let leaves = departures.map(\.observation.time).min()?.advanced(by: 181)
        let over = window.upperBound.advanced(by: 1)
        var evaluation = SubjectEvaluation(
            subject: subject, at: now, near: near, until: now < near ? over : min(over, leaves ?? over))
        // The last departure of the day is watched also outside the window.
        if let last, now < near {
            evaluation.near = min(near, last.key.scheduled.advanced(by: -SubjectEvaluation.lead))
            evaluation.until = min(over, last.observation.time.advanced(by: SubjectEvaluation.overdue))
        }
        if commute.to == CommuteList.home, last == nil {
            // The next service day has a last departure too, also if its commute has no window on that day.
            evaluation.until = min(evaluation.until, endOfServiceDay(at: now))
        }
        evaluation.until = max(now.advanced(by: 30), evaluation.until)
        return evaluation
    }

    /// The end of the service day of a time, as riders understand it.
    private func endOfServiceDay(at now: Instant) -> Instant {
        let today = query.zone.civil(at: now.advanced(by: -Self.endOfDay)).date
        return query.zone.instant(date: today.advanced(by: 1), secondsOfDay: Self.endOfDay)
    }

    /// Returns the last departure of the service day of a commute home; `nil` for other commutes, and after it.
    ///
    /// - Parameter known: The last departure as it was found earlier.
    private func lastDeparture(
        _ context: QueryContext, _ observer: inout DepartureObserver, known: WatchedDeparture?
    ) throws -> WatchedDeparture? {
        guard commute.to == CommuteList.home else { return nil }
        let now = context.now
        let end = endOfServiceDay(at: now)
        if let known, known.observation.time >= now, known.key.scheduled < end {
            let from = known.key.scheduled.advanced(by: -query.longestWalk - 60)
            for trip in try query.directTrips.next(at: from, count: 16, context) {
                if let departure = try observer.departure(trip, at: now), departure.key == known.key {
                    return departure
                }
            }
        }
        // Searched from the end of the day, in steps, because the searches run forward.
        for hours in [2, 4, 8, 16, 28] {
            let start = max(now, end.advanced(by: -hours * 3600))
            let found = try query.directTrips.next(at: start, count: 200, context)
            let own = found.last { $0.merged.call.departure < end && $0.merged.call.isRunning }
            if let own { return try observer.departure(own, at: now) }
            if start == now { break }
        }
        return nil
    }

    /// The time of day at which a service day ends for riders, in seconds.
    private static let endOfDay = 4 * 3600

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
        _ context: QueryContext, _ observer: inout DepartureObserver, previous: SubjectEvaluation?
    ) throws -> SubjectEvaluation {
        let now = context.now
        var departures: [WatchedDeparture] = []
        for board in query.boards {
            for merged in try board.departures(at: now.advanced(by: -180), count: 8, context) {
                if let departure = try observer.departure(merged, at: now) { departures.append(departure) }
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

    /// Returns some departures that leave before and up to six hours after a time, as expected or scheduled, in the order of
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
