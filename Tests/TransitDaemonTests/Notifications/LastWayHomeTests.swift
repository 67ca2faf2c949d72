import Testing
import TransitEngine
import TransitFeeds
import TransitModel
import TransitNotifications
import TransitQueries
import TransitStore
import TransitTestSupport

@testable import TransitDaemon

/// One user's engine with the subjects that are found in a timetable. It is Friday, March 27, 2026; bus 24 leaves the
/// harbor at 08:00, 08:20 and 23:50, and at the times that a test adds.
private struct Player {
    let fixture: NotificationFixture
    var personal = PersonalState()
    var engine: NotificationEngine
    var finder: SubjectFinder?
    var subjects: [WatchedSubject] = []

    /// - Parameter trips: Other trips of bus 24, each with its service and its departure in minutes after midnight.
    init(_ trips: [(id: String, service: String, minute: Int)], at: String) async throws {
        func clock(_ minute: Int) -> String {
            "\(minute / 600)\(minute / 60 % 10):\(minute % 60 / 10)\(minute % 10):00"
        }
        let rows = trips.map { "bus24,\($0.service),\($0.id),Central Station,0\n" }.joined()
        let calls = trips.map { trip in
            zip(["harbor", "market", "central:1"], [0, 9, 20]).enumerated().map { position, call in
                let time = clock(trip.minute + call.1)
                return "\(trip.id),\(time),\(time),\(call.0),\(position + 1)\n"
            }.joined()
        }.joined()
        fixture = try await NotificationFixture(
            isOn: false, at: at, feed: .small.adding(rows, to: "trips.txt").adding(calls, to: "stop_times.txt"))
        engine = NotificationEngine(
            settings: NotificationSettings(machine: [:], personal: ["notifications.on": "on", "quiet.on": "off"]))
    }

    var now: Instant { fixture.daemon.clock.now() }

    /// Adds the commute home from the harbor.
    mutating func addWayHome(window: String = "07:00-09:00") throws {
        personal.places["home"] = PlaceConfiguration(location: .stop(QualifiedStop(feed: "city", stop: "central")))
        personal.commutes = [
            CommuteConfiguration(
                name: "way-home", from: "city:harbor", to: "home", windows: [try #require(CommuteWindow(window))])
        ]
    }

    /// Decides at the present moment with new subjects.
    @discardableResult
    mutating func step() -> [NotificationDecision] {
        let own = fixture.daemon.daemon.contexts.context(from: fixture.daemon.caller(1000)).query
        let context = QueryContext(now: own.now, feeds: own.feeds, personal: personal, settings: own.settings)
        if finder == nil { finder = SubjectFinder(context) }
        let found = finder?.subjects(
            context, changed: nil, following: engine.followedDepartures, awaiting: engine.awaitedDepartures)
        if let found { subjects = found }
        return engine.evaluate(NotificationInput(now: now, zone: context.zone, subjects: found)).filter {
            $0.suppression == nil
        }
    }

    /// Decides each minute until a time, with a message about a trip before each decision if one is given.
    @discardableResult
    mutating func play(until time: String, _ trip: TripID? = nil) throws -> [NotificationDecision] {
        let end = try Self.instant(time)
        var decisions: [NotificationDecision] = []
        while now < end {
            fixture.daemon.clock.advance(by: 60)
            if let trip { fixture.receive(trip, delay: 0) }
            decisions += step()
        }
        return decisions
    }

    /// Advances the clock without decisions.
    func skip(to time: String) throws { fixture.daemon.clock.advance(by: now.seconds(to: try Self.instant(time))) }

    mutating func restart() throws {
        finder = nil
        engine = NotificationEngine(
            state: try #require(NotificationState(json: engine.state.json)), settings: engine.settings)
    }

    /// "08:20", or "28 00:40" with the day of the month.
    static func instant(_ time: String) throws -> Instant {
        let parts = time.split(separator: " ")
        return try #require(Instant(rfc3339: "2026-03-\(parts.count == 2 ? parts[0] : "27")T\(parts.last!):00+01:00"))
    }

    func departure(_ time: String) throws -> DepartureKey {
        let scheduled = try Self.instant(time)
        return try #require(
            subjects.flatMap { $0.departures + [$0.last].compactMap(\.self) }.map(\.key).first {
                $0.scheduled == scheduled
            })
    }

    /// The departure of a tram, which leads away from home.
    static func tram(_ time: String) throws -> DepartureKey {
        DepartureKey(
            feed: "city", route: "tram1", direction: .zero, stop: "central:2", scheduled: try instant(time),
            serviceDate: try #require(ServiceDate(iso8601: "2026-03-27")))
    }
}

extension [NotificationDecision] {
    fileprivate func of(_ rule: NotificationRule) -> [NotificationDecision] {
        filter { $0.rule == rule && $0.operation != .withdraw }
    }
}

/// What is watched instead of a departure that is canceled or not wanted.
@Suite struct ReplacementTests {
    /// The bus at 08:20 is pinned, and the next one is at 10:00. Each row: why it is not the one, and whether the daemon
    /// restarts before the pin would move on to its next date.
    @Test(arguments: [("next", false), ("next", true), ("canceled", false), ("canceled", true)])
    func replacementIsWatchedUntilItLeaves(_ reason: String, restarts: Bool) async throws {
        var player = try await Player([("b9", "weekday", 600)], at: "2026-03-27T06:30:00Z")
        player.personal.usualDepartures = [
            SavedUsualDeparture(
                feed: "city", route: "bus24", direction: .zero, stop: "harbor",
                time: ServiceTime(seconds: 30_000), days: [.friday, .monday], date: nil, isPinned: true)
        ]
        player.step()
        if reason == "canceled" {
            player.fixture.receive("b2", .canceled)
            #expect(player.step().map(\.rule) == [.canceled])
            try player.play(until: "08:10")
        } else {
            let leave = try #require(try player.play(until: "08:10").of(.leave).last)
            let next = player.engine.act(leave.id, "next", at: player.now)
            #expect(next?.of(.leave).map(\.title) == ["Next: Bus 24 at 10:00"])
        }
        if restarts {
            try player.play(until: "08:20")
            try player.skip(to: "09:30")
            try player.restart()
        }
        let leaves = try player.play(until: "09:59", "b9").of(.leave)
        #expect(leaves.first?.departure?.key.scheduled == (try Player.instant("10:00")))
        #expect(leaves.first?.hasSound == true)
        // Then the pin is that of its next date.
        try player.play(until: "10:08")
        #expect(player.subjects.first?.departures.first?.key.serviceDate == ServiceDate(iso8601: "2026-03-30"))
        #expect(player.engine.awaitedDepartures == AwaitedDepartures())
    }
}

@Suite struct LastWayHomeTests {
    /// Each row: whether the daemon was restarted when the bus was canceled.
    @Test(arguments: [false, true])
    func canceledLastBusIsShownWithTheEarlierOne(restarts: Bool) async throws {
        var player = try await Player([("b8", "weekday", 1400)], at: "2026-03-27T21:00:00Z")
        try player.addWayHome()
        let last = try player.play(until: "23:00").of(.last)
        #expect(last.map(\.title) == ["Last trip home: Bus 24 at 23:50"])
        if restarts { try player.restart() }
        player.fixture.receive("b3", .canceled)
        let told = player.step()
        let canceled = try #require(told.of(.canceled).first)
        #expect(canceled.title == "Bus 24 at 23:50 is canceled")
        #expect(canceled.next.first?.key.scheduled == (try Player.instant("23:20")))
        #expect(told.of(.last).map(\.title) == ["Last trip home: Bus 24 at 23:20"])
        #expect(player.subjects.first?.last?.key.scheduled == (try Player.instant("23:20")))
        // It runs again, so it is the last one again.
        for _ in 0..<2 {
            player.fixture.daemon.clock.advance(by: 60)
            player.fixture.receive("b3", delay: 0)
            player.step()
        }
        #expect(player.subjects.first?.last?.key.scheduled == (try Player.instant("23:50")))
        #expect(player.subjects.first?.canceledLast == [])
    }

    /// A silent source does not report the last bus, and reports no other one either.
    @Test func silentSourceIsNotedForTheLastBus() async throws {
        var player = try await Player([], at: "2026-03-27T21:00:00Z")
        try player.addWayHome()
        try player.play(until: "23:00", "b3")
        let last = try #require(player.subjects.first?.last)
        #expect(last.key.scheduled == (try Player.instant("23:50")) && last.silentSince == nil)
        let decisions = try player.play(until: "23:45")
        #expect(player.subjects.first?.last?.silentSince != nil)
        #expect(decisions.of(.unseen).isEmpty)
    }

    /// More buses leave than a commute lists.
    @Test func canceledLastBusMakesNoListedBusTheLastOne() async throws {
        let trips = (0..<20).map { (id: "c\($0)", service: "weekday", minute: 540 + 5 * $0) }
        var player = try await Player(trips, at: "2026-03-27T06:30:00Z")
        try player.addWayHome()
        player.step()
        player.fixture.receive("b3", .canceled)
        let told = player.step() + (try player.play(until: "08:50"))
        #expect(told.of(.last).isEmpty)
        // 10:35 is the last bus that runs.
        #expect(player.subjects.first?.last?.key.scheduled == (try Player.instant("10:35")))
    }

    @Test func getOffComesForTheLastBusThatWasTaken() async throws {
        var player = try await Player([], at: "2026-03-27T21:00:00Z")
        try player.addWayHome()
        let last = try #require(try player.play(until: "22:58", "b3").of(.last).first)
        let withdrawn = player.engine.act(last.id, "taken", at: player.now)
        #expect(withdrawn?.map(\.operation) == [.withdraw])
        let told = try player.play(until: "28 00:10", "b3")
        #expect(told.map(\.rule) == [.getoff])
        #expect(told.first?.departure?.key.scheduled == (try Player.instant("23:50")))
        // The next day's window is not over.
        #expect(!player.engine.state.json.contains("\"done\":true"))
    }

    /// The trips of a day, and whether the last bus is announced, with a sound or silently. It leaves at 00:40, on the
    /// service date after that of the trips.
    static let days: [(trips: [String], hasSound: Bool?)] = [
        ([], false), (["tram 08:30"], true), (["bus 09:00"], nil), (["tram 08:30", "bus 09:00"], nil),
        (["tram 08:30", "bus 09:00", "undo 09:00"], true), (["tram 08:30", "bus 09:00", "tram 20:00"], true),
        (["bus 09:00", "undo 09:00"], false), (["tram 08:30", "bus 09:00", "tram 08:30"], nil),
    ]

    @Test(arguments: days)
    func lastTripOfTheDaySaysWhetherAPersonIsOut(trips: [String], hasSound: Bool?) async throws {
        var player = try await Player(
            [("b9", "weekday", 540), ("b7", "weekend", 40)], at: "2026-03-27T07:40:00Z")
        try player.addWayHome()
        player.step()
        for trip in trips {
            let (kind, time) = (trip.prefix(4), String(trip.suffix(5)))
            switch kind {
            case "tram": _ = player.engine.taken(try Player.tram(time), at: player.now)
            case "bus ": _ = player.engine.taken(try player.departure(time), at: player.now)
            default: player.engine.untaken(try player.departure(time), at: player.now)
            }
        }
        try player.skip(to: "23:00")
        try player.restart()
        let told = try player.play(until: "23:50").of(.last)
        #expect(told.map(\.title) == (hasSound == nil ? [] : ["Last trip home: Bus 24 at 00:40"]))
        #expect(told.first?.hasSound == hasSound)
    }
}
