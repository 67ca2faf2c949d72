internal import TransitControl
internal import TransitFeeds
internal import TransitModel
internal import TransitQueries
internal import TransitReplies
internal import TransitStore
internal import TransitSystem

/// Renders the status of feeds for the wire.
struct FeedStatusRenderer: Sendable {
    let feeds: FeedRegistry
    let controller: FeedController
    let refresh: RefreshService
    let arrivals: ArrivalsService
    let clock: any DaemonClock

    /// Returns the status of a feed.
    ///
    /// - Parameters:
    ///   - plans: The refresh engine's schedule for the datasets of all feeds.
    ///   - listsUpdates: Whether the status lists the last updates of the datasets.
    func status(
        of feed: FeedSnapshot, plans: [DatasetID: DatasetPlan], now: Instant, listsUpdates: Bool = false
    ) -> FeedStatus {
        let datasets = DatasetStatusRenderer(
            feed: feed, plans: plans, now: now, reading: clock.reading(), listsUpdates: listsUpdates)
        let zone = feed.timetable?.zone ?? .utc
        let summary = feed.timetable?.file.summary
        let versions = (try? controller.service(of: feed.id).library().versions()) ?? []
        let last = summary?.serviceDates?.upperBound
        return FeedStatus(
            id: feed.id, provider: feed.configuration.provider, state: FeedState(feed, at: now),
            version: feed.timetable?.version, feedVersion: summary?.feedInfo?.version,
            publisher: summary?.feedInfo?.publisher, agencies: Self.agencies(feed.timetable),
            exampleStops: Self.stops(feed.timetable), timeZone: feed.timetable?.zone.name,
            serviceDates: summary?.serviceDates.map { DateSpan($0) },
            daysLeft: last.map { zone.civil(at: now).date.days(to: $0) },
            imported: summary.map { Timestamp($0.origin.fetched, in: zone) },
            age: feed.confirmed.map { max(0, $0.seconds(to: now)) },
            lastAttempt: feed.lastAttempt.map { FeedAttempt($0, zone: zone) },
            nextAttempt: plans[DatasetID(feed.id, .static)]?.due.map { Timestamp($0.wall, in: zone) },
            progress: feed.progress.map { RequestProgress($0) }, counts: summary.map { FeedCounts($0.counts) },
            bytes: versions.first(where: \.isCurrent)?.size, versions: versions.count,
            findings: feed.timetable.flatMap { try? $0.file.report() }.map { FindingCounts($0) },
            datasets: datasets.statuses { refresh.record($0) }
                + (arrivals.summary(of: feed.id).map { [datasets.status($0)] } ?? []),
            realtime: RealtimeCounts(feed.realtime, at: now),
            attribution: feed.configuration.resolvedProvider.traits.attribution,
            disclaimer: feed.configuration.resolvedProvider.traits.disclaimer)
    }

    /// The maximum number of names that show what a timetable contains.
    private static let maximumNames = 3

    private static func agencies(_ timetable: Timetable?) -> [String] {
        Array((timetable?.file.agencies ?? []).map(\.name).filter { !$0.isEmpty }.prefix(maximumNames))
    }

    /// Returns the names of the first, the middle and the last stop.
    private static func stops(_ timetable: Timetable?) -> [String] {
        guard let file = timetable?.file, file.summary.counts.stops > 0 else { return [] }
        let last = file.summary.counts.stops - 1
        var names: [String] = []
        for number in [0, last / 2, last] {
            guard let stop = try? file.stop(StopIndex(UInt32(number))), !names.contains(stop.name) else { continue }
            names.append(stop.name)
        }
        return names
    }
}

extension FeedState {
    init(_ feed: FeedSnapshot, at now: Instant) {
        if let timetable = feed.timetable {
            self = timetable.isExpired(at: now) ? .expired : .ready
        } else {
            self = feed.isUpdating ? .importing : .empty
        }
    }
}

extension RequestProgress {
    init(_ progress: UpdateProgress) {
        self.init(
            phase: progress.phase, done: Int(clamping: progress.done),
            total: progress.total == 0 ? nil : Int(clamping: progress.total), unit: progress.unit.rawValue)
    }
}

extension FeedAttempt {
    init(_ attempt: RecordedFeedAttempt, zone: ServiceZone) {
        self.init(
            at: Timestamp(attempt.ended, in: zone), outcome: AttemptOutcome(attempt.outcome),
            message: attempt.message, seconds: attempt.seconds)
    }
}

extension FeedCounts {
    init(_ counts: TimetableSummary.Counts) {
        self.init(
            agencies: counts.agencies, stops: counts.stops, routes: counts.routes, trips: counts.trips,
            stopTimes: counts.stopTimes, services: counts.services, shapes: counts.shapes)
    }
}

extension DateSpan {
    init(_ dates: ClosedRange<ServiceDate>) { self.init(first: dates.lowerBound, last: dates.upperBound) }
}

extension FindingCounts {
    init(_ report: ValidationReport) {
        self.init(
            fatal: report.count(.fatal), error: report.count(.error), warning: report.count(.warning),
            info: report.count(.info))
    }
}

extension Finding {
    init(_ finding: ValidationReport.Finding) {
        let severity: FindingSeverity =
            switch finding.severity {
            case .info: .info
            case .warning: .warning
            case .error: .error
            case .fatal: .fatal
            }
        self.init(
            rule: finding.rule, severity: severity, count: finding.count,
            examples: finding.examples.map { example in
                FindingExample(
                    file: example.place.file, line: example.place.line, column: example.place.column,
                    field: example.place.field, message: example.message)
            })
    }
}
