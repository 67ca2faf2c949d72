internal import TransitModel
internal import TransitRefresh

// The checks after every step.
extension Simulation {
    enum Recovery {
        case transient, permanent
    }

    /// The number of milliseconds after which realtime data must be fresh again, including the longest pauses of
    /// circuits and retries.
    static func recovery(_ kind: Recovery) -> TrueTime { kind == .permanent ? 4_800_000 : 1_800_000 }
    /// The number of milliseconds after which a timetable must be fresh again.
    static func staticRecovery(_ kind: Recovery) -> TrueTime { kind == .permanent ? 30_000_000 : 9_000_000 }

    // MARK: Upstream

    /// Counts and checks a request that has reached its host.
    mutating func count(_ fetch: ClientFetch) throws(Violation) {
        countRequest()
        let order = fetch.order
        let source = order.source
        // A file needs no spacing.
        if source.host != nil, let last = scenario.endpoints[source.endpoint]?.lastArrival, now - last < 5000 {
            throw Violation(.endpointSpacing, "\(source.endpoint) after \(now - last) ms")
        }
        scenario.endpoints[source.endpoint]?.lastArrival = now
        if let key = source.key,
            let broken = scenario.accounts[key]?.count(at: now, ordered: fetch.ordered, machine: machine)
        {
            throw Violation(.budget, "\(key): more than \(broken.fetches) per \(broken.window.seconds) s")
        }
        if let host = source.host { try count(fetch, at: host) }
    }

    private mutating func count(_ fetch: ClientFetch, at id: HostID) throws(Violation) {
        guard var host = scenario.hosts[id] else { return }
        let dataset = fetch.order.dataset
        // Requests sent before the client received the header are not violations.
        if now < host.notBefore, fetch.ordered > host.notBeforeReceived {
            throw Violation(.retryAfter, "\(dataset), \(host.notBefore - now) ms early")
        }
        if let spacing = host.startSpacing, fetch.isFirst, let last = host.lastArrival, now - last < spacing {
            throw Violation(.startSpacing, "\(dataset) after \(now - last) ms")
        }
        host.lastArrival = now
        switch host.mode {
        case .failing(500...), .silent, .truncating, .overloaded:
            host.failedAttempts.append(now)
            host.failedAttempts.removeAll { $0 < now - 3_600_000 }
            try checkAttempts(host, id, key: fetch.order.source.key)
        default: break
        }
        scenario.hosts[id] = host
    }

    // MARK: Client

    /// Checks a fetch that starts.
    mutating func checkOrder(_ order: DatasetFetch) throws(Violation) {
        guard order.priority != .user else {
            budgetsSpent = now
            return
        }
        orders.append(now)
        orders.removeAll { $0 <= now - 2000 }
        if orders.count > 7 { throw Violation(.storm, "\(orders.count) fetches within 2 s") }
        guard let engine, let held = held[order.dataset], held.isAgeKnown,
            held.ordered > changed[order.dataset] ?? -1,
            engine.record(order.dataset)?.consecutiveFailures == 0
        else { return }
        let interval = engine.plan(order.dataset, at: reading).interval
        // Timetables are fetched during quiet hours, which can begin soon after a daytime fetch.
        let minimum = order.dataset.kind == .static ? 3_500_000 : TrueTime(interval) * 880
        if now - held.ordered < minimum {
            throw Violation(.tooEarly, "\(order.dataset) after \((now - held.ordered) / 1000) s of \(interval)")
        }
    }

    /// Checks the engine's record after a fetch has ended.
    mutating func checkOutcome(_ fetch: ClientFetch, _ previous: DatasetRecord?) throws(Violation) {
        let id = fetch.order.dataset
        guard let after = engine?.record(id) else { return }
        if fetch.version == nil {
            // The next fetch, which may have begun, forgets the content of a URL that was replaced.
            let isSameSource = after.source == previous?.source
            if isSameSource,
                after.contentDigest != previous?.contentDigest || after.lastSuccess != previous?.lastSuccess
            {
                throw Violation(.lost, "a failed fetch of \(id) changed its content")
            }
        } else if fetch.outcome?.status == 200, after.source == fetch.order.source.endpoint,
            after.contentDigest != held[id].map({ "\($0.version)" })
        {
            // Nothing is recorded about a URL that was just replaced.
            throw Violation(.lost, "\(id) is not the fetched content")
        }
        if after.history.count > DatasetRecord.historyLimit { throw Violation(.unbounded, "history of \(id)") }
    }

    /// Checks that no dataset is older than its policy allows while its upstream responds, and that all reported ages
    /// are correct.
    func checkFreshness() throws(Violation) {
        guard let engine, !machine.isSuspended else { return }
        for (id, dataset) in config.datasets {
            if let held = held[id], let record = engine.record(id) { try checkAge(id, record, held) }
            if let served = held[id]?.served { try checkServedAge(id, dataset, served) }
            try checkPolicy(id, dataset)
        }
        try checkFreshnessDuringDemand()
    }

    private func checkAge(_ id: DatasetID, _ record: DatasetRecord, _ held: StoredContent) throws(Violation) {
        guard held.isAgeKnown else { return }
        guard let age = record.age(at: reading).map({ TrueTime($0) * 1000 }) else {
            throw Violation(.age, "\(id) has content but no age")
        }
        // After a reboot, ages are only exact to a second.
        if age < now - held.confirmed - 3000 || age > now - held.ordered + 3000 {
            throw Violation(
                .age, "\(id) reports an age of \(age / 1000) s instead of \((now - held.confirmed) / 1000) s")
        }
    }

    /// Checks the age of realtime data that clients receive. The age must not be less than the time since receipt, or
    /// since generation if the publisher states that time. Data that is too old must not be used. Changes to the
    /// machine's clock are not violations.
    private func checkServedAge(
        _ id: DatasetID, _ dataset: RefreshConfiguration.Dataset, _ served: ServedContent
    ) throws(Violation) {
        guard served.wallClockError == machine.wallClockError else { return }
        let policy = FreshnessPolicy(interval: dataset.policy.interval)
        let time = RealtimeHeader(timestamp: served.stamp.header).time(received: served.received)
        let age = policy.age(of: time, at: reading.wall)
        // If the publisher's or the machine's clock is slow, the reported age may lack the age that the content had at
        // receipt, but no more than that.
        let isTrue = served.stamp.header.map { $0 <= machine.truth(at: served.stamp.generated) } ?? false
        let minimum =
            (now - (isTrue && machine.wallClockError >= 0 ? served.stamp.generated : served.receivedAt)) / 1000
        if TrueTime(age.seconds) < minimum - 2 {
            throw Violation(
                .age, "realtime data of \(id) reports an age of \(age.seconds) s instead of at least \(minimum) s")
        }
        if minimum > TrueTime(policy.usable) + 2, age.freshness != .stale {
            throw Violation(.age, "realtime data of \(id) is used although it is \(minimum) s old")
        }
    }

    private func checkPolicy(_ id: DatasetID, _ dataset: RefreshConfiguration.Dataset) throws(Violation) {
        let isRealtime = id.kind.isRealtime
        let since = demand[id.feed]?.since ?? 0
        let isFollowed = isRealtime && (demand[id.feed]?.subscribers ?? 0) > 0
        var slack: TrueTime = isRealtime ? 180_000 : 180_000 + 2 * 3_600_000 + 900_000
        // Other datasets share the same budget.
        if dataset.source.key != nil { slack += 1_800_000 }
        let allowed = TrueTime(isFollowed ? dataset.policy.interval : dataset.policy.idleInterval) * 1000 + slack
        var begin =
            graceEnds == .max
            ? .max : graceEnds + (isRealtime ? Self.recovery(.transient) : Self.staticRecovery(.transient))
        if let host = dataset.source.host {
            if scenario.hosts[host]?.mode != .well { return }
            let graceEnd = hostGraceEnds[host] ?? 0
            begin = max(begin, isRealtime ? graceEnd : graceEnd + Self.staticRecovery(.permanent))
        }
        if dataset.source.key != nil {
            try checkTimetable(id, dataset, upSince: begin)
            // The budget may be exhausted.
            begin = max(begin, budgetsSpent + 26 * 3_600_000 / (hasDayLimit ? 1 : 12))
        }
        // A new configuration applies immediately.
        if let changed = changed[id] { begin = max(begin, changed + slack) }
        guard begin < now, isFollowed ? since + allowed < now : true else { return }
        let age = now - (held[id].map { $0.isAgeKnown ? $0.confirmed : max($0.confirmed, begin) } ?? 0)
        guard age <= allowed else {
            let reason = engine?.plans(at: reading).first { $0.id == id }?.reason.rawValue ?? ""
            throw Violation(.stale, "\(id) is \(age / 1000) s old; \(allowed / 1000) s are allowed; \(reason)")
        }
        try checkContent(id, dataset, begin, allowed)
    }

    /// Checks that a timetable is fetched within twice its interval even if users' requests exhaust the budget of its key.
    ///
    /// - Parameter begin: The time since which its source and the machine work, with the time to recover.
    private func checkTimetable(
        _ id: DatasetID, _ dataset: RefreshConfiguration.Dataset, upSince begin: TrueTime
    ) throws(Violation) {
        // The window of a day, after which a budget that was exhausted allows requests again.
        let window: TrueTime = 26 * 3_600_000
        guard id.kind == .static, begin < now, max(begin, changed[id] ?? 0) + window < now else { return }
        let age = now - (held[id].map { $0.isAgeKnown ? $0.confirmed : max($0.confirmed, begin) } ?? 0)
        let allowed = TrueTime(dataset.policy.interval) * 2000
        if age > allowed {
            throw Violation(.stale, "\(id) is \(age / 1000) s old; twice its interval is \(allowed / 1000) s")
        }
    }

    private var hasDayLimit: Bool { (scenario.accounts["key"]?.limits.count ?? 0) > 1 }

    /// Checks that content is eventually replaced even if the server always responds "not modified".
    private func checkContent(
        _ id: DatasetID, _ dataset: RefreshConfiguration.Dataset, _ begin: TrueTime, _ allowed: TrueTime
    ) throws(Violation) {
        guard let held = held[id], let endpoint = scenario.endpoints[dataset.source.endpoint] else { return }
        let superseded = (held.version + 1) * endpoint.period
        let bound = TrueTime(dataset.policy.unconditionalInterval) * 1000 + allowed * 2
        if now - max(superseded, begin) > bound {
            throw Violation(.deceived, "the content of \(id) has been outdated for \((now - superseded) / 1000) s")
        }
    }

    /// Checks that no collection exceeds its limit and that no request waits forever.
    func checkBounds() throws(Violation) {
        guard let engine else { return }
        for (name, count, maximum) in engine.sizes where count > maximum {
            throw Violation(.unbounded, "\(count) \(name); \(maximum) are allowed")
        }
        if machine.ledger.spends.count > 4000 {
            throw Violation(.unbounded, "\(machine.ledger.spends.count) charges in the ledger")
        }
        if queue.count > 5000 { throw Violation(.unbounded, "\(queue.count) events") }
        guard !machine.isSuspended, graceEnds < now - 3_600_000 else { return }
        for (id, user) in waiting where now - user.requested > 4_000_000 {
            throw Violation(.unanswered, "request \(id) still waits for \(user.open)")
        }
    }
}
