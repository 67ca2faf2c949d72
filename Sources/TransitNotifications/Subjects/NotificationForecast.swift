package import TransitModel

extension NotificationEngine {
    /// Returns what a rule would do next, as a sentence; `nil` if nothing is foreseen.
    package func forecast(of rule: NotificationRule, at now: Instant) -> String? {
        guard settings.isEnabled, settings.isOn(rule) else { return nil }
        switch rule {
        case .leave: return leaveForecast(now)
        case .delay, .canceled, .skipped, .unseen, .early, .platform:
            guard let (departure, position) = followed(now).first else { return nil }
            return "It watches \(words(departure)) (\(subjects[position].name))."
        case .last:
            guard let last = subjects.first(where: { $0.leadsHome && $0.last != nil })?.last else { return nil }
            return "The last departure home is \(words(last))."
        case .getoff:
            guard
                let departure = subjects.lazy.flatMap(\.departures).first(where: { followedDepartures.contains($0.key) }
                )
            else { return nil }
            return "It watches your trip with \(words(departure))."
        case .digest:
            guard let moment = ledger(now).digestMoments(after: now).first else { return nil }
            return "The next digest is at \(NotificationText.clock(moment, zone))."
        case .alert, .crowding, .weather, .timetable, .machine, .badge, .streak, .brief: return nil
        }
    }

    private func leaveForecast(_ now: Instant) -> String? {
        let next = subjects.compactMap { subject -> (notice: Instant, departure: WatchedDeparture)? in
            let notices = subject.departures.lazy.filter { $0.observation.status.isRunning }.map { departure in
                let context = RunContext(departure, of: subject, now: now, settings: settings.rules)
                return (context.timing.notice(at: now, settings: settings.rules), departure)
            }
            return notices.first { $0.0 > now && (subject.window.map { $0.lowerBound <= now } ?? true) }
        }.min { $0.notice < $1.notice }
        return next.map {
            let clock = NotificationText.clock($0.notice, $0.departure.names.zone)
            let day = $0.notice.seconds(to: now) < -12 * 3600 ? " on \($0.departure.key.serviceDate)" : ""
            return "At \(clock)\(day) for \(words($0.departure)), as things are now."
        }
    }

    private func words(_ departure: WatchedDeparture) -> String {
        "\(departure.names.route) at \(NotificationText.clock(departure.key.scheduled, departure.names.zone)) from \(departure.names.stop)"
    }
}
