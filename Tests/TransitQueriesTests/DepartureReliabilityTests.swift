import Testing
import TransitEngine
import TransitFeeds
import TransitTestSupport

@testable import TransitModel
@testable import TransitQueries

/// How far a departure can be relied on: one decision for boards, trips and notifications.
@Suite struct DepartureReliabilityTests {
    private let fixture: QueryFixture

    init() throws {
        fixture = try QueryFixture()
        try fixture.receive(
            [TripUpdate(id: "1", trip: TripDescriptor(tripID: "other"), updates: [], timestamp: fixture.now)],
            of: "city")
    }

    /// Bus 24 at 08:00, of which there is no realtime data.
    private func departure() throws -> MergedDeparture {
        try #require(try fixture.board("city:harbor").result(count: 1, fixture.context).departures.first)
    }

    /// Returns the reliability of the departure after a change, some seconds later.
    private func reliability(after seconds: Int = 0, _ change: (inout ExpectedCall) -> Void) throws
        -> DepartureReliability
    {
        var departure = try departure()
        change(&departure.call)
        fixture.now = fixture.now.advanced(by: seconds)
        return FeedConditions(departure.timetable, fixture.context).reliability(of: departure.call)
    }

    private struct Case: CustomTestStringConvertible {
        var testDescription: String
        var change: @Sendable (inout ExpectedCall) -> Void
        var state: CallRealtimeState
        var isCurrent: Bool

        init(
            _ name: String, _ state: CallRealtimeState, isCurrent: Bool,
            _ change: @escaping @Sendable (inout ExpectedCall) -> Void
        ) {
            (testDescription, self.state, self.isCurrent, self.change) = (name, state, isCurrent, change)
        }
    }

    private static let cases = [
        Case("no data", .notExpected, isCurrent: false) { _ in },
        Case("prediction", .fresh, isCurrent: true) { ($0.source, $0.age) = (.live, age(.fresh)) },
        Case("aging prediction", .aging, isCurrent: true) { ($0.source, $0.age) = (.live, age(.aging)) },
        Case("old prediction", .expired, isCurrent: false) { ($0.source, $0.age) = (.live, age(.stale)) },
        Case("last prediction", .expired, isCurrent: false) {
            ($0.source, $0.age, $0.isLastKnown) = (.live, age(.aging), true)
        },
        Case("reported without a time", .notExpected, isCurrent: true) { $0.age = age(.fresh) },
        Case("reported only by old data", .expired, isCurrent: false) { $0.isOutdatedInRealtime = true },
        Case("not reported", .missing, isCurrent: true) { $0.isMissingFromRealtime = true },
    ]

    private static func age(_ freshness: Freshness) -> DataAge { DataAge(seconds: 7, freshness: freshness) }

    @Test(arguments: cases)
    private func stateFollowsFromTheDataOfTheCall(_ one: Case) throws {
        let reliability = try reliability(one.change)
        #expect(reliability.realtimeState == one.state)
        #expect(reliability.isCurrent == one.isCurrent)
    }

    @Test func callThatASilentSourceDidNotReportIsNoNews() throws {
        let reliability = try reliability(after: 600) { $0.isMissingFromRealtime = true }
        #expect(reliability.realtimeState == .missing)
        #expect(!reliability.isCurrent)
    }

    @Test func nearDepartureOfASilentSourceIsExpired() throws {
        #expect(try reliability(after: 600) { _ in }.realtimeState == .expired)
    }

    @Test func expiredTimetableMakesAScheduledTimeUnreliable() throws {
        let year = 366 * 86_400
        #expect(try reliability { _ in }.confidence == .medium)
        #expect(try reliability(after: year) { _ in }.confidence == .low)
    }

    @Test func expiredTimetableDoesNotConcernAPrediction() throws {
        #expect(
            try reliability(after: 366 * 86_400) { ($0.source, $0.confidence) = (.live, .high) }.confidence == .high)
    }
}
