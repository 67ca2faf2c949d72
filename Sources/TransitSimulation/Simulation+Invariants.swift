internal import TransitEngine
internal import TransitModel

// What must hold after every step.
extension Simulation {
    enum Recovery {
        case transient, lasting
    }

    /// Milliseconds after which live data is fresh again, the longest pauses of circuit and retries included.
    static func recovery(_ kind: Recovery) -> TrueTime { kind == .lasting ? 4_800_000 : 1_800_000 }
    /// The same for timetables.
    static func staticRecovery(_ kind: Recovery) -> TrueTime { kind == .lasting ? 30_000_000 : 9_000_000 }

    // MARK: At the upstream

    /// A request has reached its host.
    mutating func count(_ fetch: ClientFetch) throws(Violation) {
        countRequest()
        let order = fetch.order
        let source = order.source
        if let last = scenario.endpoints[source.endpoint]?.lastArrival, now - last < 5000 {
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
        // What was on its way before the client was told is nobody's fault.
        if now < host.notBefore, fetch.ordered > host.told {
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
            try checkTries(host, id, key: fetch.order.source.key)
        default: break
        }
        scenario.hosts[id] = host
    }

    // MARK: At the client

    /// A fetch begins.
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
        // A timetable waits for a quiet hour of the day, which can come soon after a daytime's fetch.
        let least = order.dataset.kind == .static ? 3_500_000 : TrueTime(interval) * 880
        if now - held.ordered < least {
            throw Violation(.tooEarly, "\(order.dataset) after \((now - held.ordered) / 1000) s of \(interval)")
        }
    }

    /// A fetch has ended, and the engine knows.
    mutating func checkOutcome(_ fetch: ClientFetch, _ before: DatasetRecord?) throws(Violation) {
        let id = fetch.order.dataset
        guard let after = engine?.record(id) else { return }
        if fetch.version == nil {
            if after.contentDigest != before?.contentDigest || after.lastSuccess != before?.lastSuccess {
                throw Violation(.lost, "a failure of \(id) changed what is kept")
            }
        } else if fetch.outcome?.status == 200, after.source == fetch.order.source.endpoint,
            after.contentDigest != held[id].map({ "\($0.version)" })
        {
            // Of an address that was just replaced nothing is remembered.
            throw Violation(.lost, "\(id) is not what came")
        }
        if after.history.count > DatasetRecord.historyLimit { throw Violation(.unbounded, "history of \(id)") }
    }

    /// No dataset is older than its policy while its upstream answers, and no age is a lie.
    func checkFreshness() throws(Violation) {
        guard let engine, !machine.isSuspended else { return }
        for (id, dataset) in config.datasets {
            if let held = held[id], let record = engine.record(id) { try checkAge(id, record, held) }
            if let told = held[id]?.told { try checkServedAge(id, dataset, told) }
            try checkPolicy(id, dataset)
        }
        try checkFreshnessDuringDemand()
    }

    private func checkAge(_ id: DatasetID, _ record: DatasetRecord, _ held: StoredContent) throws(Violation) {
        guard held.isAgeKnown else { return }
        guard let age = record.age(at: reading).map({ TrueTime($0) * 1000 }) else {
            throw Violation(.age, "\(id) has no age though it is here")
        }
        // A machine that was off counts whole seconds.
        if age < now - held.confirmed - 3000 || age > now - held.ordered + 3000 {
            throw Violation(.age, "\(id) says \(age / 1000) s, is \((now - held.confirmed) / 1000) s")
        }
    }

    /// What questions are told about the age of live data: never younger than they came or were made, as far as the publisher
    /// says it, and not used when they are too old. A clock that was set since is the machine's fault.
    private func checkServedAge(
        _ id: DatasetID, _ dataset: RefreshConfiguration.Dataset, _ told: ServedContent
    ) throws(Violation) {
        guard told.wallClockError == machine.wallClockError else { return }
        let policy = FreshnessPolicy(interval: dataset.policy.interval)
        let time = RealtimeHeader(timestamp: told.stamp.header).time(received: told.received)
        let age = policy.age(of: time, at: reading.wall)
        // A clock that is behind the publisher's, its own or ours, hides how old content was when it came, and no more.
        let isTrue = told.stamp.header.map { $0 <= machine.truth(at: told.stamp.made) } ?? false
        let least = (now - (isTrue && machine.wallClockError >= 0 ? told.stamp.made : told.came)) / 1000
        if TrueTime(age.seconds) < least - 2 {
            throw Violation(.age, "live data of \(id) say \(age.seconds) s, are at least \(least) s")
        }
        if least > TrueTime(policy.usable) + 2, age.freshness != .stale {
            throw Violation(.age, "live data of \(id) are used though \(least) s old")
        }
    }

    private func checkPolicy(_ id: DatasetID, _ dataset: RefreshConfiguration.Dataset) throws(Violation) {
        let isLive = id.kind.isRealtime
        let since = demand[id.feed]?.since ?? 0
        let isFollowed = isLive && (demand[id.feed]?.subscribers ?? 0) > 0
        var slack: TrueTime = isLive ? 180_000 : 180_000 + 2 * 3_600_000 + 900_000
        // Others are paid from the same purse.
        if dataset.source.key != nil { slack += 1_800_000 }
        let allowed = TrueTime(isFollowed ? dataset.policy.interval : dataset.policy.idleInterval) * 1000 + slack
        var begin =
            graceEnds == .max
            ? .max : graceEnds + (isLive ? Self.recovery(.transient) : Self.staticRecovery(.transient))
        if let host = dataset.source.host {
            if scenario.hosts[host]?.mode != .well { return }
            let excuse = hostGraceEnds[host] ?? 0
            begin = max(begin, isLive ? excuse : excuse + Self.staticRecovery(.lasting))
        }
        if dataset.source.key != nil {
            // The purse may be empty.
            begin = max(begin, budgetsSpent + 26 * 3_600_000 / (hasDayLimit ? 1 : 12))
        }
        // Another configuration applies at once.
        if let changed = changed[id] { begin = max(begin, changed + slack) }
        guard begin < now, isFollowed ? since + allowed < now : true else { return }
        let age = now - (held[id].map { $0.isAgeKnown ? $0.confirmed : max($0.confirmed, begin) } ?? 0)
        guard age <= allowed else {
            let reason = engine?.plans(at: reading).first { $0.id == id }?.reason.rawValue ?? ""
            throw Violation(.stale, "\(id) is \(age / 1000) s old, \(allowed / 1000) s are allowed; \(reason)")
        }
        try checkContent(id, dataset, begin, allowed)
    }

    private var hasDayLimit: Bool { (scenario.accounts["key"]?.limits.count ?? 0) > 1 }

    /// Even a server that calls everything unchanged gives its content from time to time.
    private func checkContent(
        _ id: DatasetID, _ dataset: RefreshConfiguration.Dataset, _ begin: TrueTime, _ allowed: TrueTime
    ) throws(Violation) {
        guard let held = held[id], let endpoint = scenario.endpoints[dataset.source.endpoint] else { return }
        let superseded = (held.version + 1) * endpoint.period
        let bound = TrueTime(dataset.policy.unconditionalInterval) * 1000 + allowed * 2
        if now - max(superseded, begin) > bound {
            throw Violation(.deceived, "\(id) has been other content for \((now - superseded) / 1000) s")
        }
    }

    /// Nothing grows, nobody waits for ever.
    func checkBounds() throws(Violation) {
        guard let engine else { return }
        for (name, count, most) in engine.sizes where count > most {
            throw Violation(.unbounded, "\(count) \(name), \(most) are allowed")
        }
        if machine.ledger.spends.count > 4000 {
            throw Violation(.unbounded, "\(machine.ledger.spends.count) spends kept")
        }
        if queue.count > 5000 { throw Violation(.unbounded, "\(queue.count) events") }
        guard !machine.isSuspended, graceEnds < now - 3_600_000 else { return }
        for (id, user) in waiting where now - user.asked > 4_000_000 {
            throw Violation(.unanswered, "request \(id) waits for \(user.open)")
        }
    }
}
