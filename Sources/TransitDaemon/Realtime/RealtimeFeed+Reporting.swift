internal import Logging
internal import TransitEngine
internal import TransitModel
internal import TransitQueries
internal import TransitStore

/// What a feed learns about the trips that its source reports, and when that was last written to disk.
struct ReportingLog {
    var tracker = ReportingTracker()
    var saved = ReportingHabits()
    var lastSave: Instant?

    /// The name of the file beside the cached responses.
    static let name = "reporting"
    /// The minimum number of seconds between two writes.
    static let interval = 60
}

extension RealtimeFeed {
    /// Returns the dataset to which a cached file belongs: the file contains its last response or what was learned from
    /// its responses.
    static func dataset(ofCachedFile name: String) -> DatasetKind? {
        if name == ReportingLog.name || name == DelayLog.name { return .tripUpdates }
        return DatasetKind(rawValue: String(name.prefix { $0 != "." && $0 != "-" }))
    }

    /// Starts to observe the messages for another version of the timetable. What was learned is kept: in memory or,
    /// after a start, on disk.
    func restoreReporting(now: Instant, _ work: inout Work) {
        var habits = work.reporting.tracker.habits
        if work.reporting.lastSave == nil, let known = storedHabits(now: now) {
            habits = known
            work.reporting.saved = known
            work.reporting.lastSave = now
        }
        work.reporting.tracker = ReportingTracker(habits: habits)
    }

    private func storedHabits(now: Instant) -> ReportingHabits? {
        guard let stored = cachedFile(ReportingLog.name, now: now) else { return nil }
        if let habits = ReportingHabits(stored.body) { return habits }
        logger.error("What was learned about the trips that the source reports cannot be read. It is learned again.")
        return nil
    }

    /// Observes the trip updates of a message.
    func observe(
        _ dataset: RealtimeDataset, after previous: RealtimeDataset?, now: Instant, _ work: inout Work
    ) throws -> ReportingEvidence? {
        guard let timetable = work.matcher?.timetable else { return nil }
        let policy = FreshnessPolicy(interval: work.intervals[.tripUpdates] ?? 60)
        let evidence = try work.reporting.tracker.observe(dataset, after: previous, in: timetable, policy: policy)
        save(now: now, &work)
        return evidence
    }

    /// Discards what was learned about a source that was removed.
    func forgetReporting(_ work: inout Work) {
        work.reporting = ReportingLog()
        work.snapshot?.reporting = nil
        removeCachedFile(ReportingLog.name)
    }

    private func save(now: Instant, _ work: inout Work) {
        let habits = work.reporting.tracker.habits
        if let last = work.reporting.lastSave, (0..<ReportingLog.interval).contains(last.seconds(to: now)) { return }
        guard habits != work.reporting.saved else { return }
        work.reporting.saved = habits
        work.reporting.lastSave = now
        cacheFile(CachedRealtimeResponse(body: habits.encoded, fetched: now), ReportingLog.name)
    }
}
