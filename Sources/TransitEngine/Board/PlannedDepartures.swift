public import TransitModel

// What was planned for a moment, however late or early it is now: the counterpart of a departure that another feed tells of.

extension DepartureBoard {
    /// The departures of the timetable that were planned for about a moment, as they may be expected now, also those that have
    /// left.
    ///
    /// - Parameters:
    ///   - seconds: by which they may have been planned earlier or later.
    ///   - count: how many at most.
    public static func departures(
        visits: [PatternVisit], context: TimetableContext, live: RealtimeTimetable?, now: Instant,
        plannedAround moment: Instant, within seconds: Int, count: Int
    ) -> [ExpectedCall] {
        departures(
            visits: visits, context: context, at: moment.advanced(by: -seconds),
            before: moment.advanced(by: seconds + 1).secondsSince1970, count: count, excluding: nil
        ).compactMap { expected($0, live, now: now) }
    }

    /// `nil` for what is not listed as itself.
    fileprivate static func expected(_ call: ScheduledCall, _ live: RealtimeTimetable?, now: Instant) -> ExpectedCall? {
        guard let live else { return ExpectedCall(scheduled: call) }
        return live.expected(call, now: now).flatMap { $0.status == .replaced ? nil : $0 }
    }
}

extension DirectTripFinder {
    /// The rides of the timetable whose departure was planned for about a moment, as they may be expected now, also those
    /// that have left.
    ///
    /// - Parameters:
    ///   - seconds: by which they may have been planned earlier or later.
    ///   - count: how many at most.
    public static func directTrips(
        origins: [StopIndex: Int], destinations: [StopIndex: Int], patterns: [Pattern], context: TimetableContext,
        live: RealtimeTimetable?, now: Instant, plannedAround moment: Instant, within seconds: Int, count: Int
    ) -> [ExpectedDirectTrip] {
        let (from, to) = (StopWalkTimes(origins), StopWalkTimes(destinations))
        let ways = patterns.compactMap { DirectPattern(pattern: $0, origins: from, destinations: to) }
        // Whoever sets out now reaches what leaves after the walk.
        let walk = origins.values.max() ?? 0
        let earliest = moment.advanced(by: -seconds)
        return next(
            ways: ways, context: context, at: earliest.advanced(by: -walk),
            before: moment.advanced(by: seconds + 1).secondsSince1970, count: count, excluding: nil
        ).compactMap { journey in
            guard journey.departure.departure >= earliest,
                let departure = DepartureBoard.expected(journey.departure, live, now: now),
                let arrival = DepartureBoard.expected(journey.arrival, live, now: now)
            else { return nil }
            var ride = ExpectedDirectTrip(
                departure: departure, destination: arrival.stop, arrival: arrival, walkBefore: journey.walkBefore,
                walkAfter: journey.walkAfter)
            ride.arriveNoEarlier(than: departure.departure, delay: departure.delay)
            return ride
        }
    }
}
