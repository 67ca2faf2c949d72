package import TransitModel

extension NotificationEngine {
    /// Returns what a rule would do next, as a sentence; `nil` if nothing is foreseen.
    package func forecast(of rule: NotificationRule, at now: Instant) -> String? {
        settings.isEnabled && settings.isOn(rule) ? rule.forecast(self, now) : nil
    }
}

/// The next notifications of rules, as far as they can be predicted from the watched departures.
extension NotificationRule {
    static let forecastOfNotice: @Sendable (NotificationEngine, Instant) -> String? = { engine, now in
        let settings = engine.settings
        let subjects = engine.subjects.filter { Set.departuresToLeaveFor.contains($0.kind) }
        let next = subjects.compactMap { subject -> (notice: Instant, departure: WatchedDeparture)? in
            let notices = subject.departures.lazy.filter { $0.observation.status.isRunning }.map { departure in
                let context = DepartureRuleContext(departure, of: subject, now: now, settings: settings)
                return (context.timing.notice(at: now, settings: settings.timing.leave), departure)
            }
            return notices.first { $0.0 > now && (subject.window.map { $0.lowerBound <= now } ?? true) }
        }.min { $0.notice < $1.notice }
        return next.map {
            let clock = NotificationText.clock($0.notice, $0.departure.names.zone)
            let day = $0.notice.seconds(to: now) < -12 * 3600 ? " on \($0.departure.key.serviceDate)" : ""
            return "At \(clock)\(day) for \(words($0.departure)), as things are now."
        }
    }

    static let forecastOfWatched: @Sendable (NotificationEngine, Instant) -> String? = { engine, now in
        engine.followed(now).first.map { followed in
            "It watches \(words(followed.departure)) (\(engine.subjects[followed.subject].name))."
        }
    }

    static let forecastOfLast: @Sendable (NotificationEngine, Instant) -> String? = { engine, _ in
        guard let subject = engine.subjects.first(where: { $0.last != nil }), let last = subject.last else {
            return nil
        }
        return subject.leadsHome
            ? "The last departure home is \(words(last))."
            : "Your pinned journey is the last one of the day: \(words(last))."
    }

    static let forecastOfTrip: @Sendable (NotificationEngine, Instant) -> String? = { engine, _ in
        let taken = engine.followedDepartures
        return engine.subjects.lazy.flatMap(\.departures).first { taken.contains($0.key) }
            .map { "It watches your trip with \(words($0))." }
    }

    private static func words(_ departure: WatchedDeparture) -> String {
        "\(departure.names.route) at \(NotificationText.clock(departure.key.scheduled, departure.names.zone)) from \(departure.names.stop)"
    }
}
