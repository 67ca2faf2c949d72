import Testing
import TransitModel
import TransitNotifications

struct LeaveRuleTests {
    /// Each row: walk, headways, minutes at which nothing and at which the notice is shown, and its leave-by.
    @Test(arguments: [
        // 08:12 is minute 72. Next after 10 min: margin 2, leave by 08:02, notice at 07:57.
        (Int?(480), 82, 57, "Leave by 08:02: Tram 5 at 08:12"),
        (480, 87, 57, "Leave by 08:02: Tram 5 at 08:12"),
        (480, 88, 56, "Leave by 08:01: Tram 5 at 08:12"),
        (480, 102, 56, "Leave by 08:01: Tram 5 at 08:12"),
        (480, 103, 54, "Leave by 07:59: Tram 5 at 08:12"),
        (480, -1, 54, "Leave by 07:59: Tram 5 at 08:12"),
        (0, 82, 65, "Leave by 08:10: Tram 5 at 08:12"),
        (nil, 82, 57, "Tram 5 leaves at 08:12"),
    ])
    func noticeIsFiveMinutesBeforeLeaveBy(_ row: (walk: Int?, next: Int, minute: Int, title: String)) {
        var scene = Scene()
        var departures = [Scene.departure(72, fresh: false)]
        if row.next > 0 { departures.append(Scene.departure(row.next, fresh: false)) }
        let subject = WatchedSubject(kind: .pinned, name: "x", departures: departures, walk: row.walk)
        #expect(scene.at(0, subject).isEmpty)
        #expect(scene.at(Double(row.minute) - 0.1).isEmpty)
        let shown = scene.at(Double(row.minute)).shown
        #expect(shown.map(\.title) == [row.title])
        #expect(shown.first?.hasSound == true)
        #expect(shown.first?.urgency == .high)
        #expect(shown.first?.operation == .show)
        #expect(scene.at(Double(row.minute) + 1).isEmpty)
    }

    @Test func departureThatIsSometimesEarlyIsLeftForEarlier() {
        // Without live data, earlier days show that the tram leaves up to two minutes early. Notice at 07:55, not 07:57.
        var scene = Scene()
        let subject = Scene.pinned(
            Scene.departure(72, fresh: false, uncertainty: 120), Scene.departure(82, fresh: false))
        #expect(scene.at(54.9, subject).isEmpty)
        let shown = scene.at(55).shown
        #expect(shown.map(\.title) == ["Leave by 08:00: Tram 5 at 08:12"])
        #expect(shown.first?.leaveBy == Scene.minute(60))
    }

    @Test func nextMomentIsTheMomentOfTheNotice() {
        var scene = Scene()
        scene.at(0, Scene.pinned(Scene.departure(72, fresh: false), Scene.departure(82, fresh: false)))
        #expect(scene.engine.nextMoment(after: scene.now) == Scene.minute(57))
    }

    @Test func lateVehicleCanCatchUp() {
        // 10 min late, 62 min ahead: e = half of the delay = 5 min, so L = 08:17, and the notice would be due at 08:02.
        // Then e is smaller. At 08:04, 18 min ahead, e = 5 min * 18 / 30 = 3 min, so L = 08:19: the notice is due.
        var scene = Scene(["delay.on": "off"])
        let subject = Scene.pinned(Scene.departure(72, late: 600, at: Scene.minute(10)), Scene.departure(82))
        scene.at(10, subject)
        #expect(scene.at(57).isEmpty)
        var shown: [NotificationDecision] = []
        var minute = 57.0
        while shown.isEmpty, minute < 80 {
            minute += 1.0 / 60
            shown = scene.at(minute).shown
        }
        #expect(shown.map(\.title) == ["Leave by 08:09: Tram 5 at 08:12, expected 08:22"])
        #expect(minute > 63.9 && minute < 64.1)
        // The leave-by moves with the horizon alone.
        var rest: [NotificationDecision] = []
        while minute < 90 {
            minute += 1.0 / 60
            rest += scene.at(minute)
        }
        #expect(rest.isEmpty)
    }

    @Test func departureThatOvertakesALateOneIsToldInTime() {
        // 08:12 is 25 min late, and 08:22 leaves before it: leave-by 08:12, notice 08:07.
        var scene = Scene(["delay.on": "off"])
        scene.at(
            60,
            Scene.pinned(
                Scene.departure(72, late: 1500, at: Scene.minute(60)), Scene.departure(82), Scene.departure(92)))
        #expect(scene.engine.nextMoment(after: scene.now) == Scene.minute(67))
        let shown = scene.at(67).shown
        #expect(shown.map(\.rule) == [.leave])
        #expect(shown.first?.body.contains("The 08:22 leaves before it; leave by 08:12 to catch it.") == true)
    }

    @Test func staleAndLowConfidenceDataCountAsTheTimetable() {
        for departure in [
            Scene.departure(72, late: 600, fresh: false), Scene.departure(72, late: 600, confidence: .low),
        ] {
            var scene = Scene()
            scene.at(0, Scene.pinned(departure, Scene.departure(82)))
            #expect(scene.at(57).titles == ["Leave by 08:02: Tram 5 at 08:12"])
        }
    }

    @Test func earlyLiveVehicleCountsWithItsUncertainty() {
        var scene = Scene(["early.on": "off"])
        scene.at(40, Scene.pinned(Scene.departure(72, late: -120, at: Scene.minute(40)), Scene.departure(82)))
        // 08:10 - 90 s - 10 min - 5 min = 07:53:30.
        #expect(scene.engine.nextMoment(after: scene.now) == Scene.time(53.5))
        #expect(scene.at(53.5).titles == ["Leave by 07:58: Tram 5 at 08:12, expected 08:10"])
    }

    @Test func statedUncertaintyReplacesTheRule() {
        var scene = Scene(["delay.on": "off"])
        scene.at(40, Scene.pinned(Scene.departure(72, late: 600, uncertainty: 60), Scene.departure(82)))
        // 08:22 - 60 s - 10 min - 5 min.
        #expect(scene.engine.nextMoment(after: scene.now) == Scene.minute(66))
    }

    @Test func earlierByAMinuteIsToldWithSound() {
        var scene = Scene(["delay.on": "off", "early.on": "off"])
        let next = Scene.departure(82)
        scene.at(50, Scene.pinned(Scene.departure(72, late: 240, at: Scene.minute(50), uncertainty: 0), next))
        #expect(scene.at(61).titles == ["Leave by 08:06: Tram 5 at 08:12, expected 08:16"])
        let slightly = Scene.departure(72, late: 190, at: Scene.minute(62), uncertainty: 0)
        #expect(scene.at(62, Scene.pinned(slightly, next)).isEmpty)
        let earlier = scene.at(
            63, Scene.pinned(Scene.departure(72, late: 120, at: Scene.minute(63), uncertainty: 0), next))
        #expect(
            earlier.titles == ["Leave now: Tram 5 at 08:12, expected 08:14"]
                || earlier.titles == ["Leave earlier, by 08:04: Tram 5 at 08:12, expected 08:14"])
        #expect(earlier.first?.operation == .update)
        #expect(earlier.first?.hasSound == true)
    }

    @Test func laterByMoreThanTwoMinutesIsSilentAndRepeatedThen() {
        var scene = Scene(["delay.on": "off"])
        let next = Scene.departure(82)
        scene.at(50, Scene.pinned(Scene.departure(72, late: 0, at: Scene.minute(50), uncertainty: 0), next))
        #expect(scene.at(57).titles == ["Leave by 08:02: Tram 5 at 08:12"])
        let two = scene.at(58, Scene.pinned(Scene.departure(72, late: 120, at: Scene.minute(58), uncertainty: 0), next))
        #expect(two.isEmpty)
        let later = scene.at(
            59, Scene.pinned(Scene.departure(72, late: 480, at: Scene.minute(59), uncertainty: 0), next))
        #expect(later.titles == ["Leave later, by 08:10: Tram 5 at 08:12, expected 08:20"])
        #expect(later.first?.hasSound == false)
        #expect(later.first?.operation == .update)
        #expect(later.first?.revision == 2)
        #expect(scene.engine.nextMoment(after: scene.now) == Scene.minute(65))
        let again = scene.at(65)
        #expect(again.titles == ["Leave by 08:10: Tram 5 at 08:12, expected 08:20"])
        #expect(again.first?.hasSound == true)
        #expect(scene.at(66).isEmpty)
    }

    @Test func nothingRearmsButNewMessages() {
        var scene = Scene()
        let subject = Scene.pinned(Scene.departure(72, late: 0, at: Scene.minute(50)), Scene.departure(82))
        scene.at(50, subject)
        #expect(scene.at(57).titles.count == 1)
        scene.restart()
        #expect(scene.at(57.5, subject).isEmpty)
        // The clock is set back and forward.
        #expect(scene.at(40).isEmpty)
        #expect(scene.at(57.6).isEmpty)
        #expect(scene.at(58, resumed: true).isEmpty)
        // The same departure in a new version of the feed has another identifier.
        var renamed = subject
        renamed.departures[0].id = "new"
        #expect(scene.at(59, renamed).isEmpty)
        // It departs, and the clock is set back.
        #expect(scene.at(75).isEmpty)
        #expect(scene.at(57).isEmpty)
    }

    @Test func missedDuringSuspendIsSuppressed() {
        var scene = Scene()
        let subject = Scene.pinned(Scene.departure(72, fresh: false), Scene.departure(82))
        scene.at(50, subject)
        let decisions = scene.at(63, subject, resumed: true)
        #expect(decisions.titles.isEmpty)
        #expect(decisions.map(\.suppression) == ["The computer was asleep when it was time to leave."])
        #expect(scene.at(63.5).isEmpty)
    }

    @Test func anewDateIsToldAgain() {
        var scene = Scene()
        scene.at(50, Scene.pinned(Scene.departure(72, fresh: false), Scene.departure(82)))
        #expect(scene.at(57).titles.count == 1)
        scene.at(100)
        let tomorrow = 72 + 24 * 60
        scene.at(200, Scene.pinned(Scene.departure(tomorrow, fresh: false), Scene.departure(tomorrow + 10)))
        #expect(scene.at(Double(tomorrow - 15)).titles.count == 1)
    }

    @Test func nothingIsShownUntilTurnedOn() {
        var scene = Scene()
        scene.engine.settings.isEnabled = false
        scene.at(50, Scene.pinned(Scene.departure(72)))
        #expect(scene.at(57).isEmpty)
        #expect(scene.engine.nextMoment(after: scene.now) == nil)
    }
}
