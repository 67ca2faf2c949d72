import Foundation
import Testing
import TransitModel
import TransitWire

@testable import TransitNotifications

/// Reads a state that the version before rules had memories of their own saved, with every member set (`SavedState.json`).
struct SavedStateTests {
    private func saved() throws -> String {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("SavedState.json")
        return try String(contentsOf: file, encoding: .utf8)
    }

    private func key(_ scheduled: Int, direction: Direction? = .zero) -> DepartureKey {
        DepartureKey(
            feed: "city", route: "5", direction: direction, stop: "S", scheduled: Scene.minute(scheduled),
            serviceDate: Scene.date)
    }

    private func evidence(_ minute: Int, _ count: Int) -> DepartureState.Evidence {
        DepartureState.Evidence(measured: Scene.minute(minute), count: count)
    }

    /// The departure with everything set.
    private var full: DepartureState {
        var state = DepartureState(key(72), kind: .pinned, name: "08:12 Tram 5")
        state.phase = .changed
        state.shown = .init(
            expected: Scene.minute(77), delay: 300, platform: "2", status: .skipped, isMissing: true)
        state.leave = .init(basis: Scene.minute(77), lowerBound: Scene.minute(75), isRepeated: true)
        state.advice = .init(
            leaveBy: Scene.minute(60), basis: Scene.minute(77), lowerBound: Scene.minute(75), hasSound: true)
        (state.isLeaveMissed, state.isPassedUp, state.isGivenUp) = (true, true, true)
        (state.isSilent, state.isCounted) = (true, true)
        state.missingSince = Scene.minute(51)
        state.compared = Scene.minute(56)
        state.replacement = key(82)
        state.withheld = [.delay, .leave, .last]
        (state.time, state.arrival) = (Scene.minute(77), Scene.minute(95))
        state[DelayRule.self] = .init(hasReportedDelay: true, late: evidence(52, 1))
        state[BackToNormalRule.self] = .init(normal: evidence(53, 2))
        state[EarlyRule.self] = .init(hasReportedEarly: true, early: evidence(54, 1))
        state[ReinstatementRule.self] = .init(running: evidence(55, 2))
        state[NotReportedRule.self] = .init(hasNotified: true)
        state[LastDepartureRule.self] = .init(hasNotified: true)
        state[GetoffRule.self] = .init(hasNotified: true)
        state[ContradictionRule.self] = .init(
            report: .init(
                isRunning: true, since: Scene.minute(50), wasCanceled: true,
                reversals: [Scene.minute(45), Scene.minute(50)]), stage: .shown)
        return state
    }

    @Test func departuresOfTheFormerVersionAreRead() throws {
        let state = try #require(NotificationState(json: saved()))
        let plain = DepartureState(key(82, direction: nil), kind: .commute, name: "home-to-work")
        #expect(state.runs[key(72)] == full)
        #expect(state.runs[plain.departure] == plain)
        #expect(state.runs.count == 2)
        #expect(state.finished == [key(20), key(30)])
    }

    @Test func ledgerOfTheFormerVersionIsRead() throws {
        let state = try #require(NotificationState(json: saved()))
        #expect(
            state.windows == [
                "commute/home-to-work": .init(
                    start: Scene.minute(0), end: Scene.minute(120), announced: 1, hasOwnDeparture: true,
                    isNextSounding: true, isDone: true)
            ])
        #expect(
            state.bubbles == [
                full.notificationKey: .init(
                    revision: 3, validUntil: Scene.minute(80), isShown: true,
                    content: .init(rule: .delay, title: "Tram 5 at 08:12 is 5 min late", body: "Expected at 08:17.")),
                "alert-1": .init(revision: 1, validUntil: Scene.minute(10), isShown: false),
            ])
        #expect(state.buckets == [.general: Scene.minute(61), .departures: Scene.minute(62)])
        #expect(state.digest.map(\.key) == ["alert-2", "machine-1"])
        #expect(state.digest[0].item.url == "https://example.org/1")
        #expect(state.digest.map(\.date) == [Scene.date, nil])
        #expect(state.digest.map(\.validUntil) == [Scene.minute(600), Scene.minute(601)])
        #expect(state.digestedThrough == Scene.minute(-60))
        #expect(
            state.mutes
                == .init(
                    all: Scene.minute(300), rules: [.platform: NotificationLedger.always, .badge: Scene.minute(400)]))
        #expect(state.suppressed.map(\.rule) == [.unseen] && state.suppressedCount == 17)
        #expect(state.suppressed.map(\.reason) == ["Quiet hours last until 07:00."])
        #expect(
            state.trips == [
                .init(departure: key(20), day: Scene.date, ledHome: true),
                .init(departure: nil, day: Scene.date.advanced(by: -1), ledHome: false),
            ])
        #expect(state.pinnedAway == Scene.date)
    }

    @Test func generalRulesOfTheFormerVersionAreRead() throws {
        let state = try #require(NotificationState(json: saved())).general
        let alerts = state[AlertRule.self]
        #expect(
            alerts.entries == [
                .init(
                    key: "alert-1", texts: ["t1", "t2"], references: ["r1", "r2"], feeds: ["city", "town"],
                    isOpen: true, missingSince: Scene.minute(7))
            ])
        #expect(alerts.known == ["k1", "k2"])
        #expect(
            state[TimetableRule.self].entries == [
                .init(
                    feed: "city", departure: "d", digest: "g", key: "timetable-1", clock: "08:12",
                    outcome: "does not run", alternative: "08:19 is nearest", place: "Bus 24 from Harbor",
                    subjectName: "08:12 Bus 24", isPinned: true,
                    dates: [Scene.date.advanced(by: 3), Scene.date.advanced(by: 10)], daysLater: 1, isLasting: true,
                    announced: Scene.minute(8), isReminded: true)
            ])
        #expect(state[TimetableRule.self].versions.mapValues(\.version) == ["city": 4, "town": 2])
        #expect(state[UnusualServiceRule.self].reported == Scene.date.advanced(by: 1))
        #expect(
            state[HealthRule.self].entries == [
                .init(key: "machine-1", step: 3, isOpen: true, ended: Scene.minute(9)),
                .init(key: "machine-2", step: JSONValue.largestInteger, isOpen: false, ended: nil),
            ])
        #expect(
            state[EventCrowdingRule.self].entries == [.init(event: "e1", isOpen: true, until: Scene.minute(90))])
        #expect(state[BadgeRule.self].reported == ["first_ride", "week_warrior"])
        #expect(state[StreakRule.self].last == Scene.date)
        #expect(state[BriefRule.self].last == Scene.date.advanced(by: -1))
    }

    @Test func stateIsTheSameAfterItIsSavedAgain() throws {
        let state = try #require(NotificationState(json: saved()))
        #expect(NotificationState(json: state.json) == state)
        #expect(NotificationState(json: state.json)?.json == state.json)
    }

    /// A later version can add a rule, or remove one.
    @Test func memoryOfAnUnknownRuleIsLeftOut() throws {
        let memories = try JSONValue(parsing: #"{"removed":{"hasNotified":true},"streak":{"last":"2026-03-25"}}"#)
            .decode(RuleMemories.self)
        #expect(JSONValue(encoding: memories).description == #"{"streak":{"last":"2026-03-25"}}"#)
    }
}
