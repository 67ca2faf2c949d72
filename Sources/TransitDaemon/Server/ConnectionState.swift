internal import TransitControl

/// What is to be done about one connection: a plain value that is fed with bytes and moments, and does nothing itself.
///
/// A client that does not read its answers is not read from either. What is already under way may still queue up to the
/// limits; then, or when it has taken nothing for ``ControlLimits/patience``, the connection is closed.
struct ConnectionState {
    /// What the next bytes of the client amount to.
    enum Step {
        case nothing
        case requests(RequestLine)
        /// Requests that waited for an earlier one.
        case waitingRequests([AddressedRequest])
        /// The error is to be written, with the id `null`; nothing more is taken from the client.
        case refuse(ControlError)
    }

    /// For which events the connection waits.
    struct Interest: Hashable {
        var reads: Bool
        var writes: Bool
    }

    let limits: ControlLimits
    var inFlight: InFlightRequests
    var batches: BatchReplies
    private(set) var output: OutputQueue
    private var input: LineBuffer
    /// When the first byte of the line came of which the end is still missing.
    private var lineStarted: MonotonicInstant?
    /// Since when the client has taken nothing although something waits.
    private var outputStalled: MonotonicInstant?
    private var lingersUntil: MonotonicInstant?
    private var isRefused = false
    private var inputEnded = false
    private var isBroken = false
    private var isStopping = false
    /// An event was not sent since something else waited.
    private var hasDeferredEvents = false
    /// Nothing follows what is queued.
    private var isLagging = false
    /// The token of the request under way that later requests wait for.
    private var blockingToken: UInt64?
    /// Waiting requests that were already read.
    private var waitingRequests: [AddressedRequest] = []
    /// Whether waiting requests can continue in the next turn.
    private var canResume = false
    /// Whether it is told before it is closed for reading too slowly.
    var hasSubscriptions = false

    init(limits: ControlLimits) {
        self.limits = limits
        inFlight = InFlightRequests(limit: limits.inFlight)
        batches = BatchReplies(limit: limits.reply)
        output = OutputQueue(messages: limits.queueMessages, bytes: limits.queueBytes)
        input = LineBuffer(limit: limits.request)
    }

    /// Whether nothing is left to do but to close it.
    var isFinished: Bool {
        if isBroken { return true }
        guard output.isEmpty else { return false }
        if isWaitingToResume { return false }
        if isRefused { return inputEnded }
        if isLagging { return true }
        return (inputEnded || isStopping) && inFlight.isEmpty
    }

    var interest: Interest {
        // Requesting writability gives the connection another turn at once, in which it continues.
        Interest(
            reads: !inputEnded && output.isEmpty && blockingToken == nil, writes: !output.isEmpty || isWaitingToResume)
    }

    private var isWaitingToResume: Bool { canResume && !isRefused && !isLagging && !isBroken }

    /// The server stops: the connection ends when what is under way has been answered.
    mutating func stop() { isStopping = true }

    /// The other end has closed both directions: what it sent has been read, and nothing can be told to it any more.
    mutating func hangUp() {
        inputEnded = true
        markBroken()
    }

    /// The other end is gone, or does not keep to the protocol: nothing can be written any more.
    mutating func markBroken() {
        isBroken = true
        inFlight.cancelAll()
    }
}

// MARK: - Ordering of requests

extension ConnectionState {
    /// Stops reading from the client until that request is answered.
    mutating func pauseReading(until token: UInt64) { blockingToken = token }

    /// Stores the remaining requests of a batch if they must wait for a request under way. Returns false if there is
    /// none.
    mutating func queueBehindBlocker(_ requests: [AddressedRequest]) -> Bool {
        guard blockingToken != nil else { return false }
        waitingRequests = requests
        return true
    }

    /// Records that a lengthy request was answered.
    mutating func finish(_ token: UInt64) {
        inFlight.finish(token)
        guard blockingToken == token else { return }
        blockingToken = nil
        canResume = true
    }

    /// Returns the waiting requests once they can continue, and only once.
    private mutating func takeWaitingRequests(at now: MonotonicInstant) -> [AddressedRequest] {
        guard canResume else { return [] }
        canResume = false
        // No input was read in the meantime, so that time does not count against the current line.
        if lineStarted != nil { lineStarted = now }
        defer { waitingRequests = [] }
        return waitingRequests
    }
}

// MARK: - Input

extension ConnectionState {
    mutating func receive(_ chunk: UnsafeRawBufferPointer, at now: MonotonicInstant) {
        guard !isRefused else { return }
        input.append(chunk)
        if lineStarted == nil { lineStarted = now }
    }

    /// No more bytes will come; a last line without its line feed counts.
    mutating func receiveEnd() { inputEnded = true }

    /// The next line, when there is one and the client has read the answers before it.
    mutating func nextStep(at now: MonotonicInstant) -> Step {
        guard !isRefused, !isBroken, !isLagging, output.isEmpty, blockingToken == nil else { return .nothing }
        let waitingRequests = takeWaitingRequests(at: now)
        if !waitingRequests.isEmpty { return .waitingRequests(waitingRequests) }
        switch input.takeLine(RequestLine.parse) {
        case .line(let requests):
            lineStarted = input.hasPartialLine ? now : nil
            return .requests(requests)
        case .tooLong:
            return refuse(
                ControlError(
                    .requestTooLarge, "The line is longer than \(limits.request) bytes.",
                    details: ["limit": .int(Int64(limits.request))]))
        case .none:
            if inputEnded, let requests = input.takeRest(RequestLine.parse) { return .requests(requests) }
            lineStarted = input.hasPartialLine ? lineStarted ?? now : nil
            return .nothing
        }
    }

    private mutating func refuse(_ error: ControlError) -> Step {
        isRefused = true
        lineStarted = nil
        input.removeAll()
        inFlight.cancelAll()
        return .refuse(error)
    }
}

// MARK: - Output

extension ConnectionState {
    /// Keeps what the kernel did not take of a message. A client that is too slow for that is broken off.
    mutating func enqueue(_ rest: ArraySlice<UInt8>, at now: MonotonicInstant) {
        guard !isBroken, !isLagging, !rest.isEmpty else { return }
        if outputStalled == nil { outputStalled = now }
        if !output.append(rest) { disconnectLaggingClient(at: now) }
    }

    /// The kernel has taken so many bytes of the queue.
    mutating func sent(_ count: Int, at now: MonotonicInstant) {
        guard count > 0 else { return }
        output.remove(count)
        outputStalled = output.isEmpty ? nil : now
        // Nothing was read meanwhile, so the time does not count against the line.
        if output.isEmpty, lineStarted != nil { lineStarted = now }
    }

    /// Whether the last bytes before the end of a refused connection have gone, so that its input is only thrown away
    /// now.
    /// True once.
    mutating func beginsToLinger(at now: MonotonicInstant) -> Bool {
        guard isRefused, output.isEmpty, lingersUntil == nil, !isBroken else { return false }
        lingersUntil = now.advanced(milliseconds: limits.linger)
        return true
    }
}

// MARK: - Events

extension ConnectionState {
    /// Whether an event can be sent now; otherwise it is owed.
    mutating func canSendEvent() -> Bool {
        guard !isBroken, !isRefused, !isLagging else { return false }
        guard output.isEmpty else {
            hasDeferredEvents = true
            return false
        }
        return true
    }

    /// Whether events are owed that can be sent now. True once.
    mutating func takeDeferredEvents() -> Bool {
        guard hasDeferredEvents, output.isEmpty, !isBroken else { return false }
        hasDeferredEvents = false
        return true
    }

    /// The client is too slow. A subscriber is told so, after the message that it has begun to read; then it is over.
    private mutating func disconnectLaggingClient(at now: MonotonicInstant) {
        guard hasSubscriptions, !isLagging else { return markBroken() }
        isLagging = true
        inFlight.cancelAll()
        input.removeAll()
        output.keepFirst()
        guard output.append(Self.lagged[...]) else { return markBroken() }
        outputStalled = now
    }

    private static let lagged: [UInt8] = {
        var writer = JSONWriter()
        OutgoingLine.write(
            notification: LaggedNotification.name,
            LaggedNotification(message: "You read too slowly. Connect and subscribe again."), to: &writer)
        return writer.bytes
    }()
}

// MARK: - Time

extension ConnectionState {
    /// When ``expire(at:)`` wants to be called.
    var deadline: MonotonicInstant? {
        if let lingersUntil { return lingersUntil }
        if let outputStalled { return outputStalled.advanced(milliseconds: limits.patience) }
        return blockingToken == nil ? lineStarted?.advanced(milliseconds: limits.patience) : nil
    }

    /// Acts on a deadline that has passed.
    mutating func expire(at now: MonotonicInstant) -> Step {
        guard let deadline, deadline <= now, !isBroken else { return .nothing }
        guard lingersUntil == nil, outputStalled == nil else {
            if lingersUntil == nil { disconnectLaggingClient(at: now) } else { markBroken() }
            return .nothing
        }
        return refuse(
            ControlError(.requestTooSlow, "The line was not finished within \(limits.wireLimits.lineTimeout) seconds."))
    }
}
