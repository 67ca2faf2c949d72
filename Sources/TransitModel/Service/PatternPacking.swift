/// Packs calls and lanes into the bytes of a ``Pattern``, and checks bytes that are said to be a packing.
///
/// First the route and, in four bytes each, the direction: 0 for none, else one higher. Then the head of each
/// ``PatternColumn``, then the numbers.
enum PatternPacking {
    static func pack(route: RouteIndex, direction: Direction?, calls: [PatternCall], timingGroups: [TimingGroup])
        -> [UInt8]
    {
        precondition(timingGroups.allSatisfy { $0.times.count == calls.count && $0.services.count == $0.starts.count })
        var columns = ColumnWriter(route: route, direction: direction)
        pack(calls, into: &columns)
        packTimes(of: timingGroups, calls: calls.count, into: &columns)
        packTrips(of: timingGroups, into: &columns)
        return columns.bytes
    }

    private static func pack(_ calls: [PatternCall], into columns: inout ColumnWriter) {
        columns.put(.stops, calls.map { Int32(bitPattern: $0.stop.rawValue) })
        columns.put(.sequences, calls.indices.map { Int32(bitPattern: calls[$0].sequence &- UInt32($0)) })
        columns.put(.pickups, calls.map { Int32($0.pickup.rawValue | $0.dropOff.rawValue << 2) })
        columns.put(.headsigns, calls.map { Int32(bitPattern: $0.headsign.map { $0.rawValue &+ 1 } ?? 0) })
    }

    private static func packTimes(of timingGroups: [TimingGroup], calls: Int, into columns: inout ColumnWriter) {
        var earliest: [Int32] = []
        var delays: [Int32] = []
        var dwellTimes: [Int32] = []
        var approximate: [Int32] = []
        delays.reserveCapacity(calls * timingGroups.count)
        dwellTimes.reserveCapacity(calls * timingGroups.count)
        approximate.reserveCapacity(calls * timingGroups.count)
        for call in 0..<calls {
            let first = timingGroups.reduce(Int32.max) { min($0, $1.times[call].departure) }
            earliest.append(timingGroups.isEmpty ? 0 : first)
            for timingGroup in timingGroups {
                let times = timingGroup.times[call]
                delays.append(times.departure &- first)
                dwellTimes.append(times.departure &- times.arrival)
                approximate.append(times.isExact ? 0 : 1)
            }
        }
        columns.put(.earliest, earliest)
        columns.put(.delays, delays)
        columns.put(.dwellTimes, dwellTimes)
        columns.put(.approximate, approximate)
    }

    private static func packTrips(of timingGroups: [TimingGroup], into columns: inout ColumnWriter) {
        var ends: [Int32] = []
        var trips: [Int32] = []
        var rows: [Frequency] = []
        var place: Int32 = 0
        for timingGroup in timingGroups {
            trips.append(Int32(bitPattern: timingGroup.firstTrip.rawValue) &- place)
            for row in timingGroup.frequencies {
                rows.append(row)
                rows[rows.count - 1].trip += UInt32(place)
            }
            place += Int32(timingGroup.starts.count)
            ends.append(place)
        }
        columns.put(.timingGroupEnds, ends)
        columns.put(.trips, trips)
        columns.put(.starts, timingGroups.flatMap(\.starts))
        columns.put(.services, timingGroups.flatMap { $0.services.map { Int32(bitPattern: $0.rawValue) } })
        columns.put(.frequencyTrips, rows.map { Int32(bitPattern: $0.trip) })
        columns.put(.frequencyStarts, rows.map(\.start))
        columns.put(.frequencyEnds, rows.map(\.end))
        columns.put(.headways, rows.map(\.headway))
        columns.put(.exactTimes, rows.map { $0.isExact ? 1 : 0 })
    }
}

/// The bytes of a pattern while its columns are put into them, each once.
private struct ColumnWriter {
    private(set) var bytes: [UInt8]

    init(route: RouteIndex, direction: Direction?) {
        bytes = [UInt8](repeating: 0, count: PatternColumn.headsEnd)
        bytes.store(route.rawValue, at: 0)
        bytes.store(direction.map { UInt32($0.rawValue) + 1 } ?? 0, at: 4)
    }

    mutating func put(_ column: PatternColumn, _ numbers: [Int32]) {
        NumberColumn.write(
            numbers, minimumWidth: PatternPacking.counting.contains(column) ? 1 : 0,
            headAt: column.head, to: &bytes)
    }
}

// MARK: Checking

extension PatternPacking {
    /// The columns that say how many calls, lanes, trips and rows there are. They take a byte for each number at least, so
    /// that a forged count is never larger than the bytes.
    static let counting: [PatternColumn] = [.stops, .timingGroupEnds, .starts, .frequencyTrips]

    static func head(of bytes: [UInt8]) -> (route: RouteIndex, direction: Direction?)? {
        guard bytes.count >= PatternColumn.headsEnd else { return nil }
        let direction = bytes.load(UInt32.self, at: 4)
        guard direction <= 2 else { return nil }
        return (
            RouteIndex(bytes.load(UInt32.self, at: 0)),
            direction == 0 ? nil : Direction(rawValue: UInt8(direction - 1))
        )
    }

    /// Whether the columns fit one another: after this, none of the pattern's members asks past the end of one.
    static func isConsistent(_ pattern: Pattern) -> Bool {
        // First of all, so that no count is so large that a product of two has no place in a number.
        guard counting.allSatisfy({ isCounting(pattern.column($0)) }) else { return false }
        let trips = pattern.column(.starts).count
        for column in PatternColumn.allCases {
            let numbers = pattern.column(column)
            guard numbers.isWhole, numbers.count == expectedCount(of: column, in: pattern) else { return false }
        }
        return pattern.column(.pickups).isWithin(0..<16) && pattern.column(.frequencyTrips).isWithin(0..<trips)
            && areTimingGroups(pattern.column(.timingGroupEnds), pattern.column(.starts))
    }

    private static func isCounting(_ column: NumberColumn) -> Bool {
        column.isWhole && (column.isEmpty || column.width > 0)
    }

    private static func expectedCount(of column: PatternColumn, in pattern: Pattern) -> Int {
        switch column {
        case .stops, .sequences, .pickups, .headsigns, .earliest: pattern.column(.stops).count
        case .delays, .dwellTimes, .approximate: pattern.column(.stops).count * pattern.column(.timingGroupEnds).count
        case .timingGroupEnds, .trips: pattern.column(.timingGroupEnds).count
        case .starts, .services: pattern.column(.starts).count
        case .frequencyTrips, .frequencyStarts, .frequencyEnds, .headways, .exactTimes:
            pattern.column(.frequencyTrips).count
        }
    }

    /// Whether the lanes follow one another, each with its starts in their order.
    private static func areTimingGroups(_ ends: NumberColumn, _ starts: NumberColumn) -> Bool {
        var begin = 0
        for timingGroup in ends.indices {
            let end = Int(ends[timingGroup])
            guard end >= begin, end <= starts.count else { return false }
            var previous = Int32.min
            for place in begin..<end {
                guard starts[place] >= previous else { return false }
                previous = starts[place]
            }
            begin = end
        }
        return begin == starts.count
    }
}
