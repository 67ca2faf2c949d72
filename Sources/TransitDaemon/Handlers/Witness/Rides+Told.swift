internal import TransitEngine
internal import TransitModel
internal import TransitStore

// What two feeds of one agency tell of the rides of a commute is told together.
extension Rides {
    /// Ascending by departure, then by arrival.
    func next(at: Instant, count: Int, _ question: Question) throws(StoreError) -> [Found] {
        let timetables = timetables
        guard timetables.count > 1 else { return next(at: at, count: count) }
        var found: [Found] = []
        var told: [Timetable] = []
        for timetable in timetables {
            guard let pair = try question.pair(of: timetable), timetable === pair.main,
                timetables.contains(where: { $0 === pair.beside })
            else { continue }
            found += try together(pair, at: at, count: count)
            told += [pair.main, pair.beside]
        }
        found += next(at: at, count: count) { timetable in !told.contains { $0 === timetable } }
        return Self.inOrder(found, count: count)
    }

    private func together(_ pair: FeedPair, at: Instant, count: Int) throws(StoreError) -> [Found] {
        let past = next(
            at: at.advanced(by: -Reconciliation.farthest), count: ToldReach.mostLate, of: { $0 === pair.main }
        ).filter { $0.told.call.isPastPlan(at: at) }
        let together = ToldTogether<Found>(
            pair: pair, at: at, now: now, call: \.told.call, leaveBy: \.leaveBy,
            planned: { planned($0, around: $1) }, join: { Self.joined($0, $1, of: pair, by: $2) })
        return try together.list(count: count) { asked in
            (
                past + next(at: at, count: asked, of: { $0 === pair.main }),
                next(at: at, count: asked + past.count, of: { $0 === pair.beside })
            )
        }
    }

    /// The rides that a timetable has around a moment, as they may be expected now.
    private func planned(_ timetable: Timetable, around moment: Instant) -> [Found] {
        ways.filter { $0.origin.timetable === timetable }.flatMap { way in
            Journeys.rides(
                origins: way.origin.walks, destinations: way.destination.walks, patterns: way.patterns,
                context: timetable.context, live: way.live, now: now, plannedAround: moment,
                within: Reconciliation.agreement, count: ToldReach.mostPlanned
            ).map { Found($0, of: way) }
        }
    }

    private static func joined(
        _ one: Found, _ other: Found, of pair: FeedPair, by entry: Reconciliation.Entry
    ) -> Found {
        let told = ToldCall(one.told.call, other.told.call, of: pair, by: entry)
        var found = told.timetable === pair.main ? one : other
        found.told = told
        // The same vehicle's time at the end, where both mean the same stop by it.
        if let first = one.journey.arrival, let second = other.journey.arrival,
            pair.twins.second(of: first.stop) == second.stop
        {
            found.journey.arrival = Reconciliation.joined(first, second, by: entry).call
        }
        // The departure may come from the other feed and be later than this feed's planned arrival.
        found.journey.arriveNoEarlier(than: told.call.departure, delay: told.call.delay)
        return found
    }
}

extension Rides.Found {
    /// The last moment to set out for what both feeds tell of it.
    fileprivate var leaveBy: Instant { told.call.departure.advanced(by: -journey.walkBefore) }
}

extension ToldCall {
    /// Whether the departure rests on what a timetable's feed tells.
    func isTold(by timetable: Timetable) -> Bool {
        self.timetable === timetable || witness?.timetable === timetable
    }
}
