import Testing
import TransitModel
import TransitNotifications

/// Which departures are subjects, and which of them tells.
struct SubjectTests {
    @Test func oneRunIsOneSubjectOfTheFirstKind() {
        var scene = Scene()
        let departures = [Scene.departure(72), Scene.departure(82)]
        let subjects = SubjectKind.allCases.reversed().map {
            WatchedSubject(
                kind: $0, name: $0.rawValue, departures: departures, walk: 480,
                window: Scene.minute(0)...Scene.minute(120))
        }
        scene.at(50, subjects[0], subjects[1], subjects[2], subjects[3])
        let shown = scene.at(57).shown
        #expect(shown.map(\.subjectKind) == ["pinned"])
    }

    @Test func commuteHasOneAtATime() {
        var scene = Scene(["leave.per_window": "9"])
        let departures = [20, 30, 40, 50].map { Scene.departure($0) }
        func commute(_ from: Int) -> WatchedSubject {
            WatchedSubject(
                kind: .commute, name: "work", departures: Array(departures[from...]), walk: 480,
                window: Scene.minute(0)...Scene.minute(120))
        }
        var shown: [String] = []
        for minute in 0..<50 {
            let first = [20, 30, 40, 50].firstIndex { $0 + 3 > minute }!
            shown += scene.at(Double(minute), commute(first)).titles
        }
        // The next one is announced after the first one left: 07:20, then the first that can be caught at 07:23.
        #expect(shown == ["Leave by 07:10: Tram 5 at 07:20", "Leave by 07:30: Tram 5 at 07:40"])
    }

    /// A commute with departures each ten minutes from 07:20, and what it decides until 08:00.
    private func window(
        _ settings: [String: String] = [:], usual: Bool = false,
        _ change: (_ minute: Int, _ departures: inout [WatchedDeparture]) -> Void = { _, _ in }
    ) -> [NotificationDecision] {
        var scene = Scene(settings)
        var decisions: [NotificationDecision] = []
        for minute in 0..<60 {
            var departures = [20, 30, 40, 50, 60, 70].map { Scene.departure($0, late: 0, at: Scene.minute(minute)) }
            change(minute, &departures)
            departures.removeAll { $0.key.scheduled.advanced(by: 180) <= Scene.minute(minute) }
            let commute = WatchedSubject(
                kind: .commute, name: "work", departures: departures, walk: 480,
                window: Scene.minute(0)...Scene.minute(120))
            if usual, minute < 25 {
                let own = departures.filter { $0.key.scheduled == Scene.minute(20) }
                decisions += scene.at(
                    Double(minute),
                    WatchedSubject(kind: .usual, name: "usual", departures: own, walk: 480), commute)
            } else {
                decisions += scene.at(Double(minute), commute)
            }
        }
        return decisions
    }

    @Test func onlyTheFirstDepartureOfAWindowSounds() {
        let decisions = window()
        let leaves = decisions.shown.filter { $0.rule == .leave }
        #expect(leaves.map(\.title) == ["Leave by 07:10: Tram 5 at 07:20", "Leave by 07:30: Tram 5 at 07:40"])
        #expect(leaves.map(\.hasSound) == [true, false])
        #expect(leaves.map(\.urgency) == [.high, .normal])
        #expect(decisions.shown.filter(\.hasSound).count == 1)
        let rest = decisions.filter { $0.suppression != nil }
        #expect(rest.map(\.title) == ["Leave by 07:50: Tram 5 at 08:00", "Leave by 07:57: Tram 5 at 08:10"])
        #expect(rest.allSatisfy { $0.suppression == "2 departures were already announced in this window of work." })
    }

    @Test func cancellationOfTheAnnouncedDepartureLetsTheNextOneSound() {
        let decisions = window { minute, departures in
            if minute >= 11 { departures[0].observation.status = .canceled }
        }
        #expect(
            decisions.shown.map { "\($0.hasSound ? "!" : "") \($0.rule)" }.prefix(3) == [
                "! leave", "! canceled", "! leave",
            ])
        #expect(decisions.shown.dropFirst(3).allSatisfy { !$0.hasSound })
    }

    @Test func departureThatBecomesUncatchableLetsTheNextOneSound() {
        let decisions = window { minute, departures in
            // 07:20 is six minutes late, and makes up all of it when it is too late to leave.
            departures[0].observation.expected = Scene.minute(20).advanced(by: minute < 14 ? 360 : 0)
            departures[0].observation.uncertainty = 0
        }
        let sounds = decisions.shown.filter(\.hasSound).map(\.title)
        #expect(sounds.contains("You can no longer catch Tram 5 at 07:20"))
        #expect(sounds.contains("Leave by 07:20: Tram 5 at 07:30"))
    }

    /// A usual departure at 08:45 is in the window, but its own notices begin 90 minutes before.
    @Test func ownDepartureLaterInTheWindowIsTheOne() {
        var scene = Scene()
        let departures = [20, 30, 100, 110].map { Scene.departure($0) }
        let commute = WatchedSubject(
            kind: .commute, name: "work", departures: departures, walk: 480, window: Scene.minute(0)...Scene.minute(150)
        )
        let usual = WatchedSubject(
            kind: .usual, name: "usual", departures: [departures[2], departures[3]], walk: 480)
        var shown: [NotificationDecision] = []
        scene.at(0, usual, commute)
        for minute in 1..<95 { shown += scene.at(Double(minute)) }
        #expect(shown.titles == ["Leave by 08:30: Tram 5 at 08:40"])
    }

    /// The usual departure is canceled, and its own route offers nothing else. Another route of the commute does.
    @Test func cancellationOfTheOwnDepartureFreesItsCommute() {
        var scene = Scene()
        func evaluate(_ minute: Int, canceled: Bool) -> [NotificationDecision] {
            let own = Scene.departure(72, at: Scene.minute(minute), status: canceled ? .canceled : .scheduled)
            let other = Scene.departure(80, route: "24", at: Scene.minute(minute))
            return scene.at(
                Double(minute), WatchedSubject(kind: .usual, name: "usual", departures: [own], walk: 480),
                WatchedSubject(
                    kind: .commute, name: "work", departures: [own, other], walk: 480,
                    window: Scene.minute(30)...Scene.minute(120))
            ).shown
        }
        var shown: [NotificationDecision] = []
        for minute in 40..<72 { shown += evaluate(minute, canceled: minute >= 58) }
        #expect(shown.map(\.rule) == [.leave, .canceled, .leave])
        #expect(shown.last?.title.contains("Tram 24") == true && shown.last?.hasSound == true)
    }

    @Test func ownDepartureSuppressesTheOthersOfItsWindowWithAReason() {
        let decisions = window(usual: true)
        #expect(decisions.shown.map(\.title) == ["Leave by 07:07: Tram 5 at 07:20"])
        #expect(!decisions.filter { $0.suppression != nil }.isEmpty)
        #expect(
            decisions.filter { $0.suppression != nil }.allSatisfy {
                $0.suppression == "Your pinned or usual departure was already announced in this window of work."
            })
    }

    @Test func commuteTellsOnlyInItsWindow() {
        var scene = Scene()
        let departures = [20, 30, 40, 50].map { Scene.departure($0) }
        let subject = WatchedSubject(
            kind: .commute, name: "work", departures: departures, walk: 480, window: Scene.minute(15)...Scene.minute(25)
        )
        #expect(scene.at(5, subject).isEmpty)
        #expect(scene.engine.nextMoment(after: scene.now) == Scene.minute(15))
        #expect(scene.at(15).titles == ["Leave by 07:20: Tram 5 at 07:30"])
        #expect(scene.at(26).isEmpty)
        // 07:40 would have to be left for after the window.
        #expect(scene.at(35).isEmpty)
    }

    @Test func takenEndsTheWindow() {
        var scene = Scene()
        let departures = [20, 30, 40, 50].map { Scene.departure($0) }
        let subject = WatchedSubject(
            kind: .commute, name: "work", departures: departures, walk: 480, window: Scene.minute(0)...Scene.minute(120)
        )
        scene.at(5, subject)
        let withdrawn = scene.engine.taken(departures[0].key, at: Scene.minute(20))
        #expect(withdrawn.map(\.operation) == [.withdraw])
        for minute in 20..<60 { #expect(scene.at(Double(minute)).isEmpty) }
    }

    @Test func usualDepartureSpeaksForItsCommute() {
        var scene = Scene(["leave.per_window": "9"])
        let departures = [62, 72, 82, 92].map { Scene.departure($0) }
        let commute = WatchedSubject(
            kind: .commute, name: "work", departures: departures, walk: 480,
            window: Scene.minute(30)...Scene.minute(120))
        let usual = WatchedSubject(
            kind: .usual, name: "usual", departures: [departures[1], departures[0], departures[2], departures[3]],
            walk: 480)
        var shown: [NotificationDecision] = []
        scene.at(20, usual, commute)
        for minute in 21..<90 { shown += scene.at(Double(minute)) }
        #expect(shown.titles == ["Leave by 08:02: Tram 5 at 08:12"])
    }

    @Test func favoritesAreToldOfCancellationsOnlyByDefault() {
        let favorite = WatchedSubject(
            kind: .favorite, name: "5 at Market Square",
            departures: [Scene.departure(72), Scene.departure(82)], walk: 480)
        var scene = Scene()
        for minute in 0..<72 { #expect(scene.at(Double(minute), favorite).isEmpty) }
        #expect(scene.at(75, favorite).isEmpty)
        var canceled = favorite
        canceled.departures[0].observation.status = .canceled
        var other = Scene()
        #expect(other.at(30, canceled).shown.map(\.rule) == [.canceled])
        var all = Scene(["leave.favorites": "on"])
        all.at(20, favorite)
        #expect(all.at(57).shown.map(\.rule) == [.leave])
    }

    @Test func departureIsArmedNinetyMinutesBefore() {
        var scene = Scene()
        let canceled = Scene.pinned(Scene.departure(120, status: .canceled), Scene.departure(130))
        #expect(scene.at(29, canceled).isEmpty)
        #expect(scene.engine.nextMoment(after: scene.now) == Scene.minute(30))
        let shown = scene.at(30).shown
        #expect(shown.map(\.rule) == [.canceled])
        // A first run tells what is wrong, and no history.
        #expect(shown.first?.previous == nil)
    }

    @Test func nextButtonMovesOn() {
        var scene = Scene()
        scene.at(50, Scene.pinned(Scene.departure(72), Scene.departure(82), Scene.departure(92)))
        let leave = scene.at(57).shown[0]
        #expect(scene.engine.act(leave.id, "unknown", at: scene.now) == nil)
        #expect(scene.engine.act("departure-0-1-0", "next", at: scene.now) == nil)
        let decisions = scene.engine.act(leave.id, "next", at: Scene.minute(58))
        #expect(decisions?.map(\.operation) == [.withdraw, .show])
        #expect(decisions?.last?.title == "Next: Tram 5 at 08:22")
        #expect(decisions?.last?.hasSound == false)
        for minute in 58..<67 { #expect(scene.at(Double(minute)).isEmpty) }
        #expect(scene.at(67).titles == ["Leave by 08:12: Tram 5 at 08:22"])
    }

    @Test func takenButtonAndMuteButton() {
        var scene = Scene()
        scene.at(50, Scene.pinned(Scene.departure(72), Scene.departure(82)))
        let leave = scene.at(57).shown[0]
        #expect(scene.engine.act(leave.id, "mute-today", at: scene.now)?.map(\.operation) == [.withdraw])
        #expect(
            scene.engine.mutes(at: scene.now).map(\.until) == [
                Scene.zone.instant(date: Scene.date.advanced(by: 1), secondsOfDay: 0)
            ])
        scene.engine.unmute(nil)
        #expect(scene.engine.act(leave.id, "taken", at: scene.now) == [])
        #expect(scene.engine.followedDepartures == [Scene.departure(72).key])
    }
}
