internal import CLinux
internal import Glibc
internal import Logging
internal import Synchronization
internal import TransitControl

extension Reactor {
    /// Takes the clients that wait at a listener.
    func accept(_ position: Int) {
        guard let listener = listeners[position].descriptor else { return }
        // A few at a time, so that those who are here are served meanwhile.
        for _ in 0..<16 {
            let number = linux_accept(listener.number)
            guard number >= 0 else {
                if errno == EINTR || errno == ECONNABORTED { continue }
                if errno != EAGAIN { return pauseAccepting(SystemFailure("accept")) }
                break
            }
            registerClient(Descriptor(number))
        }
        watchListener(listener, position)
    }

    /// Watches a listener again, or retries a second later.
    func watchListener(_ listener: Descriptor, _ position: Int) {
        guard poller.watch(listener.number, key: Poller.firstKey + UInt64(position), reads: true, writes: false) else {
            return pauseAccepting(SystemFailure("epoll_ctl"))
        }
    }

    /// The process has no descriptors left, most likely: the listeners are watched again a second later, instead of
    /// at once
    /// and in vain.
    private func pauseAccepting(_ failure: SystemFailure) {
        logger.error("no client can be accepted", metadata: ["reason": "\(failure)"])
        poller.setTimer(MonotonicInstant.read().advanced(milliseconds: 1000))
    }

    private func registerClient(_ descriptor: Descriptor) {
        guard let peer = Self.peer(descriptor) else { return }
        let outcome: Result<ClientConnection, RefusedConnection> = shared.withLock { shared in
            if let refusal = shared.registry.refusal(uid: peer.uid) { return .failure(RefusedConnection(refusal)) }
            let caller = Caller(
                uid: peer.uid, gid: peer.gid, pid: peer.pid > 0 ? peer.pid : nil,
                connection: shared.registry.takeNumber())
            let connection = ClientConnection(descriptor, caller: caller, limits: limits)
            if shared.stop != nil { connection.withState { $0.stop() } }
            shared.registry.add(connection)
            count.set(shared.registry.count)
            return .success(connection)
        }
        switch outcome {
        case .success(let connection):
            guard poller.add(descriptor.number, key: connection.caller.connection) else {
                return abandon(connection, SystemFailure("epoll_ctl"))
            }
        case .failure(let refused): rejectClient(descriptor, refused.error(limits), uid: peer.uid)
        }
    }

    /// Closes a connection that cannot be watched, with an error answer, because it would never be read.
    private func abandon(_ connection: ClientConnection, _ failure: SystemFailure) {
        logger.error("a control client cannot be served", metadata: ["reason": "\(failure)"])
        refuse(
            connection,
            ControlError(
                .tooManyConnections, "The system watches no more connections (\(failure)).", hint: "Try again later."))
        connection.withState { $0.markBroken() }
        updateInterest(connection)
    }

    private func rejectClient(_ descriptor: Descriptor, _ error: ControlError, uid: UInt32) {
        if shouldLogRejection() {
            logger.notice("control client turned away", metadata: ["uid": "\(uid)", "reason": "\(error.message)"])
        }
        var writer = JSONWriter()
        OutgoingLine.write(.failure(error), id: .null, to: &writer)
        _ = send(descriptor.number, writer.bytes, writer.bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Once in 10 seconds: whoever connects in vain again and again must not fill the log.
    private func shouldLogRejection() -> Bool {
        let now = MonotonicInstant.read()
        return shared.withLock { shared in
            guard now >= shared.nextRejectionLog else { return false }
            shared.nextRejectionLog = now.advanced(milliseconds: 10_000)
            return true
        }
    }

    private static func peer(_ descriptor: Descriptor) -> (pid: Int32, uid: UInt32, gid: UInt32)? {
        var peer: (pid: Int32, uid: UInt32, gid: UInt32) = (0, 0, 0)
        guard linux_peer(descriptor.number, &peer.pid, &peer.uid, &peer.gid) == 0 else { return nil }
        return peer
    }
}

private struct RefusedConnection: Error {
    let refusal: ConnectionRegistry.Rejection
    init(_ refusal: ConnectionRegistry.Rejection) { self.refusal = refusal }

    func error(_ limits: ControlLimits) -> ControlError {
        let message =
            switch refusal {
            case .tooMany: "More than \(limits.connections) clients are connected."
            case .tooManyOfUser: "More than \(limits.connectionsPerUser) clients of this user are connected."
            }
        return ControlError(.tooManyConnections, message, hint: "Close a connection that is not needed any more.")
    }
}
