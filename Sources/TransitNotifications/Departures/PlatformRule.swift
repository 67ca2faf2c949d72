internal import TransitModel

extension NotificationRule {
    package static let platform = NotificationRule(
        "platform", "Notifies you when a departure leaves from another platform.", isOnForFavorites: false,
        subjects: .departures, limit: .departuresIfSounding, forecast: forecastOfWatched)
}

/// Notifies that a departure leaves from another platform than the timetable or the last notification said.
enum PlatformRule: DepartureRule {
    static let rules: [NotificationRule] = [.platform]

    struct Settings: RuleSettings {
        /// In seconds.
        let within, sound: Int

        init(_ read: inout SettingReader) {
            within = read.duration(
                "within", .minutes, 60, 5...180, "Notify at most this long before the departure.")
            sound = read.duration(
                "sound", .minutes, 15, 0...180, "Play a sound if the departure is nearer than this.")
        }
    }

    static func decide(_ context: DepartureRuleContext, _ state: inout DepartureState) -> [NotificationDecision] {
        guard applies(context, state), context.now >= moment(context) else { return [] }
        state.notifyChange(context)
        return [
            context.decision(
                .platform, title: title(context), body: context.facts,
                reason: "The platform differs from the one in the timetable or in the last notification.",
                hasSound: context.now
                    >= context.observation.time.advanced(by: -context.settings[Self.self].sound))
        ]
    }

    private static func applies(_ context: DepartureRuleContext, _ state: DepartureState) -> Bool {
        let observation = context.observation
        guard context.isOn(.platform), observation.status != .departed, context.now <= observation.time,
            observation.isFresh,
            let platform = observation.platform, let known = state.shown?.platform ?? observation.scheduledPlatform
        else { return false }
        return platform != known && observation.scheduledPlatform != nil
    }

    private static func moment(_ context: DepartureRuleContext) -> Instant {
        context.observation.time.advanced(by: -context.settings[Self.self].within)
    }

    static func nextMoment(_ context: DepartureRuleContext, _ state: DepartureState) -> Instant? {
        guard applies(context, state) else { return nil }
        let moment = moment(context)
        return moment > context.now ? moment : nil
    }

    // MARK: Text

    private static func title(_ context: DepartureRuleContext) -> String {
        "\(context.departure.text) now leaves from platform \(context.observation.platform ?? "")"
    }
}
