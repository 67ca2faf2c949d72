internal import TransitModel

extension NotificationRule {
    package static let getoff = NotificationRule(
        "getoff", "Notifies you when to get off, after you logged the trip or on a pinned journey.",
        subjects: [.journey, .connection, .commute, .pinned, .usual], isUrgent: true, limit: .departures,
        forecast: forecastOfTrip)
}

/// Notifies a user who took a departure to get off, with recent data only.
enum GetoffRule: DepartureRule {
    static let rules: [NotificationRule] = [.getoff]
    static let situation = DepartureSituation.onBoard

    struct Settings: RuleSettings {
        let before, age: Int

        init(_ read: inout SettingReader) {
            before = read.duration(
                "before", .minutes, 2, 1...15, "Notify this long before the arrival, or at the stop before.")
            age = read.duration(
                "age", .seconds, 90, 30...300, "Use realtime data only if it is newer than this.")
        }
    }

    struct Memory: RuleMemory {
        var hasNotified = false
    }

    static func decide(_ context: DepartureRuleContext, _ state: inout DepartureState) -> [NotificationDecision] {
        guard let moment = moment(context, state), context.now >= moment, let arrival = context.departure.arrival,
            context.now <= arrival
        else { return [] }
        state[Self.self].hasNotified = true
        state.notify(context)
        var decision = context.decision(
            .getoff, title: title(context.departure, arrival: arrival), body: [],
            reason: "The vehicle that you took is near your stop.", urgency: .high, hasSound: true)
        decision.validUntil = arrival.advanced(by: 60)
        decision.leaveBy = nil
        return [decision]
    }

    private static func moment(_ context: DepartureRuleContext, _ state: DepartureState) -> Instant? {
        let (observation, settings) = (context.observation, context.settings[Self.self])
        guard !state[Self.self].hasNotified, context.isOn(.getoff), observation.isFresh,
            observation.source == .live, let measured = observation.measured,
            measured.seconds(to: context.now) < settings.age, let arrival = context.departure.arrival
        else { return nil }
        let before = arrival.advanced(by: -settings.before)
        // For an express, the previous stop is too early.
        guard let stop = context.departure.departureBeforeArrival, stop >= arrival.advanced(by: -300) else {
            return before
        }
        return min(before, stop)
    }

    static func nextMoment(_ context: DepartureRuleContext, _ state: DepartureState) -> Instant? {
        guard let moment = moment(context, state), moment > context.now,
            let measured = context.observation.measured,
            measured.seconds(to: moment) < context.settings[Self.self].age
        else { return nil }
        return moment
    }

    // MARK: Text

    private static func title(_ departure: WatchedDeparture, arrival: Instant) -> String {
        let place = departure.names.destination.map { "Get off at \($0)" } ?? "Get off soon"
        return "\(place): \(departure.names.routeAndNumber) arrives at \(departure.clock(arrival))"
    }
}
