internal import TransitModel
internal import TransitRefresh

// The checks for on-demand requests.
extension Simulation {
    /// Checks a batch of requests that start together.
    func checkBatch(_ orders: [ArrivalsRequest]) throws(Violation) {
        guard !orders.isEmpty else { return }
        let policy = ArrivalsSimulation.upstreamPolicy
        let inFlightCount = arrivals.requests.count
        guard orders.count + inFlightCount <= policy.batch else {
            throw Violation(.batch, "\(orders.count) requests in addition to \(inFlightCount) in flight")
        }
        for (name, last) in [("began", arrivals.lastStarted), ("ended", arrivals.lastEnded)] {
            guard let last, now - last < Int64(policy.batchSpacing) else { continue }
            throw Violation(.batch, "the last request \(name) \(now - last) ms before")
        }
        // A batch must not start while a request has been in flight for less than two seconds. Slower requests do not
        // delay the batch.
        if let recent = arrivals.requests.values.first(where: { now - $0.began < 2000 }) {
            throw Violation(.batch, "\(recent.order.query) has been in flight for only \(now - recent.began) ms")
        }
        var seen: Set<ArrivalsQueryID> = []
        for order in orders {
            let isTwice = arrivals.requests.values.contains { $0.order.query == order.query }
            if isTwice || !seen.insert(order.query).inserted { throw Violation(.twice, "\(order.query)") }
            try checkOrder(order, policy)
        }
    }

    private func checkOrder(_ order: ArrivalsRequest, _ policy: ArrivalsPolicy) throws(Violation) {
        guard let stop = arrivals.stops[order.query] else {
            throw Violation(.tooEarly, "\(order.query) was not requested")
        }
        if let ended = stop.lastEnded, now - ended < Int64(policy.cooldown) * 1000 {
            throw Violation(.cooldown, "\(order.query) after \(now - ended) ms")
        }
        if let answered = stop.lastAnswered, now - answered < Int64(policy.lifetime) * 1000 {
            throw Violation(.tooEarly, "\(order.query) received a response \(now - answered) ms before")
        }
        // After a reboot, times are only exact to a second.
        if now < stop.refusedUntil - 2000 {
            throw Violation(.refused, "\(order.query), \(stop.refusedUntil - now) ms early")
        }
    }

    /// Counts and checks a request that has reached its host.
    mutating func countArrival(_ request: ArrivalsSimulation.Request) throws(Violation) {
        countRequest()
        countArrivals()
        guard var host = arrivals.hosts[request.host] else { return }
        // Requests sent before the client received the header are not violations.
        if now < host.notBefore - 2000, request.began > host.notBeforeReceived {
            throw Violation(.retryAfter, "\(request.order.query), \(host.notBefore - now) ms early")
        }
        switch host.mode {
        case .failing(500...), .silent, .truncating, .overloaded:
            host.failedAttempts.append(now)
            host.failedAttempts.removeAll { $0 < now - 3_600_000 }
            try checkAttempts(host, request.host, key: nil)
        default: host.failedAttempts = []
        }
        arrivals.hosts[request.host] = host
    }

    /// Records a user request. A failing host that has not been tried for a minute must be tried now, even during its
    /// backoff.
    mutating func recordArrivalsRequest(_ demands: [ArrivalsDemand], at reading: ClockReading) {
        for host in Set(demands.compactMap(\.host)) {
            arrivals.hosts[host]?.recordUserRequest(at: now)
            let isHeldBack = demands.contains { demand in
                guard demand.host == host,
                    let arrivalsStatus = arrivals.scheduler?.arrivalsStatus(of: demand.query, at: reading)
                else {
                    return false
                }
                // No request is sent while the response is fresh.
                return arrivalsStatus.reason == .circuitOpen && !arrivalsStatus.isFresh
                    && now >= (arrivals.stops[demand.query]?.refusedUntil ?? 0)
            }
            guard isHeldBack, arrivals.hosts[host]?.mode == .well, arrivals.lastHostFailure[host] ?? 0 < now - 62_000,
                arrivals.hostPauses[host] ?? 0 < now, arrivals.upSince < now - 62_000, machine.hasNetwork
            else { continue }
            queue.add(.arrivals(.probeTimeout(host, requested: now)), at: now + ArrivalsSimulation.maximumWait)
        }
    }

    /// Checks that the host was tried in the meantime, so that its backoff is over.
    func checkProbe(of host: HostID, requested: TrueTime) throws(Violation) {
        guard let scheduler = arrivals.scheduler, !machine.isSuspended, arrivals.upSince < requested,
            arrivals.lastHostFailure[host] ?? 0 < requested
        else { return }
        for (query, stop) in arrivals.stops where stop.host == host {
            guard scheduler.arrivalsStatus(of: query, at: reading)?.reason == .circuitOpen else { continue }
            throw Violation(.stale, "\(host) received no probe within \(now - requested) ms of a request for \(query)")
        }
    }

    /// Checks that all ages are correct and that no collection grows without bound.
    func checkArrivals() throws(Violation) {
        guard let scheduler = arrivals.scheduler else { return }
        for (query, stop) in arrivals.stops {
            let age = scheduler.arrivalsStatus(of: query, at: reading)?.age
            guard age == stop.lastAnswered.map({ Int((now - $0) / 1000) }) else {
                let known = age.map { "\($0) s" } ?? "nothing"
                throw Violation(
                    .age,
                    "\(query) reports an age of \(known) at \(now); its response arrived at \(stop.lastAnswered ?? -1)"
                )
            }
            try checkServedAge(query, stop)
        }
        if scheduler.queries.count > arrivals.stops.count {
            throw Violation(.unbounded, "\(scheduler.queries.count) queries are stored")
        }
        if arrivals.cache.count > arrivals.stops.count {
            throw Violation(.unbounded, "\(arrivals.cache.count) responses are cached")
        }
    }

    /// Checks the age of a response that clients receive, which must not be less than the time since receipt. Changes
    /// to the machine's clock are not violations.
    private func checkServedAge(_ query: ArrivalsQueryID, _ stop: ArrivalsSimulation.SimulatedQuery) throws(Violation) {
        if stop.lastAnswered != nil, stop.served == nil {
            throw Violation(.age, "the response to \(query) has no timestamp")
        }
        guard let served = stop.served, served.wallClockError == machine.wallClockError else { return }
        let (age, minimum) = (served.timestamp.seconds(to: reading.wall), Int((now - served.received) / 1000))
        if age < minimum - 2 {
            throw Violation(.age, "\(query) reports an age of \(age) s instead of at least \(minimum) s")
        }
    }

    /// Checks that a rider's queries have been sent since the request, or are held back for a reason.
    mutating func checkWait(of rider: UInt64) throws(Violation) {
        guard let waiting = arrivals.waitingRiders.removeValue(forKey: rider), !machine.isSuspended else { return }
        for query in waiting.queries {
            guard let stop = arrivals.stops[query], stop.lastEnded ?? -1 < waiting.requested,
                arrivals.lastHostFailure[stop.host] ?? -1 < waiting.requested
            else { continue }
            guard let arrivalsStatus = arrivals.scheduler?.arrivalsStatus(of: query, at: reading) else {
                throw Violation(.unanswered, "the scheduler has no record of \(query)")
            }
            if arrivalsStatus.reason == .due {
                throw Violation(.unanswered, "\(query) has waited for \(now - waiting.requested) ms")
            }
        }
    }
}
