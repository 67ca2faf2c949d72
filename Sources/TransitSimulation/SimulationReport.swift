/// How one simulation ended.
public struct SimulationReport: Hashable, Sendable {
    public var seed: UInt64
    /// Days that were simulated.
    public var days: Double = 0
    /// Requests that reached an upstream.
    public var requests = 0
    /// Those of them that were about arrivals, asked on demand.
    public var arrivals = 0
    /// Events that the engine heard of.
    public var events = 0
    /// Disturbances of each kind.
    public var disturbances: [String: Int] = [:]
    public var violation: Violation?
    /// What happened before the violation, oldest first.
    public var log: [String] = []

    public init(seed: UInt64) { self.seed = seed }
}
