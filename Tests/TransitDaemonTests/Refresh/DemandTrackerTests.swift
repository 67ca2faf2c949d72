import Foundation
import Testing
import TransitControl
import TransitEngine
import TransitModel
import TransitQueries
import TransitRefresh
import TransitTestSupport
import TransitTestTraits

@testable import TransitDaemon

@Suite("Demand for realtime data", .ownThreads)
struct DemandTrackerTests {
    private let events = RefreshEvents()
    private let tracker: DemandTracker
    private let start = ClockReading(
        wall: Instant(secondsSince1970: 1_700_000_000), boot: BootTime(milliseconds: 1_000_000))

    init() { tracker = DemandTracker(events) }

    private func later(_ seconds: Int) -> ClockReading {
        ClockReading(wall: start.wall.advanced(by: seconds), boot: start.boot.advanced(by: seconds))
    }

    /// Returns the demand that has been reported so far.
    private func reported() async -> [Demand] {
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
        for second in [0, 1, 30, 59, 60, 61] { tracker.recordRequest(about: "city", at: later(second)) }
        #expect(await reported().map(\.lastRequest) == [later(0), later(60)])
    }

    @Test("Requests for a feed without a timetable are reported at most once a minute")
    func requestsWithoutTimetableAreReportedOncePerMinute() async {
        for second in [0, 1, 59, 60, 61] { tracker.recordRequestWithoutTimetable("city", at: later(second)) }
        events.send(.tick)
        var count = 0
        for await event in events.stream {
            guard case .requestedWithoutTimetable("city") = event else { break }
            count += 1
        }
        #expect(count == 2)
    }

    @Test("The next departures of a commute are tracked until they have left")
    func departuresAreTrackedUntilTheyLeave() async {
        let times = (1...12).map { start.wall.advanced(by: $0 * 600) }
        tracker.recordRequest(about: "city", departures: times, at: start)
        #expect(await reported().last?.periods == times.prefix(8).flatMap { Demand.periods(aroundDeparture: $0) })
        let after = ClockReading(wall: start.wall.advanced(by: 3 * 3600), boot: start.boot.advanced(by: 3 * 3600))
        let next = after.wall.advanced(by: 300)
        tracker.recordRequest(about: "city", departures: [next], at: after)
        #expect(await reported().last?.periods == Demand.periods(aroundDeparture: next))
    }

    @Test("The periods of a user's notifications replace the former ones, and those of no other user")
    func notificationPeriodsAreReplaced() async {
        let due = Demand.Period(start.wall...start.wall.advanced(by: 600), .full)
        let ahead = Demand.Period(start.wall...start.wall.advanced(by: 3600), .ahead)
        tracker.setNotificationPeriods(["city": [due]], of: 1000)
        tracker.setNotificationPeriods(["city": [due]], of: 1000)
        tracker.setNotificationPeriods(["city": [ahead]], of: 1001)
        tracker.setNotificationPeriods([:], of: 1000)
        #expect(await reported().map(\.periods) == [[due], [due, ahead], [ahead]])
        #expect(tracker.demand(for: "city").lastRequest == nil)
    }

    @Test("Changes of the number of subscribers are reported")
    func subscriberChangesAreReported() async {
        tracker.setSubscribers(["city": 2])
        tracker.setSubscribers(["city": 2])
        tracker.setSubscribers([:])
        #expect(await reported().map(\.subscribers) == [2, 0])
    }
}

@Suite("Commute windows", .ownThreads)
struct CommuteWindowReporterTests {
    @Test("A commute's window raises the demand for its feed; a place's for every feed")
    func windowsRaiseDemandOfTheirFeeds() async throws {
        let daemon = try await TestDaemon.imported(["city": .small, "other": .small]) { configuration in
            let morning = CommuteWindow(start: 7 * 3600, end: 9 * 3600)
            configuration.commutes = [
                CommuteConfiguration(name: "a", from: "city:harbor", to: "city:central", windows: [morning])
            ]
        }
        let events = RefreshEvents()
        let windows = CommuteWindowReporter(DemandTracker(events), daemon.daemon.feeds, daemon.daemon.state)
        windows.report(daemon.daemon.configuration.current, at: daemon.clock.now())
        // The windows were already reported today.
        windows.reportDaily(daemon.daemon.configuration.current, at: daemon.clock.now().advanced(by: 3600))
        events.send(.tick)
        var reported: [FeedID: [Demand.Period]] = [:]
        for await event in events.stream {
            guard case .demand(let feed, let demand) = event else { break }
            #expect(reported[feed] == nil)
            reported[feed] = demand.periods
        }
        #expect(reported.keys.map(\.rawValue) == ["city"])
        #expect(reported["city"]?.first?.range.contains(daemon.clock.now()) == true)
        #expect((reported["city"]?.count ?? 0) > 7)
    }
}

extension CommuteWindowReporterTests {
    @Test("A window that was configured before the first import is reported after it, on the same day")
    func windowIsReportedAfterFirstImport() async throws {
        let daemon = try TestDaemon(feeds: ["city": .small]) { configuration in
            let morning = CommuteWindow(start: 7 * 3600, end: 9 * 3600)
            configuration.commutes = [
                CommuteConfiguration(name: "a", from: "city:harbor", to: "city:central", windows: [morning])
            ]
        }
        let events = RefreshEvents()
        let windows = CommuteWindowReporter(DemandTracker(events), daemon.daemon.feeds, daemon.daemon.state)
        // The feed's time zone is not known yet.
        windows.report(daemon.daemon.configuration.current, at: daemon.clock.now())
        try await daemon.update("city")
        windows.reportDaily(daemon.daemon.configuration.current, at: daemon.clock.now())
        windows.reportDaily(daemon.daemon.configuration.current, at: daemon.clock.now())
        events.send(.tick)
        var reported: [FeedID: [Demand.Period]] = [:]
        for await event in events.stream {
            guard case .demand(let feed, let demand) = event else { break }
            #expect(reported[feed] == nil)
            reported[feed] = demand.periods
        }
        #expect(reported["city"]?.first?.range.contains(daemon.clock.now()) == true)
    }

    @Test("A feed that is removed and added again is reported again")
    func returningFeedIsReportedAgain() async {
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

@Suite("Corrupt files and missing network", .ownThreads)
struct DamageTests {
    @Test("A corrupt cached response is set aside and reported in status")
    func corruptCachedResponseIsReported() async throws {
        let daemon = try TestDaemon(feeds: ["city": .small]) { configuration in
            configuration.feeds[0].realtime[.alerts] = .file(path: "")
        }
        try await daemon.update("city")
        let path = daemon.daemon.directories.realtimeResponses + "/city.alerts.live"
        let body = [UInt8](repeating: 7, count: 100)
        #expect(FileManager.default.createFile(atPath: path, contents: Data(body)))
        try daemon.publish(.small.without("calendar_dates.txt"), as: "city")
        try await daemon.update("city", force: true)
        let found = try daemon.ask(StatusParameters()).caches
        #expect(found.map(\.name) == ["city alerts"])
        #expect(found.map(\.health) == [.rebuilt])
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("A missing network is reported in replies")
    func missingNetworkIsReported() async throws {
        let daemon = try await TestDaemon.imported(["city": .small])
        #expect(try daemon.ask(DeparturesParameters(stop: "harbor")).notices.isEmpty)
        daemon.daemon.feeds.update("city") { $0.isOffline = true }
        #expect(try daemon.ask(DeparturesParameters(stop: "harbor")).notices.map(\.kind) == [.offline])
    }
}
