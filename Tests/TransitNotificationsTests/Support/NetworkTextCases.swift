import TransitModel

@testable import TransitNotifications
@testable import TransitQueries

/// The texts about networks, feeds, days and this machine. March 27, 2026 is a Friday.
extension TextTable {
    private var noon: Instant { berlinTime("2026-03-27 12:00") }

    // MARK: Alerts

    mutating func addAlerts() {
        let selection = PersonalNetwork.Selection(.commute, name: "home-to-work")
        func alert(
            _ effect: AlertEffect = .detour, header: String? = nil, description: String? = nil,
            lines: [String] = ["Bus 24"], stations: [String] = []
        ) -> WatchedAlert {
            WatchedAlert(
                reference: .init(feed: "city", id: "1"), agencyFeed: "city", effect: effect, header: header,
                description: description, lines: lines, stations: stations, selections: [selection])
        }
        func engine() -> NotificationEngine {
            NotificationEngine(settings: NotificationSettings(machine: [:], personal: ["notifications.on": "on"]))
        }
        func input(_ alerts: [WatchedAlert], _ minute: Int) -> GeneralRuleInput {
            var input = GeneralRuleInput(now: noon.advanced(by: minute * 60), zone: berlin)
            input.alerts = WatchedAlerts(
                alerts: alerts, knownFeeds: ["city"], selections: ["city": [selection]])
            return input
        }
        func shown(_ alert: WatchedAlert) -> [NotificationDecision] {
            let watched = WatchedAlerts(alerts: [alert], knownFeeds: ["city"])
            var memory = AlertRule.Memory()
            return AlertRule.decide(at: noon, &memory) { $0.alerts = watched }
        }
        for effect in AlertEffect.allCases {
            add("\(effect) without a header", shown(alert(effect, description: "Until 14:00.")))
        }
        add("header without the line", shown(alert(header: "Detour at Market Square", description: "Use Harbor.")))
        add("header with the line", shown(alert(header: "24: detour at Market Square")))
        add(
            "four lines",
            shown(alert(header: "Holiday schedule", lines: ["Express", "Limited", "Local", "South County"])))
        add(
            "station",
            shown(
                alert(
                    .accessibilityIssue, header: "Elevator out of service", lines: ["Express", "Limited"],
                    stations: ["Central Station"])))
        add(
            "long header",
            shown(
                alert(
                    header:
                        "Because of works on the overhead line between Harbor and Central Station, vehicles are diverted all day and do not stop at Market Square"
                )))
        var running = engine()
        _ = running.evaluate(input([], 0))
        add("new", running.evaluate(input([alert(header: "Detour", description: "Until noon.")], 1)))
        add("changed", running.evaluate(input([alert(header: "Detour", description: "Until 14:00.")], 2)))
        _ = running.evaluate(input([], 3))
        add("end", running.evaluate(input([], 13)))
    }

    // MARK: Timetables

    mutating func addTimetables() {
        func changes(
            _ outcome: UsualDepartureStatus.Outcome, _ dates: [String], lasting: Bool = false, time: Int32 = 29_520,
            then: String? = nil
        ) -> [NotificationDecision] {
            func status(_ change: UsualDepartureStatus.Change?) -> [ComparedTimetable] {
                let status = UsualDepartureStatus(
                    identity: "x", time: ServiceTime(seconds: time), isPinned: false, route: "Bus 24", stop: "Harbor",
                    running: change == nil ? dates.map(serviceDate) : [], change: change)
                return [ComparedTimetable(feed: "city", version: change == nil ? 3 : 2, statuses: [status])]
            }
            var memory = TimetableRule.Memory()
            let change = UsualDepartureStatus.Change(
                dates: dates.map(serviceDate), outcome: outcome, isLasting: lasting)
            let first = TimetableRule.decide(at: noon, &memory) { $0.timetables = status(change) }
            guard let then else { return first }
            return TimetableRule.decide(
                at: then == "again" ? noon.advanced(by: 86_400) : berlinTime(then), &memory
            ) { $0.timetables = then == "again" ? status(nil) : [] }.filter { $0.operation == .show }
        }
        let (nearest, moved) = (ServiceTime(seconds: 29_940), ServiceTime(seconds: 29_700))
        add("gone for good", changes(.gone(nearest: nearest), ["2026-03-30", "2026-04-06"], lasting: true))
        add("gone for good, tomorrow", changes(.gone(nearest: nil), ["2026-03-28"], lasting: true))
        add("gone on a date", changes(.gone(nearest: nearest), ["2026-03-30"]))
        add("gone today", changes(.gone(nearest: nearest), ["2026-03-27"]))
        add("gone on three dates", changes(.gone(nearest: nearest), ["2026-03-28", "2026-03-30", "2026-04-06"]))
        add(
            "gone on four dates",
            changes(.gone(nearest: nil), ["2026-03-30", "2026-04-06", "2026-04-13", "2026-04-20"]))
        add("moved for good", changes(.moved(to: moved), ["2026-03-30", "2026-04-06"], lasting: true))
        add("moved on a date", changes(.moved(to: moved), ["2026-03-28"]))
        add("after midnight", changes(.moved(to: ServiceTime(seconds: 96_300)), ["2026-03-30"], time: 96_000))
        add("the evening before", changes(.gone(nearest: nearest), ["2026-03-30"], then: "2026-03-29 18:00"))
        add("runs after all", changes(.gone(nearest: nil), ["2026-03-30"], then: "again"))
        for (name, planned, resembles) in [
            ("another weekday", 4, .sunday), ("none", 0, nil), ("fewer", 4, nil), ("one", 1, nil),
            ("other times", 12, nil),
            ("more", 14, nil),
        ] as [(String, Int, Weekday?)] {
            var memory = UnusualServiceRule.Memory()
            let service = UnusualService(
                date: serviceDate("2026-03-28"), lines: [.init(name: "Bus 24", usual: 12, planned: planned)],
                resembles: resembles)
            add(
                "service: \(name)",
                UnusualServiceRule.decide(at: berlinTime("2026-03-27 18:00"), &memory) { $0.service = service })
        }
    }

    // MARK: Conditions

    mutating func addConditions() {
        func expiring(_ date: String, _ days: Int) -> HealthCondition {
            .expiring("city", last: serviceDate(date), days: days)
        }
        for (name, condition) in [
            ("expiring", expiring("2026-04-03", 7)), ("expiring", expiring("2026-03-30", 3)),
            ("expiring", expiring("2026-03-28", 1)), ("expiring", expiring("2026-03-27", 0)),
            ("expired", expiring("2026-03-26", -1)), ("expired", expiring("2026-03-20", -7)),
            ("key", .keyRejected("city", since: noon.advanced(by: -3600))),
            ("refresh", .withoutRefresh("city", since: noon.advanced(by: -8 * 86_400))),
            ("budget", .budgetExhausted(key: "511", until: berlinTime("2026-03-27 13:00"))),
            ("budget", .budgetExhausted(key: "511", until: berlinTime("2026-04-01 00:00"))),
            ("budget", .budgetExhausted(key: "511", until: nil)),
            ("file", .cacheRepaired(file: "state.sqlite", at: noon)),
        ] as [(String, HealthCondition)] {
            var memory = HealthRule.Memory()
            add(name, HealthRule.decide(at: noon, &memory) { $0.health = [condition] })
        }
    }

    // MARK: Days

    private func event(end: String? = "2026-03-27 22:30") -> EventNearStation {
        EventNearStation(
            id: "e1", name: "The Band", kind: "concert", venue: "Chase Center", station: "4th & King", miles: 0.8,
            start: berlinTime("2026-03-27 19:30"), end: end.map(berlinTime), isAtLargeVenue: true,
            commute: "work-to-home")
    }

    mutating func addDays() {
        for (name, time, event) in [
            ("before the start", "17:30", event()), ("until the end", "21:45", event()),
            ("without an end", "18:00", event(end: nil)), ("after the start", "19:45", event(end: nil)),
        ] {
            var memory = EventCrowdingRule.Memory()
            add(
                name,
                EventCrowdingRule.decide(at: berlinTime("2026-03-27 \(time)"), &memory) { $0.events = [event] })
        }
        var engine = NotificationEngine(
            settings: NotificationSettings(machine: [:], personal: ["notifications.on": "on"]))
        for (name, events, minute) in [("planned", [event()], 0), ("canceled", [], 5)] {
            var input = GeneralRuleInput(now: berlinTime("2026-03-27 17:30").advanced(by: minute * 60), zone: berlin)
            input.events = events
            let decisions = engine.evaluate(input)
            if events.isEmpty { add(name, decisions) }
        }
        var badges = BadgeRule.Memory()
        _ = BadgeRule.decide(at: noon, &badges) { $0.badges = [] }
        add(
            "badge",
            BadgeRule.decide(at: noon, &badges) {
                $0.badges = [EarnedBadge(id: "week_warrior", name: "Week Warrior", detail: "5 commute days in a row")]
            })
        var streak = StreakRule.Memory()
        add(
            "streak",
            StreakRule.decide(at: berlinTime("2026-03-27 18:00"), &streak) {
                $0.streak = StreakStatus(days: 12, isCommuteDay: true, hasTripToday: false)
            })
        addBriefs()
    }

    private mutating func addBriefs() {
        func brief(_ tomorrow: Tomorrow) -> [NotificationDecision] {
            var memory = BriefRule.Memory()
            return BriefRule.decide(at: berlinTime("2026-03-26 21:00"), &memory) { $0.tomorrow = tomorrow }
        }
        var tomorrow = Tomorrow(date: serviceDate("2026-03-27"))
        tomorrow.weather = WeatherAtArrival(at: noon, probability: 80, millimeters: 1).line(.standard, berlin)
        add("one", brief(tomorrow))
        tomorrow.service = UnusualService(
            date: tomorrow.date, lines: [.init(name: "Bus 24", usual: 3, planned: 1)], resembles: .sunday)
        tomorrow.timetable = ["Your 08:12 leaves at 08:15"]
        tomorrow.events = [event()]
        add("several", brief(tomorrow))
        tomorrow.timetable = (10..<20).map { "Your 08:\($0) leaves at 08:30" }
        add("many", brief(tomorrow))
        tomorrow = Tomorrow(date: tomorrow.date)
        for name in ["Cesar Chavez Day", ""] {
            tomorrow.dayOff = name
            add("day off", brief(tomorrow))
        }
        tomorrow.timetable = ["Your 08:12 leaves at 08:15"]
        add("day off with a change", brief(tomorrow))
    }

    // MARK: Digests

    mutating func addDigests() {
        func digest(_ titles: [String], dropped: Int = 0) -> [NotificationDecision] {
            let items = titles.map { NotificationDecision.Item(rule: .alert, title: $0, body: "Until 14:00.") }
            return DigestComposer.digest(of: items, dropped: dropped, limit: 4, key: "digest", now: noon).map { [$0] }
                ?? []
        }
        add("one", digest(["Bus 24: Detour"]))
        add("several", digest(["Bus 24: Detour", "Elevator out of service", "Elevator out of service"]))
        add("more", digest((1...6).map { "Bus \($0): Detour" }))
    }
}
