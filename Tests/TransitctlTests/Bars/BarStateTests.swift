import Testing
import TransitControl
import TransitModel
import TransitTestSupport

@testable import transitctl

/// A board at 08:05 with departures, and a bar that received it at the boot time 1,000 s.
struct BarFixture {
    var state = BarState()
    static let start = BarTime(boot: 1_000_000, monotonic: 400_000)

    static func bus(
        _ clock: String, walk: Int? = 420, delay: Int? = nil, status: DepartureStatus = .scheduled,
        source: DepartureSource = .live, route: RouteSummary = Sample.bus
    ) throws -> Departure {
        var departure = try Sample.departure(route, clock, delay: delay, status: status, source: source)
        departure.id = "\(route.displayName) \(clock)"
        departure.walk = walk
        if let walk, let time = departure.time {
            departure.leaveBy = Timestamp(time.instant.advanced(by: -walk), offset: Sample.zone)
        }
        return departure
    }

    static func board(_ departures: [Departure], at clock: String = "08:05") throws -> BarBoard {
        BarBoard(
            at: try Sample.time(clock), title: "home-to-work", entries: departures.map { BarEntry($0) },
            emptyText: "No further departures.", notices: [])
    }

    init(_ departures: [Departure]) throws { state.take(try Self.board(departures), Self.start) }

    /// The time in seconds after the start.
    static func after(_ seconds: Double, suspended: Double = 0) -> BarTime {
        BarTime(
            boot: start.boot + Int64(seconds * 1000),
            monotonic: start.monotonic + Int64((seconds - suspended) * 1000))
    }

    /// A heartbeat of the daemon, whose clock runs like that of the bar.
    mutating func beat(_ seconds: Int) throws {
        let at = Timestamp(try Sample.time("08:05").instant.advanced(by: seconds), offset: Sample.zone)
        state.heartbeat(at, Self.after(Double(seconds)))
    }

    func content(_ time: BarTime) -> BarContent {
        var clock = BarClock(now: state.daemonTime(time))
        return BarContent(state, time, &clock)
    }

    func line(_ seconds: Double) -> String { content(Self.after(seconds)).line }
}

@Suite struct BarStateTests {
    @Test func countsDownByItself() throws {
        // The time to leave for the first bus is 08:12, and for the second 08:23.
        var bar = try BarFixture([BarFixture.bus("08:19"), BarFixture.bus("08:30")])
        #expect(bar.line(0) == "24 leave in 7 min (08:19)")
        #expect(bar.line(0.001) == "24 leave in 6 min (08:19)")
        try bar.beat(60)
        #expect(bar.line(60) == "24 leave in 6 min (08:19)")
        #expect(bar.line(60.001) == "24 leave in 5 min (08:19)")
        for minute in 2...7 { try bar.beat(minute * 60) }
        #expect(bar.line(360.001) == "24 leave now (08:19)")
        #expect(bar.line(479) == "24 leave now (08:19)")
    }

    @Test func aDepartureThatIsTooLateToReachPrecedesTheNextOne() throws {
        let bar = try BarFixture([BarFixture.bus("08:10"), BarFixture.bus("08:30")])
        #expect(bar.line(1) == "24 departs in 4 min, 24 leave in 17 min (08:30)")
        let last = try BarFixture([BarFixture.bus("08:10")])
        #expect(last.line(1) == "24 departs in 4 min (08:10)")
    }

    @Test func aDepartureThatHasLeftDisappears() throws {
        let bar = try BarFixture([BarFixture.bus("08:06", walk: nil), BarFixture.bus("08:16", walk: nil)])
        #expect(bar.line(60) == "24 now (08:06)")
        #expect(bar.line(60.999) == "24 now (08:06)")
        #expect(bar.line(61) == "24 in 9 min (08:16)")
        #expect(bar.content(BarFixture.after(61)).tooltip.count == 2)
        #expect(bar.content(BarFixture.after(700)).line == "no known departures, no response for 11 min")
    }

    @Test func aCanceledDepartureIsNeverShownAsCatchable() throws {
        let canceled = try BarFixture.bus("08:19", status: .canceled)
        let bar = try BarFixture([canceled, BarFixture.bus("08:30", source: .scheduled)])
        let content = bar.content(BarFixture.after(1))
        #expect(content.line == "24 08:19 canceled, 24 leave in 17 min (08:30, scheduled)")
        #expect(content.classes == [.scheduled, .canceled])
        let alone = try BarFixture([canceled]).content(BarFixture.after(1))
        #expect(alone.line == "24 08:19 canceled")
        #expect(alone.classes == [.canceled])
        #expect(alone.departure == nil)
        #expect(alone.tooltip == ["home-to-work", "08:19 Bus 24 canceled"])
        let skipped = try BarFixture([BarFixture.bus("08:19", status: .skipped)])
        #expect(skipped.line(1) == "24 08:19 does not stop")
    }

    @Test func delayAndSourceAreWords() throws {
        let late = try BarFixture([BarFixture.bus("08:19", delay: 150)]).content(BarFixture.after(1))
        #expect(late.line == "24 leave in 9 min (08:21, +2 min late)")
        #expect(late.classes == [.live, .late])
        let estimated = try BarFixture([BarFixture.bus("08:19", source: .estimated)])
        #expect(estimated.line(1) == "24 leave in 6 min (08:19, estimated)")
    }

    @Test func aSilentDaemonIsShownWithin90Seconds() throws {
        var bar = try BarFixture([BarFixture.bus("08:40")])
        try bar.beat(30)
        #expect(bar.state.silenceTime == BarFixture.after(105).monotonic)
        #expect(bar.line(104) == "24 leave in 26 min (08:40)")
        let content = bar.content(BarFixture.after(105))
        #expect(content.line == "24 leave in 26 min (08:40), no response for 1 min")
        #expect(content.classes == [.stale])
        #expect(content.tooltip.last == "transitd does not respond.")
        #expect(bar.line(330) == "24 leave in 22 min (08:40), no response for 5 min")
        try bar.beat(360)
        #expect(bar.line(361) == "24 leave in 21 min (08:40)")
        #expect(BarState.silenceLimit < 90_000)
    }

    @Test func aLostConnectionKeepsTheDeparturesAndTheirAge() throws {
        var bar = try BarFixture([BarFixture.bus("08:40")])
        bar.state.lose("The daemon closed the connection.")
        let content = bar.content(BarFixture.after(10))
        #expect(content.line == "24 leave in 27 min (08:40), offline")
        #expect(content.classes == [.offline])
        #expect(content.tooltip.suffix(2) == ["Connection lost; reconnecting.", "The daemon closed the connection."])
        #expect(bar.line(200) == "24 leave in 24 min (08:40), offline for 3 min")
        #expect(bar.line(3000) == "no known departures, offline for 50 min")
        bar.state.take(try BarFixture.board([BarFixture.bus("09:40")], at: "08:56"), BarFixture.after(3060))
        #expect(bar.line(3061) == "24 leave in 36 min (09:40)")
    }

    @Test func oldDataIsShownWithItsAge() throws {
        var old = try BarFixture.bus("08:40")
        (old.realtimeState, old.age) = (.aging, 170)
        let content = try BarFixture([old]).content(BarFixture.after(15))
        #expect(content.line == "24 leave in 27 min (08:40), 3 min old")
        #expect(content.classes == [.stale])
    }

    @Test func aQueryThatFailsShowsItsReason() throws {
        var bar = try BarFixture([BarFixture.bus("08:40")])
        bar.state.fail("You have no commute \"gym\".", BarFixture.after(5))
        #expect(bar.line(6) == "24 leave in 27 min (08:40), You have no commute \"gym\".")
        var first = BarState()
        #expect(BarFormatTests.text(first, BarFixture.start) == "waiting for transitd")
        first.fail("You have no commute \"gym\".", BarFixture.start)
        #expect(BarFormatTests.text(first, BarFixture.after(70)) == "You have no commute \"gym\".")
        first.lose("No process is listening.")
        #expect(BarFormatTests.text(first, BarFixture.start) == "offline")
    }

    /// Eight hours of suspend: the departures have left, and the daemon could not answer either.
    @Test func suspendPassesTime() throws {
        let bar = try BarFixture([BarFixture.bus("08:40"), BarFixture.bus("16:30")])
        let awake = BarFixture.after(8 * 3600, suspended: 8 * 3600 - 5)
        #expect(bar.content(awake).line == "24 leave in 18 min (16:30)")
    }

    @Test func aClockThatWasSetIsFollowed() throws {
        var bar = try BarFixture([BarFixture.bus("08:40")])
        bar.state.heartbeat(try Sample.time("07:50"), BarFixture.after(30))
        #expect(bar.line(31) == "24 leave in 42 min (08:40)")
        bar.state.heartbeat(try Sample.time("08:20"), BarFixture.after(60))
        #expect(bar.line(61) == "24 leave in 12 min (08:40)")
        // A message that was sent at the end of a second does not turn the time back.
        let before = bar.state.daemonTime(BarFixture.after(61))
        bar.state.heartbeat(try Sample.time("08:20"), BarFixture.after(60.9))
        #expect(bar.state.daemonTime(BarFixture.after(61)) == before)
    }

    @Test func aDistantDepartureHasNoCountdown() throws {
        let bar = try BarFixture([BarFixture.bus("10:40"), try Sample.departure(Sample.bus, "06:00", days: 1)])
        #expect(bar.line(0) == "24 leave by 10:33 (10:40)")
        var clock = BarClock(now: bar.state.daemonTime(BarFixture.start))
        _ = BarContent(bar.state, BarFixture.start, &clock)
        // The countdown begins an hour before 10:33.
        #expect(clock.nextChange == (try Sample.time("09:33").instant.secondsSince1970) * 1000 + 1)
        let tomorrow = try BarFixture([Sample.departure(Sample.bus, "06:00", days: 1)])
        #expect(tomorrow.line(0) == "24 (tomorrow 06:00, scheduled)")
        #expect(tomorrow.line(16 * 3600) == "24 (06:00, scheduled), no response for 16 h")
    }

    /// What is shown changes only at the times that the clock collects.
    @Test(arguments: testSeeds(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24))
    func eachChangeIsAnnounced(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let formats = [
            "waybar", "tmux", "{route} {leave_in:minutes} {leave_by:duration} {expected:minutes} {age:minutes}",
        ]
        let format = try BarFormat(formats[Int(seed) % formats.count])
        let departures = try (0..<Int.random(in: 0...4, using: &random)).map { _ in
            var departure = try BarFixture.bus(
                "08:\(Int.random(in: 10...59, using: &random))",
                walk: [nil, 0, 130, 420].randomElement(using: &random)!,
                delay: [nil, 0, 47, 200].randomElement(using: &random)!,
                status: [.scheduled, .scheduled, .canceled].randomElement(using: &random)!)
            departure.age = 40
            departure.realtimeState = Bool.random(using: &random) ? .fresh : .aging
            return departure
        }.sorted { $0.time!.instant < $1.time!.instant }
        var bar = try BarFixture(departures)
        if Bool.random(using: &random) { bar.state.lose("Lost.") }
        var (second, changes) = (0.0, 0)
        while second < 70, changes < 400 {
            let now = BarFixture.after(second)
            let (line, next) = format.line(bar.state, now)
            // The daemon becomes silent after 75 s, which is no matter of the clock.
            let end = min(next.map { Double($0 - bar.state.daemonTime(now)) / 1000 + second } ?? 75, 74.999)
            for _ in 0..<5 where end - second > 0.002 {
                let between = Double.random(in: second...(end - 0.001), using: &random)
                #expect(format.line(bar.state, BarFixture.after(between)).line == line, "seed \(seed), \(between) s")
            }
            (second, changes) = (max(end, second + 0.001), changes + 1)
        }
        #expect(changes < 40, "seed \(seed): woken \(changes) times in 75 s")
    }
}
