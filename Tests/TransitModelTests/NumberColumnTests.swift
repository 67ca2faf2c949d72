import Testing

@testable import TransitModel

/// Columns are read back unchanged and take as few bytes as their numbers allow.
@Suite struct NumberColumnTests {
    private static let head = [UInt8](repeating: 0, count: NumberColumn.headSize)

    private func column(_ numbers: [Int32], minimumWidth: Int = 0) -> NumberColumn {
        var bytes = Self.head
        NumberColumn.write(numbers, minimumWidth: minimumWidth, headAt: 0, to: &bytes)
        return NumberColumn(bytes, headAt: 0)
    }

    @Test(
        arguments: [
            ([], 0, 1), ([7, 7, 7], 0, 1), ([-300, -300], 0, 1), ([0, 60, 15_300], 1, 60), ([90, 0, 30], 1, 30),
            ([10, 265], 1, 255), ([10, 11, 266], 2, 1), ([0, 1, 65_536], 4, 1), ([0, 86_400], 4, 1),
            ([.min, .max, 0], 4, 1), ([.max, .min], 4, 1),
        ] as [([Int32], UInt16, UInt16)])
    func numbersAreReadBack(numbers: [Int32], width: UInt16, unit: UInt16) {
        let column = column(numbers)
        #expect(Array(column) == numbers)
        // 86,400 exceeds the maximum unit.
        #expect(column.width == width && column.unit == unit)
        #expect(column.isWhole)
    }

    @Test(
        arguments: [[7, 7, 7, 7], [0, 60, 15_300, 120], [10, 11, 266, 12], [0, 86_400, 1, -5], [.min, .max, 0, 1]]
            as [[Int32]])
    func numbersAreAddedToBuffer(numbers: [Int32]) {
        let column = column(numbers)
        for (first, step, count) in [(0, 1, 4), (1, 1, 2), (0, 3, 2), (1, 2, 2), (3, 9, 1), (9, 1, 0)] {
            var (sums, differences) = ([Int32](repeating: 100, count: count), [Int32](repeating: 100, count: count))
            sums.withUnsafeMutableBufferPointer { column.add(to: $0, first: first, step: step) }
            differences.withUnsafeMutableBufferPointer { column.add(to: $0, first: first, step: step, factor: -1) }
            let expected = (0..<count).map { numbers[first + $0 * step] }
            #expect(sums == expected.map { 100 &+ $0 } && differences == expected.map { 100 &- $0 })
        }
    }

    @Test func minimumWidthTakesOneBytePerNumber() {
        let column = column([5, 5, 5], minimumWidth: 1)
        #expect(Array(column) == [5, 5, 5] && column.bytes.count == NumberColumn.headSize + 3)
    }

    @Test func rangeCheckUsesNumbersNotWidth() {
        let column = column([10, 12, 40])
        #expect(column.isWithin(10..<41) && column.isWithin(0..<1_000))
        #expect(!column.isWithin(11..<41) && !column.isWithin(10..<40))
        #expect(self.column([]).isWithin(0..<0) && !self.column([0]).isWithin(0..<0))
    }

    @Test func truncatedColumnIsInvalid() {
        var bytes = Self.head
        NumberColumn.write([1, 2, 3], headAt: 0, to: &bytes)
        #expect(!NumberColumn(Array(bytes.dropLast()), headAt: 0).isWhole)
        bytes[14] = 3
        #expect(!NumberColumn(bytes, headAt: 0).isWhole)
    }

    @Test func forgedCountsAreRejected() {
        let timingGroup = TimingGroup(
            times: [CallTimes(arrival: 0, departure: 0)], firstTrip: TripIndex(0), starts: [60],
            services: [ServiceIndex(0)])
        let pattern = Pattern(
            index: PatternIndex(0), route: RouteIndex(0), direction: nil,
            calls: [PatternCall(stop: StopIndex(0), sequence: 1)], timingGroups: [timingGroup])
        #expect(Pattern(index: PatternIndex(0), packed: pattern.packed) != nil)
        var bytes = pattern.packed
        for column in [PatternColumn.stops, .sequences, .pickups, .headsigns, .minimumDepartures, .timingGroupEnds] {
            bytes.store(UInt32.max, at: column.head + 4)
            bytes.store(UInt16(0), at: column.head + 14)
        }
        #expect(Pattern(index: PatternIndex(0), packed: bytes) == nil)
    }
}
