internal import TransitModel

extension RefreshEngine {
    /// Handles a user's request.
    mutating func handleRequest(_ request: RefreshRequest, _ now: ClockReading) {
        let matching = configuration.datasets.keys.filter { request.scope.contains($0) }.sorted()
        effects.append(.accepted(id: request.id, matching))
        for id in matching { handleRequest(request, for: id, now) }
    }

    private mutating func handleRequest(_ request: RefreshRequest, for id: DatasetID, _ now: ClockReading) {
        if !request.force, fetchesInFlight[id] == nil, let age = freshAge(id, now) {
            return effects.append(.answered(id: request.id, id, .fresh(age: age)))
        }
        var pending = requests[id] ?? PendingRequest(since: now.boot, force: false, isWhole: false, ids: [])
        guard pending.ids.count < PendingRequest.maximumWaiters else {
            return effects.append(.answered(id: request.id, id, .held(.busy, until: nil)))
        }
        pending.ids.append(request.id)
        pending.force = pending.force || request.force
        pending.isWhole = pending.isWhole || request.isWhole
        requests[id] = pending
        if request.force { fetchesInFlight[id]?.isRequestedAgain = true }
        requestProbe(id, now)
        // Implements the fault ``Faults/noSharing``: the request starts a second fetch.
        if faults.contains(.noSharing) { fetchesInFlight[id] = nil }
    }

    /// Returns the age of a dataset that is fresh enough for an unforced request; `nil` if it must be fetched.
    private func freshAge(_ id: DatasetID, _ now: ClockReading) -> Int? {
        guard let dataset = configuration.datasets[id], let record = datasets[id],
            record.isFrom(dataset.source.endpoint), record.consecutiveFailures == 0, let age = record.age(at: now),
            age < min(configuration.limits.freshness, dataset.policy.interval / 4)
        else { return nil }
        return age
    }

    mutating func withdraw(_ request: UInt64) {
        for id in requests.keys {
            requests[id]?.ids.removeAll { $0 == request }
            if requests[id]?.ids.isEmpty == true { requests[id] = nil }
        }
    }

    /// Answers all requests that wait for a dataset.
    mutating func answer(_ id: DatasetID, _ answer: RefreshAnswer) {
        for request in requests.removeValue(forKey: id)?.ids ?? [] {
            effects.append(.answered(id: request, id, answer))
        }
    }

    /// Answers the requests that would have to wait for a long time. The schedule does not change.
    mutating func answerLongWaits(_ now: ClockReading) {
        for id in requests.keys.sorted() where fetchesInFlight[id] == nil {
            let readiness = readiness(id, now)
            if let at = readiness.at, at <= now.boot.advanced(by: PendingRequest.patience) { continue }
            if readiness.at == nil, readiness.reason == .busy { continue }
            answer(id, .held(readiness.reason, until: readiness.at.map(now.wall(at:))))
        }
    }
}

// A user's request does not wait for the end of a failing host's pause, which may take a quarter of an hour. The
// request brings the next probe forward, and the early probe replaces the scheduled probe. `Retry-After`, the retry
// delay of a rejected key and the spacing of an endpoint still apply.
extension RefreshEngine {
    /// Records the demand for a feed's realtime data. A new user request brings the probes of its failing hosts
    /// forward.
    mutating func updateDemand(_ new: Demand, of feed: FeedID, _ now: ClockReading) {
        let isUserRequest = new.lastRequest != nil && new.lastRequest != demand[feed]?.lastRequest
        demand[feed] = new
        guard isUserRequest else { return }
        for id in configuration.datasets.keys where id.feed == feed && id.kind.isRealtime { requestProbe(id, now) }
    }

    /// Requests an early probe of a dataset if its host or the dataset itself is failing.
    mutating func requestProbe(_ id: DatasetID, _ now: ClockReading) {
        guard let host = configuration.datasets[id]?.source.host, !faults.contains(.noProbes) else { return }
        let isHostDown = hosts[host].map { HostCircuit($0).isOpen(at: now.boot) } ?? false
        guard isHostDown || datasets[id]?.consecutiveFailures ?? 0 > 0 else { return }
        var probe = probes[host] ?? PendingHostProbe(since: now.boot, datasets: [])
        if probe.since.advanced(by: PendingHostProbe.lifetime) <= now.boot {
            probe = PendingHostProbe(since: now.boot, datasets: [])
        }
        probe.datasets.insert(id)
        probes[host] = probe
    }

    /// Returns the time at which a dataset may be fetched as the probe of its host; `nil` if no probe was requested, or
    /// if another rule applies.
    func probeMoment(_ id: DatasetID, _ source: DatasetSource, _ now: ClockReading) -> BootTime? {
        guard let host = source.host, let probe = probes[host], probe.datasets.contains(id),
            probe.since.advanced(by: PendingHostProbe.lifetime) > now.boot, let spacing = probeSpacing(source)
        else { return nil }
        if let record = datasets[id], requests[id] == nil {
            if source.isKeyed, record.isKeyRejected { return nil }
            // An unusable archive is a large download that does not change within a minute.
            if !id.kind.isRealtime, record.isFailurePermanent { return nil }
        }
        guard let last = lastFailedAttempt(source, now) else { return probe.since }
        return max(probe.since, last.advanced(by: spacing))
    }

    /// Returns the number of seconds between two probes; `nil` if the key's budget does not allow probes.
    private func probeSpacing(_ source: DatasetSource) -> Int? {
        if faults.contains(.probesNotSpaced) { return 0 }
        guard let key = source.key, let budget = requestBudgets[key], !faults.contains(.probesNotMetered) else {
            return PendingHostProbe.spacing
        }
        return budget.probeSpacing.map { max($0, PendingHostProbe.spacing) }
    }

    /// Returns the start of the last failed fetch from the host or with the key, if no success followed.
    private func lastFailedAttempt(_ source: DatasetSource, _ now: ClockReading) -> BootTime? {
        var last: BootTime?
        for (id, dataset) in configuration.datasets {
            let isOfKey = source.key != nil && dataset.source.key == source.key
            guard dataset.source.host == source.host || isOfKey, let record = datasets[id],
                record.consecutiveFailures > 0, let attempt = record.lastAttempt
            else { continue }
            last = max(last ?? attempt.boot, attempt.boot)
        }
        return last.map { min($0, now.boot) }
    }

    /// Returns whether a fetch that starts now is an early probe. Clears the pending probe of the host.
    mutating func beginsEarlyProbe(_ id: DatasetID, _ source: DatasetSource, _ now: ClockReading) -> Bool {
        guard let host = source.host else { return false }
        let circuit = hosts[host].map { HostCircuit($0) }
        if circuit?.isHalfOpen == true || probes[host]?.datasets.contains(id) == true { probes[host] = nil }
        return circuit?.isOpen(at: now.boot) ?? false
    }
}

/// The users' requests that wait for a dataset.
struct PendingRequest: Hashable, Sendable {
    /// The time of the first request.
    var since: BootTime
    var force: Bool
    var isWhole: Bool
    /// The identifiers of the requests, at most ``maximumWaiters``.
    var ids: [UInt64]

    /// The maximum number of requests that wait for one dataset. Further requests are answered with `busy`.
    fileprivate static let maximumWaiters = 512
    /// The maximum waiting time in seconds. If the wait would be longer, the request is answered with the time instead.
    fileprivate static let patience = 60
}

/// An early probe of a failing host, which a user's request triggers before the probe that the circuit breaker or the
/// retries of the datasets schedule.
struct PendingHostProbe: Hashable, Sendable {
    /// The time of the first request for the probe.
    var since: BootTime
    /// The datasets, any one of which may be fetched as the probe.
    var datasets: Set<DatasetID>

    /// The minimum number of seconds between two probes of a failing host, regardless of demand.
    static let spacing = 60
    /// The number of seconds after which a pending probe is dropped.
    static let lifetime = Demand.requestLifetime
}

extension RefreshRequest.Scope {
    fileprivate func contains(_ id: DatasetID) -> Bool {
        switch self {
        case .all: true
        case .feed(let feed): id.feed == feed
        case .dataset(let dataset): id == dataset
        }
    }
}
