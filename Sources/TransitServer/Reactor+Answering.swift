internal import Logging
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

extension Reactor {
    /// A request that runs in a task of its own.
    struct LongRunningRequest: Sendable {
        let request: Handler.Request
        let connection: ClientConnection
        let address: ReplyDestination
        let token: UInt64
        /// `nil` for a request that cannot be canceled, even by closing the connection.
        let signal: CancelSignal?
    }

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
        do throws(ControlError) {
            switch try handler.resolve(try incoming.call.get(), from: connection.caller) {
            case .cancel(let id):
                let isCanceled = connection.withState { $0.inFlight.cancel(id) }
                reply(
                    .success(handler.cancelReply(isCanceled: isCanceled)), to: address, on: connection, &buffers.writer)
            case .subscribe(let topics):
                try checkAdmission(on: connection)
                let result = try subscribe(topics, for: connection)
                reply(.success(result), to: address, on: connection, &buffers.writer)
                releaseSubscriptions(of: connection)
            case .unsubscribe(let subscription):
                try checkAdmission(on: connection)
                let result = unsubscribe(subscription, for: connection)
                reply(.success(result), to: address, on: connection, &buffers.writer)
            case .handled(let request):
                try checkAdmission(on: connection)
                guard let result = try result(of: request, on: connection, address) else { return }
                reply(.success(result), to: address, on: connection, for: request, &buffers.writer)
            case .restricted(let restriction, let request):
                // The restriction holds even if the request is refused.
                connection.restrict(to: restriction)
                try checkAdmission(on: connection)
                guard let result = try result(of: request, on: connection, address) else { return }
                reply(.success(result), to: address, on: connection, for: request, &buffers.writer)
            }
        } catch {
            reply(.failure(error), to: address, on: connection, &buffers.writer)
        }
    }

    /// - Throws: an error if the server is stopping or the connection has too many requests in progress.
    private func checkAdmission(on connection: ClientConnection) throws(ControlError) {
        if isStopping { throw ControlError(.shuttingDown, "The daemon is stopping.") }
        guard connection.withState({ $0.inFlight.hasRoom }) else {
            throw ControlError(
                .tooManyRequests, "This connection already has \(limits.inFlight) requests in progress.",
                hint: "Wait for a reply, or cancel a request.")
        }
    }

    /// Returns `nil` if a task answers the request.
    private func result(
        of request: Handler.Request, on connection: ClientConnection, _ address: ReplyDestination
    ) throws(ControlError) -> (any WireValue)? {
        switch request.responseTime {
        case .lengthy:
            startTask(request, on: connection, address)
            return nil
        case .write:
            startTask(request, on: connection, address, blocksLaterRequests: true, isCancellable: false)
            return nil
        case .quick where leaderToken.isLast:
            startTask(request, on: connection, address, blocksLaterRequests: true)
            return nil
        case .quick, .instant:
            var request = request
            if handler.prepare(&request, from: connection.caller, slowWork: slowWork) {
                startTask(request, on: connection, address)
                return nil
            }
            return try handler.answer(request, from: connection.caller, slowWork: slowWork)
        }
    }

    var slowWork: SlowWorkSignal { SlowWorkSignal { [leaderToken] in leaderToken.pass() } }

    /// - Parameter blocksLaterRequests: Whether later requests on the connection wait for this one.
    private func startTask(
        _ request: Handler.Request, on connection: ClientConnection, _ address: ReplyDestination,
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
        let notifier = notifier(for: longRunning)
        guard let signal = longRunning.signal else { return await answer(longRunning, notifier) }
        return await withTaskGroup(of: Result<any WireValue, ControlError>?.self) { group in
            group.addTask { await self.answer(longRunning, notifier) }
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
        _ longRunning: LongRunningRequest, _ notifier: RequestNotifier
    ) async -> Result<any WireValue, ControlError> {
        do throws(ControlError) {
            let caller = longRunning.connection.caller
            return .success(try await handler.answerLongRunning(longRunning.request, from: caller, notifier: notifier))
        } catch {
            return .failure(error)
        }
    }

    private func notifier(for longRunning: LongRunningRequest) -> RequestNotifier {
        RequestNotifier(id: longRunning.address.id) { [weak self] notification in
            self?.deliver(notification.line, to: longRunning.connection, isDroppable: true)
        }
    }
}

// MARK: - Replies

extension Reactor {
    private func reply(
        _ outcome: Result<any WireValue, ControlError>, to address: ReplyDestination, on connection: ClientConnection,
        for request: Handler.Request? = nil, finishing token: UInt64? = nil, _ writer: inout JSONWriter
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
        _ request: Handler.Request?, _ id: RequestID, _ writer: inout JSONWriter, endingLine: Bool
    ) {
        let error = tooLarge(writer.count, for: request)
        writer.removeAll()
        OutgoingLine.write(.failure(error), id: id, to: &writer, endingLine: endingLine)
    }

    private func tooLarge(_ size: Int, for request: Handler.Request?) -> ControlError {
        var details: JSONObject = ["size": .int(Int64(size)), "limit": .int(Int64(limits.reply))]
        if let count = request?.requestedCount {
            details["count"] = .int(Int64(max(1, count * limits.reply / size * 9 / 10)))
            details["cursor"] = request?.requestedCursor.map { .string($0) } ?? .null
        }
        return ControlError(
            .responseTooLarge, "The reply would have \(size) bytes; the limit is \(limits.reply).",
            hint: "Request fewer items: details.count is the number that fits.", details: .object(details))
    }
}
