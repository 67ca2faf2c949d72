internal import Glibc
internal import Synchronization
internal import TransitSystem

/// A client's connection: its socket and the state that determines what to do with it.
final class ClientConnection: Sendable {
    private let identity: Caller
    private let restriction = Atomic(CallerRestriction.none.rawValue)
    let descriptor: Descriptor
    private let state: Mutex<LockedState>

    private struct LockedState {
        var state: ConnectionState
        /// At most one thread serves the connection at a time. If another pass is requested in the meantime, it starts
        /// after the current one.
        var isBeingServed = false
        var needsAnotherPass = false
        var isClosed = false
    }

    /// The next step when a thread stops serving a connection.
    enum ServingOutcome {
        /// Another thread is serving the connection and continues.
        case servedElsewhere
        /// Another pass was requested.
        case again
        case waiting(deadline: MonotonicInstant?)
        /// The connection is finished; reported once.
        case finished
    }

    init(_ descriptor: Descriptor, caller: Caller, limits: ControlLimits, laggedLine: [UInt8] = []) {
        self.descriptor = descriptor
        identity = caller
        state = Mutex(LockedState(state: ConnectionState(limits: limits, laggedLine: laggedLine)))
    }

    /// The client with its present restriction.
    var caller: Caller {
        var caller = identity
        caller.restriction = CallerRestriction(rawValue: restriction.load(ordering: .acquiring)) ?? .anonymous
        return caller
    }

    /// Restricts the connection, unless it already is restricted further. The requests of a connection are resolved one
    /// after the other, so that the restriction is in effect for the next one.
    func restrict(to restriction: CallerRestriction) {
        self.restriction.max(restriction.rawValue, ordering: .acquiringAndReleasing)
    }

    func withState<Value: Sendable>(_ body: (inout ConnectionState) -> sending Value) -> Value {
        state.withLock { body(&$0.state) }
    }
}

// MARK: - Serving

extension ClientConnection {
    /// Returns false if another thread is serving the connection; that thread then makes another pass.
    func beginServing() -> Bool {
        state.withLock { locked in
            guard !locked.isClosed else { return false }
            guard !locked.isBeingServed else {
                locked.needsAnotherPass = true
                return false
            }
            locked.isBeingServed = true
            return true
        }
    }

    func endServing(_ poller: Poller) -> ServingOutcome {
        state.withLock { locked in
            guard !locked.needsAnotherPass || locked.state.isFinished else {
                locked.needsAnotherPass = false
                return .again
            }
            locked.isBeingServed = false
            return outcome(&locked, poller)
        }
    }

    /// Updates the events that the connection waits for. Call this after a thread that does not serve the connection
    /// has written a message.
    func updateInterest(_ poller: Poller) -> ServingOutcome {
        state.withLock { locked in
            locked.isBeingServed || locked.isClosed ? .servedElsewhere : outcome(&locked, poller)
        }
    }

    private func outcome(_ locked: inout LockedState, _ poller: Poller) -> ServingOutcome {
        if locked.state.isFinished {
            locked.isClosed = true
            poller.remove(descriptor.number)
            return .finished
        }
        let interest = locked.state.interest
        guard
            poller.watch(descriptor.number, key: caller.connection, reads: interest.reads, writes: interest.writes)
        else {
            // Otherwise, the connection would wait forever. The client can detect that it was closed.
            locked.state.markBroken()
            return outcome(&locked, poller)
        }
        return .waiting(deadline: locked.state.deadline)
    }
}

extension ClientConnection {
    /// Shuts down both directions of the socket.
    func hangUp() { shutdown(descriptor.number, Int32(SHUT_RDWR)) }
}

// MARK: - Bytes

extension ClientConnection {
    /// Reads available bytes once. Returns false if there were none.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Bool {
        let count = recv(descriptor.number, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
        let failure = errno
        return state.withLock { locked in
            switch count {
            case 1...: locked.state.receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: .read())
            case 0: locked.state.receiveEnd()
            default:
                guard failure != EAGAIN, failure != EINTR else { return false }
                locked.state.markBroken()
            }
            return true
        }
    }

    /// Writes a whole message, or queues the part that the kernel does not accept.
    ///
    /// - Parameters:
    ///   - isDroppable: Drops the message if another one is queued.
    ///   - token: The long-running request that the message answers. The request is finished in the same step, so that
    ///     the connection does not appear idle and is not closed before its last reply is queued.
    func send(_ message: [UInt8], isDroppable: Bool = false, finishing token: UInt64? = nil) {
        state.withLock { locked in
            if let token { locked.state.finish(token) }
            guard !locked.isClosed, !(isDroppable && !locked.state.output.isEmpty) else { return }
            var written = 0
            if locked.state.output.isEmpty {
                guard let count = message.withUnsafeBytes(write) else { return locked.state.markBroken() }
                written = count
            }
            if written < message.count { locked.state.enqueue(message[written...], at: .read()) }
        }
    }

    /// The result of sending an event.
    enum SendOutcome {
        /// The kernel accepted the whole event.
        case written
        /// A part of the event is queued.
        case queued
        /// The client has not read the previous messages. It gets the latest event after it has read them.
        case deferred
    }

    /// Writes an event unless another message is queued.
    func sendEvent(_ line: [UInt8]) -> SendOutcome {
        state.withLock { locked in
            guard !locked.isClosed else { return .deferred }
            guard locked.state.canSendEvent() else { return .deferred }
            guard let written = line.withUnsafeBytes(write) else {
                locked.state.markBroken()
                return .queued
            }
            if written < line.count { locked.state.enqueue(line[written...], at: .read()) }
            return written < line.count ? .queued : .written
        }
    }

    /// Finishes a long-running request that has no message of its own.
    func finish(_ token: UInt64?) {
        guard let token else { return }
        withState { $0.finish(token) }
    }

    /// Writes queued bytes as far as the kernel accepts them.
    func flush() {
        state.withLock { locked in
            guard !locked.isClosed, !locked.state.output.isEmpty else { return }
            guard let written = locked.state.output.withUnsent(write) else { return locked.state.markBroken() }
            locked.state.sent(written, at: .read())
        }
    }

    /// Shuts down the sending direction of a refused connection after its error has been sent.
    func lingerIfRefused() {
        state.withLock { locked in
            guard locked.state.startLingering(at: .read()) else { return }
            shutdown(descriptor.number, Int32(SHUT_WR))
        }
    }

    /// Returns the number of bytes that the kernel accepted; `nil` if the connection is broken.
    private func write(_ bytes: UnsafeRawBufferPointer) -> Int? {
        // Writing to a closed connection must not raise SIGPIPE.
        let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
        let count = Glibc.send(descriptor.number, bytes.baseAddress, bytes.count, flags)
        if count >= 0 { return count }
        return errno == EAGAIN || errno == EINTR ? 0 : nil
    }
}
