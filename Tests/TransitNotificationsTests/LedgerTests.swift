import Testing
import TransitModel
import TransitNotifications

/// Quiet hours, days off, mutes, the bucket and the digest.
struct LedgerTests {
    private func network(
        _ key: String, _ rule: NotificationRule = .machine, digest: Bool = false, hours: Int = 24,
        at now: Instant = Scene.start, operation: NotificationDecision.Operation = .show
    ) -> NotificationDecision {
        var decision = NotificationDecision(
            id: "", key: key, revision: 0, operation: operation, rule: rule, at: now,
            validUntil: now.advanced(by: hours * 3600), title: "Title of \(key)", body: "Body", subjectKind: "machine",
            subjectName: "city", reason: "A test.")
        decision.isForDigest = digest
        return decision
    }

    // MARK: Numbering

    @Test func revisionsCountForEachKey() {
        var engine = Scene().engine
        let first = engine.admit([network("a"), network("b"), network("a")], now: Scene.minute(60))
        let time = Scene.minute(60).secondsSince1970
        #expect(first.map(\.id) == ["a-1-\(time)", "b-1-\(time)", "a-2-\(time)"])
        #expect(first.map(\.operation) == [.show, .show, .update])
        #expect(engine.admit([network("c", operation: .withdraw)], now: Scene.minute(61)).isEmpty)
        #expect(
            engine.admit([network("a", operation: .withdraw)], now: Scene.minute(61)).map(\.operation) == [.withdraw])
    }

    @Test func rulesThatAreOffAreDropped() {
        var engine = Scene(["machine.on": "off"]).engine
        #expect(engine.admit([network("a"), network("b", .streak)], now: Scene.minute(60)).isEmpty)
        #expect(engine.state.suppressed.isEmpty)
    }

    // MARK: Quiet hours

    @Test func quietHoursPassPinnedDeparturesOnly() {
        for (kind, isTold) in [(SubjectKind.pinned, true), (.usual, false)] {
            var scene = Scene()
            // 06:30 is before the end of the quiet hours.
            let subject = WatchedSubject(
                kind: kind, name: "x", departures: [Scene.departure(-20), Scene.departure(-10)], walk: 480)
            scene.at(-60, subject)
            let decisions = scene.at(-35)
            #expect(decisions.titles == (isTold ? ["Leave by 06:30: Tram 5 at 06:40"] : []))
            if !isTold { #expect(decisions.map(\.suppression) == ["Quiet hours last until 07:00."]) }
            #expect(scene.at(-34).isEmpty)
        }
    }

    @Test func whatStillHoldsIsToldAfterQuietHours() {
        var scene = Scene()
        scene.at(-50, Scene.usual(Scene.departure(15), Scene.departure(25)))
        let withheld = scene.at(-40, Scene.usual(Scene.departure(15, status: .canceled), Scene.departure(25)))
        #expect(withheld.titles.isEmpty && withheld.count == 1)
        #expect(scene.engine.nextMoment(after: scene.now) == Scene.minute(0))
        let told = scene.at(0)
        #expect(told.titles == ["Tram 5 at 07:15 is canceled"])
        #expect(told.first?.body == "Next: 07:25, leave by 07:12.")
    }

    @Test func quietHoursAcrossClockChanges() throws {
        let zone = Scene.zone
        for (date, hours) in [
            (ServiceDate(year: 2026, month: 3, day: 8)!, 8), (ServiceDate(year: 2026, month: 11, day: 1)!, 10),
        ] {
            var engine = NotificationEngine(
                settings: NotificationSettings(machine: [:], personal: ["notifications.on": "on"]))
            let start = zone.instant(date: date.advanced(by: -1), secondsOfDay: 22 * 3600)
            _ = engine.evaluate(NotificationInput(now: start.advanced(by: -60), zone: zone, subjects: []))
            #expect(engine.admit([network("a", at: start)], now: start.advanced(by: -1)).titles.count == 1)
            #expect(
                engine.admit([network("b", at: start)], now: start).first?.suppression
                    == "Quiet hours last until 07:00.")
            let end = start.advanced(by: hours * 3600)
            #expect(engine.nextMoment(after: start) == end)
            #expect(engine.evaluate(NotificationInput(now: end, zone: zone)).titles == ["Title of b"])
        }
    }

    // MARK: Days off and mutes

    @Test func dayOffTellsOnlyWhatIsPinnedForItsDate() throws {
        for isForDate in [false, true] {
            var scene = Scene()
            scene.engine.settings.daysOff = try DaysOff(list: "2026-03-25")
            var subject = Scene.pinned(Scene.departure(72), Scene.departure(82))
            subject.isForDate = isForDate
            scene.at(50, subject)
            let decisions = scene.at(57)
            #expect(decisions.titles.count == (isForDate ? 1 : 0))
            if !isForDate { #expect(decisions.first?.suppression == "2026-03-25 is a day off.") }
        }
    }

    @Test func mutesEnd() {
        var scene = Scene()
        scene.at(50, Scene.pinned(Scene.departure(72), Scene.departure(82)))
        scene.engine.mute(nil, until: Scene.minute(59))
        #expect(scene.at(57).first?.suppression == "It is muted until 07:59.")
        #expect(scene.engine.nextMoment(after: scene.now) == Scene.minute(59))
        #expect(scene.at(59).titles == ["Leave by 08:02: Tram 5 at 08:12"])
    }

    @Test func muteOfOneRuleLeavesTheOthers() {
        var scene = Scene()
        scene.engine.mute(.leave, until: nil)
        scene.at(50, Scene.pinned(Scene.departure(72), Scene.departure(82)))
        #expect(scene.at(57).first?.suppression == "The rule leave is muted.")
        let late = Scene.departure(72, late: 400, at: Scene.minute(58))
        #expect(scene.at(58, Scene.pinned(late, Scene.departure(82))).told.map(\.rule) == [.delay])
        #expect(scene.engine.mutes(at: scene.now).map(\.rule) == [.leave])
    }

    // MARK: Bucket

    @Test func bucketOfThreeAndSixAnHour() {
        var scene = Scene()
        scene.at(60)
        let first = scene.engine.admit((1...5).map { network("m\($0)") }, now: Scene.minute(60))
        #expect(first.map { $0.suppression == nil } == [true, true, true, false, false])
        #expect(
            first.last?.suppression
                == "6 notifications an hour are told, 3 in quick succession. The next can be told at 08:10.")
        #expect(scene.engine.admit([network("n1")], now: Scene.minute(70)).titles.count == 1)
        #expect(scene.engine.admit([network("n2")], now: Scene.minute(71)).titles.isEmpty)
        #expect(scene.engine.admit((1...4).map { network("o\($0)") }, now: Scene.minute(140)).titles.count == 3)
    }

    @Test func cancellationsAreExemptAndTheOthersAreToldLater() {
        var scene = Scene()
        scene.at(50, Scene.pinned(Scene.departure(72), Scene.departure(82)))
        _ = scene.engine.admit((1...3).map { network("m\($0)") }, now: Scene.minute(55))
        #expect(scene.at(57).first?.suppression != nil)
        let canceled = scene.at(58, Scene.pinned(Scene.departure(72, status: .canceled), Scene.departure(82)))
        #expect(canceled.titles == ["Tram 5 at 08:12 is canceled"])
    }

    @Test func clockSetBackDoesNotCloseTheBucket() {
        var scene = Scene(["quiet.on": "off"])
        scene.at(60)
        _ = scene.engine.admit((1...3).map { network("m\($0)") }, now: Scene.minute(1000))
        #expect(scene.engine.admit([network("n")], now: Scene.minute(60)).titles.isEmpty)
        #expect(scene.engine.admit([network("o")], now: Scene.minute(1011)).titles.count == 1)
    }

    // MARK: Digest

    @Test func digestAtSixAndAfterQuietHours() {
        var scene = Scene()
        scene.at(60)
        #expect(scene.engine.admit([network("a", .alert, digest: true)], now: Scene.minute(60)).isEmpty)
        _ = scene.engine.admit(
            [network("b", .timetable, digest: true), network("a", .alert, digest: true)], now: Scene.minute(61))
        #expect(scene.engine.nextMoment(after: Scene.minute(61)) == Scene.minute(660))
        scene.restart()
        scene.at(61)
        let digest = scene.at(660).told
        #expect(digest.map(\.title) == ["2 messages"])
        #expect(digest.first?.items.map(\.title) == ["Title of a", "Title of b"])
        #expect(digest.first?.body == "- Title of a\n- Title of b")
        #expect(scene.at(661).isEmpty)
        #expect(scene.engine.nextMoment(after: Scene.minute(661)) == nil)
        // What comes shortly after the digest is told at once, and what comes later in the morning.
        #expect(
            scene.engine.admit([network("c", .alert, digest: true)], now: Scene.minute(663)).titles == ["Title of c"])
        #expect(scene.engine.admit([network("d", .alert, digest: true)], now: Scene.minute(700)).isEmpty)
        #expect(scene.at(1439).isEmpty)
        #expect(scene.at(1440).titles == ["Title of d"])
    }

    @Test func suppressedInQuietHoursBecomesPartOfTheDigest() {
        var scene = Scene()
        scene.at(60)
        let night = Scene.minute(16 * 60)
        #expect(
            scene.engine.admit([network("a", at: night), network("b", hours: 1, at: night)], now: night).titles.isEmpty)
        #expect(scene.at(1440).titles == ["Title of a"])
    }

    @Test func withdrawnEntriesLeaveTheDigest() {
        var scene = Scene()
        scene.at(60)
        _ = scene.engine.admit([network("a", .alert, digest: true)], now: Scene.minute(60))
        _ = scene.engine.admit([network("a", .alert, operation: .withdraw)], now: Scene.minute(61))
        #expect(scene.at(660).isEmpty)
    }

    @Test func dayOffKeepsTheDigestForTheNextDay() throws {
        var scene = Scene()
        scene.engine.settings.daysOff = try DaysOff(list: "2026-03-25")
        scene.at(60)
        _ = scene.engine.admit([network("a", .alert, digest: true, hours: 48)], now: Scene.minute(60))
        #expect(scene.at(660).isEmpty)
        #expect(scene.at(1440).titles == ["Title of a"])
    }

    @Test func testsAreAlwaysTold() {
        var scene = Scene()
        scene.at(-60)
        scene.engine.mute(nil, until: Scene.minute(100))
        let told = scene.engine.test(.leave, at: scene.now)
        #expect(told.map(\.isTest) == [true])
        #expect(told.first?.suppression == nil)
    }
}
