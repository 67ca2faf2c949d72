internal import Logging
internal import Synchronization
internal import TransitModel
internal import TransitNotifications
internal import TransitSystem

/// Runs the searches for journeys on which notifications depend, one after the other, on the thread for all searches. A pass
/// starts them and does not wait: the next pass finds the results.
final class NotificationSearches: Sendable {
    private struct State {
        /// In the order in which they were started.
        var waiting: [(uid: UInt32, search: NotificationSearch)] = []
        var results: [UInt32: [NotificationSearchResult]] = [:]
    }

    private let pool: BoundedThreadPool
    private let networks: JourneyNetworkBuilds
    private let clock: any DaemonClock
    private let logger: Logger
    private let state = Mutex(State())
    private let wake = WakeTimer()
    private let stopping = CancellationFlag()

    /// The number of seconds after which a search whose thread could not be started is tried again.
    private static let threadInterval = 10

    init(pool: BoundedThreadPool, networks: JourneyNetworkBuilds, clock: any DaemonClock, logger: Logger) {
        (self.pool, self.networks, self.clock, self.logger) = (pool, networks, clock, logger)
    }

    /// Whether the daemon stops, so that searches end early.
    var isStopping: @Sendable () -> Bool { { [stopping] in stopping.isSet } }

    /// Starts searches for a user. Those that already wait for the user are about older data, and are replaced.
    func start(_ searches: [NotificationSearch], of uid: UInt32) {
        guard !searches.isEmpty else { return }
        state.withLock { state in
            state.waiting.removeAll { waiting in
                waiting.uid == uid && searches.contains { $0.replaces(waiting.search) }
            }
            state.waiting += searches.map { (uid, $0) }
        }
        wake.set(clock.reading().boot)
    }

    /// Returns the results for a user since the last call.
    func takeResults(of uid: UInt32) -> [NotificationSearchResult] {
        state.withLock { $0.results.removeValue(forKey: uid) ?? [] }
    }

    /// Runs searches as they are started, until the task is canceled.
    ///
    /// - Parameter ended: Called when there is a result.
    func run(_ ended: @escaping @Sendable () -> Void) async {
        await withTaskCancellationHandler {
            await wake.runAtEachTime(clock) { await runWaiting(ended) }
        } onCancel: {
            stopping.set()
        }
    }

    /// Runs the searches that wait.
    func runWaiting(_ ended: @Sendable () -> Void) async {
        while !Task.isCancelled, let (uid, search) = next() {
            await networks.waitForNetworks(of: search.timetables, walkingDistance: search.walkingDistance)
            do throws(SystemFailure) {
                // A search that was skipped belongs to a daemon that stops.
                guard let result = try await pool.run(for: uid, { search.result() }) else { return }
                record(result, of: uid)
                ended()
            } catch {
                logger.warning("A journey for a notification is searched later: \(error)")
                state.withLock { $0.waiting.insert((uid, search), at: 0) }
                wake.setIfEarlier(clock.reading().boot.advanced(by: Self.threadInterval))
                return
            }
        }
    }

    private func next() -> (uid: UInt32, search: NotificationSearch)? {
        state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
    }

    private func record(_ result: NotificationSearchResult, of uid: UInt32) {
        if let failure = result.failure {
            logger.warning("A journey for a notification cannot be searched: \(failure)")
        }
        state.withLock { $0.results[uid, default: []].append(result) }
    }
}
