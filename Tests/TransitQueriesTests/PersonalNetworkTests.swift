import Testing
import TransitModel
import TransitStore
import TransitTestSupport

@testable import TransitQueries

/// Checks which routes, directions and stops are the user's, and what new timetable versions do to usual departures.
@Suite struct PersonalNetworkTests {
    private func commuting(_ fixture: QueryFixture, from: String = "harbor", to: String = "central") -> QueryContext {
        fixture.settings.places["home"] = PlaceConfiguration(
            location: .stop(QualifiedStop(feed: "city", stop: StopID(from))))
        fixture.settings.places["work"] = PlaceConfiguration(
            location: .stop(QualifiedStop(feed: "city", stop: StopID(to))))
        fixture.settings.commutes = [CommuteConfiguration(name: "out", from: "home", to: "work")]
        return fixture.context
    }

    /// Returns lines as `FEED ROUTE DIRECTION [STOPS]`, of commutes only those of "out".
    private func lines(_ context: QueryContext) -> [String] {
        PersonalNetwork(context).lines.filter { $0.selection.kind != .commute || $0.selection.name == "out" }
            .map { line in
                let direction = line.direction.map { "\($0.rawValue)" } ?? "-"
                let stops = line.stops.map { $0.map(\.rawValue).sorted().joined(separator: " ") } ?? "all"
                return "\(line.feed) \(line.route) \(direction) [\(stops)]"
            }
    }

    @Test func commuteHasOnlyItsDirection() throws {
        let fixture = try QueryFixture(.withOppositePlatform())
        #expect(lines(commuting(fixture)).first == "city bus24 0 [central central:1 harbor]")
        let back = lines(commuting(fixture, from: "market:b", to: "harbor"))
        #expect(back.first == "city bus24 1 [harbor market:b]")
        #expect(back.allSatisfy { !$0.contains("bus24 0") })
    }

    @Test func usualDepartureHasItsStopAndTime() throws {
        let fixture = try QueryFixture()
        fixture.personal.usualDepartures = [usual("08:20")]
        let network = PersonalNetwork(fixture.context)
        #expect(lines(fixture.context) == ["city bus24 0 [harbor]"])
        #expect(network.lines.first?.selection == PersonalNetwork.Selection(.usual, name: "08:20 Bus 24"))
        #expect(network.lines.first?.time == usual("08:20").time)
    }

    @Test func favoriteRouteHasAllStops() throws {
        let fixture = try QueryFixture(.withOppositePlatform())
        fixture.personal.favorites = [SavedFavorite(name: "24", feed: "city", target: .route("bus24"))]
        #expect(lines(fixture.context) == ["city bus24 0 [all]", "city bus24 1 [all]"])
    }

    @Test func favoriteStopHasDepartingLines() throws {
        let fixture = try QueryFixture()
        let target = SavedFavorite.Target.stop("central", bothSides: false)
        fixture.personal.favorites = [SavedFavorite(name: "Central", feed: "city", target: target)]
        // Bus 24 only arrives there.
        #expect(lines(fixture.context) == ["city tram1 0 [central central:2]"])
    }

    /// The other feed of the agency numbers the directions differently.
    @Test func otherFeedOfAgencyHasSameDirection() throws {
        let reversed = FeedBuilder.small.file(
            "trips.txt",
            """
            route_id,service_id,trip_id,trip_headsign,direction_id
            bus24,weekday,b1,Central Station,1
            bus24,weekday,x1,Harbor,0

            """
        ).file(
            "stop_times.txt",
            """
            trip_id,arrival_time,departure_time,stop_id,stop_sequence
            b1,08:00:00,08:00:00,harbor,1
            b1,08:20:00,08:20:00,central:1,2
            x1,08:00:00,08:00:00,central:1,1
            x1,08:10:00,08:10:00,market,2
            x1,08:20:00,08:20:00,harbor,3

            """)
        let fixture = try QueryFixture([("city", .small, nil), ("town", reversed, "city")])
        fixture.personal.usualDepartures = [usual("08:00")]
        #expect(lines(fixture.context) == ["city bus24 0 [harbor]", "town bus24 1 [harbor]"])
        #expect(PersonalNetwork(fixture.context).agencyFeeds == ["city": "city", "town": "city"])
    }

    @Test func newVersionMakesNetworkOutdated() throws {
        let fixture = try QueryFixture()
        let network = PersonalNetwork(fixture.context)
        #expect(network.isCurrent(fixture.context))
        try fixture.replace("city", with: .withOppositePlatform())
        #expect(!network.isCurrent(fixture.context))
    }

    @Test func unknownStopsAndRoutesAreLeftOut() throws {
        let fixture = try QueryFixture()
        fixture.personal.favorites = [SavedFavorite(name: "x", feed: "city", target: .route("none"))]
        fixture.personal.usualDepartures = [
            SavedUsualDeparture(
                feed: "gone", route: "x", direction: nil, stop: "y", time: ServiceTime(seconds: 0), days: [],
                isPinned: true)
        ]
        #expect(PersonalNetwork(fixture.context).lines.isEmpty)
    }

    // MARK: New versions

    private func usual(_ time: String, days: Set<Weekday> = [.monday, .friday]) -> SavedUsualDeparture {
        SavedUsualDeparture(
            feed: "city", route: "bus24", direction: .zero, stop: "harbor",
            time: ServiceTime(seconds: seconds(time)), days: days, isPinned: false)
    }

    private func seconds(_ time: String) -> Int32 {
        let parts = time.split(separator: ":").compactMap { Int32($0) }
        return parts[0] * 3600 + parts[1] * 60
    }

    private func date(_ text: String) -> ServiceDate { ServiceDate(iso8601: text)! }

    /// Compares the small feed with another version on Friday, March 27, 2026.
    private func status(
        _ time: String, _ new: FeedBuilder, old: FeedBuilder = .small
    ) throws -> UsualDepartureStatus {
        let fixture = try QueryFixture(old)
        let before = fixture.context.feeds[0].timetable!
        try fixture.replace("city", with: new)
        let after = fixture.context.feeds[0].timetable!
        let comparison = UsualDepartureComparison(old: before, new: after, now: fixture.now)
        return try #require(try comparison.statuses(of: [usual(time)]).first)
    }

    private func replacing(_ pairs: [(String, String)], in file: String = "stop_times.txt") -> FeedBuilder {
        var text = FeedBuilder.small[file]
        for (old, new) in pairs {
            text = text.split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
        }
        return FeedBuilder.small.file(file, text)
    }

    /// The names follow the language, and what identifies a departure or a selection does not.
    @Test func namesAreInTheLanguageOfTheContext() throws {
        let translated = FeedBuilder.small.file(
            "translations.txt",
            """
            table_name,field_name,language,translation,record_id,field_value
            stops,stop_name,zh-Hant,海港,harbor,
            routes,route_short_name,zh-Hant,24路,bus24,
            """)
        let fixture = try QueryFixture(translated)
        fixture.personal.usualDepartures = [usual("08:20")]
        let (english, chinese) = (fixture.context, fixture.context.inLanguage("zh-HK"))
        let network = PersonalNetwork(english)
        #expect(network.isCurrent(english) && !network.isCurrent(chinese))
        #expect(network.lines.map(\.name) == ["Bus 24"])
        let lines = PersonalNetwork(chinese).lines
        #expect(lines.map(\.name) == ["Bus 24路"])
        #expect(lines.map(\.selection) == network.lines.map(\.selection))
        #expect(lines.map(\.selection.title) == ["08:20 Bus 24路"])
        let timetable = english.feeds[0].timetable!
        let comparison = UsualDepartureComparison(
            old: timetable, new: timetable, language: "zh-HK", now: fixture.now)
        let status = try #require(try comparison.statuses(of: [usual("08:20")]).first)
        #expect(status.stop == "海港" && status.route == "Bus 24路")
        #expect(status.identity == usual("08:20").identity)
    }

    @Test func renumberedTripsAreNoChange() throws {
        let renamed = FeedBuilder.small.file(
            "trips.txt", FeedBuilder.small["trips.txt"].split(separator: ",b").joined(separator: ",new-b")
        ).file(
            "stop_times.txt",
            FeedBuilder.small["stop_times.txt"].split(separator: "\nb").joined(separator: "\nnew-b"))
        let status = try status("08:20", renamed)
        #expect(status.change == nil)
        #expect(status.running.count == 8)
        #expect(status.route == "Bus 24")
        #expect(status.stop == "Harbor")
    }

    @Test(arguments: [
        ("08:21", nil), ("08:22", UsualDepartureStatus.Outcome.moved(to: ServiceTime(seconds: 30_120))),
        ("08:35", .moved(to: ServiceTime(seconds: 30_900))),
        // Farther away, the nearest departure is another one.
        ("08:37", .gone(nearest: ServiceTime(seconds: 31_020))),
        ("12:00", .gone(nearest: ServiceTime(seconds: 28_800))),
    ])
    func movedDeparture(time: String, outcome: UsualDepartureStatus.Outcome?) throws {
        let moved = replacing([
            ("b2,08:20:00,08:20:00", "b2,08:19:00,\(time):00"), ("b2,08:28:00,08:29:00", "b2,12:28:00,12:29:00"),
            ("b2,08:40:00,08:40:00", "b2,12:40:00,12:40:00"),
        ])
        let change = try status("08:20", moved).change
        #expect(change?.outcome == outcome)
        #expect(change?.isLasting ?? true)
        #expect(change?.dates.first == (outcome == nil ? nil : date("2026-03-27")))
    }

    @Test func removedDepartureIsGone() throws {
        let without = FeedBuilder.small.file(
            "trips.txt",
            FeedBuilder.small["trips.txt"].split(separator: "\n").filter { !$0.contains(",b1,") }
                .joined(separator: "\n") + "\n"
        ).file(
            "stop_times.txt",
            FeedBuilder.small["stop_times.txt"].split(separator: "\n").filter { !$0.hasPrefix("b1,") }
                .joined(separator: "\n") + "\n")
        let status = try status("08:00", without)
        #expect(status.change?.outcome == .gone(nearest: ServiceTime(seconds: 30_000)))
        #expect(status.running.isEmpty)
        // The way back: the departure is new in the other direction, so nothing is lost.
        let back = try self.status("08:00", .small, old: without)
        #expect(back.change == nil)
        #expect(back.running.count == 8)
    }

    @Test func singleDateIsNotLasting() throws {
        let holiday = FeedBuilder.small.adding("weekday,20260330,2\n", to: "calendar_dates.txt")
        let change = try status("08:00", holiday).change
        #expect(change?.dates == [date("2026-03-30")])
        #expect(change?.isLasting == false)
        #expect(change?.outcome == .gone(nearest: nil))
    }

    /// The versions share no date. The last weeks of the earlier one are compared.
    @Test func versionsWithoutCommonDatesAreCompared() throws {
        let old = replacing([("20260101,20261231", "20260101,20260329")], in: "calendar.txt")
        let new = replacing([("b1,08:00:00,08:00:00", "b1,08:03:00,08:03:00")])
            .file(
                "calendar.txt",
                replacing([("20260101,20261231", "20260330,20261231")], in: "calendar.txt")["calendar.txt"])
        let change = try status("08:00", new, old: old).change
        #expect(change?.outcome == .moved(to: ServiceTime(seconds: 28_980)))
        #expect(change?.dates.first == date("2026-03-30"))
        #expect(change?.isLasting == true)
    }

    @Test func departureOfNeitherVersionIsNoChange() throws {
        #expect(try status("10:00", .small).change == nil)
    }

    // MARK: Holidays

    private func unusual(_ text: String, _ builder: FeedBuilder = .small) throws -> UnusualService? {
        let fixture = try QueryFixture(builder)
        let target = SavedFavorite.Target.stop("harbor", bothSides: false)
        fixture.personal.favorites = [SavedFavorite(name: "Harbor", feed: "city", target: target)]
        return try UnusualService(on: date(text), PersonalNetwork(fixture.context), fixture.context)
    }

    @Test(arguments: ["2026-04-24", "2026-05-08", "2026-05-02", "2026-05-03", "2026-12-31", "2027-01-01"])
    func usualDay(text: String) throws { #expect(try unusual(text) == nil) }

    @Test func holidayHasSundayService() throws {
        let service = try #require(try unusual("2026-05-01"))
        #expect(service.lines == [UnusualService.Line(name: "Bus 24", usual: 3, planned: 1)])
        #expect(service.resembles == .sunday)
    }

    /// Two holidays a week apart have the same service, which is not the usual one.
    @Test func holidaysInConsecutiveWeeksAreUnusual() throws {
        let holidays = FeedBuilder.small.adding("weekday,20260424,2\nweekend,20260424,1\n", to: "calendar_dates.txt")
        #expect(try unusual("2026-05-01", holidays)?.resembles == .sunday)
        #expect(try unusual("2026-04-24", holidays)?.lines.map(\.planned) == [1])
        #expect(try unusual("2026-05-08", holidays) == nil)
    }

    @Test func dayWithoutServiceResemblesNothing() throws {
        let closed = FeedBuilder.small.adding("weekday,20260406,2\n", to: "calendar_dates.txt")
        let service = try #require(try unusual("2026-04-06", closed))
        #expect(service.lines == [UnusualService.Line(name: "Bus 24", usual: 3, planned: 0)])
        #expect(service.resembles == nil)
    }

    /// The first day of a new timetable has the service of the following weeks.
    @Test func newTimetableIsNotUnusual() throws {
        let spring = FeedBuilder.small.file(
            "calendar.txt",
            replacing(
                [("weekday,1,1,1,1,1,0,0,20260101,20261231", "weekday,1,1,1,1,1,0,0,20260101,20260412")],
                in: "calendar.txt")["calendar.txt"]
        ).adding("spring,1,1,1,1,1,0,0,20260413,20261231\n", to: "calendar.txt")
            .adding("bus24,spring,s1,Central Station,0\n", to: "trips.txt")
            .adding("s1,08:05:00,08:05:00,harbor,1\ns1,08:25:00,08:25:00,central:1,2\n", to: "stop_times.txt")
        #expect(try unusual("2026-04-13", spring) == nil)
        #expect(try unusual("2026-04-10", spring) == nil)
    }
}
