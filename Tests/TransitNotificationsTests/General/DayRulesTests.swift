import Testing
import TransitModel
import TransitQueries

@testable import TransitNotifications

/// Checks crowding, weather, badges, the streak and the evening brief.
@Suite struct DayRulesTests {
    private func event(
        start: String = "2026-03-27 19:30", end: String? = "2026-03-27 22:30", miles: Double = 0.8,
        large: Bool = true, planned: Bool = true, window: (String, String)? = nil
    ) -> EventNearStation {
        EventNearStation(
            id: "e1", name: "The Band", kind: "concert", venue: "Chase Center", station: "4th & King", miles: miles,
            start: berlinTime(start), end: end.map(berlinTime), isAtLargeVenue: large, isPlanned: planned,
            commute: "home",
            windows: window.map { [berlinTime("2026-03-27 \($0.0)")...berlinTime("2026-03-27 \($0.1)")] } ?? [])
    }

    private func crowding(_ events: [EventNearStation]?, _ memory: inout EventCrowdingRule.Memory, at time: String)
        -> [NotificationDecision]
    {
        EventCrowdingRule.decide(at: berlinTime("2026-03-27 \(time)"), &memory) { $0.events = events }
    }

    @Test(arguments: [
        ("17:29", nil), ("17:30", "concert at 19:30"), ("19:29", "concert at 19:30"),
        ("19:30", "concert until about 22:30"), ("20:00", "concert until about 22:30"), ("20:01", nil),
        ("21:44", nil), ("21:45", "concert until about 22:30"), ("23:15", "concert until about 22:30"), ("23:16", nil),
    ])
    func crowdedTimes(time: String, text: String?) {
        var memory = EventCrowdingRule.Memory()
        let titles = crowding([event()], &memory, at: time).map(\.title)
        #expect(titles == (text.map { ["Expect crowds at 4th & King: \($0)"] } ?? []))
    }

    @Test func eventIsToldOnce() {
        var memory = EventCrowdingRule.Memory()
        let first = crowding([event()], &memory, at: "18:00")
        #expect(first.map(\.validUntil) == [berlinTime("2026-03-27 20:00")])
        #expect(first.map(\.subjectName) == ["home"])
        #expect(crowding([event()], &memory, at: "22:00").isEmpty)
        #expect(memory.restored == memory)
        // After its end, it is forgotten silently.
        #expect(crowding([], &memory, at: "23:30").isEmpty)
        #expect(memory.entries.isEmpty)
    }

    @Test func otherEventsAreNotTold() {
        for other in [event(miles: 1.6), event(large: false), event(planned: false)] {
            var memory = EventCrowdingRule.Memory()
            #expect(crowding([other], &memory, at: "18:00").isEmpty)
        }
        var memory = EventCrowdingRule.Memory()
        #expect(crowding([event(miles: 1.5)], &memory, at: "18:00").count == 1)
    }

    @Test func eventWithoutEndLastsThreeHours() {
        var memory = EventCrowdingRule.Memory()
        #expect(crowding([event(end: nil)], &memory, at: "22:00").count == 1)
        #expect(
            EventCrowdingRule.crowdedTimes(event(end: nil), .standard).last?.upperBound
                == berlinTime("2026-03-27 23:15"))
    }

    @Test func postponedEventIsWithdrawn() {
        var memory = EventCrowdingRule.Memory()
        let key = crowding([event()], &memory, at: "18:00").map(\.key)
        #expect(crowding(nil, &memory, at: "18:10").isEmpty)
        let end = crowding([event(planned: false)], &memory, at: "18:20")
        #expect(end.map(\.operation) == [.withdraw])
        #expect(end.map(\.key) == key)
        #expect(crowding([event(planned: false)], &memory, at: "18:30").isEmpty)
    }

    @Test func crowdingIsToldBeforeTheCommute() {
        var memory = EventCrowdingRule.Memory()
        let events = [event(window: ("18:30", "19:00"))]
        #expect(crowding(events, &memory, at: "17:59").isEmpty)
        #expect(
            EventCrowdingRule.nextMoment(after: berlinTime("2026-03-27 17:00"), { $0.events = events })
                == berlinTime("2026-03-27 18:00"))
        // The setting says when at the earliest, also in a window that is open.
        for window in [("16:00", "20:00"), ("17:45", "20:00")] {
            #expect(
                EventCrowdingRule.nextMoment(
                    after: berlinTime("2026-03-27 12:00"), { $0.events = [event(window: window)] })
                    == event().start.advanced(by: -EventCrowdingRule.Settings.standard.beforeStart))
        }
        #expect(crowding(events, &memory, at: "18:00").count == 1)
        var morning = EventCrowdingRule.Memory()
        #expect(crowding([event(window: ("07:00", "09:00"))], &morning, at: "18:00").isEmpty)
    }

    // MARK: Weather

    @Test(
        arguments: [
            (60, 0.5, nil, "Rain likely around 08:40 (60%)"), (59, 0.5, nil, nil), (60, 0.4, nil, nil),
            (10, 0.0, 0.1, "Snow around 08:40"), (90, 3.0, 0.0, "Rain likely around 08:40 (90%)"), (nil, 3, nil, nil),
            (90, nil, nil, nil),
        ] as [(Int?, Double?, Double?, String?)])
    func weatherLine(probability: Int?, millimeters: Double?, snowfall: Double?, line: String?) {
        let weather = WeatherAtArrival(
            at: berlinTime("2026-03-27 08:40"), probability: probability, millimeters: millimeters, snowfall: snowfall)
        #expect(weather.line(.standard, berlin) == line)
    }

    // MARK: Badges and the streak

    @Test func badgeIsToldOnceAndNoHistory() {
        var memory = BadgeRule.Memory()
        let (ride, week) = (
            EarnedBadge(id: "first_ride", name: "First Ride", detail: "1 trip"),
            EarnedBadge(id: "week_warrior", name: "Week Warrior", detail: "5 commute days in a row")
        )
        func badges(_ badges: [EarnedBadge]) -> [NotificationDecision] {
            BadgeRule.decide(at: berlinTime("2026-03-27 12:00"), &memory) { $0.badges = badges }
        }
        #expect(badges([ride]).isEmpty)
        let shown = badges([ride, week])
        #expect(shown.map(\.line) == ["show badge \"Badge earned: Week Warrior\""])
        #expect(shown.map(\.body) == ["5 commute days in a row"])
        #expect(badges([ride]).isEmpty)
        #expect(badges([ride, week]).isEmpty)
        #expect(memory.restored == memory)
        #expect(BadgeRule.Memory().restored == BadgeRule.Memory())
    }

    @Test func streakAtRiskIsToldOnce() {
        var memory = StreakRule.Memory()
        func shown(_ streak: StreakStatus?, _ time: String) -> [String] {
            StreakRule.decide(at: berlinTime(time), &memory) { $0.streak = streak }.map(\.line)
        }
        let risk = StreakStatus(days: 12, isCommuteDay: true, hasTripToday: false)
        #expect(shown(risk, "2026-03-27 17:59").isEmpty)
        #expect(shown(risk, "2026-03-27 18:00") == ["show streak \"Your 12-day streak ends today\""])
        #expect(shown(risk, "2026-03-27 18:01").isEmpty)
        let saved = StreakStatus(days: 12, isCommuteDay: true, hasTripToday: true)
        #expect(shown(saved, "2026-03-27 18:30") == ["withdraw streak \"Your streak continues\""])
        #expect(shown(saved, "2026-03-27 18:31").isEmpty)
        #expect(shown(StreakStatus(days: 2, isCommuteDay: true, hasTripToday: false), "2026-03-30 18:00").isEmpty)
        #expect(shown(StreakStatus(days: 9, isCommuteDay: false, hasTripToday: false), "2026-03-28 18:00").isEmpty)
        #expect(shown(risk, "2026-03-31 19:00").isEmpty)
    }

    // MARK: The brief

    private func brief(_ tomorrow: Tomorrow, at time: String = "2026-04-30 21:00") -> [NotificationDecision] {
        var memory = BriefRule.Memory()
        return BriefRule.decide(at: berlinTime(time), &memory) { $0.tomorrow = tomorrow }
    }

    @Test func usualDayHasNoBrief() {
        #expect(brief(Tomorrow(date: serviceDate("2026-05-01"))).isEmpty)
    }

    @Test func briefListsDifferences() {
        var tomorrow = Tomorrow(date: serviceDate("2026-05-01"))
        tomorrow.service = UnusualService(
            date: tomorrow.date, lines: [.init(name: "Bus 24", usual: 3, planned: 1)], resembles: .sunday)
        tomorrow.timetable = ["Your 08:12 does not run from tomorrow on"]
        tomorrow.weather = "Snow around 08:40"
        tomorrow.events = [event(start: "2026-05-01 19:30", end: "2026-05-01 22:30"), event(large: false)]
        let shown = brief(tomorrow)
        #expect(shown.map(\.title) == ["Tomorrow, Friday: 4 things to know"])
        #expect(
            shown.map(\.body) == [
                """
                Sunday service: Bus 24
                Your 08:12 does not run from tomorrow on
                Snow around 08:40
                Expect crowds at 4th & King: concert at Chase Center from 19:30 to about 22:30
                """
            ])
        #expect(brief(tomorrow, at: "2026-04-30 20:59").isEmpty)
        #expect(brief(tomorrow, at: "2026-04-30 22:00").isEmpty)
        #expect(brief(tomorrow, at: "2026-04-29 21:00").isEmpty)
    }

    @Test func dayOffHidesTheRest() {
        var tomorrow = Tomorrow(date: serviceDate("2026-05-01"))
        tomorrow.dayOff = "Labor Day"
        tomorrow.weather = "Snow around 08:40"
        #expect(
            brief(tomorrow).map(\.body) == ["Labor Day. Only departures that you pinned for this date are announced."])
    }

    @Test func plannedAlertsAreThoseOfTomorrowOnly() {
        func alert(_ id: String, _ start: String, _ end: String?) -> WatchedAlert {
            WatchedAlert(
                reference: .init(feed: "city", id: id), agencyFeed: "city", effect: .detour,
                periods: [.init(start: berlinTime(start), end: end.map(berlinTime))], header: id, lines: [],
                selections: [])
        }
        let watched = WatchedAlerts(
            alerts: [
                alert("now", "2026-04-01 00:00", nil), alert("tomorrow", "2026-05-01 09:00", "2026-05-01 11:00"),
                alert("later", "2026-05-02 00:00", nil), alert("before", "2026-04-29 00:00", "2026-04-30 12:00"),
            ], knownFeeds: ["city"])
        let planned = Tomorrow.plannedAlerts(
            watched, on: serviceDate("2026-05-01"), zone: berlin, now: berlinTime("2026-04-30 21:00"))
        #expect(planned.map(\.reference.id) == ["tomorrow"])
    }
}
