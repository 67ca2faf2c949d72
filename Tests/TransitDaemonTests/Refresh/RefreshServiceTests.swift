import Logging
import Synchronization
import Testing
import TransitModel
import TransitRefresh
import TransitStore
import TransitSystem
import TransitTestSupport
import TransitTestTraits

@testable import TransitDaemon
@testable import TransitServer

/// Tests of the service around the engine: time, ledger, fetches, and waiting requests.
@Suite("The refresh service", .ownThreads)
struct RefreshServiceTests {
    private let folder: TestFolder
    private let clock = SleepingClock("2026-03-27T06:30:00Z")
    private let state: StateStore
    private let dataset = DatasetID("city", .alerts)

    init() throws {
        folder = try TestFolder()
        state = try StateStore(
            directory: folder("state"), today: try #require(ServiceDate(year: 2026, month: 3, day: 27)))
    }

    /// Counts the fetches, and delays their responses on request.
    private final class Upstream: Sendable {
        let orders = Mutex<[DatasetFetch]>([])
        /// Responses are delayed until this signal is triggered.
        let mayAnswer = CancelSignal()
        let answer: @Sendable (DatasetFetch) -> FetchOutcome.Result

        init(isHeld: Bool = false, _ answer: @escaping @Sendable (DatasetFetch) -> FetchOutcome.Result) {
            self.answer = answer
            if !isHeld { mayAnswer.trigger() }
        }

        var count: Int { orders.withLock { $0.count } }

        @Sendable func fetch(_ order: DatasetFetch, _ flag: CancellationFlag) async -> FetchOutcome {
            orders.withLock { $0.append(order) }
            await mayAnswer.wait()
            return FetchOutcome(ticket: order.ticket, dataset: order.dataset, result: answer(order))
        }
    }

    private func service(_ upstream: Upstream) throws -> RefreshService {
        var configuration = RefreshConfiguration()
        configuration.datasets[dataset] = RefreshConfiguration.Dataset(
            source: DatasetSource(endpoint: "https://a.example/alerts", host: "a.example:443"),
            policy: .standard(for: .alerts))
        let events = RefreshEvents()
        let engine = RefreshEngine(
            configuration: configuration, ledger: try state.refreshLedger(), boot: "test", seed: 1,
            now: clock.reading())
        return RefreshService(
            engine: engine, events: events, waiters: RefreshWaiters(events), permits: FetchPermits(events),
            state: state,
            clock: clock, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, changed: { _ in },
            fetch: upstream.fetch)
    }

    private func running(_ service: RefreshService, _ body: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            try await body()
            group.cancelAll()
        }
    }

    private func wait(until isTrue: () -> Bool) {
        clock.advance(until: isTrue)
    }

    @Test("Datasets are fetched at the start and then by their policy; a restart does not fetch fresh data")
    func datasetsAreFetchedBySchedule() async throws {
        let upstream = Upstream { _ in .content(digest: "1", Validators(etag: "\"1\"")) }
        let first = try service(upstream)
        try await running(first) {
            wait { first.record(dataset)?.lastSuccess != nil }
            wait { upstream.count == 2 }
            // Without further steps of the clock, a slow machine makes no third fetch before the test looks.
            let isRecorded = eventually { first.record(dataset)?.updates == 2 }
            #expect(isRecorded)
        }
        #expect(upstream.count == 2)
        #expect(upstream.orders.withLock { $0[1].validators?.etag } == "\"1\"")
        let again = try service(upstream)
        try await running(again) {
            let due = try #require(again.plans()[dataset]?.due)
            #expect(due.wall > clock.now().advanced(by: 60))
            for _ in 0..<5000 { await Task.yield() }
        }
        #expect(upstream.count == 2)
    }

    @Test func ledgerIsSavedLaterIfItsThreadCannotBeStarted() async throws {
        let upstream = Upstream { _ in .content(digest: "1", Validators()) }
        let service = try service(upstream)
        let attempts = Mutex(0)
        let faults = ThreadFaults { name in
            guard name == "ledger" else { return false }
            return attempts.withLock { attempts in
                attempts += 1
                return attempts <= 2
            }
        }
        try await ThreadFaults.$current.withValue(faults) {
            try await running(service) {
                // What is on disk.
                wait { (try? self.service(upstream))?.record(dataset)?.lastSuccess != nil }
            }
        }
        #expect(attempts.withLock { $0 } > 2)
        #expect(try self.service(upstream).record(dataset)?.lastSuccess != nil)
    }

    @Test("Concurrent requests share one fetch and its outcome")
    func concurrentRequestsShareFetch() async throws {
        let upstream = Upstream(isHeld: true) { _ in .failed(.status(404)) }
        let service = try service(upstream)
        try await running(service) {
            async let one = service.waiters.refresh(.all)
            async let other = service.waiters.refresh(.dataset(dataset))
            wait { service.waiters.waiting == 2 && upstream.count == 1 }
            upstream.mayAnswer.trigger()
            // The clock stands still, so that a slow machine does not repeat the failed fetch before the test looks.
            let (answers, others) = await (one, other)
            for answer in [answers[dataset], others[dataset]] {
                guard case .ended(let update)? = answer else {
                    return #expect(Bool(false), "\(String(describing: answer))")
                }
                #expect(update.outcome == .failed)
                #expect(update.reason == "HTTP status 404")
            }
        }
        #expect(upstream.count == 1)
    }

    @Test("A canceled request and a request after the end get no outcome")
    func canceledRequestReturnsAtOnce() async throws {
        let upstream = Upstream { _ in .notModified(Validators()) }
        let service = try service(upstream)
        let asker = startTask { await service.waiters.refresh(.all) }
        asker.cancel()
        #expect(await asker.value.isEmpty)
        service.waiters.close()
        #expect(await service.waiters.refresh(.all).isEmpty)
    }
}
