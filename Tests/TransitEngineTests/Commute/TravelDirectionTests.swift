import Testing
internal import TransitEngine
internal import TransitModel

/// Home is in the west and work is in the east, 10 km apart.
struct TravelDirectionTests {
    private static func place(_ east: Double) -> Coordinate? {
        Coordinate(latitude: 0.001, longitude: 10 + east / 111_195.08)
    }

    private func direction(_ stop: Double?, to end: Double? = nil) -> TravelDirection {
        TravelDirection(
            leaving: stop.flatMap { Self.place($0) }, endingAt: end.flatMap { Self.place($0) }, home: Self.place(0),
            work: Self.place(10_000))
    }

    @Test func departureNearHomeGoesToWorkAndReverse() {
        #expect(direction(2000, to: 9000) == .work)
        #expect(direction(4800, to: 7000) == .work)
        #expect(direction(8000, to: 1000) == .home)
        #expect(direction(12_000, to: 4000) == .home)
    }

    @Test func tripThatLeadsAwayIsUnknown() {
        #expect(direction(2000, to: 1000) == .unknown)
        #expect(direction(2000, to: 2200) == .unknown, "not significantly nearer")
        #expect(direction(8000, to: 9000) == .unknown)
        #expect(direction(2000, to: 30_000) == .unknown, "far beyond work")
        #expect(direction(9500, to: 9000) == .unknown, "the trip ends near work")
    }

    @Test func unknownLastStopIsUnknownDirection() {
        #expect(direction(2000) == .unknown)
        #expect(direction(8000) == .unknown)
    }

    @Test func departureInMiddleOrWithoutPlacesIsUnknown() {
        #expect(direction(5100, to: 9000) == .unknown)
        #expect(direction(nil, to: 9000) == .unknown)
        let (home, work) = (Self.place(0), Self.place(10_000))
        #expect(TravelDirection(leaving: home, endingAt: work, home: home, work: nil) == .unknown)
        #expect(TravelDirection(leaving: work, endingAt: home, home: nil, work: work) == .unknown)
    }
}
