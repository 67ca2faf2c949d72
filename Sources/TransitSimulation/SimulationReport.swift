/// The result of one simulation.
public struct SimulationReport: Hashable, Sendable {
    public var seed: UInt64
    /// The number of simulated days.
    public var days: Double = 0
    /// The number of requests that reached an upstream.
    public var requests = 0
    /// The number of those requests that fetched arrivals on demand.
    public var arrivals = 0
    /// The number of events that the engine handled.
    public var events = 0
    /// The number of disturbances of each kind.
    public var disturbances: [String: Int] = [:]
    public var violation: Violation?
    /// The events before the violation, oldest first.
    public var log: [String] = []

    /// Runs the feeds that share a key, if there is no violation so far, and adds the result.
    public mutating func addSharedKey(days: Double) {
        guard violation == nil else { return }
        var simulation = SharedKeySimulation(seed: seed)
        violation = simulation.run(days: days)
        requests += simulation.requests
        if violation != nil { log = [] }
    }
}

/// A violation of one of the engine's guarantees.
public struct Violation: Error, Hashable, Sendable, CustomStringConvertible {
    /// The violated guarantee, identified by a stable name.
    public enum Rule: String, Hashable, Sendable, CaseIterable {
        /// A dataset is older than its policy allows although its upstream responds.
        case stale
        /// A dataset was fetched although it was fresh.
        case tooEarly
        case budget
        /// Feeds with one key have different shares of its budget at equal demand.
        case share
        /// No request was sent for a long part of a budget's window.
        case gap
        case endpointSpacing
        case startSpacing
        case retryAfter
        /// A failing host received too many requests.
        case circuit
        /// An arrivals query was repeated too soon.
        case cooldown
        /// Arrivals queries were sent in batches that were too large or too close together.
        case batch
        /// A rejected query was repeated.
        case refused
        /// The same data was fetched twice simultaneously.
        case twice
        /// A host received more than two requests at a time.
        case simultaneous
        /// Too many fetches started within seconds.
        case storm
        /// Outdated content was kept although the upstream would have sent current content.
        case deceived
        /// Valid content was lost.
        case lost
        /// A reported age is wrong.
        case age
        /// A collection grows without bound.
        case unbounded
        /// A request waits forever.
        case unanswered
        /// The engine repeatedly requests a wake-up in the past.
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
