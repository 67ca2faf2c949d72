import Testing
internal import TransitEngine
internal import TransitModel

/// Home in the west, work in the east, 10 km apart.
struct TravelDirectionTests {
    private static func place(_ east: Double) -> Coordinate? {
        Coordinate(latitude: 0.001, longitude: 10 + east / 111_195.08)
    }

    private func direction(_ stop: Double?, _ later: [Double] = []) -> TravelDirection {
        TravelDirection(
            from: stop.flatMap { Self.place($0) }, later: later.map { Self.place($0) }, home: Self.place(0),
            work: Self.place(10_000))
    }

    @Test func `the trip tells, wherever one boards`() {
        #expect(direction(6000, [7000, 8000, 9500]) == .work)
        #expect(direction(4000, [3000, 2000, 500]) == .home)
        #expect(direction(0, [5000, 9900]) == .work)
        // By both: what comes first, and not where one is already.
        #expect(direction(5000, [9900, 100]) == .work)
        #expect(direction(100, [200, 9900]) == .work)
    }

    @Test func `else what leaves near home goes to work, and the reverse`() {
        #expect(direction(2000) == .work)
        #expect(direction(8000) == .home)
        #expect(direction(2000, [3000]) == .work)
    }

    @Test func `in the middle, or without places, nobody can tell`() {
        #expect(direction(5100) == .unknown)
        #expect(direction(nil, [5000]) == .unknown)
        #expect(TravelDirection(from: Self.place(0), later: [], home: Self.place(0), work: nil) == .unknown)
    }
}
