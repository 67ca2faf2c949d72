package import TransitModel

/// The kinds and rates of events in a simulation. Everything else follows from the seed.
package struct SimulationConditions: Sendable {
    /// The number of feeds, in addition to one that is a local file.
    package var feeds: ClosedRange<Int> = 1...3
    /// Whether the first feed needs a key with a budget; `nil` for half of the seeds.
    package var hasKey: Bool?
    /// The key's initial hourly limit. A daily limit, if the key has one, is nearly twelve times as high.
    package var hourlyBudget = 60
    /// The possible disturbances, all equally likely. A repeated element is more likely.
    package var disturbances: [Disturbance] = Disturbance.usual
    /// The number of seconds between two disturbances.
    package var disturbanceInterval: ClosedRange<Int> = 600...6 * 3600
    /// The number of seconds between two user actions.
    package var userActionInterval: ClosedRange<Int> = 60...4 * 3600
    /// The number of seconds between two departure requests from a rider who makes several.
    package var departureRequestInterval: ClosedRange<Int> = 20...60
    /// The number of seconds between two requests for arrivals.
    package var arrivalsRequestInterval: ClosedRange<Int> = 20...4 * 3600
    /// The arrivals policy that the daemon uses. The simulated upstreams check the default policy.
    package var arrivals: ArrivalsPolicy = ArrivalsPolicy()
    /// The configured number of seconds between two probes of a failing arrivals host during demand.
    package var arrivalsProbeSpacing = 60
    /// Whether a daemon restores the saved backoff at startup.
    package var keepsPauses = true
}

/// A disturbance of the daemon's environment.
package enum Disturbance: Sendable, CaseIterable {
    case suspend
    case kill
    case reboot
    case clockStep
    case networkLoss
    case diskFull
    case hostTrouble
    /// A new configuration, which is not a fault but is equally sudden.
    case reload

    /// The default mix, in which hosts fail more often than machines.
    package static let usual: [Disturbance] =
        [.suspend, .suspend, .kill, .reboot, .clockStep, .clockStep, .networkLoss, .diskFull, .reload]
        + Array(repeating: .hostTrouble, count: 4)
}
