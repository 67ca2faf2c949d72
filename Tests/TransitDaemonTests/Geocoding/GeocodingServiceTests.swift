import Synchronization
import Testing
import TransitControl
import TransitFeeds
import TransitFetch
import TransitModel
import TransitSystem
import TransitTestTraits
import TransitWire

@testable import TransitDaemon

@Suite(.ownThreads) struct GeocodingServiceTests {
    /// A geocoder that responds with the text of the query. Its responses can be delayed.
    private final class FakeGeocoder: Transport {
        struct Asked {
            var url: String
            var at: BootTime
            var flag: CancellationFlag
        }

        private struct State {
            var asked: [Asked] = []
            var held: [@Sendable () -> Void] = []
            var isHolding = false
            var outcome: FetchResult.Outcome?
        }

        private let clock: SleepingClock
        private let state = Mutex(State())

        init(_ clock: SleepingClock) { self.clock = clock }

        var asked: [Asked] { state.withLock { $0.asked } }
        var texts: [String] { asked.map { String($0.url.drop { $0 != "=" }.dropFirst().prefix { $0 != "&" }) } }

        /// Delays responses until ``release()``.
        func hold() { state.withLock { $0.isHolding = true } }

        func release() {
            let held = state.withLock { state in
                state.isHolding = false
                defer { state.held = [] }
                return state.held
            }
            for answer in held { answer() }
        }

        func answer(with outcome: FetchResult.Outcome?) { state.withLock { $0.outcome = outcome } }

        func start(
            _ request: FetchRequest, until flag: CancellationFlag, completion: @escaping @Sendable (FetchResult) -> Void
        ) {
            let once = Once(completion)
            let outcome = state.withLock { state in
                state.asked.append(Asked(url: request.url, at: clock.reading().boot, flag: flag))
                return state.outcome
            }
            flag.onSet { once.call(FetchResult(failure: .canceled)) }
            let text = texts.last ?? ""
            let body = #"[{"lat":"53.5","lon":"9.9","display_name":"\#(text) Street"}]"#
            let result = FetchResult(outcome: outcome ?? .fetched(.memory(Array(body.utf8))))
            let isHeld = state.withLock { state in
                if state.isHolding { state.held.append { once.call(result) } }
                return state.isHolding
            }
            if !isHeld { once.call(result) }
        }
    }

    /// Calls a completion handler only once.
    private final class Once: Sendable {
        private let completion: Mutex<(@Sendable (FetchResult) -> Void)?>
        init(_ completion: @escaping @Sendable (FetchResult) -> Void) { self.completion = Mutex(completion) }
        func call(_ result: FetchResult) {
            let completion = completion.withLock { $0.take() }
            completion?(result)
        }
    }

    private let clock = SleepingClock("2026-03-27T06:30:00Z")
    private let geocoder: FakeGeocoder
    private let service: GeocodingService

    init() {
        geocoder = FakeGeocoder(clock)
        service = GeocodingService(transport: geocoder, clock: clock)
    }

    private func query(_ text: String) -> GeocodingQuery {
        let nominatim = Geocoder(kind: .nominatim, url: "https://nominatim.example")
        return GeocodingQuery(geocoder: nominatim, request: nominatim.request(text))
    }

    private func ask(_ text: String) async -> Result<[String], ControlError> {
        do throws(ControlError) { return .success(try await service.addresses(query(text)).map(\.name)) } catch {
            return .failure(error)
        }
    }

    /// Runs the service while `body` runs.
    private func running<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [service] in try await service.run() }
            defer { group.cancelAll() }
            return try await body()
        }
    }

    @Test func requestsAreSpacedAndDeduplicated() async throws {
        try await running { [self] in
            async let first = ask("a")
            #expect(eventually { geocoder.texts == ["a"] })
            #expect(await first == .success(["a Street"]))
            async let second = ask("b")
            async let again = ask("b")
            async let known = ask("a")
            #expect(await known == .success(["a Street"]))
            let start = clock.now()
            #expect(eventually { clock.isAwaited(at: start.advanced(by: 1)) })
            #expect(geocoder.texts == ["a"])
            clock.advance(by: 1)
            #expect(await [second, again] == [.success(["b Street"]), .success(["b Street"])])
            #expect(geocoder.texts == ["a", "b"])
            let moments = geocoder.asked.map(\.at)
            #expect(moments[0].milliseconds(to: moments[1]) >= 1000)
        }
    }

    @Test func typingOnCancelsRequest() async throws {
        geocoder.hold()
        try await running { [self] in
            let first = startTask { [self] in await ask("m") }
            #expect(eventually { geocoder.texts == ["m"] })
            let second = startTask { [self] in await ask("mi") }
            let third = startTask { [self] in await ask("mil") }
            second.cancel()
            #expect(await second.value.refusal == .canceled)
            // The request in flight is canceled as well.
            first.cancel()
            #expect(await first.value.refusal == .canceled)
            #expect(eventually { geocoder.asked[0].flag.isSet })
            let start = clock.now()
            #expect(eventually { clock.isAwaited(at: start.advanced(by: 1)) })
            geocoder.release()
            clock.advance(by: 1)
            #expect(await third.value == .success(["mil Street"]))
            #expect(geocoder.texts == ["m", "mil"])
        }
    }

    @Test func missingResponseTimesOut() async throws {
        geocoder.hold()
        try await running { [self] in
            let asked = startTask { [self] in await ask("a") }
            let end = clock.now().advanced(by: 15)
            #expect(eventually { geocoder.texts == ["a"] && clock.isAwaited(at: end) })
            clock.advance(by: 15)
            let answer = await asked.value
            #expect(answer.refusal == .addressUnreachable)
            #expect("\(answer)".contains("within 15 s"))
            #expect(geocoder.asked[0].flag.isSet)
        }
    }

    @Test(arguments: [
        (FetchResult.Outcome.failed(.connect), ErrorKind.addressUnreachable, "could not be reached"),
        (.failed(.dns), .addressUnreachable, "name could not be resolved"),
        (.http(status: 500, retryAfter: nil), .addressUnreachable, "500"),
        (.http(status: 429, retryAfter: "20"), .addressBusy, "20 s"),
        (.http(status: 503, retryAfter: nil), .addressBusy, "60 s"),
        (.fetched(.memory(Array("<html>".utf8))), .addressUnreachable, "HTML"),
    ])
    func failureIsReported(_ outcome: FetchResult.Outcome, _ kind: ErrorKind, _ words: String) async throws {
        geocoder.answer(with: outcome)
        try await running { [self] in
            let answer = await ask("a")
            #expect(answer.refusal == kind)
            #expect("\(answer)".contains(words), "\(answer)")
            guard kind == .addressBusy else { return }
            // No further request is sent during the backoff.
            geocoder.answer(with: nil)
            #expect(await ask("b").refusal == .addressBusy)
            #expect(geocoder.texts == ["a"])
        }
    }

    @Test func stoppedServiceResumesAllWaiters() async throws {
        geocoder.hold()
        let asked = startTask { [self] in await ask("a") }
        try await running { [self] in #expect(eventually { geocoder.texts == ["a"] }) }
        #expect(await asked.value.refusal == .canceled)
        #expect(await ask("b").refusal == .shuttingDown)
    }
}

extension Result where Failure == ControlError {
    /// Returns the kind of an error.
    fileprivate var refusal: ErrorKind? {
        if case .failure(let error) = self { error.kind } else { nil }
    }
}
