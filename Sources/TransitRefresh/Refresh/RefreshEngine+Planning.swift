public import TransitModel

extension RefreshEngine {
    /// Returns the plans for all datasets, sorted by feed and kind.
    public func plans(at now: ClockReading) -> [DatasetPlan] {
        configuration.datasets.keys.sorted().map { plan($0, at: now) }
    }

    /// Returns the plan for one dataset.
    package func plan(_ id: DatasetID, at now: ClockReading) -> DatasetPlan {
        let readiness = readiness(id, now)
        let due = readiness.at.map { at in
            let moment = max(at, now.boot)
            return ClockReading(wall: now.wall(at: moment), boot: moment)
        }
        return DatasetPlan(
            id: id, due: due, reason: readiness.reason, interval: readiness.interval, priority: readiness.priority,
            hold: readiness.reason == .budget ? readiness.hold : nil)
    }

    /// Returns what a user's request for a dataset waits for; `nil` if the key's budget does not delay it.
    public func hold(ofRequestFor id: DatasetID, at now: ClockReading) -> BudgetHold? {
        guard let dataset = configuration.datasets[id], let budget = dataset.source.key.flatMap({ requestBudgets[$0] })
        else { return nil }
        return budget.slot(
            dataset.isCollected ? .background : .user, isRealtime: id.kind.isRealtime, forecast: .steady, spacings: 1,
            reserved: reservedRequests(id, dataset.source, budget, now), now: now.boot
        ).hold
    }

    /// Returns the record of a dataset.
    public func record(_ id: DatasetID) -> DatasetRecord? { datasets[id] }

    /// Returns whether the daemon has stopped during each of the last two or more updates of a dataset from its present
    /// source. The ledger then schedules the next attempt, even if the dataset has no content yet: another immediate
    /// attempt would probably stop the daemon again.
    public func isRepeatedlyInterrupted(_ id: DatasetID) -> Bool {
        guard let record = datasets[id], let source = configuration.datasets[id]?.source else { return false }
        return record.isFrom(source.endpoint) && record.isRepeatedlyInterrupted
    }

    /// Returns the budget of a key; `nil` if it is unmetered.
    public func budget(of key: KeyName) -> RequestBudget? { requestBudgets[key] }

    /// Charges a request that another component sends with the key. The charge is saved with the next event.
    public mutating func charge(_ spend: BudgetSpend) {
        guard requestBudgets[spend.key] != nil else { return }
        self.spend(spend)
    }

    /// Returns the reports that the `budget` command shows.
    public func budgets(at now: ClockReading) -> [BudgetReport] {
        requestBudgets.values.map { $0.report(at: now) }.sorted { $0.key < $1.key }
    }
}

/// The time at which a dataset may be fetched, and the reason for the wait.
struct Readiness: Hashable {
    /// The time is `nil` if another event must happen first.
    var at: BootTime?
    var reason: DueReason
    var interval: Int
    var priority: FetchPriority
    /// Whether the dataset has been due for so long that it competes with users' requests.
    var isStarved = false
    /// The highest priority of the realtime data with the dataset's key, if the dataset is a timetable that has been
    /// due for so long that it takes the next turn of that data. Thus it adds no request to those that are spread over
    /// the budget's window.
    var turn: FetchPriority?
    /// Whether the dataset has no demand, and data in use has left it nothing of the budget for so long that it
    /// competes with that data.
    var isNeglected = false
    /// What the dataset waits for if the reason is ``DueReason/budget``.
    var hold: BudgetHold?

    /// The priority at which the dataset competes for its turn and for the budget.
    var rank: FetchPriority {
        if isStarved { return .user }
        return max(priority, isNeglected ? .commute : .background, turn ?? .background)
    }

    /// Postpones the time, with the reason.
    mutating func hold(until moment: BootTime?, _ reason: DueReason, _ now: BootTime) {
        guard let moment, moment > now, let at, moment > at else { return }
        self.at = moment
        self.reason = reason
    }

    /// Waits for an event without a known time.
    mutating func block(_ reason: DueReason) {
        at = nil
        self.reason = reason
    }
}

extension RefreshEngine {
    /// Returns the time at which a dataset may be fetched: a pure function of policies, ledger, clock, demand and
    /// network.
    func readiness(_ id: DatasetID, _ now: ClockReading) -> Readiness {
        guard let dataset = configuration.datasets[id] else {
            return Readiness(at: nil, reason: .idle, interval: 0, priority: .background)
        }
        let level = id.kind.isRealtime ? (demand[id.feed] ?? Demand()).level(at: now) : .idle
        let request = requests[id]
        let interval = dataset.policy.interval(level)
        var readiness = needForRefresh(id, dataset, interval, now)
        readiness.priority = request != nil ? .user : FetchPriority(level)
        // A collection always has background priority, so that its many requests do not compete with users' requests.
        if dataset.isCollected { readiness.priority = .background }
        readiness.isStarved = isStarvedByUsers(id, dataset.source, now)
        if id.kind == .static, !dataset.isCollected { advanceLateTimetable(&readiness, id, dataset.source, now) }
        if faults.contains(.noStarvation) { (readiness.isStarved, readiness.turn) = (false, nil) }
        readiness.isNeglected = isNeglected(id, dataset.source, interval, now)
        // An unforced request does not spend the budget on a rejected key.
        if let request, request.force || readiness.reason != .keyRejected {
            (readiness.at, readiness.reason) = (request.since, .due)
        } else {
            readiness.hold(until: catchUp.slot(of: id), .catchUp, now.boot)
        }
        applyLimits(&readiness, id, dataset.source, isForced: request?.force ?? false, now)
        if let at = readiness.at, at <= now.boot { readiness.reason = .due }
        return readiness
    }

    /// The number of seconds after which a dataset that is due no longer leaves the budget to other requests.
    private static let starvation = 3600

    /// Lets a timetable that has been due for an hour take the turn of realtime data, which becomes useless without it.
    /// Continuous requests leave no background share of the budget.
    ///
    /// A timetable competes with users' requests if it has never been fetched, if no turn comes within the next hour,
    /// or if users' requests take the background share. In the last case it does not wait to be late, because they may
    /// exhaust the budget of a day.
    private func advanceLateTimetable(
        _ readiness: inout Readiness, _ id: DatasetID, _ source: DatasetSource, _ now: ClockReading
    ) {
        guard let due = readiness.at, due <= now.boot else { return }
        let budget = source.key.flatMap { requestBudgets[$0] }
        let isTakenByUsers = datasets[id]?.lastSuccess != nil && budget?.isTakenByUsers(at: now.boot) == true
        readiness.isStarved = isTakenByUsers
        guard due.advanced(by: Self.starvation) <= now.boot else { return }
        guard let key = source.key, let budget, datasets[id]?.lastSuccess != nil else {
            readiness.isStarved = true
            return
        }
        let turn = turn(of: key, now)
        let slot = budget.slot(
            turn, isRealtime: false, takesTurn: true, forecast: .steady, spacings: 1, now: now.boot)
        readiness.turn = turn
        if slot.at > now.boot.advanced(by: Self.starvation) { readiness.isStarved = true }
    }

    /// Returns the number of requests that a dataset leaves to the timetables with its key, each of which takes one
    /// request in many hours: those that are due while users' requests take the budget. They may wait for each other,
    /// or for their turns after a suspension, while other requests exhaust the budget of a day.
    private func reservedRequests(
        _ id: DatasetID, _ source: DatasetSource, _ budget: RequestBudget, _ now: ClockReading
    ) -> Int {
        guard id.kind != .static, budget.isTakenByUsers(at: now.boot) else { return 0 }
        return configuration.datasets.count { id, dataset in
            guard id.kind == .static, dataset.source.key == source.key, !dataset.isCollected, fetchesInFlight[id] == nil
            else { return false }
            return needForRefresh(id, dataset, dataset.policy.interval(.idle), now).at.map { $0 <= now.boot } ?? false
        }
    }

    /// Returns the highest priority at which realtime data with a key is fetched now.
    private func turn(of key: KeyName, _ now: ClockReading) -> FetchPriority {
        isRealtimeInUse(of: key, now) { _ in true } ? .commute : .background
    }

    /// Whether realtime data has not been requested for an hour because requests of users take the background share.
    private func isStarvedByUsers(_ id: DatasetID, _ source: DatasetSource, _ now: ClockReading) -> Bool {
        guard id.kind.isRealtime, let budget = source.key.flatMap({ requestBudgets[$0] }) else { return false }
        if let attempt = datasets[id]?.lastAttempt, now.age(of: attempt) < Self.starvation { return false }
        return budget.isTakenByUsers(at: now.boot)
    }

    /// Whether realtime data without demand has waited for so long that it takes precedence, and other requests with
    /// its key have left it less than its share.
    private func isNeglected(
        _ id: DatasetID, _ source: DatasetSource, _ interval: Int, _ now: ClockReading
    ) -> Bool {
        guard id.kind.isRealtime, let budget = source.key.flatMap({ requestBudgets[$0] }) else { return false }
        return neglect(of: id, interval, now) > 1 && budget.isNeglected(at: now.boot)
    }

    /// Returns the time at which new data is needed, regardless of the upstream's limits.
    private func needForRefresh(
        _ id: DatasetID, _ dataset: RefreshConfiguration.Dataset, _ interval: Int, _ now: ClockReading
    ) -> Readiness {
        let always = BootTime(milliseconds: .min)
        var result = Readiness(at: always, reason: .due, interval: interval, priority: .background)
        guard let record = datasets[id], record.isFrom(dataset.source.endpoint) else { return result }
        if record.consecutiveFailures > 0, let attempt = record.lastAttempt {
            let ended = attempt.boot.advanced(byMilliseconds: Int64(record.lastUpdate?.milliseconds ?? 0))
            if dataset.source.isKeyed, record.isKeyRejected {
                result.at = min(ended, now.boot).advanced(by: RetryPolicy.rejectedKeyPause(times: record.keyRejections))
                result.reason = .keyRejected
                return result
            }
            // The first interruption is retried immediately. Pauses begin with the second interruption.
            let failures =
                record.isRepeatedlyInterrupted ? record.interruptions - 1 : record.consecutiveFailures
            let pause = RetryPolicy(isRealtime: id.kind.isRealtime).pause(
                failures: failures, isPermanent: record.isFailurePermanent,
                fraction: jitter.fraction(id, record.updates))
            let regular = min(ended, now.boot).advanced(byMilliseconds: pause)
            result.at = recovering.contains(id) ? always : min(regular, probeMoment(id, dataset.source, now) ?? regular)
            result.reason = record.isFailurePermanent ? .refused : .retrying
            return result
        }
        // The failures were reset because the key changed, so the data is still missing.
        if record.lastUpdate?.outcome == .failed { return result }
        let fresh = FreshnessDeadline(
            policy: dataset.policy, interval: interval,
            fraction: jitter.fraction(id, dataset.policy.quietHours == nil ? record.updates : 0),
            zone: feedCalendar[id.feed]?.zone ?? .utc)
        let last = faults.contains(.wallClock) ? record.lastSuccess.map { wallReading($0, now) } : record.lastSuccess
        guard let moment = fresh.moment(lastSuccess: last, now: now) else { return result }
        // An inconsistent record cannot delay a dataset beyond its policy.
        result.at = min(moment, now.boot.advanced(by: interval + FreshnessDeadline.quietGap * 2))
        result.reason = interval > dataset.policy.interval ? .idle : .fresh
        return result
    }

    /// Implements the fault ``Faults/wallClock``.
    private func wallReading(_ reading: ClockReading, _ now: ClockReading) -> ClockReading {
        ClockReading(wall: reading.wall, boot: now.boot(at: reading.wall))
    }

    /// Applies the limits of the upstream and of this machine.
    private func applyLimits(
        _ readiness: inout Readiness, _ id: DatasetID, _ source: DatasetSource, isForced: Bool, _ now: ClockReading
    ) {
        if fetchesInFlight[id] != nil, !faults.contains(.noSharing) { return readiness.block(.inFlight) }
        // A file needs no politeness.
        if !faults.contains(.noSpacing), source.host != nil {
            let spacing = configuration.limits.endpointSpacing
            readiness.hold(until: requestHistory.earliest(source.endpoint, spacing: spacing), .spacing, now.boot)
            if saving.isSaveFailing { readiness.hold(until: saving.unrecordedRequestsBegin, .spacing, now.boot) }
        }
        if let key = source.key, let budget = requestBudgets[key] {
            var slot = budget.slot(
                readiness.rank, isRealtime: id.kind.isRealtime, takesTurn: readiness.turn != nil,
                forecast: readiness.priority == .commute ? forecast(of: key, now) : .steady,
                spacings: isDispensable(id, readiness.interval, key, now) ? 2 : 1,
                reserved: reservedRequests(id, source, budget, now), now: now.boot)
            if faults.contains(.noSpread) { slot = budget.slot(.user, now: now.boot) }
            readiness.hold(until: slot.at, .budget, now.boot)
            readiness.hold = slot.hold
            readiness.hold(until: saving.nextRetry, .ledger, now.boot)
        }
        if let host = source.host {
            if !isOnline { return readiness.block(.offline) }
            let ignoresLimits = isForced && faults.contains(.forceIgnoresLimits)
            if !ignoresLimits { applyLimits(&readiness, id, source, host: host, now) }
        }
        guard let at = readiness.at, at <= now.boot else { return }
        if isBusy(id, source) { return readiness.block(.busy) }
        readiness.hold(until: source.host.flatMap { nextProbe($0, now) }, .busy, now.boot)
    }

    private func applyLimits(
        _ readiness: inout Readiness, _ id: DatasetID, _ source: DatasetSource, host: HostID, _ now: ClockReading
    ) {
        if let spacing = configuration.startSpacing[host], !fetchedThisRun.contains(id) {
            readiness.hold(until: requestHistory.earliest(host, spacing: spacing), .spacing, now.boot)
        }
        let record = hosts[host] ?? HostRecord(host)
        let pause = record.openUntil.map { until in
            min(until.boot, probeMoment(id, source, now) ?? until.boot)
        }
        readiness.hold(until: pause, .circuitOpen, now.boot)
        // `Retry-After` applies to every request.
        readiness.hold(until: record.retryAfter?.boot, .retryAfter, now.boot)
    }

    /// Whether a dataset leaves a scarce budget to a more important kind of data with the same key: trip updates come
    /// before vehicles and alerts, unless these are neglected.
    private func isDispensable(_ id: DatasetID, _ interval: Int, _ key: KeyName, _ now: ClockReading) -> Bool {
        guard id.kind.isRealtime, neglect(of: id, interval, now) <= 1 else { return false }
        return isRealtimeInUse(of: key, now) { $0.rank < id.kind.rank }
    }

    /// Whether realtime data with a key, of one of some kinds, is in use.
    private func isRealtimeInUse(
        of key: KeyName, _ now: ClockReading, _ isIncluded: (DatasetKind) -> Bool
    ) -> Bool {
        configuration.datasets.contains { id, dataset in
            dataset.source.key == key && id.kind.isRealtime && isIncluded(id.kind)
                && (demand[id.feed] ?? Demand()).level(at: now) >= .soon
        }
    }

    /// Returns when the feeds whose requests are charged to a key will be in use.
    private func forecast(of key: KeyName, _ now: ClockReading) -> DemandForecast {
        let feeds = Set(configuration.datasets.lazy.filter { $0.value.source.key == key }.map(\.key.feed))
        return DemandForecast(feeds.compactMap { demand[$0] }, at: now)
    }

    /// Whether the limit on simultaneous fetches is reached.
    private func isBusy(_ id: DatasetID, _ source: DatasetSource) -> Bool {
        if fetchesInFlight.isEmpty { return false }
        let ordinary = fetchesInFlight.values.filter {
            configuration.datasets[$0.order.dataset]?.isCollected != true && !$0.order.dataset.kind.isExternal
        }
        // An import can wait for memory. Realtime data does not wait for imports.
        let counting = ordinary.filter { $0.order.dataset.kind.isRealtime || !id.kind.isRealtime }
        if counting.count >= configuration.limits.fetches { return true }
        guard let host = source.host else { return false }
        if fetchesInFlight.values.contains(where: { $0.order.source.endpoint == source.endpoint }) { return true }
        if faults.contains(.noHostLimit) { return false }
        let atHost = ordinary.filter { $0.order.source.host == host }
        if configuration.startSpacing[host] != nil { return !atHost.isEmpty }
        if atHost.count >= configuration.limits.fetchesPerHost { return true }
        return id.kind == .static && servesRealtimeData(host)
            && atHost.count { $0.order.dataset.kind == .static } + 1 >= configuration.limits.fetchesPerHost
    }

    /// Whether a host serves realtime data, for which timetables leave one of its simultaneous requests.
    private func servesRealtimeData(_ host: HostID) -> Bool {
        configuration.datasets.contains { $0.key.kind.isRealtime && $0.value.source.host == host }
    }

    /// Returns the time at which a failing host may be requested again while its probe is in flight. One probe is
    /// enough, but a download can hang for a quarter of an hour, and other requests must not wait for the download to
    /// end.
    private func nextProbe(_ host: HostID, _ now: ClockReading) -> BootTime? {
        guard let record = hosts[host], HostCircuit(record).isHalfOpen else { return nil }
        let begun = fetchesInFlight.values.filter {
            $0.order.source.host == host && configuration.datasets[$0.order.dataset]?.isCollected != true
        }.map(\.began.boot).max()
        return begun?.advanced(by: PendingHostProbe.spacing)
    }
}

extension RefreshEngine {
    /// The sizes of the engine's collections with their limits, which the simulation checks.
    package var sizes: [(name: String, count: Int, maximum: Int)] {
        let count = configuration.datasets.count
        let spends = requestBudgets.values.map { ($0.spends.count, $0.maximumSpends) }
        return [
            ("records", datasets.count, count),
            ("fetches", fetchesInFlight.count, configuration.limits.fetches + count),
            ("catch-up turns", catchUp.count, count), ("probes", probes.count, count),
            ("recoveries", recovering.count, count),
            ("requests", requests.count, count), ("hosts", hosts.count, count),
            ("recorded requests", requestHistory.count, 64 + 2 * count),
            ("fetched datasets", fetchedThisRun.count, count),
            ("demands", demand.count, count), ("service infos", feedCalendar.count, count),
            ("spends", spends.map(\.0).max() ?? 0, (spends.map(\.1).max() ?? 0) + configuration.limits.fetches),
        ]
    }
}
