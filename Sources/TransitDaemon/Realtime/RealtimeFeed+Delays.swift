internal import Logging
internal import Synchronization
internal import TransitEngine
internal import TransitModel
internal import TransitQueries
internal import TransitStore

/// What a feed learns about its delays, and when that was last written to disk.
struct DelayLog {
    var recorder = DelayRecorder()
    /// The history as it was last written.
    var saved = DelayHistory()
    var lastSave: Instant?
    /// The stops whose departures are learned one by one, and when they were determined.
    var tracked: (stops: DelayRecorder.TrackedStops, at: Instant)?

    /// The name of the file beside the cached responses.
    static let name = "delays"
    /// The minimum number of seconds between two writes. A crash loses what was learned since the last one.
    static let interval = 1800
    /// The number of seconds after which the stops in use are determined again.
    static let trackingInterval = 600
}

extension RealtimeFeed {
    /// Continues what was learned about delays with another version of the timetable.
    func restoreDelays(_ timetable: Timetable?, now: Instant, _ work: inout Work) {
        if work.delays.lastSave == nil {
            work.delays.lastSave = now
            if let known = storedDelays(now: now) {
                work.delays.recorder = DelayRecorder(history: known)
                work.delays.saved = known
            }
        }
        work.delays.tracked = nil
        guard let timetable else { return }
        do { try work.delays.recorder.continue(with: timetable, version: timetable.version) } catch {
            logger.error("What was learned about delays cannot be matched to the new timetable: \(error)")
        }
    }

    private func storedDelays(now: Instant) -> DelayHistory? {
        guard let stored = cachedFile(DelayLog.name, now: now) else { return nil }
        if let history = DelayHistory(stored.body) { return history }
        logger.error("What was learned about the delays of departures cannot be read. It is learned again.")
        return nil
    }

    /// Learns from a message of trip updates or, for a feed without them, of vehicles.
    func learnDelays(
        from dataset: RealtimeDataset, after previous: RealtimeDataset?, of kind: DatasetKind, now: Instant,
        _ work: inout Work
    ) throws -> DelayHistory? {
        guard let timetable = work.snapshot?.timetable else { return nil }
        let stops = tracked(timetable, now: now, &work)
        if kind == .vehicles {
            try work.delays.recorder.observeVehicles(dataset, after: previous, in: timetable, tracking: stops)
        } else {
            try work.delays.recorder.observe(dataset, after: previous, in: timetable, tracking: stops)
        }
        let history = work.delays.recorder.history
        return history.isEmpty ? nil : history
    }

    private func tracked(
        _ timetable: Timetable, now: Instant, _ work: inout Work
    ) -> DelayRecorder.TrackedStops {
        if let known = work.delays.tracked, (0..<DelayLog.trackingInterval).contains(known.at.seconds(to: now)) {
            return known.stops
        }
        let stops: DelayRecorder.TrackedStops =
            timetable.file.summary.counts.stops <= DelayRecorder.TrackedStops.maximumOfAll
            ? .all : .some(stopsInUse(timetable))
        work.delays.tracked = (stops, now)
        return stops
    }

    /// Writes what was learned, if it has changed.
    ///
    /// - Parameter isLast: Whether the daemon stops, so that it is written however recent the last write was.
    func saveDelays(now: Instant, isLast: Bool = false, _ work: inout Work) {
        let history = work.delays.recorder.history
        if !isLast, let last = work.delays.lastSave, (0..<DelayLog.interval).contains(last.seconds(to: now)) { return }
        guard history != work.delays.saved else { return }
        work.delays.saved = history
        work.delays.lastSave = now
        cacheFile(CachedRealtimeResponse(body: history.encoded, fetched: now), DelayLog.name)
    }

    /// Forgets what was learned about delays.
    ///
    /// - Returns: Whether anything had been learned.
    func clearDelays(now: Instant) -> Bool {
        work.withLock { work in
            let isEmpty = work.delays.recorder.history.isEmpty
            work.delays = DelayLog()
            work.delays.lastSave = now
            work.snapshot?.history = nil
            removeCachedFile(DelayLog.name)
            publish(work.snapshot)
            return !isEmpty
        }
    }
}
