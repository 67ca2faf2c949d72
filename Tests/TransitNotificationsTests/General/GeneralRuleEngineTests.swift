import Testing
import TransitModel
import TransitQueries

@testable import TransitNotifications

/// Checks the rules of the network together with the engine: quiet hours, the digest, mutes, updates and restarts.
@Suite struct GeneralRuleEngineTests {
    private func engine(_ settings: [String: String] = [:]) -> NotificationEngine {
        var personal = settings
        personal["notifications.on"] = "on"
        return NotificationEngine(settings: NotificationSettings(machine: [:], personal: personal))
    }

    private func alert(
        _ header: String, _ description: String? = nil, id: String = "1", effect: AlertEffect = .detour
    ) -> WatchedAlert {
        WatchedAlert(
            reference: .init(feed: "city", id: id), agencyFeed: "city", effect: effect, header: header,
            description: description, lines: ["Bus 24"], selections: [.init(.commute, name: "out")])
    }

    private func input(_ time: String, _ alerts: WatchedAlert...) -> GeneralRuleInput {
        var input = GeneralRuleInput(now: berlinTime(time), zone: berlin)
        input.alerts = WatchedAlerts(
            alerts: alerts, knownFeeds: ["city"], selections: ["city": [.init(.commute, name: "out")]])
        return input
    }

    private func lines(_ decisions: [NotificationDecision]) -> [String] {
        decisions.map { "\($0.operation.rawValue) \($0.title)" + ($0.suppression == nil ? "" : " (suppressed)") }
    }

    @Test func standingAlertsAreInTheFirstDigest() {
        var engine = engine()
        #expect(engine.evaluate(input("2026-03-27 12:00", alert("Detour"), alert("Closed", id: "2"))).isEmpty)
        #expect(engine.evaluate(input("2026-03-27 17:59", alert("Detour"), alert("Closed", id: "2"))).isEmpty)
        let digest = engine.evaluate(input("2026-03-27 18:00", alert("Detour"), alert("Closed", id: "2")))
        #expect(lines(digest) == ["show 2 transit updates"])
        #expect(digest.first?.body == "- Bus 24: Detour\n- Bus 24: Closed")
        #expect(digest.first?.id.isEmpty == false)
    }

    @Test func endedAlertIsNotInTheDigest() {
        var engine = engine()
        _ = engine.evaluate(input("2026-03-27 12:00", alert("Detour"), alert("Closed", id: "2")))
        _ = engine.evaluate(input("2026-03-27 13:00", alert("Detour")))
        #expect(lines(engine.evaluate(input("2026-03-27 18:00", alert("Detour")))) == ["show Bus 24: Detour"])
    }

    @Test func mutedRuleIsNotInTheDigest() {
        var engine = engine()
        _ = engine.evaluate(input("2026-03-27 12:00", alert("Detour")))
        engine.mute(.alert, until: nil)
        #expect(engine.evaluate(input("2026-03-27 18:00", alert("Detour"))).isEmpty)
    }

    @Test func changedTextUpdatesTheBubble() {
        var engine = engine()
        _ = engine.evaluate(input("2026-03-27 12:00"))
        let first = engine.evaluate(input("2026-03-27 12:10", alert("Detour", "Until noon.")))
        #expect(lines(first) == ["show Bus 24: Detour"])
        let second = engine.evaluate(input("2026-03-27 12:20", alert("Detour", "Until 14:00.")))
        #expect(lines(second) == ["update Bus 24: Detour"])
        #expect(second.first?.revision == 2)
        #expect(engine.evaluate(input("2026-03-27 12:30")).isEmpty)
        #expect(lines(engine.evaluate(input("2026-03-27 12:40"))) == ["withdraw Bus 24: Detour"])
    }

    @Test func alertOfTheNightIsToldInTheMorning() {
        var engine = engine()
        _ = engine.evaluate(input("2026-03-27 12:00"))
        let night = engine.evaluate(input("2026-03-28 02:00", alert("Detour")))
        #expect(lines(night) == ["show Bus 24: Detour (suppressed)"])
        // A changed text replaces the entry of the digest.
        _ = engine.evaluate(input("2026-03-28 03:00", alert("Detour until Monday")))
        #expect(
            lines(engine.evaluate(input("2026-03-28 07:00", alert("Detour until Monday")))) == [
                "show Bus 24: Detour until Monday"
            ])
    }

    @Test func alertThatEndsInTheNightIsNotTold() {
        var engine = engine()
        _ = engine.evaluate(input("2026-03-27 12:00"))
        _ = engine.evaluate(input("2026-03-28 02:00", alert("Detour")))
        #expect(engine.evaluate(input("2026-03-28 04:00")).isEmpty)
        #expect(engine.evaluate(input("2026-03-28 07:00")).isEmpty)
    }

    @Test func restartRepeatsNothing() throws {
        var engine = engine()
        _ = engine.evaluate(input("2026-03-27 12:00"))
        #expect(engine.evaluate(input("2026-03-27 12:10", alert("Detour"))).count == 1)
        let state = try #require(NotificationState(json: engine.state.json))
        #expect(state == engine.state)
        var restarted = NotificationEngine(state: state, settings: engine.settings)
        #expect(restarted.evaluate(input("2026-03-27 12:20", alert("Detour", id: "9"))).isEmpty)
        #expect(restarted.evaluate(input("2026-03-27 12:30")).isEmpty)
        #expect(lines(restarted.evaluate(input("2026-03-27 12:40"))) == ["withdraw Bus 24: Detour"])
    }

    @Test func settingsAreThresholds() throws {
        var engine = engine([
            "crowding.distance": "0.5", "machine.expiry": "2", "brief.at": "20:30", "weather.amount": "1.5",
            "quiet.until": "06:00", "digest.at": "17:00",
        ])
        let settings = engine.settings
        #expect(settings[EventCrowdingRule.self].miles == 0.5)
        #expect(settings[HealthRule.self].expiryDays == [2, 1])
        #expect(settings[BriefRule.self].at == 20 * 3600 + 1800)
        #expect(settings[WeatherRule.self].millimeters == 1.5)
        #expect(settings.quiet.until == 6 * 3600)
        #expect(settings[DigestRule.self].at == 17 * 3600)
        try engine.settings.set("alert.on", to: "off")
        #expect(engine.evaluate(input("2026-03-27 12:00", alert("Detour"))).isEmpty)
        #expect(engine.evaluate(input("2026-03-27 17:00", alert("Detour"))).isEmpty)
    }

    @Test func notificationsThatAreOffTellNothing() {
        var engine = NotificationEngine(settings: NotificationSettings())
        let input = input("2026-03-27 12:00", alert("Detour"))
        #expect(engine.evaluate(input).isEmpty)
        #expect(engine.nextMoment(input, after: input.now) == nil)
        #expect(engine.state == NotificationState())
    }

    @Test(arguments: [(80, "on", true), (50, "on", false), (80, "off", false)])
    func noticeToLeaveHasTheWeather(probability: Int, setting: String, hasLine: Bool) {
        var scene = Scene(["weather.on": setting])
        var departure = Scene.departure(30)
        departure.weather = WeatherAtArrival(at: Scene.minute(50), probability: probability, millimeters: 1)
        scene.subjects = [Scene.pinned(departure)]
        var input = NotificationInput(now: Scene.minute(17), zone: Scene.zone, subjects: scene.subjects)
        input.now = Scene.minute(18)
        let shown = scene.engine.evaluate(input).filter { $0.rule == .leave }
        #expect(shown.map { $0.body.contains("Rain likely around 07:50 (\(probability)%)") } == [hasLine])
    }
}
