import Foundation
import Testing
import TransitControl
import TransitEngine
import TransitModel
import TransitTestSupport

@testable import TransitDaemon

@Suite("Who could use live data")
struct DemandTrackerTests {
    private let events = RefreshEvents()
    private let book: DemandTracker
    private let start = ClockReading(
        wall: Instant(secondsSince1970: 1_700_000_000), boot: BootTime(milliseconds: 1_000_000))

    init() { book = DemandTracker(events) }

    private func later(_ seconds: Int) -> ClockReading {
        ClockReading(wall: start.wall.advanced(by: seconds), boot: start.boot.advanced(by: seconds))
    }

    /// What the engine was told so far.
    private func told() async -> [Demand] {
        events.send(.tick)
        var demands: [Demand] = []
        for await event in events.stream {
            guard case .demand(_, let demand) = event else { break }
            demands.append(demand)
        }
        return demands
    }

    @Test("Questions are told once a minute, not each of them")
    func questions() async {
        for second in [0, 1, 30, 59, 60, 61] { book.asked(about: "city", at: later(second)) }
        #expect(await told().map(\.lastRequest) == [later(0), later(60)])
    }

    @Test("That a feed without a timetable is asked about is told once a minute")
    func misses() async {
        for second in [0, 1, 59, 60, 61] { book.missed("city", at: later(second)) }
        events.send(.tick)
        var count = 0
        for await event in events.stream {
            guard case .missed("city") = event else { break }
            count += 1
        }
        #expect(count == 2)
    }

    @Test("The departures of a ride are followed, the nearest ones, until they have gone")
    func departures() async {
        let times = (1...12).map { start.wall.advanced(by: $0 * 600) }
        book.asked(about: "city", departures: times, at: start)
        #expect(await told().last?.departures == Array(times.prefix(8)))
        let after = ClockReading(wall: start.wall.advanced(by: 3 * 3600), boot: start.boot.advanced(by: 3 * 3600))
        let next = after.wall.advanced(by: 300)
        book.asked(about: "city", departures: [next], at: after)
        #expect(await told().last?.departures == [next])
    }

    @Test("Readers come and go; what does not change is not told")
    func readers() async {
        book.follow(["city": 2])
        book.follow(["city": 2])
        book.follow([:])
        #expect(await told().map(\.subscribers) == [2, 0])
    }
}

@Suite("When commutes are made")
struct CommuteWindowsTests {
    @Test("A commute's window raises the demand for its feed; a place's for every feed")
    func told() async throws {
        let daemon = try await TestDaemon.imported(["city": .small, "other": .small]) { configuration in
            let morning = CommuteWindow(start: 7 * 3600, end: 9 * 3600)
            configuration.commutes = [
                CommuteConfiguration(name: "a", from: "city:harbor", to: "city:central", windows: [morning])
            ]
        }
        let events = RefreshEvents()
        let windows = CommuteWindows(DemandTracker(events), daemon.daemon.feeds, daemon.daemon.state)
        windows.tell(daemon.daemon.configuration.current, at: daemon.clock.now())
        // Told already today.
        windows.reportDaily(daemon.daemon.configuration.current, at: daemon.clock.now().advanced(by: 3600))
        events.send(.tick)
        var told: [FeedID: [ClosedRange<Instant>]] = [:]
        for await event in events.stream {
            guard case .demand(let feed, let demand) = event else { break }
            #expect(told[feed] == nil)
            told[feed] = demand.windows
        }
        #expect(told.keys.map(\.rawValue) == ["city"])
        #expect(told["city"]?.first?.contains(daemon.clock.now()) == true)
        #expect((told["city"]?.count ?? 0) > 7)
    }
}

extension CommuteWindowsTests {
    @Test("A window that was configured before its feed was imported counts from the import on, the same day")
    func firstDay() async throws {
        let daemon = try TestDaemon(feeds: ["city": .small]) { configuration in
            let morning = CommuteWindow(start: 7 * 3600, end: 9 * 3600)
            configuration.commutes = [
                CommuteConfiguration(name: "a", from: "city:harbor", to: "city:central", windows: [morning])
            ]
        }
        let events = RefreshEvents()
        let windows = CommuteWindows(DemandTracker(events), daemon.daemon.feeds, daemon.daemon.state)
        // Nobody knows yet by which clock the feed goes.
        windows.tell(daemon.daemon.configuration.current, at: daemon.clock.now())
        try await daemon.update("city")
        windows.reportDaily(daemon.daemon.configuration.current, at: daemon.clock.now())
        windows.reportDaily(daemon.daemon.configuration.current, at: daemon.clock.now())
        events.send(.tick)
        var told: [FeedID: [ClosedRange<Instant>]] = [:]
        for await event in events.stream {
            guard case .demand(let feed, let demand) = event else { break }
            #expect(told[feed] == nil)
            told[feed] = demand.windows
        }
        #expect(told["city"]?.first?.contains(daemon.clock.now()) == true)
    }

    @Test("A feed that was taken out of the configuration and comes back is told of again")
    func comesBack() async {
        let events = RefreshEvents()
        let book = DemandTracker(events)
        let start = Instant(secondsSince1970: 1_700_000_000)
        let window = start...start.advanced(by: 3600)
        book.setWindows([window], of: "city")
        book.forget(besides: [])
        book.setWindows([window], of: "city")
        events.send(.tick)
        var count = 0
        for await event in events.stream {
            guard case .demand = event else { break }
            count += 1
        }
        #expect(count == 2)
    }
}

@Suite("What was found damaged")
struct DamageTests {
    @Test("A damaged answer of a live source is set aside, and status says so")
    func liveCache() async throws {
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

    @Test("A feed without a network says so in every answer")
    func offline() async throws {
        let daemon = try await TestDaemon.imported(["city": .small])
        #expect(try daemon.ask(DeparturesParameters(stop: "harbor")).notices.isEmpty)
        daemon.daemon.feeds.update("city") { $0.isOffline = true }
        #expect(try daemon.ask(DeparturesParameters(stop: "harbor")).notices.map(\.kind) == [.offline])
    }
}
