package import TransitModel

/// How useful notifications were, judged by the actual departures.
package enum NotificationQuality {
    /// A notification to judge.
    package struct Alarm: Hashable, Sendable {
        package enum Rule: String, Hashable, Sendable, CaseIterable {
            case leave, delay
        }

        package var rule: Rule
        package var departure: DepartureKey
        package var notified: Instant
        /// When the notification said to start walking; `nil` without a place.
        package var leaveBy: Instant?
        /// The walk in seconds; `nil` without a place.
        package var walk: Int?
        /// The expected departure that the notification named; `nil` if it named none.
        package var expected: Instant?

        package init(
            rule: Rule, departure: DepartureKey, notified: Instant, leaveBy: Instant? = nil, walk: Int? = nil,
            expected: Instant? = nil
        ) {
            self.rule = rule
            self.departure = departure
            self.notified = notified
            self.leaveBy = leaveBy
            self.walk = walk
            self.expected = expected
        }
    }

    package enum Verdict: String, Hashable, Sendable, CaseIterable {
        case right
        case needless
        case tooLate = "too_late"
        case unknown
        /// A later notification gave other advice before it was time to leave.
        case replaced
    }

    /// A wait of more than this many seconds at the stop means that leaving was premature.
    package static let maximumWait = 15 * 60
    /// The minimum delay in seconds that is worth a notification.
    package static let minimumDelay = 180
    /// The number of seconds by which a vehicle may leave before the time that was named.
    package static let tolerance = 120

    /// Judges one notification.
    ///
    /// - "Leave" is judged by its advice: a user who leaves at ``Alarm/leaveBy``, or immediately if that has passed. It
    ///   is too late if the walk ends after the departure, and needless if the vehicle did not run or the user waits
    ///   longer than ``maximumWait``.
    /// - "Delay" is too late if the user had to leave before it was sent, and needless if the vehicle did not run, was
    ///   less than ``minimumDelay`` late, or left more than ``tolerance`` before the time that was named.
    package static func verdict(_ alarm: Alarm, _ outcome: DepartureOutcome) -> Verdict {
        switch outcome {
        case .unknown: return .unknown
        case .notServed: return .needless
        case .departed(let departed):
            switch alarm.rule {
            case .leave: return leave(alarm, departed)
            case .delay: return delay(alarm, departed)
            }
        }
    }

    private static func leave(_ alarm: Alarm, _ departed: Instant) -> Verdict {
        let atStop = alarm.leaves.advanced(by: alarm.walk ?? 0)
        if atStop > departed { return .tooLate }
        // Without a place, the user decides when to leave.
        return alarm.leaveBy != nil && atStop.seconds(to: departed) > maximumWait ? .needless : .right
    }

    private static func delay(_ alarm: Alarm, _ departed: Instant) -> Verdict {
        let deadline = alarm.leaveBy ?? alarm.departure.scheduled.advanced(by: -(alarm.walk ?? 0))
        if alarm.notified > min(deadline, departed) { return .tooLate }
        if alarm.departure.scheduled.seconds(to: departed) < minimumDelay { return .needless }
        if let expected = alarm.expected, departed.seconds(to: expected) > tolerance { return .needless }
        return .right
    }

    /// Counts the verdicts about the alarms of each rule. Advice that a later alarm about the same departure replaced
    /// before the user had to leave was not followed, so it is counted as ``Verdict/replaced``.
    package static func counts(
        _ alarms: [Alarm], _ outcomes: [DepartureKey: DepartureOutcome]
    ) -> [Alarm.Rule: [Verdict: Int]] {
        let advice = Dictionary(grouping: alarms.filter { $0.leaveBy != nil }, by: \.departure)
        var counts: [Alarm.Rule: [Verdict: Int]] = [:]
        for alarm in alarms {
            let isReplaced =
                alarm.rule == .leave && alarm.leaveBy != nil
                && (advice[alarm.departure] ?? []).contains {
                    $0.notified > alarm.notified && $0.notified <= alarm.leaves
                }
            let verdict =
                isReplaced ? .replaced : verdict(alarm, outcomes[alarm.departure] ?? .unknown)
            counts[alarm.rule, default: [:]][verdict, default: 0] += 1
        }
        return counts
    }
}

extension NotificationQuality.Alarm {
    /// When a user who follows the advice leaves: immediately without advice, and if its time has passed.
    fileprivate var leaves: Instant { leaveBy.map { max($0, notified) } ?? notified }
}
