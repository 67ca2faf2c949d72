package import TransitModel

/// The rules that are not about one departure's realtime data, with the settings and the state of the engine.
extension NotificationEngine {
    /// Evaluates these rules, numbers their decisions and applies mutes, days off, quiet hours, the bucket and the digest
    /// (``admit(_:now:)``).
    ///
    /// The rules that are off are not evaluated, whatever ``NetworkInput/rules`` contains.
    package mutating func evaluate(_ input: NetworkInput) -> [NotificationDecision] {
        guard settings.isEnabled else { return [] }
        var rules = networkRules
        let decisions = rules.evaluate(effective(input))
        state.network = rules.memory
        zone = input.zone
        return admit(decisions, now: input.now)
    }

    /// Returns the next moment at which one of these rules can change its mind without new data; `nil` if there is none.
    package func nextMoment(_ input: NetworkInput, after now: Instant) -> Instant? {
        settings.isEnabled ? networkRules.nextMoment(effective(input), after: now) : nil
    }

    /// The version of a feed that was compared last, for ``NetworkInput/timetables``; `nil` before the first one.
    ///
    /// When a version comes into use, it is compared with the one before it. After a start, the caller compares the
    /// current version with this one, if they differ and it still exists, and otherwise gives the current version with
    /// the statuses `nil`, so that no history is told.
    package func comparedVersion(of feed: FeedID) -> Int? { state.network.timetable.versions[feed] }

    /// The changes of the user's departures on a date, for ``Tomorrow/timetable``: "Your 08:12 leaves at 08:15".
    package func timetableChanges(on date: ServiceDate) -> [String] {
        state.network.timetable.entries.filter { $0.dates.contains(date) }.map { "Your \($0.clock) \($0.outcome)" }
    }

    private var networkRules: NetworkRules {
        NetworkRules(
            memory: state.network, thresholds: NetworkThresholds(settings), daysOff: settings.daysOff)
    }

    private func effective(_ input: NetworkInput) -> NetworkInput {
        var input = input
        input.rules = input.rules.filter { settings.isOn($0) }
        return input
    }
}
