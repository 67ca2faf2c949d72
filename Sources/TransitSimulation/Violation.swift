/// A promise that was broken.
public struct Violation: Error, Hashable, Sendable, CustomStringConvertible {
    /// Which promise, by a stable name.
    public enum Rule: String, Hashable, Sendable, CaseIterable {
        /// A dataset is older than its policy although its upstream answers.
        case stale
        /// A dataset was fetched that was new enough.
        case tooEarly
        case budget
        case endpointSpacing
        case startSpacing
        case retryAfter
        /// A host that is down was asked again and again.
        case circuit
        /// A question about arrivals was asked again too soon.
        case cooldown
        /// Questions about arrivals were asked in too large batches, or too soon one after the other.
        case batch
        /// What an upstream refuses was asked again.
        case refused
        /// Two fetches of the same thing at once.
        case twice
        /// Too many fetches within seconds.
        case storm
        /// Content that is not the upstream's was kept though the upstream would have given its own.
        case deceived
        /// What was good is forgotten.
        case lost
        /// An age that is not true.
        case age
        /// Something grows.
        case unbounded
        /// Somebody waits for ever.
        case unanswered
        /// The engine asks to be woken in the past again and again.
        case spinning
    }

    public var rule: Rule
    public var detail: String

    init(_ rule: Rule, _ detail: String) {
        self.rule = rule
        self.detail = detail
    }

    public var description: String { "\(rule.rawValue): \(detail)" }
}
