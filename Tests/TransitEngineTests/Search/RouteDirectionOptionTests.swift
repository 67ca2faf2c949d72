import Testing
import TransitEngine
import TransitModel

/// Tests the choice of a route and direction by number.
struct RouteDirectionOptionTests {
    private static func route(_ id: String, _ agency: Int, _ name: String) -> Route {
        Route(id: RouteID(id), agency: AgencyIndex(agency), shortName: name, type: 3)
    }

    private static let routes = [
        route("CTB/1", 1, "1"), route("CTB/101", 1, "101"), route("KMB/1", 0, "1"), route("KMB/101", 0, "101"),
        route("KMB/10", 0, "10"), route("CTB/90", 1, "90"), route("CTB/90C", 1, "90C"),
    ]

    private static func groups(_ found: [Int]) -> [String] {
        let list = found.map { routes[$0] }
        return RouteGroup.groups(of: list.map { ($0.displayName, "company \($0.agency.rawValue)") }).map { group in
            let agencies = group.agencies.map { $0.members.map { list[$0].id.rawValue }.joined(separator: " ") }
            return "\(group.name): " + agencies.joined(separator: ", ")
        }
    }

    @Test("Routes with the same number are grouped, whichever agency operates them")
    func routesAreGroupedByNumber() {
        let search = RouteSearch(routes: Self.routes)
        let found = search.matches("1", count: 20).map(\.route.position)
        #expect(Self.groups(found) == ["1: CTB/1, KMB/1", "10: KMB/10", "101: CTB/101, KMB/101"])
    }

    @Test("Groups keep the order of their first routes")
    func groupsKeepOrderOfRoutes() {
        #expect(Self.groups([3, 0, 1, 4]) == ["101: KMB/101, CTB/101", "1: CTB/1", "10: KMB/10"])
        #expect(Self.groups([]) == [])
        let night = RouteGroup.groups(of: [("N 9", nil), ("n-9", "A"), ("N 9", nil)])
        #expect(night.map(\.name) == ["N 9"])
        #expect(night[0].agencies.map(\.members) == [[0, 2], [1]])
    }

    @Test("A keypad leads to a route whose number starts like that of a route without stops")
    func keypadIgnoresRoutesWithoutStops() {
        let routes = Self.routes + [Self.route("CTB/9C", 1, "9C")]
        let search = RouteSearch(routes: routes) { routes[$0.position].id != "CTB/9C" }
        #expect(search.matches("9", count: 20).count == 2)
        #expect(search.nextCharacters("9") == .init(characters: ["0"], isComplete: false))
        #expect(search.nextCharacters("90") == .init(characters: ["C"], isComplete: true))
        #expect(search.nextCharacters("1") == .init(characters: ["0"], isComplete: true))
    }

    private static func variant(
        _ trip: String, _ direction: Direction?, _ headsign: String?, trips: Int = 1, stops: Int = 20
    ) -> RouteDirectionPattern {
        RouteDirectionPattern(
            direction: direction, headsign: headsign, trip: TripID(trip), tripCount: trips, stopCount: stops)
    }

    @Test("Each direction is listed once and named after its usual variant")
    func directionIsNamedAfterUsualVariant() {
        let choices = RouteDirectionChoice.choices([
            Self.variant("KMB/40/I/1", .one, "TSUEN WAN"), Self.variant("KMB/40/O/2", .zero, "KWUN TONG", stops: 30),
            Self.variant("KMB/40/O/1", .zero, "LAGUNA CITY"), Self.variant("KMB/40/O/10", .zero, "ELSEWHERE"),
        ])
        #expect(choices.map(\.headsign) == ["LAGUNA CITY", "TSUEN WAN"])
        #expect(choices[0].variants.map(\.trip) == ["KMB/40/O/1", "KMB/40/O/2", "KMB/40/O/10"])
    }

    @Test("The usual variant of a timetable is the one with the most trips")
    func usualVariantHasMostTrips() {
        let choices = RouteDirectionChoice.choices([
            Self.variant("a", .zero, "Depot", trips: 2), Self.variant("b", .zero, "Airport", trips: 90),
            Self.variant("c", .zero, nil, trips: 100),
        ])
        #expect(choices.map(\.headsign) == ["Airport"])
        #expect(choices[0].variants.map(\.trip) == ["c", "b", "a"])
    }

    @Test("A route with one direction has a single choice, and a route without stops has none")
    func singleDirectionIsOneChoice() {
        let choices = RouteDirectionChoice.choices([
            Self.variant("CTB/A28X/O/1", .zero, "Airport"), Self.variant("CTB/A28X/I/1", .one, "Town", stops: 0),
        ])
        #expect(choices.count == 1)
        #expect(RouteDirectionChoice.choices([Self.variant("x", .zero, nil, stops: 1)]).isEmpty)
        #expect(RouteDirectionChoice.choices([]).isEmpty)
    }
}
