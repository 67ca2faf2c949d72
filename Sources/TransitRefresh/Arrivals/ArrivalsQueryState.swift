internal import TransitModel

/// The state of one arrivals query.
struct ArrivalsQueryState: Hashable, Sendable {
    /// The demand for a fresh response.
    struct Interest: Hashable, Sendable {
        var priority: FetchPriority
        /// The time at which the demand expires.
        var until: BootTime
        /// The sequence number of the demand. Earlier demand is served first.
        var number: UInt64
    }

    var query: ArrivalsQueryID
    var host: HostID?
    /// ``ArrivalsDemand/lifetime``.
    var lifetime: Int?
    /// The sequence number of the last demand.
    var lastDemand: UInt64 = 0
    /// Demand for one response, which the next response satisfies.
    var single: Interest?
    /// Demand for continuously fresh responses until ``Interest/until``.
    var continuous: Interest?
    /// The ticket of the request in flight.
    var ticket: UInt64?
    /// The time at which the last request ended, or started if it is in flight. The cooldown starts at this time.
    var lastAttempt: BootTime?
    var answered: BootTime?
    /// The end of the pause after a failure.
    var notBefore: ClockReading?
    var failures = 0
    var lastFailure: ArrivalsFailure?

    /// The number of seconds for which unsatisfied demand is kept. No client waits longer.
    static let demandTimeout = 30
    /// The number of seconds for which unsatisfied demand is kept if the host is failing. Such a host is probed on
    /// demand once every ``PendingHostProbe/spacing`` seconds.
    static let probeDemandTimeout = PendingHostProbe.spacing

    init(_ demand: ArrivalsDemand) {
        query = demand.query
        host = demand.host
        lifetime = demand.lifetime
    }

    mutating func addDemand(
        _ priority: FetchPriority, number: UInt64, until: BootTime?, isFailing: Bool, at now: BootTime
    ) {
        lastDemand = number
        if let until {
            continuous = Self.merged(continuous, Interest(priority: priority, until: until, number: number), at: now)
        } else {
            let end = now.advanced(by: isFailing ? Self.probeDemandTimeout : Self.demandTimeout)
            single = Self.merged(single, Interest(priority: priority, until: end, number: number), at: now)
        }
    }

    /// Merges two demands. The result has the sequence number of the demand with the higher priority, or of the earlier
    /// demand if the priorities are equal.
    private static func merged(_ old: Interest?, _ new: Interest, at now: BootTime) -> Interest {
        guard let old, old.until > now else { return new }
        return Interest(
            priority: max(old.priority, new.priority), until: max(old.until, new.until),
            number: old.priority >= new.priority ? old.number : new.number)
    }

    /// Returns the most urgent demand that has not expired.
    func demand(at now: BootTime) -> Interest? {
        let valid = [single, continuous].compactMap { $0 }.filter { $0.until > now }
        return valid.max { ($0.priority, $1.number) < ($1.priority, $0.number) }
    }

    /// Whether a user requested the query now, as opposed to expected demand.
    func isUserRequest(at now: BootTime) -> Bool { single.map { $0.priority == .user && $0.until > now } ?? false }

    func lifetime(_ limits: ArrivalsPolicy) -> Int { lifetime ?? limits.lifetime }

    func isFresh(_ limits: ArrivalsPolicy, at now: BootTime) -> Bool {
        answered.map { $0.advanced(by: lifetime(limits)) > now } ?? false
    }

    /// Whether the upstream rejected the query and the pause after the rejection is not over.
    func isRefused(at now: BootTime) -> Bool {
        guard case .refused? = lastFailure, let notBefore else { return false }
        return notBefore.boot > now
    }

    func isInCooldown(_ limits: ArrivalsPolicy, at now: BootTime) -> Bool {
        lastAttempt.map { $0.advanced(by: limits.cooldown) > now } ?? false
    }
}

/// A request in flight.
struct ArrivalsRequestInFlight: Hashable, Sendable {
    var query: ArrivalsQueryID
    var host: HostID?
    var began: BootTime
    /// Whether the request probes a host whose pause is not over.
    var isEarlyProbe: Bool

    /// The number of seconds after which a slow request no longer blocks the next batch.
    static let slowThreshold = 2
    /// The number of seconds after which a request that has not ended is abandoned. It is longer than any timeout.
    static let abandonTimeout = 120
}
