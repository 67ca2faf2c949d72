import Foundation
import Testing
import TransitControl
import TransitEngine
import TransitModel
import TransitTestSupport

@testable import TransitDaemon

@Suite("Demand for realtime data")
struct DemandTrackerTests {
    private let events = RefreshEvents()
    private let tracker: DemandTracker
    private let start = ClockReading(
        wall: Instant(secondsSince1970: 1_700_000_000), boot: BootTime(milliseconds: 1_000_000))

    init() { tracker = DemandTracker(events) }

    private func later(_ seconds: Int) -> ClockReading {
        ClockReading(wall: start.wall.advanced(by: seconds), boot: start.boot.advanced(by: seconds))
    }

    /// Returns the demands that were sent to the engine so far.
    private func sentDemands() async -> [Demand] {
        events.send(.tick)
        var demands: [Demand] = []
        for await event in events.stream {
            guard case .demand(_, let demand) = event else { break }
            demands.append(demand)
        }
        return demands
    }

    @Test("Requests are reported at most once a minute")
    func requestsAreReportedOncePerMinute() async {
        for second in [0, 1, 30, 59, 60, 61] { tracker.asked(about: "city", at: later(second)) }
        #expect(await sentDemands().map(\.lastRequest) == [later(0), later(60)])
    }

    @Test("A request for a feed without a timetable is reported at most once a minute")
    func missesAreReportedOncePerMinute() async {
        for second in [0, 1, 59, 60, 61] { tracker.missed("city", at: later(second)) }
        events.send(.tick)
        var count = 0
        for await event in events.stream {
            guard case .missed("city") = event else { break }
            count += 1
        }
        #expect(count == 2)
    }

    @Test("The next departures of a direct trip are tracked until they have left")
    func nextDeparturesAreTracked() async {
        let times = (1...12).map { start.wall.advanced(by: $0 * 600) }
        tracker.asked(about: "city", departures: times, at: start)
        #expect(await sentDemands().last?.departures == Array(times.prefix(8)))
        let after = ClockReading(wall: start.wall.advanced(by: 3 * 3600), boot: start.boot.advanced(by: 3 * 3600))
        let next = after.wall.advanced(by: 300)
        tracker.asked(about: "city", departures: [next], at: after)
        #expect(await sentDemands().last?.departures == [next])
    }

    @Test("The number of subscribers is reported only when it changes")
    func subscriberCountIsReportedOnChange() async {
        tracker.follow(["city": 2])
        tracker.follow(["city": 2])
        tracker.follow([:])
        #expect(await sentDemands().map(\.subscribers) == [2, 0])
    }
}

@Suite("Commute windows")
struct CommuteWindowsTests {
    @Test("A commute's window raises the demand for its feed only")
    func windowRaisesDemandOfItsFeed() async throws {
        let daemon = try await TestDaemon.imported(["city": .small, "other": .small]) { configuration in
            let morning = CommuteWindow(start: 7 * 3600, end: 9 * 3600)
            configuration.commutes = [
                CommuteConfiguration(name: "a", from: "city:harbor", to: "city:central", windows: [morning])
            ]
        }
        let events = RefreshEvents()
        let windows = CommuteWindows(DemandTracker(events), daemon.daemon.feeds, daemon.daemon.state)
        windows.tell(daemon.daemon.configuration.current, at: daemon.clock.now())
        // Already reported today.
        windows.reportDaily(daemon.daemon.configuration.current, at: daemon.clock.now().advanced(by: 3600))
        events.send(.tick)
        var windowsByFeed: [FeedID: [ClosedRange<Instant>]] = [:]
        for await event in events.stream {
            guard case .demand(let feed, let demand) = event else { break }
            #expect(windowsByFeed[feed] == nil)
            windowsByFeed[feed] = demand.windows
        }
        #expect(windowsByFeed.keys.map(\.rawValue) == ["city"])
        #expect(windowsByFeed["city"]?.first?.contains(daemon.clock.now()) == true)
        #expect((windowsByFeed["city"]?.count ?? 0) > 7)
    }
}

extension CommuteWindowsTests {
    @Test("A window that was configured before the feed's import takes effect after the import on the same day")
    func windowTakesEffectAfterImport() async throws {
        let daemon = try TestDaemon(feeds: ["city": .small]) { configuration in
            let morning = CommuteWindow(start: 7 * 3600, end: 9 * 3600)
            configuration.commutes = [
                CommuteConfiguration(name: "a", from: "city:harbor", to: "city:central", windows: [morning])
            ]
        }
        let events = RefreshEvents()
        let windows = CommuteWindows(DemandTracker(events), daemon.daemon.feeds, daemon.daemon.state)
        // The time zone of the feed is still unknown.
        windows.tell(daemon.daemon.configuration.current, at: daemon.clock.now())
        try await daemon.update("city")
        windows.reportDaily(daemon.daemon.configuration.current, at: daemon.clock.now())
        windows.reportDaily(daemon.daemon.configuration.current, at: daemon.clock.now())
        events.send(.tick)
        var windowsByFeed: [FeedID: [ClosedRange<Instant>]] = [:]
        for await event in events.stream {
            guard case .demand(let feed, let demand) = event else { break }
            #expect(windowsByFeed[feed] == nil)
            windowsByFeed[feed] = demand.windows
        }
        #expect(windowsByFeed["city"]?.first?.contains(daemon.clock.now()) == true)
    }

    @Test("The demand of a feed that is removed from the configuration and added again is reported again")
    func demandOfReaddedFeedIsReported() async {
        let events = RefreshEvents()
        let tracker = DemandTracker(events)
        let start = Instant(secondsSince1970: 1_700_000_000)
        let window = start...start.advanced(by: 3600)
        tracker.setWindows([window], of: "city")
        tracker.forget(besides: [])
        tracker.setWindows([window], of: "city")
        events.send(.tick)
        var count = 0
        for await event in events.stream {
            guard case .demand = event else { break }
            count += 1
        }
        #expect(count == 2)
    }
}

@Suite("Corrupt caches and offline feeds")
struct CorruptCacheTests {
    @Test("A corrupt cached response is set aside and reported by status")
    func corruptResponseIsSetAsideAndReported() async throws {
        let daemon = try TestDaemon(feeds: ["city": .small]) { configuration in
            configuration.feeds[0].realtime[.alerts] = .file(path: "")
        }
        try await daemon.update("city")
        let path = daemon.daemon.directories.live + "/city.alerts.live"
        let body = [UInt8](repeating: 7, count: 100)
        #expect(FileManager.default.createFile(atPath: path, contents: Data(body)))
        try daemon.publish(.small.without("calendar_dates.txt"), as: "city")
        try await daemon.update("city", force: true)
        let found = try daemon.ask(StatusParameters()).caches
        #expect(found.map(\.name) == ["city alerts"])
        #expect(found.map(\.health) == [.rebuilt])
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("Each reply reports that a feed is offline")
    func offlineFeedIsReportedInReplies() async throws {
        let daemon = try await TestDaemon.imported(["city": .small])
        #expect(try daemon.ask(DeparturesParameters(stop: "harbor")).notices.isEmpty)
        daemon.daemon.feeds.update("city") { $0.isOffline = true }
        #expect(try daemon.ask(DeparturesParameters(stop: "harbor")).notices.map(\.kind) == [.offline])
    }
}
