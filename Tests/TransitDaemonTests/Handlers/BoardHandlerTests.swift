import Testing
import TransitControl
import TransitModel
import TransitQueries
import TransitTestSupport
import TransitTestTraits
import TransitWire

@testable import TransitDaemon

/// Tests of `next` and `departures`. The clock starts on Friday, March 27, 2026, at 07:30 in Berlin.
@Suite(.ownThreads) struct BoardHandlerTests {
    /// Sets places within a few minutes' walk of the stop `harbor` and of the station.
    static func withPlaces(_ configuration: inout Configuration) {
        configuration.places["home"] = Coordinate(latitude: 53.5405, longitude: 9.9805).map {
            PlaceConfiguration(location: .coordinate($0))
        }
        configuration.places["work"] = Coordinate(latitude: 53.5535, longitude: 10.0065).map {
            PlaceConfiguration(location: .coordinate($0), walk: 120)
        }
    }

    @Test func nextIncludesWalksBetweenPlaces() async throws {
        let daemon = try await TestDaemon.imported(["city": .small], Self.withPlaces)
        let answer = try daemon.ask(NextParameters())
        #expect(answer.commute.name == "home-to-work")
        #expect(answer.commute.origin == .implied)
        #expect(
            answer.departures.map(\.line) == [
                "24 08:00 harbor > central:1 08:20", "24 08:20 harbor > central:1 08:40",
                "24 23:50 harbor > central:1 00:10",
            ])
        let first = try #require(answer.departures.first)
        // A distance of 65 m in a straight line, with a detour factor of 1.3, at 1.25 m/s.
        #expect(first.walk == 68)
        #expect(first.leaveBy?.text == "2026-03-27T07:58:52+01:00")
        #expect(first.leaveIn == 28 * 60 + 52)
        #expect(first.arrival?.walk == 120)
        #expect(first.direction == "work")
        #expect(first.source == .scheduled)
        #expect(first.expected == nil)
        #expect(first.delay == nil)
        #expect(answer.notices.isEmpty)
    }

    /// The time that is left counts from the clock, whatever time the query names. Without a walk, it ends with the departure.
    @Test func timeLeftCountsFromTheClock() async throws {
        let daemon = try await TestDaemon.imported(["city": .small], at: "2026-03-27T07:10:00Z", Self.withPlaces)
        let passed = try daemon.ask(DeparturesParameters(stop: "market", at: "2026-03-27 08:05", count: 1, walk: 0))
        #expect(passed.departures.map(\.line) == ["24 08:09 market"])
        #expect(passed.departures.map(\.leaveIn) == [-60])
        let tomorrow = try daemon.ask(NextParameters(commute: "home-to-work", at: "tomorrow 8", count: 1))
        #expect(tomorrow.departures.first?.leaveBy?.text == "2026-03-28T08:58:52+01:00")
        #expect(tomorrow.departures.first?.leaveIn == 24 * 3600 + 48 * 60 + 52)
    }

    @Test func commuteHomeIsChosenAfterNoon() async throws {
        let daemon = try await TestDaemon.imported(["city": .small], at: "2026-03-27T11:00:00Z", Self.withPlaces)
        #expect(try daemon.ask(NextParameters()).commute.name == "work-to-home")
        #expect(try daemon.ask(NextParameters(at: "11:59")).commute.name == "home-to-work")
    }

    @Test func switchHourAndCountAreConfigurable() async throws {
        let daemon = try await TestDaemon.imported(["city": .small]) { configuration in
            Self.withPlaces(&configuration)
            configuration.queries.returnHour = 7
            configuration.queries.nextCount = 1
        }
        let answer = try daemon.ask(NextParameters())
        #expect(answer.commute.name == "work-to-home")
        #expect(try daemon.ask(NextParameters(commute: "home-to-work")).departures.count == 1)
        #expect(try daemon.ask(NextParameters(commute: "home-to-work", count: 2)).departures.count == 2)
    }

    @Test func departuresContinueOnFollowingServiceDates() async throws {
        let daemon = try await TestDaemon.imported(["city": .small], at: "2026-03-27T22:40:00Z", Self.withPlaces)
        let answer = try daemon.ask(NextParameters(commute: "home-to-work"))
        #expect(
            answer.departures.map(\.line) == [
                "24 23:50 harbor > central:1 00:10", "24 09:00 harbor > central:1 09:20",
                "24 09:00 harbor > central:1 09:20",
            ])
        // Daylight saving time starts early on Sunday.
        #expect(
            answer.departures.map(\.scheduled?.text) == [
                "2026-03-27T23:50:00+01:00", "2026-03-28T09:00:00+01:00", "2026-03-29T09:00:00+02:00",
            ])
        #expect(answer.departures.first?.arrival?.scheduled?.text == "2026-03-28T00:10:00+01:00")
        #expect(answer.departures.first?.serviceDate == ServiceDate(iso8601: "2026-03-27"))
    }

    @Test func commuteRunsFromStopToStation() async throws {
        let daemon = try await TestDaemon.imported(["city": .small]) { configuration in
            configuration.commutes = [CommuteConfiguration(name: "trip", from: "city:market", to: "city:central")]
        }
        // The only commute is used by default.
        let answer = try daemon.ask(NextParameters(count: 1))
        #expect(answer.departures.map(\.line) == ["24 08:09 market > central:1 08:20"])
        #expect(answer.departures.first?.walk == nil)
        #expect(answer.departures.first?.leaveBy == nil)
        #expect(answer.departures.first?.leaveIn == 39 * 60)
        #expect(answer.departures.first?.arrival?.walk == nil)
        #expect(answer.departures.first?.direction == nil)
    }

    @Test func radiusIsWidenedWithoutNearbyStops() async throws {
        // The place is 2.2 km north of City Park.
        let far = try #require(Coordinate(latitude: 53.58, longitude: 10.02))
        let daemon = try await TestDaemon.imported(["city": .small]) { configuration in
            configuration.places["hill"] = PlaceConfiguration(location: .coordinate(far))
            configuration.commutes = [CommuteConfiguration(name: "up", from: "city:central", to: "hill")]
        }
        let answer = try daemon.ask(NextParameters(count: 1))
        #expect(answer.departures.map(\.line) == ["T1 08:30 central:2 > park 08:40"])
        #expect(answer.departures.first?.arrival?.walk == 2313)
    }

    @Test func placeWithoutNearbyStopsIsRefused() async throws {
        let far = try #require(Coordinate(latitude: 50, longitude: 10))
        let daemon = try await TestDaemon.imported(["city": .small]) { configuration in
            configuration.places["moon"] = PlaceConfiguration(location: .coordinate(far))
            configuration.commutes = [CommuteConfiguration(name: "up", from: "city:central", to: "moon")]
        }
        let error = daemon.error(of: NextParameters())
        #expect(error?.kind == .commuteInvalid)
        #expect(error?.message == "There is no stop within 3000 m of moon.")
    }

    @Test func missingCommuteErrorSaysHowToAddOne() async throws {
        let daemon = try await TestDaemon.imported(["city": .small])
        #expect(daemon.error(of: NextParameters())?.kind == .commuteNotSet)
        let error = daemon.error(of: NextParameters(commute: "home-to-work"))
        #expect(error?.kind == .placeNotSet)
        #expect(error?.hint == "Set it with: transitctl place set home LAT,LON.")
        #expect(daemon.error(of: NextParameters(commute: "gym"))?.kind == .commuteNotFound)
    }

    // MARK: departures

    @Test func stationIncludesAllPlatforms() async throws {
        let daemon = try await TestDaemon.imported(["city": .small])
        for name in ["central", "city:central", "Central Station", "central station"] {
            let answer = try daemon.ask(DeparturesParameters(stop: name))
            #expect(answer.stop.id == "central")
            #expect(answer.departures.map(\.line).first == "T1 08:30 central:2")
        }
        // A platform's identifier and code refer only to that platform. Passengers cannot board at the bus's last stop.
        #expect(try daemon.ask(DeparturesParameters(stop: "central:2")).departures.count == 8)
        #expect(try daemon.ask(DeparturesParameters(stop: "103")).departures.count == 8)
        #expect(try daemon.ask(DeparturesParameters(stop: "central:1")).departures.isEmpty)
    }

    @Test func departuresAreFilteredByRoute() async throws {
        let daemon = try await TestDaemon.imported(["city": .small])
        #expect(
            try daemon.ask(DeparturesParameters(stop: "harbor", route: "24", count: 1)).departures.map(\.line) == [
                "24 08:00 harbor"
            ])
        #expect(try daemon.ask(DeparturesParameters(stop: "harbor", route: "tram1")).departures.isEmpty)
        let error = daemon.error(of: DeparturesParameters(stop: "harbor", route: "tram"))
        #expect(error?.kind == .routeNotFound)
        #expect(error?.hint == "Did you mean Tram T1 (city:tram1)?")
    }

    @Test func pastTimeOfDayMeansTomorrow() async throws {
        let daemon = try await TestDaemon.imported(["city": .small])
        func first(_ at: String) throws -> String? {
            try daemon.ask(DeparturesParameters(stop: "harbor", at: at, count: 1)).departures.first?.scheduled?.text
        }
        #expect(try first("08:10") == "2026-03-27T08:20:00+01:00")
        #expect(try first("07:20") == "2026-03-28T09:00:00+01:00")
        #expect(try first("2026-05-01T00:00:00Z") == "2026-05-01T09:00:00+02:00")
        #expect(daemon.error(of: DeparturesParameters(stop: "harbor", at: "soon"))?.kind == .timeInvalid)
    }

    @Test func nearbyStopsOfOneNameShareBoard() async throws {
        func city(otherSide latitude: String) -> FeedBuilder {
            FeedBuilder.small.adding("market:b,,Market Square,\(latitude),9.9900,0,,\n", to: "stops.txt")
                .adding("bus24,weekday,back,Harbor,1\n", to: "trips.txt")
                .adding(
                    "back,08:05:00,08:05:00,market:b,1\nback,08:15:00,08:15:00,harbor,2\n", to: "stop_times.txt")
        }
        let near = try await TestDaemon.imported(["city": city(otherSide: "53.5451")])
        let board = try near.ask(DeparturesParameters(stop: "market square", count: 3))
        #expect(board.departures.map(\.trip.rawValue) == ["back", "b1", "b2"])
        // An identifier selects one side of the road.
        #expect(try near.ask(DeparturesParameters(stop: "market", count: 1)).departures.map(\.trip.rawValue) == ["b1"])
        let far = try await TestDaemon.imported(["city": city(otherSide: "53.5500")])
        #expect(far.error(of: DeparturesParameters(stop: "market square"))?.kind == .stopAmbiguous)
    }

    @Test func stopInTwoFeedsIsAmbiguous() async throws {
        let daemon = try await TestDaemon.imported(["a": .small, "b": .small])
        let error = daemon.error(of: DeparturesParameters(stop: "harbor"))
        #expect(error?.kind == .stopAmbiguous)
        #expect(error?.hint == "Give one of: a:harbor, b:harbor.")
        guard case .array(let candidates)? = error?.details?["candidates"] else {
            Issue.record("no candidates: \(String(describing: error))")
            return
        }
        #expect(candidates.map { $0["feed"]?.text } == ["a", "b"])
        #expect(try daemon.ask(DeparturesParameters(stop: "b:harbor")).stop.feed == "b")
        #expect(try daemon.ask(DeparturesParameters(stop: "harbor", feed: "a")).stop.feed == "a")
        #expect(daemon.error(of: DeparturesParameters(stop: "harbor", feed: "c"))?.kind == .feedNotFound)
    }

    @Test func unknownStopErrorSuggestsSimilarName() async throws {
        let daemon = try await TestDaemon.imported(["city": .small])
        let error = daemon.error(of: DeparturesParameters(stop: "Harbr"))
        #expect(error?.kind == .stopNotFound)
        #expect(error?.hint == "Did you mean Harbor (city:harbor)?")
        #expect(
            daemon.error(of: DeparturesParameters(stop: "mark"))?.hint == "Did you mean Market Square (city:market)?")
    }

    @Test func timesAreInTimeZoneOfStop() async throws {
        let feed = FeedBuilder.small.file(
            "stops.txt",
            """
            stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,stop_timezone
            harbor,Harbor,53.5400,9.9800,0,,
            market,Market Square,53.5450,9.9900,0,west,
            west,West,53.5450,9.9900,1,,Europe/London
            central:1,Central Station,53.5531,10.0061,0,,
            central:2,Central Station,53.5529,10.0063,0,,
            park,City Park,53.5600,10.0200,0,,Asia/Tokyo
            """)
        let daemon = try await TestDaemon.imported(["city": feed])
        let market = try daemon.ask(DeparturesParameters(stop: "market", count: 1))
        #expect(market.departures.first?.scheduled?.text == "2026-03-27T07:09:00Z")
        #expect(try daemon.ask(StopsShowParameters(stop: "market")).timezone == "Europe/London")
        let trip = try daemon.ask(TripShowParameters(trip: "t1"))
        #expect(trip.calls.map(\.arrival?.text) == ["2026-03-27T08:30:00+01:00", "2026-03-27T16:40:00+09:00"])
    }

    @Test func namesAreTranslated() async throws {
        let feed = FeedBuilder.small.file(
            "translations.txt",
            """
            table_name,field_name,language,translation,record_id,field_value
            stops,stop_name,de,Hafen,harbor,
            trips,trip_headsign,de,Hauptbahnhof,,Central Station
            routes,route_long_name,de,Hafen - Hauptbahnhof,bus24,
            """)
        let daemon = try await TestDaemon.imported(["city": feed])
        let german = try daemon.ask(DeparturesParameters(stop: "harbor", count: 1, language: "de-AT"))
        #expect(german.stop.name == "Hafen")
        #expect(german.departures.first?.stop.name == "Hafen")
        #expect(german.departures.first?.headsign == "Hauptbahnhof")
        #expect(german.departures.first?.route.longName == "Hafen - Hauptbahnhof")
        #expect(try daemon.ask(DeparturesParameters(stop: "harbor", language: "fr")).stop.name == "Harbor")
        #expect(try daemon.ask(DeparturesParameters(stop: "harbor")).departures.first?.headsign == "Central Station")
    }

    /// Chinese names are shown in the requested script and found in either script.
    @Test func chineseNamesAreChosenByScript() async throws {
        let feed = FeedBuilder.small.file(
            "translations.txt",
            """
            table_name,field_name,language,translation,record_id,field_value
            stops,stop_name,zh-Hant,竹園邨,harbor,
            stops,stop_name,zh-Hans,竹园邨,harbor,
            trips,trip_headsign,zh-Hant,尖沙咀碼頭,,Central Station
            trips,trip_headsign,zh-Hans,尖沙咀码头,,Central Station
            """)
        let daemon = try await TestDaemon.imported(["city": feed])
        for (language, stop, headsign) in [
            ("zh-HK", "竹園邨", "尖沙咀碼頭"), ("zh-TW", "竹園邨", "尖沙咀碼頭"), ("zh-CN", "竹园邨", "尖沙咀码头"),
            ("zh-Hant-HK", "竹園邨", "尖沙咀碼頭"), ("en-US", "Harbor", "Central Station"),
        ] {
            let board = try daemon.ask(DeparturesParameters(stop: "harbor", count: 1, language: language))
            #expect(board.stop.name == stop, "\(language)")
            #expect(board.departures.first?.stop.name == stop, "\(language)")
            #expect(board.departures.first?.headsign == headsign, "\(language)")
            // Printed names are valid input.
            #expect(try daemon.ask(DeparturesParameters(stop: stop, count: 1)).stop.id == "harbor", "\(language)")
        }
        for text in ["竹園", "竹园", "竹園邨"] {
            let found = try daemon.ask(StopsSearchParameters(text: text, language: "zh-HK"))
            #expect(found.stops.map(\.stop.id) == ["harbor"], "\(text)")
            #expect(found.stops.map(\.stop.name) == ["竹園邨"], "\(text)")
        }
    }

    @Test func frequencyBasedDeparturesShowHeadway() async throws {
        let feed = FeedBuilder.small.file(
            "frequencies.txt", "trip_id,start_time,end_time,headway_secs,exact_times\nb1,08:00:00,08:30:00,600,0\n")
        let daemon = try await TestDaemon.imported(["city": feed])
        let answer = try daemon.ask(DeparturesParameters(stop: "market", count: 3))
        #expect(answer.departures.map(\.line) == ["24 08:09 market", "24 08:19 market", "24 08:29 market"])
        let second = answer.departures[1]
        #expect(second.headway == Headway(seconds: 600, exact: false))
        #expect(second.isApproximate)
        #expect(second.confidence == .low)
        #expect(second.id == "city:b1@2026-03-27/2+08:10:00")
        let trip = try daemon.ask(TripShowParameters(trip: second.id))
        #expect(trip.calls.map(\.departure?.clock) == ["08:10", "08:19", "08:30"])
        #expect(trip.headway == Headway(seconds: 600, exact: false))
    }

    @Test func boardShowsDirectionToWorkOrHome() async throws {
        let daemon = try await TestDaemon.imported(["city": .small], Self.withPlaces)
        #expect(
            try daemon.ask(DeparturesParameters(stop: "market", count: 2)).departures.map(\.direction) == [
                "work", "work",
            ])
        // The tram starts near work and goes to neither place.
        #expect(try daemon.ask(DeparturesParameters(stop: "central:2", count: 1)).departures.map(\.direction) == [nil])
        _ = try daemon.ask(PlaceSetParameters(place: "home", position: Position(lat: 53.5535, lon: 10.0065)))
        _ = try daemon.ask(PlaceSetParameters(place: "work", stop: "harbor"))
        #expect(try daemon.ask(DeparturesParameters(stop: "market", count: 1)).departures.map(\.direction) == ["home"])
        #expect(try daemon.ask(DeparturesParameters(stop: "harbor", count: 1)).departures.map(\.direction) == ["home"])
        // Another user has only the places in the configuration.
        #expect(
            try daemon.ask(DeparturesParameters(stop: "market", count: 1), uid: 7).departures.map(\.direction) == [
                "work"
            ])
    }

    @Test func stopNameDeterminesDirectionOfOtherTrips() async throws {
        let feed = FeedBuilder.small
            .adding(
                """
                gate,,Gate toward Harbor,53.5480,9.9960,0,,
                quay,,Quay,53.5451,9.9902,0,,NB
                door,,Door toward Harbor,53.5401,9.9801,0,,
                lake,,Lake,53.5200,9.9600,0,,

                """, to: "stops.txt"
            )
            .adding("down,city,D,Down,3,,\n", to: "routes.txt")
            .adding("down,weekday,d1,Lake,0\ndown,weekday,d2,Lake,0\ndown,weekday,d3,Lake,0\n", to: "trips.txt")
            .adding(
                """
                d1,07:40:00,07:40:00,gate,1
                d1,07:55:00,07:55:00,lake,2
                d2,07:41:00,07:41:00,quay,1
                d2,07:55:00,07:55:00,lake,2
                d3,07:42:00,07:42:00,door,1
                d3,07:55:00,07:55:00,lake,2

                """, to: "stop_times.txt")
        let daemon = try await TestDaemon.imported(["city": feed], Self.withPlaces)
        func direction(_ stop: String) throws -> String? {
            try #require(try daemon.ask(DeparturesParameters(stop: stop, count: 1)).departures.first).direction
        }
        // One stop is named after the harbor, which is near home. The other stop is for northbound trips, and work is
        // in the north.
        #expect(try direction("gate") == "home")
        #expect(try direction("quay") == "work")
        // This stop is itself near home.
        #expect(try direction("door") == nil)
        // Neither place is in the north any longer, and the trip goes to neither place.
        _ = try daemon.ask(PlaceSetParameters(place: "work", position: Position(lat: 53.5300, lon: 10.0500)))
        #expect(try direction("quay") == nil)
        _ = try daemon.ask(FavoriteAddParameters(stop: "gate"))
        #expect(try daemon.ask(FavoriteShowParameters()).boards.first?.departures.first?.direction == "home")
    }

    @Test func nearerPlaceDeterminesDirectionUnlessTripLeadsAway() async throws {
        // One trip ends a kilometer from work, beyond the usual walking radius. The other trip leads away from both
        // places.
        let feed = FeedBuilder.small
            .adding("hill,,Hill,53.5630,10.0065,0,,\nlake,,Lake,53.5200,9.9600,0,,\n", to: "stops.txt")
            .adding("up,city,U,Up,3,,\ndown,city,D,Down,3,,\n", to: "routes.txt")
            .adding("up,weekday,u1,Hill,0\ndown,weekday,d1,Lake,0\n", to: "trips.txt")
            .adding(
                """
                u1,07:40:00,07:40:00,market,1
                u1,07:50:00,07:50:00,hill,2
                d1,07:45:00,07:45:00,market,1
                d1,07:55:00,07:55:00,lake,2

                """, to: "stop_times.txt")
        let daemon = try await TestDaemon.imported(["city": feed], Self.withPlaces)
        func directions() throws -> [String?] {
            try daemon.ask(DeparturesParameters(stop: "market", count: 2)).departures.map(\.direction)
        }
        #expect(try directions() == ["work", nil])
        // With only one place, there is nothing to compare.
        let alone = try await TestDaemon.imported(["city": feed]) { configuration in
            Self.withPlaces(&configuration)
            configuration.places["home"] = nil
        }
        let board = try alone.ask(DeparturesParameters(stop: "market", count: 2))
        #expect(board.departures.map(\.direction) == [nil, nil])
    }
}
