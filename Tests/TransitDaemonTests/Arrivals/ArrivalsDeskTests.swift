import Foundation
import Synchronization
import Testing
import TransitControl
import TransitEngine
import TransitFeeds
import TransitModel
import TransitTestSupport

@testable import TransitDaemon

/// Questions about what is asked on demand, against an upstream on loopback. The clock stands at Friday 27 March 2026,
/// 06:30 in Berlin: the first bus of the timetable leaves the harbour at 08:00.
@Suite struct ArrivalsDeskTests {
    private final class Reply: Sendable {
        let answer = Mutex<DeparturesResult?>(nil)
    }

    /// What the upstream answers, by path; a path that is not there is not answered.
    private final class Upstream: Sendable {
        let answers = Mutex<[String: String]>([:])
        private let gate = NSLock()

        /// What is answered now, or when ``hold(_:)`` lets it.
        func answer(_ path: String) -> String? { gate.withLock { answers.withLock { $0[path] } } }

        /// Keeps every answer back while `body` runs.
        func hold<Result>(_ body: () throws -> Result) rethrows -> Result { try gate.withLock(body) }

        func set(_ path: String, _ body: String) {
            answers.withLock {
                $0[path] = "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
            }
        }
        func fail(_ path: String, _ status: Int, _ headers: String = "") {
            answers.withLock {
                $0[path] = "HTTP/1.1 \(status) No\r\n\(headers)Content-Length: 0\r\nConnection: close\r\n\r\n"
            }
        }
    }

    private let upstream = Upstream()
    private let server: LoopbackServer
    private let daemon: TestDaemon
    private static let path = "/eta/harbor/bus24"
    private static let board = DeparturesParameters(stop: "harbor")

    init() async throws {
        server = try LoopbackServer { [upstream] request in upstream.answer(request.path) }
        let base = server.url("")
        let source: ArrivalsDesk.Source = { _ in TestArrivals(base: base) }
        daemon = try TestDaemon(
            feeds: ["city": .small], at: "2026-03-27T05:30:00Z",
            {
                BoardHandlerTests.withPlaces(&$0)
                $0.questions.boardCount = 1
                $0.commutes = [
                    CommuteConfiguration(
                        name: "morning", from: "home", to: "work",
                        windows: [CommuteWindow(start: 6 * 3600, end: 7 * 3600)])
                ]
            }, arrivals: source)
        #expect(try await daemon.update("city").outcome == .updated)
    }

    /// The harbour has another name.
    private static let renamed = FeedBuilder.small.file(
        "stops.txt",
        """
        stop_id,stop_code,stop_name,stop_lat,stop_lon,location_type,parent_station,platform_code
        harbor,100,Old Harbor,53.5400,9.9800,0,,
        market,101,Market Square,53.5450,9.9900,0,,
        central,,Central Station,53.5530,10.0060,1,,
        central:1,102,Central Station,53.5531,10.0061,0,central,1
        central:2,103,Central Station,53.5529,10.0063,0,central,2
        park,104,City Park,53.5600,10.0200,0,,

        """)

    /// Runs the desk while `body` runs.
    private func running(_ body: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [daemon] in try await daemon.parts.arrivals.run() }
            defer { group.cancelAll() }
            try await body()
        }
    }

    private func line(_ trip: String, in seconds: Int) -> String {
        "\(trip),\(daemon.clock.now().advanced(by: seconds).secondsSince1970)"
    }

    /// Wants what a board needs, and looks whether it is worth waiting for before any answer can have come.
    private func waits(_ call: DeparturesParameters = board) throws -> Bool { waits(.departures(call)) }

    private func waits(_ request: ControlRequest) -> Bool {
        upstream.hold { daemon.handlers.waits(request, from: daemon.caller(1000), pace: AnswerPace {}) }
    }

    private var asked: [String] { server.requests.map(\.path) }

    @Test func aQuestionWaitsForWhatIsNotKnown() async throws {
        upstream.set(Self.path, line("x1", in: 300))
        try await running {
            #expect(try waits())
            let answer = try await daemon.askLengthy(Self.board)
            let departure = try #require(answer.departures.first)
            #expect(departure.trip == "x1")
            #expect((departure.source, departure.status, departure.age) == (.live, .added, 0))
            #expect(departure.expected?.instant == daemon.clock.now().advanced(by: 300))
            #expect(!answer.notices.map(\.kind).contains(.fetching))
            // What is new enough is answered at once, with its age.
            daemon.clock.advance(by: 40)
            #expect(try !waits())
            #expect(try daemon.ask(Self.board).departures.first?.age == 40)
            #expect(asked == [Self.path])
            daemon.clock.advance(by: 11)
            #expect(try waits())
        }
    }

    @Test func theAnswerOfOneQuestionTakesThePlaceOfTheOneBefore() async throws {
        upstream.set(Self.path, line("x1", in: 300))
        try await running {
            #expect(try waits())
            _ = try await daemon.askLengthy(Self.board)
            upstream.set(Self.path, line("x2", in: 400))
            daemon.clock.advance(by: 55)
            #expect(try waits())
            #expect(try await daemon.askLengthy(Self.board).departures.map(\.trip) == ["x2"])
        }
    }

    @Test func nobodyWaitsForLongerThanTheBound() async throws {
        // The upstream takes the question and says nothing.
        try await running {
            #expect(try waits())
            let bound = daemon.clock.now().advanced(by: 3)
            let reply = Reply()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { [daemon] in
                    let answer = try await daemon.askLengthy(Self.board)
                    reply.answer.withLock { $0 = answer }
                }
                let isBounded = await daemon.settles { [daemon] in daemon.clock.isAwaited(at: bound) }
                #expect(isBounded)
                daemon.clock.advance(by: 2)
                let isEarly = await daemon.settles(turns: 100) { reply.answer.withLock { $0 != nil } }
                #expect(!isEarly)
                daemon.clock.advance(by: 1)
                try await group.waitForAll()
            }
            let answer = try #require(reply.answer.withLock { $0 })
            #expect(answer.notices.map(\.kind).contains(.fetching))
            #expect(daemon.clock.now() == bound)
            // What the timetable says is there meanwhile.
            #expect(answer.departures.first?.source == .scheduled)
        }
    }

    @Test func aRefusalIsSaidAndNotRepeated() async throws {
        upstream.fail(Self.path, 422)
        try await running {
            #expect(try waits())
            let answer = try await daemon.askLengthy(Self.board)
            let notice = try #require(answer.notices.first { $0.kind == .failed })
            #expect(
                notice.message
                    == "The departures from Harbor could not be asked: the source refused to answer "
                    + "(HTTP status 422); next try in 60 min.")
            daemon.clock.advance(by: 1800)
            #expect(try !waits())
            #expect(asked.count == 1)
        }
    }

    @Test func aHostThatAsksForTimeGetsIt() async throws {
        upstream.fail(Self.path, 429, "Retry-After: 90\r\n")
        try await running {
            #expect(try waits())
            _ = try await daemon.askLengthy(Self.board)
            daemon.clock.advance(by: 60)
            #expect(try !waits())
            let answer = try daemon.ask(Self.board)
            #expect(answer.notices.first { $0.kind == .failed }?.message.contains("429; next try in") == true)
            #expect(asked.count == 1)
        }
    }

    @Test func whatCannotBeReadIsSaid() async throws {
        upstream.set(Self.path, "garbage")
        try await running {
            #expect(try waits())
            let answer = try await daemon.askLengthy(Self.board)
            #expect(answer.notices.map(\.kind).contains(.malformed))
        }
    }

    @Test func theOperatorsWordsAreNotSwallowed() async throws {
        upstream.set(Self.path, "!ETA service suspended")
        try await running {
            #expect(try waits())
            let answer = try await daemon.askLengthy(Self.board)
            #expect(answer.notices.first { $0.kind == .suspended }?.message == "city says: ETA service suspended.")
        }
    }

    @Test func aNewVersionOfTheTimetableKeepsTheAnswers() async throws {
        upstream.set(Self.path, line("x1", in: 300))
        try await running {
            #expect(try waits())
            _ = try await daemon.askLengthy(Self.board)
            try daemon.publish(Self.renamed, as: "city")
            #expect(try await daemon.update("city", whole: true).outcome == .updated)
            let answer = try daemon.ask(Self.board)
            #expect(answer.stop.name == "Old Harbor")
            #expect(answer.departures.first?.trip == "x1")
        }
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
        let kept = try #require(desk.tools.live.keptArrivals(of: "city", now: daemon.clock.now()))
        desk.tools.live.forgetArrivals(of: "city")
        desk.tools.live.keepArrivals(kept, of: "city", at: daemon.clock.now())
        #expect(try daemon.ask(Self.board).departures.first?.trip == "b1")
        let again = ArrivalsDesk(desk.tools) { [server] _ in TestArrivals(base: server.url("")) }
        again.apply(daemon.daemon.configuration.current.feeds)
        let needs = [ArrivalsNeed(feed: "city", queries: [ArrivalsQuery("harbor/bus24")])]
        again.want(needs, .user)
        again.restoreWhatIsWanted()
        let standing = try #require(again.standings(needs).first)
        #expect(standing.age == 20)
        #expect(standing.isFresh)
        let departure = try #require(try daemon.ask(Self.board).departures.first)
        #expect((departure.trip, departure.age) == ("x1", 20))
    }

    @Test func whoWatchesKeepsItFresh() async throws {
        upstream.set(Self.path, line("x1", in: 3000))
        try await running {
            let topic = Topic(topic: .departures, stop: "harbor")
            func look() throws {
                _ = try daemon.handlers.snapshot(of: topic, for: daemon.caller(1000), pace: AnswerPace {})
            }
            let need = ArrivalsNeed(feed: "city", queries: [ArrivalsQuery("harbor/bus24")])
            for round in 0..<12 {
                if round > 0 { daemon.clock.advance(by: 15) }
                try look()
                let isFresh = await daemon.settles { [desk = daemon.parts.arrivals] in
                    desk.standings([need]).first?.isFresh == true
                }
                #expect(isFresh)
            }
            // At the first look and at those after 60 and 120 s: an answer is new enough for 50.
            #expect(asked.count == 3)
        }
    }

    // MARK: Favourites

    private func board(_ call: FavoriteShowParameters) async throws -> FavoriteShowResult {
        waits(.favoriteShow(call)) ? try await daemon.askLengthy(call, uid: 1000) : try daemon.ask(call)
    }

    @Test func aFavouriteWaitsForWhatIsNotKnown() async throws {
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
            #expect(second.boards.first?.remark == nil)
            #expect(second.notices.contains { $0.kind == .failed && $0.message.contains("422") })
        }
    }

    @Test func whoWatchesFavouritesKeepsThemFresh() async throws {
        upstream.set(Self.path, line("x1", in: 3000))
        _ = try daemon.ask(FavoriteAddParameters(stop: "harbor"))
        try await running {
            let topic = Topic(topic: .favorite, count: 1)
            let need = ArrivalsNeed(feed: "city", queries: [ArrivalsQuery("harbor/bus24")])
            var last: TopicSnapshot?
            for round in 0..<12 {
                if round > 0 { daemon.clock.advance(by: 15) }
                last = try daemon.handlers.snapshot(of: topic, for: daemon.caller(1000), pace: AnswerPace {})
                let isFresh = await daemon.settles { [desk = daemon.parts.arrivals] in
                    desk.standings([need]).first?.isFresh == true
                }
                #expect(isFresh)
            }
            #expect(asked.count == 3)
            #expect(last?.feeds == ["city"])
            #expect((last?.data as? FavoriteShowResult)?.boards.first?.departures.first?.trip == "x1")
        }
    }

    @Test func favouritesAreKeptReadyForWhoLookedLately() async throws {
        upstream.set(Self.path, line("x1", in: 3000))
        // The window of the commute is over.
        daemon.clock.advance(by: 3600)
        #expect(!daemon.handlers.preloadArrivals())
        _ = try daemon.ask(FavoriteAddParameters(stop: "harbor"), uid: 7)
        try await running {
            #expect(daemon.handlers.preloadArrivals())
            await daemon.wait { server.requests.count == 1 }
            #expect(asked == [Self.path])
        }
        daemon.clock.advance(by: 600)
        #expect(!daemon.handlers.preloadArrivals())
    }

    @Test func aPersonalCommuteIsKeptReadyForWhoAskedAboutIt() async throws {
        upstream.set(Self.path, line("x1", in: 3000))
        daemon.clock.advance(by: 3600)
        _ = try daemon.ask(CommuteAddParameters(name: "own", from: "home", to: "work"), uid: 7)
        #expect(!daemon.handlers.preloadArrivals())
        _ = try daemon.ask(NextParameters(commute: "own"), uid: 7)
        try await running {
            #expect(daemon.handlers.preloadArrivals())
            await daemon.wait { server.requests.count == 1 }
            #expect(asked == [Self.path])
        }
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
                group.addTask { [daemon] in try await ArrivalsPreloading(handlers: daemon.handlers).run() }
                let idles = await daemon.settles { [daemon] in
                    daemon.clock.isAwaited(at: daemon.clock.now().advanced(by: 600))
                }
                #expect(idles)
                _ = try daemon.ask(FavoriteAddParameters(stop: "harbor"))
                let isAsked = await daemon.settles { [server] in server.requests.count == 1 }
                #expect(isAsked)
                group.cancelAll()
            }
        }
    }

    @Test func aRefusalOutlivesARestart() async throws {
        upstream.fail(Self.path, 422)
        try await running {
            #expect(try waits())
            _ = try await daemon.askLengthy(Self.board)
        }
        let desk = daemon.parts.arrivals
        let restarted = ArrivalsDesk(desk.tools) { [base = server.url("")] _ in TestArrivals(base: base) }
        restarted.apply(daemon.daemon.configuration.current.feeds)
        let need = ArrivalsNeed(feed: "city", queries: [ArrivalsQuery("harbor/bus24")])
        restarted.want([need], .user)
        let standing = try #require(restarted.standings([need]).first)
        #expect(standing.trouble == .refused(status: 422))
        #expect(!restarted.isComing([need], by: daemon.clock.reading().boot.advanced(by: 600)))
        #expect(asked.count == 1)
    }

    @Test func aCommuteAsksOnlyWhatLeadsThere() async throws {
        upstream.set(Self.path, line("x1", in: 300))
        try await running {
            let parameters = NextParameters(commute: "home-to-work")
            #expect(waits(.next(parameters)))
            _ = try await daemon.askLengthy(parameters)
            // Neither the tram, nor the bus at its last stop or at the second one.
            #expect(Set(asked) == [Self.path])
        }
    }

    @Test func aCommuteInItsWindowIsAskedBeforeAnybodyAsks() async throws {
        upstream.set(Self.path, line("x1", in: 300))
        try await running {
            #expect(daemon.handlers.preloadArrivals())
            await daemon.wait { server.requests.count == 1 }
            #expect(asked == [Self.path])
        }
        daemon.clock.advance(by: 3600)
        #expect(!daemon.handlers.preloadArrivals())
    }

    @Test func aQuestionAboutTomorrowAsksNobody() async throws {
        #expect(try !waits(DeparturesParameters(stop: "harbor", at: "23:00")))
        #expect(asked.isEmpty)
    }

    @Test func statusTellsHowTheSourceStands() async throws {
        upstream.set(Self.path, line("x1", in: 300))
        try await running {
            #expect(try waits())
            _ = try await daemon.askLengthy(Self.board)
            let feed = try #require(try daemon.ask(StatusParameters()).feeds.first)
            let arrivals = try #require(feed.datasets.first { $0.dataset == .arrivals })
            #expect(arrivals.freshness == .fresh)
            #expect(arrivals.failures == 0)
            #expect(arrivals.notes == ["Questions kept: 1. Answers that are new enough: 1."])
            upstream.fail(Self.path, 500)
            daemon.clock.advance(by: 60)
            #expect(try waits())
            _ = try await daemon.askLengthy(Self.board)
            let failed = try #require(
                try daemon.ask(StatusParameters()).feeds.first?.datasets.first { $0.dataset == .arrivals })
            #expect(failed.failures >= 1)
            #expect(failed.outcome == .failed)
            #expect(failed.message == "HTTP status 500.")
        }
    }
}
