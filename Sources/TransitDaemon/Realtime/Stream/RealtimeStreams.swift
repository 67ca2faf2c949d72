internal import Logging
internal import ServiceLifecycle
internal import Synchronization
internal import TransitEngine
internal import TransitFeeds
internal import TransitModel

/// Holds the live connections of the feeds whose providers have them, as long as somebody is interested.
///
/// ``StreamLeases`` decides; this connects, hands on what is told, and tries again after pauses that grow.
final class RealtimeStreams: ServiceLifecycle.Service {
    /// A connection to hold, as the configuration has it now.
    struct Line: Sendable {
        var source: any RealtimeStreamSource
        var caFile: String?
    }

    /// What it needs of the daemon.
    struct Dependencies: Sendable {
        /// `nil` for a dataset that no connection tells of.
        var line: @Sendable (DatasetID) -> Line?
        var apply: @Sendable (DecodedMessage, DatasetID) -> RealtimeFeed.Taken
        var changed: @Sendable (DatasetID) -> Void
        var clock: any DaemonClock
        var logger: Logger
    }

    private let dependencies: Dependencies
    private let book = Mutex(StreamLeases())
    private let beginnings: AsyncStream<DatasetID>
    private let begin: AsyncStream<DatasetID>.Continuation
    /// What a feed's live data are wanted around.
    private let places = Mutex(Places { _ in [] })

    init(_ dependencies: Dependencies) {
        self.dependencies = dependencies
        (beginnings, begin) = AsyncStream.makeStream()
    }

    /// Says where to learn what the live data are wanted around. Until then, and where there is nothing, nobody connects.
    func around(_ places: @escaping @Sendable (FeedID) -> [Coordinate]) {
        self.places.withLock { $0 = Places(of: places) }
    }

    /// Wraps the closure in a structure for the same reason as ``Listener``.
    private struct Places: Sendable {
        var of: @Sendable (FeedID) -> [Coordinate]
    }

    private func interest(_ feed: FeedID) -> [Coordinate] { places.withLock { $0 }.of(feed) }

    // MARK: Beside the refresh engine

    /// Whether a fetch that the engine orders is to be made; else the connection tells what is new.
    func mustFetch(_ order: DatasetFetch) -> Bool {
        guard dependencies.line(order.dataset) != nil else { return true }
        let isWanted = order.priority > .background && !interest(order.dataset.feed).isEmpty
        let answer = book.withLock { $0.ordered(order.dataset, isWanted: isWanted, now: now) }
        if answer.begins { begin.yield(order.dataset) }
        return answer.mustFetch
    }

    /// Whether the connection tells what is new.

    private var now: Int64 { dependencies.clock.reading().boot.milliseconds }

    // MARK: Working

    func run() async throws {
        await cancelWhenStopping { [self] in
            await withDiscardingTaskGroup { group in
                for await dataset in beginnings { group.addTask { await self.hold(dataset) } }
                group.cancelAll()
            }
        }
    }

    /// Connects again and again while the connection is wanted.
    private func hold(_ dataset: DatasetID) async {
        while !Task.isCancelled, book.withLock({ $0.isWanted(dataset, now: now) }) {
            guard let line = dependencies.line(dataset) else {
                book.withLock { $0.drop(dataset) }
                return
            }
            let end = await converse(dataset, line)
            guard end != .stopped else { continue }
            let failures = book.withLock { $0.ended(dataset) }
            let pause = Self.pause(end, failures)
            dependencies.logger.info(
                "The live connection has ended: \(end); the next try is in \(pause / 1000) s, and until then it is asked.",
                metadata: ["feed": "\(dataset.feed)"])
            let moment = BootTime(milliseconds: now + pause)
            do { try await dependencies.clock.sleep(until: moment) } catch { return }
        }
    }

    /// Milliseconds until the next try: the engine's own pauses, and what the server asks for.
    private static func pause(_ end: RealtimeStreamDriver.End, _ failures: Int) -> Int64 {
        let pause = RetryPolicy(isLive: true).pause(
            failures: failures, lasts: false, fraction: Double.random(in: 0..<1))
        guard case .fault(.refused(_, let after?)) = end, let seconds = Int64(after) else { return pause }
        return max(pause, min(max(0, seconds), 3600) * 1000)
    }

    private func converse(_ dataset: DatasetID, _ line: Line) async -> RealtimeStreamDriver.End {
        let signal: StreamSignal
        do throws(SystemFailure) { signal = try StreamSignal() } catch {
            return .failed(.unavailable("\(error)"))
        }
        let flag = CancellationFlag()
        flag.onSet { signal.ring() }
        let driver = RealtimeStreamDriver(
            source: line.source, places: { [self] in interest(dataset.feed) }, caFile: line.caFile,
            flag: flag, signal: signal, apply: { [self] in take($0, dataset) })
        return await withTaskGroup(of: RealtimeStreamDriver.End?.self) { group in
            group.addTask { await BlockingWork.run("stream", flag) { driver.converse() } }
            group.addTask {
                await self.endLease(dataset, flag)
                return nil
            }
            var end = RealtimeStreamDriver.End.stopped
            for await ended in group {
                guard let ended else { continue }
                end = ended
                group.cancelAll()
            }
            return end
        }
    }

    /// Ends the conversation when nobody wants it any more.
    private func endLease(_ dataset: DatasetID, _ flag: CancellationFlag) async {
        while let until = book.withLock({ $0.leasedUntil(dataset) }), now < until {
            do { try await dependencies.clock.sleep(until: BootTime(milliseconds: until)) } catch { return }
        }
        flag.set()
    }

    private func take(_ message: DecodedMessage, _ dataset: DatasetID) {
        switch dependencies.apply(message, dataset) {
        case .used: book.withLock { $0.received(dataset) }
        // What was asked for meanwhile is newer.
        case .outdated: return
        case .refused(let reason):
            dependencies.logger.debug("A live message is not used: \(reason)", metadata: ["feed": "\(dataset.feed)"])
        }
        dependencies.changed(dataset)
    }
}
