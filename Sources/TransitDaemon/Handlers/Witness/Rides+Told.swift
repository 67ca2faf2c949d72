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
            at: at.advanced(by: -Reconciliation.farthest), count: ToldTogether.mostLate, of: { $0 === pair.main }
        ).filter { $0.told.call.isPastPlan(at: at) }
        let first = past + next(at: at, count: count, of: { $0 === pair.main })
        let second = next(at: at, count: count + past.count, of: { $0 === pair.beside })
        return try ToldTogether(pair: pair).list(first, second, at: at, call: \.told.call) { one, other, entry in
            Self.joined(one, other, of: pair, by: entry)
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
        return found
    }
}

extension ToldCall {
    /// Whether the departure rests on what a timetable's feed tells.
    func isTold(by timetable: Timetable) -> Bool {
        self.timetable === timetable || witness?.timetable === timetable
    }
}
