import Testing
import TransitControl
import TransitModel
import TransitTestSupport
import TransitTestTraits

@testable import TransitDaemon

/// Tests of the reasons why a board is empty. The timetable covers 2026; the clock starts on Friday, March 27, 2026, at
/// 07:30 in Berlin.
@Suite(.ownThreads) struct EmptyBoardReasonTests {
    private func daemon() async throws -> TestDaemon {
        try await TestDaemon.imported(["city": .small], BoardHandlerTests.withPlaces)
    }

    private static let term = "the timetable of city covers 2026-01-01 to 2026-12-31."

    @Test(arguments: [("2028-03-26 08:00", "2028-03-26"), ("2001-03-26 08:00", "2001-03-26")])
    func timeOutsideOfTimetableIsUnknown(at: String, date: String) async throws {
        let daemon = try await daemon()
        let next = try daemon.ask(NextParameters(at: at)).notices
        #expect(next.map(\.kind) == [.missing])
        #expect(
            next.first?.message
                == "No departures from home to work are known on \(date): \(Self.term)")
        let board = try daemon.ask(DeparturesParameters(stop: "harbor", at: at)).notices
        #expect(board.map(\.kind) == [.missing])
        #expect(board.first?.message == "No departures from Harbor are known on \(date): \(Self.term)")
        _ = try daemon.ask(FavoriteAddParameters(stop: "harbor"))
        let favorite = try daemon.ask(FavoriteShowParameters(at: at)).boards.first
        #expect(favorite?.emptyReason == board.first?.message)
    }

    @Test func dateOutsideOfTimetableIsUnknown() async throws {
        let daemon = try await daemon()
        let date = try #require(ServiceDate(year: 2029, month: 1, day: 1))
        let notice = "The service on 2029-01-01 is not known: \(Self.term)"
        #expect(try daemon.ask(RoutesShowParameters(route: "24", date: date)).notices.map(\.message) == [notice])
        #expect(try daemon.ask(TripShowParameters(trip: "b1", date: date)).notices.map(\.message) == [notice])
        #expect(try daemon.ask(RoutesShowParameters(route: "24")).notices.isEmpty)
    }

    @Test func noServiceNoticeEndsWithTimetable() async throws {
        let daemon = try await daemon()
        let notices = try daemon.ask(DeparturesParameters(stop: "harbor", at: "2026-12-31 23:55")).notices
        #expect(
            notices.map(\.message)
                == ["Nothing leaves from Harbor through 2026-12-31, the last day of the timetable."])
    }

    @Test func noticeNamesRequestedRoute() async throws {
        let daemon = try await daemon()
        let answer = try daemon.ask(DeparturesParameters(stop: "harbor", route: "T1"))
        #expect(answer.notices.map(\.message) == ["No trip of route T1 stops at Harbor."])
    }

    @Test func noticeSaysThatTripsEndHere() async throws {
        let notices = try await daemon().ask(DeparturesParameters(stop: "park")).notices
        #expect(notices.map(\.kind) == [.noService])
        #expect(notices.map(\.message) == ["Every trip that stops at City Park ends there."])
    }
}
