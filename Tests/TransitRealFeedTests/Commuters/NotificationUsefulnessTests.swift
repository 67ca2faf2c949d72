import Testing
import TransitModel
import TransitNotifications

@testable import TransitNotificationSimulation

/// A person who can leave at 07:50 and walks for 10 minutes. The train "a" is planned for 08:05, "b" for 08:20.
@Suite struct NotificationUsefulnessTests {
    typealias Usefulness = NotificationUsefulness

    private static func time(_ clock: String) -> Instant { Instant(rfc3339: "2026-03-27T\(clock):00Z")! }

    struct Case: CustomTestStringConvertible {
        var name: String
        var rule: NotificationRule
        var train: TripID = "a"
        var shown: String
        var leaveBy: String?
        var expected: String?
        /// When "a" left; `nil` if it did not run.
        var departed: String? = "08:05"
        /// When the person left.
        var left = "07:52"
        /// Later advice, as the times at which it came and at which it said to leave.
        var correction: (shown: String, leaveBy: String)?
        var isReinstatement = false
        var isRelevantAlert = false
        var isUseful: Bool
        var testDescription: String { name }
    }

    @Test(arguments: [
        Case(name: "leave: caught", rule: .leave, shown: "07:48", leaveBy: "07:53", isUseful: true),
        Case(name: "leave: missed it", rule: .leave, shown: "07:48", leaveBy: "07:58", isUseful: false),
        Case(
            name: "leave: wrong, but corrected in time", rule: .leave, shown: "07:48", leaveBy: "07:58",
            correction: ("07:51", "07:54"), isUseful: true),
        Case(
            name: "leave: waited 20 minutes", rule: .leave, shown: "07:48", leaveBy: "07:53", departed: "08:23",
            left: "07:52", isUseful: false),
        Case(name: "leave: on the way", rule: .leave, shown: "07:53", leaveBy: "07:54", isUseful: false),
        Case(name: "leave: too late", rule: .leave, shown: "07:58", leaveBy: "07:53", left: "07:59", isUseful: false),
        Case(
            name: "leave: another departure", rule: .leave, train: "b", shown: "07:48", leaveBy: "08:08",
            isUseful: false),
        Case(
            name: "leave: it was overtaken", rule: .leave, train: "a", shown: "07:48", leaveBy: "08:05",
            departed: "08:24", left: "08:04", isUseful: true),
        Case(
            name: "leave: it did not run", rule: .leave, shown: "07:48", leaveBy: "07:53", departed: nil,
            isUseful: false),
        Case(
            name: "delay: could wait", rule: .delay, shown: "07:45", expected: "08:10", departed: "08:10",
            isUseful: true),
        Case(
            name: "delay: it was on time", rule: .delay, shown: "07:45", expected: "08:10", departed: "08:06",
            isUseful: false),
        Case(
            name: "delay: a little, on the way", rule: .delay, shown: "07:55", expected: "08:09", departed: "08:09",
            isUseful: false),
        Case(
            name: "delay: long, on the way", rule: .delay, shown: "07:55", expected: "08:15", departed: "08:15",
            isUseful: true),
        Case(
            name: "delay: left before the expected time", rule: .delay, shown: "07:45", expected: "08:15",
            departed: "08:10", isUseful: false),
        Case(
            name: "delay: after it left", rule: .delay, shown: "08:12", expected: "08:12", departed: "08:10",
            isUseful: false),
        Case(
            name: "delay: another departure", rule: .delay, train: "b", shown: "07:45", expected: "08:25",
            isUseful: false),
        Case(name: "canceled: took another", rule: .canceled, shown: "07:30", departed: nil, isUseful: true),
        Case(name: "canceled: ran after all", rule: .canceled, shown: "07:30", isUseful: false),
        Case(name: "skipped: took another", rule: .skipped, shown: "07:30", departed: nil, isUseful: true),
        Case(name: "canceled: too late", rule: .canceled, shown: "08:30", departed: nil, isUseful: false),
        Case(
            name: "canceled: runs again, in time", rule: .canceled, shown: "07:50", isReinstatement: true,
            isUseful: true),
        Case(
            name: "canceled: runs again, too late", rule: .canceled, shown: "08:00", isReinstatement: true,
            isUseful: false),
        Case(name: "early", rule: .early, shown: "07:45", departed: "08:03", isUseful: true),
        Case(name: "early: not really", rule: .early, shown: "07:45", isUseful: false),
        Case(name: "platform", rule: .platform, shown: "07:59", isUseful: true),
        Case(name: "platform: after it left", rule: .platform, shown: "08:06", isUseful: false),
        Case(name: "unseen: did not run", rule: .unseen, shown: "07:40", departed: nil, isUseful: true),
        Case(name: "unseen: ran", rule: .unseen, shown: "07:40", isUseful: false),
        Case(name: "getoff: two minutes ahead", rule: .getoff, shown: "08:33", isUseful: true),
        Case(name: "getoff: after the arrival", rule: .getoff, shown: "08:36", isUseful: false),
        Case(
            name: "alert that concerns the journey", rule: .alert, shown: "07:30", isRelevantAlert: true, isUseful: true
        ),
        Case(name: "alert of another line", rule: .alert, shown: "07:30", isUseful: false),
        Case(name: "badge", rule: .badge, shown: "07:30", isUseful: false),
    ])
    func verdict(_ one: Case) {
        let trains = [
            Usefulness.Train(
                trip: "a", scheduled: Self.time("08:05"), departed: one.departed.map(Self.time),
                arrives: Self.time("08:35")),
            Usefulness.Train(
                trip: "b", scheduled: Self.time("08:20"), departed: Self.time("08:20"), arrives: Self.time("08:50")),
        ]
        var journey = Usefulness.Journey(walk: 600, ready: Self.time("07:50"), trains: trains, intended: "a")
        journey.left = Self.time(one.left)
        func notice(_ shown: String, _ leaveBy: String?) -> Usefulness.Notice {
            var notice = Usefulness.Notice(rule: one.rule, shown: Self.time(shown), trip: one.train)
            notice.leaveBy = leaveBy.map(Self.time)
            notice.expected = one.expected.map(Self.time)
            notice.isReinstatement = one.isReinstatement
            notice.isRelevantAlert = one.isRelevantAlert
            return notice
        }
        let later = one.correction.map { [notice($0.shown, $0.leaveBy)] } ?? []
        let verdict = Usefulness.verdict(notice(one.shown, one.leaveBy), journey, later: later)
        #expect(verdict.isUseful == one.isUseful, "\(verdict.reason)")
    }

    @Test func personTakesTheFirstDepartureAfterBeingReady() {
        let trains = [
            Usefulness.Train(
                trip: "a", scheduled: Self.time("08:05"), departed: Self.time("08:30"), arrives: Self.time("09:00")),
            Usefulness.Train(
                trip: "b", scheduled: Self.time("08:20"), departed: Self.time("08:21"), arrives: Self.time("08:50")),
        ]
        let journey = Usefulness.Journey(walk: 600, ready: Self.time("07:50"), trains: trains)
        #expect(journey.taken?.trip == "b")
        #expect(journey.wanted == "a")
        #expect(Usefulness.Journey(walk: 600, ready: Self.time("08:25"), trains: trains).taken == nil)
    }

    @Test func noticeWithoutJourneyIsUseless() {
        let notice = Usefulness.Notice(rule: .leave, shown: Self.time("07:48"), trip: "a")
        #expect(!Usefulness.verdict(notice, nil).isUseful)
    }
}
