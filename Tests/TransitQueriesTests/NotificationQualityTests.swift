import Testing
import TransitModel
import TransitStore
import TransitTestSupport

@testable import TransitQueries

/// A departure at 08:12, observed and notified at other times.
@Suite struct NotificationQualityTests {
    private static let date = ServiceDate(iso8601: "2026-03-27")!
    private static let key = DepartureKey(
        feed: "city", route: "24", direction: nil, stop: "harbor", scheduled: time("08:12"), serviceDate: date)

    private static func time(_ clock: String) -> Instant { Instant(rfc3339: "2026-03-27T\(clock):00Z")! }

    private static func observation(
        _ at: String, _ expected: String?, status: CallStatus = .scheduled, isFresh: Bool = true
    ) -> DepartureObservation {
        DepartureObservation(
            departure: key, at: time(at), expected: expected.map { time($0) }, status: status, source: .live,
            isFresh: isFresh)
    }

    // MARK: Outcomes

    struct OutcomeCase: CustomTestStringConvertible {
        var name: String
        var observations: [DepartureObservation]
        var expected: DepartureOutcome
        var testDescription: String { name }
    }

    @Test(arguments: [
        OutcomeCase(name: "not observed", observations: [], expected: .unknown),
        OutcomeCase(
            name: "the last prediction", observations: [observation("08:00", "08:14"), observation("08:13", "08:16")],
            expected: .departed(time("08:16"))),
        OutcomeCase(
            name: "in any order", observations: [observation("08:13", "08:16"), observation("08:00", "08:14")],
            expected: .departed(time("08:16"))),
        OutcomeCase(
            name: "dropped after the departure",
            observations: [observation("08:13", "08:14"), observation("08:16", nil, isFresh: true)],
            expected: .departed(time("08:14"))),
        OutcomeCase(
            name: "reported as departed",
            observations: [observation("08:20", "08:13", status: .departed, isFresh: false)],
            expected: .departed(time("08:13"))),
        OutcomeCase(
            name: "no realtime data", observations: [observation("08:10", nil)], expected: .unknown),
        OutcomeCase(
            name: "outdated", observations: [observation("08:10", "08:13", isFresh: false)], expected: .unknown),
        OutcomeCase(
            name: "predicted too long before", observations: [observation("07:30", "08:13")], expected: .unknown),
        OutcomeCase(
            name: "canceled",
            observations: [observation("08:00", "08:12"), observation("08:05", nil, status: .canceled)],
            expected: .notServed),
        OutcomeCase(
            name: "reinstated",
            observations: [observation("08:00", nil, status: .canceled), observation("08:09", "08:15")],
            expected: .departed(time("08:15"))),
        OutcomeCase(
            name: "skipped", observations: [observation("08:11", "08:12", status: .skipped)], expected: .notServed),
    ])
    func outcome(_ one: OutcomeCase) { #expect(DepartureOutcome(one.observations) == one.expected) }

    // MARK: Verdicts

    struct Case: CustomTestStringConvertible {
        var name: String
        var rule: NotificationQuality.Alarm.Rule
        var notified: String
        var leaveBy: String?
        var walk: Int?
        var expected: String?
        var outcome: DepartureOutcome
        var verdict: NotificationQuality.Verdict
        var testDescription: String { name }
    }

    @Test(arguments: [
        Case(
            name: "leave: caught", rule: .leave, notified: "07:57", leaveBy: "08:02", walk: 480,
            outcome: .departed(time("08:12")), verdict: .right),
        Case(
            name: "leave: advised to leave too late", rule: .leave, notified: "07:57", leaveBy: "08:06", walk: 480,
            outcome: .departed(time("08:12")), verdict: .tooLate),
        Case(
            name: "leave: advised too early, shown late", rule: .leave, notified: "08:10", leaveBy: "08:02", walk: 480,
            outcome: .departed(time("08:26")), verdict: .right),
        Case(
            name: "leave: a little late", rule: .leave, notified: "07:57", leaveBy: "08:02", walk: 480,
            outcome: .departed(time("08:25")), verdict: .right),
        Case(
            name: "leave: left while walking", rule: .leave, notified: "08:05", leaveBy: "08:02", walk: 480,
            outcome: .departed(time("08:12")), verdict: .tooLate),
        Case(
            name: "leave: just in time", rule: .leave, notified: "08:04", leaveBy: "08:02", walk: 480,
            outcome: .departed(time("08:12")), verdict: .right),
        Case(
            name: "leave: waited too long", rule: .leave, notified: "07:57", leaveBy: "08:02", walk: 480,
            outcome: .departed(time("08:26")), verdict: .needless),
        Case(
            name: "leave: canceled", rule: .leave, notified: "07:57", leaveBy: "08:02", walk: 480, outcome: .notServed,
            verdict: .needless),
        Case(
            name: "leave: not observed", rule: .leave, notified: "07:57", leaveBy: "08:02", walk: 480,
            outcome: .unknown,
            verdict: .unknown),
        Case(
            name: "leave: without a place", rule: .leave, notified: "07:57", outcome: .departed(time("08:30")),
            verdict: .right),
        Case(
            name: "leave: without a place, after the departure", rule: .leave, notified: "08:13",
            outcome: .departed(time("08:12")), verdict: .tooLate),
        Case(
            name: "delay: right", rule: .delay, notified: "07:50", leaveBy: "08:09", walk: 480, expected: "08:17",
            outcome: .departed(time("08:17")), verdict: .right),
        Case(
            name: "delay: later than notified", rule: .delay, notified: "07:50", leaveBy: "08:09", walk: 480,
            expected: "08:17", outcome: .departed(time("08:25")), verdict: .right),
        Case(
            name: "delay: was on time", rule: .delay, notified: "07:50", leaveBy: "08:09", walk: 480, expected: "08:17",
            outcome: .departed(time("08:14")), verdict: .needless),
        Case(
            name: "delay: made up some of it", rule: .delay, notified: "07:50", leaveBy: "08:09", walk: 480,
            expected: "08:20", outcome: .departed(time("08:16")), verdict: .needless),
        Case(
            name: "delay: after leaving", rule: .delay, notified: "08:10", leaveBy: "08:09", walk: 480,
            expected: "08:17",
            outcome: .departed(time("08:17")), verdict: .tooLate),
        Case(
            name: "delay: without a place, after the scheduled time", rule: .delay, notified: "08:13",
            expected: "08:17",
            outcome: .departed(time("08:17")), verdict: .tooLate),
        Case(
            name: "delay: canceled", rule: .delay, notified: "07:50", expected: "08:17", outcome: .notServed,
            verdict: .needless),
    ])
    func verdict(_ one: Case) {
        let alarm = NotificationQuality.Alarm(
            rule: one.rule, departure: Self.key, notified: Self.time(one.notified),
            leaveBy: one.leaveBy.map { Self.time($0) },
            walk: one.walk, expected: one.expected.map { Self.time($0) })
        #expect(NotificationQuality.verdict(alarm, one.outcome) == one.verdict)
        let counts = NotificationQuality.counts([alarm], [Self.key: one.outcome])
        #expect(counts == [one.rule: [one.verdict: 1]])
    }

    @Test func departureThatWasNotObservedIsUnknown() {
        let alarm = NotificationQuality.Alarm(rule: .leave, departure: Self.key, notified: Self.time("08:00"))
        #expect(NotificationQuality.counts([alarm], [:]) == [.leave: [.unknown: 1]])
    }

    /// A person who is advised to leave by 08:10, and then by 08:02, leaves at 08:02.
    @Test func adviceThatWasCorrectedInTimeIsNotJudged() {
        func alarm(_ rule: NotificationQuality.Alarm.Rule, _ notified: String, _ leaveBy: String)
            -> NotificationQuality.Alarm
        {
            NotificationQuality.Alarm(
                rule: rule, departure: Self.key, notified: Self.time(notified), leaveBy: Self.time(leaveBy), walk: 480,
                expected: Self.time("08:17"))
        }
        let outcomes = [Self.key: DepartureOutcome.departed(Self.time("08:12"))]
        #expect(
            NotificationQuality.counts([alarm(.leave, "07:57", "08:10"), alarm(.leave, "08:01", "08:02")], outcomes)
                == [.leave: [.replaced: 1, .right: 1]])
        #expect(
            NotificationQuality.counts([alarm(.leave, "07:57", "08:02"), alarm(.leave, "08:03", "08:10")], outcomes)
                == [.leave: [.right: 1, .tooLate: 1]])
        // A delay gives new advice, too.
        #expect(
            NotificationQuality.counts([alarm(.leave, "07:57", "08:02"), alarm(.delay, "08:00", "08:10")], outcomes)
                == [.leave: [.replaced: 1], .delay: [.needless: 1]])
    }

    // MARK: Punctuality

    @Test func punctualityCountsDepartures() {
        func day(_ day: Int, _ outcome: DepartureOutcome) -> (key: DepartureKey, value: DepartureOutcome) {
            var key = Self.key
            key.serviceDate = Self.date.advanced(by: day)
            key.scheduled = Self.key.scheduled.advanced(by: day * 86_400)
            guard case .departed(let at) = outcome else { return (key, outcome) }
            return (key, .departed(at.advanced(by: day * 86_400)))
        }
        let punctuality = Punctuality([
            day(4, .departed(Self.time("08:20"))), day(0, .departed(Self.time("08:12"))),
            day(1, .departed(Self.time("08:10"))), day(2, .unknown), day(3, .notServed),
            day(5, .departed(Self.time("08:14"))),
        ])
        #expect(punctuality.days.map(\.delay) == [0, -120, nil, 480, 120])
        #expect([punctuality.onTime, punctuality.late, punctuality.early, punctuality.notServed] == [2, 1, 1, 1])
        #expect(punctuality.medianDelay == 0)
        #expect(Punctuality(days: []).medianDelay == nil)
    }
}
