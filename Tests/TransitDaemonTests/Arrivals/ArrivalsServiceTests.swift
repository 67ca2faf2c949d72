import Synchronization
import Testing
import TransitControl
import TransitEngine
import TransitModel
import TransitQueries
import TransitStore
import TransitTestSupport
import TransitTestTraits

@testable import TransitDaemon
@testable import TransitFeeds

/// Requests that depend on on-demand arrivals: when they wait, and which notices they return.
@Suite(.ownThreads) struct ArrivalsServiceTests: ArrivalsSuite {
    let scene: ArrivalsFixture

    init() async throws { scene = try await ArrivalsFixture() }

    private final class Reply: Sendable {
        let answer = Mutex<DeparturesResult?>(nil)
    }

    /// The feed with a different name for the harbor.
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

    @Test func requestWaitsForUnknownArrivals() async throws {
        upstream.set(Self.path, line("x1", in: 300))
        try await running {
            #expect(try waits())
            let answer = try await daemon.askLengthy(Self.board)
            let departure = try #require(answer.departures.first)
            #expect(departure.trip == "x1")
            #expect((departure.source, departure.status, departure.age) == (.live, .added, 0))
            #expect(departure.expected?.instant == daemon.clock.now().advanced(by: 300))
            #expect(!answer.notices.map(\.kind).contains(.fetching))
            // A fresh response is used at once, with its age.
            daemon.clock.advance(by: 40)
            #expect(try !waits())
            #expect(try daemon.ask(Self.board).departures.first?.age == 40)
            #expect(asked == [Self.path])
            daemon.clock.advance(by: 11)
            #expect(try waits())
        }
    }

    /// The upstream responds at once, with data that is two hours old.
    @Test func outdatedArrivalsAreFound() async throws {
        upstream.set(Self.path, "")
        try await running {
            #expect(try waits())
            _ = try await daemon.askLengthy(Self.board)
            let now = daemon.clock.now()
            let bus = RealtimeEntity.tripUpdate(
                TripUpdate(
                    id: "x",
                    trip: TripDescriptor(tripID: "x", routeID: "bus24", relationship: .added),
                    updates: [
                        StopTimeUpdate(
                            stopID: "harbor", departure: StopTimeEvent(time: now.advanced(by: 300)))
                    ], timestamp: now.advanced(by: -7200)))
            let taken = daemon.daemon.realtimeFeeds.receive(
                DecodedMessage(header: RealtimeHeader(timestamp: now), entities: [bus]), of: "harbor/bus24",
                feed: "city", received: now, now: now)
            #expect(taken.isUsed)
            let realtime = try #require(daemon.daemon.feeds.snapshot("city")?.realtimeTimetable)
            let timetable = try #require(daemon.daemon.feeds.snapshot("city")?.timetable)
            let harbor = try #require(try timetable.file.stop(id: "harbor"))
            #expect(realtime.outdatedArrival(at: [harbor], now: now) == now.advanced(by: -7200))
            #expect(realtime.outdatedArrival(at: [harbor], now: now.advanced(by: 400)) == nil)
            #expect(realtime.outdatedArrival(at: [], now: now) == nil)
        }
    }

    @Test func unreadableResponseIsReportedByValidation() async throws {
        upstream.set(Self.path, "no line of arrivals")
        try await running {
            #expect(try waits())
            #expect(try await daemon.askLengthy(Self.board).notices.map(\.kind).contains(.malformed))
            let report = try daemon.ask(FeedValidateParameters(feed: "city", realtime: true))
            let words = "The last response about arrivals cannot be used: Not a line of arrivals."
            #expect(report.notices.map(\.message).contains { $0.hasPrefix(words.dropLast()) })
        }
    }

    @Test func newResponseReplacesPreviousOne() async throws {
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

    @Test func waitEndsAtConfiguredBound() async throws {
        // The upstream accepts the request and never responds.
        try await running {
            #expect(try waits())
            let bound = daemon.clock.now().advanced(by: 3)
            let reply = Reply()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { [daemon] in
                    let answer = try await daemon.askLengthy(Self.board)
                    reply.answer.withLock { $0 = answer }
                }
                let isBounded = eventually { daemon.clock.isAwaited(at: bound) }
                #expect(isBounded)
                daemon.clock.advance(by: 2)
                // It still waits.
                #expect(daemon.clock.isAwaited(at: bound))
                #expect(reply.answer.withLock { $0 == nil })
                daemon.clock.advance(by: 1)
                try await group.waitForAll()
            }
            let answer = try #require(reply.answer.withLock { $0 })
            #expect(answer.notices.map(\.kind).contains(.fetching))
            #expect(daemon.clock.now() == bound)
            // The timetable's departures are shown in the meantime.
            #expect(answer.departures.first?.source == .scheduled)
        }
    }

    @Test func refusedQueryIsReportedAndNotRepeated() async throws {
        upstream.fail(Self.path, 422)
        try await running {
            #expect(try waits())
            let answer = try await daemon.askLengthy(Self.board)
            let notice = try #require(answer.notices.first { $0.kind == .failed })
            #expect(
                notice.message
                    == "The departures from Harbor could not be fetched: the source rejected the request "
                    + "(HTTP status 422); the next attempt is in 60 min.")
            daemon.clock.advance(by: 1800)
            #expect(try !waits())
            #expect(asked.count == 1)
        }
    }

    @Test func retryAfterIsObeyed() async throws {
        upstream.fail(Self.path, 429, "Retry-After: 90\r\n")
        try await running {
            #expect(try waits())
            _ = try await daemon.askLengthy(Self.board)
            daemon.clock.advance(by: 60)
            #expect(try !waits())
            let answer = try daemon.ask(Self.board)
            #expect(
                answer.notices.first { $0.kind == .failed }?.message.contains("429; the next attempt is in") == true)
            #expect(asked.count == 1)
        }
    }

    @Test func unreadableResponseIsReported() async throws {
        upstream.set(Self.path, "garbage")
        try await running {
            #expect(try waits())
            let answer = try await daemon.askLengthy(Self.board)
            #expect(answer.notices.map(\.kind).contains(.malformed))
        }
    }

    @Test func operatorMessageIsShown() async throws {
        upstream.set(Self.path, "!ETA service suspended")
        try await running {
            #expect(try waits())
            let answer = try await daemon.askLengthy(Self.board)
            #expect(answer.notices.first { $0.kind == .suspended }?.message == "city says: ETA service suspended.")
        }
    }

    @Test func responsesSurviveNewTimetableVersion() async throws {
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

    @Test func commuteQueriesOnlyRoutesToItsDestination() async throws {
        upstream.set(Self.path, line("x1", in: 300))
        try await running {
            let parameters = NextParameters(commute: "home-to-work")
            #expect(waits(daemon.made(parameters)))
            _ = try await daemon.askLengthy(parameters)
            // Neither the tram nor the bus at its second and last stops is queried.
            #expect(Set(asked) == [Self.path])
        }
    }

    @Test func requestBeyondHorizonSendsNoQuery() async throws {
        #expect(try !waits(DeparturesParameters(stop: "harbor", at: "23:00")))
        #expect(asked.isEmpty)
    }

    @Test func statusShowsSource() async throws {
        upstream.set(Self.path, line("x1", in: 300))
        try await running {
            #expect(try waits())
            _ = try await daemon.askLengthy(Self.board)
            let feed = try #require(try daemon.ask(StatusParameters()).feeds.first)
            let arrivals = try #require(feed.datasets.first { $0.dataset == .arrivals })
            #expect(arrivals.freshness == .fresh)
            #expect(arrivals.failures == 0)
            #expect(arrivals.notes == ["Cached queries: 1. Fresh responses: 1."])
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
