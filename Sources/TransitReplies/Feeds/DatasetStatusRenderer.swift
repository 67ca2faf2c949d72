package import TransitControl
internal import TransitEngine
package import TransitModel
internal import TransitQueries
internal import TransitRefresh

/// One dataset of a feed and the state of its refreshing.
package struct RefreshedDataset {
    package var kind: DatasetKind
    /// The format or the service from which it is fetched, such as "GTFS-Realtime".
    package var source: String
    /// The number of seconds between two fetches.
    package var interval: Int
    /// When the refresh engine fetches it next; `nil` if it has no schedule.
    package var plan: DatasetPlan?
    /// `nil` before the first fetch.
    package var record: DatasetRecord?

    package init(
        kind: DatasetKind, source: String, interval: Int, plan: DatasetPlan?, record: DatasetRecord?
    ) {
        self.kind = kind
        self.source = source
        self.interval = interval
        self.plan = plan
        self.record = record
    }
}

/// Renders the status of a feed's datasets for the wire.
struct DatasetStatusRenderer {
    var timetable: Timetable?
    /// The latest response of each realtime source.
    var realtime: RealtimeSnapshot?
    var reading: ClockReading
    /// Whether the status lists the last updates.
    var listsUpdates: Bool

    private var now: Instant { reading.wall }
    private var zone: ServiceZone { timetable?.zone ?? .utc }

    func status(_ dataset: RefreshedDataset) -> DatasetStatus {
        let (kind, plan, record) = (dataset.kind, dataset.plan, dataset.record)
        let last = record?.currentUpdate
        return DatasetStatus(
            dataset: DatasetName(kind), source: dataset.source, freshness: freshness(dataset),
            age: age(kind, record),
            lastSuccess: record?.lastSuccess.map(timestamp), lastAttempt: record?.lastAttempt.map(timestamp),
            outcome: last.map { AttemptOutcome($0.outcome) }, message: last?.reason.map(\.asSentence),
            nextDue: plan?.due.map(timestamp), dueReason: plan?.reason.rawValue,
            bytes: record?.history.last { $0.outcome.isSuccess }?.bytes, latency: last?.milliseconds,
            failures: record?.consecutiveFailures ?? 0, notes: notes(kind) + (plan?.hold.map { [$0.sentence] } ?? []),
            updates: listsUpdates ? (record?.history ?? []).reversed().map(update) : [])
    }

    private func timestamp(_ reading: ClockReading) -> Timestamp { Timestamp(reading.wall, in: zone) }

    private func update(_ update: UpdateRecord) -> DatasetUpdate { DatasetUpdate(update, zone: zone) }

    /// The age of a dataset in seconds, based on the source's timestamp if there is one.
    private func age(_ kind: DatasetKind, _ record: DatasetRecord?) -> Int? {
        if kind.isRealtime, let time = realtime?.responses[kind]?.dataset.time {
            return max(0, time.seconds(to: now))
        }
        return record?.age(at: reading)
    }

    private func freshness(_ dataset: RefreshedDataset) -> DatasetFreshness {
        guard dataset.kind.isRealtime else {
            guard timetable != nil else { return .empty }
            guard let age = dataset.record?.age(at: reading) else { return .due }
            return age <= dataset.interval ? .fresh : age <= 3 * dataset.interval ? .due : .aging
        }
        guard let realtime, let message = realtime.responses[dataset.kind]?.dataset else { return .empty }
        if message.isIgnored { return .unmatched }
        switch realtime.policy(dataset.kind).age(of: message.time, at: now).freshness {
        case .fresh: return .fresh
        case .aging: return .aging
        case .stale: return .expired
        }
    }

    private func notes(_ kind: DatasetKind) -> [String] {
        guard let response = realtime?.responses[kind] else { return [] }
        let ambiguous = response.dataset.statistics.unmatchedTrips[.ambiguousDate] ?? 0
        let undated =
            ambiguous == 1
            ? "One cancellation without a date may refer to several departures and is not used."
            : "\(ambiguous) cancellations without a date may refer to several departures and are not used."
        return response.notes(kind).map(\.text) + (ambiguous > 0 ? [undated] : [])
            + response.problems.findings.prefix(5).map { "\($0.count) times: \($0.rule)." }
    }
}

extension RealtimeResponse {
    /// The notes about a message as a whole. An empty alerts message is normal and has no note.
    func notes(_ kind: DatasetKind) -> [RealtimeMessageNotice] {
        dataset.notes.filter { kind != .alerts || $0 != .empty }
    }
}

extension RealtimeMessageNotice {
    /// The text of the note as a sentence.
    var text: String {
        switch self {
        case .withoutTimestamp: "The message has no timestamp; the time of receipt is used instead."
        case .ahead(let seconds): "The message's timestamp is \(seconds) s ahead of this machine's clock."
        case .backwards(let seconds): "The message is \(seconds) s older than the one before it."
        case .otherDatasets: "The message has no data for this dataset, only for other datasets."
        case .empty: "The message is empty, so no realtime data is available."
        case .differentialWithoutBase: "The message is differential, and the dataset that it changes is not known."
        case .lacksReportedTrips(let count):
            "The message lacks \(count) of the trips that were reported before; their last known data stays in use."
        case .tooLarge(let leftOut):
            "The message is too large: \(leftOut) of its entities were dropped (see LIMITS in transitd(8))."
        }
    }
}

extension AttemptOutcome {
    package init(_ outcome: UpdateOutcome) {
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
    /// Returns `nil` if the feed has received no realtime data.
    init?(_ realtime: RealtimeSnapshot?, at now: Instant) {
        guard let realtime, !realtime.responses.isEmpty else { return nil }
        let table = realtime.table
        let updates = table.tripUpdates
        let vehicles = (table.vehicles ?? updates)?.vehicles ?? []
        let isSilent = updates.map { table.tripUpdatePolicy.age(of: $0.time, at: now).freshness == .stale } ?? false
        self.init(
            tripsMatched: isSilent ? 0 : updates?.statistics.matchedTrips ?? 0,
            tripsLastKnown: updates?.lastKnownTrips(isSilent: isSilent, at: now),
            tripsUnmatched: updates?.statistics.unmatchedTripCount ?? 0,
            tripsOutside: realtime.timetable.isPartial ? updates?.statistics.outsideTrips ?? 0 : nil,
            tripsExtra: updates?.extraTrips.count ?? 0,
            tripsCanceled: updates?.trips.count { $0.kind == .canceled } ?? 0,
            stopsUnmatched: updates?.statistics.unmatchedStops ?? 0, vehicles: vehicles.count,
            vehiclesUnmatched: vehicles.count { $0.tripInstance == nil && $0.variant == nil },
            alerts: table.alerts?.alerts.alerts.count ?? 0)
    }
}

extension DatasetStatusRenderer {
    /// Returns the status of the on-demand source, which the refresh engine does not schedule.
    func status(_ summary: ArrivalsSummary) -> DatasetStatus {
        let age = summary.lastAnswer.map { Int(clamping: max(0, $0.milliseconds(to: reading.boot)) / 1000) }
        return DatasetStatus(
            dataset: .arrivals, source: "on demand", freshness: freshness(summary, age), age: age,
            lastSuccess: summary.lastAnswer.map(timestamp), lastAttempt: summary.lastRequested.map(timestamp),
            outcome: summary.lastRequested.map { _ in Self.outcome(summary.lastFailure) },
            message: summary.lastFailure.map { "\($0)".asSentence }, nextDue: summary.next.map(timestamp),
            dueReason: summary.reason.rawValue, failures: summary.failures, notes: notes(summary))
    }

    private func freshness(_ summary: ArrivalsSummary, _ age: Int?) -> DatasetFreshness {
        guard let age else { return .empty }
        if summary.fresh > 0 { return .fresh }
        return age <= (realtime?.policy(.arrivals) ?? FreshnessPolicy()).usable ? .aging : .expired
    }

    private static func outcome(_ trouble: ArrivalsFailure?) -> AttemptOutcome {
        switch trouble {
        case nil: .updated
        case .refused, .unreadable: .refused
        case .failed: .failed
        }
    }

    private func notes(_ summary: ArrivalsSummary) -> [String] {
        guard summary.known > 0 else { return ["No request has needed it yet."] }
        var notes = ["Cached queries: \(summary.known). Fresh responses: \(summary.fresh)."]
        if summary.failing > 0 { notes.append("Queries that failed at the last attempt: \(summary.failing).") }
        return notes
    }

    private func timestamp(_ moment: BootTime) -> Timestamp { Timestamp(reading.wall(at: moment), in: zone) }
}

extension DatasetUpdate {
    package init(_ update: UpdateRecord, zone: ServiceZone) {
        self.init(
            at: Timestamp(update.began.advanced(by: update.milliseconds / 1000), in: zone),
            outcome: AttemptOutcome(update.outcome), bytes: update.bytes, latency: update.milliseconds,
            status: update.status)
    }
}

extension DatasetName {
    package init(_ kind: DatasetKind) {
        switch kind {
        case .static: self = .static
        case .tripUpdates: self = .tripUpdates
        case .vehicles: self = .vehicles
        case .alerts: self = .alerts
        case .arrivals: self = .arrivals
        case .weather: self = .weather
        case .events: self = .events
        case .catalog: self = .catalog
        }
    }
}
