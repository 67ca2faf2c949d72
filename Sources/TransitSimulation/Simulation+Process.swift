internal import TransitModel
internal import TransitRefresh

// The simulated daemon, which delivers events to the engine and carries out its effects.
extension Simulation {
    mutating func startProcess() throws(Violation) {
        guard engine == nil, !machine.isSuspended else { return }
        fetchedThisRun = []
        held = durable.filter { config.datasets[$0.key] != nil }
        engine = RefreshEngine(
            configuration: config, ledger: machine.ledger, boot: machine.boot, seed: installation, now: reading,
            faults: faults)
        recordPauseRestart()
        grantGracePeriod()
        try startArrivals()
        for feed in Set(config.datasets.keys.map(\.feed)).sorted() {
            try deliver(.feedCalendar(feed, FeedCalendarInfo(zone: scenario.zone)))
            try deliver(.demand(feed, Demand(subscribers: demand[feed]?.subscribers ?? 0)))
        }
        // A daemon is not always notified that the network is down.
        if !machine.hasNetwork, generator.once(in: 2) { try deliver(.network(isOnline: false)) }
    }

    /// Kills the process and aborts all its activities.
    mutating func kill() {
        engine = nil
        fetches = [:]
        waiting = [:]
        arrivals.kill()
        wakeSerial += 1
        // The pauses that were not saved are lost.
        for host in scenario.hosts.keys where machine.ledger.hosts[host]?.retryAfter == nil {
            scenario.hosts[host]?.notBefore = 0
        }
    }

    mutating func deliver(_ event: RefreshEvent) throws(Violation) {
        var events = [event]
        while !events.isEmpty, engine != nil {
            let event = events.removeFirst()
            log.add(now, .handled(event))
            countEvent()
            if case .network(let isOnline) = event { try setArrivalsOnline(isOnline) }
            let reading = reading
            let effects = engine?.handle(event, at: reading) ?? []
            for effect in effects {
                // The process can be killed between any two effects.
                if generator.once(in: 40_000) { return try killAndRestart() }
                if let answer = try carryOut(effect) { events.append(answer) }
                guard engine != nil else { return }
            }
        }
    }

    private mutating func carryOut(_ effect: RefreshEffect) throws(Violation) -> RefreshEvent? {
        if case .wake = effect {} else { log.add(now, .requested(effect)) }
        switch effect {
        case .save(let changes): return save(changes)
        case .fetch(let order): try begin(order)
        case .cancel(let ticket, let id): cancel(ticket, id)
        case .wake(let moment):
            wakeSerial += 1
            queue.add(.wake(serial: wakeSerial), at: max(now, machine.time(of: moment)))
        case .notice, .step: break
        case .accepted(let id, let datasets):
            if !datasets.isEmpty { waiting[id] = WaitingUser(requested: now, open: Set(datasets)) }
        case .answered(let id, let dataset, _):
            guard waiting[id]?.open.remove(dataset) != nil else {
                throw Violation(.unanswered, "request \(id) received two results for \(dataset)")
            }
            if waiting[id]?.open.isEmpty == true { waiting[id] = nil }
        }
        return nil
    }

    private mutating func save(_ changes: LedgerChanges) -> RefreshEvent {
        guard !machine.isDiskFull else { return .saved(false) }
        machine.ledger.apply(changes)
        for (id, record) in changes.datasets {
            guard let record else {
                durable[id] = nil
                continue
            }
            if record.lastSuccess != nil { durable[id] = held[id] } else { durable[id]?.isAgeKnown = false }
        }
        return .saved(true)
    }

    private mutating func begin(_ order: DatasetFetch) throws(Violation) {
        if fetches.values.contains(where: { $0.order.dataset == order.dataset }) {
            throw Violation(.twice, "\(order.dataset)")
        }
        try checkOrder(order)
        fetchNumber += 1
        fetches[fetchNumber] = ClientFetch(
            order: order, ordered: now, wallClockError: machine.wallClockError,
            isFirst: fetchedThisRun.insert(order.dataset).inserted)
        // Some handshakes are slow.
        let delay = generator.once(in: 50) ? generator.number(1000...20_000) : generator.number(5...400)
        queue.add(.arrive(fetchNumber), at: now + Int64(min(delay, order.deadline * 1000 - 1)))
    }

    private mutating func cancel(_ ticket: UInt64, _ id: DatasetID) {
        for (number, fetch) in fetches where fetch.order.ticket == ticket {
            fetches[number]?.outcome = FetchOutcome(ticket: ticket, dataset: id, result: .canceled)
            fetches[number]?.version = nil
            queue.add(.respond(number), at: now + 10)
        }
    }

    /// Delivers the response to the daemon, which stores valid content.
    mutating func respond(_ number: UInt64) throws(Violation) {
        guard !machine.isSuspended, engine != nil, let fetch = fetches[number], let outcome = fetch.outcome else {
            return
        }
        fetches[number] = nil
        let id = outcome.dataset
        if let host = fetch.order.source.host, let until = fetch.notBefore, outcome.retryAfter != nil {
            scenario.hosts[host]?.recordRetryAfter(until, at: now)
        }
        let previous = engine?.record(id)
        if isOutdated(fetch) { return try handleOutdated(fetch) }
        if let version = fetch.version, let arrived = fetch.arrived {
            held[id] = StoredContent(
                confirmed: arrived, ordered: fetch.ordered, version: version, wallClockError: fetch.wallClockError,
                served: served(fetch) ?? held[id]?.served, isAgeKnown: isFromConfiguredSource(fetch))
        }
        try deliver(.fetchEnded(outcome))
        guard engine != nil else { return }
        try checkOutcome(fetch, previous)
    }

    private func served(_ fetch: ClientFetch) -> ServedContent? {
        fetch.stamp.map { stamp in
            ServedContent(
                endpoint: fetch.order.source.endpoint, stamp: stamp, received: reading.wall, receivedAt: now,
                wallClockError: machine.wallClockError)
        }
    }

    /// Whether the content was fetched from the currently configured source. Content from another source has no age.
    private func isFromConfiguredSource(_ fetch: ClientFetch) -> Bool {
        config.datasets[fetch.order.dataset]?.source.endpoint == fetch.order.source.endpoint
    }

    /// Whether the daemon already has newer realtime data from the same endpoint.
    private func isOutdated(_ fetch: ClientFetch) -> Bool {
        guard fetch.version != nil, let stamp = fetch.stamp, let served = held[fetch.order.dataset]?.served,
            served.endpoint == fetch.order.source.endpoint,
            let policy = config.datasets[fetch.order.dataset]?.policy
        else { return false }
        let order = MessageAcceptance.of(
            RealtimeHeader(timestamp: stamp.header), after: served.stamp.header, now: reading.wall,
            policy: FreshnessPolicy(interval: policy.interval))
        if case .refuse = order { return true }
        return false
    }

    /// Handles outdated content: the upstream works, and the existing content is kept.
    private mutating func handleOutdated(_ fetch: ClientFetch) throws(Violation) {
        guard let arrived = fetch.arrived, var outcome = fetch.outcome else { return }
        let isAgeKnown = isFromConfiguredSource(fetch)
        outcome.result = .outdated
        held[outcome.dataset]?.confirmed = arrived
        held[outcome.dataset]?.ordered = fetch.ordered
        held[outcome.dataset]?.wallClockError = fetch.wallClockError
        held[outcome.dataset]?.isAgeKnown = isAgeKnown
        try deliver(.fetchEnded(outcome))
        // If the process was killed in the meantime, the daemon still has the content on disk.
        guard let after = engine?.record(outcome.dataset), let held = held[outcome.dataset] else { return }
        if after.source == fetch.order.source.endpoint, after.contentDigest != "\(held.version)" {
            throw Violation(.lost, "older content of \(outcome.dataset) replaced newer content")
        }
    }
}
