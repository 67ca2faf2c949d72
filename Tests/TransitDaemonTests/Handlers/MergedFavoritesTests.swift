import Testing
import TransitControl
import TransitEngine
import TransitFeeds
import TransitModel
import TransitServer
import TransitTestSupport
import TransitTestTraits

@testable import TransitDaemon

/// Tests of favorite boards and arrivals merged from the two feeds in ``FeedPairTests``.
@Suite(.ownThreads) struct MergedFavoritesTests {
    private let pair: FeedPairTests
    private var daemon: TestDaemon { pair.daemon }
    init() async throws { pair = try await FeedPairTests() }

    // MARK: Favorites

    @Test func favoriteBoardMergesBothFeeds() throws {
        for (stop, route) in [("Harbor", nil), ("town:1", "24"), (nil, "24"), ("city:harbor", "24")]
            as [(String?, String?)]
        {
            _ = try daemon.ask(FavoriteAddParameters(stop: stop, route: route))
        }
        pair.tell([try pair.vehicle("x", [("1", "08:01:00"), ("2", "08:10:00"), ("3", "08:21:00")])], of: "town")
        let answer = try daemon.ask(FavoriteShowParameters(count: 2))
        #expect(answer.boards.count == 4)
        for board in answer.boards {
            #expect(
                board.departures.map(\.line) == ["24 08:00 harbor", "24 08:20 harbor"], "\(board.favorite.name)")
            #expect(board.departures.first?.confirmedBy?.feed == "town")
            #expect(board.departures.first?.delay == 60)
        }
        #expect(answer.notices.isEmpty)
    }

    @Test func departureOfOtherFeedIsOnBoard() throws {
        _ = try daemon.ask(FavoriteAddParameters(stop: "Harbor"))
        _ = try daemon.ask(FavoriteAddParameters(route: "24"))
        pair.tell(
            [
                try pair.vehicle("n", route: "8", [("1", "07:45:00"), ("4", "07:54:00")]),
                // The departure is ten minutes away from any scheduled time, so it belongs to a trip that is not in the
                // timetable. The town's feed numbers directions differently.
                try pair.vehicle("y", [("1", "07:40:00"), ("3", "07:59:00")]),
            ], of: "town")
        let boards = try daemon.ask(FavoriteShowParameters(count: 2)).boards
        #expect(boards[0].departures.map(\.trip) == ["y", "n"])
        #expect(boards[1].departures.map(\.trip) == ["y", "b1"])
    }

    // MARK: Arrivals

    @Test func arrivalsOfOtherFeedAreQueried() async throws {
        let daemon = try TestDaemon(
            feeds: ["city": .small, "town": .town],
            {
                BoardHandlerTests.withPlaces(&$0)
                $0.feeds[1].supplements = "city"
            }, arrivals: { $0.id == "town" ? TestArrivalsSource(base: "http://127.0.0.1:1") : nil })
        for feed in ["city", "town"] as [FeedID] { _ = try await daemon.update(feed, force: true) }
        _ = try daemon.ask(FavoriteAddParameters(stop: "city:harbor"))
        let context = daemon.daemon.contexts.context(from: daemon.caller(1000))
        func needs(_ request: ControlRequest) throws -> [String] {
            var request = request
            return try (request.resolve(context)?.requirements(context) ?? []).map {
                "\($0.feed) \($0.queries.map(\.description).joined(separator: " "))"
            }
        }
        #expect(try needs(daemon.made(DeparturesParameters(stop: "city:harbor"))) == ["town 1/7 1/8"])
        #expect(try needs(daemon.made(DeparturesParameters(stop: "city:harbor", route: "24"))) == ["town 1/7"])
        #expect(try needs(daemon.made(DeparturesParameters(stop: "city:park"))).isEmpty)
        #expect(try needs(daemon.made(FavoriteShowParameters())) == ["town 1/7 1/8"])
        #expect(try needs(daemon.made(NextParameters())) == ["town 1/7 1/8"])
        // The timetable's departures are shown in the meantime, with a notice about the fetch.
        let call = DeparturesParameters(stop: "city:harbor", count: 1)
        #expect(daemon.waits(daemon.made(call)))
        let board = try daemon.ask(call)
        #expect(board.departures.map(\.line) == ["24 08:00 harbor"])
        #expect(board.notices.contains { $0.feed == "town" && $0.kind == .fetching })
        #expect(try daemon.ask(FavoriteShowParameters()).notices.contains { $0.feed == "town" && $0.kind == .fetching })
    }
}
