internal import Dispatch
internal import Foundation
internal import Logging
internal import Synchronization
internal import TransitControl

/// The threads that accept clients, read their requests, answer the short ones on the spot and hand on the lengthy
/// ones.
///
/// It decides nothing: ``ConnectionState`` and ``ConnectionRegistry`` do.
final class Reactor: Sendable {
    let limits: ControlLimits
    let handler: any RequestHandling
    let logger: Logger
    let poller: Poller
    let leaderToken: LeaderToken
    /// Wakes ``watchAnswers()`` when a thread may have been away from ``poller`` for too long.
    private let watch: Poller
    /// Additional threads besides those of ``ControlServer``.
    private let extras = DispatchGroup()
    /// Lengthy requests on their way to a task.
    let work: AsyncStream<LengthyRequest>.Continuation
    let listeners: [ControlListener]
    let count: ConnectionCount
    let shared: Mutex<Shared>
    /// Called when nobody has been connected for ``ControlLimits/quiet``.
    let onIdle: @Sendable () -> Void
    let subscriptionRegistry: Mutex<SubscriptionRegistry>
    /// Told when somebody begins or ends to watch something.
    let demandChanged: @Sendable () -> Void

    struct Shared {
        var registry: ConnectionRegistry
        var stop: Stop?
        var hasEnded = false
        /// Before this, another client that is turned away is not worth a line in the log.
        var nextRejectionLog = MonotonicInstant(nanoseconds: 0)
        /// When it will have been quiet for long enough; `nil` when it is known to be quiet already.
        var idleDeadline: MonotonicInstant?
    }

    /// When a graceful stop does what.
    struct Stop {
        var cancels: MonotonicInstant
        var ends: MonotonicInstant
        var hasCanceled = false
    }

    init(
        listeners: [ControlListener], handler: any RequestHandling, limits: ControlLimits, count: ConnectionCount,
        logger: Logger, work: AsyncStream<LengthyRequest>.Continuation, onIdle: @escaping @Sendable () -> Void,
        demandChanged: @escaping @Sendable () -> Void
    ) throws(SystemFailure) {
        self.listeners = listeners
        self.handler = handler
        self.limits = limits
        self.count = count
        self.logger = logger
        self.work = work
        self.onIdle = onIdle
        self.demandChanged = demandChanged
        subscriptionRegistry = Mutex(SubscriptionRegistry(limits: limits))
        poller = try Poller()
        let watch = try Poller()
        self.watch = watch
        leaderToken = LeaderToken(
            permanent: max(1, limits.readers), extra: limits.extraReaders, stallLimit: limits.slow,
            setTimer: { watch.setTimer($0) })
        let first = Poller.firstKey + UInt64(listeners.count)
        shared = Mutex(Shared(registry: ConnectionRegistry(limits: limits, numberingFrom: first)))
    }

    /// The names of the sockets, for `hello`.
    var socketName: String { listeners.first?.name ?? "" }

    /// Begins to accept clients; the threads that call ``serve()`` do it.
    func open() {
        for (position, listener) in listeners.enumerated() {
            guard let descriptor = listener.descriptor else { continue }
            guard poller.add(descriptor.number, key: Poller.firstKey + UInt64(position)) else {
                logger.critical("no client can be served", metadata: ["reason": "\(SystemFailure("epoll_ctl"))"])
                return closeAll()
            }
        }
    }

    /// Works until the server has stopped. Called by each of its threads.
    func serve() {
        var buffers = ThreadBuffers()
        defer { leaderToken.leave() }
        while leaderToken.take() {
            let event = poller.wait()
            leaderToken.begin(at: .read())
            switch event.key {
            case Poller.wakeKey: return
            case Poller.timerKey: handleTimer()
            case ..<(Poller.firstKey + UInt64(listeners.count)): accept(Int(event.key - Poller.firstKey))
            default: serveConnection(event, &buffers)
            }
        }
    }

    /// Starts additional threads while answers take long, until the server stops. Runs on its own thread.
    func superviseThreads() {
        while true {
            switch watch.wait().key {
            case Poller.wakeKey:
                extras.wait()
                return
            default:
                guard watch.acknowledgeTimer(), leaderToken.reclaim(at: .read()) else { continue }
                startExtraThread()
            }
        }
    }

    /// Starts a thread that joins those that call ``serve()``. Not a queue of libdispatch: see ``cancelWhenStopping(_:)``.
    private func startExtraThread() {
        extras.enter()
        Thread.start("control extra") { [self] in
            serve()
            extras.leave()
        }
    }

    /// Makes ``serve()`` and ``watchAnswers()`` return.
    func wakeAll() {
        poller.wakeAll()
        watch.wakeAll()
    }

    private func serveConnection(_ event: Poller.Event, _ buffers: inout ThreadBuffers) {
        guard let connection = shared.withLock({ $0.registry[event.key] }) else { return }
        serveConnection(connection, reads: event.isReadable || event.isHungUp, buffers: &buffers)
        if event.isHungUp { hangUp(connection) }
    }
}

// MARK: - Turns of a connection

extension Reactor {
    /// Serves a connection until there is nothing left to do for it at the moment.
    func serveConnection(_ connection: ClientConnection, reads: Bool, buffers: inout ThreadBuffers) {
        guard connection.beginServing() else { return }
        var reads = reads
        while true {
            connection.flush()
            sendDeferredEvents(to: connection)
            if reads { _ = connection.receive(into: buffers.buffer) }
            answerPendingRequests(connection, &buffers)
            connection.lingerIfRefused()
            let next = connection.endServing(poller)
            guard case .again = next else { return rest(connection, next) }
            reads = true
        }
    }

    private func answerPendingRequests(_ connection: ClientConnection, _ buffers: inout ThreadBuffers) {
        while true {
            switch connection.withState({ $0.nextStep(at: .read()) }) {
            case .nothing: return
            case .requests(let line): answer(line, on: connection, &buffers)
            case .waitingRequests(let requests): answer(requests[...], on: connection, &buffers)
            case .refuse(let error): refuse(connection, error)
            }
        }
    }

    /// What was sent before the end has been read by now, and answers have nowhere to go.
    private func hangUp(_ connection: ClientConnection) {
        connection.withState { $0.hangUp() }
        updateInterest(connection)
    }

    /// Writes an error that belongs to no request.
    func refuse(_ connection: ClientConnection, _ error: ControlError) {
        logger.debug(
            "control client refused", metadata: ["uid": "\(connection.caller.uid)", "kind": "\(error.kind.rawValue)"])
        var writer = JSONWriter()
        OutgoingLine.write(.failure(error), id: .null, to: &writer)
        connection.send(writer.bytes)
    }

    /// Sends a message from outside of a turn.
    func deliver(_ message: [UInt8], to connection: ClientConnection, isDroppable: Bool = false) {
        connection.send(message, isDroppable: isDroppable)
        rest(connection, connection.updateInterest(poller))
    }

    /// Sees to it that a connection goes on or ends after something about it has changed.
    func updateInterest(_ connection: ClientConnection) { rest(connection, connection.updateInterest(poller)) }

    func rest(_ connection: ClientConnection, _ rest: ClientConnection.ServingOutcome) {
        switch rest {
        case .servedElsewhere, .again: break
        case .waiting(let deadline): if let deadline { poller.setTimer(deadline) }
        case .finished: remove(connection)
        }
    }

    private func remove(_ connection: ClientConnection) {
        connection.withState { $0.inFlight.cancelAll() }
        removeSubscriptions(of: connection)
        let (isEmpty, isStopping) = shared.withLock { shared in
            shared.registry.remove(connection)
            count.set(shared.registry.count)
            return (shared.registry.count == 0, shared.stop != nil)
        }
        // After it has left the registry: who sees the end may come back at once and is counted anew.
        connection.hangUp()
        logger.debug("control client gone", metadata: ["connection": "\(connection.caller.connection)"])
        guard isEmpty else { return }
        if isStopping { end() } else { startIdleTimer() }
    }
}
