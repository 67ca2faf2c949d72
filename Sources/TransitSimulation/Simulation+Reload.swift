internal import TransitModel
internal import TransitRefresh

// Configuration changes while the daemon runs.
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
