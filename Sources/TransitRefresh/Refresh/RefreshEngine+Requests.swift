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
        var pending = requests[id] ?? PendingRequest(since: now.boot, force: false, ids: [])
        guard pending.ids.count < PendingRequest.maximumWaiters else {
            return effects.append(.answered(id: request.id, id, .held(.busy, until: nil)))
        }
        pending.ids.append(request.id)
        pending.force = pending.force || request.force
        requests[id] = pending
        requestProbe(id, now)
        // Implements the fault ``Faults/noSharing``: the request starts a second fetch.
        if faults.contains(.noSharing) { fetchesInFlight[id] = nil }
    }

    /// Returns the age of a dataset that is fresh enough for an unforced request; `nil` if it must be fetched.
    private func freshAge(_ id: DatasetID, _ now: ClockReading) -> Int? {
        guard let policy = configuration.datasets[id]?.policy, let record = datasets[id],
            record.consecutiveFailures == 0, let age = record.age(at: now),
            age < min(configuration.limits.freshness, policy.interval / 4)
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

extension RefreshRequest.Scope {
    fileprivate func contains(_ id: DatasetID) -> Bool {
        switch self {
        case .all: true
        case .feed(let feed): id.feed == feed
        case .dataset(let dataset): id == dataset
        }
    }
}
