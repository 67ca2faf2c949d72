internal import TransitModel
internal import TransitRefresh

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

    /// Records that the client has forgotten the part of the pause after a time, because it was not saved.
    mutating func forgetRetryAfter(after end: TrueTime) { notBefore = min(notBefore, end) }
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

// The simulated upstreams, which count requests and respond according to their modes and behaviors.
extension Simulation {
    mutating func arrive(_ number: UInt64) throws(Violation) {
        guard !machine.isSuspended, var fetch = fetches[number], fetch.outcome == nil else { return }
        let order = fetch.order
        let deadline = fetch.ordered + Int64(order.deadline) * 1000
        let host = order.source.host.flatMap { scenario.hosts[$0] }
        if order.source.host != nil {
            guard machine.hasNetwork, host?.mode != .refusing else {
                return fail(number, .connection("no connection"), at: now + 5)
            }
        }
        log.add(now, .arrived(order, host?.mode))
        try count(fetch)
        fetch.arrived = now
        let latency = generator.once(in: 40) ? generator.number(3000...28_000) : generator.number(20...1500)
        answer(&fetch, host?.mode ?? .well)
        if machine.isDiskFull, order.dataset.kind == .static, fetch.version != nil {
            fetch.outcome?.result = .failed(.local("no space left"))
            fetch.version = nil
        }
        var moment = now + Int64(latency)
        if host?.mode == .silent || moment > deadline {
            moment = deadline
            fetch.version = nil
            fetch.outcome = FetchOutcome(ticket: order.ticket, dataset: order.dataset, result: .failed(.timeout))
        }
        fetches[number] = fetch
        queue.add(.respond(number), at: moment)
    }

    private mutating func fail(_ number: UInt64, _ failure: FetchFailure, at time: TrueTime) {
        guard let order = fetches[number]?.order else { return }
        fetches[number]?.outcome = FetchOutcome(
            ticket: order.ticket, dataset: order.dataset, result: .failed(failure))
        fetches[number]?.version = nil
        queue.add(.respond(number), at: time)
    }

    private mutating func answer(_ fetch: inout ClientFetch, _ mode: HostMode) {
        let order = fetch.order
        var outcome = FetchOutcome(ticket: order.ticket, dataset: order.dataset, result: .failed(.truncated))
        switch mode {
        case .failing(let status): (outcome.result, outcome.status) = (.failed(.status(status)), status)
        case .overloaded(let status, let seconds, let asDate):
            (outcome.result, outcome.status) = (.failed(.status(status)), status)
            outcome.retryAfter = retryAfter(&fetch, status, seconds, asDate)
        case .truncating: outcome.status = 200
        case .flaky where generator.once(in: 3): (outcome.result, outcome.status) = (.failed(.status(502)), 502)
        case .garbled: (outcome.result, outcome.status) = (.refused("invalid content"), 200)
        case .well, .flaky, .silent, .refusing:
            fetch.version = content(&outcome, order)
            if order.dataset.kind.isRealtime, outcome.status == 200 { fetch.stamp = stamp(order) }
        }
        fetch.outcome = outcome
    }

    private mutating func retryAfter(
        _ fetch: inout ClientFetch, _ status: Int, _ seconds: Int?, _ asDate: Bool
    ) -> String? {
        guard let host = fetch.order.source.host else { return nil }
        guard let seconds else {
            // After 429, the daemon pauses for up to an hour.
            if status == 429 {
                let longest = now + 3_600_000
                grantGracePeriod(host, until: longest + Self.recovery(.permanent))
                hostPauses[host] = max(hostPauses[host] ?? 0, longest)
            }
            return nil
        }
        let until = now + Int64(seconds) * 1000
        // A client with a wrong clock misinterprets a date: its pause is then too short, or too long, but at most a
        // day.
        if !asDate || machine.wallClockError == 0 { fetch.notBefore = until - (asDate ? 2000 : 0) }
        let longest = asDate && machine.wallClockError != 0 ? now + 86_400_000 : until
        grantGracePeriod(host, until: longest + Self.recovery(.permanent))
        hostPauses[host] = max(hostPauses[host] ?? 0, longest)
        guard asDate else { return "\(seconds)" }
        let wall = machine.truth(at: until)
        let (date, second) = ServiceZone.utc.civil(at: wall)
        let (year, month, day) = date.components
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let time = ServiceTime(seconds: Int32(second))
        return "Mon, \(day < 10 ? "0" : "")\(day) \(months[month - 1]) \(year) \(time) GMT"
    }

    /// - Returns: The version that the client has after a success.
    private func content(_ outcome: inout FetchOutcome, _ order: DatasetFetch) -> Int64? {
        guard let endpoint = scenario.endpoints[order.source.endpoint] else { return nil }
        let version = endpoint.version(at: now)
        let isCurrent = order.validators?.etag == "\(version)"
        let saysNotModified: Bool
        switch endpoint.conditionalRequestBehavior {
        case .honest: saysNotModified = isCurrent
        case .ignoresConditionalRequests: saysNotModified = false
        case .alwaysNotModified: saysNotModified = order.validators != nil
        }
        if saysNotModified {
            (outcome.result, outcome.status) = (.notModified(order.validators ?? Validators()), 304)
            return held[order.dataset]?.version
        }
        outcome.result = .content(digest: "\(version)", Validators(etag: "\(version)"))
        (outcome.status, outcome.bytes) = (200, 1000)
        return version
    }

    private mutating func stamp(_ order: DatasetFetch) -> ContentTimestamp {
        var stamp = ContentTimestamp(generated: now, header: nil)
        switch scenario.endpoints[order.source.endpoint]?.timestampBehavior ?? .none {
        case .exact: stamp.header = machine.truth(at: stamp.generated)
        case .ahead(let error): stamp.header = machine.truth(at: stamp.generated + error)
        case .lagging(let lag):
            if generator.once(in: 3) { stamp.generated = max(0, now - lag) }
            stamp.header = machine.truth(at: stamp.generated)
        case .stuck:
            // The publisher is stuck for two hours out of every six.
            let phase = now % 21_600_000
            stamp.generated = phase < 7_200_000 ? now - phase : now
            stamp.header = machine.truth(at: stamp.generated)
        case .none: break
        }
        return stamp
    }
}
