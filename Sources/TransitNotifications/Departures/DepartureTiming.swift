internal import TransitModel

/// When a rider has to be at a stop for a departure, and when to leave for it.
struct DepartureTiming: Hashable, Sendable {
    /// The settings of the timing: when the notice to leave comes, and when a vehicle counts as early.
    struct Settings: Sendable {
        let leave: LeaveRule.Settings
        let early: EarlyRule.Settings
    }

    private let observation: DepartureObservation
    /// The walk in seconds; `nil` without a place.
    let walk: Int?
    /// The time to spare at the stop in seconds.
    let margin: Int
    private let earlyFirst: Int

    init(_ observation: DepartureObservation, walk: Int?, margin: Int, settings: Settings) {
        self.observation = observation
        self.walk = walk
        self.margin = margin
        earlyFirst = settings.early.first
    }

    /// The expected departure if it can be relied on; `nil` without data, with stale data and with low confidence.
    static func reliable(_ observation: DepartureObservation) -> Instant? {
        guard observation.isFresh, observation.confidence > .low, observation.source != .scheduled,
            !observation.isMissing
        else { return nil }
        return observation.expected
    }

    /// Whether the vehicle is early according to its own report.
    private var isEarly: Bool {
        guard let expected = Self.reliable(observation), observation.source == .live else { return false }
        return expected.seconds(to: observation.departure.scheduled) >= earlyFirst
    }

    /// The time that the data states, without an allowance for its error. It changes only with the data.
    var basis: Instant {
        guard let expected = Self.reliable(observation) else { return observation.departure.scheduled }
        return isEarly ? expected : max(observation.departure.scheduled, expected)
    }

    /// The possible error of the expected time, in seconds. Without a stated one, it grows with the time until the
    /// departure, and is at least half of the delay half an hour ahead, because a late vehicle can catch up.
    func uncertainty(at now: Instant) -> Int {
        guard let expected = Self.reliable(observation) else { return 0 }
        if let stated = observation.uncertainty { return max(0, stated) }
        let horizon = max(0, now.seconds(to: expected))
        let base = horizon <= 180 ? 30 : horizon <= 600 ? 60 : 90
        let delay = max(0, observation.departure.scheduled.seconds(to: expected))
        return max(base, delay / 2 * min(horizon, 1800) / 1800)
    }

    /// A time before which the vehicle does not leave, as far as is known.
    func lowerBound(at now: Instant) -> Instant {
        guard let expected = Self.reliable(observation) else {
            // Without a prediction, the margin is what earlier days show.
            let margin = observation.expected == nil ? max(0, observation.uncertainty ?? 0) : 0
            return observation.departure.scheduled.advanced(by: -margin)
        }
        let bound = expected.advanced(by: -uncertainty(at: now))
        return isEarly ? bound : max(observation.departure.scheduled, bound)
    }

    /// When to start walking; `nil` without a place.
    func leaveBy(at now: Instant) -> Instant? {
        walk.map { lowerBound(at: now).advanced(by: -$0 - margin) }
    }

    /// The time to leave or, without a place, the time at which the vehicle leaves.
    func target(at now: Instant) -> Instant { leaveBy(at: now) ?? lowerBound(at: now) }

    /// Whether a rider who starts now reaches the vehicle, without time to spare.
    func canBeCaught(at now: Instant) -> Bool {
        now.advanced(by: walk ?? 0) <= lowerBound(at: now)
    }

    /// Whether a rider who starts now reaches the vehicle if it leaves at the expected time.
    func canBeCaughtAsExpected(at now: Instant) -> Bool { now.advanced(by: walk ?? 0) <= basis }

    /// When the notice to leave is due.
    func notice(at now: Instant, settings: LeaveRule.Settings) -> Instant {
        target(at: now).advanced(by: walk == nil ? -settings.withoutPlace : -settings.notice)
    }

    /// Returns the first moment after `now` at which the notice to leave is due and the vehicle can be caught.
    func momentOfNotice(after now: Instant, _ settings: LeaveRule.Settings) -> Instant? {
        firstMoment(
            after: now, where: { $0 >= notice(at: $0, settings: settings) }, while: { canBeCaught(at: $0) })
    }

    /// Returns the first moment after `now` at which a condition holds. The condition changes at most once between the
    /// steps of the uncertainty, because it depends on the time only through this value.
    func firstMoment(after now: Instant, where condition: (Instant) -> Bool) -> Instant? {
        firstMoment(after: now, where: condition) { _ in true }
    }

    /// Returns the first moment after `now` at which one condition has become true and another one is still true.
    func firstMoment(
        after now: Instant, where condition: (Instant) -> Bool, while other: (Instant) -> Bool
    ) -> Instant? {
        let start = now.advanced(by: 1)
        let end = max(start, max(observation.time, observation.departure.scheduled).advanced(by: 3600))
        var steps = [start]
        if let expected = Self.reliable(observation) {
            steps += [1800, 600, 180, 0].flatMap { [expected.advanced(by: -$0), expected.advanced(by: 1 - $0)] }
        }
        steps = steps.filter { $0 >= start && $0 < end }.sorted() + [end]
        for (from, to) in zip(steps, steps.dropFirst()) {
            let last = to.advanced(by: -1)
            if condition(from), other(from) { return from }
            if !condition(from), condition(last) {
                let first = Self.search(from, last, condition)
                if other(first) { return first }
            }
            if condition(last), other(last) { return Self.search(from, last) { condition($0) && other($0) } }
        }
        return condition(end) && other(end) ? end : nil
    }

    /// Returns the first moment of a range at which a condition is true. It is false at the start and true at the end.
    private static func search(_ from: Instant, _ last: Instant, _ condition: (Instant) -> Bool) -> Instant {
        var (low, high) = (from, last)
        while low.seconds(to: high) > 1 {
            let middle = low.advanced(by: low.seconds(to: high) / 2)
            if condition(middle) { high = middle } else { low = middle }
        }
        return high
    }
}
