package import TransitModel

/// What may happen in a simulated world, and how often; everything else follows from the seed.
package struct SimulationConditions: Sendable {
    /// How many feeds there are, besides one that is a file.
    package var feeds: ClosedRange<Int>
    /// Whether the first of them needs a key with a budget; `nil`: as often as not.
    package var hasKey: Bool?
    /// What that key may spend in an hour at first; its day, where it has one, is nearly twelve times as much.
    package var hourlyBudget: Int
    /// What goes wrong: one of these, each as likely as the others.
    package var disturbances: [Disturbance]
    /// Seconds from one disturbance to the next.
    package var disturbanceInterval: ClosedRange<Int>
    /// Seconds from one thing that people do to the next.
    package var userActionInterval: ClosedRange<Int>
    /// Seconds between two requests for departures by a rider who makes several.
    package var departureRequestInterval: ClosedRange<Int>
    /// Seconds from one question about arrivals to the next.
    package var arrivalsRequestInterval: ClosedRange<Int>
    /// How the daemon believes that their upstreams may be asked; they go by the usual pace.
    package var arrivals: ArrivalsPolicy
    /// Seconds between two probes of a failing arrivals host during demand, as configured in the daemon.
    package var arrivalsProbeSpacing: Int
    /// Whether a daemon that starts is told what was refused before.
    package var keepsPauses: Bool

    package init(
        feeds: ClosedRange<Int> = 1...3, hasKey: Bool? = nil, hourlyBudget: Int = 60,
        disturbances: [Disturbance] = Disturbance.usual, disturbanceInterval: ClosedRange<Int> = 600...6 * 3600,
        userActionInterval: ClosedRange<Int> = 60...4 * 3600, departureRequestInterval: ClosedRange<Int> = 20...60,
        arrivalsRequestInterval: ClosedRange<Int> = 20...4 * 3600, arrivals: ArrivalsPolicy = ArrivalsPolicy(),
        arrivalsProbeSpacing: Int = 60,
        keepsPauses: Bool = true
    ) {
        self.feeds = feeds
        self.hasKey = hasKey
        self.hourlyBudget = hourlyBudget
        self.disturbances = disturbances
        self.disturbanceInterval = disturbanceInterval
        self.userActionInterval = userActionInterval
        self.departureRequestInterval = departureRequestInterval
        self.arrivalsRequestInterval = arrivalsRequestInterval
        self.arrivals = arrivals
        self.arrivalsProbeSpacing = arrivalsProbeSpacing
        self.keepsPauses = keepsPauses
    }
}

/// What can go wrong around the daemon.
package enum Disturbance: Sendable, CaseIterable {
    case suspend
    case kill
    case reboot
    case clockStep
    case networkLoss
    case diskFull
    case hostTrouble
    /// Not a fault, but as sudden: another configuration.
    case reload

    /// As it is out there: hosts have trouble more often than machines.
    package static let usual: [Disturbance] =
        [.suspend, .suspend, .kill, .reboot, .clockStep, .clockStep, .networkLoss, .diskFull, .reload]
        + Array(repeating: .hostTrouble, count: 4)
}
