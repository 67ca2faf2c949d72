internal import TransitModel

extension ExtraTrip {
    /// Creates the trip that an update describes without reference to the timetable. Its calls are those of the update,
    /// in the same order.
    ///
    /// Calls at unknown stops and calls without any time are left out. The result is `nil` if no call remains.
    init?(_ update: TripUpdate, kind: Kind, replaced: TripInstanceKey?, matcher: TripMatcher) throws {
        let calls = try update.updates.compactMap { try ExtraCall($0, matcher: matcher) }
        guard let first = calls.first else { return nil }
        let route = update.trip.routeID.flatMap { matcher.route($0) }
        let zone = route.map { matcher.context.zone(of: $0) } ?? matcher.context.zones[0]
        self.init(
            kind: kind, id: update.properties?.tripID ?? update.trip.tripID, route: route,
            direction: update.trip.direction,
            serviceDate: update.trip.startDate ?? zone.civil(at: first.departure).date,
            headsign: update.properties?.headsign, shortName: update.properties?.shortName,
            calls: Self.ordered(calls), measured: update.timestamp, entity: update.id, replaced: replaced,
            basis: update.basis, remark: update.remark, isPartial: update.isPartial)
    }

    /// Raises planned times that are before the planned time of the previous call. Expected times do not change.
    /// Expected times that contradict each other are marked, because it is unknown which one is right.
    private static func ordered(_ calls: [ExtraCall]) -> [ExtraCall] {
        var calls = calls
        var earliest = calls[0].arrival
        var lastExpected: Int?
        for number in calls.indices {
            guard calls[number].isExpected else {
                calls[number].arrival = max(calls[number].arrival, earliest)
                calls[number].departure = max(calls[number].departure, calls[number].arrival)
                if !calls[number].isSkipped { earliest = calls[number].departure }
                continue
            }
            if calls[number].departure < calls[number].arrival { calls[number].isContradicted = true }
            if let last = lastExpected, calls[number].arrival < calls[last].departure {
                calls[last].isContradicted = true
                calls[number].isContradicted = true
            }
            lastExpected = number
            earliest = max(calls[number].arrival, calls[number].departure)
        }
        return calls
    }
}

extension ExtraCall {
    fileprivate init?(_ update: StopTimeUpdate, matcher: TripMatcher) throws {
        let id = update.assignedStopID ?? update.stopID
        guard let stop = try id.flatMap({ try matcher.stop($0) }) else { return nil }
        let arrival = Self.time(update.arrival)
        let departure = Self.time(update.departure)
        let plannedArrival = Self.plausible(update.arrival?.scheduledTime)
        let plannedDeparture = Self.plausible(update.departure?.scheduledTime)
        let planned = plannedDeparture ?? plannedArrival
        let isExpected = update.relationship != .noData && (arrival ?? departure) != nil
        guard let end = isExpected ? departure ?? arrival : planned ?? departure ?? arrival else { return nil }
        let begin = isExpected ? arrival ?? end : plannedArrival ?? arrival ?? end
        self.init(
            stop: stop, sequence: update.sequence, arrival: begin, departure: end, scheduledArrival: plannedArrival,
            scheduledDeparture: plannedDeparture,
            uncertainty: update.departure?.uncertainty ?? update.arrival?.uncertainty,
            isExpected: isExpected && update.relationship != .skipped, isSkipped: update.relationship == .skipped,
            occupancy: update.departureOccupancy)
    }

    /// Returns the stated time or, without one, the scheduled time plus the delay.
    private static func time(_ event: StopTimeEvent?) -> Instant? {
        guard let event else { return nil }
        if let time = plausible(event.time) { return time }
        guard let planned = plausible(event.scheduledTime), let delay = event.delay else { return nil }
        return plausible(Instant(secondsSince1970: planned.secondsSince1970 &+ Int64(delay)))
    }

    /// Returns a time from 1970 to 9999. Some publishers send 0 for an unknown time.
    private static func plausible(_ time: Instant?) -> Instant? {
        time.flatMap { (1...253_402_300_799).contains($0.secondsSince1970) ? $0 : nil }
    }
}
