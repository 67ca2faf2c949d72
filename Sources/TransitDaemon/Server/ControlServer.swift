internal import Foundation
public import Logging
public import ServiceLifecycle
internal import Synchronization
internal import TransitControl

/// Serves the control protocol on Unix sockets: JSON-RPC 2.0, one value per line.
///
/// A few threads by turns wait for clients and answer short requests where they read them, without a hop; lengthy requests
/// are child tasks of ``run()``. Without clients nothing wakes up.
public final class ControlServer: Service {
    private let reactor: Reactor
    private let work: AsyncStream<LengthyRequest>

    /// - Parameters:
    ///   - listeners: One or more; they are closed, and the daemon's own removed, when the server stops.
    ///   - count: Is kept at the number of clients that are connected.
    ///   - whenQuiet: Called once each time that nobody has been connected for ``ControlLimits/quiet``.
    ///   - demandChanged: Is called, from any thread, when ``demand()`` has changed; it must not block.
    /// - Throws: when the system has no descriptors left.
    public init(
        listeners: [ControlListener], handler: any RequestHandling, limits: ControlLimits = ControlLimits(),
        count: ConnectionCount = ConnectionCount(), logger: Logger, onIdle: @escaping @Sendable () -> Void = {},
        demandChanged: @escaping @Sendable () -> Void = {}
    ) throws(ControlSocketError) {
        let (work, continuation) = AsyncStream.makeStream(of: LengthyRequest.self)
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

    /// Asks again what the change concerns, and tells subscribers whose answer differs. From any thread; returns at once.
    public func topicsChanged(_ change: TopicChange) { reactor.note(change) }

    /// What is watched at present.
    public func demand() -> [TopicDemand] { reactor.subscriptionRegistry.withLock { $0.demand } }

    /// Serves until the service group stops it or the task is cancelled. A graceful stop answers what is under way,
    /// and ends
    /// within 5 seconds as long as the handler's lengthy requests end when they are cancelled.
    public func run() async throws {
        reactor.open()
        await withTaskCancellationHandler {
            await withGracefulShutdownHandler {
                await serve()
            } onGracefulShutdown: {
                self.stop()
            }
        } onCancel: { [reactor] in
            reactor.closeAll()
        }
    }

    /// Begins a graceful stop: no more clients are taken, and every connection ends with its last answer.
    func stop() { reactor.stop() }

    private func serve() async {
        await withDiscardingTaskGroup { group in
            for number in 1...max(1, reactor.limits.readers) {
                group.addTask { [reactor] in await Self.onThread("control \(number)") { reactor.serve() } }
            }
            group.addTask { [reactor] in await Self.onThread("control watch") { reactor.superviseThreads() } }
            for await lengthy in work {
                group.addTask { [reactor] in await reactor.perform(lengthy) }
            }
        }
    }

    /// Runs a loop that blocks on a thread of its own, not on one of the few of Swift's tasks.
    private static func onThread(_ label: String, _ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            Thread.start(label) {
                body()
                continuation.resume()
            }
        }
    }
}
