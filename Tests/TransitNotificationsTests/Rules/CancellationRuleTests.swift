import Testing
import TransitModel
import TransitNotifications

struct CancellationRuleTests {
    private func subject(_ status: CallStatus, _ minute: Int, late: Int? = nil) -> WatchedSubject {
        Scene.pinned(
            Scene.departure(72, late: late, at: Scene.minute(minute), status: status), Scene.departure(79),
            Scene.departure(90))
    }

    @Test func firstExplicitMessageNamesTheNext() {
        var scene = Scene()
        scene.at(20, subject(.scheduled, 20))
        let shown = scene.at(21, subject(.canceled, 21)).shown
        #expect(shown.map(\.title) == ["Tram 5 at 08:12 is canceled"])
        #expect(shown.first?.body == "Next: 08:19, leave by 08:09.")
        #expect(shown.first?.rule == .canceled)
        #expect(shown.first?.next.map(\.key.scheduled) == [Scene.minute(79), Scene.minute(90)])
        #expect(scene.at(22, subject(.canceled, 22)).isEmpty)
        // The next one is armed.
        #expect(scene.at(64).titles == ["Leave by 08:09: Tram 5 at 08:19"])
    }

    @Test func skippedStopHasItsOwnRule() {
        var scene = Scene()
        let shown = scene.at(21, subject(.skipped, 21)).shown
        #expect(shown.map(\.title) == ["Tram 5 at 08:12 does not stop at Market Square"])
        #expect(shown.first?.rule == .skipped)
    }

    @Test func replacesTheNoticeToLeave() {
        var scene = Scene()
        scene.at(50, subject(.scheduled, 50))
        let leave = scene.at(57).shown[0]
        let canceled = scene.at(58, subject(.canceled, 58)).shown[0]
        #expect(canceled.key == leave.key && canceled.operation == .update && canceled.revision == 2)
    }

    @Test func departureIsReinstatedByTwoMessages() {
        var scene = Scene()
        scene.at(20, subject(.canceled, 20))
        #expect(scene.at(21, subject(.scheduled, 21, late: 0)).isEmpty)
        scene.restart()
        #expect(scene.at(22, subject(.scheduled, 21, late: 0)).isEmpty)
        let shown = scene.at(24, subject(.scheduled, 24, late: 0)).shown
        #expect(shown.map(\.title) == ["Tram 5 at 08:12 runs after all"])
        #expect(shown.first?.operation == .update)
        #expect(shown.first?.previous?.status == .canceled)
        #expect(scene.at(57).titles == ["Leave by 08:02: Tram 5 at 08:12"])
    }

    @Test func reinstatementWithdrawsTheReplacement() {
        var scene = Scene()
        scene.at(50, subject(.canceled, 50))
        let later = scene.at(64).shown
        #expect(later.map(\.title) == ["Leave by 08:09: Tram 5 at 08:19"])
        // 08:12 is late and can still be caught.
        scene.at(65, subject(.scheduled, 65, late: 600))
        let shown = scene.at(66, subject(.scheduled, 66, late: 600)).shown
        #expect(shown.map(\.operation) == [.withdraw, .update])
        #expect(shown.map(\.key) == [later[0].key, shown[1].key])
    }

    @Test func noTellingOfReinstatementWithoutCancellation() {
        var scene = Scene(["canceled.on": "off"])
        scene.at(20, subject(.canceled, 20))
        scene.at(21, subject(.scheduled, 21, late: 0))
        #expect(scene.at(22, subject(.scheduled, 22, late: 0)).isEmpty)
        #expect(scene.at(57).titles == ["Leave by 08:02: Tram 5 at 08:12"])
    }

    /// All trains are 40 minutes late. What was scheduled earlier leaves when this one was to leave.
    @Test func lateDeparturesThatWereScheduledEarlierAreAlternatives() {
        var scene = Scene(["leave.on": "off"])
        func late(_ minute: Int) -> WatchedDeparture {
            Scene.departure(minute, late: 2400, at: Scene.minute(40), uncertainty: 0)
        }
        let shown = scene.at(
            40, Scene.pinned(Scene.departure(72, at: Scene.minute(40), status: .canceled), late(32), late(52), late(82))
        ).shown
        #expect(shown.first?.next.map(\.key.scheduled) == [Scene.minute(32), Scene.minute(52), Scene.minute(82)])
        #expect(shown.first?.body == "Next: 07:32 (expected 08:12), leave by 08:01.")
        // An earlier one that is on time is no alternative.
        var other = Scene()
        let punctual = other.at(
            40, Scene.pinned(Scene.departure(72, at: Scene.minute(40), status: .canceled), Scene.departure(60))
        ).shown
        #expect(punctual.first?.next == [])
    }

    @Test func severalCanceledInARowAreToldOnce() {
        var scene = Scene()
        let canceled = [72, 79, 90].map { Scene.departure($0, at: Scene.minute(20), status: .canceled) }
        let subject = WatchedSubject(
            kind: .commute, name: "work", departures: canceled + [Scene.departure(100)], walk: 480,
            window: Scene.minute(0)...Scene.minute(120))
        let shown = scene.at(20, subject).shown
        #expect(shown.map(\.title) == ["Tram 5 at 08:12 is canceled"])
        #expect(shown.first?.body == "08:19 and 08:30 are canceled too.\nNext: 08:40, leave by 08:27.")
        #expect(scene.at(21).isEmpty)
        #expect(scene.at(82).titles == ["Leave by 08:27: Tram 5 at 08:40"])
    }

    @Test func dueNoticeOfTheNextIsPartOfTheCancellation() {
        var scene = Scene()
        scene.at(50, subject(.scheduled, 50))
        scene.at(57)
        let shown = scene.at(65, subject(.canceled, 65)).shown
        #expect(shown.count == 1)
        #expect(shown.first?.body == "Next: 08:19, leave by 08:09.")
        #expect(scene.at(66).isEmpty)
    }

    @Test func staleCancellationIsNotCertain() {
        var scene = Scene()
        let shown = scene.at(
            20, Scene.pinned(Scene.departure(72, status: .canceled, fresh: false), Scene.departure(79))
        ).shown
        #expect(shown.map(\.title) == ["Tram 5 at 08:12 may be canceled"])
        #expect(shown.first?.body.contains("too old") == true)
    }
}
