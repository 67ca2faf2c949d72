internal import TransitModel

/// The current behavior of a host.
enum HostMode: Hashable {
    case well
    /// Responds to every request with this status.
    case failing(Int)
    /// Refuses connections.
    case refusing
    /// Accepts requests and never responds.
    case silent
    /// Responds 429 or 503 with a `Retry-After` in seconds, as a date, or without one.
    case overloaded(status: Int, seconds: Int?, asDate: Bool)
    /// Truncates response bodies.
    case truncating
    /// Fails a third of the requests.
    case flaky
    /// Sends invalid bodies.
    case garbled

    /// Returns a random failure mode.
    static func trouble(_ generator: inout SeededGenerator) -> HostMode {
        let seconds = [nil, 1, 30, 120, 900, 3600][generator.number(0...5)]
        switch generator.number(0...8) {
        case 0: return .failing(generator.pick([500, 502, 504]))
        case 1: return .failing(404)
        case 2: return .refusing
        case 3: return .silent
        case 4, 5:
            return .overloaded(status: generator.pick([429, 503]), seconds: seconds, asDate: generator.once(in: 2))
        case 6: return .truncating
        case 7: return .garbled
        default: return .flaky
        }
    }

    /// Whether the failure appears permanent, so that the daemon retries slowly.
    var isPermanent: Bool { self == .failing(404) || self == .garbled }
}

/// An endpoint's handling of conditional requests. An endpoint's behavior never changes.
enum ConditionalRequestBehavior: Hashable {
    case honest
    /// Always sends the full content.
    case ignoresConditionalRequests
    /// Responds "not modified" to every conditional request.
    case alwaysNotModified
}

/// The relation between the header timestamp of realtime data and the time at which the content was generated.
enum TimestampBehavior: Hashable {
    case exact
    /// The publisher's clock is fast by this many milliseconds.
    case ahead(Int64)
    /// One response in three comes from a server that lags by this many milliseconds.
    case lagging(Int64)
    /// The publisher occasionally stops for hours and repeats its last content.
    case stuck
    case none
}

/// The timestamps of realtime data.
struct ContentTimestamp: Hashable {
    /// The time at which the content was generated.
    var generated: TrueTime
    /// The timestamp in the header.
    var header: Instant?
}

/// One URL, whose content changes periodically. It records when requests arrive.
struct SimulatedEndpoint {
    var conditionalRequestBehavior: ConditionalRequestBehavior
    var timestampBehavior = TimestampBehavior.exact
    /// The number of milliseconds between two versions of the content.
    var period: Int64
    var lastArrival: TrueTime?

    func version(at time: TrueTime) -> Int64 { time / period }
}

/// One host with its state and the requests that it received.
struct SimulatedHost {
    var mode = HostMode.well
    /// The time at which the current mode began.
    var modeSince: TrueTime = 0
    /// The end of the host's `Retry-After` pause, before which it expects no requests.
    var notBefore: TrueTime = 0
    var lastArrival: TrueTime?
    /// The unanswered requests during a failure, within the last hour.
    var failedAttempts: [TrueTime] = []
    /// The user requests for the host's data within the last hour. Simultaneous requests count once.
    private(set) var userRequests: [TrueTime] = []
    var startSpacing: Int64?
    /// The time at which the client received ``notBefore``.
    private(set) var notBeforeReceived: TrueTime = 0

    mutating func recordUserRequest(at now: TrueTime) {
        guard userRequests.last != now else { return }
        userRequests.removeAll { $0 < now - 3_600_000 }
        userRequests.append(now)
    }

    /// Records that the client received a `Retry-After` header.
    mutating func recordRetryAfter(_ until: TrueTime, at now: TrueTime) {
        guard until > notBefore else { return }
        notBefore = until
        notBeforeReceived = now
    }
}

/// The request count of a key by the provider's own accounting: rolling windows, and calendar days in the provider's
/// time zone.
struct KeyAccount {
    private(set) var limits: [BudgetLimit]
    private var arrivals: [TrueTime] = []
    private var limitsChanged: TrueTime = -1

    init(limits: [BudgetLimit]) { self.limits = limits }

    /// Changes the limits for fetches that are ordered from now on.
    mutating func changeLimits(_ limits: [BudgetLimit], at time: TrueTime) {
        self.limits = limits
        limitsChanged = time
    }

    /// Counts a request and returns the first limit that it exceeds.
    ///
    /// - Parameter ordered: The time at which the client decided to send the request.
    mutating func count(at time: TrueTime, ordered: TrueTime, machine: SimulatedMachine) -> BudgetLimit? {
        arrivals.append(time)
        arrivals.removeAll { $0 < time - 26 * 3_600_000 }
        guard ordered > limitsChanged else { return nil }
        return limits.first { limit in
            switch limit.window {
            case .rolling(let seconds):
                return arrivals.count { $0 > time - Int64(seconds) * 1000 } > limit.fetches
            case .calendarDay(let zone):
                let today = zone.civil(at: machine.truth(at: time)).date
                let midnight = zone.instant(date: today, secondsOfDay: 0)
                return arrivals.count { machine.truth(at: $0) >= midnight } > limit.fetches
            }
        }
    }
}
