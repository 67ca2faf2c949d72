internal import Glibc
internal import Synchronization

/// One client: its socket, and the state that says what to do about it.
final class ClientConnection: Sendable {
    let caller: Caller
    let descriptor: Descriptor
    private let state: Mutex<Guarded>

    private struct Guarded {
        var state: ConnectionState
        /// One thread takes a turn at a time; a turn that is asked for meanwhile is taken at its end.
        var isBeingServed = false
        var needsAnotherPass = false
        var isClosed = false
    }

    /// What a connection waits for when its turn is over.
    enum ServingOutcome {
        /// Somebody else is serving it and will see to it.
        case servedElsewhere
        /// Another turn was asked for.
        case again
        case waiting(deadline: MonotonicInstant?)
        /// It is over; told once.
        case finished
    }

    init(_ descriptor: Descriptor, caller: Caller, limits: ControlLimits) {
        self.descriptor = descriptor
        self.caller = caller
        state = Mutex(Guarded(state: ConnectionState(limits: limits)))
    }

    func withState<Value: Sendable>(_ body: (inout ConnectionState) -> sending Value) -> Value {
        state.withLock { body(&$0.state) }
    }
}

// MARK: - Turns

extension ClientConnection {
    /// False when another thread is serving the connection; it will take one more turn.
    func beginServing() -> Bool {
        state.withLock { guarded in
            guard !guarded.isClosed else { return false }
            guard !guarded.isBeingServed else {
                guarded.needsAnotherPass = true
                return false
            }
            guarded.isBeingServed = true
            return true
        }
    }

    func endServing(_ poller: Poller) -> ServingOutcome {
        state.withLock { guarded in
            guard !guarded.needsAnotherPass || guarded.state.isFinished else {
                guarded.needsAnotherPass = false
                return .again
            }
            guarded.isBeingServed = false
            return rest(&guarded, poller)
        }
    }

    /// After something was written outside of a turn: sees to it that the connection waits for the right events.
    func updateInterest(_ poller: Poller) -> ServingOutcome {
        state.withLock { guarded in
            guarded.isBeingServed || guarded.isClosed ? .servedElsewhere : rest(&guarded, poller)
        }
    }

    private func rest(_ guarded: inout Guarded, _ poller: Poller) -> ServingOutcome {
        if guarded.state.isFinished {
            guarded.isClosed = true
            poller.remove(descriptor.number)
            return .finished
        }
        let interest = guarded.state.interest
        guard
            poller.watch(descriptor.number, key: caller.connection, reads: interest.reads, writes: interest.writes)
        else {
            // The connection would wait forever. Closing it is visible to the client.
            guarded.state.markBroken()
            return rest(&guarded, poller)
        }
        return .waiting(deadline: guarded.state.deadline)
    }
}

extension ClientConnection {
    /// Tells the other end that it is over.
    func hangUp() { shutdown(descriptor.number, Int32(SHUT_RDWR)) }
}

// MARK: - Bytes

extension ClientConnection {
    /// Reads once what is there. False when there was nothing.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Bool {
        let count = recv(descriptor.number, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
        let failure = errno
        return state.withLock { guarded in
            switch count {
            case 1...: guarded.state.receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: .read())
            case 0: guarded.state.receiveEnd()
            default:
                guard failure != EAGAIN, failure != EINTR else { return false }
                guarded.state.markBroken()
            }
            return true
        }
    }

    /// Writes a whole message, or queues what the kernel does not take. With `isDroppable` a message is dropped instead
    /// when another waits already. `token` is the lengthy request that is answered by it: in one step, so that
    /// nobody closes a connection that seems to have nothing under way before its last answer is there.
    func send(_ message: [UInt8], isDroppable: Bool = false, finishing token: UInt64? = nil) {
        state.withLock { guarded in
            if let token { guarded.state.finish(token) }
            guard !guarded.isClosed, !(isDroppable && !guarded.state.output.isEmpty) else { return }
            var taken = 0
            if guarded.state.output.isEmpty {
                guard let count = message.withUnsafeBytes(write) else { return guarded.state.markBroken() }
                taken = count
            }
            if taken < message.count { guarded.state.enqueue(message[taken...], at: .read()) }
        }
    }

    /// What became of an event.
    enum SendOutcome {
        /// The kernel has it.
        case taken
        /// A part of it waits for the client to read.
        case queued
        /// The client has not read what came before: it will be told the latest when it has.
        case deferred
    }

    /// Writes an event, unless something else waits to be read.
    func sendEvent(_ line: [UInt8]) -> SendOutcome {
        state.withLock { guarded in
            guard !guarded.isClosed else { return .deferred }
            guard guarded.state.canSendEvent() else { return .deferred }
            guard let taken = line.withUnsafeBytes(write) else {
                guarded.state.markBroken()
                return .queued
            }
            if taken < line.count { guarded.state.enqueue(line[taken...], at: .read()) }
            return taken < line.count ? .queued : .taken
        }
    }

    /// A lengthy request is done without a message of its own.
    func finish(_ token: UInt64?) {
        guard let token else { return }
        withState { $0.finish(token) }
    }

    /// Writes what is queued, as far as the kernel takes it.
    func flush() {
        state.withLock { guarded in
            guard !guarded.isClosed, !guarded.state.output.isEmpty else { return }
            guard let taken = guarded.state.output.withUnsent(write) else { return guarded.state.markBroken() }
            guarded.state.sent(taken, at: .read())
        }
    }

    /// Tells the other end of a refused connection that no more will come, once its error has gone.
    func lingerIfRefused() {
        state.withLock { guarded in
            guard guarded.state.beginsToLinger(at: .read()) else { return }
            shutdown(descriptor.number, Int32(SHUT_WR))
        }
    }

    /// How many bytes the kernel took; `nil` when the other end is gone.
    private func write(_ bytes: UnsafeRawBufferPointer) -> Int? {
        // A closed other end must not raise SIGPIPE.
        let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
        let count = Glibc.send(descriptor.number, bytes.baseAddress, bytes.count, flags)
        if count >= 0 { return count }
        return errno == EAGAIN || errno == EINTR ? 0 : nil
    }
}
