package import TransitEngine
package import TransitModel
package import TransitStore

/// Two feeds of one agency: the main feed, whose identifiers name departures, and the feed that supplements it.
package struct FeedPair {
    package var main: Timetable
    package var supplement: Timetable
    package var mapping: StopMapping

    /// Returns the stops of the other feed that correspond to the given stops of one feed.
    package func stops(_ stops: [StopIndex], of timetable: Timetable) -> [StopIndex] {
        stops.compactMap { timetable === main ? mapping.second(of: $0) : mapping.first(of: $0) }
    }

    package func other(than timetable: Timetable) -> Timetable { timetable === main ? supplement : main }

    /// Returns both feeds at the time of a query.
    func conditions(_ context: QueryContext) -> MergedDeparture.Feeds {
        (FeedConditions(main, context), FeedConditions(supplement, context))
    }

    /// Returns the data of a call for a comparison with the other feed; `nil` if the other feed lacks the stop or
    /// the route is not known.
    package func matchCandidate(of call: ExpectedCall, in timetable: Timetable) throws(StoreError) -> PairingCandidate?
    {
        let place = timetable === main ? call.stop : mapping.first(of: call.stop)
        guard let place, let route = call.route.flatMap({ timetable.route($0) }) else { return nil }
        return PairingCandidate(
            stopIndex: place, route: route.displayName,
            headsign: try TimetableNames(timetable).headsign(of: call),
            direction: call.direction, planned: call.scheduledDeparture, departure: call.departure,
            source: call.source, isRunning: call.isRunning, confidence: call.confidence,
            isLastKnown: call.isLastKnown, uncertainty: call.uncertainty)
    }
}

extension QueryContext {
    /// Returns the pair to which a timetable belongs; `nil` if its agency has no other feed or the other feed has no
    /// timetable yet.
    package func pair(of timetable: Timetable) throws(StoreError) -> FeedPair? {
        guard let (main, supplement) = pairedTimetables(of: timetable) else { return nil }
        // The stop mapping is computed once, by comparing all stops of both feeds, and then cached.
        if !main.stopMappings.has(supplement) { beginSlowWork() }
        return FeedPair(
            main: main, supplement: supplement, mapping: try main.stopMappings.mapping(of: main, in: supplement))
    }

    private func pairedTimetables(of timetable: Timetable) -> (main: Timetable, supplement: Timetable)? {
        let found = feeds.first { feed in
            guard let main = feed.source.supplements else { return false }
            return main == timetable.feed || feed.id == timetable.feed
        }
        guard let found, let name = found.source.supplements, let supplement = found.timetable,
            let main = feeds.first(where: { $0.id == name })?.timetable, main === timetable || supplement === timetable
        else { return nil }
        return (main, supplement)
    }
}
