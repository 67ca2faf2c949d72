internal import ServiceLifecycle
internal import Synchronization
internal import TransitControl
internal import TransitFeeds
internal import TransitFetch
internal import TransitModel
internal import TransitRefresh
internal import TransitReplies
internal import TransitSystem
internal import TransitWire

/// Sends queries to the geocoder in the order and at the rate that ``GeocodingQueue`` determines. Results are cached
/// in memory only. On disk, a user's address is stored only in the user's own places.
final class GeocodingService: ServiceLifecycle.Service {
    private typealias Answer = Result<[GeocodedAddress], ControlError>

    private struct State {
        var queue: GeocodingQueue
        var waiting: [GeocodingQueue.WaiterID: CheckedContinuation<Answer, Never>] = [:]
        /// Cancels the request in flight.
        var flag: CancellationFlag?
        var lastWaiterID: GeocodingQueue.WaiterID = 0
        var isClosed = false
    }

    private let transport: any Transport
    private let clock: any DaemonClock
    private let state: Mutex<State>
    /// Wakes the task. Multiple wake-ups are coalesced.
    private let wakeUps = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// The maximum time, in real seconds, that a client waits.
    private static let timeout = 15
    /// The backoff in seconds after a response that asks the daemon to wait but gives no duration.
    private static let defaultBackoff = 60

    init(transport: any Transport, clock: any DaemonClock) {
        self.transport = transport
        self.clock = clock
        state = Mutex(State(queue: GeocodingQueue(rate: clock.rate)))
    }

    // MARK: Queries

    /// Returns the addresses that the geocoder finds, best first. Canceling the task abandons the query.
    ///
    /// - Throws: ``ErrorKind/addressBusy``, ``ErrorKind/addressUnreachable``, ``ErrorKind/canceled``.
    func addresses(_ query: GeocodingQuery) async throws(ControlError) -> [GeocodedAddress] {
        let end = clock.reading().boot.advanced(by: Int(Double(Self.timeout) * max(1, clock.rate)))
        let answer = await withTaskGroup(of: Answer?.self) { [self] group in
            group.addTask { await self.answer(query) }
            group.addTask {
                try? await self.clock.sleep(until: end)
                return nil
            }
            let first = await group.next()
            group.cancelAll()
            return first ?? nil
        }
        guard let answer else {
            throw Task.isCancelled ? Self.canceled : Self.unreachable("it did not respond within \(Self.timeout) s")
        }
        return try answer.get()
    }

    private func answer(_ query: GeocodingQuery) async -> Answer {
        let waiterID = state.withLock { state in
            state.lastWaiterID += 1
            return state.lastWaiterID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if let answer = enter(waiterID, query, continuation) { return continuation.resume(returning: answer) }
                wakeUps.continuation.yield()
                // The task may have been canceled before its waiter was added.
                if Task.isCancelled { leave(waiterID) }
            }
        } onCancel: {
            leave(waiterID)
        }
    }

    /// - Returns: The result if it is available without a request to the geocoder; `nil` if the client has to wait.
    private func enter(
        _ waiterID: GeocodingQueue.WaiterID, _ query: GeocodingQuery, _ continuation: CheckedContinuation<Answer, Never>
    ) -> Answer? {
        let now = clock.reading()
        return state.withLock { state in
            if state.isClosed { return .failure(ControlError(.shuttingDown, "The daemon is stopping.")) }
            switch state.queue.enter(waiterID, query, at: now) {
            case .known(let addresses): return .success(addresses)
            case .refused(let refusal): return .failure(Self.busy(refusal))
            case .waits:
                state.waiting[waiterID] = continuation
                return nil
            }
        }
    }

    private func leave(_ waiterID: GeocodingQueue.WaiterID) {
        let (continuation, flag) = state.withLock { state in
            let continuation = state.waiting.removeValue(forKey: waiterID)
            return (continuation, state.queue.leave(waiterID) ? state.flag : nil)
        }
        flag?.set()
        continuation?.resume(returning: .failure(Self.canceled))
    }

    // MARK: Requests

    func run() async throws {
        await cancelWhenStopping { [self] in
            for await _ in wakeUps.stream { await work() }
        }
        close()
    }

    /// Sends requests as long as queries are waiting.
    private func work() async {
        while !Task.isCancelled {
            let flag = CancellationFlag()
            let step = state.withLock { state in
                let step = state.queue.step(at: clock.reading().boot)
                if case .ask = step { state.flag = flag }
                return step
            }
            switch step {
            case .idle: return
            case .wait(let moment): do { try await clock.sleep(until: moment) } catch { return }
            case .ask(let query): deliver(await ask(query, until: flag))
            }
        }
    }

    private func ask(_ query: GeocodingQuery, until flag: CancellationFlag) async -> (GeocodingOutcome, Answer) {
        let request = FetchRequest(query.request, secrets: [], caFile: query.caFile)
        let result = await transport.fetch(request, until: flag)
        switch result.outcome {
        case .fetched(.memory(let body)): return Self.read(body, query.geocoder)
        case .http(let status, let retryAfter) where status == 429 || status == 503:
            let seconds = retryAfter.flatMap { RetryAfter.seconds($0, now: clock.now()) } ?? Self.defaultBackoff
            return (.overloaded(seconds: seconds), .failure(Self.busy(.backingOff(seconds: seconds))))
        case .http(let status, _):
            return (.failed, .failure(Self.unreachable("it responded with HTTP status \(status)")))
        case .failed(.canceled): return (.failed, .failure(Self.canceled))
        case .failed(let failure): return (.failed, .failure(Self.unreachable("\(failure)")))
        case .fetched, .notModified:
            return (.failed, .failure(Self.unreachable("its response was stored in an unexpected place")))
        }
    }

    private static func read(_ body: [UInt8], _ geocoder: Geocoder) -> (GeocodingOutcome, Answer) {
        do throws(FeedError) {
            let addresses = try geocoder.addresses(body)
            return (.found(addresses), .success(addresses))
        } catch {
            let refusal = ControlError(
                .addressUnreachable, "The geocoder's response cannot be read. \("\(error)".asSentence)",
                hint: "Check that `kind` of [geocoder] matches the server.")
            return (.failed, .failure(refusal))
        }
    }

    private func deliver(_ ended: (outcome: GeocodingOutcome, answer: Answer)) {
        let now = clock.reading()
        let finished = state.withLock { state in
            state.flag = nil
            return state.queue.end(ended.outcome, at: now).compactMap { state.waiting.removeValue(forKey: $0) }
        }
        for continuation in finished { continuation.resume(returning: ended.answer) }
    }

    private func close() {
        let left = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in left { continuation.resume(returning: .failure(Self.canceled)) }
    }

    // MARK: Errors

    private static var canceled: ControlError { ControlError(.canceled, "The request was canceled.") }

    private static func unreachable(_ reason: String) -> ControlError {
        ControlError(
            .addressUnreachable, "The geocoder could not be reached: \(reason).",
            hint: "Give LAT,LON or a stop instead, or check `url` of [geocoder].")
    }

    private static func busy(_ refusal: GeocodingRefusal) -> ControlError {
        switch refusal {
        case .tooMany:
            ControlError(.addressBusy, "Too many address searches are waiting.", hint: "Try again in a moment.")
        case .backingOff(let seconds):
            ControlError(
                .addressBusy, "The geocoder asked transitd to wait for \(seconds) s.",
                hint: "Give LAT,LON or a stop instead.")
        }
    }
}
