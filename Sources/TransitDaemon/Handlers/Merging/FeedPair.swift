internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// Two feeds of one agency: the main feed, whose identifiers name departures, and the feed that supplements it.
struct FeedPair {
    var main: Timetable
    var supplement: Timetable
    var mapping: StopMapping

    /// Returns the stops of the other feed that correspond to the given stops of one feed.
    func stops(_ stops: [StopIndex], of timetable: Timetable) -> [StopIndex] {
        stops.compactMap { timetable === main ? mapping.second(of: $0) : mapping.first(of: $0) }
    }

    func other(than timetable: Timetable) -> Timetable { timetable === main ? supplement : main }

    /// Returns the data of a call for a comparison with the other feed; `nil` if the other feed lacks the stop or
    /// the route is not known.
    func matchCandidate(of call: ExpectedCall, in timetable: Timetable) throws(StoreError) -> PairingCandidate? {
        let place = timetable === main ? call.stop : mapping.first(of: call.stop)
        guard let place, let route = call.route.flatMap({ timetable.route($0) }) else { return nil }
        return PairingCandidate(
            stopIndex: place, route: route.displayName,
            headsign: try NameRenderer(timetable: timetable).headsign(of: call),
            direction: call.direction, planned: call.scheduledDeparture, departure: call.departure,
            source: call.source, isRunning: call.isRunning, confidence: call.confidence,
            isLastKnown: call.isLastKnown)
    }
}

extension RequestContext {
    /// Returns the pair to which a timetable belongs; `nil` if its agency has no other feed or the other feed has no
    /// timetable yet.
    func pair(of timetable: Timetable) throws(StoreError) -> FeedPair? {
        guard let (main, supplement) = pairedTimetables(of: timetable) else { return nil }
        // The stop mapping is computed once, by comparing all stops of both feeds, and then cached.
        if !main.stopMappings.has(supplement) { slowWork.beginSlowWork() }
        return FeedPair(
            main: main, supplement: supplement, mapping: try main.stopMappings.mapping(of: main, in: supplement))
    }

    /// Returns the notices about the feeds behind a reply. A feed without a timetable is not a problem if it
    /// supplements a feed that has a timetable.
    func mergedNotices(about behind: [FeedSnapshot]) -> [Notice] {
        FeedNotices(now: now).about(behind).filter { notice in
            guard notice.kind == .noTimetable, let feed = behind.first(where: { $0.id == notice.feed }) else {
                return true
            }
            return !behind.contains { $0.id == feed.configuration.supplements && $0.timetable?.hasTimes == true }
        }
    }

    /// Returns the notices for the feeds of the given timetables.
    func notices(aboutAll views: [FeedView]) -> [Notice] {
        guard views.count > 1 else { return views.first?.notices ?? [] }
        return mergedNotices(about: feeds.filter { feed in views.contains { $0.timetable.feed == feed.id } })
    }

    private func pairedTimetables(of timetable: Timetable) -> (main: Timetable, supplement: Timetable)? {
        // Searches by position, because most configurations have no pair and copying a snapshot is expensive.
        let found = feeds.indices.first { position in
            guard let main = feeds[position].configuration.supplements else { return false }
            return main == timetable.feed || feeds[position].id == timetable.feed
        }
        guard let found, let name = feeds[found].configuration.supplements, let supplement = feeds[found].timetable,
            let main = feeds.first(where: { $0.id == name })?.timetable, main === timetable || supplement === timetable
        else { return nil }
        return (main, supplement)
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
