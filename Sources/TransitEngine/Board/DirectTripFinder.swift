public import TransitModel

/// Finds the next trips between two places without a transfer.
public enum DirectTripFinder {
    /// Returns the next direct trips between two sets of stops, ascending by departure.
    ///
    /// A trip is included if it calls at both ends in the right order, if boarding and alighting are allowed there, and
    /// if riders who set out at `at` can reach it. Each trip is listed once, with the leg that has the earliest arrival
    /// including the walk, then the latest departure, then the shortest walk. Trips that depart at the same moment are
    /// sorted by arrival, pattern, trip and service date.
    ///
    /// - Parameters:
    ///   - origins: the boarding stops with the walking time in seconds; 0 for the stop itself.
    ///   - destinations: the alighting stops with the walking time in seconds from there.
    ///   - patterns: the patterns that call at an origin, without duplicates. Patterns that do not lead to a
    ///     destination are ignored.
    ///   - horizonDays: only departures before ``TimetableCalendar/horizon(at:days:)`` are found.
    public static func next(
        origins: [StopIndex: Int], destinations: [StopIndex: Int], patterns: [Pattern], context: TimetableCalendar,
        at: Instant, count: Int, horizonDays: Int = DepartureBoard.defaultHorizonDays
    ) -> [ScheduledDirectTrip] {
        next(
            Ends(origins, destinations), patterns, context: context, at: at,
            before: context.horizon(at: at, days: horizonDays).secondsSince1970, count: count)
    }

    /// Returns the direct trips that leave before `end`, in seconds since 1970.
    private static func next(
        _ ends: Ends, _ patterns: [Pattern], context: TimetableCalendar, at: Instant, before end: Int64, count: Int
    ) -> [ScheduledDirectTrip] {
        guard count > 0 else { return [] }
        var search = TripSearch(ends.directPatterns(patterns), context: context, at: at, before: end, count: count)
        search.findScheduledTrips()
        return search.found.compactMap { found in
            guard let departure = search.scheduledCall(found.leg.board, of: found),
                let arrival = search.scheduledCall(found.leg.alight, of: found)
            else { return nil }
            return ScheduledDirectTrip(
                departure: departure, arrival: arrival, walkBefore: found.leg.walkBefore,
                walkAfter: found.leg.walkAfter)
        }
    }

    /// Returns the next direct trips with realtime data applied, ascending by expected departure.
    ///
    /// Extends ``next(origins:destinations:patterns:context:at:count:horizonDays:)`` as follows. A late trip is
    /// included until it leaves. A trip that has left early is not included. A skipped call is used for boarding only if
    /// the trip has no other suitable call, and never for alighting: a trip that skips all suitable calls at the
    /// destination is not included. A canceled trip is listed at its scheduled time. Trips
    /// that the timetable lacks are listed as well, even if only their departure is known, provided that a pattern of
    /// their route leads to a destination.
    public static func next(
        origins: [StopIndex: Int], destinations: [StopIndex: Int], patterns: [Pattern], context: TimetableCalendar,
        realtime: RealtimeDatasets?, now: Instant, at: Instant, count: Int,
        horizonDays: Int = DepartureBoard.defaultHorizonDays
    ) -> [ExpectedDirectTrip] {
        guard count > 0 else { return [] }
        let ends = Ends(origins, destinations)
        var search = TripSearch(
            ends.directPatterns(patterns), context: context, views: RealtimeDatasetViews(ofTrips: realtime, now: now),
            at: at,
            before: context.horizon(at: at, days: horizonDays).secondsSince1970, count: count)
        search.findReportedTrips()
        search.findExtraTrips(from: origins.keys, ends)
        search.findScheduledTrips()
        return search.found.compactMap { search.directTrip($0) }
    }

    /// Returns the direct trips with a departure scheduled near a moment, regardless of delays, with realtime data
    /// applied. Includes trips that have already left. This search finds the trips that correspond to those of another
    /// feed.
    ///
    /// - Parameters:
    ///   - seconds: the maximum difference between the scheduled departure and the moment.
    ///   - count: the maximum number of trips.
    public static func directTrips(
        origins: [StopIndex: Int], destinations: [StopIndex: Int], patterns: [Pattern], context: TimetableCalendar,
        realtime: RealtimeDatasets?, now: Instant, plannedAround moment: Instant, within seconds: Int, count: Int
    ) -> [ExpectedDirectTrip] {
        // A rider who sets out this much earlier reaches all departures of the time range.
        let walk = origins.values.max() ?? 0
        let earliest = moment.advanced(by: -seconds)
        return next(
            Ends(origins, destinations), patterns, context: context, at: earliest.advanced(by: -walk),
            before: moment.advanced(by: seconds + 1).secondsSince1970, count: count
        ).compactMap { scheduled in
            guard scheduled.departure.departure >= earliest,
                let departure = ExpectedCall(scheduled.departure, realtime, now: now),
                let arrival = ExpectedCall(scheduled.arrival, realtime, now: now), arrival.status != .skipped
            else { return nil }
            var directTrip = ExpectedDirectTrip(
                departure: departure, destination: arrival.stop, arrival: arrival, walkBefore: scheduled.walkBefore,
                walkAfter: scheduled.walkAfter)
            directTrip.arriveNoEarlier(than: departure.departure, delay: departure.delay)
            return directTrip
        }
    }

    /// The stops at both ends, with the walking times.
    fileprivate struct Ends {
        let origins: StopWalkTimes
        let destinations: StopWalkTimes

        init(_ origins: [StopIndex: Int], _ destinations: [StopIndex: Int]) {
            self.origins = StopWalkTimes(origins)
            self.destinations = StopWalkTimes(destinations)
        }

        func directPatterns(_ patterns: [Pattern]) -> [DirectPattern] {
            patterns.compactMap { DirectPattern(pattern: $0, origins: origins, destinations: destinations) }
        }
    }
}

extension TripSearch<DirectPattern> {
    fileprivate func directTrip(_ found: FoundTrip) -> ExpectedDirectTrip? {
        guard let departure = expectedCall(found.leg.board, of: found) else { return nil }
        if case .extra(_, _, let destination?) = found.source {
            return ExpectedDirectTrip(
                departure: departure, destination: destination, arrival: nil, walkBefore: found.leg.walkBefore,
                walkAfter: found.leg.walkAfter)
        }
        guard let arrival = expectedCall(found.leg.alight, of: found) else { return nil }
        var directTrip = ExpectedDirectTrip(
            departure: departure, destination: arrival.stop, arrival: arrival, walkBefore: found.leg.walkBefore,
            walkAfter: found.leg.walkAfter)
        if case .scheduled = found.source { return directTrip }
        directTrip.arriveNoEarlier(
            than: Instant(secondsSince1970: found.leg.destinationArrival &- Int64(found.leg.walkAfter)),
            delay: departure.delay)
        return directTrip
    }

    // MARK: Trips that the timetable lacks

    fileprivate mutating func findExtraTrips(
        from stops: some Sequence<StopIndex>, _ ends: DirectTripFinder.Ends
    ) {
        guard let views else { return }
        for view in views.indices {
            var numbers: Set<Int32> = []
            for stop in stops {
                for visit in views[view].dataset.extraVisits(at: stop) { numbers.insert(visit.trip) }
            }
            for number in numbers.sorted() { findExtraTrip(Int(number), ends, views[view], view) }
        }
    }

    private mutating func findExtraTrip(
        _ number: Int, _ ends: DirectTripFinder.Ends, _ view: RealtimeDatasetView, _ index: Int
    ) {
        let trip = view.dataset.extraTrips[number]
        guard view.validity(of: trip) != .outdated else { return }
        if trip.calls.count > 1, let best = bestLeg(of: trip, ends, view) {
            insert(FoundTrip(extra: number, view: index, best))
        } else if trip.calls.count == 1 || trip.isPartial {
            for board in trip.calls.indices { findDepartureOnlyTrip(number, at: board, view, index) }
        }
    }

    /// Returns the best pair of calls with reported times.
    private func bestLeg(of trip: ExtraTrip, _ ends: DirectTripFinder.Ends, _ view: RealtimeDatasetView) -> TripLeg? {
        var best: TripLeg?
        for (board, leaving) in trip.calls.enumerated() {
            let validity = view.validity(of: trip, at: board)
            guard validity != .outdated, let walk = ends.origins[leaving.stop] else { continue }
            let departure = view.times(at: board, of: trip, validity).departure
            guard departure &- Int64(walk) >= at, departure < end else { continue }
            // If stated times contradict each other, the vehicle arrives no earlier than it leaves the calls in
            // between.
            var latest = departure
            for (alight, arriving) in trip.calls.enumerated().dropFirst(board + 1) {
                let times = view.times(at: alight, of: trip, view.validity(of: trip, at: alight))
                let arrives = max(latest, times.arrival)
                if arriving.isExpected { latest = max(latest, times.departure) }
                guard !arriving.isSkipped, let walkOn = ends.destinations[arriving.stop] else { continue }
                let leg = TripLeg(
                    board: board, alight: alight, walkBefore: walk, walkAfter: walkOn, departure: departure,
                    destinationArrival: arrives &+ Int64(walkOn), isSkipped: leaving.isSkipped)
                if best.map({ leg < $0 }) ?? true { best = leg }
            }
        }
        return best
    }

    /// Finds a trip that reports no call at a destination. The patterns of its route determine whether it leads to a
    /// destination. Their usual travel time is used only to sort the trip.
    ///
    /// If trips are reported in parts and other trips of the route are reported at the destination, a trip that is not
    /// reported there is assumed to go elsewhere. An example is the opposite direction at a stop that a pattern serves
    /// in both directions.
    private mutating func findDepartureOnlyTrip(
        _ number: Int, at position: Int, _ view: RealtimeDatasetView, _ index: Int
    ) {
        let trip = view.dataset.extraTrips[number]
        let validity = view.validity(of: trip, at: position)
        guard validity != .outdated else { return }
        let leaving = trip.calls[position]
        let departure = view.times(at: position, of: trip, validity).departure
        var best: (leg: TripLeg, destination: StopIndex)?
        for directPattern in patterns
        where trip.mayFollow(directPattern.pattern) && directPattern.pattern.timingGroupCount > 0
            && !isReported(trip, atDestinationsOf: directPattern, in: view.dataset)
        {
            let calls = directPattern.pattern.calls
            for board in directPattern.boardings where calls[board.position].stop == leaving.stop {
                guard departure &- Int64(board.walk) >= at, departure < end else { continue }
                let leaves = directPattern.pattern.times(timingGroup: 0, call: board.position).departure
                for alight in directPattern.alightings where alight.position > board.position {
                    let takes = directPattern.pattern.times(timingGroup: 0, call: alight.position).arrival &- leaves
                    let leg = TripLeg(
                        board: position, alight: position, walkBefore: board.walk, walkAfter: alight.walk,
                        departure: departure,
                        destinationArrival: departure &+ Int64(max(0, takes)) &+ Int64(alight.walk),
                        isSkipped: leaving.isSkipped)
                    if best.map({ leg < $0.leg }) ?? true { best = (leg, calls[alight.position].stop) }
                }
            }
        }
        guard let best else { return }
        insert(FoundTrip(extra: number, view: index, best.leg, destination: best.destination))
    }

    /// Returns whether partial trips of the route are reported at a destination of the pattern. If so, this trip would
    /// be reported there as well.
    private func isReported(
        _ trip: ExtraTrip, atDestinationsOf directPattern: DirectPattern, in dataset: RealtimeDataset
    ) -> Bool {
        guard trip.isPartial else { return false }
        return directPattern.alightings.contains { end in
            dataset.extraVisits(at: directPattern.pattern.stop(at: end.position)).contains { visit in
                let other = dataset.extraTrips[Int(visit.trip)]
                return other.isPartial && other.route == trip.route && other.serviceDate == trip.serviceDate
            }
        }
    }
}
