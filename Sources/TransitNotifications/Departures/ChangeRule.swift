internal import TransitModel

extension NotificationRule {
    package static let change = NotificationRule(
        "change", "Notifies you when you will miss a vehicle of a pinned journey, with the best way to go on.",
        subjects: [.connection], isUrgent: true, passesQuietHours: true, limit: .none, forecast: forecastOfWatched)
}

/// Notifies that a change of a pinned journey breaks, that another way is now the best one, and that the change holds after
/// all.
///
/// A change that is called missed takes the uncertainties of both vehicles into account, so one message is enough. That it
/// holds again needs two.
enum ChangeRule: DepartureRule {
    static let rules: [NotificationRule] = [.change]

    struct Memory: RuleMemory {
        /// Whether the last notification said that the user misses the vehicle.
        var isBroken = false
        /// The departure that it said to take instead.
        var replacement: DepartureKey?
        /// Where it said to get off.
        var alighting: String?
        /// Consecutive messages that the change holds, after it was broken.
        var holding: DepartureState.Evidence?
        /// Whether it said that another way is still being searched.
        var isSearching: Bool?
    }

    static func observe(_ context: DepartureRuleContext, _ state: inout DepartureState) {
        guard state[Self.self].isBroken, context.observation.isFresh else { return }
        let holds = context.change.map { !$0.isMissed } ?? false
        state[Self.self].holding = .counting(state[Self.self].holding, holds, context.observation.messageTime)
    }

    static func decide(_ context: DepartureRuleContext, _ state: inout DepartureState) -> [NotificationDecision] {
        guard let change = context.change, context.isOn(.change) else { return [] }
        if change.isMissed { return broken(change, context, &state) }
        guard let holding = state[Self.self].holding, holding.count >= 2 else { return [] }
        state[Self.self] = Memory()
        state.notify(context)
        return [
            context.decision(
                .change, title: "You reach \(context.departure.text) after all", body: [margin(change)] + context.facts,
                reason: "Two messages in a row say so.", urgency: .high, hasSound: true, operation: .update)
        ]
    }

    private static func broken(
        _ change: WatchedChange, _ context: DepartureRuleContext, _ state: inout DepartureState
    ) -> [NotificationDecision] {
        let memory = state[Self.self]
        let next = context.replacement?.departure
        let isNew = !memory.isBroken
        let isOther = memory.replacement != next?.key || memory.alighting != context.replacement?.alighting?.stop
        // A way that can no longer be found was still the best advice.
        let isFound = memory.isSearching == true && !context.isReplacementSearched
        guard isNew || isFound || isOther && context.replacement != nil else { return [] }
        state[Self.self] = Memory(
            isBroken: true, replacement: next?.key, alighting: context.replacement?.alighting?.stop,
            isSearching: context.isReplacementSearched ? true : nil)
        state.notify(context)
        var decision = context.decision(
            .change, title: "You will miss \(context.departure.text)",
            body: [arrival(change, context), context.replacementLine ?? context.noReplacementLine],
            reason: isNew
                ? "The vehicle before it arrives too late, even if both times are somewhat wrong."
                : isFound ? "The search for another way has ended." : "Another way arrives earlier now.",
            urgency: .high, hasSound: true)
        decision.next = [next].compactMap(\.self)
        decision.leaveBy = context.replacementLeaveBy
        decision.validUntil = max(
            decision.validUntil, next?.observation.time ?? decision.validUntil,
            context.replacement?.alighting?.arrival ?? decision.validUntil)
        return [decision]
    }

    // MARK: Text

    private static func arrival(_ change: WatchedChange, _ context: DepartureRuleContext) -> String {
        "\(change.arriving) arrives at \(context.departure.clock(change.arrival)), "
            + "\(NotificationText.minutes(max(60, -change.inHand))) too late."
    }

    private static func margin(_ change: WatchedChange) -> String {
        change.inHand < 60
            ? "There is less than a minute to spare." : "\(NotificationText.minutes(change.inHand)) to spare."
    }
}

extension DepartureRuleContext {
    /// When to leave for what replaces a journey, if the user sets out otherwise: as its notice to leave will say.
    var replacementLeaveBy: Instant? {
        guard let replacement, let walk = replacement.walk, let departure = replacement.departure else { return nil }
        return DepartureTiming(
            departure.observation, walk: walk, margin: settings.timing.leave.marginLong, settings: settings.timing
        ).leaveBy(at: now)
    }

    /// What is said instead of ``replacementLine``.
    var noReplacementLine: String {
        isReplacementSearched ? "Another way is still being searched." : "No other way is known."
    }

    /// What the user does instead of a ride of a pinned journey, such as "Get off at Mill Lane at 08:01 and take Bus 9 at 08:05
    /// from there. You arrive at 08:44."; `nil` if nothing is known.
    var replacementLine: String? {
        guard let replacement else { return nil }
        let end = "You arrive at \(departure.clock(replacement.arrival))."
        let next = replacement.departure.map { "\($0.expectedWords) from \($0.names.stop)" }
        if let alighting = replacement.alighting {
            let stop = "Get off at \(alighting.stop) at \(departure.clock(alighting.arrival))"
            return "\(stop) and \(next.map { "take \($0)" } ?? "walk"). \(end)"
        }
        guard let next else { return "Walk from there. \(end)" }
        let start = replacementLeaveBy.map { "Leave by \(departure.clock($0)) and take" } ?? "Take"
        return "\(start) \(next) instead. \(end)"
    }
}

extension WatchedDeparture {
    /// "Bus 9 at 08:05, expected 08:08" if the delay is known, and "Bus 9 at 08:05" otherwise.
    fileprivate var expectedWords: String {
        guard let expected = DepartureTiming.reliable(observation), abs(key.scheduled.seconds(to: expected)) >= 60
        else {
            return text
        }
        return "\(text) (expected \(clock(expected)))"
    }
}
