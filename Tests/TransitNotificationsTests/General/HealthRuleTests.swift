import Testing
import TransitModel
import TransitQueries
import TransitStore

@testable import TransitNotifications

/// Checks the conditions of the machine: each is shown once, with its end.
@Suite struct HealthRuleTests {
    private func evaluate(
        _ conditions: [HealthCondition], _ memory: inout HealthRule.Memory, at time: String
    ) -> [String] {
        HealthRule.decide(at: berlinTime(time), &memory) { $0.health = conditions }.map {
            "\($0.operation.rawValue) \($0.title)"
        }
    }

    private func expiring(_ days: Int) -> HealthCondition {
        .expiring("city", last: serviceDate("2026-04-03"), days: days)
    }

    @Test func expiryIsToldInThreeSteps() {
        var memory = HealthRule.Memory()
        let shown = (0...7).map { day in
            evaluate([expiring(7 - day)], &memory, at: "2026-03-\(27 + min(day, 4)) 12:00").first
        }
        #expect(
            shown == [
                "show The timetable of city ends in 7 days", nil, nil, nil,
                "show The timetable of city ends in 3 days", nil, "show The timetable of city ends tomorrow", nil,
            ])
        #expect(evaluate([], &memory, at: "2026-04-01 12:00") == ["withdraw The problem is solved"])
        #expect(evaluate([], &memory, at: "2026-04-01 12:01").isEmpty)
    }

    @Test(arguments: [
        (5, "show The timetable of city ends in 5 days"), (1, "show The timetable of city ends tomorrow"),
        (0, "show The timetable of city ends today"), (-3, "show The timetable of city has expired"),
    ])
    func firstRunTellsTheStep(days: Int, line: String) {
        var memory = HealthRule.Memory()
        #expect(evaluate([expiring(days)], &memory, at: "2026-03-29 12:00") == [line])
        #expect(evaluate([expiring(days)], &memory, at: "2026-03-29 12:01").isEmpty)
    }

    @Test func conditionThatReturnsSoonIsNotToldAgain() {
        var memory = HealthRule.Memory()
        let budget = HealthCondition.budgetExhausted(key: "transit", until: nil)
        #expect(evaluate([budget], &memory, at: "2026-03-27 12:00").count == 1)
        #expect(evaluate([], &memory, at: "2026-03-27 13:00").count == 1)
        #expect(evaluate([budget], &memory, at: "2026-03-27 14:00").isEmpty)
        #expect(evaluate([], &memory, at: "2026-03-27 15:00").isEmpty)
        #expect(evaluate([], &memory, at: "2026-03-28 15:00").isEmpty)
        #expect(evaluate([budget], &memory, at: "2026-03-28 15:01").count == 1)
    }

    @Test func eachConditionHasItsText() {
        var memory = HealthRule.Memory()
        let conditions: [HealthCondition] = [
            .keyRejected("city", since: berlinTime("2026-03-27 11:00")),
            .withoutRefresh("city", since: berlinTime("2026-03-19 11:00")),
            .budgetExhausted(key: "transit", until: berlinTime("2026-03-28 00:00")),
            .cacheRepaired(file: "state.sqlite", at: berlinTime("2026-03-27 11:00")),
        ]
        let decisions = HealthRule.decide(at: berlinTime("2026-03-27 12:00"), &memory) { $0.health = conditions }
        #expect(
            decisions.map(\.body) == [
                "Since 11:00. Set a new one with: transitctl key set city", "Its source last confirmed it 8 days ago.",
                "Realtime data is older than usual until 00:00.",
                "state.sqlite was damaged. It was restored or downloaded again.",
            ])
        #expect(decisions.map(\.subjectKind) == ["feed", "feed", "machine", "machine"])
        #expect(memory.restored == memory)
    }

    // MARK: Conditions of feeds

    private func conditions(
        _ fixture: GeneralRuleFixture, rejected: String? = nil
    ) throws -> [HealthCondition] {
        HealthCondition.all(
            try fixture.context().feeds, rejections: rejected.map { ["city": berlinTime($0)] } ?? [:],
            settings: .standard, now: fixture.now)
    }

    @Test func unconfirmedSourcesAndRejectedKeysAreConditions() throws {
        let fixture = try GeneralRuleFixture()
        fixture.now = berlinTime("2026-03-27 12:00")
        fixture.source.confirmed = berlinTime("2026-03-20 12:01")
        #expect(try conditions(fixture).isEmpty)
        fixture.source.confirmed = berlinTime("2026-03-20 12:00")
        #expect(try conditions(fixture) == [.withoutRefresh("city", since: berlinTime("2026-03-20 12:00"))])
        fixture.source.refreshInterval = 30 * 86_400
        #expect(try conditions(fixture).isEmpty)
        fixture.source.keyRejectedSince = berlinTime("2026-03-27 11:30")
        #expect(try conditions(fixture).isEmpty)
        #expect(try conditions(fixture, rejected: "2026-03-27 11:39").isEmpty)
        #expect(
            try conditions(fixture, rejected: "2026-03-27 11:40")
                == [.keyRejected("city", since: berlinTime("2026-03-27 11:30"))])
    }

    @Test(arguments: [
        ("2026-12-23 12:00", nil), ("2026-12-24 12:00", 7), ("2026-12-31 23:59", 0), ("2027-01-02 00:00", -2),
    ])
    func expiryOfTimetable(now: String, days: Int?) throws {
        let fixture = try GeneralRuleFixture()
        fixture.now = berlinTime(now)
        let expected = days.map { HealthCondition.expiring("city", last: serviceDate("2026-12-31"), days: $0) }
        #expect(try conditions(fixture) == (expected.map { [$0] } ?? []))
    }
}
