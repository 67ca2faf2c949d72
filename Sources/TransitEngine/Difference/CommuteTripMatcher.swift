internal import TransitModel

/// Matches the rides of two versions by what a rider notices: route, stops and times.
///
/// Identifiers are compared last, because publishers renumber trips. Unmatched rides are additions, removals, or rides
/// that kept their identifier and changed their times or stops.
struct CommuteTripMatcher {
    typealias CommuteTrip = CommuteTimetable.CommuteTrip

    struct Change {
        /// The identifier in the later version, if the ride is there.
        var id: TripID
        /// The dates of `before` and `after` are those on which they do not match.
        var before: CommuteTrip
        var after: CommuteTrip
        /// Whether the earlier ride still runs unchanged on other dates.
        var isPartial: Bool
    }

    private(set) var changed: [Change] = []
    private(set) var added: [(id: TripID, ride: CommuteTrip)] = []
    private(set) var removed: [(id: TripID, ride: CommuteTrip)] = []

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
        // One ride can be several trips, one for each date.
        added = Self.rides(after)
        removed = Self.rides(before)
    }

    private static func groups(_ rides: [TripID: CommuteTrip]) -> Groups {
        var groups: Groups = [:]
        for (id, ride) in rides.sorted(by: { $0.key < $1.key }) {
            var key = ride
            key.dates = 0
            groups[key, default: []].append(UnmatchedDates(id: id, dates: ride.dates))
        }
        return groups
    }

    private static func union(_ pieces: [UnmatchedDates]) -> UInt64 { pieces.reduce(0) { $0 | $1.dates } }

    private static func rides(_ groups: Groups) -> [(id: TripID, ride: CommuteTrip)] {
        groups.compactMap { key, pieces in
            guard let first = pieces.first else { return nil }
            var ride = key
            ride.dates = union(pieces)
            return (first.id, ride)
        }
    }

    // MARK: By route, stops and times

    /// Removes the trips that run on the same dates from both sides: whole trips first, then date by date.
    private static func match(_ old: inout [UnmatchedDates], _ new: inout [UnmatchedDates]) {
        old.removeAll { piece in
            guard let twin = new.firstIndex(where: { $0.dates == piece.dates }) else { return false }
            new.remove(at: twin)
            return true
        }
        for date in 0..<ComparedDates.limit {
            let bit: UInt64 = 1 << UInt64(date)
            let common = min(old.count { $0.dates & bit != 0 }, new.count { $0.dates & bit != 0 })
            take(bit, from: &old, times: common)
            take(bit, from: &new, times: common)
        }
        old.removeAll { $0.dates == 0 }
        new.removeAll { $0.dates == 0 }
    }

    private static func take(_ bit: UInt64, from pieces: inout [UnmatchedDates], times: Int) {
        var left = times
        for position in pieces.indices where left > 0 && pieces[position].dates & bit != 0 {
            pieces[position].dates &= ~bit
            pieces[position].isPartial = true
            left -= 1
        }
    }

    // MARK: Unmatched trips

    /// Matches trips that kept their identifier and changed their times, stops or dates.
    private mutating func matchIdentifiers(_ old: inout Groups, _ new: inout Groups) {
        var places: [TripID: CommuteTrip] = [:]
        for (key, pieces) in new {
            for piece in pieces { places[piece.id] = key }
        }
        for (key, pieces) in old {
            for piece in pieces {
                guard let place = places[piece.id], let twin = new[place]?.first(where: { $0.id == piece.id }) else {
                    continue
                }
                add(piece.id, key, piece, place, twin)
                old[key]?.removeAll { $0.id == piece.id }
                new[place]?.removeAll { $0.id == piece.id }
            }
        }
    }

    /// Matches rides that both versions have on different dates. If one of several trips at one time is gone, that is a
    /// removal.
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

    /// Matches rides with the same times and dates and a different stop, such as another platform.
    private mutating func matchStops(_ old: inout Groups, _ new: inout Groups) {
        struct Times: Hashable {
            var route: RouteID
            var departure: ServiceTime
            var arrival: ServiceTime
            var dates: UInt64
        }
        func byTimes(_ groups: Groups) -> [Times: [CommuteTrip]] {
            let rides = groups.filter { !$0.value.isEmpty }
            return Dictionary(grouping: rides.keys) { key in
                Times(
                    route: key.route, departure: key.departure, arrival: key.arrival,
                    dates: Self.union(rides[key] ?? []))
            }
        }
        let (before, after) = (byTimes(old), byTimes(new))
        for (times, keys) in before {
            // With several candidates, it is unknown which one moved.
            guard keys.count == 1, let others = after[times], others.count == 1 else { continue }
            guard let piece = old[keys[0]]?.first, let twin = new[others[0]]?.first else { continue }
            let dates = times.dates
            add(
                twin.id, keys[0], UnmatchedDates(id: piece.id, dates: dates), others[0],
                UnmatchedDates(id: twin.id, dates: dates))
            old[keys[0]] = []
            new[others[0]] = []
        }
    }

    private mutating func add(
        _ id: TripID, _ before: CommuteTrip, _ piece: UnmatchedDates, _ after: CommuteTrip, _ twin: UnmatchedDates
    ) {
        var change = Change(id: id, before: before, after: after, isPartial: before != after && piece.isPartial)
        (change.before.dates, change.after.dates) = (piece.dates, twin.dates)
        changed.append(change)
    }
}
