import Testing
import TransitControl
import TransitModel
import TransitTestSupport
import TransitTestTraits
import TransitWire

@testable import TransitDaemon

/// Tests of `within`, which limits a board to a time window. The clock starts on Friday, March 27, 2026, at 07:30 in
/// Berlin. Bus 24 leaves the harbor at 08:00, 08:20 and 23:50.
@Suite(.ownThreads) struct DepartureWindowTests {
    private func daemon() async throws -> TestDaemon {
        try await TestDaemon.imported(["city": .small], BoardHandlerTests.withPlaces)
    }

    @Test(
        arguments: [
            (1799, nil, []), (1800, nil, ["08:00"]), (3600, nil, ["08:00", "08:20"]), (3600, 1, ["08:00"]),
            (86_400, nil, ["08:00", "08:20", "23:50"]), (nil, 1, ["08:00"]),
        ] as [(Int?, Int?, [String])])
    func windowAndCountBothLimitBoard(within: Int?, count: Int?, times: [String]) async throws {
        let daemon = try await daemon()
        let board = try daemon.ask(DeparturesParameters(stop: "harbor", count: count, within: within))
        #expect(board.departures.map(\.scheduled?.clock) == times)
        let next = try daemon.ask(NextParameters(count: count, within: within))
        #expect(next.departures.map(\.scheduled?.clock) == times)
    }

    @Test func windowLimitsEachDirection() async throws {
        let board = try await daemon().ask(
            DeparturesParameters(stop: "harbor", within: 3600, countPerDirection: 5))
        #expect(board.departures.map(\.scheduled?.clock) == ["08:00", "08:20"])
    }

    @Test(
        arguments: [
            (60, nil, "No departures in the next minute; the next one is at 08:00."),
            (900, nil, "No departures in the next 15 minutes; the next one is at 08:00."),
            (90, nil, "No departures in the next 90 seconds; the next one is at 08:00."),
            (3600, "09:00", "No departures in the hour after 09:00; the next one is at 23:50."),
            (7200, "23:55", "No departures in the 2 hours after 23:55; the next one is at 09:00 on 2026-03-28."),
        ] as [(Int, String?, String)])
    func emptyWindowNamesNextDeparture(within: Int, at: String?, message: String) async throws {
        let daemon = try await daemon()
        let board = try daemon.ask(DeparturesParameters(stop: "harbor", at: at, within: within))
        #expect(board.departures.isEmpty)
        #expect(board.notices == [Notice(kind: .noService, feed: "city", message: message)])
        let next = try daemon.ask(NextParameters(commute: "home-to-work", at: at, within: within))
        #expect(next.departures.isEmpty)
        #expect(next.notices == [Notice(kind: .noService, feed: "city", message: message)])
    }

    @Test(
        arguments: [
            ("today", nil, ["08:00", "08:20", "23:50"]), ("2026-03-27", nil, ["08:00", "08:20", "23:50"]),
            ("today", 1, ["08:00"]), ("sat", nil, ["09:00"]),
        ] as [(String, Int?, [String])])
    func dayShowsItsDepartures(day: String, count: Int?, times: [String]) async throws {
        // The usual number of departures does not limit a day.
        let daemon = try await TestDaemon.imported(["city": .small]) { configuration in
            BoardHandlerTests.withPlaces(&configuration)
            configuration.queries.nextCount = 2
            configuration.queries.departuresCount = 2
        }
        let board = try daemon.ask(DeparturesParameters(stop: "harbor", at: day, count: count))
        #expect(board.departures.map(\.scheduled?.clock) == times)
        let next = try daemon.ask(NextParameters(commute: "home-to-work", at: day, count: count))
        #expect(next.departures.map(\.scheduled?.clock) == times)
    }

    @Test func emptyDayNamesNextDeparture() async throws {
        let daemon = try await daemon()
        daemon.clock.advance(by: 16 * 3600 + 1500)
        let board = try daemon.ask(DeparturesParameters(stop: "harbor", at: "today"))
        #expect(board.departures.isEmpty)
        #expect(
            board.notices.map(\.message) == ["No departures on 2026-03-27; the next one is at 09:00 on 2026-03-28."])
    }

    /// Without any departure, the reason is the same as without a window.
    @Test func emptyBoardKeepsItsReason() async throws {
        let daemon = try await daemon()
        let parameters = DeparturesParameters(stop: "park", within: 1800)
        #expect(try daemon.ask(parameters).notices.map(\.message) == ["Every trip that stops at City Park ends there."])
    }

    @Test(arguments: [0, 59, 604_801]) func windowOutOfRangeIsRejected(within: Int) async throws {
        let daemon = try await daemon()
        for request in [
            { try daemon.ask(DeparturesParameters(stop: "harbor", within: within)).notices },
            { try daemon.ask(NextParameters(within: within)).notices },
        ] {
            let error = #expect(throws: WireSchemaMismatch.self) { try request() }
            #expect(error?.path == ["within"] && error?.problem == "must be 60 to 604800, not \(within)")
        }
    }
}
