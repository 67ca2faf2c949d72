internal import Synchronization
internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// What is known about a feed at one moment. A question takes it once and stays with it.
struct FeedSnapshot: Sendable {
    var configuration: FeedConfiguration
    /// `nil`: never imported, or the file cannot be opened.
    var timetable: Timetable?
    /// Why the feed's folder or its live version cannot be opened.
    var damage: String?
    /// What is kept of earlier updates.
    var record = FeedRecord()
    /// How far a running update is.
    var progress: UpdateProgress?
    /// What its live sources told last.
    var live: RealtimeSnapshot?
    /// Since when its sources reject its key; `nil`: they do not, as far as is known.
    var keyRejectedSince: Instant?
    /// Whether its sources are out of reach because the machine has no network.
    var isOffline = false
    /// What keeps its live sources from telling anything new; of those that answer there is nothing.
    var troubles: [DatasetKind: RealtimeSourceFailure] = [:]

    /// This snapshot, completed by the state of the previous one that it does not set itself: realtime data, running
    /// updates, and troubles of its sources.
    func continuing(_ before: FeedSnapshot) -> FeedSnapshot {
        var snapshot = self
        snapshot.progress = before.progress
        snapshot.live = before.live
        snapshot.keyRejectedSince = before.keyRejectedSince
        snapshot.isOffline = before.isOffline
        // The troubles of another address do not apply.
        snapshot.troubles = before.troubles.filter { kind, _ in
            configuration.datasetSource(kind) == before.configuration.datasetSource(kind)
        }
        return snapshot
    }

    var id: FeedID { configuration.id }
    var isUpdating: Bool { progress != nil }
    var confirmed: Instant? { record.confirmed }
    var lastAttempt: TransitStore.FeedAttempt? { record.lastAttempt }
    /// The live data for the timetable; `nil` where there is none that fits it.
    var realtimeTimetable: RealtimeTimetable? { live.flatMap { $0.timetable === timetable ? $0.table : nil } }
}

/// How far an update is.
struct UpdateProgress: Hashable, Sendable {
    enum Unit: String, Sendable {
        case bytes, requests, rows
    }

    /// "download", "stop_times.txt", "write".
    var phase: String
    var done: UInt64
    /// 0: not known.
    var total: UInt64
    var unit: Unit

    static let starting = UpdateProgress(phase: "start", done: 0, total: 0, unit: .bytes)
    static let fetching = "download"
    static let collecting = "collecting"
    static let writing = "write"
}

/// The feeds as they are now, in the order of the configuration; read by many threads, written by the feeds' services.
final class FeedRegistry: Sendable {
    private let state = Mutex<[FeedSnapshot]>([])

    var all: [FeedSnapshot] { state.withLock { $0 } }

    func snapshot(_ feed: FeedID) -> FeedSnapshot? { state.withLock { $0.first { $0.id == feed } } }

    /// Does nothing for a feed that is gone meanwhile.
    func update(_ feed: FeedID, _ change: (inout FeedSnapshot) -> Void) {
        state.withLock { state in
            guard let position = state.firstIndex(where: { $0.id == feed }) else { return }
            change(&state[position])
        }
    }

    /// Replaces the feeds after a configuration change. The state that a running daemon has of an unchanged feed stays
    /// valid.
    func replace(_ snapshots: [FeedSnapshot]) {
        state.withLock { state in
            state = snapshots.map { snapshot in
                state.first { $0.id == snapshot.id }.map(snapshot.continuing) ?? snapshot
            }
        }
    }
}
