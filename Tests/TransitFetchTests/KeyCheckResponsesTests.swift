import Foundation
import Synchronization
import Testing
import TransitModel
import TransitSystem
import TransitTestSupport
import TransitTestTraits

@testable import TransitFetch

/// Tests that the check of a new key and the first request of its feed are one request.
@Suite(.ownThreads) struct KeyCheckResponsesTests {
    private final class Provider: Transport {
        let requested = Mutex<[String]>([])
        let outcome = Mutex(FetchResult.Outcome.fetched(.memory(Array("[agencies]".utf8))))

        func start(
            _ request: FetchRequest, until flag: CancellationFlag, completion: @escaping @Sendable (FetchResult) -> Void
        ) {
            requested.withLock { $0.append(request.url) }
            completion(FetchResult(outcome: outcome.withLock { $0 }))
        }
    }

    private let provider = Provider()
    private let responses: KeyCheckResponses

    init() { responses = KeyCheckResponses(provider) }

    private func request(_ key: String = "good") -> FetchRequest {
        var request = FetchRequest(url: "https://api.example.org/agency")
        request.secrets = [.header(name: "X-API-KEY", Secret(key))]
        return request
    }

    private var count: Int { provider.requested.withLock { $0.count } }

    @Test func listIsRequestedOnceDuringSetup() async throws {
        let folder = try TestFolder()
        // Setup checks the key, stores it, and the first collection starts.
        let checked = await responses.check(request(), isCharged: false)
        #expect(checked.requests == 0 || checked.requests == 1)
        let stored = await responses.check(request(), isCharged: true)
        #expect(stored.outcome == checked.outcome)
        // The request is charged once, by the first caller that knows the budget.
        #expect(stored.requests == 1)
        var step = request()
        step.destination = .file(path: folder("agency.part"))
        let collected = await responses.fetch(step)
        #expect(collected.requests == 0)
        #expect(collected.outcome == .fetched(.file(path: folder("agency.part"), size: 10)))
        #expect(try String(contentsOfFile: folder("agency.part"), encoding: .utf8) == "[agencies]")
        #expect(count == 1)
        // The next collection receives a new list.
        _ = await responses.fetch(step)
        #expect(count == 2)
    }

    @Test func otherKeyIsCheckedAnew() async {
        _ = await responses.check(request(), isCharged: true)
        _ = await responses.check(request("other"), isCharged: true)
        #expect(count == 2)
    }

    @Test func failedCheckIsNotKept() async {
        provider.outcome.withLock { $0 = .http(status: 403, retryAfter: nil) }
        _ = await responses.check(request(), isCharged: true)
        provider.outcome.withLock { $0 = .fetched(.memory([])) }
        let second = await responses.check(request(), isCharged: true)
        #expect(count == 2 && second.requests == 1)
    }
}
