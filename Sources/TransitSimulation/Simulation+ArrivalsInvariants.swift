internal import TransitEngine
internal import TransitModel

// What must hold of everything that is asked on demand.
extension Simulation {
    /// Requests begin together.
    func checkBatch(_ orders: [ArrivalsRequest]) throws(Violation) {
        guard !orders.isEmpty else { return }
        let pace = ArrivalsSimulation.promised
        let underWay = arrivals.requests.count
        guard orders.count + underWay <= pace.batch else {
            throw Violation(.batch, "\(orders.count) requests beside \(underWay)")
        }
        for (name, last) in [("began", arrivals.lastBegun), ("ended", arrivals.lastEnded)] {
            guard let last, now - last < Int64(pace.batchSpacing) else { continue }
            throw Violation(.batch, "the last one \(name) \(now - last) ms before")
        }
        // Who waits for a slow answer does not keep the others waiting for longer than that.
        if let young = arrivals.requests.values.first(where: { now - $0.began < 2000 }) {
            throw Violation(.batch, "\(young.order.query) is under way for \(now - young.began) ms")
        }
        var asked: Set<ArrivalsQueryID> = []
        for order in orders {
            let isTwice = arrivals.requests.values.contains { $0.order.query == order.query }
            if isTwice || !asked.insert(order.query).inserted { throw Violation(.twice, "\(order.query)") }
            try checkOrder(order, pace)
        }
    }

    private func checkOrder(_ order: ArrivalsRequest, _ pace: ArrivalsPolicy) throws(Violation) {
        guard let stop = arrivals.stops[order.query] else {
            throw Violation(.tooEarly, "nobody wanted \(order.query)")
        }
        if let ended = stop.ended, now - ended < Int64(pace.cooldown) * 1000 {
            throw Violation(.cooldown, "\(order.query) after \(now - ended) ms")
        }
        if let answered = stop.answered, now - answered < Int64(pace.lifetime) * 1000 {
            throw Violation(.tooEarly, "\(order.query) was answered \(now - answered) ms before")
        }
        // A machine that was off counts whole seconds.
        if now < stop.refusedUntil - 2000 {
            throw Violation(.refused, "\(order.query), \(stop.refusedUntil - now) ms early")
        }
    }

    /// A request has reached its host.
    mutating func countArrival(_ request: ArrivalsSimulation.Request) throws(Violation) {
        countRequest()
        countArrivals()
        guard var host = arrivals.hosts[request.host] else { return }
        // What was on its way before the client was told is nobody's fault.
        if now < host.notBefore - 2000, request.began > host.told {
            throw Violation(.retryAfter, "\(request.order.query), \(host.notBefore - now) ms early")
        }
        switch host.mode {
        case .failing(500...), .silent, .truncating, .overloaded:
            host.failedAttempts.append(now)
            host.failedAttempts.removeAll { $0 < now - 3_600_000 }
            try checkTries(host, request.host, key: nil)
        default: host.failedAttempts = []
        }
        arrivals.hosts[request.host] = host
    }

    /// Records a request. A failing host that has not been tried for a minute must be tried now, although its pause is
    /// not over.
    mutating func recordArrivalsRequest(_ wishes: [ArrivalsDemand], at reading: ClockReading) {
        for host in Set(wishes.compactMap(\.host)) {
            arrivals.hosts[host]?.recordUserRequest(at: now)
            let isHeldBack = wishes.contains { wish in
                guard wish.host == host, let arrivalsStatus = arrivals.plan?.arrivalsStatus(of: wish.query, at: reading)
                else {
                    return false
                }
                // No request is sent for an answer that is still fresh.
                return arrivalsStatus.reason == .circuitOpen && !arrivalsStatus.isFresh
                    && now >= (arrivals.stops[wish.query]?.refusedUntil ?? 0)
            }
            guard isHeldBack, arrivals.hosts[host]?.mode == .well, arrivals.lastHostFailure[host] ?? 0 < now - 62_000,
                arrivals.held[host] ?? 0 < now, arrivals.upSince < now - 62_000, machine.hasNetwork
            else { continue }
            queue.add(.arrivals(.probed(host, asked: now)), at: now + ArrivalsSimulation.maximumWait)
        }
    }

    /// The host was tried in the meantime, so its pause is over.
    func checkProbe(of host: HostID, asked: TrueTime) throws(Violation) {
        guard let plan = arrivals.plan, !machine.isSuspended, arrivals.upSince < asked,
            arrivals.lastHostFailure[host] ?? 0 < asked
        else { return }
        for (query, stop) in arrivals.stops where stop.host == host {
            guard plan.arrivalsStatus(of: query, at: reading)?.reason == .circuitOpen else { continue }
            throw Violation(.stale, "\(host) is left alone though \(now - asked) ms ago somebody asked for \(query)")
        }
    }

    /// No age is a lie, and nothing grows.
    func checkArrivals() throws(Violation) {
        guard let plan = arrivals.plan else { return }
        for (query, stop) in arrivals.stops {
            let age = plan.arrivalsStatus(of: query, at: reading)?.age
            guard age == stop.answered.map({ Int((now - $0) / 1000) }) else {
                let known = age.map { "\($0) s" } ?? "nothing"
                throw Violation(.age, "\(query) says \(known), was answered at \(stop.answered ?? -1), it is \(now)")
            }
            try checkServedAge(query, stop)
        }
        if plan.queries.count > arrivals.stops.count {
            throw Violation(.unbounded, "\(plan.queries.count) questions are remembered")
        }
        if arrivals.shelf.count > arrivals.stops.count {
            throw Violation(.unbounded, "\(arrivals.shelf.count) answers are kept")
        }
    }

    /// What riders are told of an answer's age: never younger than it came. A clock that was set since is the machine's fault.
    private func checkServedAge(_ query: ArrivalsQueryID, _ stop: ArrivalsSimulation.Stop) throws(Violation) {
        if stop.answered != nil, stop.told == nil { throw Violation(.age, "the answer for \(query) has no time") }
        guard let told = stop.told, told.wallClockError == machine.wallClockError else { return }
        let (age, least) = (told.measured.seconds(to: reading.wall), Int((now - told.came) / 1000))
        if age < least - 2 { throw Violation(.age, "\(query) says \(age) s, is at least \(least) s") }
    }

    /// Somebody has waited: what they wanted was asked for since, or is held back for a reason.
    mutating func checkWait(of rider: UInt64) throws(Violation) {
        guard let waiting = arrivals.riders.removeValue(forKey: rider), !machine.isSuspended else { return }
        for query in waiting.queries {
            guard let stop = arrivals.stops[query], stop.ended ?? -1 < waiting.asked,
                arrivals.lastHostFailure[stop.host] ?? -1 < waiting.asked
            else { continue }
            guard let arrivalsStatus = arrivals.plan?.arrivalsStatus(of: query, at: reading) else {
                throw Violation(.unanswered, "nobody knows that \(query) is wanted")
            }
            if arrivalsStatus.reason == .due {
                throw Violation(.unanswered, "\(query) waits for \(now - waiting.asked) ms")
            }
        }
    }
}
