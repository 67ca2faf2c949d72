internal import CLinux
internal import Glibc
internal import Logging
internal import Synchronization
internal import TransitSystem
internal import TransitWire

extension Reactor {
    /// Accepts the clients that are waiting at a listener.
    func accept(_ position: Int) {
        guard let listener = listeners[position].descriptor else { return }
        // Accepts a few at a time, so that connected clients are served in between.
        for _ in 0..<16 {
            let number = linux_accept(listener.number)
            guard number >= 0 else {
                if errno == EINTR || errno == ECONNABORTED { continue }
                if errno == EAGAIN { break }
                let failure = SystemFailure("accept")
                if [EMFILE, ENFILE].contains(failure.number), refuseWithSpareDescriptor(listener, failure) { continue }
                return pauseAccepting(failure)
            }
            registerClient(Descriptor(number))
        }
        watchListener(listener, position)
    }

    /// Refuses a client for which there is no descriptor, so that it does not wait for an answer in vain. A spare
    /// descriptor is closed for the time that this takes.
    ///
    /// - Returns: Whether a client was refused.
    private func refuseWithSpareDescriptor(_ listener: Descriptor, _ failure: SystemFailure) -> Bool {
        guard shared.withLock({ $0.spareDescriptor.take() }) != nil else {
            openSpareDescriptor()
            return false
        }
        defer { openSpareDescriptor() }
        let number = linux_accept(listener.number)
        guard number >= 0 else { return false }
        let error = ControlError(
            .tooManyConnections, "transitd cannot accept another client: \(ErrnoMessage.text(failure.number)).",
            hint: "Try again later.")
        rejectClient(Descriptor(number), error, uid: nil)
        return true
    }

    /// Opens the descriptor for ``refuseWithSpareDescriptor(_:_:)``. If it cannot be opened, the next refusal tries again.
    func openSpareDescriptor() {
        let number = Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return }
        shared.withLock { $0.spareDescriptor = Descriptor(number) }
    }

    /// Watches a listener again, or retries after a second.
    func watchListener(_ listener: Descriptor, _ position: Int) {
        guard poller.watch(listener.number, key: Poller.firstKey + UInt64(position), reads: true, writes: false) else {
            return pauseAccepting(SystemFailure("epoll_ctl"))
        }
    }

    /// Retries after a second. Most likely the process has no descriptors left, so an immediate retry would fail too.
    private func pauseAccepting(_ failure: SystemFailure) {
        logger.error("cannot accept clients", metadata: ["reason": "\(failure)"])
        poller.setTimer(MonotonicInstant.read().advanced(milliseconds: 1000))
    }

    private func registerClient(_ descriptor: Descriptor) {
        guard let peer = Self.peer(descriptor) else { return }
        let outcome: Result<ClientConnection, RejectedConnection> = shared.withLock { shared in
            if let rejection = shared.registry.rejection(uid: peer.uid) {
                return .failure(RejectedConnection(rejection))
            }
            let caller = Caller(
                uid: peer.uid, gid: peer.gid, pid: peer.pid > 0 ? peer.pid : nil,
                connection: shared.registry.takeNumber())
            let connection = ClientConnection(descriptor, caller: caller, limits: limits, laggedLine: laggedLine)
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
        case .failure(let rejected): rejectClient(descriptor, rejected.error(limits), uid: peer.uid)
        }
    }

    /// Sends an error reply to a connection that cannot be watched, and closes the connection, which would otherwise
    /// never be served.
    private func abandon(_ connection: ClientConnection, _ failure: SystemFailure) {
        logger.error("cannot serve a control client", metadata: ["reason": "\(failure)"])
        refuse(
            connection,
            ControlError(
                .tooManyConnections, "The system cannot watch another connection (\(failure)).",
                hint: "Try again later."))
        connection.withState { $0.markBroken() }
        updateInterest(connection)
    }

    /// - Parameter uid: The user; `nil` if it is not known.
    private func rejectClient(_ descriptor: Descriptor, _ error: ControlError, uid: UInt32?) {
        if shouldLogRejection() {
            let user: Logger.Metadata = uid.map { ["uid": "\($0)"] } ?? [:]
            logger.notice(
                "control client rejected", metadata: user.merging(["reason": "\(error.message)"]) { $1 })
        }
        var writer = JSONWriter()
        OutgoingLine.write(.failure(error), id: .null, to: &writer)
        _ = send(descriptor.number, writer.bytes, writer.bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Returns true at most once in 10 seconds, so that a client that reconnects in a loop does not fill the log.
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

private struct RejectedConnection: Error {
    let rejection: ConnectionRegistry.Rejection
    init(_ rejection: ConnectionRegistry.Rejection) { self.rejection = rejection }

    func error(_ limits: ControlLimits) -> ControlError {
        let message =
            switch rejection {
            case .tooMany: "\(limits.connections) clients are already connected."
            case .tooManyOfUser: "\(limits.connectionsPerUser) clients of this user are already connected."
            }
        return ControlError(.tooManyConnections, message, hint: "Close a connection that is no longer needed.")
    }
}
