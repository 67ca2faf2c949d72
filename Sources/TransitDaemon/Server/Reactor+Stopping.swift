internal import Synchronization
internal import TransitControl

extension Reactor {
    /// Acts on what is due, and sets the timer for what comes next.
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
            rest(connection, connection.updateInterest(poller))
        }
        if let stop { continueStopping(stop, at: now) } else { checkIdle(at: now) }
    }

    /// The last client has left; the next may come at once.
    func startIdleTimer() {
        let quiet = MonotonicInstant.read().advanced(milliseconds: limits.quiet)
        shared.withLock { $0.idleDeadline = quiet }
        poller.setTimer(quiet)
    }

    private func checkIdle(at now: MonotonicInstant) {
        let idleDeadline = shared.withLock { shared -> MonotonicInstant? in
            guard shared.registry.count == 0, let moment = shared.idleDeadline else { return nil }
            if moment <= now { shared.idleDeadline = nil }
            return moment
        }
        guard let idleDeadline else { return }
        // The timer may have been set for a client who left before the last one.
        if idleDeadline <= now { onIdle() } else { poller.setTimer(idleDeadline) }
    }

    private func watchListeners() {
        for (position, listener) in listeners.enumerated() {
            guard let descriptor = listener.descriptor else { continue }
            watchListener(descriptor, position)
        }
    }

    /// Takes no more clients; what is under way is answered, then every connection is closed, at the latest after
    /// ``ControlLimits/stopEnds``.
    func stop() {
        let now = MonotonicInstant.read()
        let stop = Stop(
            cancels: now.advanced(milliseconds: limits.stopCancelDelay),
            ends: now.advanced(milliseconds: limits.stopCloseDelay))
        let connections = shared.withLock { shared -> [ClientConnection]? in
            guard shared.stop == nil else { return nil }
            shared.stop = stop
            return shared.registry.all
        }
        guard let connections else { return }
        closeListeners()
        guard !connections.isEmpty else { return end() }
        poller.setTimer(stop.cancels)
        var buffers = ThreadBuffers()
        for connection in connections {
            connection.withState { $0.stop() }
            // What came before this moment is still answered.
            serveConnection(connection, reads: true, buffers: &buffers)
        }
    }

    private func closeListeners() {
        for listener in listeners {
            if let descriptor = listener.descriptor { poller.remove(descriptor.number) }
            listener.close()
        }
    }

    private func continueStopping(_ stop: Stop, at now: MonotonicInstant) {
        let connections = shared.withLock { $0.registry.all }
        if now >= stop.ends {
            closeAll()
        } else if now >= stop.cancels {
            for connection in connections { connection.withState { $0.inFlight.cancelAll() } }
            poller.setTimer(stop.ends)
        } else {
            poller.setTimer(stop.cancels)
        }
    }

    /// Ends at once, whatever is under way.
    func closeAll() {
        closeListeners()
        for connection in shared.withLock({ $0.registry.all }) {
            connection.withState { $0.markBroken() }
            rest(connection, connection.updateInterest(poller))
        }
        end()
    }

    var isStopping: Bool { shared.withLock { $0.stop != nil } }

    /// Lets the threads and ``ControlServer/run()`` return.
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
