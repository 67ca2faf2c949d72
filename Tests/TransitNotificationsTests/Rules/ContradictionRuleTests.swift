import Testing
import TransitModel
import TransitNotifications

/// A source that cancels a departure, reinstates it, and cancels it again.
struct ContradictionRuleTests {
    private func subject(_ status: CallStatus, _ minute: Int) -> WatchedSubject {
        Scene.pinned(
            Scene.departure(72, late: status.isRunning ? 0 : nil, at: Scene.minute(minute), status: status),
            Scene.departure(82, late: 0, at: Scene.minute(minute)))
    }

    /// What is decided when the status changes at the given minutes, from 07:20 until 08:12, with a message each minute.
    private func morning(
        changes: [Int], restarts: Bool = false
    ) -> [NotificationDecision] {
        var scene = Scene()
        var decisions: [NotificationDecision] = []
        for minute in 19..<72 {
            let isCanceled = changes.filter { $0 <= minute }.count % 2 == 1
            if restarts { scene.restart() }
            decisions += scene.at(Double(minute), subject(isCanceled ? .canceled : .scheduled, minute))
        }
        return decisions.shown.filter { $0.departure?.key == Scene.departure(72).key }
    }

    private func lines(_ decisions: [NotificationDecision]) -> [String] {
        decisions.map { "\(Scene.start.seconds(to: $0.at) / 60)\($0.hasSound ? "!" : "") \($0.title)" }
    }

    /// A cancellation that toggles every two minutes, with and without restarts of the daemon.
    @Test(arguments: [false, true]) func togglingIsOneNoticeAndTheLastWord(_ restarts: Bool) {
        let shown = morning(changes: Array(stride(from: 20, to: 60, by: 2)), restarts: restarts)
        #expect(
            lines(shown) == [
                "20! Tram 5 at 08:12 is canceled", "23! Tram 5 at 08:12 runs after all",
                "24! Conflicting reports about Tram 5 at 08:12", "57! Tram 5 at 08:12 is canceled",
                "68 Tram 5 at 08:12 runs after all",
            ])
        #expect(
            shown[2].body
                == "It was canceled and reinstated repeatedly. Do not rely on it.\nNext: 08:22, leave by 08:09.")
        #expect(shown[2].next.map(\.key.scheduled) == [Scene.minute(82)])
    }

    @Test func settledSourceHasItsLastWordAfterTenMinutes() {
        // Canceled at 20, reinstated at 22, canceled at 24 for good.
        #expect(
            lines(morning(changes: [20, 22, 24])) == [
                "20! Tram 5 at 08:12 is canceled", "23! Tram 5 at 08:12 runs after all",
                "24! Conflicting reports about Tram 5 at 08:12", "34! Tram 5 at 08:12 is canceled",
            ])
    }

    @Test func departureThatRunsInTheEndIsAnnouncedLikeAnyOther() {
        #expect(
            lines(morning(changes: [20, 22, 24, 26])) == [
                "20! Tram 5 at 08:12 is canceled", "23! Tram 5 at 08:12 runs after all",
                "24! Conflicting reports about Tram 5 at 08:12", "36! Tram 5 at 08:12 runs after all",
                "57! Leave by 08:02: Tram 5 at 08:12",
            ])
    }

    @Test func twoReversalsMoreThanTenMinutesApartAreNoContradiction() {
        #expect(
            lines(morning(changes: [20, 23, 34])) == [
                "20! Tram 5 at 08:12 is canceled", "24! Tram 5 at 08:12 runs after all",
                "34! Tram 5 at 08:12 is canceled",
            ])
    }

    /// The notice says what the source says when it is time to leave, and the leave notice is part of it.
    @Test func lastWordComesWhenItIsTimeToLeave() {
        let shown = morning(changes: [48, 50, 52, 54])
        #expect(
            lines(shown) == [
                "48! Tram 5 at 08:12 is canceled", "51! Tram 5 at 08:12 runs after all",
                "52! Conflicting reports about Tram 5 at 08:12", "57! Tram 5 at 08:12 runs after all",
            ])
        #expect(shown.last?.body.contains("Leave by 08:02, 8 min walk.") == true)
    }

    @Test func alternativeIsAnnouncedWhileTheSourceContradictsItself() {
        var scene = Scene()
        var decisions: [NotificationDecision] = []
        for minute in 19..<80 {
            // Canceled in the end.
            let isCanceled = minute >= 20 && (minute >= 56 || minute / 2 % 2 == 0)
            decisions += scene.at(Double(minute), subject(isCanceled ? .canceled : .scheduled, minute))
        }
        #expect(decisions.titles.contains { $0.hasPrefix("Leave by 08:") && $0.hasSuffix("Tram 5 at 08:22") })
    }
}
