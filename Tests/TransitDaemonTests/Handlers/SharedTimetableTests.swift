import Testing
import TransitControl
import TransitFeeds
import TransitModel
import TransitTestSupport
import TransitTestTraits

@testable import TransitDaemon

/// Tests with two feeds of one agency that have the same timetable: "city", and the supplementary feed "twin", the only
/// one with realtime data. The clock starts at 07:30 in Berlin; bus 24 leaves the harbor at 08:00 (`b1`), 08:20 and
/// 23:50.
@Suite(.ownThreads) struct SharedTimetableTests {
    private let daemon: TestDaemon

    init() async throws {
        daemon = try TestDaemon(feeds: ["city": .small, "twin": .small]) { configuration in
            BoardHandlerTests.withPlaces(&configuration)
            configuration.feeds[1].supplements = "city"
            configuration.feeds[1].realtime[.tripUpdates] = .file(path: "")
        }
        for feed in ["city", "twin"] as [FeedID] {
            #expect(try await daemon.update(feed, force: true).outcome == .updated)
        }
    }

    /// Publishes a delay of a trip at the harbor, in seconds.
    private func tell(delay: Int32, trip: TripID = "b1") {
        daemon.clock.advance(by: 1)
        let now = daemon.clock.now()
        let update = TripUpdate(
            id: "1", trip: TripDescriptor(tripID: trip),
            updates: [StopTimeUpdate(stopID: "harbor", departure: StopTimeEvent(delay: delay))])
        let taken = daemon.daemon.realtimeFeeds.receive(
            RealtimeWriter.bytes(RealtimeHeader(version: "2.0", timestamp: now), [.tripUpdate(update)]),
            of: DatasetID("twin", .tripUpdates), received: now, now: now)
        #expect(taken.isUsed)
    }

    private func board(count: Int) throws -> [String] {
        try daemon.ask(DeparturesParameters(stop: "city:harbor", count: count)).departures.map(Self.line)
    }

    private static func line(_ departure: Departure) -> String {
        "\(departure.feed) \(departure.scheduled?.clock ?? "-") \(departure.expected?.clock ?? "-")"
    }

    @Test(
        arguments: [
            (-300, ["city 08:00 07:55", "city 08:20 -", "city 23:50 -"]),
            (840, ["city 08:00 08:14", "city 08:20 -", "city 23:50 -"]),
            (1500, ["city 08:20 -", "city 08:00 08:25", "city 23:50 -"]),
        ] as [(Int32, [String])])
    func delayedDepartureIsListedOnce(delay: Int32, expected: [String]) throws {
        tell(delay: delay)
        for count in 1...3 { #expect(try board(count: count) == Array(expected.prefix(count))) }
    }

    @Test func veryLateDepartureIsKept() throws {
        daemon.clock.advance(by: 45 * 60)
        tell(delay: 2400)
        #expect(try board(count: 2) == ["city 08:20 -", "city 08:00 08:40"])
        let late = try #require(try daemon.ask(DeparturesParameters(stop: "city:harbor", count: 2)).departures.last)
        #expect(try daemon.ask(ExplainParameters(departure: late.id)).departure.delay == 2400)
    }

    @Test func earlyDepartureIsRemoved() throws {
        daemon.clock.advance(by: 28 * 60)
        tell(delay: -300)
        #expect(try board(count: 1) == ["city 08:20 -"])
    }

    @Test(arguments: [(-300, "07:55"), (840, "08:14"), (1500, "08:25")] as [(Int32, String)])
    func delayedCommuteDepartureIsListedOnce(delay: Int32, expected: String) throws {
        tell(delay: delay)
        let lines = try (1...2).map { count in
            try daemon.ask(NextParameters(count: count)).departures.map(Self.line)
        }
        let late = "city 08:00 \(expected)"
        let both = delay < 1200 ? [late, "city 08:20 -"] : ["city 08:20 -", late]
        #expect(lines == [Array(both.prefix(1)), both])
    }

    @Test func tripShowChoosesRunningInstance() throws {
        // At 00:20, the 23:50 bus is ten minutes past its scheduled arrival.
        daemon.clock.advance(by: 16 * 3600 + 50 * 60)
        for trip in ["twin:b3", "city:b3"] {
            #expect(try daemon.ask(TripShowParameters(trip: trip)).serviceDate == ServiceDate(iso8601: "2026-03-30"))
        }
        tell(delay: 1200, trip: "b3")
        #expect(try daemon.ask(TripShowParameters(trip: "twin:b3")).serviceDate == ServiceDate(iso8601: "2026-03-27"))
        // It is the same bus in both feeds.
        #expect(try daemon.ask(TripShowParameters(trip: "city:b3")).serviceDate == ServiceDate(iso8601: "2026-03-27"))
    }
}
