import Testing
import TransitControl
import TransitModel
import TransitStore
import TransitTestSupport
import TransitTestTraits
import TransitWire

@testable import TransitDaemon
@testable import TransitEngine

/// Tests of `feed.history`, `feed.history.clear`, and of what replies say about delays on earlier days.
@Suite(.ownThreads) struct LearnedDelayHandlerTests {
    /// Fourteen days of the bus of 08:09 from Market Square, which was 2 to 4 minutes late and did not run twice.
    private static func history() -> DelayHistory {
        let line = DelayKey.line("bus24", Direction(rawValue: 0))
        let key = DelayKey.departure(
            line: line, stop: DelayKey.stop("market"), .weekday, time: 8 * 3600 + 9 * 60)
        let group = DelayKey.group(line: line, position: 1, of: 3, .weekday, time: 8 * 3600 + 9 * 60)
        var history = DelayHistory()
        for day in 0..<14 {
            history.add([
                DelayHistory.Observation(
                    key: key, group: group, hasOwnEntry: true, isInUse: true, day: 20_514 + day,
                    delay: day % 7 == 3 ? nil : 120 + day * 10)
            ])
        }
        return history
    }

    private func daemon() async throws -> TestDaemon {
        let daemon = try TestDaemon(
            feeds: ["city": .small],
            { $0.feeds[0].realtime[.tripUpdates] = .file(path: "/nonexistent/updates.pb") },
            before: { directories in
                let cache = try RealtimeCache(directory: directories.cache + "/live")
                let time = try #require(Instant(rfc3339: "2026-03-26T20:00:00Z"))
                try cache.save(
                    CachedRealtimeResponse(body: Self.history().encoded, fetched: time), feed: "city",
                    dataset: DelayLog.name)
            })
        try await daemon.update("city")
        return daemon
    }

    private func departure(_ daemon: TestDaemon, punctuality: Bool = false) throws -> Departure {
        let board = try daemon.ask(DeparturesParameters(stop: "market", punctuality: punctuality))
        return try #require(board.departures.first)
    }

    @Test func scheduledDepartureHasItsUsualDelay() async throws {
        let daemon = try await daemon()
        let departure = try departure(daemon)
        let usual = try #require(departure.usual)
        #expect(departure.source == .scheduled && departure.expected == nil)
        #expect((120...250).contains(usual.delay) && usual.earliest < usual.delay && usual.delay < usual.latest)
        #expect(usual.days == 14 && usual.dayKind == .weekday && usual.basis == .departure)
        #expect(departure.punctuality == nil)
    }

    @Test func distributionIsOnlyReturnedOnRequest() async throws {
        let daemon = try await daemon()
        let punctuality = try #require(try departure(daemon, punctuality: true).punctuality)
        #expect((98...102).contains(punctuality.delays.reduce(0) { $0 + $1.share }))
        #expect(punctuality.days == 14 && punctuality.notServed > 0)
        let route = try daemon.ask(RoutesShowParameters(route: "24"))
        #expect(route.directions.first?.punctuality?.dayKind == nil)
        #expect(route.directions.first?.punctuality != nil)
    }

    @Test func explanationHasTheDays() async throws {
        let daemon = try await daemon()
        let facts = try daemon.ask(ExplainParameters(departure: "24 08:09 from market")).facts
        let usual = try #require(facts.first { $0.fact == "usual" })
        #expect(usual.value.contains(" s in the median of 14 weekdays, eight of ten from "))
        #expect(!facts.contains { $0.fact == "correction" })
    }

    @Test func onlyTheOwnerRemovesWhatWasLearned() async throws {
        let daemon = try await daemon()
        let known = try daemon.ask(FeedHistoryParameters())
        #expect(known.feeds.map(\.feed) == ["city"])
        #expect(known.feeds.first?.delays?.departures == 1)
        #expect(try daemon.ask(StatusParameters()).feeds.first?.delays == known.feeds.first?.delays)
        #expect(daemon.error(of: FeedHistoryClearParameters())?.kind == .notAllowed)
        #expect(try departure(daemon).usual != nil)
        #expect(try daemon.ask(FeedHistoryClearParameters(feed: "city"), uid: 0).feeds == ["city"])
        #expect(try daemon.ask(FeedHistoryParameters(feed: "city")).feeds == [FeedHistory(feed: "city")])
        #expect(try departure(daemon).usual == nil)
        #expect(try daemon.ask(FeedHistoryClearParameters(), uid: 0).feeds.isEmpty)
    }

    @Test func unknownFeedIsNamed() async throws {
        let daemon = try await daemon()
        #expect(daemon.error(of: FeedHistoryParameters(feed: "nowhere"))?.kind == .feedNotFound)
        #expect(daemon.error(of: FeedHistoryClearParameters(feed: "nowhere"), uid: 0)?.kind == .feedNotFound)
    }
}
