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

    public init(seed: UInt64) { self.seed = seed }
}
