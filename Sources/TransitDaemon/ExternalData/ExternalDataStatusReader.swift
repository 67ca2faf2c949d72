internal import TransitControl
internal import TransitModel
internal import TransitQueries
internal import TransitRefresh
internal import TransitReplies
internal import TransitSystem

/// Reads the state of the data that belongs to no feed, for `status`, `doctor` and the notices of replies.
struct ExternalDataStatusReader: Sendable {
    let data: ExternalData
    let refresh: RefreshService
    let clock: any DaemonClock

    /// The datasets that are configured or in use.
    private var datasets: [DatasetID] {
        data.configuration.externalDataSources(isCatalogInUse: data.catalog.isInUse).map(\.dataset)
    }

    func statuses(
        _ plans: [DatasetID: DatasetPlan], listsUpdates: Bool, zone: ServiceZone
    ) -> [DatasetStatus] {
        let now = clock.reading()
        return datasets.map { id in
            let (record, plan) = (refresh.record(id), plans[id])
            let last = record?.currentUpdate
            func timestamp(_ reading: ClockReading) -> Timestamp { Timestamp(reading.wall, in: zone) }
            let age = data.dataset(id)?.received.map { max(0, $0.seconds(to: now.wall)) }
            return DatasetStatus(
                dataset: DatasetName(id.kind), source: id.kind.externalDataSourceName, freshness: freshness(age, plan),
                age: age, lastSuccess: record?.lastSuccess.map(timestamp),
                lastAttempt: record?.lastAttempt.map(timestamp), outcome: last.map { AttemptOutcome($0.outcome) },
                message: last?.reason.map(\.asSentence), nextDue: plan?.due.map(timestamp),
                dueReason: plan?.reason.rawValue, bytes: record?.history.last { $0.outcome.isSuccess }?.bytes,
                latency: last?.milliseconds, failures: record?.consecutiveFailures ?? 0, notes: notes(id, record),
                updates: listsUpdates
                    ? (record?.history ?? []).reversed().map { DatasetUpdate($0, zone: zone) } : [])
        }
    }

    private func freshness(_ age: Int?, _ plan: DatasetPlan?) -> DatasetFreshness {
        guard let age else { return .empty }
        guard let interval = plan?.interval else { return .due }
        return age <= interval ? .fresh : age <= 3 * interval ? .aging : .expired
    }

    private func notes(_ id: DatasetID, _ record: DatasetRecord?) -> [String] {
        if id == .catalog {
            return data.dataset(id)?.received == nil
                ? ["It is downloaded when you search with: transitctl feed find TEXT"] : []
        }
        return record?.lastSuccess != nil && data.dataset(id)?.received == nil
            ? ["No commute, place or favorite needs it, so nothing was requested."] : []
    }

    /// Returns one notice for each dataset whose last attempt failed, with the age of the data in use.
    func notices(zone: ServiceZone) -> [Notice] { notices(of: datasets, zone: zone) + retirementNotices() }

    func notices(of datasets: [DatasetID], zone: ServiceZone) -> [Notice] {
        datasets.compactMap { id in
            guard let failure = failure(of: id) else { return nil }
            return Notice(
                kind: failure.isMalformed ? .malformed : .failed,
                message: "\(id.kind.externalDataTitle) could not be updated. \(failure.reason) \(used(id))",
                since: Timestamp(failure.since, in: zone))
        }
    }

    // MARK: Retired feeds

    /// A configured feed whose URL the catalog has retired.
    private struct Retirement {
        var feed: FeedID
        var message: String
        var remedy: String
    }

    private var retirements: [Retirement] {
        guard let search = data.catalog.snapshot?.search else { return [] }
        return data.configuration.feeds.compactMap { feed in
            guard let url = feed.remoteURL, let (entry, successor) = search.retirement(ofURL: url) else { return nil }
            return Retirement(
                feed: feed.id,
                message: "The catalog of public feeds has retired the source of \(feed.id), \(entry.id). Its successor "
                    + "is \(successor.id), \(successor.provider.prefix(80)).",
                remedy: "transitctl feed edit \(feed.id) static=\(successor.id)")
        }
    }

    private func retirementNotices() -> [Notice] {
        retirements.map { retirement in
            Notice(
                kind: .stale, feed: retirement.feed,
                message: "\(retirement.message) Change to it with: \(retirement.remedy)")
        }
    }

    /// The checks of `doctor`.
    func checks() -> [DoctorCheck] {
        sourceChecks()
            + retirements.map { retirement in
                DoctorCheck(
                    check: "\(retirement.feed).successor", outcome: .warning, message: retirement.message,
                    remedy: retirement.remedy)
            }
    }

    private func sourceChecks() -> [DoctorCheck] {
        datasets.map { id in
            let record = refresh.record(id)
            let failure = failure(of: id)
            let idle = notes(id, record).first ?? (record?.lastSuccess == nil ? "It has not been fetched yet." : nil)
            return DoctorCheck(
                check: id.kind.rawValue, outcome: failure != nil ? .warning : idle != nil ? .skipped : .ok,
                message: failure.map { "\(id.kind.externalDataTitle) could not be updated. \($0.reason) \(used(id))" }
                    ?? idle ?? "The source responds.",
                remedy: failure != nil ? "transitctl refresh \(id.feed)" : nil)
        }
    }

    private func failure(of id: DatasetID) -> RealtimeSourceFailure? {
        refresh.record(id).flatMap { RealtimeSourceFailure($0) }
    }

    /// A sentence about the data in use after a failure.
    private func used(_ id: DatasetID) -> String {
        guard let age = data.dataset(id)?.received.map({ max(0, $0.seconds(to: clock.now())) }) else {
            return "There is no data."
        }
        return "The data in use is \(AgeWords.of(age)) old."
    }
}

extension DatasetKind {
    /// The name of the source of a dataset that belongs to no feed.
    var externalDataSourceName: String {
        switch self {
        case .weather: "Open-Meteo"
        case .catalog: "Mobility Database"
        default: "Ticketmaster Discovery API"
        }
    }

    /// The subject of a sentence about such a dataset.
    var externalDataTitle: String {
        switch self {
        case .weather: "The weather forecast"
        case .catalog: "The catalog of feeds"
        default: "The list of events"
        }
    }
}
