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
        let shown = scene.at(0)
        #expect(shown.titles == ["Tram 5 at 07:15 is canceled"])
        #expect(shown.first?.body == "Next: 07:25, leave by 07:12.")
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

    private func about(_ date: ServiceDate?, _ key: String, _ rule: NotificationRule) -> NotificationDecision {
        var decision = network(key, rule, at: Scene.minute(660))
        decision.date = date
        return decision
    }

    /// At 18:00 on a day off, and on the evening before one.
    @Test func dayOffMutesWhatConcernsThatDay() throws {
        let (today, tomorrow) = (Scene.date, Scene.date.advanced(by: 1))
        for (dayOff, expected) in [
            (today, ["brief", "machine", "badge"]), (tomorrow, ["today", "alert", "machine", "badge"]),
        ] {
            var scene = Scene(["brief.on": "on", "bucket.burst": "9", "streak.on": "on"])
            scene.engine.settings.daysOff = try DaysOff(list: "\(dayOff)")
            scene.at(600)
            let decisions = scene.engine.admit(
                [
                    about(tomorrow, "brief", .brief), about(today, "today", .streak), about(nil, "alert", .alert),
                    about(nil, "machine", .machine), about(nil, "badge", .badge),
                ], now: Scene.minute(660))
            #expect(decisions.filter { $0.suppression == nil }.map(\.key) == expected)
            #expect(
                decisions.filter { $0.suppression != nil }.allSatisfy { $0.suppression == "\(dayOff) is a day off." })
        }
    }

    @Test func digestOnADayOffLeavesOutWhatConcernsTheDay() throws {
        var scene = Scene()
        scene.engine.settings.daysOff = try DaysOff(list: "2026-03-25, 2026-03-27")
        scene.at(60)
        func waiting(_ key: String, _ rule: NotificationRule, _ date: ServiceDate?) -> NotificationDecision {
            var decision = network(key, rule, digest: true, hours: 72)
            decision.date = date
            return decision
        }
        _ = scene.engine.admit(
            [
                waiting("alert", .alert, nil), waiting("tomorrow", .timetable, Scene.date.advanced(by: 1)),
                waiting("dayOff", .timetable, Scene.date.advanced(by: 2)), waiting("expiry", .machine, nil),
            ], now: Scene.minute(60))
        #expect(scene.at(660).shown.first?.items.map(\.title) == ["Title of tomorrow", "Title of expiry"])
        #expect(scene.at(1440).titles == ["Title of alert"])
    }

    @Test func mutesEnd() {
        var scene = Scene()
        scene.at(50, Scene.pinned(Scene.departure(72), Scene.departure(82)))
        scene.engine.mute(nil, until: Scene.minute(59))
        #expect(scene.at(57).first?.suppression == "Notifications are muted until 07:59.")
        #expect(scene.engine.nextMoment(after: scene.now) == Scene.minute(59))
        #expect(scene.at(59).titles == ["Leave by 08:02: Tram 5 at 08:12"])
    }

    @Test func muteOfOneRuleLeavesTheOthers() {
        var scene = Scene()
        scene.engine.mute(.leave, until: nil)
        scene.at(50, Scene.pinned(Scene.departure(72), Scene.departure(82)))
        #expect(scene.at(57).first?.suppression == "The rule leave is muted.")
        let late = Scene.departure(72, late: 400, at: Scene.minute(58))
        #expect(scene.at(58, Scene.pinned(late, Scene.departure(82))).shown.map(\.rule) == [.delay])
        #expect(scene.engine.mutes(at: scene.now).map(\.rule) == [.leave])
    }

    // MARK: Bucket

    @Test func bucketAllowsThreeInSuccessionAndSixPerHour() {
        var scene = Scene()
        scene.at(60)
        let first = scene.engine.admit((1...5).map { network("m\($0)") }, now: Scene.minute(60))
        #expect(first.map { $0.suppression == nil } == [true, true, true, false, false])
        #expect(
            first.last?.suppression
                == "At most 6 notifications per hour are shown, and 3 in quick succession. The next one can follow at 08:10."
        )
        #expect(scene.engine.admit([network("n1")], now: Scene.minute(70)).titles.count == 1)
        #expect(scene.engine.admit([network("n2")], now: Scene.minute(71)).titles.isEmpty)
        #expect(scene.engine.admit((1...4).map { network("o\($0)") }, now: Scene.minute(140)).titles.count == 3)
    }

    @Test func lessUrgentNotificationsDoNotSilenceNoticesToLeave() {
        var scene = Scene()
        scene.at(50, Scene.pinned(Scene.departure(72), Scene.departure(82)))
        let alerts = scene.engine.admit((1...4).map { network("m\($0)", .alert) }, now: Scene.minute(55))
        #expect(alerts.map { $0.suppression == nil } == [true, true, true, false])
        #expect(scene.at(57).titles == ["Leave by 08:02: Tram 5 at 08:12"])
        // The notice to leave takes nothing from the bucket of the others.
        #expect(scene.engine.admit([network("n")], now: Scene.minute(65)).titles.count == 1)
    }

    @Test func noticesToLeaveHaveABucketOfTheSameSizeAndCancellationsAreExempt() {
        func pinned(_ minute: Int, _ status: CallStatus = .scheduled) -> WatchedSubject {
            WatchedSubject(
                kind: .pinned, name: "\(minute)", departures: [Scene.departure(minute, status: status)], walk: 480)
        }
        var scene = Scene()
        let subjects = [pinned(72), pinned(73), pinned(74), pinned(75)]
        scene.at(50, subjects[0], subjects[1], subjects[2], subjects[3])
        var decisions: [NotificationDecision] = []
        for minute in 51..<59 { decisions += scene.at(Double(minute)) }
        #expect(decisions.filter { $0.suppression == nil }.count == 3)
        #expect(decisions.last?.suppression?.hasPrefix("At most 6 notifications per hour are shown") == true)
        let canceled = scene.at(59, subjects[0], subjects[1], subjects[2], pinned(75, .canceled))
        #expect(canceled.titles == ["Tram 5 at 08:15 is canceled"])
    }

    /// A favorite is not a departure that the user chose.
    @Test func favoritesDrawFromTheGeneralBucket() {
        var scene = Scene(["leave.favorites": "on"])
        let favorite = WatchedSubject(
            kind: .favorite, name: "f", departures: [Scene.departure(72), Scene.departure(82)], walk: 480)
        scene.at(50, favorite)
        _ = scene.engine.admit((1...3).map { network("m\($0)") }, now: Scene.minute(55))
        #expect(scene.at(57).first?.suppression != nil)
    }

    // MARK: Withdrawals

    @Test func withdrawalRepeatsWhatItWithdraws() {
        var scene = Scene()
        scene.at(20, Scene.pinned(Scene.departure(72), Scene.departure(82)))
        let canceled = scene.at(
            30, Scene.pinned(Scene.departure(72, at: Scene.minute(30), status: .canceled), Scene.departure(82))
        ).shown[0]
        let withdrawn = scene.engine.taken(Scene.departure(82).key, at: Scene.minute(31))
        #expect(withdrawn.map(\.operation) == [.withdraw])
        #expect(withdrawn.first?.rule == .canceled)
        #expect(withdrawn.first?.title == canceled.title && withdrawn.first?.body == canceled.body)
        #expect(withdrawn.first?.key == canceled.key && withdrawn.first?.revision == canceled.revision + 1)
        #expect(withdrawn.first?.validUntil == canceled.validUntil)
        #expect(withdrawn.first?.urgency == .low && withdrawn.first?.hasSound == false)
    }

    @Test func withdrawalIsValidForTenMinutesAtLeast() {
        var scene = Scene()
        scene.at(50, Scene.pinned(Scene.departure(72), Scene.departure(82)))
        let leave = scene.at(57).shown[0]
        scene.restart()
        scene.at(70, Scene.pinned(Scene.departure(72), Scene.departure(82)))
        #expect(leave.validUntil == Scene.minute(74))
        let withdrawn = scene.engine.taken(Scene.departure(72).key, at: Scene.minute(72))
        #expect(withdrawn.first?.validUntil == Scene.minute(82))
        #expect(withdrawn.first?.title == leave.title && withdrawn.first?.rule == .leave)
    }

    @Test func endOfAnAlertRepeatsTheAlert() {
        var engine = Scene().engine
        let shown = engine.admit([network("a", .alert)], now: Scene.minute(60))[0]
        let withdrawn = engine.admit([network("a", operation: .withdraw)], now: Scene.minute(70))
        #expect(withdrawn.map(\.rule) == [.alert])
        #expect(withdrawn.map(\.title) == [shown.title] && withdrawn.map(\.body) == [shown.body])
        #expect(withdrawn.map(\.validUntil) == [shown.validUntil])
    }

    @Test func clockSetBackDoesNotCloseTheBucket() {
        var scene = Scene(["quiet.on": "off"])
        scene.at(60)
        _ = scene.engine.admit((1...3).map { network("m\($0)") }, now: Scene.minute(1000))
        #expect(scene.engine.admit([network("n")], now: Scene.minute(60)).titles.isEmpty)
        // Long before the clock is where it was, the bucket is as full as it becomes in this time.
        #expect(scene.engine.admit([network("o")], now: Scene.minute(71)).titles.count == 1)
    }

    // MARK: Digest

    @Test func digestIsShownAtSixAndAfterQuietHours() {
        var scene = Scene()
        scene.at(60)
        #expect(scene.engine.admit([network("a", .alert, digest: true)], now: Scene.minute(60)).isEmpty)
        _ = scene.engine.admit(
            [network("b", .timetable, digest: true), network("a", .alert, digest: true)], now: Scene.minute(61))
        #expect(scene.engine.nextMoment(after: Scene.minute(61)) == Scene.minute(660))
        scene.restart()
        scene.at(61)
        let digest = scene.at(660).shown
        #expect(digest.map(\.title) == ["2 transit updates"])
        #expect(digest.first?.items.map(\.title) == ["Title of a", "Title of b"])
        #expect(digest.first?.body == "- Title of a\n- Title of b")
        #expect(scene.at(661).isEmpty)
        #expect(scene.engine.nextMoment(after: Scene.minute(661)) == nil)
        // What comes shortly after the digest is shown at once, and what comes later in the morning.
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
        let shown = scene.engine.test(.leave, at: scene.now)
        #expect(shown.map(\.isTest) == [true])
        #expect(shown.first?.suppression == nil)
    }
}
