import Logging
import Synchronization
import Testing
import TransitControl
import TransitEngine
import TransitModel

@testable import TransitDaemon

/// Arrivals that are there before somebody asks: of favourites, of what is watched, of commutes, and of the run before.
@Suite struct ArrivalsReadyTests: ArrivalsSuite {
    let scene: ArrivalsFixture

    init() async throws { scene = try await ArrivalsFixture() }

    private func board(_ call: FavoriteShowParameters) async throws -> FavoriteShowResult {
        waits(.favoriteShow(call)) ? try await daemon.askLengthy(call, uid: 1000) : try daemon.ask(call)
    }

    @Test func aFavoriteWaitsForWhatIsNotKnown() async throws {
        upstream.set(Self.path, line("x1", in: 300))
        _ = try daemon.ask(FavoriteAddParameters(stop: "harbor"))
        try await running {
            let call = FavoriteShowParameters(count: 1)
            let first = try await board(call)
            #expect(first.boards.first?.departures.map(\.trip) == ["x1"])
            #expect(asked == [Self.path])
            // What could not be asked is said beside what the timetable has.
            upstream.fail(Self.path, 422)
            daemon.clock.advance(by: 60)
            let second = try await board(call)
            #expect(second.boards.first?.departures.isEmpty == false)
            #expect(second.boards.first?.emptyReason == nil)
            #expect(second.notices.contains { $0.kind == .failed && $0.message.contains("422") })
        }
    }

    @Test func whoWatchesKeepsItFresh() async throws {
        upstream.set(Self.path, line("x1", in: 3000))
        try await running {
            let topic = Topic(topic: .departures, stop: "harbor")
            func look() throws {
                _ = try daemon.handlers.snapshot(of: topic, for: daemon.caller(1000), slowWork: SlowWorkSignal {})
            }
            for round in 0..<12 {
                if round > 0 { daemon.clock.advance(by: 15) }
                try look()
                let isFresh = await daemon.eventuallyHolds { [desk = daemon.parts.arrivals] in
                    desk.arrivalsStatuses([Self.need]).first?.isFresh == true
                }
                #expect(isFresh)
            }
            // At the first look and at those after 60 and 120 s: an answer is new enough for 50.
            #expect(asked.count == 3)
        }
    }

    @Test func whoWatchesFavoritesKeepsThemFresh() async throws {
        upstream.set(Self.path, line("x1", in: 3000))
        _ = try daemon.ask(FavoriteAddParameters(stop: "harbor"))
        try await running {
            let topic = Topic(topic: .favorite, count: 1)
            var last: TopicSnapshot?
            for round in 0..<12 {
                if round > 0 { daemon.clock.advance(by: 15) }
                last = try daemon.handlers.snapshot(of: topic, for: daemon.caller(1000), slowWork: SlowWorkSignal {})
                let isFresh = await daemon.eventuallyHolds { [desk = daemon.parts.arrivals] in
                    desk.arrivalsStatuses([Self.need]).first?.isFresh == true
                }
                #expect(isFresh)
            }
            #expect(asked.count == 3)
            #expect(last?.feeds == ["city"])
            #expect((last?.data as? FavoriteShowResult)?.boards.first?.departures.first?.trip == "x1")
        }
    }

    @Test func favoritesAreKeptReadyForWhoLookedLately() async throws {
        upstream.set(Self.path, line("x1", in: 3000))
        // The window of the commute is over.
        daemon.clock.advance(by: 3600)
        #expect(!daemon.handlers.preloadArrivals())
        _ = try daemon.ask(FavoriteAddParameters(stop: "harbor"), uid: 7)
        try await expectKeptReady()
        daemon.clock.advance(by: 600)
        #expect(!daemon.handlers.preloadArrivals())
    }

    @Test func aPersonalCommuteIsKeptReadyForWhoAskedAboutIt() async throws {
        upstream.set(Self.path, line("x1", in: 3000))
        daemon.clock.advance(by: 3600)
        _ = try daemon.ask(CommuteAddParameters(name: "own", from: "home", to: "work"), uid: 7)
        #expect(!daemon.handlers.preloadArrivals())
        _ = try daemon.ask(NextParameters(commute: "own"), uid: 7)
        try await expectKeptReady()
        // One that is gone needs nothing.
        _ = try daemon.ask(CommuteRemoveParameters(commute: "own"), uid: 7)
        daemon.clock.advance(by: 60)
        try await running {
            _ = daemon.handlers.preloadArrivals()
            for _ in 0..<2000 { await Task.yield() }
            #expect(asked.count == 1)
        }
    }

    @Test func aLookWakesWhoeverKeepsThingsReady() async throws {
        upstream.set(Self.path, line("x1", in: 3000))
        daemon.clock.advance(by: 3600)
        try await running {
            try await withThrowingTaskGroup(of: Void.self) { group in
                let service = ArrivalsPreloader(handlers: daemon.handlers, logger: Logger(label: "test"))
                group.addTask { try await service.run() }
                let idles = await daemon.eventuallyHolds { [daemon] in
                    daemon.clock.isAwaited(at: daemon.clock.now().advanced(by: 600))
                }
                #expect(idles)
                _ = try daemon.ask(FavoriteAddParameters(stop: "harbor"))
                let isAsked = await daemon.eventuallyHolds { [server] in server.requests.count == 1 }
                #expect(isAsked)
                group.cancelAll()
            }
        }
    }

    @Test func aCommuteInItsWindowIsAskedBeforeAnybodyAsks() async throws {
        upstream.set(Self.path, line("x1", in: 300))
        try await expectKeptReady()
        daemon.clock.advance(by: 3600)
        #expect(!daemon.handlers.preloadArrivals())
    }

    @Test func whatWasAnsweredIsThereAfterARestart() async throws {
        upstream.set(Self.path, line("x1", in: 300))
        try await running {
            #expect(try waits())
            _ = try await daemon.askLengthy(Self.board)
        }
        let desk = daemon.parts.arrivals
        desk.saveAll()
        daemon.clock.advance(by: 20)
        // As if nothing were in memory; what is on the disk goes with it and is put back.
        let kept = try #require(desk.dependencies.live.cachedArrivals(of: "city", now: daemon.clock.now()))
        desk.dependencies.live.forgetArrivals(of: "city")
        desk.dependencies.live.cacheArrivals(kept, of: "city", at: daemon.clock.now())
        #expect(try daemon.ask(Self.board).departures.first?.trip == "b1")
        let again = anotherDesk()
        again.want([Self.need], .user)
        again.restoreRequested()
        let arrivalsStatus = try #require(again.arrivalsStatuses([Self.need]).first)
        #expect(arrivalsStatus.age == 20)
        #expect(arrivalsStatus.isFresh)
        let departure = try #require(try daemon.ask(Self.board).departures.first)
        #expect((departure.trip, departure.age) == ("x1", 20))
    }

    @Test func aRefusalOutlivesARestart() async throws {
        upstream.fail(Self.path, 422)
        try await running {
            #expect(try waits())
            _ = try await daemon.askLengthy(Self.board)
        }
        let restarted = anotherDesk()
        restarted.want([Self.need], .user)
        let arrivalsStatus = try #require(restarted.arrivalsStatuses([Self.need]).first)
        #expect(arrivalsStatus.trouble == .refused(status: 422))
        #expect(!restarted.isComing([Self.need], by: daemon.clock.reading().boot.advanced(by: 600)))
        #expect(asked.count == 1)
    }

    @Test func whatCannotBeReadTakesTheLastAnswerOffNoDisk() async throws {
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
        let desk = daemon.parts.arrivals
        desk.saveAll()
        let kept = try #require(desk.dependencies.live.cachedArrivals(of: "city", now: daemon.clock.now()))
        let archive = try #require(ArrivalsArchive(kept))
        #expect(archive.answers.values.map(\.body) == [Array(answer.utf8)])
    }

    @Test func whatAFormerSourceAnswersIsNotUsed() async throws {
        upstream.set(Self.path, line("x1", in: 300))
        let former = Mutex<ArrivalsService?>(nil)
        let ended = Mutex(0)
        var changed = daemon.daemon.configuration.current.feeds
        changed[0].caFile = "/another"
        var dependencies = daemon.parts.arrivals.dependencies
        dependencies.changed = { _ in ended.withLock { $0 += 1 } }
        dependencies.transport = InterceptingTransport(transport: dependencies.transport) { [changed] in
            former.withLock { $0 }?.apply(changed)
        }
        let desk = anotherDesk(dependencies)
        former.withLock { $0 = desk }
        try await running(desk) {
            desk.want([Self.need], .user)
            #expect(await daemon.eventuallyHolds { ended.withLock { $0 == 1 } })
            #expect(asked == [Self.path])
            let answer = try daemon.ask(Self.board)
            #expect(answer.departures.first?.trip == "b1")
        }
    }
}

/// Does something while a request is under way.
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
