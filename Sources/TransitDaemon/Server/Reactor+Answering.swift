internal import Logging
internal import TransitControl

/// What a thread has at hand while it serves connections, so that it need not be made for every request.
struct ThreadBuffers: ~Copyable {
    /// Takes what is read at once; a client that sends more is read again after the others.
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 16)
    var writer = JSONWriter(reserving: 4096)

    deinit { buffer.deallocate() }
}

/// Where an answer goes.
enum ReplyDestination: Sendable {
    /// Nowhere: it was a notification.
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

/// A request of a batch with the address of its reply.
struct AddressedRequest: Sendable {
    let request: IncomingRequest
    let address: ReplyDestination
}

/// A request that is answered by a task of its own.
struct LengthyRequest: Sendable {
    let request: ControlRequest
    let connection: ClientConnection
    let address: ReplyDestination
    let token: UInt64
    /// `nil` for a request that is not cancellable: closing the connection does not revoke it.
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

    /// Answers requests in order until one of them is a change for which the others must wait.
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
            reply(outcome, to: address, on: connection, asked: request, &buffers.writer)
            if case .subscribe = request { releaseSubscriptions(of: connection) }
        }
    }

    /// `nil` when a task will answer.
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
            begin(request, on: connection, address)
            return nil
        case _ where request.method.responseTime == .write:
            begin(request, on: connection, address, holdsBack: true, isCancellable: false)
            return nil
        case _ where request.method.responseTime != .instant && leaderToken.isLast:
            begin(request, on: connection, address, holdsBack: true)
            return nil
        case _ where handler.waits(request, from: connection.caller, slowWork: slowWork):
            begin(request, on: connection, address)
            return nil
        default:
            let caller = connection.caller
            return Result { () throws(ControlError) in try handler.answer(request, from: caller, slowWork: slowWork) }
        }
    }

    var slowWork: SlowWorkSignal { SlowWorkSignal { [leaderToken] in leaderToken.pass() } }

    private var tooManyRequests: ControlError {
        ControlError(
            .tooManyRequests, "\(limits.inFlight) requests of this connection are under way already.",
            hint: "Wait for an answer, or cancel one.")
    }

    private func hello(_ caller: Caller) -> HelloResult {
        let greeting = handler.greeting(for: caller)
        return HelloResult(
            at: greeting.at, protocol: ControlMethod.protocolVersion, daemon: greeting.daemonVersion,
            features: greeting.features, limits: limits.wireLimits,
            caller: CallerSummary(
                uid: Int(caller.uid), gid: Int(caller.gid), pid: caller.pid.map { Int($0) },
                allowedMethods: greeting.may.map(\.rawValue)),
            socket: socketName)
    }

    /// - Parameter holdsBack: whether later requests on its connection wait for it.
    private func begin(
        _ request: ControlRequest, on connection: ClientConnection, _ address: ReplyDestination,
        holdsBack: Bool = false,
        isCancellable: Bool = true
    ) {
        let signal = CancelSignal()
        let token = connection.withState { state in
            let token = state.inFlight.admit(address.id, signal)
            if holdsBack { state.pauseReading(until: token) }
            return token
        }
        work.yield(
            LengthyRequest(
                request: request, connection: connection, address: address, token: token,
                signal: isCancellable ? signal : nil))
    }
}

// MARK: - Lengthy requests

extension Reactor {
    /// Answers a lengthy request. The cancelled request still answers.
    func perform(_ lengthy: LengthyRequest) async {
        let outcome = await outcome(of: lengthy)
        var writer = JSONWriter()
        reply(
            outcome, to: lengthy.address, on: lengthy.connection, asked: lengthy.request, finishing: lengthy.token,
            &writer)
        updateInterest(lengthy.connection)
    }

    private func outcome(of lengthy: LengthyRequest) async -> Result<any WireValue, ControlError> {
        let progress = reporter(for: lengthy)
        guard let signal = lengthy.signal else { return await answer(lengthy, progress) }
        return await withTaskGroup(of: Result<any WireValue, ControlError>?.self) { group in
            group.addTask { await self.answer(lengthy, progress) }
            group.addTask {
                await signal.wait()
                return nil
            }
            // Whichever comes first ends the other; the answer is the one that counts.
            for await outcome in group {
                group.cancelAll()
                if let outcome { return outcome }
            }
            return .failure(ControlError(.canceled, "The request was canceled."))
        }
    }

    private func answer(
        _ lengthy: LengthyRequest, _ progress: ProgressReporter
    ) async -> Result<any WireValue, ControlError> {
        do throws(ControlError) {
            let caller = lengthy.connection.caller
            return .success(try await handler.answerLengthy(lengthy.request, from: caller, progress: progress))
        } catch {
            return .failure(error)
        }
    }

    private func reporter(for lengthy: LengthyRequest) -> ProgressReporter {
        guard case .feedUpdate(let parameters) = lengthy.request, parameters.progress, let id = lengthy.address.id
        else { return ProgressReporter { _ in } }
        return ProgressReporter { [weak self] progress in
            var writer = JSONWriter()
            OutgoingLine.write(
                notification: ProgressNotification.name, ProgressNotification(id: id, progress), to: &writer)
            self?.deliver(writer.bytes, to: lengthy.connection, isDroppable: true)
        }
    }
}

// MARK: - Replies

extension Reactor {
    private func reply(
        _ outcome: Result<any WireValue, ControlError>, to address: ReplyDestination, on connection: ClientConnection,
        asked request: ControlRequest? = nil, finishing token: UInt64? = nil, _ writer: inout JSONWriter
    ) {
        writer.removeAll()
        switch address {
        case .nowhere:
            connection.finish(token)
        case .line(let id):
            OutgoingLine.write(outcome, id: id, to: &writer)
            if writer.count > limits.reply { refuseAsTooLarge(request, id, &writer, endingLine: true) }
            connection.send(writer.bytes, finishing: token)
        case .batch(let batch, let position, let id):
            OutgoingLine.write(outcome, id: id, to: &writer, endingLine: false)
            let size = writer.count
            if !connection.withState({ $0.batches.hasRoom(in: batch, for: size) }) {
                refuseAsTooLarge(request, id, &writer, endingLine: false)
            }
            let reply = writer.bytes
            let line = connection.withState { $0.batches.fill(batch, at: position, with: reply) }
            if let line { connection.send(line, finishing: token) } else { connection.finish(token) }
        }
    }

    /// Puts an error in the place of an answer.
    private func refuseAsTooLarge(
        _ request: ControlRequest?, _ id: RequestID, _ writer: inout JSONWriter, endingLine: Bool
    ) {
        let error = tooLarge(writer.count, asked: request)
        writer.removeAll()
        OutgoingLine.write(.failure(error), id: id, to: &writer, endingLine: endingLine)
    }

    private func tooLarge(_ size: Int, asked request: ControlRequest?) -> ControlError {
        var details: JSONObject = ["size": .int(Int64(size)), "limit": .int(Int64(limits.reply))]
        if let count = request?.count {
            details["count"] = .int(Int64(max(1, count * limits.reply / size * 9 / 10)))
            details["cursor"] = request?.cursor.map { .string($0) } ?? .null
        }
        return ControlError(
            .responseTooLarge, "The answer would have \(size) bytes; \(limits.reply) are the most.",
            hint: "Ask for less: details.count says how many would fit.", details: .object(details))
    }
}
