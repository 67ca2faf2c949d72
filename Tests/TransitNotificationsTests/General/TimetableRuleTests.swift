import Testing
import TransitModel

@testable import TransitNotifications
@testable import TransitQueries

/// Checks when changes of usual departures and unusual services are shown. March 27, 2026 is a Friday.
@Suite struct TimetableRuleTests {
    private func status(
        _ outcome: UsualDepartureStatus.Outcome?, dates: [String] = ["2026-03-30", "2026-04-06"], lasting: Bool = true,
        running: [String] = [], pinned: Bool = false
    ) -> UsualDepartureStatus {
        UsualDepartureStatus(
            identity: "bus24 0 harbor 29520", time: ServiceTime(seconds: 29_520), isPinned: pinned, route: "Bus 24",
            stop: "Harbor", running: running.map(serviceDate),
            change: outcome.map { .init(dates: dates.map(serviceDate), outcome: $0, isLasting: lasting) })
    }

    private struct Rule {
        var memory = TimetableRule.Memory()
        var daysOff = DaysOff()

        mutating func evaluate(_ version: Int? = nil, _ statuses: [UsualDepartureStatus] = [], at time: String)
            -> [NotificationDecision]
        {
            let compared = version.map { [ComparedTimetable(feed: "city", version: $0, statuses: statuses)] } ?? []
            var settings = NotificationSettings()
            settings.daysOff = daysOff
            return TimetableRule.decide(at: berlinTime(time), &memory, settings: settings) { $0.timetables = compared }
        }
    }

    private let later = ServiceTime(seconds: 29_940)

    @Test func changeIsToldInDigestAndTheEveningBefore() {
        var rule = Rule()
        let first = rule.evaluate(2, [status(.gone(nearest: later))], at: "2026-03-24 12:00")
        #expect(
            first.map(\.line) == [
                "show timetable \"Your 08:12 does not run from Monday on; 08:19 is nearest\" (digest)"
            ])
        #expect(first[0].body == "Bus 24 from Harbor")
        #expect(first[0].subjectKind == "usual")
        #expect(first[0].subjectName == "08:12 Bus 24")
        #expect(rule.evaluate(2, [status(.gone(nearest: later))], at: "2026-03-24 12:05").isEmpty)
        #expect(rule.evaluate(at: "2026-03-24 18:00").isEmpty)
        #expect(rule.evaluate(at: "2026-03-29 17:59").isEmpty)
        let evening = rule.evaluate(at: "2026-03-29 18:00")
        #expect(evening.map(\.title) == ["Your 08:12 does not run from tomorrow on; 08:19 is nearest"])
        #expect(evening[0].isForDigest)
        #expect(rule.evaluate(at: "2026-03-29 18:01").isEmpty)
        #expect(rule.evaluate(at: "2026-04-05 18:00").isEmpty)
    }

    @Test(arguments: [
        // The digest of the same evening contains the first message.
        ("2026-03-29 12:00", false), ("2026-03-29 17:59", false),
        // The digest after the quiet hours does.
        ("2026-03-29 06:00", true), ("2026-03-28 23:00", true), ("2026-03-28 12:00", true),
    ])
    func reminderNeedsEarlierDigest(announced: String, isReminded: Bool) {
        var rule = Rule()
        #expect(rule.evaluate(2, [status(.gone(nearest: nil))], at: announced).count == 1)
        #expect(rule.evaluate(at: "2026-03-29 18:00").count == (isReminded ? 1 : 0))
    }

    @Test func missedEveningIsNotTold() {
        var rule = Rule()
        _ = rule.evaluate(2, [status(.gone(nearest: nil))], at: "2026-03-24 12:00")
        #expect(rule.evaluate(at: "2026-03-29 19:00").isEmpty)
    }

    @Test(arguments: [
        (
            UsualDepartureStatus.Outcome.moved(to: ServiceTime(seconds: 29_700)), true,
            "Your 08:12 leaves at 08:15 from Monday on"
        ),
        (.gone(nearest: nil), true, "Your 08:12 does not run from Monday on"),
        (.gone(nearest: nil), false, "Your 08:12 does not run on Monday and Monday, April 6"),
        (
            .gone(nearest: ServiceTime(seconds: 86_400)), true,
            "Your 08:12 does not run from Monday on; 00:00 is nearest"
        ),
    ])
    func titles(outcome: UsualDepartureStatus.Outcome, lasting: Bool, title: String) {
        var rule = Rule()
        #expect(rule.evaluate(2, [status(outcome, lasting: lasting)], at: "2026-03-27 12:00").map(\.title) == [title])
    }

    @Test func rollbackWithdrawsWhatIsNotTold() {
        var rule = Rule()
        let key = rule.evaluate(2, [status(.gone(nearest: nil))], at: "2026-03-27 12:00").map(\.key)
        let back = rule.evaluate(1, [status(nil, running: ["2026-03-30", "2026-04-06"])], at: "2026-03-27 13:00")
        #expect(back.map(\.operation) == [.withdraw])
        #expect(back.map(\.key) == key)
        #expect(rule.memory.entries.isEmpty)
        #expect(rule.evaluate(at: "2026-03-29 18:00").isEmpty)
    }

    @Test func rollbackCorrectsWhatIsTold() {
        var rule = Rule()
        _ = rule.evaluate(2, [status(.gone(nearest: nil))], at: "2026-03-26 12:00")
        let back = rule.evaluate(1, [status(nil, running: ["2026-03-30", "2026-04-06"])], at: "2026-03-27 13:00")
        #expect(back.map(\.operation) == [.withdraw, .show])
        #expect(back.last?.title == "Your 08:12 runs after all")
        #expect(back.last?.isForDigest == true)
        #expect(Set(back.map(\.key)).count == 2)
    }

    /// A later version that neither has the departure nor had it says nothing new.
    @Test func laterVersionKeepsChange() {
        var rule = Rule()
        _ = rule.evaluate(2, [status(.gone(nearest: later))], at: "2026-03-24 12:00")
        #expect(rule.evaluate(3, [status(nil)], at: "2026-03-25 12:00").isEmpty)
        #expect(rule.evaluate(at: "2026-03-29 18:00").count == 1)
    }

    @Test func sameChangeInLaterVersionIsToldOnce() {
        var rule = Rule()
        _ = rule.evaluate(2, [status(.gone(nearest: later))], at: "2026-03-24 12:00")
        #expect(rule.evaluate(3, [status(.gone(nearest: later))], at: "2026-03-25 12:00").isEmpty)
        // Another time is news about the same bubble.
        let moved = rule.evaluate(4, [status(.moved(to: ServiceTime(seconds: 29_700)))], at: "2026-03-25 13:00")
        #expect(moved.map(\.title) == ["Your 08:12 leaves at 08:15 from Monday on"])
        #expect(rule.memory.entries.count == 1)
    }

    @Test func forgottenDepartureIsWithdrawn() {
        var rule = Rule()
        _ = rule.evaluate(2, [status(.gone(nearest: nil))], at: "2026-03-24 12:00")
        #expect(rule.evaluate(3, [], at: "2026-03-24 13:00").map(\.operation) == [.withdraw])
    }

    @Test func versionWithoutComparisonTellsNothing() {
        var rule = Rule()
        _ = rule.evaluate(2, [status(.gone(nearest: nil))], at: "2026-03-24 12:00")
        let compared = [ComparedTimetable(feed: "city", version: 3, statuses: nil)]
        let shown = TimetableRule.decide(at: berlinTime("2026-03-24 13:00"), &rule.memory) { $0.timetables = compared }
        #expect(shown.isEmpty)
        #expect(rule.memory.versions.values.map(\.version) == [3])
        #expect(rule.evaluate(at: "2026-03-29 18:00").count == 1)
    }

    @Test func daysOffAreNotAffected() throws {
        var rule = Rule()
        rule.daysOff = try DaysOff(list: "2026-03-30")
        let shown = rule.evaluate(2, [status(.gone(nearest: nil))], at: "2026-03-24 12:00")
        #expect(shown.map(\.title) == ["Your 08:12 does not run from Monday, April 6 on"])
        var pinned = Rule()
        pinned.daysOff = rule.daysOff
        let always = pinned.evaluate(2, [status(.gone(nearest: nil), pinned: true)], at: "2026-03-24 12:00")
        #expect(always.map(\.title) == ["Your 08:12 does not run from Monday on"])
    }

    @Test func memorySurvivesRestart() throws {
        var rule = Rule()
        _ = rule.evaluate(2, [status(.gone(nearest: later))], at: "2026-03-24 12:00")
        let read = try #require(rule.memory.restored)
        #expect(read == rule.memory)
        rule.memory = read
        #expect(rule.evaluate(2, [status(.gone(nearest: later))], at: "2026-03-24 12:05").isEmpty)
        #expect(rule.evaluate(at: "2026-03-29 18:00").count == 1)
    }

    @Test func entriesEndWithTheirDates() {
        var rule = Rule()
        _ = rule.evaluate(2, [status(.gone(nearest: nil), dates: ["2026-03-30"])], at: "2026-03-27 12:00")
        _ = rule.evaluate(at: "2026-03-31 00:00")
        #expect(rule.memory.entries.isEmpty)
    }

    // MARK: Unusual service

    private func service(_ planned: Int, resembles: Weekday? = nil) -> UnusualService {
        UnusualService(
            date: serviceDate("2026-05-01"), lines: [.init(name: "Bus 24", usual: 12, planned: planned)],
            resembles: resembles)
    }

    private func shown(_ service: UnusualService?, at time: String, daysOff: DaysOff = DaysOff()) -> [String] {
        var memory = UnusualServiceRule.Memory()
        var settings = NotificationSettings()
        settings.daysOff = daysOff
        return UnusualServiceRule.decide(at: berlinTime(time), &memory, settings: settings) { $0.service = service }
            .map(\.title)
    }

    @Test func unusualServiceIsToldInTheEvening() throws {
        let title = "Sunday service tomorrow, Friday"
        #expect(shown(service(4, resembles: .sunday), at: "2026-04-30 18:00") == [title])
        #expect(shown(service(4, resembles: .sunday), at: "2026-04-30 17:59").isEmpty)
        #expect(shown(service(4, resembles: .sunday), at: "2026-04-30 19:00").isEmpty)
        #expect(shown(service(4, resembles: .sunday), at: "2026-04-29 18:00").isEmpty)
        #expect(shown(nil, at: "2026-04-30 18:00").isEmpty)
        #expect(try shown(service(4), at: "2026-04-30 18:00", daysOff: DaysOff(list: "2026-05-01")).isEmpty)
    }

    @Test(arguments: [
        (0, "No service tomorrow, Friday", "Bus 24: no departures"),
        (4, "Fewer departures tomorrow, Friday", "Bus 24: 4 departures instead of 12"),
        (12, "Different times tomorrow, Friday", "Bus 24: different times"),
    ])
    func serviceTexts(planned: Int, title: String, body: String) {
        #expect(service(planned).title == title)
        #expect(service(planned).body == body)
    }

    @Test func unusualServiceIsToldOnce() {
        var memory = UnusualServiceRule.Memory()
        let counts = ["2026-04-30 18:00", "2026-04-30 18:01"].map { time in
            UnusualServiceRule.decide(at: berlinTime(time), &memory) { $0.service = service(4) }.count
        }
        #expect(counts == [1, 0])
        #expect(memory.restored == memory)
    }
}
