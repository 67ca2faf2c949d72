import Testing
import TransitModel
import TransitNotifications

struct ObservationRuleTests {
    // MARK: unseen

    @Test func unseenIsToldTenMinutesBeforeLeaveByAndOnce() {
        var scene = Scene()
        let subject = Scene.pinned(Scene.departure(72, missing: true), Scene.departure(82, late: 0))
        scene.at(20, subject)
        #expect(scene.engine.nextMoment(after: scene.now) == Scene.minute(52))
        let shown = scene.at(52).shown
        #expect(shown.map(\.title) == ["Tram 5 at 08:12 is not reported"])
        #expect(shown.first?.body.contains("Next: 08:22, leave by 08:") == true)
        #expect(scene.at(53).isEmpty)
        #expect(scene.at(57).titles == ["Leave by 08:02: Tram 5 at 08:12"])
        #expect(scene.at(58).isEmpty)
    }

    @Test func unseenInTheNoticeToLeaveIsTold() {
        var scene = Scene()
        scene.at(20, Scene.pinned(Scene.departure(72), Scene.departure(82)))
        let shown = scene.at(57, Scene.pinned(Scene.departure(72, missing: true), Scene.departure(82)))
        #expect(shown.shown.map(\.rule) == [.leave])
        #expect(shown.first?.body.contains("It is not reported") == true)
        #expect(scene.at(58).isEmpty)
    }

    @Test func departureThatWasReportedMustBeMissingForFiveMinutes() {
        var scene = Scene()
        func subject(_ minute: Int, missing: Bool) -> WatchedSubject {
            Scene.pinned(
                Scene.departure(72, late: missing ? nil : 0, at: Scene.minute(minute), missing: missing),
                Scene.departure(82, late: 0, at: Scene.minute(minute)))
        }
        scene.at(50, subject(50, missing: false))
        #expect(scene.at(52, subject(52, missing: true)).isEmpty)
        #expect(scene.at(53, subject(53, missing: false)).isEmpty)
        #expect(scene.at(54, subject(54, missing: true)).isEmpty)
        // The notice to leave says it first.
        let leave = scene.at(57, subject(57, missing: true)).shown
        #expect(leave.map(\.rule) == [.leave] && leave[0].body.contains("It is not reported"))
        var other = Scene(["leave.on": "off"])
        other.at(50, subject(50, missing: false))
        #expect(other.at(54, subject(54, missing: true)).isEmpty)
        #expect(other.engine.nextMoment(after: other.now) == Scene.minute(59))
        #expect(other.at(59).shown.map(\.rule) == [.unseen])
    }

    @Test func notReportedIsReplacedSilentlyByWhatIsTrue() {
        var scene = Scene()
        scene.at(20, Scene.pinned(Scene.departure(72, missing: true), Scene.departure(82, late: 0)))
        #expect(scene.at(52).shown.map(\.rule) == [.unseen])
        let found = Scene.departure(72, late: 60, at: Scene.minute(53))
        let shown = scene.at(53, Scene.pinned(found, Scene.departure(82, late: 0))).shown
        #expect(shown.map(\.title) == ["Tram 5 at 08:12 is now reported, 1 min late"])
        #expect(shown.map(\.operation) == [.update] && shown.map(\.hasSound) == [false])
        #expect(scene.at(54).isEmpty)
        #expect(scene.at(58).shown.map(\.rule) == [.leave])
        // It is not reported again. The notice to leave says so, and the update takes it back.
        var other = Scene()
        other.at(50, Scene.pinned(Scene.departure(72), Scene.departure(82)))
        let missing = other.at(57, Scene.pinned(Scene.departure(72, missing: true), Scene.departure(82)))
        #expect(missing.shown.map(\.rule) == [.leave])
        let back = other.at(
            58, Scene.pinned(Scene.departure(72, late: 0, at: Scene.minute(58)), Scene.departure(82)))
        #expect(back.shown.map(\.title) == ["Tram 5 at 08:12 is now reported, on time"])
        #expect(back.shown.map(\.key) == missing.shown.map(\.key) && !back.shown[0].hasSound)
    }

    // MARK: early

    @Test(arguments: [(-59, false), (-60, true), (-300, true)])
    func earlyFromSixtySeconds(_ delay: Int, _ isTold: Bool) {
        var scene = Scene(["leave.on": "off"])
        for minute in [20, 21] {
            let shown = scene.at(
                Double(minute),
                Scene.pinned(Scene.departure(72, late: delay, at: Scene.minute(minute)), Scene.departure(82)))
            #expect(shown.shown.map(\.rule) == (isTold && minute == 21 ? [.early] : []))
        }
    }

    @Test func earlyIsToldOfLiveDataOnly() {
        var scene = Scene(["leave.on": "off"])
        for minute in [52, 53] {
            let departure = Scene.departure(72, late: -180, at: Scene.minute(minute), source: .estimated)
            #expect(scene.at(Double(minute), Scene.pinned(departure, Scene.departure(82))).isEmpty)
        }
    }

    @Test func earlyInTheNoticeToLeaveIsTold() {
        var scene = Scene()
        func subject(_ minute: Int) -> WatchedSubject {
            Scene.pinned(Scene.departure(72, late: -120, at: Scene.minute(minute)), Scene.departure(82))
        }
        #expect(scene.at(54, subject(54)).shown.map(\.rule) == [.leave])
        #expect(scene.at(55, subject(55)).isEmpty)
    }

    // MARK: platform

    private func platform(_ platform: String?, _ minute: Int, scheduled: String? = "1") -> WatchedSubject {
        Scene.pinned(
            Scene.departure(72, late: 0, at: Scene.minute(minute), platforms: (scheduled, platform)),
            Scene.departure(82))
    }

    @Test func platformIsToldWithinAnHourAndSoundsInTheLastQuarter() {
        var scene = Scene(["leave.on": "off"])
        #expect(scene.at(5, platform("2", 5)).isEmpty)
        #expect(scene.engine.nextMoment(after: scene.now) == Scene.minute(12))
        let shown = scene.at(12).shown
        #expect(shown.map(\.title) == ["Tram 5 at 08:12 now leaves from platform 2"])
        #expect(shown.first?.hasSound == false)
        #expect(scene.at(20, platform("2", 20)).isEmpty)
        let later = scene.at(57, platform("3", 57)).shown
        #expect(later.map(\.title) == ["Tram 5 at 08:12 now leaves from platform 3"])
        #expect(later.first?.hasSound == true)
        #expect(later.first?.previous?.platform == "2")
        let back = scene.at(58, platform("1", 58)).shown
        #expect(back.map(\.title) == ["Tram 5 at 08:12 now leaves from platform 1"])
    }

    @Test func platformNeedsBothAndADifference() {
        for (scheduled, platform) in [(nil, "2"), ("1", nil), ("1", "1")] as [(String?, String?)] {
            var scene = Scene(["leave.on": "off"])
            #expect(scene.at(60, self.platform(platform, 60, scheduled: scheduled)).isEmpty)
        }
    }

    // MARK: get off

    private func ride(_ minute: Double, measured: Double, before: Instant? = nil, late: Int? = 0) -> WatchedSubject {
        var departure = Scene.departure(72, late: late, at: Scene.time(measured), arrival: Scene.minute(90))
        departure.departureBeforeArrival = before
        if late == nil { departure.observation.isFresh = false }
        return Scene.pinned(departure, Scene.departure(82))
    }

    @Test func getoffIsToldTwoMinutesBefore() {
        var scene = Scene()
        scene.at(72, ride(72, measured: 72))
        _ = scene.engine.taken(Scene.departure(72).key, at: scene.now)
        #expect(scene.engine.followedDepartures == [Scene.departure(72).key])
        #expect(scene.at(87, ride(87, measured: 87)).isEmpty)
        #expect(scene.engine.nextMoment(after: scene.now) == Scene.minute(88))
        let shown = scene.at(88).shown
        #expect(shown.map(\.title) == ["Get off at Harbor: Tram 5 arrives at 08:30"])
        #expect(scene.at(89).isEmpty)
        scene.at(95)
        #expect(scene.engine.followedDepartures.isEmpty)
    }

    /// Five minutes after the departure, a usual departure is that of the next day, and the trip that was taken is listed
    /// behind it.
    @Test func getoffComesAfterTheSubjectRollsOn() {
        for kind in [SubjectKind.pinned, .usual, .commute] {
            var scene = Scene()
            func subject(_ departures: [WatchedDeparture]) -> WatchedSubject {
                WatchedSubject(
                    kind: kind, name: "x", departures: departures, walk: 480,
                    window: kind == .commute ? Scene.minute(0)...Scene.minute(80) : nil)
            }
            let own = Scene.departure(72, late: 0, at: Scene.minute(72), arrival: Scene.minute(90))
            scene.at(72, subject([own]))
            _ = scene.engine.taken(own.key, at: scene.now)
            var underWay = own
            (underWay.observation.status, underWay.observation.measured) = (.departed, Scene.minute(88))
            let shown = scene.at(88, subject([Scene.departure(72 + 1440), underWay])).shown
            #expect(shown.map(\.title) == ["Get off at Harbor: Tram 5 arrives at 08:30"], "\(kind)")
        }
    }

    @Test func getoffIsToldAtTheStopBefore() {
        var scene = Scene()
        scene.at(72, ride(72, measured: 72))
        _ = scene.engine.taken(Scene.departure(72).key, at: scene.now)
        scene.at(86, ride(86, measured: 86, before: Scene.minute(87)))
        #expect(scene.at(87, ride(87, measured: 87, before: Scene.minute(87))).shown.map(\.rule) == [.getoff])
    }

    @Test func getoffNeedsRecentLiveData() {
        var scene = Scene()
        scene.at(72, ride(72, measured: 72))
        _ = scene.engine.taken(Scene.departure(72).key, at: scene.now)
        scene.at(86, ride(86, measured: 86))
        #expect(scene.at(88).isEmpty)
        #expect(scene.at(88, ride(88, measured: 88, late: nil)).isEmpty)
        #expect(scene.at(88.5, ride(88.5, measured: 87.1)).shown.map(\.rule) == [.getoff])
    }

    // MARK: last

    private func home(_ last: WatchedDeparture?) -> WatchedSubject {
        var subject = Scene.commute(Scene.departure(600), window: -120 ... -60, home: true)
        subject.last = last
        return subject
    }

    @Test func lastIsToldAnHourBeforeLeaveBy() {
        var scene = Scene(["quiet.on": "off"])
        scene.at(400, home(Scene.departure(600)))
        // 17:00 - 8 min - 5 min - 60 min.
        #expect(scene.engine.nextMoment(after: scene.now) == Scene.minute(527))
        let shown = scene.at(527).shown
        #expect(shown.map(\.title) == ["Last trip home: Tram 5 at 17:00"])
        #expect(shown.first?.leaveBy == Scene.minute(587))
        #expect(shown.first?.hasSound == false)
        // A person who is probably at home sees the notice updated in place.
        let leave = scene.at(582).shown
        #expect(leave.map(\.title) == ["Leave by 16:47: Tram 5 at 17:00"])
        #expect(leave.map(\.operation) == [.update] && leave.map(\.hasSound) == [false])
        #expect(scene.at(583).isEmpty)
    }

    /// Each row: a sign that the person is out, which makes the notices sound outside the window of the commute.
    @Test(arguments: ["taken", "pinned", "window"]) func lastSoundsForAUserWhoIsOut(_ sign: String) {
        var scene = Scene(["quiet.on": "off"])
        var home = home(Scene.departure(600))
        if sign == "window" { home.window = Scene.minute(500)...Scene.minute(700) }
        var pinned = Scene.pinned(Scene.departure(72))
        scene.at(70, pinned, home)
        if sign == "taken" { _ = scene.engine.taken(Scene.departure(72).key, at: scene.now) }
        if sign != "pinned" { pinned = Scene.pinned(Scene.departure(72 + 1440)) }
        scene.at(75, pinned, home)
        scene.restart()
        pinned = Scene.pinned(Scene.departure(72 + 1440))
        home.departures = [Scene.departure(590), Scene.departure(600)]
        scene.at(500, pinned, home)
        var decisions: [NotificationDecision] = []
        for minute in 501..<600 { decisions += scene.at(Double(minute)) }
        let own = decisions.shown.filter { $0.departure?.key == Scene.departure(600).key }
        #expect(own.map(\.rule) == [.last, .leave])
        #expect(own.map(\.hasSound) == [true, true])
    }

    @Test func cancellationOfTheLastDepartureOutsideTheWindowIsShown() {
        var scene = Scene(["quiet.on": "off"])
        var home = home(Scene.departure(600))
        scene.at(500, home)
        #expect(scene.at(527).shown.map(\.rule) == [.last])
        // Outside the window, the departures are those of the next one.
        home.departures = [Scene.departure(1500)]
        home.last = Scene.departure(570)
        home.canceledLast = [Scene.departure(600, at: Scene.minute(530), status: .canceled)]
        let shown = scene.at(530, home).shown
        #expect(shown.map(\.title).contains("Tram 5 at 17:00 is canceled"))
        #expect(shown.map(\.title).contains("Last trip home: Tram 5 at 16:30"))
    }

    @Test func goingHomeWithdrawsTheLastDeparture() {
        var scene = Scene(["quiet.on": "off"])
        var home = home(Scene.departure(600))
        home.departures = [Scene.departure(400)]
        scene.at(500, home)
        scene.at(527)
        #expect(scene.engine.taken(Scene.departure(400).key, at: Scene.minute(530)).map(\.rule) == [.last])
    }

    @Test func lastIsRepeatedForAUserWhoIsOut() {
        var scene = Scene(["quiet.on": "off"])
        scene.at(72, Scene.pinned(Scene.departure(72)), home(Scene.departure(600)))
        _ = scene.engine.taken(Scene.departure(72).key, at: scene.now)
        #expect(scene.at(527, home(Scene.departure(600))).shown.map(\.hasSound) == [true])
        #expect(scene.at(582).shown.map(\.rule) == [.leave])
    }

    @Test func lastIsNotToldAfterGoingHome() {
        var scene = Scene(["quiet.on": "off"])
        let subject = home(Scene.departure(600))
        scene.at(400, subject)
        _ = scene.engine.taken(Scene.departure(600).key, at: Scene.minute(401))
        #expect(scene.at(527).isEmpty)
    }
}
