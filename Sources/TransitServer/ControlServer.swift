public import Logging
public import ServiceLifecycle
internal import Synchronization
internal import TransitSystem

/// Serves the control protocol on Unix sockets: JSON-RPC 2.0, one value per line.
///
/// A few threads take turns waiting for clients, and answer a short request on the thread that reads it. Long-running
/// requests run as child tasks of ``run()``. Without clients there are no wake-ups.
public final class ControlServer<Handler: RequestHandling>: Service {
    private let reactor: Reactor<Handler>
    private let work: AsyncStream<Reactor<Handler>.LongRunningRequest>

    /// - Parameters:
    ///   - listeners: One or more listeners. The server closes them when it stops, and removes those that the daemon
    ///     created.
    ///   - count: Updated with the number of connected clients.
    ///   - onIdle: Called once each time no client has been connected for ``ControlLimits/idleDelay``.
    ///   - demandChanged: Called on any thread when ``demand()`` may have changed; it must not block.
    /// - Throws: an error if the system is out of descriptors.
    public init(
        listeners: [ControlListener], handler: Handler, limits: ControlLimits = ControlLimits(),
        count: ConnectionCount = ConnectionCount(), logger: Logger, onIdle: @escaping @Sendable () -> Void = {},
        demandChanged: @escaping @Sendable () -> Void = {}
    ) throws(ControlSocketError) {
        let (work, continuation) = AsyncStream.makeStream(of: Reactor<Handler>.LongRunningRequest.self)
        self.work = work
        do {
            reactor = try Reactor(
                listeners: listeners, handler: handler, limits: limits, count: count, logger: logger,
                work: continuation,
                onIdle: onIdle, demandChanged: demandChanged)
        } catch {
            throw .failed(path: listeners.first?.name ?? "-", reason: "\(error)")
        }
    }

    /// Refreshes the topics that a change affects and notifies their subscribers of new results. Thread-safe; returns
    /// at once.
    public func topicsChanged(_ change: Handler.TopicResult.Change) { reactor.topicsChanged(change) }

    /// The topics that clients currently watch.
    public func demand() -> [TopicDemand<Handler.Topic, Handler.TopicResult>] {
        reactor.subscriptionRegistry.withLock { $0.demand }
    }

    /// Serves clients until the service group stops the server or the task is canceled. A graceful stop answers
    /// requests in progress and takes at most 5 seconds, provided that the handler's long-running requests end when
    /// they are canceled.
    ///
    /// - Throws: An error if the system cannot create the server's threads.
    public func run() async throws {
        reactor.open()
        try await withTaskCancellationHandler {
            try await withGracefulShutdownHandler {
                try await serve()
            } onGracefulShutdown: {
                self.stop()
            }
        } onCancel: { [reactor] in
            reactor.closeAll()
        }
    }

    /// Starts a graceful stop: accepts no more clients, and closes each connection after its last reply.
    func stop() { reactor.stop() }

    private func serve() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for number in 1...max(1, reactor.limits.threads) {
                group.addTask { [self] in try await onThread("control \(number)") { $0.serve() } }
            }
            group.addTask { [self] in try await onThread("control watch") { $0.superviseThreads() } }
            for await request in work {
                group.addTask { [reactor] in await reactor.perform(request) }
            }
        }
    }

    /// Runs a loop that blocks on a thread of its own. If that is not possible, the server ends.
    private func onThread(
        _ name: String, _ body: @escaping @Sendable (Reactor<Handler>) -> Void
    ) async throws(SystemFailure) {
        do throws(SystemFailure) {
            try await BlockingWork.run(name, CancellationFlag()) { [reactor] in body(reactor) }
        } catch {
            reactor.closeAll()
            throw error
        }
    }
}
