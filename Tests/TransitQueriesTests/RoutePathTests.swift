import Testing
import TransitModel

@testable import TransitQueries

@Suite struct RoutePathTests {
    private func points(_ count: Int) throws -> [Coordinate] {
        try (0..<count).map { try #require(Coordinate(latitude: 10 + Double($0) / 100_000, longitude: 20)) }
    }

    @Test func shapeIsPreferredToStops() throws {
        let stops = try points(3)
        let shape = try points(5)
        let path = try #require(RoutePath(shape: shape, stops: stops))
        #expect(path.isShape && path.points == shape)
        let straight = try #require(RoutePath(shape: Array(shape.prefix(1)), stops: [stops[0], nil, stops[2]]))
        #expect(!straight.isShape && straight.points == [stops[0], stops[2]])
        #expect(RoutePath(shape: [], stops: [stops[0], nil]) == nil)
    }

    @Test func longShapeIsThinnedOutBetweenItsEnds() throws {
        let shape = try points(50_001)
        let path = try #require(RoutePath(shape: shape, stops: []))
        #expect(path.points.count == RoutePath.maximumPoints)
        #expect(path.points.first == shape.first && path.points.last == shape.last)
        let steps = zip(path.points, path.points.dropFirst()).map { $1.latitude - $0.latitude }
        #expect(steps.allSatisfy { (0.000_019...0.000_031).contains($0) })
    }
}
