package import TransitControl
package import TransitModel
package import TransitQueries
package import TransitRefresh
package import TransitStore

/// Renders the status of a feed for the wire.
package struct FeedStatusReply {
    package var feed: FeedView
    /// The name of the provider in the configuration.
    package var provider: String
    /// The text that the source requires for its data to be shown.
    package var attribution: String?
    /// What users must know about the source.
    package var disclaimer: String?
    package var datasets: [RefreshedDataset]
    /// The state of the on-demand source, which the refresh engine does not schedule; `nil` if there is none.
    package var arrivals: ArrivalsSummary?
    /// The progress of a running update.
    package var progress: RequestProgress?
    /// The stored versions of the timetable.
    package var versions: [TimetableLibrary.Version]

    package init(
        feed: FeedView, provider: String, attribution: String?, disclaimer: String?, datasets: [RefreshedDataset],
        arrivals: ArrivalsSummary?, progress: RequestProgress?, versions: [TimetableLibrary.Version]
    ) {
        self.feed = feed
        self.provider = provider
        self.attribution = attribution
        self.disclaimer = disclaimer
        self.datasets = datasets
        self.arrivals = arrivals
        self.progress = progress
        self.versions = versions
    }

    /// Returns the status at a time.
    ///
    /// - Parameter listsUpdates: Whether the status lists the last updates of the datasets.
    package func status(at reading: ClockReading, listsUpdates: Bool = false) -> FeedStatus {
        let now = reading.wall
        let renderer = DatasetStatusRenderer(
            timetable: feed.timetable, realtime: feed.snapshot, reading: reading, listsUpdates: listsUpdates)
        let zone = feed.timetable?.zone ?? .utc
        let summary = feed.timetable?.file.summary
        let last = summary?.serviceDates?.upperBound
        return FeedStatus(
            id: feed.id, provider: provider, state: FeedState(feed, at: now),
            version: feed.timetable?.version, feedVersion: summary?.feedInfo?.version,
            publisher: summary?.feedInfo?.publisher, agencies: Self.agencies(feed.timetable),
            exampleStops: Self.stops(feed.timetable), timeZone: feed.timetable?.zone.name,
            serviceDates: summary?.serviceDates.map { DateSpan($0) },
            daysLeft: last.map { zone.civil(at: now).date.days(to: $0) },
            imported: summary.map { Timestamp($0.origin.fetched, in: zone) },
            age: feed.confirmed.map { max(0, $0.seconds(to: now)) },
            lastAttempt: feed.source.lastAttempt.map { FeedAttempt($0, zone: zone) },
            nextAttempt: datasets.first { $0.kind == .static }?.plan?.due.map { Timestamp($0.wall, in: zone) },
            progress: progress, counts: summary.map { FeedCounts($0.counts) },
            area: feed.timetable.flatMap { try? $0.area() }.map { StopArea($0) },
            kept: summary.flatMap { KeptPart($0) },
            bytes: versions.first(where: \.isCurrent)?.size, versions: versions.count,
            findings: feed.timetable.flatMap { try? $0.file.report() }.map { FindingCounts($0) },
            datasets: datasets.map(renderer.status) + (arrivals.map { [renderer.status($0)] } ?? []),
            realtime: RealtimeCounts(feed.snapshot, at: now), delays: feed.history.map { LearnedDelayStatus($0) },
            attribution: attribution, disclaimer: disclaimer)
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
    init(_ feed: FeedView, at now: Instant) {
        if let timetable = feed.timetable {
            self = timetable.isExpired(at: now) ? .expired : .ready
        } else {
            self = feed.source.isUpdating ? .importing : .empty
        }
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

extension KeptPart {
    /// Returns `nil` for a version with all of its source.
    init?(_ summary: TimetableSummary) {
        guard let subset = summary.subset else { return nil }
        self.init(
            rule: subset.rule, stops: subset.stops, stopsInSource: subset.stopsInSource, trips: summary.counts.trips,
            tripsInSource: subset.tripsInSource)
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
