internal import ServiceLifecycle
internal import Synchronization
internal import TransitControl
internal import TransitEngine
internal import TransitFeeds
internal import TransitModel

/// Asks the geocoder as ``AddressPlan`` decides. What it answers is remembered in memory alone: where somebody lives is
/// written nowhere but into their own places.
final class AddressDesk: ServiceLifecycle.Service {
    private typealias Answer = Result<[FoundAddress], ControlError>

    private struct State {
        var plan: AddressPlan
        var waiting: [AddressPlan.Asker: CheckedContinuation<Answer, Never>] = [:]
        /// Of the request under way.
        var flag: CancellationFlag?
        var lastAsker: AddressPlan.Asker = 0
        var isClosed = false
    }

    private let transport: any Transport
    private let clock: any DaemonClock
    private let state: Mutex<State>
    /// Something may be to ask; one word is as good as many.
    private let looks = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// Real seconds that anybody waits at most.
    private static let patience = 15
    /// Seconds for which a geocoder is left alone that asks for that without saying how long.
    private static let usualPause = 60

    init(transport: any Transport, clock: any DaemonClock) {
        self.transport = transport
        self.clock = clock
        state = Mutex(State(plan: AddressPlan(rate: clock.rate)))
    }

    // MARK: Asking

    /// The addresses that a geocoder knows, best first. Cancelling the task gives the question up.
    ///
    /// - Throws: ``ErrorKind/addressBusy``, ``ErrorKind/addressUnreachable``, ``ErrorKind/cancelled``.
    func addresses(_ question: AddressQuestion) async throws(ControlError) -> [FoundAddress] {
        let end = clock.reading().boot.advanced(by: Int(Double(Self.patience) * max(1, clock.rate)))
        let answer = await withTaskGroup(of: Answer?.self) { [self] group in
            group.addTask { await self.answer(question) }
            group.addTask {
                try? await self.clock.sleep(until: end)
                return nil
            }
            let first = await group.next()
            group.cancelAll()
            return first ?? nil
        }
        guard let answer else {
            throw Task.isCancelled ? Self.cancelled : Self.unreachable("it did not answer within \(Self.patience) s")
        }
        return try answer.get()
    }

    private func answer(_ question: AddressQuestion) async -> Answer {
        let asker = state.withLock { state in
            state.lastAsker += 1
            return state.lastAsker
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if let answer = enter(asker, question, continuation) { return continuation.resume(returning: answer) }
                looks.continuation.yield()
                // It may have been cancelled before it was entered.
                if Task.isCancelled { leave(asker) }
            }
        } onCancel: {
            leave(asker)
        }
    }

    /// - Returns: the answer where nothing is to be asked for it.
    private func enter(
        _ asker: AddressPlan.Asker, _ question: AddressQuestion, _ continuation: CheckedContinuation<Answer, Never>
    ) -> Answer? {
        let now = clock.reading()
        return state.withLock { state in
            if state.isClosed { return .failure(ControlError(.shuttingDown, "The daemon is stopping.")) }
            switch state.plan.enter(asker, question, at: now) {
            case .known(let addresses): return .success(addresses)
            case .refused(let refusal): return .failure(Self.busy(refusal))
            case .waits:
                state.waiting[asker] = continuation
                return nil
            }
        }
    }

    private func leave(_ asker: AddressPlan.Asker) {
        let (continuation, flag) = state.withLock { state in
            let continuation = state.waiting.removeValue(forKey: asker)
            return (continuation, state.plan.leave(asker) ? state.flag : nil)
        }
        flag?.set()
        continuation?.resume(returning: .failure(Self.cancelled))
    }

    // MARK: Working

    func run() async throws {
        await cancelWhenStopping { [self] in
            for await _ in looks.stream { await work() }
        }
        close()
    }

    /// Asks for as long as somebody waits.
    private func work() async {
        while !Task.isCancelled {
            let flag = CancellationFlag()
            let step = state.withLock { state in
                let step = state.plan.step(at: clock.reading().boot)
                if case .ask = step { state.flag = flag }
                return step
            }
            switch step {
            case .rest: return
            case .wait(let moment): do { try await clock.sleep(until: moment) } catch { return }
            case .ask(let question): tell(await ask(question, until: flag))
            }
        }
    }

    private func ask(_ question: AddressQuestion, until flag: CancellationFlag) async -> (AddressOutcome, Answer) {
        let request = FetchRequest(question.request, secrets: [], caFile: question.caFile)
        let result = await transport.fetch(request, until: flag)
        switch result.outcome {
        case .fetched(.memory(let body)): return Self.read(body, question.geocoder)
        case .http(let status, let retryAfter) where status == 429 || status == 503:
            let seconds = retryAfter.flatMap { RetryAfter.seconds($0, now: clock.now()) } ?? Self.usualPause
            return (.overloaded(seconds: seconds), .failure(Self.busy(.leftAlone(seconds: seconds))))
        case .http(let status, _):
            return (.failed, .failure(Self.unreachable("it answers with the HTTP status \(status)")))
        case .failed(.cancelled): return (.failed, .failure(Self.cancelled))
        case .failed(let failure): return (.failed, .failure(Self.unreachable("\(failure)")))
        case .fetched, .notModified:
            return (.failed, .failure(Self.unreachable("its answer came where it cannot be used")))
        }
    }

    private static func read(_ body: [UInt8], _ geocoder: Geocoder) -> (AddressOutcome, Answer) {
        do throws(FeedError) {
            let addresses = try geocoder.addresses(body)
            return (.found(addresses), .success(addresses))
        } catch {
            let refusal = ControlError(
                .addressUnreachable, "The geocoder's answer cannot be read. \("\(error)".asSentence)",
                hint: "Does `kind` of [geocoder] say what the server is?")
            return (.failed, .failure(refusal))
        }
    }

    private func tell(_ ended: (outcome: AddressOutcome, answer: Answer)) {
        let now = clock.reading()
        let told = state.withLock { state in
            state.flag = nil
            return state.plan.end(ended.outcome, at: now).compactMap { state.waiting.removeValue(forKey: $0) }
        }
        for continuation in told { continuation.resume(returning: ended.answer) }
    }

    private func close() {
        let left = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in left { continuation.resume(returning: .failure(Self.cancelled)) }
    }

    // MARK: Words

    private static var cancelled: ControlError { ControlError(.cancelled, "The request was cancelled.") }

    private static func unreachable(_ reason: String) -> ControlError {
        ControlError(
            .addressUnreachable, "The geocoder could not be asked: \(reason).",
            hint: "Give LAT,LON or a stop instead, or look at `url` of [geocoder].")
    }

    private static func busy(_ refusal: AddressRefusal) -> ControlError {
        switch refusal {
        case .tooMany:
            ControlError(.addressBusy, "Too many addresses are looked for at once.", hint: "Ask again in a moment.")
        case .leftAlone(let seconds):
            ControlError(
                .addressBusy, "The geocoder asks to be left alone for \(seconds) s.",
                hint: "Give LAT,LON or a stop instead.")
        }
    }
}
