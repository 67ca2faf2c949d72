import Testing
import TransitModel
import TransitStore
import TransitTestSupport
import TransitWire

@testable import TransitNotifications
@testable import TransitQueries

/// Checks all rules together: their memory, moments, and properties that hold for random sequences.
@Suite struct GeneralRulesTests {
    private func alert(_ id: String, _ header: String) -> WatchedAlert {
        WatchedAlert(
            reference: .init(feed: "city", id: id), agencyFeed: "city", effect: .detour, header: header,
            lines: ["Bus 24"], selections: [.init(.commute, name: "out")])
    }

    private func input(_ time: String, _ alerts: [WatchedAlert] = []) -> GeneralRuleInput {
        var input = GeneralRuleInput(now: berlinTime(time), zone: berlin)
        input.alerts = WatchedAlerts(alerts: alerts, knownFeeds: ["city"])
        return input
    }

    @Test func memorySurvivesRestart() throws {
        var rules = GeneralRules()
        var input = input("2026-03-27 12:00", [alert("1", "Detour")])
        input.health = [.budgetExhausted(key: "a", until: nil)]
        input.badges = []
        #expect(rules.evaluate(input).map(\.rule) == [.alert, .machine])
        let text = JSONValue(encoding: rules.memories).description
        let read = try JSONValue(parsing: text).decode(RuleMemories.self)
        #expect(read == rules.memories)
        var other = GeneralRules(memories: read)
        #expect(other.evaluate(input).isEmpty)
    }

    @Test(arguments: [
        "{}", "[]", "null", "{\"version\":2}", "{\"version\":1}",
        "{\"version\":1,\"alerts\":[],\"timetable\":3,\"machine\":{\"entries\":[{\"key\":1}]}}",
    ])
    func damagedMemoryIsEmpty(text: String) throws {
        let memories = try JSONValue(parsing: text).decode(RuleMemories.self)
        #expect(memories == RuleMemories())
    }

    @Test func ruleThatIsOffForgets() {
        var rules = GeneralRules()
        _ = rules.evaluate(input("2026-03-27 12:00"))
        var off = input("2026-03-27 12:10", [alert("1", "Detour")])
        off.rules = [.machine]
        #expect(rules.evaluate(off).isEmpty)
        // What stands already when it is turned on goes to the digest.
        let on = rules.evaluate(input("2026-03-27 12:20", [alert("1", "Detour")]))
        #expect(on.map(\.isForDigest) == [true])
    }

    @Test func nextMomentIsTheEarliest() {
        var rules = GeneralRules()
        var input = input("2026-03-27 12:00")
        #expect(rules.nextMoment(input, after: input.now) == nil)
        input.tomorrow = Tomorrow(date: serviceDate("2026-03-28"))
        // A usual day has no brief.
        #expect(rules.nextMoment(input, after: input.now) == nil)
        input.tomorrow?.weather = "Snow around 08:40"
        #expect(rules.nextMoment(input, after: input.now) == berlinTime("2026-03-27 21:00"))
        #expect(rules.nextMoment(input, after: berlinTime("2026-03-27 21:00")) == nil)
        input.service = UnusualService(date: serviceDate("2026-03-28"), lines: [])
        #expect(rules.nextMoment(input, after: input.now) == berlinTime("2026-03-27 18:00"))
        input.rules = [.brief]
        #expect(rules.nextMoment(input, after: input.now) == berlinTime("2026-03-27 21:00"))
        input = self.input("2026-03-24 12:00")
        let change = UsualDepartureStatus.Change(
            dates: [serviceDate("2026-03-30")], outcome: .gone(nearest: nil), isLasting: true)
        input.timetables = [
            ComparedTimetable(
                feed: "city", version: 2,
                statuses: [
                    UsualDepartureStatus(
                        identity: "x", time: ServiceTime(seconds: 29_520), isPinned: false, route: "Bus 24",
                        stop: "Harbor", running: [], change: change)
                ])
        ]
        #expect(rules.evaluate(input).count == 1)
        #expect(rules.nextMoment(input, after: input.now) == berlinTime("2026-03-29 18:00"))
        input.streak = StreakStatus(days: 5, isCommuteDay: true, hasTripToday: false)
        #expect(rules.nextMoment(input, after: input.now) == berlinTime("2026-03-24 18:00"))
        input.rules = []
        #expect(rules.nextMoment(input, after: input.now) == nil)
    }

    @Test(arguments: [
        ("a\u{202E}b\n c", "ab c"), ("  x  ", "x"), ("\u{7}", nil), ("", nil),
    ])
    func publishedTextIsOneLine(text: String, line: String?) { #expect(GeneralText.line(text) == line) }

    @Test func textsAreListedAndShortened() {
        #expect(GeneralText.list(["a"]) == "a")
        #expect(GeneralText.list(["a", "b", "c", "d"]) == "a, b, c and d")
        #expect(GeneralText.list(["a", "b", "c", "d", "e"]) == "a, b, c and 2 more")
        #expect(GeneralText.limited("one two three", to: 9) == "one two…")
        #expect(GeneralText.limited(String(repeating: "x", count: 50), to: 10).count == 10)
    }

    // MARK: Properties

    /// Alerts come and go with new identifiers and texts, in messages with gaps, with restarts. Each text is shown at most
    /// once while it is valid, every update and withdrawal belongs to an open bubble, and what is shown is active.
    @Test(arguments: testSeeds(1, 2, 3, 4, 5, 6, 7, 8))
    func textIsToldOnce(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var settings = NotificationSettings()
        settings[AlertRule.self].absence = 0
        var rules = GeneralRules(settings: settings)
        var now = berlinTime("2026-03-20 00:00")
        var lastSeen: [String: Instant] = [:]
        var shown: [String: Instant] = [:]
        var open: Set<String> = []
        var current: [WatchedAlert] = []
        for _ in 0..<2000 {
            now = now.advanced(by: random.number(30...3600))
            if random.number(0...9) == 0 {
                let saved = try JSONValue(encoding: rules.memories).decode(RuleMemories.self)
                rules = GeneralRules(memories: saved, settings: settings)
            }
            change(&current, now, &random)
            var input = GeneralRuleInput(now: now, zone: berlin)
            let isKnown = random.number(0...19) > 0
            input.alerts = WatchedAlerts(
                alerts: current, knownFeeds: isKnown ? ["city", "town"] : ["town"],
                selections: ["city": [.init(.commute, name: "out")], "town": [.init(.commute, name: "out")]])
            let visible = current.filter { isKnown || $0.reference.feed == "town" }
            // The message before the decision counts: a text that was in it is still valid.
            for text in shown.keys where !visible.contains(where: { $0.textKey == text }) {
                if isKnown, let seen = lastSeen[text], seen.seconds(to: now) > 86_400 + 3600 { shown[text] = nil }
            }
            for decision in rules.evaluate(input) {
                switch decision.operation {
                case .withdraw:
                    #expect(open.remove(decision.key) != nil, "A closed bubble was withdrawn.")
                case .show, .update:
                    open.insert(decision.key)
                    let source = try #require(visible.first { $0.reference == decision.alert })
                    #expect(
                        source.isActive(at: now)
                            || visible.contains { $0.textKey == source.textKey && $0.isActive(at: now) })
                    #expect(shown[source.textKey] == nil, "\(source.header ?? "") was shown twice.")
                    shown[source.textKey] = now
                }
            }
            for alert in visible { lastSeen[alert.textKey] = now }
            // The rule forgets a text a day after it is missing; the model allows for its last message.
            for (text, seen) in lastSeen where seen.seconds(to: now) >= 86_400 { shown[text] = nil }
            let active = Set(visible.filter { $0.isActive(at: now) }.map(\.textKey))
            if isKnown { #expect(open.count <= active.count) }
        }
        #expect(!shown.isEmpty)
    }

    private func change(_ alerts: inout [WatchedAlert], _ now: Instant, _ random: inout SeededGenerator) {
        if alerts.count > 6 || (!alerts.isEmpty && random.number(0...3) == 0) {
            alerts.remove(at: random.number(0...(alerts.count - 1)))
        }
        if !alerts.isEmpty, random.number(0...3) == 0 {
            // A new text, or the same text with a new identifier.
            let position = random.number(0...(alerts.count - 1))
            if random.number(0...1) == 0 {
                alerts[position].header = "Text \(random.number(1...12))"
            } else {
                alerts[position].reference.id = "\(random.number(1...1000))"
            }
        }
        if random.number(0...2) == 0 {
            var new = WatchedAlert(
                reference: .init(
                    feed: random.number(0...1) == 0 ? "city" : "town", id: "\(random.number(1...1000))"),
                agencyFeed: "city", effect: AlertEffect.allCases.randomElement(using: &random)!,
                header: "Text \(random.number(1...12))", lines: ["Bus 24"], selections: [.init(.commute, name: "out")])
            if random.number(0...1) == 0 {
                let start = now.advanced(by: random.number(-7200...7200))
                new.periods = [.init(start: start, end: start.advanced(by: random.number(600...20_000)))]
            }
            // Identifiers are unique in a message.
            if !alerts.contains(where: { $0.reference == new.reference }) { alerts.append(new) }
        }
    }

    /// Random selectors, compared with the departures of the user's line by the index that boards use: what is shown
    /// applies to the line, and no alert about the other direction alone is shown.
    @Test(arguments: testSeeds(11, 12, 13))
    func otherDirectionIsNeverTold(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let fixture = try GeneralRuleFixture(
            FeedBuilder.small.adding("bus24,weekday,back,Harbor,1\n", to: "trips.txt")
                .adding("back,08:05:00,08:05:00,market,1\nback,08:15:00,08:15:00,harbor,2\n", to: "stop_times.txt"))
        fixture.personal.usualDepartures = [
            SavedUsualDeparture(
                feed: "city", route: "bus24", direction: .zero, stop: "harbor", time: ServiceTime(seconds: 28_800),
                days: [.friday], isPinned: false)
        ]
        var (mine, others) = (0, 0)
        for _ in 0..<50 {
            let informed = (0...random.number(0...2)).map { _ in selector(&random) }
            fixture.alerts = [
                Alert(id: "1", informed: informed, effect: .detour, header: TranslatedText([.init("Detour")]))
            ]
            let isTold = try !fixture.watched().alerts.isEmpty
            let isApplicable = informed.contains { selector in
                let direction = selector.direction ?? .zero
                let hasRoute = selector.routeID == "bus24"
                let isStop = selector.stopID == "harbor"
                let names = selector.routeID != nil || selector.stopID != nil || selector.agencyID != nil
                return names && direction == .zero && (selector.routeID == nil || hasRoute)
                    && (selector.stopID == nil || isStop) && (selector.agencyID == nil || selector.agencyID == "city")
            }
            #expect(isTold == isApplicable, "\(informed)")
            if isTold { mine += 1 } else { others += 1 }
        }
        #expect(mine > 5 && others > 5)
    }

    private func selector(_ random: inout SeededGenerator) -> InformedEntity {
        var selector = InformedEntity()
        if random.number(0...2) > 0 { selector.routeID = ["bus24", "tram1"].randomElement(using: &random) }
        if random.number(0...3) == 0 { selector.stopID = ["harbor", "market", "park"].randomElement(using: &random) }
        if random.number(0...3) == 0 { selector.agencyID = ["city", "other"].randomElement(using: &random) }
        if random.number(0...1) == 0 { selector.direction = [.zero, .one].randomElement(using: &random) }
        return selector
    }

    /// Versions come and go at random. What is in the digest is never contradicted: each statement is shown at most twice,
    /// and what is withdrawn was open.
    @Test(arguments: testSeeds(21, 22, 23, 24))
    func changesAreToldAtMostTwice(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var rules = GeneralRules()
        let first = serviceDate("2026-06-01")
        var shown: [String: Int] = [:]
        var now = berlinTime("2026-05-01 00:00")
        for version in 1..<400 {
            now = now.advanced(by: random.number(600...9000))
            if random.number(0...9) == 0 {
                rules = GeneralRules(memories: try JSONValue(encoding: rules.memories).decode(RuleMemories.self))
            }
            var input = GeneralRuleInput(now: now, zone: berlin)
            if random.number(0...9) == 0 {
                let isGone = random.number(0...1) == 0
                let change = UsualDepartureStatus.Change(
                    dates: [first, first.advanced(by: 7)], outcome: .gone(nearest: nil), isLasting: true)
                input.timetables = [
                    ComparedTimetable(
                        feed: "city", version: version,
                        statuses: [
                            UsualDepartureStatus(
                                identity: "x", time: ServiceTime(seconds: 29_520), isPinned: false, route: "Bus 24",
                                stop: "Harbor", running: isGone ? [] : [first, first.advanced(by: 7)],
                                change: isGone ? change : nil)
                        ])
                ]
            }
            for decision in rules.evaluate(input) {
                #expect(decision.isForDigest || decision.operation == .withdraw)
                if decision.operation == .withdraw || decision.key.hasSuffix("-again") {
                    shown = [:]
                } else {
                    shown[decision.key, default: 0] += 1
                    #expect(shown[decision.key, default: 0] <= 2)
                }
            }
            if now > berlinTime("2026-06-20 00:00") { break }
        }
    }
}
