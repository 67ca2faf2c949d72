internal import TransitSystem
internal import TransitWire

/// The state of one connection: a value that receives bytes and times, and returns the steps to perform.
///
/// While a client does not read its replies, no further requests are read from it. Replies to requests in progress are
/// queued up to the limits. If a limit is exceeded, or the client reads nothing for ``ControlLimits/stallTimeout``, the
/// connection is closed.
struct ConnectionState {
    /// The next step after reading the client's input.
    enum Step {
        case nothing
        case requests(RequestLine)
        /// Requests that waited for an earlier one to finish.
        case waitingRequests([AddressedRequest])
        /// Write the error with the id `null`, and read nothing more from the client.
        case refuse(ControlError)
    }

    /// The events that the connection waits for.
    struct Interest: Hashable {
        var reads: Bool
        var writes: Bool
    }

    let limits: ControlLimits
    private let laggedLine: [UInt8]
    var inFlight: InFlightRequests
    var batches: BatchReplies
    private(set) var output: OutputQueue
    private var input: LineBuffer
    /// The time at which the first byte of the current incomplete line arrived.
    private var lineStarted: MonotonicInstant?
    /// The start of the period in which the client has read nothing although output is queued.
    private var outputStalled: MonotonicInstant?
    private var lingersUntil: MonotonicInstant?
    private var isRefused = false
    private var inputEnded = false
    private var isBroken = false
    private var isStopping = false
    /// Whether an event was not sent because other output was queued.
    private var hasDeferredEvents = false
    /// Whether the client was too slow, so that nothing may follow the queued output.
    private var isLagging = false
    /// The token of the request in progress that later requests wait for.
    private var blockingToken: UInt64?
    /// Requests that have been read and wait for the blocking request.
    private var waitingRequests: [AddressedRequest] = []
    /// Whether the waiting requests can continue in the next pass.
    private var canResume = false
    /// Whether a client that reads too slowly is notified before its connection is closed.
    var hasSubscriptions = false

    /// - Parameter laggedLine: The notification to a subscriber that reads too slowly.
    init(limits: ControlLimits, laggedLine: [UInt8] = []) {
        self.limits = limits
        self.laggedLine = laggedLine
        inFlight = InFlightRequests(limit: limits.inFlight)
        batches = BatchReplies(limit: limits.reply)
        output = OutputQueue(messages: limits.queueMessages, bytes: limits.queueBytes)
        input = LineBuffer(limit: limits.request)
    }

    /// Whether the connection can be closed.
    var isFinished: Bool {
        if isBroken { return true }
        guard output.isEmpty else { return false }
        if isWaitingToResume { return false }
        if isRefused { return inputEnded }
        if isLagging { return true }
        return (inputEnded || isStopping) && inFlight.isEmpty
    }

    var interest: Interest {
        // Waiting for writability causes another pass at once, in which the connection continues.
        Interest(
            reads: !inputEnded && output.isEmpty && blockingToken == nil, writes: !output.isEmpty || isWaitingToResume)
    }

    private var isWaitingToResume: Bool { canResume && !isRefused && !isLagging && !isBroken }

    /// Stops the connection gracefully: it ends when the requests in progress have been answered.
    mutating func stop() { isStopping = true }

    /// Ends a connection whose client has closed both directions. The client's input has been read, and nothing can be
    /// sent to the client.
    mutating func hangUp() {
        inputEnded = true
        markBroken()
    }

    /// Ends a connection whose client is gone or violates the protocol. Nothing more is written.
    mutating func markBroken() {
        isBroken = true
        inFlight.cancelAll()
    }
}

// MARK: - Ordering of requests

extension ConnectionState {
    /// Stops reading from the client until the request is answered.
    mutating func pauseReading(until token: UInt64) { blockingToken = token }

    /// Stores the remaining requests of a batch if a request in progress blocks them. Returns false if no request
    /// blocks them.
    mutating func queueBehindBlocker(_ requests: [AddressedRequest]) -> Bool {
        guard blockingToken != nil else { return false }
        waitingRequests = requests
        return true
    }

    /// Records that a long-running request was answered.
    mutating func finish(_ token: UInt64) {
        inFlight.finish(token)
        guard blockingToken == token else { return }
        blockingToken = nil
        canResume = true
    }

    /// Returns the waiting requests when they can continue, and then removes them.
    private mutating func takeWaitingRequests(at now: MonotonicInstant) -> [AddressedRequest] {
        guard canResume else { return [] }
        canResume = false
        // No input was read in the meantime, so this time does not count toward the timeout of the current line.
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

    /// Records the end of the input. A final line without a line feed is processed too.
    mutating func receiveEnd() { inputEnded = true }

    /// Returns the next line if there is one and the client has read the previous replies.
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
    /// Queues the part of a message that the kernel did not accept. Disconnects a client that exceeds the queue's
    /// limits.
    mutating func enqueue(_ rest: ArraySlice<UInt8>, at now: MonotonicInstant) {
        guard !isBroken, !isLagging, !rest.isEmpty else { return }
        if outputStalled == nil { outputStalled = now }
        if !output.append(rest) { disconnectLaggingClient(at: now) }
    }

    /// Records that the kernel accepted bytes of the queue.
    mutating func sent(_ count: Int, at now: MonotonicInstant) {
        guard count > 0 else { return }
        output.remove(count)
        outputStalled = output.isEmpty ? nil : now
        // No input was read in the meantime, so this time does not count toward the timeout of the current line.
        if output.isEmpty, lineStarted != nil { lineStarted = now }
    }

    /// Whether the last output of a refused connection has been sent. From then on its input is only discarded. Returns
    /// true once.
    mutating func startLingering(at now: MonotonicInstant) -> Bool {
        guard isRefused, output.isEmpty, lingersUntil == nil, !isBroken else { return false }
        lingersUntil = now.advanced(milliseconds: limits.lingerDelay)
        return true
    }
}

// MARK: - Events

extension ConnectionState {
    /// Whether an event can be sent now. Otherwise it is deferred.
    mutating func canSendEvent() -> Bool {
        guard !isBroken, !isRefused, !isLagging else { return false }
        guard output.isEmpty else {
            hasDeferredEvents = true
            return false
        }
        return true
    }

    /// Whether there are deferred events that can be sent now. Returns true once.
    mutating func takeDeferredEvents() -> Bool {
        guard hasDeferredEvents, output.isEmpty, !isBroken else { return false }
        hasDeferredEvents = false
        return true
    }

    /// Disconnects a client that is too slow. A subscriber gets a notification after the message that it has begun to
    /// read.
    private mutating func disconnectLaggingClient(at now: MonotonicInstant) {
        guard hasSubscriptions, !isLagging else { return markBroken() }
        isLagging = true
        inFlight.cancelAll()
        input.removeAll()
        output.keepFirst()
        guard output.append(laggedLine[...]) else { return markBroken() }
        outputStalled = now
    }
}

// MARK: - Time

extension ConnectionState {
    /// The time at which ``expire(at:)`` must be called; `nil` if there is no timeout.
    var deadline: MonotonicInstant? {
        if let lingersUntil { return lingersUntil }
        if let outputStalled { return outputStalled.advanced(milliseconds: limits.stallTimeout) }
        return blockingToken == nil ? lineStarted?.advanced(milliseconds: limits.stallTimeout) : nil
    }

    /// Acts on a deadline that has passed.
    mutating func expire(at now: MonotonicInstant) -> Step {
        guard let deadline, deadline <= now, !isBroken else { return .nothing }
        guard lingersUntil == nil, outputStalled == nil else {
            if lingersUntil == nil { disconnectLaggingClient(at: now) } else { markBroken() }
            return .nothing
        }
        return refuse(
            ControlError(.requestTooSlow, "The line was not finished within \(limits.lineTimeout) seconds."))
    }
}
