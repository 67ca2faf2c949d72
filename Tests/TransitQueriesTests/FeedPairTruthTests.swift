import Testing
import TransitEngine
import TransitFeeds
import TransitModel
import TransitStore
import TransitTestSupport

@testable import TransitQueries

/// A departure in the two feeds of one agency has one status, one expected time and one reliability, whichever query
/// returns it.
struct FeedPairTruthTests {
    // MARK: A cancellation and a delay

    @Test func tripHasCancellationOfOtherFeed() throws {
        let fixture = try Self.fixture()
        try fixture.receive([Self.update("x0", .canceled)], of: "town")
        let trip = try TripQuery("city:b0", date: nil, feed: nil, fixture.context).result(fixture.context)
        #expect(trip.calls.map(\.status) == [.canceled, .canceled, .canceled, .canceled])
        #expect(trip.summary?.status == .canceled)
    }

    @Test func tripHasDelayOfOtherFeedUpToItsLastCall() throws {
        let fixture = try Self.fixture()
        try fixture.receive([Self.update("x0", delays: [(1, 300)])], of: "town")
        for id in ["city:b0", "city:b0@2026-03-27/2", "town:x0"] {
            let trip = try TripQuery(id, date: nil, feed: nil, fixture.context).result(fixture.context)
            #expect(trip.calls.map(\.delay) == [300, 300, 300, 300], "\(id)")
            #expect(trip.summary?.departure.call.source == .live)
        }
    }

    @Test func departedVehicleOfOtherFeedIsNotOfferedAsScheduled() throws {
        let fixture = try Self.fixture()
        fixture.now = try #require(Instant(rfc3339: "2026-03-27T07:59:00+01:00"))
        try fixture.receive([Self.update("x0", delays: [(1, -90)])], of: "town")
        #expect(try fixture.lines(fixture.board("city:A").result(count: 1, fixture.context)) == ["b0back 08:15"])
        let explained = try ExplainQuery("city:b0@2026-03-27/1", fixture.context).result(fixture.context)
        #expect(explained.merged.call.status == .departed)
    }

    @Test func identifierInOtherFeedIsSameDeparture() throws {
        let fixture = try Self.fixture()
        try fixture.receive([Self.update("x0", delays: [(1, 300)])], of: "town")
        let explained = try ExplainQuery("town:x0@2026-03-27/1", fixture.context).result(fixture.context)
        #expect(try fixture.line(explained.merged) == "b0 08:05")
    }

    @Test func predictionsEightMinutesApartHaveMediumConfidence() throws {
        let fixture = try Self.fixture()
        try fixture.receive([Self.update("b0", delays: [(1, 0)])], of: "city")
        try fixture.receive([Self.update("x0", delays: [(1, 480)])], of: "town")
        let board = try fixture.board("city:A").result(count: 1, fixture.context)
        #expect(board.departures.map(\.call.confidence) == [.medium])
        #expect(try fixture.lines(board) == ["b0 08:00"])
    }

    /// The planned time in the second feed is in the window of a board that begins at 08:24, that in the first is not.
    @Test func departureIsFoundByPlanOfOtherFeedAtStartOfWindow() throws {
        let fixture = try Self.fixture(shift: 2)
        fixture.now = try #require(Instant(rfc3339: "2026-03-27T08:21:07+01:00"))
        try fixture.receive([Self.update("x0", delays: [(1, 1500)])], of: "town")
        #expect(try fixture.lines(fixture.board("city:A").result(count: 3, fixture.context)).contains("b0 08:27"))
        let trips = try DirectTripsQuery(commute: "out", at: nil, fixture.context).result(count: 3, fixture.context)
        #expect(try trips.directTrips.map { try fixture.line($0.merged) }.contains("b0 08:27"))
    }

    // MARK: All queries

    @Test(arguments: testSeeds(1, 2, 3, 4, 5, 6, 7, 8))
    func queriesAgreeOnEachDeparture(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let fixture = try Self.fixture(randomizedBy: &random)
        for round in 0..<25 {
            fixture.now = try #require(Instant(rfc3339: "2026-03-27T07:30:00+01:00")).advanced(
                by: random.number(0...3000))
            for feed in ["city", "town"] as [FeedID] {
                try fixture.receive(Self.randomUpdates(of: feed, fixture.now, &random), of: feed)
            }
            let differences = try Self.differences(fixture)
            #expect(differences.isEmpty, "seed \(seed), round \(round): \(differences.prefix(3))")
            if !differences.isEmpty { return }
        }
    }

    /// Returns the departures at stop A about which two queries disagree.
    private static func differences(_ fixture: QueryFixture) throws -> [String] {
        let context = fixture.context
        let board = try fixture.board("city:A").result(count: 150, context).departures
        var differences: [String] = []
        func compare(_ query: String, _ found: [String: String], _ expected: [String: String]) {
            for (id, line) in found where expected[id] != line {
                differences.append("\(query) \(id): \(line), departures: \(expected[id] ?? "-")")
            }
        }
        let all = try lines(board)
        let ids = try board.map { try id($0) }
        for count in [1, 4, 9] {
            let some = try fixture.board("city:A").result(count: count, context).departures
            compare("departures -n \(count)", try lines(some), all)
            if try some.map({ try id($0) }) != Array(ids.prefix(count)) {
                differences.append(
                    "departures -n \(count): \(try some.map { try id($0) }), \(Array(ids.prefix(count)))")
            }
        }
        compare(
            "departures of town",
            try lines(fixture.board("town:1").result(count: 150, context).departures),
            all)
        compare(
            "departures --route",
            try lines(fixture.board("city:A", route: "24").result(count: 150, context).departures), all)
        let favorites = try FavoritesQuery(favorite: nil, category: nil, at: nil, context)
        #expect(favorites.all.count == 2)
        for one in favorites.all {
            let found = try one.board.get().result(count: 30, context).departures
            #expect(!found.isEmpty)
            compare("favorite \(one.entry.favorite.name)", try lines(found), all)
        }
        let trips = try DirectTripsQuery(commute: "out", at: nil, context).result(count: 20, context)
        compare("next", try lines(trips.directTrips.map(\.merged)), all)
        for merged in board {
            let id = try id(merged)
            let explained = try ExplainQuery(id, context).result(context)
            compare("explain", try lines([explained.merged]), all)
            guard let scheduled = merged.call.scheduledCall else { continue }
            let trip = try TripQuery(id, date: nil, feed: nil, context).result(context)
            compare("trip show", [id: line(trip.merged[scheduled.position])], all)
        }
        return differences
    }

    private static func lines(_ departures: [MergedDeparture]) throws -> [String: String] {
        var lines: [String: String] = [:]
        for merged in departures { lines[try id(merged)] = line(merged) }
        return lines
    }

    private static func line(_ merged: MergedDeparture) -> String {
        let call = merged.call
        let time = call.expectedDeparture.map { "\($0.secondsSince1970)" } ?? "-"
        return "\(call.status) \(call.source) \(time) \(call.delay.map(String.init) ?? "-") \(merged.reliability)"
    }

    private static func id(_ merged: MergedDeparture) throws -> String { try merged.identifier.description }

    // MARK: Feeds

    /// Two feeds of one agency with the same four stops. Trips leave stop A from 08:00 on, every 20 minutes.
    ///
    /// - Parameter shift: The number of minutes by which the second feed's times are later, as riders' and drivers'
    ///   timetables differ.
    private static func fixture(shift: Int = 0) throws -> QueryFixture {
        let city = feed("b", stops: ["A", "B", "C", "D"], starts: [0, 20, 40, 60], shift: 0, headsign: "Central")
        let town = feed("x", stops: ["1", "2", "3", "4"], starts: [0, 20, 40, 60], shift: shift, headsign: "Central")
        return try paired(city, town)
    }

    private static func fixture(randomizedBy random: inout SeededGenerator) throws -> QueryFixture {
        var starts: [Int] = []
        var minute = 0
        while minute < 70 {
            starts.append(minute)
            minute += random.number(3...25)
        }
        let kept = starts.filter { _ in random.number(0...5) > 0 }
        return try paired(
            feed("b", stops: ["A", "B", "C", "D"], starts: starts, shift: 0, headsign: "Central Station"),
            feed("x", stops: ["1", "2", "3", "4"], starts: kept, shift: random.number(-2...2), headsign: "Central"))
    }

    private static func paired(_ city: FeedBuilder, _ town: FeedBuilder) throws -> QueryFixture {
        let fixture = try QueryFixture([("city", city, nil), ("town", town, "city")])
        for (name, stop) in [CommuteList.home: "A", CommuteList.work: "D"] {
            fixture.settings.places[name] = PlaceConfiguration(
                location: .stop(QualifiedStop(feed: "city", stop: StopID(stop))))
        }
        fixture.settings.commutes = [CommuteConfiguration(name: "out", from: "home", to: "work")]
        fixture.personal.favorites = [
            SavedFavorite(name: "stop", feed: "city", target: .stop("A", bothSides: false)),
            SavedFavorite(name: "route", feed: "city", target: .routeAtStop("r24", "A", bothSides: false)),
        ]
        return fixture
    }

    /// - Parameters:
    ///   - starts: The departures from the first stop, in minutes after 08:00.
    ///   - shift: Minutes that are added to each time.
    private static func feed(
        _ prefix: String, stops: [String], starts: [Int], shift: Int, headsign: String
    ) -> FeedBuilder {
        func clock(_ minutes: Int) -> String {
            func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
            let total = 8 * 60 + minutes + shift
            return "\(two(total / 60)):\(two(total % 60)):00"
        }
        var (trips, times) = ("route_id,service_id,trip_id,trip_headsign,direction_id\n", "")
        for (number, start) in starts.enumerated() {
            let (route, id) = (number % 4 == 3 ? "r9" : "r24", "\(prefix)\(number)")
            trips += "\(route),weekday,\(id),\(headsign),0\n"
            trips += "\(route),weekday,\(id)back,Harbor,1\n"
            for (call, stop) in stops.enumerated() {
                let time = clock(start + call * 7)
                times += "\(id),\(time),\(time),\(stop),\(call + 1)\n"
            }
            for (call, stop) in [stops[3], stops[2], stops[0], stops[1]].enumerated() {
                let time = clock(start + 3 + call * 6)
                times += "\(id)back,\(time),\(time),\(stop),\(call + 1)\n"
            }
        }
        let places = ["53.5400,9.9800", "53.5450,9.9900", "53.5530,10.0060", "53.5600,10.0200"]
        let names = ["Harbor", "Market", "Central", "Park"]
        let rows = zip(stops, zip(names, places)).map { "\($0),\($1.0),\($1.1)" }.joined(separator: "\n")
        // A single day, so that a board with all departures is short.
        let calendar = """
            service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
            weekday,1,1,1,1,1,0,0,20260327,20260328

            """
        return FeedBuilder.small.file("calendar.txt", calendar)
            .file("stops.txt", "stop_id,stop_name,stop_lat,stop_lon\n\(rows)\n")
            .file(
                "routes.txt",
                "route_id,agency_id,route_short_name,route_long_name,route_type\nr24,city,24,,3\nr9,city,9,,3\n"
            )
            .file("trips.txt", trips)
            .file("stop_times.txt", "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n" + times)
    }

    // MARK: Updates

    private static func update(
        _ trip: String, _ relationship: TripScheduleRelationship = .scheduled, delays: [(UInt32, Int32)] = [],
        skipped: [UInt32] = []
    ) -> TripUpdate {
        let updates =
            delays.map { StopTimeUpdate(sequence: $0.0, departure: StopTimeEvent(delay: $0.1)) }
            + skipped.map { StopTimeUpdate(sequence: $0, relationship: .skipped) }
        return TripUpdate(
            id: EntityID(trip),
            trip: TripDescriptor(
                tripID: TripID(trip), startDate: ServiceDate(iso8601: "2026-03-27"), relationship: relationship),
            updates: updates.sorted { ($0.sequence ?? 0) < ($1.sequence ?? 0) })
    }

    private static func randomUpdates(
        of feed: FeedID, _ now: Instant, _ random: inout SeededGenerator
    ) -> [TripUpdate] {
        var updates: [TripUpdate] = []
        let prefix = feed == "city" ? "b" : "x"
        for number in 0..<40 {
            let trip = "\(prefix)\(number)\(random.number(0...3) == 0 ? "back" : "")"
            switch random.number(0...9) {
            case 0...3: continue
            case 4: updates.append(update(trip, .canceled))
            case 5:
                updates.append(
                    update(
                        trip, delays: [(1, Int32(random.number(-200...900)))], skipped: [UInt32(random.number(1...4))]))
            case 6: updates.append(update(trip, delays: [(1, Int32(random.number(600...4000)))]))
            default: updates.append(update(trip, delays: [(1, Int32(random.number(-300...700)))]))
            }
        }
        let stops = feed == "city" ? ["A", "B", "C", "D"] : ["1", "2", "3", "4"]
        for number in 0..<random.number(0...3) {
            let start = now.advanced(by: random.number(-600...3600))
            updates.append(
                TripUpdate(
                    id: EntityID("added\(number)"),
                    trip: TripDescriptor(
                        tripID: TripID("added\(number)"), routeID: "r24", startDate: ServiceDate(iso8601: "2026-03-27"),
                        relationship: .added),
                    updates: stops.enumerated().map { call, stop in
                        StopTimeUpdate(
                            sequence: UInt32(call + 1), stopID: StopID(stop),
                            departure: StopTimeEvent(time: start.advanced(by: call * 420)))
                    }))
        }
        return updates
    }
}
