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
    let lookout: Lookout
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
    let whenQuiet: @Sendable () -> Void
    let book: Mutex<SubscriptionBook>
    /// Told when somebody begins or ends to watch something.
    let demandChanged: @Sendable () -> Void

    struct Shared {
        var registry: ConnectionRegistry
        var stop: Stop?
        var hasEnded = false
        /// Before this, another client that is turned away is not worth a line in the log.
        var nextComplaint = Moment(nanoseconds: 0)
        /// When it will have been quiet for long enough; `nil` when it is known to be quiet already.
        var quietFrom: Moment?
    }

    /// When a graceful stop does what.
    struct Stop {
        var cancels: Moment
        var ends: Moment
        var hasCancelled = false
    }

    init(
        listeners: [ControlListener], handler: any RequestHandling, limits: ControlLimits, count: ConnectionCount,
        logger: Logger, work: AsyncStream<LengthyRequest>.Continuation, whenQuiet: @escaping @Sendable () -> Void,
        demandChanged: @escaping @Sendable () -> Void
    ) throws(SystemFailure) {
        self.listeners = listeners
        self.handler = handler
        self.limits = limits
        self.count = count
        self.logger = logger
        self.work = work
        self.whenQuiet = whenQuiet
        self.demandChanged = demandChanged
        book = Mutex(SubscriptionBook(limits: limits))
        poller = try Poller()
        let watch = try Poller()
        self.watch = watch
        lookout = Lookout(
            standing: max(1, limits.readers), extra: limits.extraReaders, patience: limits.slow,
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
        var desk = Desk()
        defer { lookout.leave() }
        while lookout.take() {
            let event = poller.wait()
            lookout.begin(at: .read())
            switch event.key {
            case Poller.wakeKey: return
            case Poller.timerKey: keepTime()
            case ..<(Poller.firstKey + UInt64(listeners.count)): accept(Int(event.key - Poller.firstKey))
            default: takeTurn(event, &desk)
            }
        }
    }

    /// Starts additional threads while answers take long, until the server stops. Runs on its own thread.
    func watchAnswers() {
        while true {
            switch watch.wait().key {
            case Poller.wakeKey:
                extras.wait()
                return
            default:
                guard watch.acknowledgeTimer(), lookout.look(at: .read()) else { continue }
                startExtra()
            }
        }
    }

    /// Starts a thread that joins those that call ``serve()``. Not a queue of libdispatch: see ``cancelWhenStopping(_:)``.
    private func startExtra() {
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

    private func takeTurn(_ event: Poller.Event, _ desk: inout Desk) {
        guard let connection = shared.withLock({ $0.registry[event.key] }) else { return }
        takeTurn(connection, reads: event.isReadable || event.isHungUp, desk: &desk)
        if event.isHungUp { hangUp(connection) }
    }
}

// MARK: - Turns of a connection

extension Reactor {
    /// Serves a connection until there is nothing left to do for it at the moment.
    func takeTurn(_ connection: Connection, reads: Bool, desk: inout Desk) {
        guard connection.beginTurn() else { return }
        var reads = reads
        while true {
            connection.flush()
            payWhatIsOwed(to: connection)
            if reads { _ = connection.receive(into: desk.buffer) }
            answerWhatIsThere(connection, &desk)
            connection.lingerIfRefused()
            let next = connection.endTurn(poller)
            guard case .again = next else { return rest(connection, next) }
            reads = true
        }
    }

    private func answerWhatIsThere(_ connection: Connection, _ desk: inout Desk) {
        while true {
            switch connection.withState({ $0.nextStep(at: .read()) }) {
            case .nothing: return
            case .requests(let line): answer(line, on: connection, &desk)
            case .held(let requests): answer(requests[...], on: connection, &desk)
            case .refuse(let error): refuse(connection, error)
            }
        }
    }

    /// What was sent before the end has been read by now, and answers have nowhere to go.
    private func hangUp(_ connection: Connection) {
        connection.withState { $0.hangUp() }
        settle(connection)
    }

    /// Writes an error that belongs to no request.
    func refuse(_ connection: Connection, _ error: ControlError) {
        logger.debug(
            "control client refused", metadata: ["uid": "\(connection.caller.uid)", "kind": "\(error.kind.rawValue)"])
        var writer = JSONWriter()
        OutgoingLine.write(.failure(error), id: .null, to: &writer)
        connection.send(writer.bytes)
    }

    /// Sends a message from outside of a turn.
    func deliver(_ message: [UInt8], to connection: Connection, isDroppable: Bool = false) {
        connection.send(message, isDroppable: isDroppable)
        rest(connection, connection.settle(poller))
    }

    /// Sees to it that a connection goes on or ends after something about it has changed.
    func settle(_ connection: Connection) { rest(connection, connection.settle(poller)) }

    func rest(_ connection: Connection, _ rest: Connection.Rest) {
        switch rest {
        case .elsewhere, .again: break
        case .waiting(let deadline): if let deadline { poller.setTimer(deadline) }
        case .finished: remove(connection)
        }
    }

    private func remove(_ connection: Connection) {
        connection.withState { $0.inFlight.cancelAll() }
        forgetSubscriptions(of: connection)
        let (isEmpty, isStopping) = shared.withLock { shared in
            shared.registry.remove(connection)
            count.set(shared.registry.count)
            return (shared.registry.count == 0, shared.stop != nil)
        }
        // After it has left the registry: who sees the end may come back at once and is counted anew.
        connection.hangUp()
        logger.debug("control client gone", metadata: ["connection": "\(connection.caller.connection)"])
        guard isEmpty else { return }
        if isStopping { end() } else { awaitQuiet() }
    }
}
