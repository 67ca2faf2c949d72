import Dispatch
import Logging
import Synchronization
import Testing
import TransitControl
import TransitEngine
import TransitFetch
import TransitModel
import TransitRefresh
import TransitServer
import TransitStore
import TransitSystem
import TransitTestSupport
import TransitTestTraits

@testable import TransitDaemon

/// Arrivals for favorites, subscriptions and commutes are available before a request needs them, also after a
/// restart.
@Suite(.ownThreads) struct ArrivalsFreshnessTests: ArrivalsSuite {
    let scene: ArrivalsFixture

    init() async throws { scene = try await ArrivalsFixture() }

    /// Asks as the server does, which prepares no lengthy request.
    private func board(_ call: FavoriteShowParameters) async throws -> FavoriteShowResult {
        #expect(FavoriteShowParameters.method.isLongRunning)
        return try await daemon.askLengthy(call, uid: 1000)
    }

    @Test func favoriteWaitsForUnknownArrivals() async throws {
        upstream.set(Self.path, line("x1", in: 300))
        _ = try daemon.ask(FavoriteAddParameters(stop: "harbor"))
        try await running {
            let call = FavoriteShowParameters(count: 1)
            let first = try await board(call)
            #expect(first.boards.first?.departures.map(\.trip) == ["x1"])
            #expect(asked == [Self.path])
            // The board shows scheduled departures together with the notice about the failed fetch.
            upstream.fail(Self.path, 422)
            daemon.clock.advance(by: 60)
            let second = try await board(call)
            #expect(second.boards.first?.departures.isEmpty == false)
            #expect(second.boards.first?.emptyReason == nil)
            #expect(second.notices.contains { $0.kind == .failed && $0.message.contains("422") })
        }
    }

    @Test func subscriptionKeepsArrivalsFresh() async throws {
        upstream.set(Self.path, line("x1", in: 3000))
        try await running {
            let topic = Topic(topic: .departures, stop: "harbor")
            func look() throws {
                _ = try daemon.handlers.evaluate(
                    UserTopic(topic: topic, uid: 1000), for: daemon.caller(1000), slowWork: SlowWorkSignal {})
            }
            for round in 0..<12 {
                if round > 0 { daemon.clock.advance(by: 15) }
                try look()
                let isFresh = eventually {
                    daemon.daemon.arrivals.arrivalsStatuses([Self.need]).first?.isFresh == true
                }
                #expect(isFresh)
            }
            // Requests are sent at the first evaluation and at those after 60 and 120 s, because a response is
            // fresh for 50 s.
            #expect(asked.count == 3)
        }
    }

    @Test func favoriteSubscriptionKeepsArrivalsFresh() async throws {
        upstream.set(Self.path, line("x1", in: 3000))
        _ = try daemon.ask(FavoriteAddParameters(stop: "harbor"))
        try await running {
            let topic = Topic(topic: .favorite, count: 1)
            var last: TopicSnapshot?
            for round in 0..<12 {
                if round > 0 { daemon.clock.advance(by: 15) }
                last = try daemon.handlers.evaluate(
                    UserTopic(topic: topic, uid: 1000), for: daemon.caller(1000), slowWork: SlowWorkSignal {})
                let isFresh = eventually {
                    daemon.daemon.arrivals.arrivalsStatuses([Self.need]).first?.isFresh == true
                }
                #expect(isFresh)
            }
            #expect(asked.count == 3)
            #expect(last?.conditions.feeds == ["city"])
            let result = try FavoriteShowParameters.reply(from: try #require(last).data)
            #expect(result.boards.first?.departures.first?.trip == "x1")
        }
    }

    @Test func recentlyViewedFavoritesArePreloaded() async throws {
        upstream.set(Self.path, line("x1", in: 3000))
        // The window of the commute is over.
        daemon.clock.advance(by: 3600)
        #expect(!daemon.preloader.preloadArrivals())
        _ = try daemon.ask(FavoriteAddParameters(stop: "harbor"), uid: 7)
        try await expectKeptReady()
        daemon.clock.advance(by: 600)
        #expect(!daemon.preloader.preloadArrivals())
    }

    @Test func recentlyRequestedCommuteIsPreloaded() async throws {
        upstream.set(Self.path, line("x1", in: 3000))
        daemon.clock.advance(by: 3600)
        _ = try daemon.ask(CommuteAddParameters(name: "own", from: "home", to: "work"), uid: 7)
        #expect(!daemon.preloader.preloadArrivals())
        _ = try daemon.ask(NextParameters(commute: "own"), uid: 7)
        try await expectKeptReady()
        // A removed commute needs no arrivals.
        _ = try daemon.ask(CommuteRemoveParameters(commute: "own"), uid: 7)
        daemon.clock.advance(by: 60)
        try await running {
            _ = daemon.preloader.preloadArrivals()
            for _ in 0..<2000 { await Task.yield() }
            #expect(asked.count == 1)
        }
    }

    @Test func newViewWakesPreloader() async throws {
        upstream.set(Self.path, line("x1", in: 3000))
        daemon.clock.advance(by: 3600)
        try await running {
            try await withThrowingTaskGroup(of: Void.self) { group in
                let service = daemon.preloader
                group.addTask { try await service.run() }
                let idles = eventually {
                    daemon.clock.isAwaited(at: daemon.clock.now().advanced(by: 600))
                }
                #expect(idles)
                _ = try daemon.ask(FavoriteAddParameters(stop: "harbor"))
                let isAsked = eventually { server.requests.count == 1 }
                #expect(isAsked)
                group.cancelAll()
            }
        }
    }

    @Test func commuteIsPreloadedDuringItsWindow() async throws {
        upstream.set(Self.path, line("x1", in: 300))
        try await expectKeptReady()
        daemon.clock.advance(by: 3600)
        #expect(!daemon.preloader.preloadArrivals())
    }

    @Test func responsesSurviveRestart() async throws {
        upstream.set(Self.path, line("x1", in: 300))
        try await running {
            #expect(try waits())
            _ = try await daemon.askLengthy(Self.board)
        }
        let service = daemon.daemon.arrivals
        service.saveAll()
        daemon.clock.advance(by: 20)
        // Simulates a restart by discarding the arrivals in memory. This also removes the disk cache, which is then
        // restored.
        let kept = try #require(service.dependencies.realtimeFeeds.cachedArrivals(of: "city", now: daemon.clock.now()))
        service.dependencies.realtimeFeeds.forgetArrivals(of: "city")
        service.dependencies.realtimeFeeds.cacheArrivals(kept, of: "city", at: daemon.clock.now())
        #expect(try daemon.ask(Self.board).departures.first?.trip == "b1")
        let again = anotherService()
        again.registerDemand([Self.need], .user)
        again.restoreRequested()
        let arrivalsStatus = try #require(again.arrivalsStatuses([Self.need]).first)
        #expect(arrivalsStatus.age == 20)
        #expect(arrivalsStatus.isFresh)
        let departure = try #require(try daemon.ask(Self.board).departures.first)
        #expect((departure.trip, departure.age) == ("x1", 20))
    }

    /// Requests take the lock, so it is not held while files are read.
    @Test func cachedResponsesAreReadWithoutALock() async throws {
        let service = ArrivalsService(daemon.daemon.arrivals.dependencies) { [base = server.url("")] _ in
            TestArrivalsSource(base: base)
        }
        let feeds = daemon.daemon.configuration.current.feeds
        daemon.daemon.realtimeFeeds.cacheArrivals(ArrivalsCacheFile().bytes, of: "city", at: daemon.clock.now())
        daemon.daemon.realtimeFeeds.write()
        let isReading = Mutex(false)
        let released = DispatchSemaphore(value: 0)
        let hanging = FileFaults { operation, path in
            guard operation == .open, path.contains("arrivals"), !isReading.withLock({ $0 }) else { return nil }
            isReading.withLock { $0 = true }
            released.wait()
            return nil
        }
        let applying = startTask { FileFaults.$current.withValue(hanging) { service.apply(feeds) } }
        #expect(eventually { isReading.withLock { $0 } })
        #expect(service.applyLock.withLockIfAvailable { _ in true } == true)
        released.signal()
        await applying.value
        #expect(service.source(of: "city") != nil)
    }

    @Test func refusedQueryStaysInBackoffAfterRestart() async throws {
        upstream.fail(Self.path, 422)
        try await running {
            #expect(try waits())
            _ = try await daemon.askLengthy(Self.board)
        }
        let restarted = anotherService()
        restarted.registerDemand([Self.need], .user)
        let arrivalsStatus = try #require(restarted.arrivalsStatuses([Self.need]).first)
        #expect(arrivalsStatus.lastFailure == .refused(status: 422))
        #expect(!restarted.mayArrive([Self.need], by: daemon.clock.reading().boot.advanced(by: 600)))
        #expect(asked.count == 1)
    }

    @Test func unreadableResponseKeepsCachedResponse() async throws {
        let answer = line("x1", in: 300)
        upstream.set(Self.path, answer)
        try await running {
            #expect(try waits())
            _ = try await daemon.askLengthy(Self.board)
            upstream.set(Self.path, "garbage")
            daemon.clock.advance(by: 55)
            #expect(try waits())
            #expect(try await daemon.askLengthy(Self.board).notices.map(\.kind).contains(.malformed))
        }
        let service = daemon.daemon.arrivals
        service.saveAll()
        let kept = try #require(service.dependencies.realtimeFeeds.cachedArrivals(of: "city", now: daemon.clock.now()))
        let archive = try #require(ArrivalsCacheFile(kept))
        #expect(archive.responses.values.map(\.body) == [Array(answer.utf8)])
    }

    @Test func responseOfReplacedSourceIsIgnored() async throws {
        upstream.set(Self.path, line("x1", in: 300))
        let service2 = Mutex<ArrivalsService?>(nil)
        let ended = Mutex(0)
        var changed = daemon.daemon.configuration.current.feeds
        changed[0].caFile = "/another"
        var dependencies = daemon.daemon.arrivals.dependencies
        dependencies.changed = { _ in ended.withLock { $0 += 1 } }
        dependencies.transport = InterceptingTransport(transport: dependencies.transport) { [changed] in
            service2.withLock { $0 }?.apply(changed)
        }
        let service = anotherService(dependencies)
        service2.withLock { $0 = service }
        try await running(service) {
            service.registerDemand([Self.need], .user)
            #expect(eventually { ended.withLock { $0 == 1 } })
            #expect(asked == [Self.path])
            let answer = try daemon.ask(Self.board)
            #expect(answer.departures.first?.trip == "b1")
        }
    }
}

/// Runs a closure while a request is in flight.
private struct InterceptingTransport: Transport {
    var transport: any Transport
    var deed: @Sendable () -> Void

    func start(
        _ request: FetchRequest, until flag: CancellationFlag, completion: @escaping @Sendable (FetchResult) -> Void
    ) {
        transport.start(request, until: flag) { result in
            deed()
            completion(result)
        }
    }
}
