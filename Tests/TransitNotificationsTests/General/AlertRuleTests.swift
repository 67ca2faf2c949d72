import Testing
import TransitEngine
import TransitModel
import TransitQueries
import TransitStore
import TransitTestSupport

@testable import TransitNotifications

/// Checks which alerts are the user's, and that each visible text is shown once.
@Suite struct AlertRuleTests {
    private let now = berlinTime("2026-03-27 08:00")

    private func alert(
        _ id: String, _ header: String, _ description: String? = nil, effect: AlertEffect = .detour,
        feed: FeedID = "city", from start: String? = nil, to end: String? = nil
    ) -> WatchedAlert {
        var periods: [Alert.ActivePeriod] = []
        if start != nil || end != nil {
            periods = [Alert.ActivePeriod(start: start.map(berlinTime), end: end.map(berlinTime))]
        }
        return WatchedAlert(
            reference: .init(feed: feed, id: id), agencyFeed: "city", effect: effect, periods: periods, header: header,
            description: description, lines: ["Bus 24"], selections: [.init(.commute, name: "out")])
    }

    /// One rule with its memory, after its first run.
    private struct Rule {
        var memory = AlertRule.Memory()
        var settings = NotificationSettings()

        init(absence: Int = 0) { settings[AlertRule.self].absence = absence }

        mutating func evaluate(
            _ alerts: [WatchedAlert], known: Set<FeedID> = ["city", "town"], at now: Instant
        ) -> [NotificationDecision] {
            let selection = PersonalNetwork.Selection(.commute, name: "out")
            let watched = WatchedAlerts(
                alerts: alerts, knownFeeds: known, selections: ["city": [selection], "town": [selection]])
            return AlertRule.decide(at: now, &memory, settings: settings) { $0.alerts = watched }
        }
    }

    private func running() -> Rule {
        var rule = Rule()
        #expect(rule.evaluate([], at: now).isEmpty)
        return rule
    }

    @Test func alertIsToldOnce() {
        var rule = running()
        let alerts = [alert("1", "Detour at Market Square", "Use Harbor.")]
        let first = rule.evaluate(alerts, at: now)
        #expect(first.map(\.line) == ["show alert \"Bus 24: Detour at Market Square\""])
        #expect(first[0].body == "Use Harbor.")
        #expect(first[0].subjectKind == "commute")
        #expect(first[0].subjectName == "out")
        #expect(first[0].alert == .init(feed: "city", id: "1"))
        #expect(first[0].id.isEmpty && first[0].revision == 0)
        #expect(first[0].validUntil == now.advanced(by: 12 * 3600))
        #expect(rule.evaluate(alerts, at: now.advanced(by: 60)).isEmpty)
    }

    @Test func republishedAlertIsNotToldAgain() {
        var rule = running()
        _ = rule.evaluate([alert("1", "Detour", "Use Harbor.")], at: now)
        #expect(rule.evaluate([alert("2", "DETOUR", " Use  Harbor. ")], at: now).isEmpty)
        // The alert is missing from one message.
        #expect(rule.evaluate([], at: now).map(\.operation) == [.withdraw])
        #expect(rule.evaluate([alert("3", "Detour", "Use Harbor.")], at: now.advanced(by: 600)).isEmpty)
    }

    @Test func sameTextInBothFeedsOfAgencyIsOne() {
        var rule = running()
        let both = [alert("1", "Detour"), alert("a", "Detour", feed: "town")]
        #expect(rule.evaluate(both, at: now).count == 1)
        // One feed still has it.
        #expect(rule.evaluate([both[1]], at: now).isEmpty)
        #expect(rule.evaluate([], at: now).map(\.operation) == [.withdraw])
    }

    @Test func changedTextUpdatesBubble() {
        var rule = running()
        let first = rule.evaluate([alert("1", "Detour", "Until noon.")], at: now)
        let second = rule.evaluate([alert("1", "Detour", "Until 14:00.")], at: now)
        #expect(second.map(\.operation) == [.show])
        #expect(second[0].key == first[0].key)
        #expect(second[0].body == "Until 14:00.")
        // A text that was shown is not shown again.
        #expect(rule.evaluate([alert("1", "Detour", "Until noon.")], at: now).isEmpty)
        #expect(rule.evaluate([], at: now).map(\.key) == [first[0].key])
    }

    @Test func endIsSilent() {
        var rule = running()
        let alerts = [alert("1", "Detour", from: "2026-03-27 07:00", to: "2026-03-27 09:00")]
        #expect(rule.evaluate(alerts, at: now)[0].validUntil == berlinTime("2026-03-27 09:00"))
        let end = rule.evaluate(alerts, at: berlinTime("2026-03-27 09:00"))
        #expect(end.map(\.operation) == [.withdraw])
        #expect(end[0].hasSound == false)
        #expect(rule.evaluate(alerts, at: berlinTime("2026-03-27 09:01")).isEmpty)
    }

    @Test func upcomingAlertWaitsForItsPeriod() {
        var rule = running()
        let alerts = [alert("1", "Detour", from: "2026-03-27 10:00")]
        #expect(rule.evaluate(alerts, at: now).isEmpty)
        let watched = WatchedAlerts(alerts: alerts, knownFeeds: ["city"])
        #expect(AlertRule.nextMoment(after: now, { $0.alerts = watched }) == berlinTime("2026-03-27 10:00"))
        #expect(rule.evaluate(alerts, at: berlinTime("2026-03-27 10:00")).count == 1)
    }

    @Test func nightlyAlertIsToldOnce() {
        var rule = running()
        var nightly = alert("1", "Detour")
        nightly.periods = (27...29).map { day in
            .init(start: berlinTime("2026-03-\(day) 22:00"), end: berlinTime("2026-03-\(day) 23:00"))
        }
        #expect(rule.evaluate([nightly], at: berlinTime("2026-03-27 22:00")).map(\.operation) == [.show])
        #expect(rule.evaluate([nightly], at: berlinTime("2026-03-27 23:00")).map(\.operation) == [.withdraw])
        #expect(rule.evaluate([nightly], at: berlinTime("2026-03-28 22:00")).isEmpty)
    }

    @Test(arguments: AlertEffect.allCases)
    func onlyDisruptionsAreToldAtOnce(effect: AlertEffect) {
        var rule = running()
        let found = rule.evaluate([alert("1", "Text", effect: effect)], at: now)
        let isDisruption = [.noService, .reducedService, .significantDelays, .detour, .stopMoved].contains(effect)
        #expect(found.map(\.isForDigest) == [!isDisruption])
    }

    @Test func firstRunGoesToDigest() {
        var rule = Rule()
        #expect(rule.evaluate([alert("1", "Detour")], at: now).map(\.isForDigest) == [true])
        #expect(rule.evaluate([alert("1", "Detour"), alert("2", "Closed")], at: now).map(\.isForDigest) == [false])
    }

    @Test func newSelectionGoesToDigest() {
        var rule = running()
        var other = alert("1", "Detour")
        other.selections = [.init(.favorite, name: "Harbor")]
        #expect(rule.evaluate([other], at: now).map(\.isForDigest) == [true])
    }

    @Test func unknownFeedDoesNotEndAlerts() {
        var rule = running()
        _ = rule.evaluate([alert("1", "Detour")], at: now)
        #expect(rule.evaluate([], known: ["town"], at: now).isEmpty)
        #expect(rule.evaluate([], at: now).map(\.operation) == [.withdraw])
    }

    @Test func textIsToldAgainAfterAWhile() {
        var rule = running()
        _ = rule.evaluate([alert("1", "Detour")], at: now)
        _ = rule.evaluate([], at: now)
        #expect(rule.evaluate([], at: now.advanced(by: 86_400)).isEmpty)
        #expect(rule.memory.entries.isEmpty)
        #expect(rule.evaluate([alert("1", "Detour")], at: now.advanced(by: 86_401)).count == 1)
    }

    @Test func memorySurvivesRestart() throws {
        var rule = running()
        _ = rule.evaluate([alert("1", "Detour"), alert("2", "Closed", effect: .other)], at: now)
        _ = rule.evaluate([alert("1", "Detour")], at: now)
        let read = try #require(rule.memory.restored)
        #expect(read == rule.memory)
        rule.memory = read
        #expect(rule.evaluate([alert("1", "Detour"), alert("2", "Closed", effect: .other)], at: now).isEmpty)
    }

    @Test(arguments: [
        ("Bus 24: stop closed", "Bus 24: stop closed"), ("24 diverted", "24 diverted"),
        ("Line 240 diverted", "Bus 24: Line 240 diverted"), ("A\u{1B}[31m\nB", "Bus 24: A[31m B"),
    ])
    func titleNamesLine(header: String, title: String) {
        #expect(alert("1", header).title == title)
    }

    // MARK: Subject

    /// The commutes of a working day, each with a window.
    private func subject(at time: String, until end: String? = nil, _ selections: [PersonalNetwork.Selection])
        throws -> String?
    {
        var alert = alert("1", "Detour", from: end == nil ? nil : "2026-03-27 00:00", to: end)
        alert.selections = selections.sorted()
        let times = [
            out: [("2026-03-27 07:00", "2026-03-27 09:00"), ("2026-03-30 07:00", "2026-03-30 09:00")],
            back: [("2026-03-27 16:00", "2026-03-27 18:00"), ("2026-03-30 16:00", "2026-03-30 18:00")],
            usual: [("2026-03-27 16:40", "2026-03-27 18:10")],
        ].mapValues { $0.map { berlinTime($0.0)...berlinTime($0.1) } }
        var rule = running()
        let watched = WatchedAlerts(
            alerts: [alert], knownFeeds: ["city", "town"], selections: ["city": Set(selections)], travelTimes: times)
        let decisions = AlertRule.decide(at: berlinTime(time), &rule.memory, settings: rule.settings) {
            $0.alerts = watched
        }
        let decision = try #require(decisions.first)
        #expect(decision.reason.contains(decision.subjectName))
        return decision.subjectName
    }

    private let out = PersonalNetwork.Selection(.commute, name: "home-to-work")
    private let back = PersonalNetwork.Selection(.commute, name: "work-to-home")
    private let usual = PersonalNetwork.Selection(.usual, name: "17:10 24")

    @Test func alertIsAboutTheNextTravel() throws {
        #expect(try subject(at: "2026-03-27 06:00", [out, back]) == "home-to-work")
        #expect(try subject(at: "2026-03-27 12:00", [out, back]) == "work-to-home")
        #expect(try subject(at: "2026-03-27 17:00", [out, back]) == "work-to-home")
        #expect(try subject(at: "2026-03-27 17:00", [out, back, usual]) == "17:10 24")
        // In the evening, it is about the next day, unless it ends before.
        #expect(try subject(at: "2026-03-27 20:00", [out, back]) == "home-to-work")
        #expect(try subject(at: "2026-03-27 20:00", until: "2026-03-27 23:00", [out, back]) == "work-to-home")
        let favorite = PersonalNetwork.Selection(.favorite, name: "Harbor")
        #expect(try subject(at: "2026-03-27 20:00", [favorite]) == "Harbor")
    }

    @Test func travelTimesAreThoseOfTheWindowsAndDepartures() throws {
        let fixture = try GeneralRuleFixture()
        fixture.settings.commutes = [
            CommuteConfiguration(
                name: "out", from: "city:harbor", to: "city:central",
                windows: [CommuteWindow(start: 7 * 3600, end: 9 * 3600)])
        ]
        fixture.personal.usualDepartures = [
            SavedUsualDeparture(
                feed: "city", route: "bus24", direction: .zero, stop: "harbor", time: ServiceTime(seconds: 30_000),
                days: [.friday], isPinned: false)
        ]
        fixture.alerts = []
        let times = try fixture.watched().travelTimes
        let commute = try #require(times[.init(.commute, name: "out")])
        #expect(commute.contains(berlinTime("2026-03-27 07:00")...berlinTime("2026-03-27 09:00")))
        let departure = try #require(times[.init(.usual, name: "08:20 Bus 24")])
        #expect(departure.map(\.lowerBound) == [berlinTime("2026-03-27 07:50"), berlinTime("2026-04-03 07:50")])
    }

    // MARK: Stations

    private func title(_ header: String, effect: AlertEffect = .other, _ informed: InformedEntity...) throws -> String?
    {
        let fixture = try GeneralRuleFixture(
            FeedBuilder.small.adding("lift,,Elevator to street,53.5531,10.0061,2,central,\n", to: "stops.txt"))
        fixture.settings.commutes = [CommuteConfiguration(name: "out", from: "city:harbor", to: "city:central")]
        fixture.alerts = [
            Alert(id: "1", informed: informed, effect: effect, header: TranslatedText([.init(header)]))
        ]
        return try fixture.watched().alerts.first?.title
    }

    @Test func alertAboutAStationNamesIt() throws {
        for stop in ["central", "central:1", "lift"] as [StopID] {
            #expect(
                try title("Elevator out of service", InformedEntity(stopID: stop))
                    == "Central Station: Elevator out of service")
        }
        #expect(
            try title(
                "Elevator out of service", effect: .accessibilityIssue,
                InformedEntity(routeID: "bus24", stopID: "central"), InformedEntity(routeID: "tram1", stopID: "park"))
                == "Central Station: Elevator out of service")
        #expect(
            try title("Elevator at Central Station closed", InformedEntity(stopID: "lift"))
                == "Elevator at Central Station closed")
        #expect(try title("Detour", InformedEntity(routeID: "bus24")) == "Bus 24: Detour")
        #expect(
            try title("Not served", effect: .detour, InformedEntity(routeID: "bus24", stopID: "harbor"))
                == "Bus 24: Not served")
    }

    // MARK: Language

    @Test(arguments: [["fr", "nl"], ["nl", "fr"]])
    func alertInAnotherLanguageIsTheSameAlert(_ order: [String]) throws {
        let texts = ["fr": "Arrêt non desservi", "nl": "Halte niet bediend"]
        func watched(_ language: String?, _ order: [String]) throws -> WatchedAlerts {
            let fixture = try GeneralRuleFixture()
            fixture.settings.commutes = [CommuteConfiguration(name: "out", from: "city:harbor", to: "city:central")]
            let header = TranslatedText(order.map { .init(texts[$0] ?? "", language: $0) })
            fixture.alerts = [
                Alert(id: "1", informed: [InformedEntity(routeID: "bus24")], effect: .detour, header: header)
            ]
            return try fixture.watched(language: language)
        }
        var memory = AlertRule.Memory()
        let empty = WatchedAlerts(
            alerts: [], knownFeeds: ["city"], selections: ["city": [.init(.commute, name: "out")]])
        _ = AlertRule.decide(at: now, &memory) { $0.alerts = empty }
        let dutch = try watched("nl-BE", order)
        let first = AlertRule.decide(at: now, &memory) { $0.alerts = dutch }
        #expect(first.map(\.title) == ["Bus 24: Halte niet bediend"])
        for language in ["fr", nil, "en"] as [String?] {
            let other = try watched(language, Array(order.reversed()))
            #expect(other.alerts.count == 1)
            #expect(AlertRule.decide(at: now.advanced(by: 60), &memory) { $0.alerts = other }.isEmpty)
        }
    }

    @Test func alertMayBeMissingFromSingleMessages() {
        var rule = Rule(absence: 600)
        _ = rule.evaluate([], at: now)
        #expect(rule.evaluate([alert("1", "Detour")], at: now).map(\.operation) == [.show])
        #expect(rule.evaluate([], at: now.advanced(by: 60)).isEmpty)
        #expect(rule.evaluate([alert("2", "Detour")], at: now.advanced(by: 120)).isEmpty)
        #expect(rule.evaluate([], at: now.advanced(by: 180)).isEmpty)
        #expect(rule.evaluate([], at: now.advanced(by: 780)).map(\.operation) == [.withdraw])
    }

    // MARK: Selection

    private func inform(_ informed: InformedEntity...) -> Alert {
        Alert(id: "1", informed: informed, effect: .detour, header: TranslatedText([.init("Detour")]))
    }

    /// The user commutes on bus 24 from the harbor (direction 0) and usually takes the one at 08:20.
    private func isMine(_ alert: Alert) throws -> Bool {
        let fixture = try GeneralRuleFixture(
            FeedBuilder.small.adding("bus24,weekday,back,Harbor,1\n", to: "trips.txt")
                .adding("back,08:05:00,08:05:00,market,1\nback,08:15:00,08:15:00,harbor,2\n", to: "stop_times.txt")
                .adding("lift,,Elevator,53.5531,10.0061,2,central,\n", to: "stops.txt"))
        for (name, stop) in [("home", "harbor"), ("work", "central")] {
            fixture.settings.places[name] = PlaceConfiguration(
                location: .stop(QualifiedStop(feed: "city", stop: StopID(stop))))
        }
        // The implied commute back has no direct trip.
        fixture.settings.commutes = [CommuteConfiguration(name: "out", from: "home", to: "work")]
        fixture.personal.usualDepartures = [
            SavedUsualDeparture(
                feed: "city", route: "bus24", direction: .zero, stop: "harbor", time: ServiceTime(seconds: 30_000),
                days: [.friday], isPinned: false)
        ]
        fixture.alerts = [alert]
        return try !fixture.watched().alerts.isEmpty
    }

    @Test func selectorsOfMyRouteStopsAndDirection() throws {
        #expect(try isMine(inform(InformedEntity(routeID: "bus24"))))
        #expect(try isMine(inform(InformedEntity(agencyID: "city"))))
        #expect(try isMine(inform(InformedEntity(routeType: 3))))
        #expect(try isMine(inform(InformedEntity(routeID: "bus24", direction: .zero))))
        #expect(try isMine(inform(InformedEntity(stopID: "harbor"))))
        #expect(try isMine(inform(InformedEntity(stopID: "central"))))
        #expect(try isMine(inform(InformedEntity(stopID: "central:1"))))
        #expect(try isMine(inform(InformedEntity(stopID: "lift"))))
        #expect(try isMine(inform(InformedEntity(routeID: "bus24", stopID: "harbor"))))
        #expect(try isMine(inform(InformedEntity(trip: TripDescriptor(tripID: "b2")))))
        #expect(try isMine(inform(InformedEntity(routeID: "tram1"), InformedEntity(routeID: "bus24"))))
    }

    @Test func selectorsOfOtherRoutesAndStopsDoNotMatch() throws {
        #expect(try !isMine(inform(InformedEntity(routeID: "tram1"))))
        #expect(try !isMine(inform(InformedEntity(agencyID: "other"))))
        #expect(try !isMine(inform(InformedEntity(routeType: 0))))
        #expect(try !isMine(inform(InformedEntity(routeID: "bus24", direction: .one))))
        #expect(try !isMine(inform(InformedEntity(stopID: "market"))))
        #expect(try !isMine(inform(InformedEntity(stopID: "central:2"))))
        #expect(try !isMine(inform(InformedEntity(routeID: "bus24", stopID: "market"))))
        #expect(try !isMine(inform(InformedEntity(trip: TripDescriptor(tripID: "b1")))))
        #expect(try !isMine(inform(InformedEntity(trip: TripDescriptor(tripID: "back")))))
        #expect(try !isMine(inform(InformedEntity(direction: .zero))))
        #expect(try !isMine(inform(InformedEntity())))
        #expect(try !isMine(inform()))
    }

    @Test func oldAlertsAreUnknown() throws {
        let fixture = try GeneralRuleFixture()
        fixture.personal.favorites = [SavedFavorite(name: "24", feed: "city", target: .route("bus24"))]
        #expect(try fixture.watched().knownFeeds.isEmpty)
        fixture.alerts = [inform(InformedEntity(routeID: "bus24"))]
        #expect(try fixture.watched().knownFeeds == ["city"])
        #expect(try fixture.watched().alerts.map(\.lines) == [["Bus 24"]])
        fixture.alertTime = fixture.now.advanced(by: -7200)
        #expect(try fixture.watched().knownFeeds.isEmpty)
        #expect(try fixture.watched().alerts.isEmpty)
    }
}
