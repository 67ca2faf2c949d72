internal import TransitModel
internal import TransitRefresh

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
            outcome.retryAfter = retryAfter(&fetch, seconds, asDate)
        case .truncating: outcome.status = 200
        case .flaky where generator.once(in: 3): (outcome.result, outcome.status) = (.failed(.status(502)), 502)
        case .garbled: (outcome.result, outcome.status) = (.refused("invalid content"), 200)
        case .well, .flaky, .silent, .refusing:
            fetch.version = content(&outcome, order)
            if order.dataset.kind.isRealtime, outcome.status == 200 { fetch.stamp = stamp(order) }
        }
        fetch.outcome = outcome
    }

    private mutating func retryAfter(_ fetch: inout ClientFetch, _ seconds: Int?, _ asDate: Bool) -> String? {
        guard let seconds, let host = fetch.order.source.host else { return nil }
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
