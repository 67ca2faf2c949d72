internal import Synchronization
internal import TransitEngine
internal import TransitModel
internal import TransitQueries
internal import TransitStore

/// The state of a feed at one moment. A request uses the same snapshot from start to end.
struct FeedSnapshot: Sendable {
    var configuration: FeedConfiguration
    /// `nil` if the feed was never imported or its file cannot be opened.
    var timetable: Timetable?
    /// The reason why the feed's folder or its current version cannot be opened.
    var openFailure: String?
    /// The record of earlier updates.
    var record = FeedRecord()
    /// Why the last update since the daemon started failed; `nil` if it did not, or there was none.
    var failure: AttemptFailure?
    /// The progress of a running update.
    var progress: UpdateProgress?
    /// The latest data from its realtime sources.
    var realtime: RealtimeSnapshot?
    /// The time since which its sources reject its key; `nil` if no source is known to reject it.
    var keyRejectedSince: Instant?
    /// The last time at which its sources rejected its key since the daemon started.
    var keyRejectedLast: Instant?
    /// Whether its sources are unreachable because the machine has no network.
    var isOffline = false
    /// The failures of its realtime sources. A source that responds has no entry.
    var sourceFailures: [DatasetKind: RealtimeSourceFailure] = [:]

    /// Returns this snapshot with the state that it takes over from the previous one: realtime data, the progress of
    /// a running update, and the failures of its sources.
    func continuing(_ before: FeedSnapshot) -> FeedSnapshot {
        var snapshot = self
        snapshot.progress = before.progress
        snapshot.realtime = before.realtime
        snapshot.keyRejectedSince = before.keyRejectedSince
        snapshot.keyRejectedLast = before.keyRejectedLast
        snapshot.isOffline = before.isOffline
        // A failure does not apply if the source has changed.
        snapshot.sourceFailures = before.sourceFailures.filter { kind, _ in
            configuration.datasetSource(kind) == before.configuration.datasetSource(kind)
        }
        return snapshot
    }

    var id: FeedID { configuration.id }
    var isUpdating: Bool { progress != nil }
    var confirmed: Instant? { record.confirmed }
    var lastAttempt: RecordedFeedAttempt? { record.lastAttempt }
    /// The realtime data for the current timetable version; `nil` if there is none.
    var realtimeTimetable: RealtimeDatasets? { view.realtime }

    /// The feed as queries see it. The registry keeps the view until the next change, because every request needs it.
    var view: FeedView { cachedView ?? makeView() }
    private var cachedView: FeedView?

    fileprivate mutating func updateView() { cachedView = makeView() }

    private func makeView() -> FeedView {
        var source = SourceState()
        source.supplements = configuration.supplements
        source.hasRealtime = configuration.datasets.contains(where: \.isRealtime)
        source.refreshInterval = configuration.refreshInterval
        source.confirmed = confirmed
        source.lastAttempt = lastAttempt
        source.failure = failure
        source.isUpdating = isUpdating
        source.openFailure = openFailure
        source.hasKey = configuration.credential != nil
        source.hasKeyFile = configuration.credential?.file != nil
        source.keyRejectedSince = keyRejectedSince
        source.isOffline = isOffline
        source.failures = sourceFailures
        return FeedView(id: id, timetable: timetable, realtime: realtime, source: source)
    }

    init(
        configuration: FeedConfiguration, timetable: Timetable? = nil, openFailure: String? = nil,
        record: FeedRecord = FeedRecord()
    ) {
        self.configuration = configuration
        self.timetable = timetable
        self.openFailure = openFailure
        self.record = record
    }
}

/// The progress of an update.
struct UpdateProgress: Hashable, Sendable {
    enum Unit: String, Sendable {
        case bytes, requests, rows
    }

    /// The phase, such as "download", "stop_times.txt" or "write".
    var phase: String
    var done: UInt64
    /// 0 if the total is not known.
    var total: UInt64
    var unit: Unit

    static let starting = UpdateProgress(phase: "start", done: 0, total: 0, unit: .bytes)
    static let fetching = "download"
    static let collecting = "collecting"
    /// The import waits for other imports to release memory.
    static let waitingForMemory = "waiting for memory"
    static let writing = "write"
}

/// The current state of all feeds, in the order of the configuration. It is read by many threads and written by the
/// feeds' services.
final class FeedRegistry: Sendable {
    private let state = Mutex<[FeedSnapshot]>([])

    var all: [FeedSnapshot] { state.withLock { $0 } }

    func snapshot(_ feed: FeedID) -> FeedSnapshot? { state.withLock { $0.first { $0.id == feed } } }

    /// Does nothing for a feed that was removed in the meantime.
    func update(_ feed: FeedID, _ change: (inout FeedSnapshot) -> Void) {
        state.withLock { state in
            guard let position = state.firstIndex(where: { $0.id == feed }) else { return }
            change(&state[position])
            state[position].updateView()
        }
    }

    /// Replaces the feeds after a configuration change. An unchanged feed retains its runtime state.
    func replace(_ snapshots: [FeedSnapshot]) {
        state.withLock { state in
            state = snapshots.map { snapshot in
                var snapshot = state.first { $0.id == snapshot.id }.map(snapshot.continuing) ?? snapshot
                snapshot.updateView()
                return snapshot
            }
        }
    }
}
