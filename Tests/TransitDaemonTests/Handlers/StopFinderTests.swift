import Testing
import TransitControl
import TransitEngine
import TransitModel
import TransitTestSupport
import TransitTestTraits
import TransitWire

@testable import TransitDaemon

/// Checks that a text refers to the same stop in every request.
@Suite(.ownThreads) struct StopFinderTests {
    /// Market Square has a platform on each side of the road but no station.
    private static func city(otherSide latitude: String = "53.5451") -> FeedBuilder {
        FeedBuilder.small.adding("market:b,,Market Square,\(latitude),9.9900,0,,\n", to: "stops.txt")
            .adding("bus24,weekday,back,Harbor,1\n", to: "trips.txt")
            .adding("back,08:05:00,08:05:00,market:b,1\nback,08:15:00,08:15:00,harbor,2\n", to: "stop_times.txt")
    }

    private static func trips(_ departures: [Departure]) -> [String] { departures.map(\.trip.rawValue) }

    @Test func commuteStoresAllPlatformsOfName() async throws {
        let daemon = try await TestDaemon.imported(["city": Self.city()])
        let back = try daemon.ask(CommuteAddParameters(name: "back", from: "Market Square", to: "Harbor"))
        let both = "city:market + city:market:b"
        #expect(back.commute?.from == CommuteEndpoint(kind: .stop, reference: both, name: "Market Square"))
        #expect(back.commute?.problem == nil)
        #expect(try Self.trips(daemon.ask(NextParameters(commute: "back", count: 1)).departures) == ["back"])
        // Printed references are valid input.
        let out = try daemon.ask(CommuteAddParameters(name: "out", from: both, to: "Central Station"))
        #expect(out.commute?.from.reference == both)
        #expect(try Self.trips(daemon.ask(NextParameters(commute: "out", count: 1)).departures) == ["b1"])
        #expect(try Self.trips(daemon.ask(DeparturesParameters(stop: both, count: 2)).departures) == ["back", "b1"])
        // An identifier names a single platform.
        let one = try daemon.ask(CommuteAddParameters(name: "one", from: "market:b", to: "harbor"))
        #expect(one.commute?.from.reference == "city:market:b")
    }

    @Test func missingPlatformIsIgnored() async throws {
        let daemon = try await TestDaemon.imported(["city": Self.city()])
        _ = try daemon.ask(CommuteAddParameters(name: "out", from: "market square", to: "Central Station"))
        try daemon.publish(.small, as: "city")
        #expect(try await daemon.update("city", whole: true).outcome == .updated)
        #expect(try Self.trips(daemon.ask(NextParameters(commute: "out", count: 1)).departures) == ["b1"])
        #expect(try daemon.ask(CommuteListParameters()).commutes.first { $0.name == "out" }?.problem == nil)
    }

    @Test func placeIncludesAllPlatforms() async throws {
        let daemon = try await TestDaemon.imported(["city": Self.city()])
        _ = try daemon.ask(PlaceSetParameters(place: "shop", stop: "Market Square"))
        _ = try daemon.ask(CommuteAddParameters(name: "back", from: "shop", to: "harbor"))
        _ = try daemon.ask(CommuteAddParameters(name: "out", from: "shop", to: "central"))
        #expect(try Self.trips(daemon.ask(NextParameters(commute: "back", count: 1)).departures) == ["back"])
        #expect(try Self.trips(daemon.ask(NextParameters(commute: "out", count: 1)).departures) == ["b1"])
    }

    @Test func suggestionNamesPlatformsOfOneStopOnce() async throws {
        let daemon = try await TestDaemon.imported(["city": Self.city()])
        let error = daemon.error(of: DeparturesParameters(stop: "mark"))
        #expect(error?.hint == "Did you mean Market Square (city:market)?")
    }

    @Test func platformsAreShownTogether() async throws {
        let daemon = try await TestDaemon.imported(["city": Self.city()])
        let shown = try daemon.ask(StopsShowParameters(stop: "Market Square"))
        #expect(shown.children.map(\.id.rawValue) == ["market", "market:b"])
        let near = try daemon.ask(StopsNearParameters(position: Position(lat: 53.545, lon: 9.99), radius: 5000))
        #expect(near.stops.map(\.stop.id.rawValue) == ["market", "harbor", "central", "park"])
        #expect(near.total == 4)
        #expect(near.stops[2].routes.sorted() == ["24", "T1"])
    }

    @Test func namesakesFarApartAreAmbiguousEverywhere() async throws {
        let daemon = try await TestDaemon.imported(["city": Self.city(otherSide: "53.5500")])
        let name = "Market Square"
        #expect(daemon.error(of: DeparturesParameters(stop: name))?.kind == .stopAmbiguous)
        #expect(daemon.error(of: CommuteAddParameters(name: "a", from: name, to: "harbor"))?.kind == .stopAmbiguous)
        #expect(daemon.error(of: PlaceSetParameters(place: "shop", stop: name))?.kind == .stopAmbiguous)
        #expect(daemon.error(of: FavoriteAddParameters(stop: name))?.kind == .stopAmbiguous)
        #expect(daemon.error(of: StopsShowParameters(stop: name))?.kind == .stopAmbiguous)
        #expect(daemon.error(of: DeparturesParameters(stop: "Market"))?.kind == .stopAmbiguous)
    }

    /// Platforms of the same station are one stop even if they are far apart and the station has a different name.
    @Test func platformsOfOneParentAreOneStop() async throws {
        let feed = FeedBuilder.small.file(
            "stops.txt",
            """
            stop_id,stop_code,stop_name,stop_lat,stop_lon,location_type,parent_station,platform_code
            harbor,100,Harbor,53.5400,9.9800,0,,
            market,101,Market Square,53.5450,9.9900,0,,
            central,,Hauptbahnhof,53.5530,10.0060,1,,
            central:1,102,Central Station,53.5531,10.0061,0,central,1
            central:2,103,Central Station,53.5579,10.0063,0,central,2
            park,104,City Park,53.5600,10.0200,0,,

            """)
        let daemon = try await TestDaemon.imported(["city": feed])
        let added = try daemon.ask(CommuteAddParameters(name: "a", from: "Central Station", to: "City Park"))
        #expect(added.commute?.from.reference == "city:central:1 + city:central:2")
        #expect(try Self.trips(daemon.ask(NextParameters(commute: "a", count: 1)).departures) == ["t1"])
    }

    @Test(arguments: [
        ("Central", "central"), ("city", "park"), ("MARKET", "market"),
        ("Central Station, platform 2", "central:2"), ("Central Station 1", "central:1"),
        ("Harbor (city:harbor)", "harbor"), ("HARBOR", "harbor"), ("104", "park"),
    ])
    func uniqueTextNamesStop(text: String, stop: String) async throws {
        let daemon = try await TestDaemon.imported(["city": .small])
        #expect(try daemon.ask(DeparturesParameters(stop: text)).stop.id.rawValue == stop)
        #expect(try daemon.ask(StopsShowParameters(stop: text)).stop.id.rawValue == stop)
        let place = try daemon.ask(PlaceSetParameters(place: "there", stop: text)).place
        #expect(place.stop == "city:\(stop)")
    }

    @Test func ambiguousPrefixIsNotFound() async throws {
        let daemon = try await TestDaemon.imported(["city": .small])
        let error = daemon.error(of: DeparturesParameters(stop: "C"))
        #expect(error?.kind == .stopNotFound)
        #expect(error?.hint?.contains("Central Station") == true)
        // A complete name takes precedence over the prefix of a longer one.
        let longer = try await TestDaemon.imported([
            "city": FeedBuilder.small.adding("harbor:x,,Harbor Street,53.5800,9.9800,0,,\n", to: "stops.txt")
        ])
        #expect(try longer.ask(DeparturesParameters(stop: "Harbor")).stop.id == "harbor")
    }

    /// The two platforms of Mountain View share a name and have no station.
    @Test(.enabled(if: SharedData.isAvailable))
    func caltrainPlatformsAreOneStop() async throws {
        let daemon = try TestDaemon(at: "2018-06-13T14:00:00Z") {
            $0.feeds.append(
                FeedConfiguration(
                    id: "caltrain", source: .file(path: SharedData.path("gtfs/caltrain", "2018-transitland-lib.zip"))))
        }
        #expect(try await daemon.update("caltrain", force: true).outcome == .updated)
        let added = try daemon.ask(
            CommuteAddParameters(name: "sj", from: "Mountain View Caltrain", to: "San Jose Diridon"))
        #expect(added.commute?.from.reference == "caltrain:70211 + caltrain:70212")
        #expect(added.commute?.to.reference == "caltrain:70261 + caltrain:70262")
        let next = try daemon.ask(NextParameters(commute: "sj", count: 3))
        #expect(next.departures.count == 3)
        #expect(next.departures.allSatisfy { $0.stop.id == "70212" && $0.arrival?.stop.id == "70262" })
        _ = try daemon.ask(PlaceSetParameters(place: "mv", stop: "mountain view"))
        _ = try daemon.ask(CommuteAddParameters(name: "north", from: "mv", to: "San Francisco Caltrain"))
        #expect(try daemon.ask(NextParameters(commute: "north", count: 1)).departures.first?.stop.id == "70211")
        let favorite = try daemon.ask(FavoriteAddParameters(stop: "Mountain View Caltrain")).favorite
        #expect(favorite.name == "Mountain View Caltrain")
    }

    /// What people type, and the name of the station that they mean.
    @Test(.enabled(if: SharedData.isAvailable))
    func caltrainStationsAreFoundByWhatPeopleType() async throws {
        let daemon = try TestDaemon(at: "2018-06-13T14:00:00Z") {
            $0.feeds.append(
                FeedConfiguration(
                    id: "caltrain", source: .file(path: SharedData.path("gtfs/caltrain", "2018-transitland-lib.zip"))))
        }
        #expect(try await daemon.update("caltrain", force: true).outcome == .updated)
        let meant = [
            ("Hilsdale", "Hillsdale"), ("milbrae", "Millbrae"), ("moutain view", "Mountain View"),
            ("san fran", "San Francisco"), ("diridon", "San Jose Diridon"), ("mv", "Mountain View"),
            ("francisco san", "San Francisco"),
        ]
        for (text, name) in meant {
            let error = daemon.error(of: DeparturesParameters(stop: text))
            guard case .array(let candidates)? = error?.details?["candidates"] else {
                Issue.record("\(text): \(String(describing: error))")
                continue
            }
            let names = candidates.compactMap { $0["name"]?.text }
            #expect(names.first?.hasPrefix(name) == true, "\(text): \(names)")
            // A station is listed once. "francisco san" may also mean the southern one.
            #expect(names.count == (text == "francisco san" ? 2 : 1), "\(text): \(names)")
            // The reference names all platforms of the station.
            let reference = try #require(candidates[0]["reference"]?.text ?? candidates[0]["id"]?.text)
            #expect(try daemon.ask(DeparturesParameters(stop: reference)).stop.name == names[0])
            #expect(error?.details?["text"] == .string(text))
        }
    }

    @Test func descriptionsNameDepartures() async throws {
        let daemon = try await TestDaemon.imported(["city": Self.city()])
        func found(_ text: String) throws -> String { try daemon.ask(ExplainParameters(departure: text)).departure.id }
        #expect(daemon.error(of: ExplainParameters(departure: "08:00"))?.kind == .departureNotFound)
        let id = try found("08:00 from Harbor")
        #expect(id.contains("b1@"))
        #expect(try found("Bus 24 08:00 from Harbor") == id)
        #expect(try found("Bus 24 to Central Station at 8:00 from Harbor") == id)
        #expect(daemon.error(of: ExplainParameters(departure: "Tram 24 08:00 from Harbor"))?.kind == .departureNotFound)
        // The caller's commutes are searched without the name of a stop.
        _ = try daemon.ask(CommuteAddParameters(name: "out", from: "Harbor", to: "Central Station"))
        #expect(try found("08:00") == id)
        #expect(try found("24 08:00") == id)
        #expect(daemon.error(of: ExplainParameters(departure: "24"))?.kind == .departureNotFound)
        #expect(try daemon.ask(TripShowParameters(trip: "08:00")).trip.id == "b1")
        #expect(daemon.error(of: TripShowParameters(trip: "nosuch"))?.kind == .tripNotFound)
    }

    @Test func numberOfATripNamesItsNextRun() async throws {
        let feed = FeedBuilder.small.file(
            "trips.txt",
            """
            route_id,service_id,trip_id,trip_headsign,direction_id,trip_short_name
            bus24,weekday,b1,Central Station,0,435
            bus24,weekday,b2,Central Station,0,437
            bus24,weekday,b3,Central Station,0,
            bus24,weekend,b4,Central Station,0,435
            tram1,weekday,t1,City Park,0,12
            tram1,weekday,t2,City Park,0,12

            """)
        let daemon = try await TestDaemon.imported(["city": feed])
        let explained = try daemon.ask(ExplainParameters(departure: "435")).departure
        #expect(explained.trip == "b1" && explained.stop.name == "Harbor")
        #expect(try daemon.ask(ExplainParameters(departure: "Bus 437")).departure.trip == "b2")
        #expect(try daemon.ask(TripShowParameters(trip: "435")).trip.id == "b1")
        #expect(daemon.error(of: ExplainParameters(departure: "Tram 435"))?.kind == .departureNotFound)
        let error = daemon.error(of: ExplainParameters(departure: "12"))
        #expect(error?.kind == .departureAmbiguous)
        #expect(error?.hint?.contains("Tram 12 to City Park at 08:30 from Central Station") == true)
    }

    @Test func journeyNeedsNoCommute() async throws {
        let daemon = try await TestDaemon.imported(["city": Self.city()])
        let next = try daemon.ask(NextParameters(from: "Harbor", to: "central station", count: 1))
        #expect(Self.trips(next.departures) == ["b1"])
        #expect(next.commute.name == "Harbor to Central Station" && next.commute.origin == .request)
        _ = try daemon.ask(PlaceSetParameters(place: "home", stop: "Harbor"))
        #expect(try Self.trips(daemon.ask(NextParameters(from: "Home", to: "Central", count: 1)).departures) == ["b1"])
        #expect(daemon.error(of: NextParameters(from: "Harbor", to: "Harbor"))?.kind == .commuteInvalid)
        #expect(daemon.error(of: NextParameters(from: "Harbor"))?.kind == .invalidParameters)
        #expect(daemon.error(of: NextParameters(from: "Harbor", to: "work"))?.kind == .placeNotSet)
        #expect(daemon.error(of: NextParameters(from: "Harbr", to: "Central"))?.kind == .stopNotFound)
        #expect(try daemon.ask(CommuteListParameters()).commutes.isEmpty)
    }

    @Test func boardCanShowSomeDeparturesOfEachDirection() async throws {
        let daemon = try await TestDaemon.imported(["city": Self.city()])
        let board = try daemon.ask(DeparturesParameters(stop: "Market Square", countPerDirection: 1))
        // Bus "back" has direction 1.
        #expect(Self.trips(board.departures) == ["back", "b1"])
        let all = try daemon.ask(DeparturesParameters(stop: "Market Square", countPerDirection: 50))
        #expect(all.departures.count > 2)
    }
}
