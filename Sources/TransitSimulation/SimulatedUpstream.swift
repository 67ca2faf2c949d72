internal import TransitModel

/// How a host behaves for a while.
enum HostMode: Hashable {
    case well
    /// Answers everything with that status.
    case failing(Int)
    /// Refuses connections.
    case refusing
    /// Takes a request and never answers.
    case silent
    /// 429 or 503 with `Retry-After`: seconds, or a date, or none.
    case overloaded(status: Int, seconds: Int?, asDate: Bool)
    /// Bodies break off.
    case truncating
    /// A third of the requests fail.
    case flaky
    /// Bodies are not what they should be.
    case garbled

    /// Some trouble.
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

    /// After such a failure there is no hurry.
    var isLasting: Bool { self == .failing(404) || self == .garbled }
}

/// What an endpoint is like, for good.
enum ConditionalRequestBehavior: Hashable {
    case honest
    /// Always sends the whole.
    case ignoresConditionalRequests
    /// Says "not modified" to whoever asks with a condition.
    case alwaysNotModified
}

/// What the header of live data says about its time, compared with when the content was made.
enum TimestampBehavior: Hashable {
    case exact
    /// The publisher's clock is fast, by so many milliseconds.
    case ahead(Int64)
    /// One answer in three comes from a server that is behind, by so many milliseconds.
    case lagging(Int64)
    /// The publisher stops for hours now and then and sends its last content again.
    case stuck
    case none
}

/// What came with live data.
struct ContentTimestamp: Hashable {
    /// When the content was made.
    var made: TrueTime
    /// The header's time.
    var header: Instant?
}

/// One address: its content changes with time, and it counts who comes.
struct SimulatedEndpoint {
    var conditionalRequestBehavior: ConditionalRequestBehavior
    var timestampBehavior = TimestampBehavior.exact
    /// Milliseconds from one content to the next.
    var period: Int64
    var lastArrival: TrueTime?

    func version(at time: TrueTime) -> Int64 { time / period }
}

/// One host with what it was asked and what it told.
struct SimulatedHost {
    var mode = HostMode.well
    /// Since when it has been in no other mode.
    var modeSince: TrueTime = 0
    /// Nobody is to come before that.
    var notBefore: TrueTime = 0
    var lastArrival: TrueTime?
    /// Attempts without an answer during a failure, in the last hour.
    var failedAttempts: [TrueTime] = []
    /// Requests for its data in the last hour. Simultaneous requests count once.
    private(set) var questions: [TrueTime] = []
    var startSpacing: Int64?
    /// When the client was told of ``notBefore``.
    private(set) var told: TrueTime = 0

    mutating func recordUserRequest(at now: TrueTime) {
        guard questions.last != now else { return }
        questions.removeAll { $0 < now - 3_600_000 }
        questions.append(now)
    }

    /// The client hears that it is to wait.
    mutating func hears(_ until: TrueTime, at now: TrueTime) {
        guard until > notBefore else { return }
        notBefore = until
        told = now
    }
}

/// What a key has paid, as its owner counts: any hour, and days of the owner's own calendar.
struct KeyAccount {
    private(set) var limits: [BudgetLimit]
    private var arrivals: [TrueTime] = []
    private var limitsChanged: TrueTime = -1

    init(limits: [BudgetLimit]) { self.limits = limits }

    /// Other limits hold for whatever is ordered from now on.
    mutating func changeLimits(_ limits: [BudgetLimit], at time: TrueTime) {
        self.limits = limits
        limitsChanged = time
    }

    /// Counts a request; the first limit that it breaks.
    ///
    /// - Parameter ordered: when the client decided to send it.
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
