import Testing
import TransitEngine
import TransitModel

@Suite struct TripDistanceTests {
    /// Stops at the corners of a right angle, about 1 km each side.
    private let stops: [Coordinate?] = [
        Coordinate(latitude: 1, longitude: 1), Coordinate(latitude: 1.009, longitude: 1),
        Coordinate(latitude: 1.009, longitude: 1.009),
    ]

    @Test func distanceFollowsShape() throws {
        // The shape makes a detour of 1 km each way between the first two stops.
        let detour = [(1.0, 1.0), (1.0045, 1.009), (1.009, 1.0), (1.009, 1.009)]
            .compactMap { Coordinate(latitude: $0.0, longitude: $0.1) }
        let found = try #require(TripDistance(shape: detour, stops: stops, from: 0, to: 1))
        #expect(!found.isStraightLine)
        #expect((2230...2245).contains(found.meters))
        let whole = try #require(TripDistance(shape: detour, stops: stops, from: 0, to: 2))
        #expect((3225...3250).contains(whole.meters))
    }

    @Test func withoutShapeDistanceIsFromStopToStop() throws {
        let found = try #require(TripDistance(shape: [], stops: stops, from: 0, to: 2))
        #expect(found.isStraightLine)
        #expect((2000...2003).contains(found.meters))
    }

    @Test func unknownStopsBetweenDoNotMatter() throws {
        var stops = stops
        stops[1] = nil
        let found = try #require(TripDistance(shape: [], stops: stops, from: 0, to: 2))
        #expect(found.isStraightLine)
        #expect((1412...1417).contains(found.meters))
        stops[2] = nil
        #expect(TripDistance(shape: [], stops: stops, from: 0, to: 2) == nil)
    }

    @Test(arguments: [(1, 1), (2, 1), (-1, 1), (0, 3)])
    func callsHaveToBeInOrder(from: Int, to: Int) {
        #expect(TripDistance(shape: [], stops: stops, from: from, to: to) == nil)
    }
}
