internal import TransitEngine
internal import TransitModel
internal import TransitStore

// Merges the direct trips from two feeds of one agency.
extension DirectTrips {
    /// Returns the direct trips in ascending order of departure and then of arrival.
    func next(at: Instant, count: Int, _ context: RequestContext) throws(StoreError) -> [Found] {
        let timetables = timetables
        guard timetables.count > 1 else { return next(at: at, count: count) }
        var found: [Found] = []
        var merged: [Timetable] = []
        for timetable in timetables {
            guard let pair = try context.pair(of: timetable), timetable === pair.main,
                timetables.contains(where: { $0 === pair.supplement })
            else { continue }
            found += try self.merged(pair, at: at, count: count)
            merged += [pair.main, pair.supplement]
        }
        found += next(at: at, count: count) { timetable in !merged.contains { $0 === timetable } }
        return Self.sorted(found, count: count)
    }

    private func merged(_ pair: FeedPair, at: Instant, count: Int) throws(StoreError) -> [Found] {
        let past = next(
            at: at.advanced(by: -DeparturePairing.maximumTimeDifference), count: MergeLimits.maximumOverdue,
            of: { $0 === pair.main }
        ).filter { $0.merged.call.isPastPlan(at: at) }
        let merger = FeedMerger<Found>(
            pair: pair, at: at, now: now, call: \.merged.call, leaveBy: \.leaveBy,
            planned: { planned($0, around: $1) }, join: { Self.combined($0, $1, of: pair, by: $2) })
        return try merger.list(count: count) { requested in
            (
                past + next(at: at, count: requested, of: { $0 === pair.main }),
                next(at: at, count: requested + past.count, of: { $0 === pair.supplement })
            )
        }
    }

    /// Returns the direct trips in a timetable around a given time, with their expected times.
    private func planned(_ timetable: Timetable, around moment: Instant) -> [Found] {
        originDestinations.filter { $0.origin.timetable === timetable }.flatMap { originDestination in
            DirectTripFinder.directTrips(
                origins: originDestination.origin.walks, destinations: originDestination.destination.walks,
                patterns: originDestination.patterns,
                context: timetable.context, realtime: originDestination.realtime, now: now, plannedAround: moment,
                within: DeparturePairing.agreementTolerance, count: MergeLimits.maximumPlanned
            ).map { Found($0, of: originDestination) }
        }
    }

    private static func combined(
        _ one: Found, _ other: Found, of pair: FeedPair, by entry: DeparturePairing.Entry
    ) -> Found {
        let merged = MergedDeparture(one.merged.call, other.merged.call, of: pair, by: entry)
        var found = merged.timetable === pair.main ? one : other
        found.merged = merged
        // The arrival of the same vehicle, if both feeds have the same destination stop.
        if let first = one.journey.arrival, let second = other.journey.arrival,
            pair.mapping.second(of: first.stop) == second.stop
        {
            found.journey.arrival = DeparturePairing.combined(first, second, by: entry).call
        }
        // The departure may come from the other feed and be later than this feed's planned arrival.
        found.journey.arriveNoEarlier(than: merged.call.departure, delay: merged.call.delay)
        return found
    }
}

extension DirectTrips.Found {
    /// The latest time to set out, based on the merged departure time.
    fileprivate var leaveBy: Instant { merged.call.departure.advanced(by: -journey.walkBefore) }
}

extension MergedDeparture {
    /// Whether the departure is based on data from the given timetable's feed.
    func isReported(by timetable: Timetable) -> Bool {
        self.timetable === timetable || confirmation?.timetable === timetable
    }
}
