internal import TransitModel

/// Matches the trips of two versions by what riders notice: route, stops and times.
///
/// Identifiers are compared last, because publishers renumber trips. Unmatched trips are additions, removals, or trips
/// that kept their identifier and changed their times or stops.
struct CommuteTripMatcher {
    typealias CommuteTrip = CommuteTimetable.CommuteTrip

    struct Change {
        /// The identifier in the later version, or in the earlier version if the trip was removed.
        var id: TripID
        /// The dates of `before` and `after` are those on which they do not match.
        var before: CommuteTrip
        var after: CommuteTrip
        /// Whether the earlier trip still runs unchanged on other dates.
        var isPartial: Bool
    }

    private(set) var changed: [Change] = []
    private(set) var added: [(id: TripID, trip: CommuteTrip)] = []
    private(set) var removed: [(id: TripID, trip: CommuteTrip)] = []

    /// Trips grouped by route, stops and times, regardless of their dates.
    private typealias Groups = [CommuteTrip: [UnmatchedDates]]

    /// A trip and the dates on which no trip of the other version matches it.
    private struct UnmatchedDates {
        var id: TripID
        var dates: UInt64
        var isPartial = false
    }

    init(_ old: [TripID: CommuteTrip], _ new: [TripID: CommuteTrip]) {
        var (before, after) = (Self.groups(old), Self.groups(new))
        let runsBefore = before.mapValues(Self.union)
        let runsAfter = after.mapValues(Self.union)
        for key in before.keys where after[key] != nil {
            Self.match(&before[key, default: []], &after[key, default: []])
        }
        matchIdentifiers(&before, &after)
        matchDates(&before, &after, runsBefore, runsAfter)
        matchStops(&before, &after)
        // One trip for riders can be several trips in the feed, one for each date.
        added = Self.trips(after)
        removed = Self.trips(before)
    }

    private static func groups(_ trips: [TripID: CommuteTrip]) -> Groups {
        var groups: Groups = [:]
        for (id, trip) in trips.sorted(by: { $0.key < $1.key }) {
            var key = trip
            key.dates = 0
            groups[key, default: []].append(UnmatchedDates(id: id, dates: trip.dates))
        }
        return groups
    }

    private static func union(_ entries: [UnmatchedDates]) -> UInt64 { entries.reduce(0) { $0 | $1.dates } }

    private static func trips(_ groups: Groups) -> [(id: TripID, trip: CommuteTrip)] {
        groups.compactMap { key, entries in
            guard let first = entries.first else { return nil }
            var trip = key
            trip.dates = union(entries)
            return (first.id, trip)
        }
    }

    // MARK: By route, stops and times

    /// Removes the trips that run on the same dates from both sides: whole trips first, then date by date.
    private static func match(_ old: inout [UnmatchedDates], _ new: inout [UnmatchedDates]) {
        old.removeAll { entry in
            guard let counterpart = new.firstIndex(where: { $0.dates == entry.dates }) else { return false }
            new.remove(at: counterpart)
            return true
        }
        for date in 0..<ComparedDates.limit {
            let bit: UInt64 = 1 << UInt64(date)
            let common = min(old.count { $0.dates & bit != 0 }, new.count { $0.dates & bit != 0 })
            clear(bit, from: &old, times: common)
            clear(bit, from: &new, times: common)
        }
        old.removeAll { $0.dates == 0 }
        new.removeAll { $0.dates == 0 }
    }

    private static func clear(_ bit: UInt64, from entries: inout [UnmatchedDates], times: Int) {
        var left = times
        for position in entries.indices where left > 0 && entries[position].dates & bit != 0 {
            entries[position].dates &= ~bit
            entries[position].isPartial = true
            left -= 1
        }
    }

    // MARK: Unmatched trips

    /// Matches trips that kept their identifier and changed their times, stops or dates.
    private mutating func matchIdentifiers(_ old: inout Groups, _ new: inout Groups) {
        var keys: [TripID: CommuteTrip] = [:]
        for (key, entries) in new {
            for entry in entries { keys[entry.id] = key }
        }
        for (key, entries) in old {
            for entry in entries {
                guard let newKey = keys[entry.id], let counterpart = new[newKey]?.first(where: { $0.id == entry.id })
                else {
                    continue
                }
                add(entry.id, key, entry, newKey, counterpart)
                old[key]?.removeAll { $0.id == entry.id }
                new[newKey]?.removeAll { $0.id == entry.id }
            }
        }
    }

    /// Matches trips that are in both versions on different dates. If one of several trips at the same time is missing,
    /// it counts as removed.
    private mutating func matchDates(
        _ old: inout Groups, _ new: inout Groups, _ before: [CommuteTrip: UInt64], _ after: [CommuteTrip: UInt64]
    ) {
        for key in Set(old.keys).union(new.keys) {
            guard let ranBefore = before[key], let runsAfter = after[key] else { continue }
            let (lost, gained) = (ranBefore & ~runsAfter, runsAfter & ~ranBefore)
            guard lost | gained != 0, let id = (new[key]?.first ?? old[key]?.first)?.id else { continue }
            add(id, key, UnmatchedDates(id: id, dates: lost), key, UnmatchedDates(id: id, dates: gained))
            old[key]?.removeAll { $0.dates & lost != 0 }
            new[key]?.removeAll { $0.dates & gained != 0 }
        }
    }

    /// Matches trips that have the same times and dates but a different stop, such as another platform.
    private mutating func matchStops(_ old: inout Groups, _ new: inout Groups) {
        struct Times: Hashable {
            var route: RouteID
            var departure: ServiceTime
            var arrival: ServiceTime
            var dates: UInt64
        }
        func byTimes(_ groups: Groups) -> [Times: [CommuteTrip]] {
            let trips = groups.filter { !$0.value.isEmpty }
            return Dictionary(grouping: trips.keys) { key in
                Times(
                    route: key.route, departure: key.departure, arrival: key.arrival,
                    dates: Self.union(trips[key] ?? []))
            }
        }
        let (before, after) = (byTimes(old), byTimes(new))
        for (times, keys) in before {
            // If there are several candidates, it is unknown which of them changed its stop.
            guard keys.count == 1, let others = after[times], others.count == 1 else { continue }
            guard let entry = old[keys[0]]?.first, let counterpart = new[others[0]]?.first else { continue }
            let dates = times.dates
            add(
                counterpart.id, keys[0], UnmatchedDates(id: entry.id, dates: dates), others[0],
                UnmatchedDates(id: counterpart.id, dates: dates))
            old[keys[0]] = []
            new[others[0]] = []
        }
    }

    private mutating func add(
        _ id: TripID, _ before: CommuteTrip, _ entry: UnmatchedDates, _ after: CommuteTrip,
        _ counterpart: UnmatchedDates
    ) {
        var change = Change(id: id, before: before, after: after, isPartial: before != after && entry.isPartial)
        (change.before.dates, change.after.dates) = (entry.dates, counterpart.dates)
        changed.append(change)
    }
}
