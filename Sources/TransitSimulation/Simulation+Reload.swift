internal import TransitEngine
internal import TransitModel

// People change the configuration while the daemon runs.
extension Simulation {
    mutating func reload() throws(Violation) {
        countDisturbance("reload")
        switch generator.number(0...3) {
        case 0: toggleDataset()
        case 1: changePolicy()
        case 2: move()
        default: changeBudget()
        }
        try deliver(.configured(config))
    }

    /// A dataset is not wanted any more, or all that were left out are.
    private mutating func toggleDataset() {
        let known = config.datasets.keys.sorted()
        if known.count > 1, scenario.leftOut.isEmpty {
            let id = generator.pick(known)
            scenario.leftOut[id] = scenario.configuration.datasets.removeValue(forKey: id)
            held[id] = nil
            called.remove(id)
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

    /// The content has another address now, and it is other content.
    private mutating func move() {
        let id = generator.pick(config.datasets.keys.sorted())
        guard let source = config.datasets[id]?.source else { return }
        let endpoint = EndpointID("\(source.endpoint)+")
        scenario.endpoints[endpoint] = scenario.endpoints[source.endpoint]
        scenario.endpoints[endpoint]?.lastArrival = nil
        scenario.configuration.datasets[id]?.source = DatasetSource(
            endpoint: endpoint, host: source.host, key: source.key)
        // What is here is of the old address: its age is not the age of what is wanted.
        held[id]?.isAgeKnown = false
        durable[id]?.isAgeKnown = false
        changed[id] = now
    }

    /// The provider sells more, or less. What was spent before may be all that the smaller budget has for a while.
    private mutating func changeBudget() {
        for key in config.budgets.keys.sorted() {
            guard var limits = scenario.accounts[key]?.limits, !limits.isEmpty else { continue }
            let (before, most) = (limits[0].fetches, circumstances.hourlyBudget)
            limits[0] = BudgetLimit(generator.number(most * 2 / 3...most), per: limits[0].window)
            if limits[0].fetches < before { budgetsSpent = now }
            scenario.configuration.budgets[key] = BudgetPolicy(key: key, limits: limits)
            scenario.accounts[key]?.changeLimits(limits, at: now)
        }
    }
}
