import Testing
import TransitModel
import TransitStore
import TransitTestSupport

@testable import TransitQueries

@Suite struct StationsInUseTests {
    private static func place(_ latitude: Double, _ longitude: Double) throws -> PlaceConfiguration {
        PlaceConfiguration(
            location: .coordinate(try #require(Coordinate(latitude: latitude, longitude: longitude))))
    }

    /// Commutes come first, each position once; a place is represented by a station, or not at all.
    @Test func positionsAreThoseOfStations() throws {
        let fixture = try QueryFixture()
        fixture.personal.places = ["home": try Self.place(53.5411, 9.9790), "aunt": try Self.place(50, 8)]
        fixture.personal.commutes = [CommuteConfiguration(name: "trip", from: "home", to: "city:market")]
        fixture.personal.favorites = [
            SavedFavorite(name: "park", feed: "city", target: .stop("park", bothSides: false)),
            SavedFavorite(name: "line", feed: "city", target: .route("tram1")),
            SavedFavorite(name: "gone", feed: "city", target: .stop("gone", bothSides: false)),
        ]
        let stations = StationsInUse(fixture.context)
        #expect(stations.positions.map(\.latitude) == [53.545, 53.54, 53.56])
        #expect(
            stations.stations(of: fixture.personal.commutes[0]).map(\.name) == ["Market Square", "Harbor"])
        #expect(StationsInUse(try QueryFixture().context).positions.isEmpty)
    }

    @Test(
        arguments: [
            ("home", "home", 53.54), ("Market Square", "Market Square", 53.545), (nil, "Central Station", 53.553),
        ] as [(String?, String, Double)])
    func forecastLocation(_ text: String?, _ name: String, _ latitude: Double) throws {
        let fixture = try QueryFixture()
        fixture.personal.places = ["home": try Self.place(53.5411, 9.9790)]
        fixture.personal.commutes = [CommuteConfiguration(name: "trip", from: "home", to: "city:central")]
        fixture.personal.commuteInUse = "trip"
        let location = try ForecastLocation(text, language: nil, fixture.context)
        #expect(location.name == name)
        #expect(location.coordinate.latitude == latitude)
        #expect(location.zone.name == "Europe/Berlin")
    }
}
