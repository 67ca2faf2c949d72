internal import TransitModel
internal import TransitRefresh

// On-demand requests: the riders, the simulated daemon and the upstreams.
extension Simulation {
    mutating func handle(_ event: ArrivalsSimulation.Event) throws(Violation) {
        switch event {
        case .request: try makeArrivalsRequest()
        case .waitTimeout(let rider): try checkWait(of: rider)
        case .probeTimeout(let host, let requested): try checkProbe(of: host, requested: requested)
        case .runScheduler(let serial): if serial == arrivals.serial { try runArrivalsScheduler() }
        case .reachHost(let number): try reachHost(number)
        case .complete(let number): try complete(number)
        case .hostFailure: failArrivalsHost()
        case .hostRecovered(let host): arrivals.hosts[host]?.mode = .well
        }
    }

    // MARK: The daemon

    mutating func startArrivals() throws(Violation) {
        arrivals.scheduler = ArrivalsScheduler(
            feed: ArrivalsSimulation.feed, limits: conditions.arrivals, seed: installation)
        arrivals.scheduler?.probeSpacing = conditions.arrivalsProbeSpacing
        arrivals.upSince = now
        if conditions.keepsPauses, let backoff = arrivals.savedBackoff {
            let reading = reading
            arrivals.scheduler?.restore(backoff, in: machine.boot, at: reading)
        }
        try runArrivalsScheduler()
    }

    /// All connections are lost. At random, the daemon detects this before or after it runs its scheduler.
    mutating func resumeArrivals() throws(Violation) {
        arrivals.waitingRiders = [:]
        arrivals.upSince = now
        // Network changes in the meantime are reported now.
        if machine.hasNetwork { arrivals.scheduler?.setOnline(true) }
        let runsSchedulerFirst = arrivals.generator.once(in: 2)
        if runsSchedulerFirst { try runArrivalsScheduler() }
        for number in arrivals.requests.keys.sorted() {
            arrivals.requests[number]?.outcome = .failed(.connection("connection lost"))
            try complete(number)
        }
        if !runsSchedulerFirst { try runArrivalsScheduler() }
    }

    mutating func setArrivalsOnline(_ isOnline: Bool) throws(Violation) {
        arrivals.scheduler?.setOnline(isOnline)
        for host in arrivals.hosts.keys { arrivals.lastHostFailure[host] = now }
        try runArrivalsScheduler()
    }

    /// Starts the permitted requests and schedules the next run.
    private mutating func runArrivalsScheduler() throws(Violation) {
        guard arrivals.scheduler != nil, !machine.isSuspended else { return }
        let reading = reading
        let orders = arrivals.scheduler?.startBatch(at: reading) ?? []
        try checkBatch(orders)
        for order in orders { send(order) }
        excuseHeldBackQueries(at: reading)
        arrivals.serial += 1
        guard let wake = arrivals.scheduler?.nextWake(at: reading) else { return }
        queue.add(.arrivals(.runScheduler(serial: arrivals.serial)), at: max(now, machine.time(of: wake)))
    }

    private mutating func send(_ order: ArrivalsRequest) {
        guard let stop = arrivals.stops[order.query] else { return }
        arrivals.number += 1
        arrivals.lastStarted = now
        arrivals.requests[arrivals.number] = ArrivalsSimulation.Request(order: order, host: stop.host, began: now)
        queue.add(.arrivals(.reachHost(request: arrivals.number)), at: now + Int64(arrivals.generator.number(5...400)))
    }

    private mutating func complete(_ number: UInt64) throws(Violation) {
        guard arrivals.scheduler != nil, !machine.isSuspended, let request = arrivals.requests[number],
            let outcome = request.outcome
        else { return }
        arrivals.requests[number] = nil
        log.add(now, .arrivalsOutcome(request.order, outcome))
        countEvent()
        record(outcome, of: request)
        let reading = reading
        arrivals.scheduler?.complete(request.order.ticket, outcome, at: reading)
        if !machine.isDiskFull { arrivals.save(arrivals.scheduler?.backoff(in: machine.boot, at: reading)) }
        try runArrivalsScheduler()
    }

    private mutating func record(_ outcome: ArrivalsOutcome, of request: ArrivalsSimulation.Request) {
        let query = request.order.query
        arrivals.lastEnded = now
        arrivals.stops[query]?.lastEnded = now
        if let until = request.notBefore {
            arrivals.hosts[request.host]?.recordRetryAfter(until, at: now)
            arrivals.hostPauses[request.host] = max(arrivals.hostPauses[request.host] ?? 0, until)
        }
        switch outcome {
        case .answered:
            arrivals.stops[query]?.lastAnswered = now
            let served = serve(request)
            arrivals.stops[query]?.served = served
        case .failed(.status(403), _), .failed(.status(422), _):
            let lifetime = TrueTime(ArrivalsSimulation.upstreamPolicy.refusalLifetime) * 1000
            arrivals.stops[query]?.refusedUntil = now + lifetime
            arrivals.stops[query]?.wallClockError = machine.wallClockError
        case .failed, .unreadable, .canceled: arrivals.lastHostFailure[request.host] = now
        }
    }

    /// Stores a response in the cache from which clients are served.
    private mutating func serve(_ request: ArrivalsSimulation.Request) -> ArrivalsSimulation.ServedContent? {
        let trip = TripDescriptor(tripID: "bus", relationship: .added)
        let bus = RealtimeEntity.tripUpdate(TripUpdate(id: "bus", trip: trip, timestamp: request.stamp))
        let entities = arrivals.cache.replace([bus], of: request.order.query, received: reading.wall)
        guard case .tripUpdate(let update)? = entities.first, let timestamp = update.timestamp else { return nil }
        return ArrivalsSimulation.ServedContent(
            timestamp: timestamp, received: now, wallClockError: machine.wallClockError)
    }

    // MARK: Riders

    /// Most user requests wait for a response; some only register demand.
    private mutating func makeArrivalsRequest() throws(Violation) {
        queue.add(.arrivals(.request), at: now + arrivals.generator.duration(conditions.arrivalsRequestInterval))
        guard arrivals.scheduler != nil, !machine.isSuspended else { return }
        try checkArrivals()
        var known = arrivals.stops.keys.sorted()
        known.shuffle(using: &arrivals.generator)
        let queries = Array(known.prefix(arrivals.generator.number(1...25)))
        let demands = queries.map { ArrivalsDemand($0, host: arrivals.stops[$0]?.host) }
        let reading = reading
        if arrivals.generator.once(in: 4) {
            arrivals.scheduler?.addDemand(demands, .commute, until: reading.boot.advanced(by: 60), at: reading)
        } else {
            recordArrivalsRequest(demands, at: reading)
            arrivals.scheduler?.addDemand(demands, .user, at: reading)
            // Fresh responses are returned at once, and a request does not wait for queries that are held back.
            let open = queries.filter { arrivals.scheduler?.arrivalsStatus(of: $0, at: reading)?.reason == .due }
            arrivals.number += 1
            arrivals.waitingRiders[arrivals.number] = ArrivalsSimulation.SimulatedRider(requested: now, queries: open)
            queue.add(.arrivals(.waitTimeout(rider: arrivals.number)), at: now + ArrivalsSimulation.maximumWait)
        }
        try runArrivalsScheduler()
    }

    // MARK: The upstreams

    private mutating func reachHost(_ number: UInt64) throws(Violation) {
        guard !machine.isSuspended, let request = arrivals.requests[number], request.outcome == nil,
            let host = arrivals.hosts[request.host]
        else { return }
        guard machine.hasNetwork, host.mode != .refusing else {
            return answer(number, .failed(.connection("no connection")), at: now + 5)
        }
        log.add(now, .arrivalsRequest(request.order, host.mode))
        try countArrival(request)
        let latency = arrivals.generator.once(in: 40) ? 3000...12_000 : 20...800
        let moment = now + Int64(arrivals.generator.number(latency))
        let end = request.began + ArrivalsSimulation.Request.deadline
        guard host.mode != .silent, moment <= end else { return answer(number, .failed(.timeout), at: end) }
        answer(number, outcome(number, host.mode), at: moment)
    }

    private mutating func answer(_ number: UInt64, _ outcome: ArrivalsOutcome, at time: TrueTime) {
        arrivals.requests[number]?.outcome = outcome
        queue.add(.arrivals(.complete(request: number)), at: time)
    }

    private mutating func outcome(_ number: UInt64, _ mode: HostMode) -> ArrivalsOutcome {
        guard let request = arrivals.requests[number] else { return .canceled }
        switch mode {
        case .failing(let status): return .failed(.status(status))
        case .overloaded(let status, let seconds, _):
            guard let seconds else {
                // The daemon then pauses for at least a minute. Responses that follow the first one do not extend the pause.
                if status == 429, arrivals.hosts[request.host]?.notBefore ?? 0 <= now {
                    arrivals.requests[number]?.notBefore = now + 60_000
                }
                return .failed(.status(status))
            }
            arrivals.requests[number]?.notBefore = now + Int64(seconds) * 1000
            return .failed(.status(status), retryAfter: "\(seconds)")
        case .truncating: return .failed(.truncated)
        case .flaky where arrivals.generator.once(in: 3): return .failed(.status(502))
        case .garbled: return .unreadable("invalid content")
        case .well, .flaky, .silent, .refusing:
            if let status = arrivals.stops[request.order.query]?.refusal { return .failed(.status(status)) }
            let stamp = stamp(of: request.host)
            arrivals.requests[number]?.stamp = stamp
            return .answered
        }
    }

    /// Returns the timestamp that a host puts into its response.
    private func stamp(of host: HostID) -> Instant? {
        switch arrivals.timestampBehavior[host] ?? .none {
        case .ahead(let error): machine.truth(at: now + error)
        case .none: nil
        case .exact, .lagging, .stuck: machine.truth(at: now)
        }
    }

    private mutating func failArrivalsHost() {
        queue.add(.arrivals(.hostFailure), at: now + arrivals.generator.duration(conditions.disturbanceInterval))
        let well = arrivals.hosts.keys.sorted().filter { arrivals.hosts[$0]?.mode == .well }
        guard !conditions.disturbances.isEmpty, !well.isEmpty else { return }
        let host = arrivals.generator.pick(well)
        arrivals.hosts[host]?.mode = HostMode.trouble(&arrivals.generator)
        queue.add(.arrivals(.hostRecovered(host)), at: now + arrivals.generator.duration(30, 2 * 3600))
    }
}

// The checks for on-demand requests.
extension Simulation {
    /// Checks a batch of requests that start together.
    private func checkBatch(_ orders: [ArrivalsRequest]) throws(Violation) {
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
    private mutating func countArrival(_ request: ArrivalsSimulation.Request) throws(Violation) {
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
    private mutating func recordArrivalsRequest(_ demands: [ArrivalsDemand], at reading: ClockReading) {
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
    private func checkProbe(of host: HostID, requested: TrueTime) throws(Violation) {
        guard let scheduler = arrivals.scheduler, !machine.isSuspended, arrivals.upSince < requested,
            arrivals.lastHostFailure[host] ?? 0 < requested
        else { return }
        for (query, stop) in arrivals.stops where stop.host == host {
            guard scheduler.arrivalsStatus(of: query, at: reading)?.reason == .circuitOpen else { continue }
            throw Violation(.stale, "\(host) received no probe within \(now - requested) ms of a request for \(query)")
        }
    }

    /// Checks that all ages are correct and that no collection grows without bound.
    private func checkArrivals() throws(Violation) {
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

    /// Ends the wait for queries that are held back for a reason. A query that may be sent as the probe of its host, for
    /// example, is held back as soon as another one is sent as the probe.
    private mutating func excuseHeldBackQueries(at reading: ClockReading) {
        guard let scheduler = arrivals.scheduler else { return }
        for rider in arrivals.waitingRiders.keys {
            arrivals.waitingRiders[rider]?.queries.removeAll { query in
                switch scheduler.arrivalsStatus(of: query, at: reading)?.reason {
                case .due, .busy, .inFlight, nil: false
                default: true
                }
            }
        }
    }

    /// Checks that a rider's queries have been sent since the request, or were held back for a reason.
    private mutating func checkWait(of rider: UInt64) throws(Violation) {
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
