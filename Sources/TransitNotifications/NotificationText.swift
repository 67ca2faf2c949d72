internal import TransitModel

/// Times and durations in the texts of notifications.
enum NotificationText {
    /// `HH:MM` in a zone.
    static func clock(_ instant: Instant, _ zone: ServiceZone) -> String {
        zone.timeOfDay(at: instant)
    }

    static func timeOfDay(seconds: Int) -> String {
        DecimalText.padded(seconds / 3600, to: 2) + ":" + DecimalText.padded(seconds / 60 % 60, to: 2)
    }

    /// "4 min", "1 h 5 min", for a delay in seconds; the same for an early departure.
    static func minutes(_ delay: Int) -> String {
        // Whole minutes, as the difference of the displayed times.
        let count = delay >= 0 ? delay / 60 : (59 - delay) / 60
        if count < 60 { return "\(count) min" }
        return "\(count / 60) h" + (count % 60 == 0 ? "" : " \(count % 60) min")
    }
}

extension WatchedDeparture {
    /// "Tram 5 at 08:12", "Local 153 at 08:12".
    var text: String { "\(names.routeAndNumber) at \(clock(key.scheduled))" }

    /// `HH:MM` in the zone of the stop.
    func clock(_ instant: Instant) -> String { NotificationText.clock(instant, names.zone) }
}

// The parts that the texts of several rules share. Each rule has its title, and the lines that only it needs.

extension DepartureRuleContext {
    /// "Tram 5 at 08:12, expected 08:17" if it is late or early.
    var expectedText: String {
        guard let delay, delay >= 60 || delay <= -60 else { return departure.text }
        return departure.text + ", expected \(departure.clock(observation.time))"
    }

    /// The known facts about the departure: its stop, the expected time, the platform, and when to leave.
    var facts: [String?] { [stopLine, expectationLine, platformLine, leaveLine] }

    var stopLine: String {
        "From \(departure.names.stop)" + (departure.names.headsign.map { " toward \($0)" } ?? "") + "."
    }

    /// When it is expected, or why that is not known; `nil` if no realtime data is expected.
    var expectationLine: String? {
        if observation.isMissing { return "It is not reported, although other departures on its route are." }
        guard let delay, let expected = observation.expected else {
            return observation.expected == nil && departure.silentSince == nil ? nil : unreliableLine
        }
        let clock = departure.clock(expected)
        if delay >= 60 { return "Expected at \(clock), \(NotificationText.minutes(delay)) late." }
        if delay <= -60 { return "Expected at \(clock), \(NotificationText.minutes(delay)) early." }
        return "On time."
    }

    /// The text about a prediction that cannot be relied on.
    private var unreliableLine: String? {
        guard !observation.isFresh else { return nil }
        let since = (departure.silentSince ?? observation.measured).map {
            "No new realtime data since \(departure.clock($0))"
        }
        let words =
            (since ?? "The realtime data is too old") + (since == nil ? ", so" : ";") + " this is the scheduled time."
        guard let delay = observation.delay, delay >= 60 else { return words }
        return "It was last reported \(NotificationText.minutes(delay)) late. \(words)"
    }

    var platformLine: String? {
        if let platform = changedPlatform {
            return "Platform \(platform) instead of \(observation.scheduledPlatform ?? "")."
        }
        return (observation.platform ?? observation.scheduledPlatform).map { "Platform \($0)." }
    }

    /// When to leave, and the walk.
    var leaveLine: String? {
        guard namesLeaveBy, let walk = timing.walk, let leaveBy, timing.canBeCaught(at: now) else { return nil }
        let words = leaveBy <= now ? "Leave now" : "Leave by \(departure.clock(leaveBy))"
        return walk < 60 ? "\(words)." : "\(words), \((walk + 30) / 60) min walk."
    }

    /// The next departure that can be caught.
    var nextLine: String {
        guard let next = next.first else { return "No other departure that you can catch is known." }
        let words = "Next: " + text(of: next)
        guard let leaveBy = next.timing.leaveBy(at: now) else { return words + "." }
        return words + (leaveBy <= now ? ", leave now." : ", leave by \(next.departure.clock(leaveBy)).")
    }

    /// A later departure of the timetable that leaves before this one.
    var overtakingLine: String? {
        guard let next = overtaking else { return nil }
        let isSameRoute = next.departure.names.routeAndNumber == departure.names.routeAndNumber
        let words = (isSameRoute ? "The " : "") + text(of: next) + " leaves before it"
        guard let leaveBy = next.timing.leaveBy(at: now) else { return words + "." }
        return words + (leaveBy <= now ? "; leave now" : "; leave by \(next.departure.clock(leaveBy))")
            + " to catch it."
    }

    /// What differs from the departure itself: "08:22", "Tram 6 at 08:22 from Old Town (expected 08:27)".
    private func text(of next: Alternative) -> String {
        var words = ""
        if next.departure.names.routeAndNumber != departure.names.routeAndNumber {
            words += "\(next.departure.names.routeAndNumber) at "
        }
        words += next.departure.clock(next.departure.key.scheduled)
        if next.departure.names.stop != departure.names.stop { words += " from \(next.departure.names.stop)" }
        let observation = next.departure.observation
        if let expected = DepartureTiming.reliable(observation),
            observation.departure.scheduled.seconds(to: expected) >= 60
        {
            words += " (expected \(next.departure.clock(expected)))"
        }
        return words
    }
}
