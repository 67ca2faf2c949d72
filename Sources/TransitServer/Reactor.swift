internal import Dispatch
internal import Logging
internal import Synchronization
internal import TransitSystem
internal import TransitWire

/// The threads that accept clients, read their requests, answer short requests immediately and start tasks for
/// long-running ones.
///
/// ``ConnectionState`` and ``ConnectionRegistry`` make the decisions.
final class Reactor<Handler: RequestHandling>: Sendable {
    let limits: ControlLimits
    let logger: Logger
    let poller: Poller
    let leaderToken: LeaderToken
    /// Wakes ``superviseThreads()`` when a thread may have been busy for too long.
    private let supervisionPoller: Poller
    /// Threads in addition to those of ``ControlServer``.
    private let extraThreadGroup = DispatchGroup()
    /// Passes long-running requests to tasks.
    let work: AsyncStream<LongRunningRequest>.Continuation
    let listeners: [ControlListener]
    let count: ConnectionCount
    let shared: Mutex<ReactorState>
    /// Called when no client has been connected for ``ControlLimits/idleDelay``.
    let onIdle: @Sendable () -> Void
    let subscriptionRegistry: Mutex<SubscriptionRegistry<Handler.Topic, Handler.TopicResult>>
    /// Called when a client starts or stops watching a topic, and when topics were evaluated again.
    let demandChanged: @Sendable () -> Void
    /// The notification to a subscriber that reads too slowly.
    let laggedLine: [UInt8]
    // The last property, so that the offsets of the others do not depend on its type.
    let handler: Handler

    init(
        listeners: [ControlListener], handler: Handler, limits: ControlLimits, count: ConnectionCount,
        logger: Logger, work: AsyncStream<LongRunningRequest>.Continuation, onIdle: @escaping @Sendable () -> Void,
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
        laggedLine =
            handler.laggedNotification("The client reads too slowly. Reconnect and subscribe again.").line
        subscriptionRegistry = Mutex(SubscriptionRegistry(limits: limits))
        poller = try Poller()
        let supervisionPoller = try Poller()
        self.supervisionPoller = supervisionPoller
        leaderToken = LeaderToken(
            permanent: max(1, limits.threads), extra: limits.extraThreads, stallLimit: limits.slowRequestDelay,
            setTimer: { supervisionPoller.setTimer($0) })
        let first = Poller.firstKey + UInt64(listeners.count)
        shared = Mutex(ReactorState(registry: ConnectionRegistry(limits: limits, numberingFrom: first)))
    }

    /// Starts watching the listeners, so that the threads in ``serve()`` accept clients.
    func open() {
        openSpareDescriptor()
        for (position, listener) in listeners.enumerated() {
            guard let descriptor = listener.descriptor else { continue }
            guard poller.add(descriptor.number, key: Poller.firstKey + UInt64(position)) else {
                logger.critical("cannot serve clients", metadata: ["reason": "\(SystemFailure("epoll_ctl"))"])
                return closeAll()
            }
        }
    }

    /// Serves clients until the server stops. Called on each of the server's threads.
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

    /// Starts additional threads while requests take long, until the server stops. Runs on its own thread.
    func superviseThreads() {
        var hasFailed = false
        while true {
            switch supervisionPoller.wait().key {
            case Poller.wakeKey:
                extraThreadGroup.wait()
                return
            default:
                guard supervisionPoller.acknowledgeTimer(), leaderToken.reclaim(at: .read()) else { continue }
                let failure = startExtraThread()
                // An attempt follows every few milliseconds.
                if let failure, !hasFailed {
                    logger.warning("Clients wait for a slow request, because no other can be served: \(failure).")
                }
                hasFailed = failure != nil
            }
        }
    }

    /// Starts a thread that calls ``serve()``. It does not use libdispatch; see ``cancelWhenStopping(_:)``.
    ///
    /// - Returns: The reason why the thread cannot be started; `nil` if it was.
    private func startExtraThread() -> SystemFailure? {
        extraThreadGroup.enter()
        do throws(SystemFailure) {
            try NamedThread.start("control extra") { [self] in
                serve()
                extraThreadGroup.leave()
            }
            return nil
        } catch {
            extraThreadGroup.leave()
            leaderToken.cancelStart(at: .read())
            return error
        }
    }

    /// Makes ``serve()`` and ``superviseThreads()`` return.
    func wakeAll() {
        poller.wakeAll()
        supervisionPoller.wakeAll()
    }

    private func serveConnection(_ event: Poller.Event, _ buffers: inout ThreadBuffers) {
        guard let connection = shared.withLock({ $0.registry[event.key] }) else { return }
        serveConnection(connection, reads: event.isReadable || event.isHungUp, buffers: &buffers)
        if event.isHungUp { hangUp(connection) }
    }
}

// MARK: - Serving a connection

extension Reactor {
    /// Serves a connection until it has to wait for the client or for a long-running request.
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
            guard case .again = next else { return handle(next, of: connection) }
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

    /// Ends a connection whose client has closed both directions. Its input has been read by now, and replies cannot be
    /// delivered.
    private func hangUp(_ connection: ClientConnection) {
        connection.withState { $0.hangUp() }
        updateInterest(connection)
    }

    /// Sends an error that belongs to no request.
    func refuse(_ connection: ClientConnection, _ error: ControlError) {
        logger.debug(
            "input of a control client rejected",
            metadata: ["uid": "\(connection.caller.uid)", "kind": "\(error.kind.rawValue)"])
        var writer = JSONWriter()
        OutgoingLine.write(.failure(error), id: .null, to: &writer)
        connection.send(writer.bytes)
    }

    /// Sends a message from a thread that does not serve the connection.
    func deliver(_ message: [UInt8], to connection: ClientConnection, isDroppable: Bool = false) {
        connection.send(message, isDroppable: isDroppable)
        handle(connection.updateInterest(poller), of: connection)
    }

    /// Updates the events that a connection waits for, or removes it, after its state has changed.
    func updateInterest(_ connection: ClientConnection) { handle(connection.updateInterest(poller), of: connection) }

    func handle(_ outcome: ClientConnection.ServingOutcome, of connection: ClientConnection) {
        switch outcome {
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
        // The connection must first be removed from the registry: a client that notices the end may reconnect at once
        // and must not be counted twice.
        connection.hangUp()
        logger.debug("control client disconnected", metadata: ["connection": "\(connection.caller.connection)"])
        guard isEmpty else { return }
        if isStopping { end() } else { startIdleTimer() }
    }
}

/// What the threads of a ``Reactor`` share.
///
/// It is not nested in the generic class, because the metadata of a nested type is looked up at each access.
struct ReactorState {
    var registry: ConnectionRegistry
    var stop: Stop?
    var hasEnded = false
    /// The time before which further rejected clients are not logged.
    var nextRejectionLog = MonotonicInstant(nanoseconds: 0)
    /// A descriptor that is closed to refuse a client when the process has no other; see
    /// ``Reactor/openSpareDescriptor()``.
    var spareDescriptor: Descriptor?
    /// The time at which ``Reactor/onIdle`` is called if no client connects; `nil` if it has been called.
    var idleDeadline: MonotonicInstant?

    /// The deadlines of a graceful stop.
    struct Stop {
        var cancelTime: MonotonicInstant
        var closeTime: MonotonicInstant
    }
}
