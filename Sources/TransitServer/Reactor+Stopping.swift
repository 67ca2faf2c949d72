internal import Synchronization
internal import TransitSystem

extension Reactor {
    /// Handles timeouts and due subscriptions, and sets the timer for the next deadline.
    func handleTimer() {
        guard poller.acknowledgeTimer() else { return }
        let now = MonotonicInstant.read()
        refreshDueSubscriptions(at: now)
        let (connections, stop) = shared.withLock { ($0.registry.all, $0.stop) }
        if stop == nil { watchListeners() }
        for connection in connections {
            if case .refuse(let error) = connection.withState({ $0.expire(at: now) }) {
                refuse(connection, error)
                connection.lingerIfRefused()
            }
            handle(connection.updateInterest(poller), of: connection)
        }
        if let stop { continueStopping(stop, at: now) } else { checkIdle(at: now) }
    }

    /// Starts the idle period after the last client has disconnected.
    func startIdleTimer() {
        let deadline = MonotonicInstant.read().advanced(milliseconds: limits.idleDelay)
        shared.withLock { $0.idleDeadline = deadline }
        poller.setTimer(deadline)
    }

    private func checkIdle(at now: MonotonicInstant) {
        let idleDeadline = shared.withLock { shared -> MonotonicInstant? in
            guard shared.registry.count == 0, let moment = shared.idleDeadline else { return nil }
            if moment <= now { shared.idleDeadline = nil }
            return moment
        }
        guard let idleDeadline else { return }
        // The timer may have been set when an earlier client disconnected.
        if idleDeadline <= now { onIdle() } else { poller.setTimer(idleDeadline) }
    }

    private func watchListeners() {
        for (position, listener) in listeners.enumerated() {
            guard let descriptor = listener.descriptor else { continue }
            watchListener(descriptor, position)
        }
    }

    /// Stops gracefully: accepts no more clients and closes each connection when its requests in progress have been
    /// answered, or after ``ControlLimits/stopCloseDelay``.
    func stop() {
        let now = MonotonicInstant.read()
        let stop = ReactorState.Stop(
            cancelTime: now.advanced(milliseconds: limits.stopCancelDelay),
            closeTime: now.advanced(milliseconds: limits.stopCloseDelay))
        let connections = shared.withLock { shared -> [ClientConnection]? in
            guard shared.stop == nil else { return nil }
            shared.stop = stop
            return shared.registry.all
        }
        guard let connections else { return }
        closeListeners()
        guard !connections.isEmpty else { return end() }
        poller.setTimer(stop.cancelTime)
        var buffers = ThreadBuffers()
        for connection in connections {
            connection.withState { $0.stop() }
            // Requests that arrived before this moment are still answered.
            serveConnection(connection, reads: true, buffers: &buffers)
        }
    }

    private func closeListeners() {
        for listener in listeners {
            if let descriptor = listener.descriptor { poller.remove(descriptor.number) }
            listener.close()
        }
    }

    private func continueStopping(_ stop: ReactorState.Stop, at now: MonotonicInstant) {
        let connections = shared.withLock { $0.registry.all }
        if now >= stop.closeTime {
            closeAll()
        } else if now >= stop.cancelTime {
            for connection in connections { connection.withState { $0.inFlight.cancelAll() } }
            poller.setTimer(stop.closeTime)
        } else {
            poller.setTimer(stop.cancelTime)
        }
    }

    /// Closes all connections immediately, even with requests in progress.
    func closeAll() {
        closeListeners()
        for connection in shared.withLock({ $0.registry.all }) {
            connection.withState { $0.markBroken() }
            handle(connection.updateInterest(poller), of: connection)
        }
        end()
    }

    var isStopping: Bool { shared.withLock { $0.stop != nil } }

    /// Makes the threads and ``ControlServer/run()`` return.
    func end() {
        let isFirst = shared.withLock { shared in
            defer { shared.hasEnded = true }
            return !shared.hasEnded
        }
        guard isFirst else { return }
        wakeAll()
        work.finish()
    }
}
