internal import Logging
internal import TransitControl
internal import TransitWire

/// Buffers that a thread reuses for all requests.
struct ThreadBuffers: ~Copyable {
    /// The size of one read. If a client sends more, other clients are served before the next read.
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 16)
    var writer = JSONWriter(reserving: 4096)

    deinit { buffer.deallocate() }
}

/// The destination of a reply.
enum ReplyDestination: Sendable {
    /// The request is a notification and has no reply.
    case nowhere
    case line(RequestID)
    case batch(UInt64, position: Int, RequestID)

    var id: RequestID? {
        switch self {
        case .nowhere: nil
        case .line(let id), .batch(_, _, let id): id
        }
    }
}

/// A request of a batch with the destination of its reply.
struct AddressedRequest: Sendable {
    let request: IncomingRequest
    let address: ReplyDestination
}

/// A request that runs in a task of its own.
struct LongRunningRequest: Sendable {
    let request: ControlRequest
    let connection: ClientConnection
    let address: ReplyDestination
    let token: UInt64
    /// `nil` for a request that cannot be canceled, even by closing the connection.
    let signal: CancelSignal?
}

extension Reactor {
    func answer(_ line: RequestLine, on connection: ClientConnection, _ buffers: inout ThreadBuffers) {
        switch line {
        case .single(let request):
            answer(request, on: connection, to: request.id.map { .line($0) } ?? .nowhere, &buffers)
        case .batch(let requests):
            answer(requests, on: connection, &buffers)
        }
    }

    private func answer(_ requests: [IncomingRequest], on connection: ClientConnection, _ buffers: inout ThreadBuffers)
    {
        let expected = requests.count { $0.id != nil }
        let batch = expected == 0 ? 0 : connection.withState { $0.batches.open(expecting: expected) }
        var addressed: [AddressedRequest] = []
        var position = 0
        for request in requests {
            guard let id = request.id else {
                addressed.append(AddressedRequest(request: request, address: .nowhere))
                continue
            }
            addressed.append(AddressedRequest(request: request, address: .batch(batch, position: position, id)))
            position += 1
        }
        answer(addressed[...], on: connection, &buffers)
    }

    /// Answers requests in order until one of them is a change that blocks the following requests.
    func answer(
        _ requests: ArraySlice<AddressedRequest>, on connection: ClientConnection, _ buffers: inout ThreadBuffers
    ) {
        var rest = requests
        while let next = rest.popFirst() {
            answer(next.request, on: connection, to: next.address, &buffers)
            guard !rest.isEmpty else { return }
            let waiting = Array(rest)
            if connection.withState({ $0.queueBehindBlocker(waiting) }) { return }
        }
    }

    private func answer(
        _ incoming: IncomingRequest, on connection: ClientConnection, to address: ReplyDestination,
        _ buffers: inout ThreadBuffers
    ) {
        switch incoming.request {
        case .failure(let error): reply(.failure(error), to: address, on: connection, &buffers.writer)
        case .success(let request):
            guard let outcome = outcome(of: request, on: connection, address) else { return }
            reply(outcome, to: address, on: connection, for: request, &buffers.writer)
            if case .subscribe = request { releaseSubscriptions(of: connection) }
        }
    }

    /// Returns `nil` if a task answers the request.
    private func outcome(
        of request: ControlRequest, on connection: ClientConnection, _ address: ReplyDestination
    ) -> Result<any WireValue, ControlError>? {
        if case .cancel(let parameters) = request {
            return .success(CancelResult(isCanceled: connection.withState { $0.inFlight.cancel(parameters.id) }))
        }
        if isStopping { return .failure(ControlError(.shuttingDown, "The daemon is stopping.")) }
        guard connection.withState({ $0.inFlight.hasRoom }) else { return .failure(tooManyRequests) }
        switch request {
        case .hello: return .success(hello(connection.caller))
        case .describe(let parameters): return .success(DescribeResult(of: parameters.method))
        case .subscribe(let parameters): return subscribe(parameters, for: connection)
        case .unsubscribe(let parameters): return .success(unsubscribe(parameters, for: connection))
        case _ where request.method.isLongRunning:
            startTask(request, on: connection, address)
            return nil
        case _ where request.method.responseTime == .write:
            startTask(request, on: connection, address, blocksLaterRequests: true, isCancellable: false)
            return nil
        case _ where request.method.responseTime != .instant && leaderToken.isLast:
            startTask(request, on: connection, address, blocksLaterRequests: true)
            return nil
        case _ where handler.waits(request, from: connection.caller, slowWork: slowWork):
            startTask(request, on: connection, address)
            return nil
        default:
            let caller = connection.caller
            return Result { () throws(ControlError) in try handler.answer(request, from: caller, slowWork: slowWork) }
        }
    }

    var slowWork: SlowWorkSignal { SlowWorkSignal { [leaderToken] in leaderToken.pass() } }

    private var tooManyRequests: ControlError {
        ControlError(
            .tooManyRequests, "This connection already has \(limits.inFlight) requests in progress.",
            hint: "Wait for a reply, or cancel a request.")
    }

    private func hello(_ caller: Caller) -> HelloResult {
        let greeting = handler.greeting(for: caller)
        return HelloResult(
            at: greeting.at, protocol: ControlMethod.protocolVersion, daemon: greeting.daemonVersion,
            features: greeting.features, limits: limits.wireLimits,
            caller: CallerSummary(
                uid: Int(caller.uid), gid: Int(caller.gid), pid: caller.pid.map { Int($0) },
                allowedMethods: greeting.allowedMethods.map(\.rawValue)),
            socket: socketName)
    }

    /// - Parameter blocksLaterRequests: Whether later requests on the connection wait for this one.
    private func startTask(
        _ request: ControlRequest, on connection: ClientConnection, _ address: ReplyDestination,
        blocksLaterRequests: Bool = false,
        isCancellable: Bool = true
    ) {
        let signal = CancelSignal()
        let token = connection.withState { state in
            let token = state.inFlight.admit(address.id, signal)
            if blocksLaterRequests { state.pauseReading(until: token) }
            return token
        }
        work.yield(
            LongRunningRequest(
                request: request, connection: connection, address: address, token: token,
                signal: isCancellable ? signal : nil))
    }
}

// MARK: - Long-running requests

extension Reactor {
    /// Runs a long-running request and sends its reply. A canceled request gets a reply too.
    func perform(_ longRunning: LongRunningRequest) async {
        let outcome = await outcome(of: longRunning)
        var writer = JSONWriter()
        reply(
            outcome, to: longRunning.address, on: longRunning.connection, for: longRunning.request,
            finishing: longRunning.token,
            &writer)
        updateInterest(longRunning.connection)
    }

    private func outcome(of longRunning: LongRunningRequest) async -> Result<any WireValue, ControlError> {
        let progress = reporter(for: longRunning)
        guard let signal = longRunning.signal else { return await answer(longRunning, progress) }
        return await withTaskGroup(of: Result<any WireValue, ControlError>?.self) { group in
            group.addTask { await self.answer(longRunning, progress) }
            group.addTask {
                await signal.wait()
                return nil
            }
            // The first result cancels the other task. A nil result means that the request was canceled.
            for await outcome in group {
                group.cancelAll()
                if let outcome { return outcome }
            }
            return .failure(ControlError(.canceled, "The request was canceled."))
        }
    }

    private func answer(
        _ longRunning: LongRunningRequest, _ progress: ProgressReporter
    ) async -> Result<any WireValue, ControlError> {
        do throws(ControlError) {
            let caller = longRunning.connection.caller
            return .success(try await handler.answerLongRunning(longRunning.request, from: caller, progress: progress))
        } catch {
            return .failure(error)
        }
    }

    private func reporter(for longRunning: LongRunningRequest) -> ProgressReporter {
        guard case .feedUpdate(let parameters) = longRunning.request, parameters.progress,
            let id = longRunning.address.id
        else { return ProgressReporter { _ in } }
        return ProgressReporter { [weak self] progress in
            var writer = JSONWriter()
            OutgoingLine.write(
                notification: ProgressNotification.name, ProgressNotification(id: id, progress), to: &writer)
            self?.deliver(writer.bytes, to: longRunning.connection, isDroppable: true)
        }
    }
}

// MARK: - Replies

extension Reactor {
    private func reply(
        _ outcome: Result<any WireValue, ControlError>, to address: ReplyDestination, on connection: ClientConnection,
        for request: ControlRequest? = nil, finishing token: UInt64? = nil, _ writer: inout JSONWriter
    ) {
        writer.removeAll()
        switch address {
        case .nowhere:
            connection.finish(token)
        case .line(let id):
            OutgoingLine.write(outcome, id: id, to: &writer)
            if writer.count > limits.reply { replaceByTooLargeError(request, id, &writer, endingLine: true) }
            connection.send(writer.bytes, finishing: token)
        case .batch(let batch, let position, let id):
            OutgoingLine.write(outcome, id: id, to: &writer, endingLine: false)
            let size = writer.count
            if !connection.withState({ $0.batches.hasRoom(in: batch, for: size) }) {
                replaceByTooLargeError(request, id, &writer, endingLine: false)
            }
            let reply = writer.bytes
            let line = connection.withState { $0.batches.fill(batch, at: position, with: reply) }
            if let line { connection.send(line, finishing: token) } else { connection.finish(token) }
        }
    }

    /// Replaces a reply with an error.
    private func replaceByTooLargeError(
        _ request: ControlRequest?, _ id: RequestID, _ writer: inout JSONWriter, endingLine: Bool
    ) {
        let error = tooLarge(writer.count, for: request)
        writer.removeAll()
        OutgoingLine.write(.failure(error), id: id, to: &writer, endingLine: endingLine)
    }

    private func tooLarge(_ size: Int, for request: ControlRequest?) -> ControlError {
        var details: JSONObject = ["size": .int(Int64(size)), "limit": .int(Int64(limits.reply))]
        if let count = request?.count {
            details["count"] = .int(Int64(max(1, count * limits.reply / size * 9 / 10)))
            details["cursor"] = request?.cursor.map { .string($0) } ?? .null
        }
        return ControlError(
            .responseTooLarge, "The reply would have \(size) bytes; the limit is \(limits.reply).",
            hint: "Request fewer items: details.count is the number that fits.", details: .object(details))
    }
}
