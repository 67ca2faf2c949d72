/// Encodes calls and timing groups as the bytes of a ``Pattern``, and validates such bytes.
///
/// The bytes start with the route and the direction in four bytes each; the direction is its value plus one, or 0 for
/// none. The headers of all ``PatternColumn`` cases follow, then the numbers.
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
        var minimumDepartures: [Int32] = []
        var departureOffsets: [Int32] = []
        var dwellTimes: [Int32] = []
        var approximate: [Int32] = []
        departureOffsets.reserveCapacity(calls * timingGroups.count)
        dwellTimes.reserveCapacity(calls * timingGroups.count)
        approximate.reserveCapacity(calls * timingGroups.count)
        for call in 0..<calls {
            let first = timingGroups.reduce(Int32.max) { min($0, $1.times[call].departure) }
            minimumDepartures.append(timingGroups.isEmpty ? 0 : first)
            for timingGroup in timingGroups {
                let times = timingGroup.times[call]
                departureOffsets.append(times.departure &- first)
                dwellTimes.append(times.departure &- times.arrival)
                approximate.append(times.isExact ? 0 : 1)
            }
        }
        columns.put(.minimumDepartures, minimumDepartures)
        columns.put(.departureOffsets, departureOffsets)
        columns.put(.dwellTimes, dwellTimes)
        columns.put(.approximate, approximate)
    }

    private static func packTrips(of timingGroups: [TimingGroup], into columns: inout ColumnWriter) {
        var ends: [Int32] = []
        var trips: [Int32] = []
        var frequencies: [Frequency] = []
        var row: Int32 = 0
        for timingGroup in timingGroups {
            trips.append(Int32(bitPattern: timingGroup.firstTrip.rawValue) &- row)
            for frequency in timingGroup.frequencies {
                frequencies.append(frequency)
                frequencies[frequencies.count - 1].trip += UInt32(row)
            }
            row += Int32(timingGroup.starts.count)
            ends.append(row)
        }
        columns.put(.timingGroupEnds, ends)
        columns.put(.trips, trips)
        columns.put(.starts, timingGroups.flatMap(\.starts))
        columns.put(.services, timingGroups.flatMap { $0.services.map { Int32(bitPattern: $0.rawValue) } })
        columns.put(.frequencyTrips, frequencies.map { Int32(bitPattern: $0.trip) })
        columns.put(.frequencyStarts, frequencies.map(\.start))
        columns.put(.frequencyEnds, frequencies.map(\.end))
        columns.put(.headways, frequencies.map(\.headway))
        columns.put(.exactTimes, frequencies.map { $0.isExact ? 1 : 0 })
    }
}

/// Collects the columns of a pattern. Each column is written once.
private struct ColumnWriter {
    private(set) var bytes: [UInt8]

    init(route: RouteIndex, direction: Direction?) {
        bytes = [UInt8](repeating: 0, count: PatternColumn.headsEnd)
        bytes.store(route.rawValue, at: 0)
        bytes.store(direction.map { UInt32($0.rawValue) + 1 } ?? 0, at: 4)
    }

    mutating func put(_ column: PatternColumn, _ numbers: [Int32]) {
        NumberColumn.write(
            numbers, minimumWidth: PatternPacking.countColumns.contains(column) ? 1 : 0,
            headAt: column.head, to: &bytes)
    }
}

// MARK: Validation

extension PatternPacking {
    /// The columns that determine the number of calls, timing groups, trips and frequency rows. They take at least one
    /// byte per number, so that a forged count cannot exceed the size of the data.
    fileprivate static let countColumns: [PatternColumn] = [.stops, .timingGroupEnds, .starts, .frequencyTrips]

    static func head(of bytes: [UInt8]) -> (route: RouteIndex, direction: Direction?)? {
        guard bytes.count >= PatternColumn.headsEnd else { return nil }
        let direction = bytes.load(UInt32.self, at: 4)
        guard direction <= 2 else { return nil }
        return (
            RouteIndex(bytes.load(UInt32.self, at: 0)),
            direction == 0 ? nil : Direction(rawValue: UInt8(direction - 1))
        )
    }

    /// Whether the columns are consistent with one another, so that no member of the pattern reads past the end of a
    /// column.
    static func isConsistent(_ pattern: Pattern) -> Bool {
        // Check these columns first. They limit the counts, so that the products below cannot overflow.
        guard countColumns.allSatisfy({ isValidCountColumn(pattern.column($0)) }) else { return false }
        let trips = pattern.column(.starts).count
        for column in PatternColumn.allCases {
            let numbers = pattern.column(column)
            guard numbers.isWhole, numbers.count == expectedCount(of: column, in: pattern) else { return false }
        }
        return pattern.column(.pickups).isWithin(0..<16) && pattern.column(.frequencyTrips).isWithin(0..<trips)
            && areTimingGroups(pattern.column(.timingGroupEnds), pattern.column(.starts))
    }

    private static func isValidCountColumn(_ column: NumberColumn) -> Bool {
        column.isWhole && (column.isEmpty || column.width > 0)
    }

    private static func expectedCount(of column: PatternColumn, in pattern: Pattern) -> Int {
        switch column {
        case .stops, .sequences, .pickups, .headsigns, .minimumDepartures: pattern.column(.stops).count
        case .departureOffsets, .dwellTimes, .approximate:
            pattern.column(.stops).count * pattern.column(.timingGroupEnds).count
        case .timingGroupEnds, .trips: pattern.column(.timingGroupEnds).count
        case .starts, .services: pattern.column(.starts).count
        case .frequencyTrips, .frequencyStarts, .frequencyEnds, .headways, .exactTimes:
            pattern.column(.frequencyTrips).count
        }
    }

    /// Whether the ranges of the timing groups are contiguous and the starts of each are ascending.
    private static func areTimingGroups(_ ends: NumberColumn, _ starts: NumberColumn) -> Bool {
        var begin = 0
        for timingGroup in ends.indices {
            let end = Int(ends[timingGroup])
            guard end >= begin, end <= starts.count else { return false }
            var previous = Int32.min
            for row in begin..<end {
                guard starts[row] >= previous else { return false }
                previous = starts[row]
            }
            begin = end
        }
        return begin == starts.count
    }
}
