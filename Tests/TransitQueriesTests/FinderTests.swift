import Testing
import TransitModel
import TransitStore
import TransitTestSupport

@testable import TransitQueries

/// Checks what a caller's words refer to.
@Suite struct FinderTests {
    private func find(_ text: String, in fixture: QueryFixture) throws -> FoundStop {
        try StopFinder(fixture.context.timetables(of: nil, naming: text), fixture.context).find(text)
    }

    /// Returns the error of a query; `nil` if it has none.
    private func error(_ body: () throws -> Void) -> QueryError? {
        do { try body() } catch { return error as? QueryError }
        return nil
    }

    @Test(arguments: [
        ("city:harbor", "harbor"), ("harbor", "harbor"), ("HARBOR", "harbor"), ("104", "park"), ("Central", "central"),
        ("Central Station, platform 2", "central:2"), ("Harbor (city:harbor)", "harbor"), ("market", "market"),
    ])
    func uniqueTextNamesStop(text: String, stop: String) throws {
        #expect(try find(text, in: QueryFixture()).stop.id.rawValue == stop)
    }

    @Test func departuresOfOneTimeAreListedInTheSameOrder() throws {
        let trips = (1...8).map { "bus24,weekday,x\($0),Central Station,0\n" }.joined()
        let times = (1...8).map {
            "x\($0),09:30:00,09:30:00,harbor,1\nx\($0),09:50:00,09:50:00,central:2,2\n"
        }.joined()
        let fixture = try QueryFixture(
            FeedBuilder.small.adding(trips, to: "trips.txt").adding(times, to: "stop_times.txt"))
        guard
            case .departureAmbiguous(_, let found)? = error({
                _ = try DepartureTextFinder(fixture.context).find("09:30 from Harbor")
            })
        else { throw Failure() }
        #expect(try found.map { try $0.identifier.trip.rawValue } == (1...8).map { "x\($0)" })
    }

    private struct Failure: Error {}

    @Test func platformsOfOneNameAreOneStop() throws {
        let fixture = try QueryFixture(.withOppositePlatform())
        let found = try find("Market Square", in: fixture)
        #expect(try found.references().map(\.description) == ["city:market", "city:market:b"])
        #expect(try found.callingStops().count == 2)
        // An identifier names a single platform.
        #expect(try find("market:b", in: fixture).namesakes.isEmpty)
    }

    /// Four platforms of one name in a row, of which only neighbors are within 300 m.
    @Test func nearbyStopsAreThoseThatNameFinds() throws {
        let rows = (0..<4).map { "row\($0),,Long Street,\(53.6 + Double($0) * 0.0022),9.99,0,,\n" }.joined()
        let fixture = try QueryFixture(FeedBuilder.small.adding(rows, to: "stops.txt"))
        guard case .stopAmbiguous(_, let named) = error({ _ = try find("Long Street", in: fixture) }) else {
            Issue.record("The text is not ambiguous.")
            return
        }
        let stops = Set(try named.map { Set(try $0.references().map(\.description)) })
        #expect(stops == [["city:row0", "city:row1"], ["city:row2", "city:row3"]])
        let context = fixture.context
        let near = try NearbyStops(context.timetables(of: nil), context)
        for latitude in [53.6, 53.6022, 53.603, 53.6044, 53.6066] {
            let center = try #require(Coordinate(latitude: latitude, longitude: 9.99))
            let found = try near.found(around: center, within: 1000)
            let groups = try found.map { one in
                Set(try ([one.stop] + one.namesakes).map { "city:\(try one.timetable.file.stop($0).id)" })
            }
            #expect(groups.count == 2 && Set(groups) == stops, "\(latitude)")
            // A part of the stop is listed with all of it.
            let nearest = try near.found(around: center, within: 150)
            #expect(
                try nearest.allSatisfy { one in
                    stops.contains(
                        Set(try ([one.stop] + one.namesakes).map { "city:\(try one.timetable.file.stop($0).id)" }))
                }, "\(latitude)")
        }
    }

    @Test func namesakesFarApartAreAmbiguous() throws {
        let fixture = try QueryFixture(.withOppositePlatform(latitude: "53.5500"))
        guard case .stopAmbiguous(let text, let stops) = error({ _ = try find("Market Square", in: fixture) }) else {
            Issue.record("The text is not ambiguous.")
            return
        }
        #expect(text == "Market Square")
        #expect(stops.map { "\($0.reference)" } == ["city:market", "city:market:b"])
    }

    @Test func unknownTextSuggestsSimilarStops() throws {
        let fixture = try QueryFixture()
        guard case .stopNotFound(_, let similar, _) = error({ _ = try find("mark", in: fixture) }) else {
            Issue.record("The text names a stop.")
            return
        }
        #expect(similar.map(\.stop.name) == ["Market Square"])
        guard case .stopNotFound(_, let corrected, _) = error({ _ = try find("harbxr", in: fixture) }) else {
            Issue.record("The text names a stop.")
            return
        }
        #expect(corrected.map(\.stop.id) == ["harbor"])
    }

    @Test func stationIsSuggestedWithoutItsPlatforms() throws {
        let fixture = try QueryFixture()
        guard case .stopNotFound(_, let similar, _) = error({ _ = try find("centrl", in: fixture) }) else {
            Issue.record("The text names a stop.")
            return
        }
        #expect(similar.map { "\($0.reference)" } == ["city:central"])
    }

    @Test func placeAtAStopNamesTheStop() throws {
        let fixture = try QueryFixture()
        fixture.personal.places["home"] = PlaceConfiguration(
            location: .stop(QualifiedStop(feed: "city", stop: "harbor")))
        #expect(try find("home", in: fixture).stop.id == "harbor")
        let market = try #require(Coordinate(latitude: 53.5455, longitude: 9.9905))
        fixture.personal.places["shop"] = PlaceConfiguration(location: .coordinate(market))
        fixture.settings.walkingRadius = 300
        #expect(try find("Shop", in: fixture).stop.id == "market")
        fixture.settings.walkingRadius = 2000
        guard case .stopAmbiguous("shop", let near) = error({ _ = try find("shop", in: fixture) }) else {
            Issue.record("Only one stop is near the place.")
            return
        }
        #expect(near.first?.stop.id == "market" && near.count > 1)
    }

    @Test func stopInBothFeedsOfAgencyIsFoundOnce() throws {
        let fixture = try QueryFixture([("city", .small, nil), ("town", .small, "city")])
        #expect(try find("Harbor", in: fixture).timetable.feed == "city")
        let apart = try QueryFixture([("city", .small, nil), ("town", .small, nil)])
        guard case .stopAmbiguous(_, let stops) = error({ _ = try find("Harbor", in: apart) }) else {
            Issue.record("The text is not ambiguous.")
            return
        }
        #expect(stops.map(\.timetable.feed) == ["city", "town"])
    }

    @Test func routeIsFoundByIdentifierOrName() throws {
        let finder = try RouteFinder(QueryFixture().context.timetables(of: nil))
        #expect(try finder.find("24").route.id == "bus24")
        #expect(try finder.find("city:tram1").route.id == "tram1")
        guard case .routeNotFound("9", let similar) = error({ _ = try finder.find("9") }) else {
            Issue.record("The text names a route.")
            return
        }
        #expect(similar.isEmpty)
    }

    @Test func missingDataIsDifferentFromUnknownStop() throws {
        let context = QueryContext(now: Instant(secondsSince1970: 0), feeds: [FeedView(id: "city", timetable: nil)])
        guard case .noData(let feeds) = error({ _ = try context.timetables(of: nil) }) else {
            Issue.record("A timetable was found.")
            return
        }
        #expect(feeds.map(\.id) == ["city"])
        guard case .feedNotFound("town", known: ["city"]) = error({ _ = try context.timetables(of: "town") }) else {
            Issue.record("The feed was found.")
            return
        }
    }

    @Test func nameTakesPrecedenceOverNumber() throws {
        let list = FavoriteList([
            SavedFavorite(name: "a", feed: "city", target: .route("x")),
            SavedFavorite(name: "1", feed: "city", target: .route("y")),
        ])
        #expect(try list.entry("1").number == 2)
        #expect(try list.entry("#1").number == 1)
        #expect(try list.entry("A").number == 1)
    }
}

struct RequestedPositionTests {
    @Test(arguments: [
        ("53.54,9.98", 53.54, String?.none), ("53.54,9.98 Quay 1, Harbor", 53.54, "Quay 1, Harbor"), ("-1,2 ", -1, nil),
    ])
    func positionMayHaveAName(text: String, latitude: Double, name: String?) {
        let position = RequestedPosition(text)
        #expect(position?.coordinate.latitude == latitude)
        #expect(position?.name == name)
    }

    @Test(arguments: ["", "Quay 1", "53.54", "53.54, 9.98", "53.54,9.98Quay", "91,0 Pole", "1,2,3"])
    func otherTextsAreNoPositions(text: String) { #expect(RequestedPosition(text) == nil) }
}
