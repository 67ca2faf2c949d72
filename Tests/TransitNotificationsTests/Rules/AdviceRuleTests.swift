import Testing
import TransitModel
import TransitNotifications

/// Corrections of a time to leave that a notification named.
struct AdviceRuleTests {
    private func subject(_ late: Int, _ minute: Int, status: CallStatus = .scheduled) -> WatchedSubject {
        Scene.pinned(
            Scene.departure(72, late: late, at: Scene.minute(minute), status: status, uncertainty: 0),
            Scene.departure(82, late: 0, at: Scene.minute(minute), uncertainty: 0),
            Scene.departure(92, late: 0, at: Scene.minute(minute), uncertainty: 0))
    }

    /// "Leave by 08:22, expected 08:32", and then the vehicle makes up 17 minutes.
    @Test func correctionOfADelayIsAsUrgentAsTheDelay() {
        var scene = Scene()
        scene.at(30, subject(1200, 30))
        let delay = scene.at(31, subject(1200, 31)).shown
        #expect(delay.map(\.rule) == [.delay] && delay[0].body.contains("Leave by 08:22"))
        let corrected = scene.at(64, subject(180, 64)).shown
        #expect(corrected.map(\.title) == ["Leave now: Tram 5 at 08:12, expected 08:15"])
        #expect(corrected[0].hasSound && corrected[0].urgency == .high)
        #expect(scene.at(65, subject(180, 65)).isEmpty)
    }

    @Test func departureThatCannotBeCaughtAnyMoreNamesTheNextOne() {
        var scene = Scene()
        scene.at(30, subject(1200, 30))
        #expect(scene.at(31, subject(1200, 31)).shown.map(\.rule) == [.delay])
        let corrected = scene.at(70, subject(180, 70)).shown
        #expect(corrected.map(\.title) == ["You can no longer catch Tram 5 at 08:12"])
        #expect(corrected[0].body == "Expected at 08:15, 3 min late.\nNext: 08:22, leave by 08:12.")
        #expect(corrected[0].hasSound && corrected[0].urgency == .high && corrected[0].leaveBy == nil)
        #expect(corrected[0].next.map(\.key.scheduled) == [Scene.minute(82), Scene.minute(92)])
        // The notification says when to leave for the next one. What else becomes known of this one is not shown.
        #expect(scene.at(71, subject(240, 71)).isEmpty)
        #expect(scene.at(72, subject(180, 72, status: .canceled)).isEmpty)
    }

    @Test func personOnTheWayLearnsThatTheVehicleIsTooEarly() {
        var scene = Scene(["early.on": "off"])
        scene.at(50, subject(300, 50))
        #expect(
            scene.at(62, subject(300, 62)).shown.map(\.title) == ["Leave by 08:07: Tram 5 at 08:12, expected 08:17"])
        // A person who left at 08:07 arrives at 08:15.
        let corrected = scene.at(68, subject(60, 68)).shown
        #expect(corrected.map(\.title) == ["You can no longer catch Tram 5 at 08:12"])
        #expect(corrected[0].hasSound)
    }

    @Test func vehicleThatHasLeftEarlyIsReported() {
        var scene = Scene(["early.on": "off"])
        scene.at(50, subject(0, 50))
        #expect(scene.at(57, subject(0, 57)).shown.map(\.rule) == [.leave])
        let left = scene.at(64, subject(-500, 64, status: .departed)).shown
        #expect(left.map(\.title) == ["Tram 5 at 08:12 left early"])
        #expect(left[0].hasSound && left[0].body == "Next: 08:22, leave by 08:12.")
    }

    @Test func correctionBeforeTheNoticeToLeaveIsSilentBecauseTheNoticeFollows() {
        var scene = Scene()
        scene.at(20, subject(1200, 20))
        #expect(scene.at(21, subject(1200, 21)).shown.map(\.hasSound) == [true])
        let corrected = scene.at(22, subject(600, 22)).shown
        #expect(corrected.map(\.title) == ["Leave earlier, by 08:12: Tram 5 at 08:12, expected 08:22"])
        #expect(!corrected[0].hasSound)
        #expect(
            scene.at(67, subject(600, 67)).shown.map { "\($0.hasSound) \($0.title)" } == [
                "true Leave by 08:12: Tram 5 at 08:12, expected 08:22"
            ])
    }

    /// A person left at 08:02. The vehicle becomes late, and makes up half of it: they are at the stop.
    @Test func moreTimeIsNoAdviceForAPersonOnTheWay() {
        var scene = Scene(["delay.on": "off"])
        scene.at(50, subject(0, 50))
        #expect(scene.at(57, subject(0, 57)).shown.map(\.hasSound) == [true])
        #expect(scene.at(63, subject(420, 63)).shown.map(\.hasSound) == [false])
        for minute in 64..<75 {
            #expect(scene.at(Double(minute), subject(180, minute)).shown.allSatisfy { !$0.hasSound })
        }
    }

    /// A later time to leave for a person on the way would have to be corrected for those who wait for it.
    @Test func personOnTheWayIsGivenNoLaterTimeToLeave() {
        var scene = Scene()
        scene.at(50, subject(0, 50))
        #expect(scene.at(57, subject(0, 57)).shown.map(\.leaveBy) == [Scene.minute(62)])
        let later = scene.at(61, subject(780, 61)).shown
        #expect(!later.isEmpty)
        #expect(
            later.allSatisfy { $0.leaveBy == nil && !$0.title.contains("by 08:") && !$0.body.contains("eave by 08:15") }
        )
    }

    /// The person leaves now, as the correction says.
    @Test func correctionInTheLastMinuteIsNotContradicted() {
        var scene = Scene(["early.on": "off", "delay.on": "off"])
        scene.at(50, subject(300, 50))
        #expect(scene.at(62, subject(300, 62)).shown.count == 1)
        var shown: [NotificationDecision] = []
        for second in stride(from: 3970, through: 4300, by: 30) {
            let now = Double(second) / 60
            var present = subject(170, 66)
            for position in present.departures.indices {
                present.departures[position].observation.measured = Scene.time(now)
            }
            shown += scene.at(now, present).shown
        }
        #expect(shown.allSatisfy { !$0.title.contains("no longer") }, "\(shown.titles)")
    }

    /// A person who left at 08:02 can only wait.
    @Test func moreTimeIsSilentForAPersonOnTheWay() {
        var scene = Scene()
        scene.at(50, subject(0, 50))
        #expect(scene.at(57, subject(0, 57)).shown.map(\.hasSound) == [true])
        let later = scene.at(63, subject(360, 63)).shown
        #expect(later.map(\.hasSound) == [false])
        var rest: [NotificationDecision] = []
        for minute in 64..<82 { rest += scene.at(Double(minute), subject(360, minute)).shown }
        #expect(rest.allSatisfy { !$0.hasSound })
        // A long delay lets the person choose another departure.
        var other = Scene()
        other.at(50, subject(0, 50))
        #expect(other.at(57, subject(0, 57)).shown.count == 1)
        var long: [NotificationDecision] = []
        for minute in 63..<66 { long += other.at(Double(minute), subject(1200, minute)).shown }
        #expect(long.contains { $0.hasSound && $0.body.contains("08:22 leaves before it") })
    }

    /// Without notices to leave, the correction itself has the sound.
    @Test func correctionWithoutNoticesToLeaveHasASound() {
        var scene = Scene(["leave.on": "off"])
        scene.at(20, subject(1200, 20))
        #expect(scene.at(21, subject(1200, 21)).shown.map(\.rule) == [.delay])
        let corrected = scene.at(22, subject(600, 22)).shown
        #expect(corrected.map(\.rule) == [.delay] && corrected.map(\.hasSound) == [true])
    }

    @Test func lessThanAMinuteAndTimeAloneCorrectNothing() {
        var scene = Scene(["delay.on": "off"])
        scene.at(50, subject(300, 50))
        #expect(scene.at(62, subject(300, 62)).shown.count == 1)
        #expect(scene.at(63, subject(245, 63)).isEmpty)
        for second in 0..<600 { #expect(scene.at(63 + Double(second) / 60).isEmpty) }
    }

    /// A source that falls silent says nothing new about the time to leave.
    @Test func silentSourceCorrectsNothing() {
        var scene = Scene()
        scene.at(30, subject(1200, 30))
        scene.at(31, subject(1200, 31))
        var silent = subject(1200, 31)
        for position in silent.departures.indices { silent.departures[position].observation.isFresh = false }
        #expect(scene.at(50, silent).isEmpty)
    }

    @Test func noticeToLeaveSaysSinceWhenTheSourceIsSilent() {
        var scene = Scene()
        var departure = Scene.departure(72, fresh: false)
        departure.silentSince = Scene.minute(41)
        scene.at(50, Scene.pinned(departure, Scene.departure(82)))
        let shown = scene.at(57).shown
        #expect(
            shown.first?.body.contains("No new realtime data since 07:41; this is the scheduled time.") == true
        )
        var late = Scene()
        late.at(50, Scene.pinned(Scene.departure(72, late: 430, at: Scene.minute(40), fresh: false)))
        #expect(
            late.at(57).shown.first?.body.contains(
                "It was last reported 7 min late. No new realtime data since 07:40; this is the scheduled time."
            ) == true)
    }
}
