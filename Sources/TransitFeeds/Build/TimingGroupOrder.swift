internal import TransitModel

/// A timing group: its profile and its range of trips in the timetable.
struct PackedTimingGroup: Sendable {
    var profile: UInt32
    var firstTrip: UInt32
    var count: UInt32
}

/// The order of patterns, timing groups and trips in a timetable.
///
/// Patterns are sorted by route, then direction (none first), then descending number of trips, so that the main
/// patterns of a route come first. Timing groups are sorted by their first start. Ties keep the order of first
/// appearance. Trips of a timing group are sorted by start, then identifier. The same source therefore always gives the
/// same timetable.
struct TimingGroupOrder {
    /// A pattern: its number in the builder, and the end of its range in ``timingGroups``.
    struct PlannedPattern: Sendable {
        var number: UInt32
        var timingGroupsEnd: UInt32
    }

    private(set) var patterns: [PlannedPattern] = []
    private(set) var timingGroups: [PackedTimingGroup] = []
    /// The position in ``timingGroups`` of each profile of the builder.
    private var timingGroupOfProfile: [UInt32] = []

    init(_ builder: borrowing TimetableBuilder) {
        let usage = Usage(builder)
        let ranks = Self.rankPatterns(builder, usage)
        var profiles = usage.profiles.indices.filter { usage.profiles[$0].trips > 0 }
        profiles.sort {
            let (left, right) = (usage.profiles[$0], usage.profiles[$1])
            return (ranks[Int(left.pattern)], left.firstStart, $0) < (ranks[Int(right.pattern)], right.firstStart, $1)
        }
        timingGroupOfProfile = Array(repeating: 0, count: usage.profiles.count)
        timingGroups.reserveCapacity(profiles.count)
        var trips: UInt32 = 0
        for profile in profiles {
            let used = usage.profiles[profile]
            if patterns.last?.number != used.pattern {
                patterns.append(PlannedPattern(number: used.pattern, timingGroupsEnd: 0))
            }
            timingGroupOfProfile[profile] = UInt32(timingGroups.count)
            timingGroups.append(PackedTimingGroup(profile: UInt32(profile), firstTrip: trips, count: used.trips))
            patterns[patterns.count - 1].timingGroupsEnd = UInt32(timingGroups.count)
            trips += used.trips
        }
    }

    /// Returns the source positions of all usable trips, in the order of the timetable.
    func tripOrder(_ builder: borrowing TimetableBuilder) -> [UInt32] {
        var next = timingGroups.map(\.firstTrip)
        var order = [UInt32](repeating: 0, count: timingGroups.last.map { Int($0.firstTrip + $0.count) } ?? 0)
        for number in builder.assignments.indices {
            let profile = builder.assignments[number].profile
            guard profile != TimetableBuilder.TripAssignment.unassigned else { continue }
            let timingGroup = Int(timingGroupOfProfile[Int(profile)])
            order[Int(next[timingGroup])] = UInt32(number)
            next[timingGroup] += 1
        }
        order.withUnsafeMutableBufferPointer { all in
            for timingGroup in timingGroups where timingGroup.count > 1 {
                let range = Int(timingGroup.firstTrip)..<Int(timingGroup.firstTrip + timingGroup.count)
                var trips = UnsafeMutableBufferPointer(rebasing: all[range])
                Self.sort(&trips, builder)
            }
        }
        return order
    }

    private static func sort(_ trips: inout UnsafeMutableBufferPointer<UInt32>, _ builder: borrowing TimetableBuilder) {
        let assignments = builder.assignments
        let ids = builder.tripIDs
        trips.sort { left, right in
            let (first, second) = (assignments[Int(left)].start, assignments[Int(right)].start)
            return first == second ? ids.precedes(left, right) : first < second
        }
    }

    private static func rankPatterns(_ builder: borrowing TimetableBuilder, _ usage: Usage) -> [UInt32] {
        let keys = (0..<UInt32(builder.patterns.count)).map { number in
            builder.patterns.withBytes(of: number) { CallPacking.routeAndDirection($0) }
        }
        let order = keys.indices.sorted { left, right in
            let (first, second) = (keys[left], keys[right])
            let (some, others) = (usage.tripsOfPattern[left], usage.tripsOfPattern[right])
            return (first.route, first.direction, others, left) < (second.route, second.direction, some, right)
        }
        var ranks = [UInt32](repeating: 0, count: keys.count)
        for (rank, number) in order.enumerated() { ranks[number] = UInt32(rank) }
        return ranks
    }
}

/// The number of trips that use each profile and pattern.
private struct Usage {
    struct Profile {
        var pattern: UInt32
        var trips: UInt32 = 0
        var firstStart = Int32.max
    }

    var profiles: [Profile]
    var tripsOfPattern: [UInt32]

    init(_ builder: borrowing TimetableBuilder) {
        profiles = (0..<UInt32(builder.profiles.count)).map { number in
            Profile(pattern: builder.profiles.withBytes(of: number) { RunningTimesPacking.pattern($0) })
        }
        tripsOfPattern = Array(repeating: 0, count: builder.patterns.count)
        for assignment in builder.assignments where assignment.profile != TimetableBuilder.TripAssignment.unassigned {
            let profile = Int(assignment.profile)
            profiles[profile].trips += 1
            profiles[profile].firstStart = min(profiles[profile].firstStart, assignment.start)
            tripsOfPattern[Int(profiles[profile].pattern)] += 1
        }
    }
}
