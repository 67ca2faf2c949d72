import Testing
import TransitControl
import TransitEngine
import TransitFeeds
import TransitModel
import TransitTestSupport
import TransitTestTraits

@testable import TransitDaemon

/// Tests of a source that serves a stop's timetable for a date. A downloaded timetable stays valid for a day and a
/// half.
@Suite(.ownThreads) struct PlannedArrivalsTests: ArrivalsSuite {
    let scene: ArrivalsFixture

    init() async throws { scene = try await ArrivalsFixture(TestArrivalsSource.plans) }

    private static let today = "/eta/harbor/bus24/2026-03-27"
    private static let tomorrow = "/eta/harbor/bus24/2026-03-28"
    private static let board = DeparturesParameters(stop: "harbor", count: 5)

    private func extras(_ result: DeparturesResult) -> [Departure] {
        result.departures.filter { $0.trip.rawValue.hasPrefix("x") }
    }

    @Test func requestForTomorrowQueriesThatDate() async throws {
        upstream.set(Self.tomorrow, line("x1", in: 24 * 3600))
        try await running {
            let question = DeparturesParameters(stop: "harbor", at: "2026-03-28T05:00", count: 5)
            #expect(try waits(question))
            let answer = try await daemon.askLengthy(question)
            #expect(asked == [Self.tomorrow])
            let departure = try #require(extras(answer).first)
            #expect(departure.scheduled?.instant == daemon.clock.now().advanced(by: 24 * 3600))
            #expect((departure.source, departure.realtimeState, departure.age) == (.scheduled, .notExpected, 0))
            // The date is beyond the last one that the source covers.
            #expect(try !waits(DeparturesParameters(stop: "harbor", at: "2026-04-05T05:00")))
        }
    }

    /// A defect once hid departures at 08:15 and 08:25 that were known at 08:13, because the server had been
    /// unreachable for 25 minutes.
    @Test func planIsShownWithItsAgeWhileSourceIsUnreachable() async throws {
        upstream.set(Self.today, line("x1", in: 1000) + "\n" + line("x2", in: 3600) + "\n" + line("x3", in: 30_000))
        try await running {
            #expect(try waits(Self.board))
            #expect(try await extras(daemon.askLengthy(Self.board)).map(\.trip) == ["x1", "x2", "x3"])
            upstream.fail(Self.today, 503)
            daemon.clock.advance(by: 26 * 60)
            _ = try waits(Self.board)
            let later = try await daemon.askLengthy(Self.board)
            #expect(extras(later).map(\.trip) == ["x2", "x3"])
            #expect(extras(later).allSatisfy { $0.source == .scheduled && $0.realtimeState == .aging })
            #expect(extras(later).first?.age == 26 * 60)
            #expect(later.notices.map(\.kind).contains(.failed))
            // Without a network, the downloaded timetable stays valid until it ends.
            daemon.daemon.arrivals.setOnline(false)
            daemon.clock.advance(by: 7 * 3600)
            let offline = try daemon.ask(Self.board)
            #expect(extras(offline).map(\.trip) == ["x3"])
        }
    }

    @Test func planSurvivesRestartWithoutNetwork() async throws {
        upstream.set(Self.today, line("x1", in: 10_000))
        try await running {
            #expect(try waits(Self.board))
            _ = try await daemon.askLengthy(Self.board)
        }
        let service = daemon.daemon.arrivals
        service.saveAll()
        daemon.clock.advance(by: 2 * 3600)
        let kept = try #require(service.dependencies.realtimeFeeds.cachedArrivals(of: "city", now: daemon.clock.now()))
        service.dependencies.realtimeFeeds.forgetArrivals(of: "city")
        service.dependencies.realtimeFeeds.cacheArrivals(kept, of: "city", at: daemon.clock.now())
        #expect(try extras(daemon.ask(Self.board)).isEmpty)
        let again = ArrivalsService(service.dependencies) { [base = server.url("")] _ in TestArrivalsSource.plans(base)
        }
        again.apply(daemon.daemon.configuration.current.feeds)
        again.setOnline(false)
        // The cached response is applied at once, so the current request uses it.
        again.registerDemand(
            [ArrivalsRequirement(feed: "city", queries: [ArrivalsQuery("harbor/bus24/2026-03-27")])], .user)
        let departure = try #require(try extras(daemon.ask(Self.board)).first)
        #expect((departure.trip, departure.age) == ("x1", 2 * 3600))
    }

    /// A downloaded timetable expires after a day and a half.
    @Test func planExpires() async throws {
        upstream.set(Self.today, line("x1", in: 40 * 3600))
        try await running {
            #expect(try waits(Self.board))
            let known = try await daemon.askLengthy(Self.board)
            #expect(!extras(known).isEmpty)
            daemon.daemon.arrivals.setOnline(false)
            daemon.clock.advance(by: 36 * 3600 + 60)
            let later = try daemon.ask(Self.board)
            #expect(extras(later).isEmpty)
        }
    }
}
