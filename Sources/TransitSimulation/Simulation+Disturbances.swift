internal import TransitModel
internal import TransitRefresh

// Disturbances of the daemon's environment and their ends.
extension Simulation {
    mutating func disturb() throws(Violation) {
        queue.add(.disturbance, at: now + generator.duration(conditions.disturbanceInterval))
        guard !machine.isSuspended, engine != nil, !conditions.disturbances.isEmpty else { return }
        switch generator.pick(conditions.disturbances) {
        case .suspend: try suspend()
        case .kill: try killAndRestart()
        case .reboot: try reboot()
        case .clockStep: try stepClock()
        case .networkLoss: try loseNetwork()
        case .diskFull: fillDisk()
        case .hostTrouble: failHost()
        case .reload: try reload()
        }
    }

    private mutating func suspend() throws(Violation) {
        countDisturbance("suspend")
        machine.isSuspended = true
        graceEnds = .max
        queue.add(.resume, at: now + generator.duration(10, 12 * 3600))
    }

    /// All connections are lost. The daemon is notified of the suspension or must detect it by itself.
    mutating func resume() throws(Violation) {
        machine.isSuspended = false
        recordPauseRestart()
        grantGracePeriod()
        guard engine != nil else { return }
        if generator.once(in: 2) { try deliver(.resumed) }
        try deliver(.tick)
        // The daemon checks the network after it was suspended.
        if machine.hasNetwork { try deliver(.network(isOnline: true)) }
        for number in fetches.keys.sorted() {
            guard let order = fetches[number]?.order else { continue }
            fetches[number]?.outcome = FetchOutcome(
                ticket: order.ticket, dataset: order.dataset, result: .failed(.connection("connection lost")))
            fetches[number]?.version = nil
            try respond(number)
        }
        try resumeArrivals()
    }

    mutating func killAndRestart() throws(Violation) {
        countDisturbance("kill")
        kill()
        graceEnds = .max
        queue.add(.startProcess, at: now + generator.duration(1, 30))
    }

    /// Reboots the machine. Its wall clock is then correct, or wrong as on a machine without a clock battery.
    private mutating func reboot() throws(Violation) {
        let error: Int64 = generator.once(in: 3) ? -generator.duration(3600, 50 * 365 * 86_400) : 0
        let spends = machine.ledger.spends
        // If the clock was further behind at a recorded request than it will be now, that request appears older than it
        // is and cannot be counted correctly.
        guard !spends.contains(where: { machine.error(of: $0.at) < error - 2000 }) else { return try killAndRestart() }
        countDisturbance("reboot")
        kill()
        graceEnds = .max
        let downtime = generator.duration(20, 8 * 3600)
        for host in scenario.hosts.keys { scenario.hosts[host]?.notBefore = 0 }
        // A daemon that cannot determine how long the machine was off waits for the whole remaining time.
        hostPauses = hostPauses.mapValues { $0 + downtime }
        // The daemon knows the remaining time as of its last save of the ledger. A full disk may have prevented later
        // saves.
        for (host, record) in machine.ledger.hosts {
            guard let until = record.retryAfter?.boot, let written = machine.ledger.written?.boot else { continue }
            hostPauses[host] = max(hostPauses[host] ?? 0, now + downtime + max(0, written.milliseconds(to: until)))
        }
        arrivals.reboot(wallClockError: error, downtime: downtime)
        machine.reboot(at: now + downtime, wallClockError: error)
        queue.add(.startProcess, at: now + downtime)
        if error != 0 { queue.add(.setWall(error: 0), at: now + downtime + generator.duration(5, 3600)) }
    }

    private mutating func stepClock() throws(Violation) {
        let size = generator.duration(5, generator.once(in: 4) ? 400 * 86_400 : 7200)
        countDisturbance("clock step")
        try setWall(generator.once(in: 2) ? size : -size)
        queue.add(.setWall(error: 0), at: now + generator.duration(60, 6 * 3600))
    }

    mutating func setWall(_ error: Int64) throws(Violation) {
        machine.wallClockError = error
    }

    private mutating func loseNetwork() throws(Violation) {
        guard machine.hasNetwork else { return }
        countDisturbance("network loss")
        machine.hasNetwork = false
        graceEnds = .max
        queue.add(.networkBack, at: now + generator.duration(5, 4 * 3600))
        if generator.once(in: 2) { try deliver(.network(isOnline: false)) }
    }

    mutating func networkBack() throws(Violation) {
        machine.hasNetwork = true
        recordPauseRestart()
        grantGracePeriod()
        // A daemon that was not notified of the loss of the network may still be notified of its return.
        if engine != nil, !machine.isSuspended { try deliver(.network(isOnline: true)) }
    }

    private mutating func fillDisk() {
        guard !machine.isDiskFull else { return }
        countDisturbance("disk full")
        machine.isDiskFull = true
        graceEnds = .max
        queue.add(.diskFree, at: now + generator.duration(60, 5 * 3600))
    }

    mutating func diskFree() {
        machine.isDiskFull = false
        grantGracePeriod()
    }

    private mutating func failHost() {
        let well = scenario.hosts.keys.sorted().filter { scenario.hosts[$0]?.mode == .well }
        guard !well.isEmpty else { return }
        let host = generator.pick(well)
        let mode = HostMode.trouble(&generator)
        countDisturbance("host \(mode)".split(separator: "(").first.map(String.init) ?? "host")
        setMode(mode, host)
        queue.add(.hostRecovered(host), at: now + generator.duration(30, 6 * 3600))
    }

    mutating func hostRecovered(_ host: HostID) {
        let mode = scenario.hosts[host]?.mode ?? .well
        setMode(.well, host)
        grantGracePeriod(host, until: now + Self.recovery(mode.isPermanent ? .permanent : .transient))
    }

    /// Exempts a host's datasets from freshness checks until a time.
    mutating func grantGracePeriod(_ host: HostID, until time: TrueTime) {
        hostGraceEnds[host] = max(hostGraceEnds[host] ?? 0, time)
    }

    private mutating func setMode(_ mode: HostMode, _ host: HostID) {
        scenario.hosts[host]?.mode = mode
        scenario.hosts[host]?.modeSince = now
        scenario.hosts[host]?.failedAttempts = []
    }

    /// Simulates user requests and changes of demand.
    mutating func performUserAction() throws(Violation) {
        queue.add(.userAction, at: now + generator.duration(conditions.userActionInterval))
        guard !machine.isSuspended, engine != nil else { return }
        if generator.once(in: 2) { return try changeDemand() }
        for _ in 0..<(generator.once(in: 20) ? 60 : 1) {
            requestNumber += 1
            let dataset = generator.pick(config.datasets.keys.sorted())
            let scope = generator.pick([RefreshRequest.Scope.all, .feed(dataset.feed), .dataset(dataset)])
            budgetsSpent = now
            recordUserRequest(about: Array(config.datasets.keys))
            try deliver(.requested(RefreshRequest(id: requestNumber, scope: scope, force: generator.once(in: 2))))
        }
    }

    private mutating func changeDemand() throws(Violation) {
        let feed = generator.pick(config.datasets.keys.sorted()).feed
        let subscribers = generator.number(0...1)
        if (demand[feed]?.subscribers ?? 0) != subscribers { demand[feed] = (subscribers, now) }
        var newDemand = Demand(subscribers: subscribers, lastRequest: lastRequest(about: feed))
        if generator.once(in: 3) {
            let wall = reading.wall
            newDemand.periods = Demand.periods(
                aroundDeparture: wall.advanced(by: generator.number(-1800...10_800)))
            newDemand.periods.append(Demand.Period(wall.advanced(by: 600)...wall.advanced(by: 4200), .full))
            newDemand.periods.append(Demand.Period(wall.advanced(by: 60)...wall.advanced(by: 7200), .ahead))
        }
        // A daemon that has restarted since the last request treats that request as a new one.
        if newDemand.lastRequest != nil { recordUserRequest(about: config.datasets.keys.filter { $0.feed == feed }) }
        try deliver(.demand(feed, newDemand))
    }

    /// Restarts the recovery period, after which everything must be fresh again.
    mutating func grantGracePeriod() {
        let isWell = machine.hasNetwork && !machine.isDiskFull && !machine.isSuspended
        graceEnds = isWell ? now : .max
    }
}

// Configuration changes while the daemon runs.
extension Simulation {
    private mutating func reload() throws(Violation) {
        countDisturbance("reload")
        switch generator.number(0...3) {
        case 0: toggleDataset()
        case 1: changePolicy()
        case 2: move()
        default: changeBudget()
        }
        let known = Set(engine?.configuration.datasets.keys.map(\.feed) ?? [])
        try deliver(.configured(config))
        for feed in Set(config.datasets.keys.map(\.feed)).subtracting(known).sorted() {
            try reportSubscribers(of: feed)
        }
    }

    /// Removes a dataset, or restores all removed ones.
    private mutating func toggleDataset() {
        let known = config.datasets.keys.sorted()
        if known.count > 1, scenario.leftOut.isEmpty {
            let id = generator.pick(known)
            scenario.leftOut[id] = scenario.configuration.datasets.removeValue(forKey: id)
            held[id] = nil
            fetchedThisRun.remove(id)
        } else {
            for (id, dataset) in scenario.leftOut {
                scenario.configuration.datasets[id] = dataset
                changed[id] = now
            }
            scenario.leftOut = [:]
        }
    }

    private mutating func changePolicy() {
        let id = generator.pick(config.datasets.keys.sorted())
        guard var policy = config.datasets[id]?.policy else { return }
        let standard = RefreshPolicy.standard(for: id.kind)
        let factor = generator.number(1...6)
        policy.interval = standard.interval * factor / 2
        policy.idleInterval = max(policy.interval, standard.idleInterval * factor / 2)
        policy.unconditionalInterval = max(policy.interval, standard.unconditionalInterval)
        scenario.configuration.datasets[id]?.policy = policy
        changed[id] = now
    }

    /// Moves a dataset to another URL with different content.
    private mutating func move() {
        let id = generator.pick(config.datasets.keys.sorted())
        guard let source = config.datasets[id]?.source else { return }
        let endpoint = EndpointID("\(source.endpoint)+")
        scenario.endpoints[endpoint] = scenario.endpoints[source.endpoint]
        scenario.endpoints[endpoint]?.lastArrival = nil
        scenario.configuration.datasets[id]?.source = DatasetSource(
            endpoint: endpoint, host: source.host, key: source.key)
        // The existing content is from the old URL, so its age does not apply to the new source.
        held[id]?.isAgeKnown = false
        durable[id]?.isAgeKnown = false
        changed[id] = now
    }

    /// Raises or lowers the provider's limits. Earlier requests may already exhaust a smaller budget.
    private mutating func changeBudget() {
        for key in config.budgets.keys.sorted() {
            guard var limits = scenario.accounts[key]?.limits, !limits.isEmpty else { continue }
            let (previous, maximum) = (limits[0].fetches, conditions.hourlyBudget)
            limits[0] = BudgetLimit(generator.number(maximum * 2 / 3...maximum), per: limits[0].window)
            if limits[0].fetches < previous { budgetsSpent = now }
            scenario.configuration.budgets[key] = BudgetPolicy(key: key, limits: limits)
            scenario.accounts[key]?.changeLimits(limits, at: now)
        }
    }
}
