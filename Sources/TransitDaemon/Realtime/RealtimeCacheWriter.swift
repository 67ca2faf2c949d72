internal import Dispatch
internal import Glibc
internal import Logging
internal import ServiceLifecycle
internal import Synchronization
internal import TransitModel
internal import TransitStore
internal import TransitSystem

/// Writes the cached responses of realtime sources in the background, so that data is in use before it is on disk.
///
/// The files of a dataset are written in the order in which they were saved. Of each file, only the last version waits,
/// so that a disk that hangs costs at most one response for each file in memory. A failed write is repeated after
/// ``retryInterval``; the later files of its dataset wait for it.
final class RealtimeCacheWriter: Sendable {
    private struct File: Hashable {
        var feed: FeedID
        /// The part of the name that identifies the file within its feed, such as `trip_updates`.
        var name: String

        var dataset: DatasetID? { RealtimeFeed.dataset(ofCachedFile: name).map { DatasetID(feed, $0) } }
    }

    private struct Change {
        var file: File
        /// The new content; `nil` if the file is to be removed.
        var response: CachedRealtimeResponse?
    }

    private struct State {
        /// The changes that are not yet on disk, oldest first; at most one for each file.
        var waiting: [Change] = []
        /// The change that is being written.
        var current: Change?
        /// Whether a call of ``write()`` is in progress. It also writes what is added in the meantime.
        var isWriting = false
    }

    /// The number of seconds after which a failed write is repeated.
    static let retryInterval = 10

    /// The time at which ``write()`` must be called.
    let timer = WakeTimer()
    private let cache: RealtimeCache
    private let clock: any DaemonClock
    private let logger: Logger
    private let state = Mutex(State())

    init(_ cache: RealtimeCache, clock: any DaemonClock, logger: Logger) {
        self.cache = cache
        self.clock = clock
        self.logger = logger
    }

    // MARK: Changes

    func save(_ response: CachedRealtimeResponse, feed: FeedID, name: String) {
        add(Change(file: File(feed: feed, name: name), response: response))
    }

    func remove(feed: FeedID, name: String) { add(Change(file: File(feed: feed, name: name), response: nil)) }

    private func add(_ change: Change) {
        state.withLock { state in
            state.waiting.removeAll { $0.file == change.file }
            state.waiting.append(change)
        }
        timer.setIfEarlier(clock.reading().boot)
    }

    /// Removes the files of all feeds except the given ones. A file that is being written is removed at the next start.
    func removeFeeds(except feeds: [FeedID]) throws(StoreError) {
        state.withLock { state in state.waiting.removeAll { !feeds.contains($0.file.feed) } }
        try cache.removeFeeds(except: feeds)
    }

    /// Returns the last content of a file, on disk or not; `nil` if there is none.
    ///
    /// - Throws: ``TransitStore/StoreError/corrupt(path:detail:)`` if the file is corrupt; it is set aside.
    func response(feed: FeedID, name: String) throws(StoreError) -> CachedRealtimeResponse? {
        let file = File(feed: feed, name: name)
        let change = state.withLock { state in
            state.waiting.last { $0.file == file } ?? state.current.flatMap { $0.file == file ? $0 : nil }
        }
        if let change { return change.response }
        return try cache.response(feed: feed, dataset: name)
    }

    /// Returns the number of bytes of a dataset that are not yet on disk.
    func waitingBytes(of dataset: DatasetID) -> Int {
        state.withLock { state in
            (state.waiting + [state.current].compactMap(\.self)).reduce(0) { sum, change in
                change.file.dataset == dataset ? sum + (change.response?.body.count ?? 0) : sum
            }
        }
    }

    // MARK: Writing

    /// Whether there is something to write, or a call of ``write()`` is in progress.
    var hasChanges: Bool { state.withLock { $0.isWriting || !$0.waiting.isEmpty } }

    /// Whether a call of ``write()`` is in progress.
    var isWriting: Bool { state.withLock { $0.isWriting } }

    /// Writes all waiting changes to disk. Does nothing if another thread is writing.
    ///
    /// - Returns: The datasets of which everything is on disk that was not before.
    @discardableResult
    func write() -> Set<DatasetID> {
        let isFirst = state.withLock { state in
            defer { state.isWriting = true }
            return !state.isWriting
        }
        guard isFirst else { return [] }
        var (written, failed): (Set<DatasetID>, Set<DatasetID?>) = ([], [])
        while let change = next(except: failed) {
            let isWritten = write(change)
            state.withLock { state in
                state.current = nil
                if !isWritten, !state.waiting.contains(where: { $0.file == change.file }) {
                    state.waiting.insert(change, at: 0)
                }
            }
            if !isWritten {
                failed.insert(change.file.dataset)
            } else if let dataset = change.file.dataset {
                written.insert(dataset)
            }
        }
        if !failed.isEmpty { retry() }
        return written.filter { !failed.contains($0) }
    }

    /// Schedules another call of ``write()`` after a failure.
    func retry() { timer.setIfEarlier(clock.reading().boot.advanced(by: Self.retryInterval)) }

    /// Returns the next change of another dataset than the given ones, and marks it as being written. If there is none,
    /// the call of ``write()`` ends.
    private func next(except failed: Set<DatasetID?>) -> Change? {
        state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { !failed.contains($0.file.dataset) }) else {
                state.isWriting = false
                return nil
            }
            let change = state.waiting.remove(at: index)
            state.current = change
            return change
        }
    }

    /// Returns false if the write fails.
    private func write(_ change: Change) -> Bool {
        let (feed, name) = (change.file.feed, change.file.name)
        do throws(StoreError) {
            if let response = change.response {
                try cache.save(response, feed: feed, dataset: name)
            } else {
                try cache.remove(feed: feed, dataset: name)
            }
            return true
        } catch {
            let fault = change.response == nil ? "cannot be removed" : "is in use but cannot be cached"
            logger.error("The response for \(name) \(fault): \(error)", metadata: ["feed": "\(feed)"])
            return false
        }
    }
}

/// Writes the realtime data that is in use and not yet on disk, and what remains when the daemon stops. Without such data,
/// this service does nothing.
struct RealtimeCacheService: ServiceLifecycle.Service {
    let realtimeFeeds: RealtimeFeeds
    let clock: any DaemonClock
    let logger: Logger

    /// The maximum number of seconds for which a disk that hangs keeps the daemon from stopping.
    private static let maximumStopDelay = 3

    func run() async throws {
        await cancelWhenStopping {
            await withDiscardingTaskGroup { group in
                group.addTask {
                    await realtimeFeeds.saveTimer.runAtEachTime(clock) {
                        realtimeFeeds.saveAccumulated(now: clock.now())
                    }
                }
                await realtimeFeeds.cache.timer.runAtEachTime(clock) {
                    // Nothing waits for the write, which may never end.
                    do throws(SystemFailure) {
                        try NamedThread.start("realtime cache") { realtimeFeeds.write() }
                    } catch {
                        logger.warning("Realtime responses are cached later: \(error)")
                        realtimeFeeds.cache.retry()
                    }
                }
                group.cancelAll()
            }
        }
        realtimeFeeds.saveAccumulated(now: clock.now())
        realtimeFeeds.saveDelays(now: clock.now())
        guard realtimeFeeds.cache.hasChanges else { return }
        do throws(SystemFailure) {
            let isWritten = try await BlockingWork.run("realtime cache", CancellationFlag()) { lastWrite() }
            if try !isWritten.get() {
                logger.warning("The disk does not respond. The last realtime responses may not be on disk.")
            }
        } catch { logger.warning("The last realtime responses may not be on disk: \(error)") }
    }

    /// Writes what remains.
    ///
    /// - Returns: Whether the write has ended.
    private func lastWrite() -> Result<Bool, SystemFailure> {
        let isDone = DispatchSemaphore(value: 0)
        return Result { () throws(SystemFailure) in
            try NamedThread.start("realtime cache") {
                while realtimeFeeds.cache.isWriting { usleep(10_000) }
                realtimeFeeds.write()
                isDone.signal()
            }
            return isDone.wait(timeout: .now() + .seconds(Self.maximumStopDelay)) == .success
        }
    }
}
