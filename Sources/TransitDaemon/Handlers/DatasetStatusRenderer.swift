internal import TransitControl
internal import TransitEngine
internal import TransitFeeds
internal import TransitModel

/// How the datasets of a feed stand, as the wire says it.
struct DatasetStatusRenderer {
    var feed: FeedSnapshot
    var plans: [DatasetID: DatasetPlan]
    var now: Instant
    var reading: ClockReading
    /// Whether the last updates are told too.
    var listsUpdates: Bool

    var zone: ServiceZone { feed.timetable?.zone ?? .utc }

    func statuses(_ record: (DatasetID) -> DatasetRecord?) -> [DatasetStatus] {
        feed.configuration.datasets.map { kind in status(kind, record(DatasetID(feed.id, kind))) }
    }

    private func status(_ kind: DatasetKind, _ record: DatasetRecord?) -> DatasetStatus {
        let plan = plans[DatasetID(feed.id, kind)]
        let last = record?.lastUpdate
        return DatasetStatus(
            dataset: DatasetName(kind), source: source(kind), freshness: freshness(kind, record),
            age: age(kind, record),
            lastSuccess: record?.lastSuccess.map(timestamp), lastAttempt: record?.lastAttempt.map(timestamp),
            outcome: last.map { AttemptOutcome($0.outcome) }, message: last?.reason.map(\.asSentence),
            nextDue: plan?.due.map(timestamp), dueReason: plan?.reason.rawValue,
            bytes: record?.history.last { $0.outcome.isSuccess }?.bytes, latency: last?.milliseconds,
            failures: record?.consecutiveFailures ?? 0, notes: notes(kind),
            updates: listsUpdates ? (record?.history ?? []).reversed().map(update) : [])
    }

    private func timestamp(_ reading: ClockReading) -> Timestamp { Timestamp(reading.wall, in: zone) }

    private func update(_ update: UpdateRecord) -> DatasetUpdate {
        DatasetUpdate(
            at: Timestamp(update.began.advanced(by: update.milliseconds / 1000), in: zone),
            outcome: AttemptOutcome(update.outcome), bytes: update.bytes, latency: update.milliseconds,
            status: update.status)
    }

    private func source(_ kind: DatasetKind) -> String {
        let traits = feed.configuration.system.traits
        return traits.formats[kind] ?? traits.title
    }

    /// By the source's own time where it has one.
    private func age(_ kind: DatasetKind, _ record: DatasetRecord?) -> Int? {
        if kind.isRealtime, let time = feed.live?.told[kind]?.dataset.time { return max(0, time.seconds(to: now)) }
        return record?.age(at: reading)
    }

    private func freshness(_ kind: DatasetKind, _ record: DatasetRecord?) -> DatasetFreshness {
        guard kind.isRealtime else {
            guard feed.timetable != nil else { return .empty }
            guard let age = record?.age(at: reading) else { return .due }
            let interval = feed.configuration.policy(for: kind).interval
            return age <= interval ? .fresh : age <= 3 * interval ? .due : .aging
        }
        guard let live = feed.live, let told = live.told[kind]?.dataset else { return .empty }
        if told.isIgnored { return .unmatched }
        switch live.policy(kind).age(of: told.time, at: now).freshness {
        case .fresh: return .fresh
        case .aging: return .aging
        case .stale: return .expired
        }
    }

    private func notes(_ kind: DatasetKind) -> [String] {
        guard let answer = feed.live?.told[kind] else { return [] }
        return answer.notes(kind).map(\.words)
            + answer.problems.findings.prefix(5).map { "\($0.count) times: \($0.rule)." }
    }
}

extension RealtimeResponse {
    /// What people should hear of the message as a whole. That there are no alerts is good news.
    func notes(_ kind: DatasetKind) -> [RealtimeMessageNotice] {
        dataset.notes.filter { kind != .alerts || $0 != .empty }
    }
}

extension RealtimeMessageNotice {
    /// A sentence for people.
    var words: String {
        switch self {
        case .withoutTimestamp: "The message has no time of its own; that of its receipt stands in for it."
        case .ahead(let seconds): "The message's time lies \(seconds) s ahead of this machine's clock."
        case .backwards(let seconds): "The message is \(seconds) s older than the one before it."
        case .otherDatasets: "The message has nothing of this dataset: what it has is taken from its own source."
        case .empty: "The message is empty: nothing live is known."
        case .differentialWithoutBase: "The message only has changes, and what they change is not known."
        case .tooLarge(let leftOut):
            "The message is too large: \(leftOut) of its entities were left out (see LIMITS in transitd(8))."
        }
    }
}

extension AttemptOutcome {
    init(_ outcome: UpdateOutcome) {
        switch outcome {
        case .updated: self = .updated
        case .unchanged: self = .unchanged
        case .refused: self = .refused
        case .failed: self = .failed
        case .canceled: self = .canceled
        }
    }
}

extension RealtimeCounts {
    /// `nil` where nothing live was told yet.
    init?(_ live: RealtimeSnapshot?) {
        guard let live, !live.told.isEmpty else { return nil }
        let table = live.table
        let updates = table.tripUpdates
        let vehicles = (table.vehicles ?? updates)?.vehicles ?? []
        self.init(
            tripsMatched: updates?.statistics.matchedTrips ?? 0,
            tripsUnmatched: updates?.statistics.unmatchedTripCount ?? 0,
            tripsExtra: updates?.extraTrips.count ?? 0,
            tripsCanceled: updates?.trips.count { $0.kind == .canceled } ?? 0,
            stopsUnmatched: updates?.statistics.unmatchedStops ?? 0, vehicles: vehicles.count,
            vehiclesUnmatched: vehicles.count { $0.tripInstance == nil && $0.variant == nil },
            alerts: table.alerts?.alerts.alerts.count ?? 0)
    }
}
