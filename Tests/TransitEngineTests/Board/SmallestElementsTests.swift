import Testing
import TransitTestSupport

@testable import TransitEngine

@Suite struct SmallestElementsTests {
    private struct Element: Comparable {
        var key: Int
        var insertion: Int
        static func < (left: Self, right: Self) -> Bool { left.key < right.key }
    }

    @Test(arguments: testSeeds(1, 2, 3, 4)) func elementsAreBeginningOfStableSort(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for capacity in [0, 1, 2, 7, 100] {
            let inserted = (0..<60).map { Element(key: random.number(0...20), insertion: $0) }
            var smallest = SmallestElements<Element>(capacity: capacity)
            for element in inserted { smallest.insert(element) }
            let sorted = inserted.sorted { ($0.key, $0.insertion) < ($1.key, $1.insertion) }
            #expect(smallest.elements.map(\.insertion) == sorted.prefix(capacity).map(\.insertion))
        }
    }
}
