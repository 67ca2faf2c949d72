import Testing
import TransitControl
import TransitModel
import TransitStore
import TransitTestSupport
import TransitTestTraits
import TransitWire

@testable import TransitDaemon

/// Tests of `favorite.*` and of stops filtered by route.
@Suite(.ownThreads) struct FavoriteHandlerTests {
    static func daemon(_ change: (inout Configuration) -> Void = { _ in }) async throws -> TestDaemon {
        try await TestDaemon.imported(["city": .small], change)
    }

    private static func names(_ daemon: TestDaemon, uid: UInt32 = 1000) throws -> [String] {
        try daemon.ask(FavoriteListParameters(), uid: uid).favorites.map { "\($0.number) \($0.name)" }
    }

    // // MARK: Adding and changing

    @Test func favoriteIsNamedAfterItsStopAndRoute() async throws {
        let daemon = try await Self.daemon()
        let stop = try daemon.ask(FavoriteAddParameters(stop: "Market Square")).favorite
        #expect(stop.kind == .stop)
        #expect(stop.stop == StopReference(id: "market", name: "Market Square"))
        #expect(try daemon.ask(FavoriteAddParameters(route: "24")).favorite.route?.id == "bus24")
        #expect(try daemon.ask(FavoriteAddParameters(stop: "101", route: "24")).favorite.kind == .routeAtStop)
        #expect(try Self.names(daemon) == ["1 Market Square", "2 Route 24", "3 Route 24 at Market Square"])
        #expect(try Self.names(daemon, uid: 2).isEmpty)
    }

    @Test func duplicateFavoriteIsRefused() async throws {
        let daemon = try await Self.daemon()
        _ = try daemon.ask(FavoriteAddParameters(stop: "market", name: "school"))
        #expect(daemon.error(of: FavoriteAddParameters(stop: "101"))?.kind == .favoriteExists)
        #expect(daemon.error(of: FavoriteAddParameters(stop: "harbor", name: "school"))?.kind == .favoriteExists)
        // A number is added to a default name that is already taken.
        _ = try daemon.ask(FavoriteAddParameters(route: "24", name: "City Park"))
        #expect(try daemon.ask(FavoriteAddParameters(stop: "park")).favorite.name == "City Park 2")
    }

    @Test(arguments: [
        (FavoriteAddParameters(), ErrorKind.invalidParameters),
        (FavoriteAddParameters(stop: "nowhere"), .stopNotFound),
        (FavoriteAddParameters(stop: "park", route: "24"), .routeNotFound),
        (FavoriteAddParameters(stop: "park", name: " "), .invalidParameters),
        (FavoriteAddParameters(stop: "park", category: "\u{7}"), .invalidParameters),
    ])
    func invalidFavoriteIsRefused(_ call: FavoriteAddParameters, _ kind: ErrorKind) async throws {
        let daemon = try await Self.daemon()
        #expect(daemon.error(of: call)?.kind == kind)
        #expect(try Self.names(daemon).isEmpty)
    }

    @Test func favoritesAreOrderedByCallerAndGroupedByCategory() async throws {
        let daemon = try await Self.daemon()
        for (stop, category) in [("harbor", "morning"), ("market", "evening"), ("park", "morning")] {
            _ = try daemon.ask(FavoriteAddParameters(stop: stop, category: category))
        }
        #expect(try Self.names(daemon) == ["1 Harbor", "2 City Park", "3 Market Square"])
        let order = try daemon.ask(FavoriteOrderParameters(favorites: ["Market Square", "#2"]))
        #expect(order.favorites.map(\.name) == ["Market Square", "City Park", "Harbor"])
        #expect(daemon.error(of: FavoriteOrderParameters(favorites: ["7"]))?.kind == .favoriteNotFound)
        #expect(try daemon.ask(FavoriteCategoryParameters(favorite: "1")).favorite.category == nil)
        #expect(try daemon.ask(FavoriteRenameParameters(favorite: "1", name: "shop")).favorite.name == "shop")
        #expect(daemon.error(of: FavoriteRenameParameters(favorite: "shop", name: "Harbor"))?.kind == .favoriteExists)
        #expect(try daemon.ask(FavoriteRemoveParameters(favorite: "harbor")).favorite.name == "Harbor")
        #expect(try Self.names(daemon) == ["1 shop", "2 City Park"])
    }

    // MARK: Departures

    @Test func favoriteShowListsNextDepartures() async throws {
        let daemon = try await Self.daemon()
        _ = try daemon.ask(FavoriteAddParameters(stop: "Central Station"))
        _ = try daemon.ask(FavoriteAddParameters(stop: "market", route: "24"))
        let boards = try daemon.ask(FavoriteShowParameters(count: 2)).boards
        #expect(
            boards.map { $0.departures.map(\.line) } == [
                ["T1 08:30 central:2", "T1 10:00 central:2"], ["24 08:09 market", "24 08:29 market"],
            ])
        #expect(try daemon.ask(FavoriteShowParameters(favorite: "2")).boards.map(\.favorite.number) == [2])
        #expect(daemon.error(of: FavoriteShowParameters(favorite: "x"))?.kind == .favoriteNotFound)
    }

    @Test func favoriteShowFiltersByCategory() async throws {
        let daemon = try await Self.daemon()
        _ = try daemon.ask(FavoriteAddParameters(stop: "harbor", category: "Work"))
        _ = try daemon.ask(FavoriteAddParameters(stop: "park"))
        #expect(try daemon.ask(FavoriteShowParameters(category: "work")).boards.map(\.favorite.name) == ["Harbor"])
        let error = try #require(daemon.error(of: FavoriteShowParameters(category: "fun")))
        #expect(error.hint == "Your categories are Work.")
    }

    @Test func routeIsBoardedNearStartOfCommute() async throws {
        let daemon = try await Self.daemon()
        _ = try daemon.ask(FavoriteAddParameters(route: "24"))
        let unknown = try daemon.ask(FavoriteShowParameters()).boards[0]
        #expect(unknown.departures.isEmpty)
        #expect(unknown.emptyReason?.hasPrefix("Set home") == true)
        _ = try daemon.ask(PlaceSetParameters(place: "home", position: Position(lat: 53.5449, lon: 9.9899)))
        let board = try daemon.ask(FavoriteShowParameters(count: 1)).boards[0]
        #expect(board.boardingStops.map(\.id) == ["market"])
        #expect(board.departures.map(\.line) == ["24 08:09 market"])
        // In the evening, the commute starts at work, at the last stop of the route.
        _ = try daemon.ask(PlaceSetParameters(place: "work", position: Position(lat: 53.5531, lon: 10.0061)))
        let evening = try daemon.ask(FavoriteShowParameters(at: "18:00", count: 1)).boards[0]
        #expect(evening.boardingStops.map(\.id) == ["market"])
        _ = try daemon.ask(PlaceSetParameters(place: "home", position: Position(lat: 48, lon: 9)))
        _ = try daemon.ask(PlaceRemoveParameters(place: "work"))
        let far = try daemon.ask(FavoriteShowParameters()).boards[0]
        #expect(far.emptyReason == "It does not stop within 3.0 km of home.")
    }

    @Test func missingStopAffectsOnlyItsFavorite() async throws {
        let daemon = try await Self.daemon()
        for stop in ["park", "harbor"] { _ = try daemon.ask(FavoriteAddParameters(stop: stop)) }
        try daemon.daemon.state.addFavorite(
            .init(name: "gone", feed: "city", target: .stop("x", bothSides: false)), of: 1000)
        try daemon.daemon.state.addFavorite(.init(name: "else", feed: "other", target: .route("y")), of: 1000)
        let boards = try daemon.ask(FavoriteShowParameters(count: 1)).boards
        #expect(boards.map { $0.emptyReason != nil } == [true, false, true, true])
        #expect(boards[2].emptyReason == "The timetable of city has no stop \"x\".")
        #expect(boards[3].favorite.problem == "There is no feed \"other\".")
    }

    // MARK: Stops by route

    @Test func routeFiltersStops() async throws {
        let daemon = try await Self.daemon()
        let center = Position(lat: 53.5530, lon: 10.0060)
        let all = try daemon.ask(StopsNearParameters(position: center, radius: 20_000))
        let tram = try daemon.ask(StopsNearParameters(position: center, radius: 20_000, route: "T1"))
        #expect(all.stops.count == 4)
        #expect(tram.stops.map(\.stop.id) == ["central:2", "park"])
        #expect(
            try daemon.ask(StopsSearchParameters(text: "central", route: "T1")).stops.map(\.stop.id)
                == ["central", "central:2"])
        #expect(daemon.error(of: StopsSearchParameters(text: "c", route: "9"))?.kind == .routeNotFound)
    }

    @Test func favoriteRouteFiltersStops() async throws {
        let daemon = try await Self.daemon()
        _ = try daemon.ask(FavoriteAddParameters(route: "24", name: "bus"))
        _ = try daemon.ask(FavoriteAddParameters(stop: "park"))
        let found = try daemon.ask(
            StopsNearParameters(position: Position(lat: 53.56, lon: 10.02), radius: 20_000, favorite: "bus"))
        #expect(found.stops.map(\.stop.id) == ["central:1", "market", "harbor"])
        #expect(
            daemon.error(of: StopsSearchParameters(text: "c", favorite: "City Park"))?.kind == .invalidParameters)
    }

    @Test func radiusIsWidenedOnlyWithoutNearbyStops() async throws {
        let daemon = try await Self.daemon()
        let near = try daemon.ask(StopsNearParameters(position: Position(lat: 53.5400, lon: 9.9800), count: 1))
        #expect(near.radius == 1000)
        #expect(near.stops.map(\.stop.id) == ["harbor"])
        #expect(near.total == 2)
        // The position is two kilometers west of the harbor.
        let wide = try daemon.ask(StopsNearParameters(position: Position(lat: 53.5400, lon: 9.9500)))
        #expect(wide.radius == 3000)
        #expect(wide.stops.map(\.stop.id).first == "harbor")
        let fixed = try daemon.ask(StopsNearParameters(position: Position(lat: 53.5400, lon: 9.9500), radius: 1000))
        #expect(fixed.stops.isEmpty)
        #expect(fixed.radius == 1000)
    }
}
