import Testing
import TransitControl
import TransitModel
import TransitQueries
import TransitReplies
import TransitTestSupport

/// Lists of stops merged from two feeds of one agency: "town" supplements "city".
@Suite struct MergedStopsTests {
    private let fixture: QueryFixture
    private static let center = Position(lat: 53.5530, lon: 10.0060)

    init() throws { fixture = try QueryFixture([("city", .small, nil), ("town", .town, "city")]) }

    private func near(_ parameters: StopsNearParameters) throws -> StopsNearResult {
        try StopsNearHandler().reply(to: parameters, fixture.context)
    }

    private func found(_ parameters: StopsSearchParameters) throws -> StopsSearchResult {
        try StopsSearchHandler().reply(to: parameters, fixture.context)
    }

    private func shown(_ stop: String) throws -> StopsShowResult {
        let query = try StopQuery(stop, feed: nil, fixture.context)
        return try StopsShowReply(query, StopsShowParameters(stop: stop)) { _ in nil }.result(fixture.context)
    }

    @Test func sharedStopIsListedOnce() throws {
        let listed = try near(StopsNearParameters(position: Self.center, radius: 20_000))
        #expect(
            listed.stops.map { "\($0.stop.feed):\($0.stop.id)" }.sorted()
                == ["city:central", "city:harbor", "city:market", "city:park", "town:4"])
        #expect(listed.total == 5)
        let harbor = try #require(listed.stops.first { $0.stop.id == "harbor" })
        #expect((harbor.sameAs?.feed, harbor.sameAs?.id, harbor.routes) == ("town", "1", ["24", "N9"]))
        #expect(listed.stops.first { $0.stop.id == "park" }?.sameAs == nil)
        // With a feed filter, only the stops in that feed are listed.
        let town = try near(StopsNearParameters(position: Self.center, radius: 20_000, feed: "town"))
        #expect(town.stops.map(\.stop.id).sorted() == ["1", "2", "3", "4"])
        #expect(town.stops.allSatisfy { $0.sameAs == nil })
    }

    @Test func searchFindsSharedStopByEitherName() throws {
        func search(_ text: String, count: Int = 10) throws -> [String] {
            try found(StopsSearchParameters(text: text, count: count)).stops.map {
                "\($0.stop.feed):\($0.stop.id) \($0.sameAs?.id.rawValue ?? "-")"
            }
        }
        #expect(try search("harbor") == ["city:harbor 1"])
        #expect(try search("central") == ["city:central -", "city:central:1 3", "city:central:2 -"].sorted())
        #expect(try search("bridge") == ["town:4 -"])
        // The stop is requested by an identifier that is only in the other feed.
        #expect(try search("3").contains("city:central:1 3"))
        #expect(try found(StopsSearchParameters(text: "harbor", count: 1)).nextCursor == nil)
    }

    @Test func sharedStopShowsRoutesOfBothFeeds() throws {
        let harbor = try shown("Harbor")
        #expect((harbor.stop.feed, harbor.stop.id, harbor.sameAs?.id) == ("city", "harbor", "1"))
        #expect(harbor.routes.map(\.displayName) == ["24", "N9"])
        let station = try shown("city:central")
        #expect(station.sameAs == nil)
        #expect(station.routes.map(\.displayName).sorted() == ["24", "T1"])
        #expect(try shown("town:4").sameAs == nil)
    }

    @Test func sharedRouteIsOneRoute() throws {
        let shared = try near(StopsNearParameters(position: Self.center, radius: 20_000, route: "24"))
        #expect(shared.stops.map(\.stop.id).sorted() == ["central:1", "harbor", "market"])
        #expect(
            try RoutesShowHandler().reply(to: RoutesShowParameters(route: "24"), fixture.context).route.id == "bus24")
        #expect(try RoutesShowHandler().reply(to: RoutesShowParameters(route: "N9"), fixture.context).route.id == "8")
    }
}
