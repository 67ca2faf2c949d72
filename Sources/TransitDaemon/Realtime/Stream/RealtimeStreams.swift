internal import Logging
internal import ServiceLifecycle
internal import Synchronization
internal import TransitFeeds
internal import TransitFetch
internal import TransitModel
internal import TransitRefresh
internal import TransitSystem

/// While there is demand, maintains the streaming connections of feeds whose providers offer them.
///
/// ``StreamLeases`` decides when to connect. This service connects, passes messages on, and reconnects with increasing
/// backoff.
final class RealtimeStreams: ServiceLifecycle.Service {
    /// A connection to maintain, from the current configuration.
    struct StreamConnection: Sendable {
        var source: any RealtimeStreamSource
        var caFile: String?
    }

    /// The dependencies of the service.
    struct Dependencies: Sendable {
        /// Returns the connection for a dataset; `nil` for a dataset without a connection.
        var connection: @Sendable (DatasetID) -> StreamConnection?
        var apply: @Sendable (DecodedMessage, DatasetID) -> RealtimeFeed.ReceiveResult
        var changed: @Sendable (DatasetID) -> Void
        var clock: any DaemonClock
        var logger: Logger
    }

    private let dependencies: Dependencies
    private let leases = Mutex(StreamLeases())
    private let connectionRequests: AsyncStream<DatasetID>
    private let requestConnection: AsyncStream<DatasetID>.Continuation
    /// Returns the positions around which a feed's realtime data is needed.
    private let places = Mutex(Places { _ in [] })

    init(_ dependencies: Dependencies) {
        self.dependencies = dependencies
        (connectionRequests, requestConnection) = AsyncStream.makeStream()
    }

    /// Sets the positions around which realtime data is needed. Without positions, no connection is opened.
    func setPlaces(_ places: @escaping @Sendable (FeedID) -> [Coordinate]) {
        self.places.withLock { $0 = Places(of: places) }
    }

    /// Wraps the closure in a structure, for the same reason as ``Listener`` does.
    private struct Places: Sendable {
        var of: @Sendable (FeedID) -> [Coordinate]
    }

    private func interest(_ feed: FeedID) -> [Coordinate] { places.withLock { $0 }.of(feed) }

    // MARK: Cooperation with the refresh engine

    /// Whether a fetch ordered by the engine is needed because the connection does not deliver the changes.
    func mustFetch(_ order: DatasetFetch) -> Bool {
        guard dependencies.connection(order.dataset) != nil else { return true }
        let hasDemand = order.priority > .background && !interest(order.dataset.feed).isEmpty
        let decision = leases.withLock { $0.recordOrder(order.dataset, hasDemand: hasDemand, now: now) }
        if decision.opensConnection { requestConnection.yield(order.dataset) }
        return decision.mustFetch
    }

    private var now: Int64 { dependencies.clock.reading().boot.milliseconds }

    // MARK: Connections

    func run() async throws {
        await cancelWhenStopping { [self] in
            await withDiscardingTaskGroup { group in
                for await dataset in connectionRequests { group.addTask { await self.maintain(dataset) } }
                group.cancelAll()
            }
        }
    }

    /// Connects, and reconnects as long as there is demand.
    private func maintain(_ dataset: DatasetID) async {
        while !Task.isCancelled, leases.withLock({ $0.isLeased(dataset, now: now) }) {
            guard let connection = dependencies.connection(dataset) else {
                leases.withLock { $0.drop(dataset) }
                return
            }
            let end = await run(dataset, connection)
            guard end != .stopped else { continue }
            let failures = leases.withLock { $0.recordEnd(dataset) }
            let pause = Self.pause(end, failures)
            dependencies.logger.info(
                "The streaming connection ended: \(end). transitd reconnects in \(pause / 1000) s and polls the source until then.",
                metadata: ["feed": "\(dataset.feed)"])
            let moment = BootTime(milliseconds: now + pause)
            do { try await dependencies.clock.sleep(until: moment) } catch { return }
        }
    }

    /// Returns the milliseconds until the next attempt: the engine's backoff, or the server's `Retry-After` if that
    /// is longer.
    private static func pause(_ end: RealtimeStreamDriver.End, _ failures: Int) -> Int64 {
        let pause = RetryPolicy(isRealtime: true).pause(
            failures: failures, isPermanent: false, fraction: Double.random(in: 0..<1))
        guard case .fault(.refused(_, let after?)) = end, let seconds = Int64(after) else { return pause }
        return max(pause, min(max(0, seconds), 3600) * 1000)
    }

    private func run(_ dataset: DatasetID, _ connection: StreamConnection) async -> RealtimeStreamDriver.End {
        let signal: StreamWakeup
        do throws(SystemFailure) { signal = try StreamWakeup() } catch {
            return .failed(.unavailable("\(error)"))
        }
        let flag = CancellationFlag()
        flag.onSet { signal.ring() }
        let driver = RealtimeStreamDriver(
            source: connection.source, places: { [self] in interest(dataset.feed) }, caFile: connection.caFile,
            flag: flag, signal: signal, apply: { [self] in apply($0, dataset) })
        return await withTaskGroup(of: RealtimeStreamDriver.End?.self) { group in
            group.addTask {
                do throws(SystemFailure) {
                    return try await BlockingWork.run("stream", flag) { driver.run() }
                } catch { return .failed(.unavailable("\(error)")) }
            }
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

    /// Ends the connection when there is no longer any demand.
    private func endLease(_ dataset: DatasetID, _ flag: CancellationFlag) async {
        while let until = leases.withLock({ $0.leasedUntil(dataset) }), now < until {
            do { try await dependencies.clock.sleep(until: BootTime(milliseconds: until)) } catch { return }
        }
        flag.set()
    }

    private func apply(_ message: DecodedMessage, _ dataset: DatasetID) {
        switch dependencies.apply(message, dataset) {
        case .used: leases.withLock { $0.recordMessage(dataset) }
        // The data from a later fetch is newer than this message.
        case .outdated: return
        case .refused(let reason):
            dependencies.logger.debug(
                "A message of the streaming connection was not used: \(reason)", metadata: ["feed": "\(dataset.feed)"])
        }
        dependencies.changed(dataset)
    }
}
