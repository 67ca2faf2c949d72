internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// Two feeds of one agency: the one after which departures are named, and the one that was configured beside it.
struct FeedPair {
    var main: Timetable
    var beside: Timetable
    var twins: StopMapping

    /// The other one's stops that some stops of one of both are.
    func stops(_ stops: [StopIndex], of timetable: Timetable) -> [StopIndex] {
        stops.compactMap { timetable === main ? twins.second(of: $0) : twins.first(of: $0) }
    }

    func other(than timetable: Timetable) -> Timetable { timetable === main ? beside : main }

    /// What one of both tells of a call, for a comparison with the other; `nil` where the other does not have the stop, or
    /// the route is not known.
    func matchCandidate(of call: ExpectedCall, in timetable: Timetable) throws(StoreError) -> MatchCandidate? {
        let place = timetable === main ? call.stop : twins.first(of: call.stop)
        guard let place, let route = call.route.flatMap({ timetable.route($0) }) else { return nil }
        return MatchCandidate(
            place: place, route: route.displayName,
            headsign: try NameRenderer(timetable: timetable).headsign(of: call),
            direction: call.direction, planned: call.scheduledDeparture, departure: call.departure,
            source: call.source, isRunning: call.isRunning, confidence: call.confidence,
            isLastKnown: call.isLastKnown)
    }
}

extension RequestContext {
    /// The pair that a timetable belongs to; `nil` where its feed is the only one of its agency, or the other has no
    /// timetable yet.
    func pair(of timetable: Timetable) throws(StoreError) -> FeedPair? {
        guard let (main, beside) = supplementedFeeds(of: timetable) else { return nil }
        // Every stop of both is looked at, once.
        if !main.twins.has(beside) { slowWork.beginSlowWork() }
        return FeedPair(main: main, beside: beside, twins: try main.twins.twins(of: main, in: beside))
    }

    /// What is to be known about the feeds behind an answer. That one without a timetable is beside one that has it is none
    /// of it.
    func mergedNotices(about behind: [FeedSnapshot]) -> [Notice] {
        FeedNotices(now: now).about(behind).filter { notice in
            guard notice.kind == .noTimetable, let feed = behind.first(where: { $0.id == notice.feed }) else {
                return true
            }
            return !behind.contains { $0.id == feed.configuration.supplements && $0.timetable?.hasTimes == true }
        }
    }

    /// The same for the feeds of some timetables.
    func notices(aboutAll views: [FeedView]) -> [Notice] {
        guard views.count > 1 else { return views.first?.notices ?? [] }
        return mergedNotices(about: feeds.filter { feed in views.contains { $0.timetable.feed == feed.id } })
    }

    private func supplementedFeeds(of timetable: Timetable) -> (main: Timetable, beside: Timetable)? {
        // By position: most configurations have no pair, and a snapshot is not copied for finding that out.
        let found = feeds.indices.first { position in
            guard let main = feeds[position].configuration.supplements else { return false }
            return main == timetable.feed || feeds[position].id == timetable.feed
        }
        guard let found, let name = feeds[found].configuration.supplements, let beside = feeds[found].timetable,
            let main = feeds.first(where: { $0.id == name })?.timetable, main === timetable || beside === timetable
        else { return nil }
        return (main, beside)
    }
}

extension ExpectedCall {
    /// `nil` for a trip whose route is not known.
    fileprivate var route: RouteIndex? {
        switch subject {
        case .scheduled(let call): call.pattern.route
        case .extra(let trip, _): trip.route
        }
    }

    fileprivate var direction: Direction? {
        switch subject {
        case .scheduled(let call): call.pattern.direction
        case .extra(let trip, _): trip.direction
        }
    }
}
