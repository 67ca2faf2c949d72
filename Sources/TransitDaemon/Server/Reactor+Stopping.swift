internal import Synchronization
internal import TransitControl

extension Reactor {
    /// Acts on what is due, and sets the timer for what comes next.
    func keepTime() {
        guard poller.acknowledgeTimer() else { return }
        let now = Moment.read()
        keepSubscriptions(at: now)
        let (connections, stop) = shared.withLock { ($0.registry.all, $0.stop) }
        if stop == nil { watchListeners() }
        for connection in connections {
            if case .refuse(let error) = connection.withState({ $0.expire(at: now) }) {
                refuse(connection, error)
                connection.lingerIfRefused()
            }
            rest(connection, connection.settle(poller))
        }
        if let stop { goOnStopping(stop, at: now) } else { noticeQuiet(at: now) }
    }

    /// The last client has left; the next may come at once.
    func awaitQuiet() {
        let quiet = Moment.read().advanced(milliseconds: limits.quiet)
        shared.withLock { $0.quietFrom = quiet }
        poller.setTimer(quiet)
    }

    private func noticeQuiet(at now: Moment) {
        let quietFrom = shared.withLock { shared -> Moment? in
            guard shared.registry.count == 0, let moment = shared.quietFrom else { return nil }
            if moment <= now { shared.quietFrom = nil }
            return moment
        }
        guard let quietFrom else { return }
        // The timer may have been set for a client who left before the last one.
        if quietFrom <= now { whenQuiet() } else { poller.setTimer(quietFrom) }
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
        let now = Moment.read()
        let stop = Stop(
            cancels: now.advanced(milliseconds: limits.stopCancels), ends: now.advanced(milliseconds: limits.stopEnds))
        let connections = shared.withLock { shared -> [Connection]? in
            guard shared.stop == nil else { return nil }
            shared.stop = stop
            return shared.registry.all
        }
        guard let connections else { return }
        closeListeners()
        guard !connections.isEmpty else { return end() }
        poller.setTimer(stop.cancels)
        var desk = Desk()
        for connection in connections {
            connection.withState { $0.stop() }
            // What came before this moment is still answered.
            takeTurn(connection, reads: true, desk: &desk)
        }
    }

    private func closeListeners() {
        for listener in listeners {
            if let descriptor = listener.descriptor { poller.remove(descriptor.number) }
            listener.close()
        }
    }

    private func goOnStopping(_ stop: Stop, at now: Moment) {
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
            connection.withState { $0.breakOff() }
            rest(connection, connection.settle(poller))
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
