public import TransitModel

// Searches by scheduled time, regardless of delays. These searches find the departures that correspond to those of
// another feed.

extension DepartureBoard {
    /// Returns the departures scheduled near a moment, with realtime data applied. Includes departures that have
    /// already left.
    ///
    /// - Parameters:
    ///   - seconds: the maximum difference between the scheduled time and the moment.
    ///   - count: the maximum number of departures.
    public static func departures(
        visits: [PatternCallPosition], context: TimetableCalendar, realtime: RealtimeDatasets?, now: Instant,
        plannedAround moment: Instant, within seconds: Int, count: Int
    ) -> [ExpectedCall] {
        departures(
            visits: visits, context: context, at: moment.advanced(by: -seconds),
            before: moment.advanced(by: seconds + 1).secondsSince1970, count: count, excluding: nil
        ).compactMap { expected($0, realtime, now: now) }
    }

    /// Returns `nil` for a trip that is deleted or replaced.
    fileprivate static func expected(_ call: ScheduledCall, _ realtime: RealtimeDatasets?, now: Instant)
        -> ExpectedCall?
    {
        guard let realtime else { return ExpectedCall(scheduled: call) }
        return realtime.expected(call, now: now).flatMap { $0.status == .replaced ? nil : $0 }
    }
}

extension DirectTripFinder {
    /// Returns the direct trips with a departure scheduled near a moment, with realtime data applied. Includes trips
    /// that have already left.
    ///
    /// - Parameters:
    ///   - seconds: the maximum difference between the scheduled departure and the moment.
    ///   - count: the maximum number of trips.
    public static func directTrips(
        origins: [StopIndex: Int], destinations: [StopIndex: Int], patterns: [Pattern], context: TimetableCalendar,
        realtime: RealtimeDatasets?, now: Instant, plannedAround moment: Instant, within seconds: Int, count: Int
    ) -> [ExpectedDirectTrip] {
        let (from, to) = (StopWalkTimes(origins), StopWalkTimes(destinations))
        let directPatterns = patterns.compactMap { DirectPattern(pattern: $0, origins: from, destinations: to) }
        // A rider who sets out this much earlier reaches all departures of the time range.
        let walk = origins.values.max() ?? 0
        let earliest = moment.advanced(by: -seconds)
        return next(
            directPatterns: directPatterns, context: context, at: earliest.advanced(by: -walk),
            before: moment.advanced(by: seconds + 1).secondsSince1970, count: count, excluding: nil
        ).compactMap { scheduled in
            guard scheduled.departure.departure >= earliest,
                let departure = DepartureBoard.expected(scheduled.departure, realtime, now: now),
                let arrival = DepartureBoard.expected(scheduled.arrival, realtime, now: now)
            else { return nil }
            if arrival.status == .skipped { return nil }
            var directTrip = ExpectedDirectTrip(
                departure: departure, destination: arrival.stop, arrival: arrival, walkBefore: scheduled.walkBefore,
                walkAfter: scheduled.walkAfter)
            directTrip.arriveNoEarlier(than: departure.departure, delay: departure.delay)
            return directTrip
        }
    }
}
