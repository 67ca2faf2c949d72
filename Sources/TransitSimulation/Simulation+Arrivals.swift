internal import TransitEngine
internal import TransitModel

// What riders ask on demand, how the daemon carries it out, and what the upstreams answer.
extension Simulation {
    mutating func take(_ event: ArrivalsSimulation.Event) throws(Violation) {
        switch event {
        case .ask: try ask()
        case .waited(let rider): try checkWait(of: rider)
        case .probed(let host, let asked): try checkProbe(of: host, asked: asked)
        case .look(let serial): if serial == arrivals.serial { try runArrivalsScheduler() }
        case .reach(let number): try reach(number)
        case .end(let number): try end(number)
        case .trouble: failArrivalsHost()
        case .hostRecovered(let host): arrivals.hosts[host]?.mode = .well
        }
    }

    // MARK: The daemon

    mutating func startArrivals() throws(Violation) {
        arrivals.plan = ArrivalsScheduler(
            feed: ArrivalsSimulation.feed, limits: circumstances.arrivals, seed: installation)
        arrivals.plan?.probeSpacing = circumstances.arrivalsProbeSpacing
        arrivals.upSince = now
        if circumstances.keepsPauses, let pauses = arrivals.pauses {
            let reading = reading
            arrivals.plan?.restore(pauses, in: machine.boot, at: reading)
        }
        try runArrivalsScheduler()
    }

    /// Connections did not survive. Whether the daemon hears of them or looks at its plan first is chance.
    mutating func resumeArrivals() throws(Violation) {
        arrivals.riders = [:]
        arrivals.upSince = now
        // What the network did meanwhile is told now.
        if machine.hasNetwork { arrivals.plan?.setOnline(true) }
        let looksFirst = arrivals.generator.once(in: 2)
        if looksFirst { try runArrivalsScheduler() }
        for number in arrivals.requests.keys.sorted() {
            arrivals.requests[number]?.outcome = .failed(.connection("the connection is gone"))
            try end(number)
        }
        if !looksFirst { try runArrivalsScheduler() }
    }

    mutating func setArrivalsOnline(_ isOnline: Bool) throws(Violation) {
        arrivals.plan?.setOnline(isOnline)
        for host in arrivals.hosts.keys { arrivals.lastHostFailure[host] = now }
        try runArrivalsScheduler()
    }

    /// Begins what may begin, and waits until something may again.
    mutating func runArrivalsScheduler() throws(Violation) {
        guard arrivals.plan != nil, !machine.isSuspended else { return }
        let reading = reading
        let orders = arrivals.plan?.begin(at: reading) ?? []
        try checkBatch(orders)
        for order in orders { send(order) }
        arrivals.serial += 1
        guard let wake = arrivals.plan?.wake(at: reading) else { return }
        queue.add(.arrivals(.look(serial: arrivals.serial)), at: max(now, machine.time(of: wake)))
    }

    private mutating func send(_ order: ArrivalsRequest) {
        guard let stop = arrivals.stops[order.query] else { return }
        arrivals.number += 1
        arrivals.lastBegun = now
        arrivals.requests[arrivals.number] = ArrivalsSimulation.Request(order: order, host: stop.host, began: now)
        queue.add(.arrivals(.reach(request: arrivals.number)), at: now + Int64(arrivals.generator.number(5...400)))
    }

    private mutating func end(_ number: UInt64) throws(Violation) {
        guard arrivals.plan != nil, !machine.isSuspended, let request = arrivals.requests[number],
            let outcome = request.outcome
        else { return }
        arrivals.requests[number] = nil
        log.add(now, .ended(request.order, outcome))
        countEvent()
        hear(outcome, of: request)
        let reading = reading
        arrivals.plan?.end(request.order.ticket, outcome, at: reading)
        if !machine.isDiskFull { arrivals.save(arrivals.plan?.pauses(in: machine.boot, at: reading)) }
        try runArrivalsScheduler()
    }

    private mutating func hear(_ outcome: ArrivalsOutcome, of request: ArrivalsSimulation.Request) {
        let query = request.order.query
        arrivals.lastEnded = now
        arrivals.stops[query]?.ended = now
        if let until = request.notBefore {
            arrivals.hosts[request.host]?.hears(until, at: now)
            arrivals.held[request.host] = max(arrivals.held[request.host] ?? 0, until)
        }
        switch outcome {
        case .answered:
            arrivals.stops[query]?.answered = now
            let told = told(request)
            arrivals.stops[query]?.told = told
        case .failed(.status(403), _), .failed(.status(422), _):
            let lifetime = TrueTime(ArrivalsSimulation.promised.refusalLifetime) * 1000
            arrivals.stops[query]?.refusedUntil = now + lifetime
            arrivals.stops[query]?.wallClockError = machine.wallClockError
        case .failed, .unreadable, .canceled: arrivals.lastHostFailure[request.host] = now
        }
    }

    /// Puts an answer where questions are answered from.
    private mutating func told(_ request: ArrivalsSimulation.Request) -> ArrivalsSimulation.ServedContent? {
        let trip = TripDescriptor(tripID: "bus", relationship: .added)
        let bus = RealtimeEntity.tripUpdate(TripUpdate(id: "bus", trip: trip, timestamp: request.stamp))
        let entities = arrivals.shelf.take([bus], of: request.order.query, received: reading.wall)
        guard case .tripUpdate(let update)? = entities.first, let measured = update.timestamp else { return nil }
        return ArrivalsSimulation.ServedContent(measured: measured, came: now, wallClockError: machine.wallClockError)
    }

    // MARK: Riders

    /// Mostly somebody waits for an answer; now and then somebody watches.
    private mutating func ask() throws(Violation) {
        queue.add(.arrivals(.ask), at: now + arrivals.generator.duration(circumstances.arrivalsRequestInterval))
        guard arrivals.plan != nil, !machine.isSuspended else { return }
        try checkArrivals()
        var known = arrivals.stops.keys.sorted()
        known.shuffle(using: &arrivals.generator)
        let queries = Array(known.prefix(arrivals.generator.number(1...25)))
        let wishes = queries.map { ArrivalsDemand($0, host: arrivals.stops[$0]?.host) }
        let reading = reading
        if arrivals.generator.once(in: 4) {
            arrivals.plan?.want(wishes, .commute, until: reading.boot.advanced(by: 60), at: reading)
        } else {
            recordArrivalsRequest(wishes, at: reading)
            arrivals.plan?.want(wishes, .user, at: reading)
            // What is new enough is answered at once, and what is held back not at all.
            let open = queries.filter { arrivals.plan?.arrivalsStatus(of: $0, at: reading)?.reason == .due }
            arrivals.number += 1
            arrivals.riders[arrivals.number] = ArrivalsSimulation.SimulatedRider(asked: now, queries: open)
            queue.add(.arrivals(.waited(rider: arrivals.number)), at: now + ArrivalsSimulation.maximumWait)
        }
        try runArrivalsScheduler()
    }

    // MARK: The upstreams

    private mutating func reach(_ number: UInt64) throws(Violation) {
        guard !machine.isSuspended, let request = arrivals.requests[number], request.outcome == nil,
            let host = arrivals.hosts[request.host]
        else { return }
        guard machine.hasNetwork, host.mode != .refusing else {
            return answer(number, .failed(.connection("no connection")), at: now + 5)
        }
        log.add(now, .asked(request.order, host.mode))
        try countArrival(request)
        let latency = arrivals.generator.once(in: 40) ? 3000...12_000 : 20...800
        let moment = now + Int64(arrivals.generator.number(latency))
        let end = request.began + ArrivalsSimulation.Request.deadline
        guard host.mode != .silent, moment <= end else { return answer(number, .failed(.timeout), at: end) }
        answer(number, outcome(number, host.mode), at: moment)
    }

    private mutating func answer(_ number: UInt64, _ outcome: ArrivalsOutcome, at time: TrueTime) {
        arrivals.requests[number]?.outcome = outcome
        queue.add(.arrivals(.end(request: number)), at: time)
    }

    private mutating func outcome(_ number: UInt64, _ mode: HostMode) -> ArrivalsOutcome {
        guard let request = arrivals.requests[number] else { return .canceled }
        switch mode {
        case .failing(let status): return .failed(.status(status))
        case .overloaded(let status, let seconds, _):
            guard let seconds else { return .failed(.status(status)) }
            arrivals.requests[number]?.notBefore = now + Int64(seconds) * 1000
            return .failed(.status(status), retryAfter: "\(seconds)")
        case .truncating: return .failed(.truncated)
        case .flaky where arrivals.generator.once(in: 3): return .failed(.status(502))
        case .garbled: return .unreadable("not what it should be")
        case .well, .flaky, .silent, .refusing:
            if let status = arrivals.stops[request.order.query]?.refusal { return .failed(.status(status)) }
            let stamp = stamp(of: request.host)
            arrivals.requests[number]?.stamp = stamp
            return .answered
        }
    }

    /// The time that a host writes on its answer.
    private func stamp(of host: HostID) -> Instant? {
        switch arrivals.timestampBehavior[host] ?? .none {
        case .ahead(let error): machine.truth(at: now + error)
        case .none: nil
        case .exact, .lagging, .stuck: machine.truth(at: now)
        }
    }

    private mutating func failArrivalsHost() {
        queue.add(.arrivals(.trouble), at: now + arrivals.generator.duration(circumstances.disturbanceInterval))
        let well = arrivals.hosts.keys.sorted().filter { arrivals.hosts[$0]?.mode == .well }
        guard !circumstances.disturbances.isEmpty, !well.isEmpty else { return }
        let host = arrivals.generator.pick(well)
        arrivals.hosts[host]?.mode = HostMode.trouble(&arrivals.generator)
        queue.add(.arrivals(.hostRecovered(host)), at: now + arrivals.generator.duration(30, 2 * 3600))
    }
}
