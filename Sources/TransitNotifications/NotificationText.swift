internal import TransitModel

/// The titles and bodies of notifications about departures.
enum NotificationText {
    // MARK: Titles

    static func leaveTitle(_ context: DepartureRuleContext) -> String {
        guard let leaveBy = context.leaveBy else {
            let departure = context.departure
            guard let delay = context.delay, delay >= 60 || delay <= -60 else {
                return "\(departure.names.routeAndNumber) leaves at \(time(departure.key.scheduled, departure))"
            }
            return "\(run(departure)) leaves at \(time(context.observation.time, departure))"
        }
        let isNow = leaveBy <= context.now.advanced(by: 60)
        return (isNow ? "Leave now" : "Leave by \(time(leaveBy, context.departure))") + ": \(expectedRun(context))"
    }

    static func nextTitle(_ context: DepartureRuleContext) -> String { "Next: \(expectedRun(context))" }

    static func movedLeaveTitle(_ context: DepartureRuleContext, isEarlier: Bool) -> String {
        let direction = isEarlier ? "earlier" : "later"
        guard context.namesLeaveBy else { return "\(run(context.departure)) leaves later" }
        guard let leaveBy = context.leaveBy, leaveBy > context.now.advanced(by: 60) else {
            return isEarlier ? leaveTitle(context) : "\(run(context.departure)) leaves later"
        }
        return "Leave \(direction), by \(time(leaveBy, context.departure)): \(expectedRun(context))"
    }

    static func delayTitle(_ context: DepartureRuleContext, isAgain: Bool) -> String {
        "\(run(context.departure)) is \(isAgain ? "now " : "")\(minutes(context.delay ?? 0)) late"
    }

    static func normalTitle(_ context: DepartureRuleContext) -> String { "\(run(context.departure)) is on time again" }

    static func earlyTitle(_ context: DepartureRuleContext) -> String {
        "\(run(context.departure)) is \(minutes(context.delay ?? 0)) early"
    }

    static func cancellationTitle(_ context: DepartureRuleContext) -> String {
        let isSkipped = context.observation.status == .skipped
        let stop = context.departure.names.stop
        if !context.observation.isFresh {
            return run(context.departure) + (isSkipped ? " may not stop at \(stop)" : " may be canceled")
        }
        return run(context.departure) + (isSkipped ? " does not stop at \(stop)" : " is canceled")
    }

    /// - Parameter wasSkipped: Whether the notification before said that the vehicle does not stop.
    static func reinstatedTitle(_ context: DepartureRuleContext, wasSkipped: Bool) -> String {
        run(context.departure) + (wasSkipped ? " stops at \(context.departure.names.stop)" : " runs") + " after all"
    }

    static func unseenTitle(_ context: DepartureRuleContext) -> String { "\(run(context.departure)) is not reported" }

    /// "Tram 5 at 08:12 is now reported, on time".
    static func reportedTitle(_ context: DepartureRuleContext) -> String {
        guard let delay = context.delay, delay >= 60 || delay <= -60 else {
            return "\(run(context.departure)) is now reported" + (context.delay == nil ? "" : ", on time")
        }
        return "\(run(context.departure)) is now reported, \(minutes(delay)) \(delay > 0 ? "late" : "early")"
    }

    static func uncatchableTitle(_ context: DepartureRuleContext) -> String {
        "You can no longer catch \(run(context.departure))"
    }

    static func leftEarlyTitle(_ context: DepartureRuleContext) -> String { "\(run(context.departure)) left early" }

    static func contradictionTitle(_ context: DepartureRuleContext) -> String {
        "Conflicting reports about \(run(context.departure))"
    }

    static func platformTitle(_ context: DepartureRuleContext) -> String {
        "\(run(context.departure)) now leaves from platform \(context.observation.platform ?? "")"
    }

    static func lastTitle(_ context: DepartureRuleContext) -> String { "Last trip home: \(run(context.departure))" }

    static func getoffTitle(_ departure: WatchedDeparture, arrival: Instant) -> String {
        let place = departure.names.destination.map { "Get off at \($0)" } ?? "Get off soon"
        return "\(place): \(departure.names.routeAndNumber) arrives at \(time(arrival, departure))"
    }

    // MARK: Bodies

    /// What is known about the departure: its stop, the expected time, the platform, and when to leave.
    static func facts(_ context: DepartureRuleContext) -> [String?] {
        [stop(context.departure), expectation(context), platform(context), leaveLine(context)]
    }

    /// ``facts(_:)`` for a title that says when to leave.
    static func leaveFacts(_ context: DepartureRuleContext) -> [String?] {
        let walk = context.timing.walk.flatMap { $0 < 60 ? nil : "\(($0 + 30) / 60) min walk." }
        return [stop(context.departure), expectation(context), platform(context), walk, overtaking(context)]
    }

    /// ``facts(_:)`` with the departure that leaves before a late one.
    static func delayFacts(_ context: DepartureRuleContext) -> [String?] { facts(context) + [overtaking(context)] }

    /// A later departure of the timetable that leaves before this one.
    private static func overtaking(_ context: DepartureRuleContext) -> String? {
        guard let next = context.overtaking else { return nil }
        let isSameRoute = next.departure.names.routeAndNumber == context.departure.names.routeAndNumber
        let words = (isSameRoute ? "The " : "") + alternative(next, context) + " leaves before it"
        guard let leaveBy = next.timing.leaveBy(at: context.now) else { return words + "." }
        return words + (leaveBy <= context.now ? "; leave now" : "; leave by \(time(leaveBy, next.departure))")
            + " to catch it."
    }

    static func cancellationBody(_ context: DepartureRuleContext) -> [String?] {
        [context.observation.isFresh ? nil : staleLine, also(context), nextLine(context)]
    }

    static func unseenBody(_ context: DepartureRuleContext) -> [String?] {
        ["Other departures of its route are. It may be late or canceled.", leaveLine(context), nextLine(context)]
    }

    static let contradictionLine = "It was canceled and reinstated repeatedly. Do not rely on it."
    private static let staleLine = "The realtime data is too old to confirm this."

    private static func stop(_ departure: WatchedDeparture) -> String {
        "From \(departure.names.stop)" + (departure.names.headsign.map { " toward \($0)" } ?? "") + "."
    }

    static func expectation(_ context: DepartureRuleContext) -> String? {
        let observation = context.observation
        if observation.isMissing { return "It is not reported, although other departures of its route are." }
        guard let delay = context.delay, let expected = observation.expected else {
            return observation.expected == nil && context.departure.silentSince == nil ? nil : unreliable(context)
        }
        let clock = time(expected, context.departure)
        if delay >= 60 { return "Expected at \(clock), \(minutes(delay)) late." }
        if delay <= -60 { return "Expected at \(clock), \(minutes(delay)) early." }
        return "On time."
    }

    /// What is said about an expectation that cannot be relied on.
    private static func unreliable(_ context: DepartureRuleContext) -> String? {
        let observation = context.observation
        guard !observation.isFresh else { return nil }
        let since = (context.departure.silentSince ?? observation.measured).map {
            "No new realtime data since \(time($0, context.departure))"
        }
        let words =
            (since ?? "The realtime data is too old") + (since == nil ? ", so" : ";") + " this is the scheduled time."
        guard let delay = observation.delay, delay >= 60 else { return words }
        return "It was last reported \(minutes(delay)) late. \(words)"
    }

    private static func platform(_ context: DepartureRuleContext) -> String? {
        if let platform = context.changedPlatform {
            return "Platform \(platform) instead of \(context.observation.scheduledPlatform ?? "")."
        }
        return (context.observation.platform ?? context.observation.scheduledPlatform).map { "Platform \($0)." }
    }

    /// When to leave, and the walk.
    static func leaveLine(_ context: DepartureRuleContext) -> String? {
        guard context.namesLeaveBy, let walk = context.timing.walk, let leaveBy = context.leaveBy,
            context.timing.canBeCaught(at: context.now)
        else { return nil }
        let words = leaveBy <= context.now ? "Leave now" : "Leave by \(time(leaveBy, context.departure))"
        return walk < 60 ? "\(words)." : "\(words), \((walk + 30) / 60) min walk."
    }

    /// The next departure that can be caught.
    static func nextLine(_ context: DepartureRuleContext) -> String {
        guard let next = context.next.first else { return "No other departure is known that you can catch." }
        let words = "Next: " + alternative(next, context)
        guard let leaveBy = next.timing.leaveBy(at: context.now) else { return words + "." }
        return words + (leaveBy <= context.now ? ", leave now." : ", leave by \(time(leaveBy, next.departure)).")
    }

    /// What differs from the departure itself: "08:22", "Tram 6 at 08:22 from Old Town (expected 08:27)".
    private static func alternative(_ next: DepartureRuleContext.Alternative, _ context: DepartureRuleContext) -> String
    {
        var words = ""
        if next.departure.names.routeAndNumber != context.departure.names.routeAndNumber {
            words += "\(next.departure.names.routeAndNumber) at "
        }
        words += time(next.departure.key.scheduled, next.departure)
        if next.departure.names.stop != context.departure.names.stop { words += " from \(next.departure.names.stop)" }
        let observation = next.departure.observation
        if let expected = DepartureTiming.reliable(observation),
            observation.departure.scheduled.seconds(to: expected) >= 60
        {
            words += " (expected \(time(expected, next.departure)))"
        }
        return words
    }

    private static func also(_ context: DepartureRuleContext) -> String? {
        let others = context.alsoCanceled
        guard !others.isEmpty else { return nil }
        let times = GeneralText.list(others.map { time($0.key.scheduled, $0) }, showing: 4)
        let statuses = Set(others.map(\.observation.status))
        guard statuses.count == 1, let status = statuses.first else { return "\(times) cannot be taken either." }
        let isSame = status == context.observation.status
        if status == .skipped {
            return "\(times) \(others.count == 1 ? "does" : "do") not stop there" + (isSame ? " either." : ".")
        }
        return "\(times) \(others.count == 1 ? "is" : "are") canceled" + (isSame ? " too." : ".")
    }

    // MARK: Words

    /// "Tram 5 at 08:12", "Local 153 at 08:12".
    static func run(_ departure: WatchedDeparture) -> String {
        "\(departure.names.routeAndNumber) at \(time(departure.key.scheduled, departure))"
    }

    /// "Tram 5 at 08:12, expected 08:17" if it is late or early.
    private static func expectedRun(_ context: DepartureRuleContext) -> String {
        guard let delay = context.delay, delay >= 60 || delay <= -60 else { return run(context.departure) }
        return run(context.departure) + ", expected \(time(context.observation.time, context.departure))"
    }

    private static func time(_ instant: Instant, _ departure: WatchedDeparture) -> String {
        clock(instant, departure.names.zone)
    }

    /// `HH:MM` in a zone.
    static func clock(_ instant: Instant, _ zone: ServiceZone) -> String {
        zone.timeOfDay(at: instant)
    }

    static func timeOfDay(seconds: Int) -> String {
        DecimalText.padded(seconds / 3600, to: 2) + ":" + DecimalText.padded(seconds / 60 % 60, to: 2)
    }

    /// "4 min", "1 h 5 min".
    static func minutes(_ delay: Int) -> String {
        let count = minutesCount(delay)
        if count < 60 { return "\(count) min" }
        return "\(count / 60) h" + (count % 60 == 0 ? "" : " \(count % 60) min")
    }

    /// Whole minutes, as the difference of the displayed times.
    private static func minutesCount(_ delay: Int) -> Int { delay >= 0 ? delay / 60 : (59 - delay) / 60 }
}
