internal import TransitModel

/// What is known of one question about arrivals.
struct ArrivalsQueryState: Hashable, Sendable {
    /// That somebody wants an answer that is new enough.
    struct Interest: Hashable, Sendable {
        var priority: FetchPriority
        /// When it is not worth anything any more.
        var until: BootTime
        /// Counts the wishes: who came first is served first.
        var number: UInt64
    }

    var query: ArrivalsQueryID
    var host: HostID?
    /// ``ArrivalsDemand/lifetime``.
    var lifetime: Int?
    /// The number of the last wish.
    var wished: UInt64 = 0
    /// Ends with the next answer.
    var once: Interest?
    /// Stays until its end.
    var kept: Interest?
    /// Of the request that is under way.
    var ticket: UInt64?
    /// When the last request ended, or began where it has not ended: the cooldown counts from there.
    var asked: BootTime?
    var answered: BootTime?
    /// After a failure: it is not asked before.
    var notBefore: ClockReading?
    var failures = 0
    var trouble: ArrivalsFailure?

    /// Seconds for which a wish that cannot be fulfilled at once is remembered: nobody waits for longer.
    static let patience = 30
    /// The same for a failing host, which is probed on demand once per ``PendingHostProbe/spacing``.
    static let probePatience = PendingHostProbe.spacing

    init(_ wish: ArrivalsDemand) {
        query = wish.query
        host = wish.host
        lifetime = wish.lifetime
    }

    mutating func want(
        _ priority: FetchPriority, number: UInt64, until: BootTime?, isFailing: Bool, at now: BootTime
    ) {
        wished = number
        if let until {
            kept = Self.joined(kept, Interest(priority: priority, until: until, number: number), at: now)
        } else {
            let end = now.advanced(by: isFailing ? Self.probePatience : Self.patience)
            once = Self.joined(once, Interest(priority: priority, until: end, number: number), at: now)
        }
    }

    /// Both wishes as one: whoever wished first is not sent to the end by the other one.
    private static func joined(_ old: Interest?, _ new: Interest, at now: BootTime) -> Interest {
        guard let old, old.until > now else { return new }
        return Interest(
            priority: max(old.priority, new.priority), until: max(old.until, new.until),
            number: old.priority >= new.priority ? old.number : new.number)
    }

    /// The most urgent wish that still counts.
    func wish(at now: BootTime) -> Interest? {
        let valid = [once, kept].compactMap { $0 }.filter { $0.until > now }
        return valid.max { ($0.priority, $1.number) < ($1.priority, $0.number) }
    }

    /// Whether a user requested the query now, as opposed to expected demand.
    func isUserRequest(at now: BootTime) -> Bool { once.map { $0.priority == .user && $0.until > now } ?? false }

    func lifetime(_ limits: ArrivalsPolicy) -> Int { lifetime ?? limits.lifetime }

    func isFresh(_ limits: ArrivalsPolicy, at now: BootTime) -> Bool {
        answered.map { $0.advanced(by: lifetime(limits)) > now } ?? false
    }

    /// Whether the upstream refused it and is not asked again yet.
    func isRefused(at now: BootTime) -> Bool {
        guard case .refused? = trouble, let notBefore else { return false }
        return notBefore.boot > now
    }

    func isInCooldown(_ limits: ArrivalsPolicy, at now: BootTime) -> Bool {
        asked.map { $0.advanced(by: limits.cooldown) > now } ?? false
    }
}

/// A request that is under way.
struct ArrivalsRequestInFlight: Hashable, Sendable {
    var query: ArrivalsQueryID
    var host: HostID?
    var began: BootTime
    /// Whether the request probes a host whose pause is not over.
    var isEarlyProbe: Bool

    /// Seconds after which a request that does not end does not keep the next batch from beginning.
    static let patience = 2
    /// Seconds after which one that never ended is given up; longer than any deadline.
    static let longest = 120
}
