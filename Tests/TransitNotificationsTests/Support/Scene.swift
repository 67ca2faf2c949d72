import TransitModel
import TransitNotifications

/// One user with one engine, and inputs that are stated as the minutes of a morning: minute 0 is 07:00 on Wednesday,
/// 2026-03-25, in the zone of the tests.
struct Scene {
    static let zone = ServiceZone(name: "America/Los_Angeles", posixRule: "PST8PDT,M3.2.0,M11.1.0")!
    static let date = ServiceDate(year: 2026, month: 3, day: 25)!
    static let start = zone.instant(date: date, secondsOfDay: 7 * 3600)

    var engine: NotificationEngine
    var subjects: [WatchedSubject] = []
    var now = Scene.start

    init(_ settings: [String: String] = [:]) {
        var personal = settings
        personal["notifications.on"] = "on"
        engine = NotificationEngine(settings: NotificationSettings(machine: [:], personal: personal))
        precondition(engine.settings.problems.isEmpty, "\(engine.settings.problems)")
    }

    static func minute(_ minute: Int) -> Instant { start.advanced(by: minute * 60) }
    static func time(_ minute: Double) -> Instant { start.advanced(by: Int(minute * 60)) }

    /// A departure scheduled at a minute.
    static func departure(
        _ scheduled: Int, route: String = "5", stop: String = "S", late: Int? = nil, at: Instant? = nil,
        status: CallStatus = .scheduled, fresh: Bool = true, missing: Bool = false,
        confidence: CallConfidence = .high, source: CallTimeSource? = nil, uncertainty: Int? = nil,
        platforms: (String?, String?) = (nil, nil), arrival: Instant? = nil
    ) -> WatchedDeparture {
        let key = DepartureKey(
            feed: "city", route: RouteID(route), direction: .zero, stop: StopID(stop), scheduled: minute(scheduled),
            serviceDate: date)
        let observed = at ?? start
        let observation = DepartureObservation(
            departure: key, at: observed, expected: late.map { minute(scheduled).advanced(by: $0) },
            uncertainty: uncertainty, status: status, source: source ?? (late == nil ? .scheduled : .live),
            confidence: confidence, scheduledPlatform: platforms.0, platform: platforms.1,
            measured: late == nil && status == .scheduled && !fresh ? nil : observed, isFresh: fresh,
            isMissing: missing)
        return WatchedDeparture(
            observation: observation,
            names: DepartureNames(
                route: "Tram \(route)", headsign: "Harbor", stop: "Market Square", zone: zone, destination: "Harbor"),
            id: "id-\(scheduled)", arrival: arrival)
    }

    static func pinned(_ departures: WatchedDeparture..., walk: Int? = 480) -> WatchedSubject {
        WatchedSubject(kind: .pinned, name: "08:12 Tram 5", departures: departures, walk: walk)
    }

    static func usual(_ departures: WatchedDeparture..., walk: Int? = 480) -> WatchedSubject {
        WatchedSubject(kind: .usual, name: "08:12 Tram 5", departures: departures, walk: walk)
    }

    static func commute(
        _ departures: WatchedDeparture..., walk: Int? = 480, window: ClosedRange<Int> = 0...120, home: Bool = false
    ) -> WatchedSubject {
        WatchedSubject(
            kind: .commute, name: "home-to-work", departures: departures, walk: walk,
            window: minute(window.lowerBound)...minute(window.upperBound), leadsHome: home)
    }

    /// Evaluates at a minute, with new subjects if any are given.
    @discardableResult
    mutating func at(
        _ minute: Double, _ subjects: WatchedSubject..., resumed: Bool = false
    ) -> [NotificationDecision] {
        now = Scene.time(minute)
        var input = NotificationInput(now: now, zone: Scene.zone, subjects: subjects.isEmpty ? nil : subjects)
        input.hasResumed = resumed
        return engine.evaluate(input)
    }

    /// Replaces the engine by one with the saved state, as after a restart, and passes it the last subjects.
    mutating func restart() {
        let state = NotificationState(json: engine.state.json)
        precondition(state == engine.state, "the state changes in its document")
        engine = NotificationEngine(state: state ?? NotificationState(), settings: engine.settings)
    }
}

extension [NotificationDecision] {
    /// The titles of what is shown.
    var titles: [String] { filter { $0.suppression == nil }.map(\.title) }
    var shown: [NotificationDecision] { filter { $0.suppression == nil } }
}
