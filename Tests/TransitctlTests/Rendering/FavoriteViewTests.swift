import Testing
import TransitControl
import TransitModel

@testable import transitctl

@Suite struct FavoriteViewTests {
    private static let stop = FavoriteSummary(
        number: 1, name: "Mill Lane", category: "morning", kind: .stop, feed: "demo",
        stop: StopReference(id: "70211", name: "Mill Lane"))
    private static let route = FavoriteSummary(
        number: 2, name: "24", category: "morning", kind: .route, feed: "demo", route: Sample.bus)
    private static let both = FavoriteSummary(
        number: 3, name: "school run", kind: .routeAtStop, feed: "demo",
        stop: StopReference(id: "9", name: "Stadium"), route: Sample.tram,
        problem: "The timetable of demo has no stop \"9\".")

    @Test func listShowsNumbers() throws {
        let result = FavoriteListResult(
            at: try Sample.time("08:05"), favorites: [Self.stop, Self.route, Self.both])
        try expectSnapshot(paint(.favoriteList, result), "favorite-list")
        try expectThemes(.favoriteList, result, "favorite-list")
        try expectSnapshot(paint(.favoriteList, result, width: 40), "favorite-list-narrow")
        try expectSnapshot(PlainRows.text(View.favoriteList.rows(result)), "favorite-list-plain")
        #expect(
            paint(.favoriteList, FavoriteListResult(at: result.at, favorites: []))
                == "No favorites yet. To add one: transitctl favorite add STOP, or --route ROUTE\n")
    }

    @Test func showsBoardOfEachFavorite() throws {
        let at = try Sample.time("08:05")
        let result = FavoriteShowResult(
            at: at,
            boards: [
                FavoriteBoard(
                    favorite: Self.stop, at: at,
                    departures: [
                        try Sample.departure(Sample.bus, "08:12", delay: 120, source: .live),
                        try Sample.departure(Sample.tram, "08:20", status: .canceled, source: .live),
                    ]),
                FavoriteBoard(
                    favorite: Self.route, at: at, boardingStops: [StopReference(id: "1", name: "Mill Lane")],
                    departures: [try Sample.departure(Sample.bus, "08:12")]),
                FavoriteBoard(favorite: Self.both, at: at, emptyReason: Self.both.problem),
            ], notices: [try Sample.stale()])
        try expectSnapshot(paint(.favoriteShow, result), "favorite-show")
        try expectThemes(.favoriteShow, result, "favorite-show")
        try expectSnapshot(paint(.favoriteShow, result, width: 40), "favorite-show-narrow")
        try expectSnapshot(paint(.favoriteShow, result, color: true), "favorite-show-color")
        try expectSnapshot(PlainRows.text(View.favoriteShow.rows(result)), "favorite-show-plain")
    }

    @Test func changeIsShownAsSentence() throws {
        let result = FavoriteResult(at: try Sample.time("08:05"), favorite: Self.stop)
        #expect(paint(.favoriteAdd, result) == "Added Mill Lane as favorite 1.\n")
        #expect(paint(.favoriteChanged, result) == "Favorite 1 is now Mill Lane, in the category morning.\n")
        #expect(paint(.favoriteRemove, result) == "Removed Mill Lane from your favorites.\n")
    }

    @Test func showsTotalOfNearbyStops() throws {
        let result = StopsNearResult(
            at: try Sample.time("08:05"), center: Position(lat: 37, lon: -122), radius: 1000, stops: [Sample.near],
            total: 7)
        #expect(
            paint(.stopsNear(in: .metric), result).hasSuffix(
                "The nearest of 7 within 1.0 km. Use --all to list more.\n"))
    }
}
