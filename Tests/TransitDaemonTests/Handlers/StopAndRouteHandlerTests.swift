import Testing
import TransitControl
import TransitModel
import TransitTestSupport
import TransitTestTraits
import TransitWire

@testable import TransitDaemon

/// Tests of `stops.*`, `routes.*` and `trip.show`.
@Suite(.ownThreads) struct StopAndRouteHandlerTests {
    static func daemon() async throws -> TestDaemon { try await TestDaemon.imported(["city": .small]) }

    @Test func searchRanksStops() async throws {
        let daemon = try await Self.daemon()
        let answer = try daemon.ask(StopsSearchParameters(text: "CENTRAL"))
        #expect(answer.stops.map(\.stop.id) == ["central", "central:1", "central:2"])
        #expect(answer.stops.map(\.rank) == [.exact, .prefix, .prefix])
        #expect(answer.stops.first?.routes == ["24", "T1"])
        #expect(try daemon.ask(StopsSearchParameters(text: "square")).stops.map(\.rank) == [.word])
        #expect(try daemon.ask(StopsSearchParameters(text: "rbo")).stops.map(\.rank) == [.substring])
        #expect(try daemon.ask(StopsSearchParameters(text: "104")).stops.map(\.stop.id) == ["park"])
        #expect(try daemon.ask(StopsSearchParameters(text: "nothing")).stops.isEmpty)
    }

    @Test func searchContinuesAtCursor() async throws {
        let daemon = try await Self.daemon()
        let first = try daemon.ask(StopsSearchParameters(text: "central", count: 2))
        #expect(first.nextCursor == "2")
        let second = try daemon.ask(StopsSearchParameters(text: "central", count: 2, cursor: first.nextCursor))
        #expect(second.stops.map(\.stop.id) == ["central:2"])
        #expect(second.nextCursor == nil)
        #expect(daemon.error(of: StopsSearchParameters(text: "a", cursor: "x"))?.kind == .invalidParameters)
    }

    @Test func nearbyStopsAreSortedByDistance() async throws {
        let daemon = try await Self.daemon()
        let near = try daemon.ask(StopsNearParameters(position: Position(lat: 53.54, lon: 9.98), radius: 900))
        #expect(near.stops.map(\.stop.id) == ["harbor", "market"])
        #expect(near.stops.map(\.distance) == [0, 864])
        #expect(near.stops.last?.walk == 899)
        #expect(daemon.error(of: StopsNearParameters())?.kind == .invalidParameters)
        #expect(daemon.error(of: StopsNearParameters(place: "home"))?.kind == .placeNotFound)
    }

    @Test func stationShowsPlatforms() async throws {
        let daemon = try await Self.daemon()
        let answer = try daemon.ask(StopsShowParameters(stop: "central"))
        #expect(answer.stop.kind == .station)
        #expect(answer.children.map(\.id) == ["central:1", "central:2"])
        #expect(answer.children.first?.parent == StopReference(id: "central", name: "Central Station"))
        #expect(answer.children.first?.platform == "1")
        #expect(answer.routes.map(\.id) == ["bus24", "tram1"])
        #expect(answer.timezone == "Europe/Berlin")
    }

    @Test func routeSearchListsNextCharacters() async throws {
        let daemon = try await Self.daemon()
        #expect(try daemon.ask(RoutesSearchParameters()).routes.map(\.route.id) == ["bus24", "tram1"])
        let answer = try daemon.ask(RoutesSearchParameters(text: "t", nextCharacters: true))
        #expect(answer.routes.map(\.route.id) == ["tram1", "bus24"])
        #expect(answer.routes.first?.agency == "City Lines")
        #expect(answer.nextCharacters == ["1"])
        #expect(answer.isComplete == false)
        #expect(try daemon.ask(RoutesSearchParameters(text: "24", nextCharacters: true)).isComplete == true)
    }

    @Test func routeShowsServiceOfDay() async throws {
        let daemon = try await Self.daemon()
        let answer = try daemon.ask(RoutesShowParameters(route: "24"))
        #expect(answer.route.id == "bus24")
        #expect(answer.agency.name == "City Lines")
        #expect(answer.serviceDate == ServiceDate(iso8601: "2026-03-27"))
        let direction = try #require(answer.directions.first)
        #expect(direction.trips == 3)
        #expect(direction.headsigns == ["Central Station"])
        #expect(direction.first?.text == "2026-03-27T08:00:00+01:00")
        #expect(direction.last?.text == "2026-03-27T23:50:00+01:00")
        #expect(answer.patterns.map { "\($0.from.id) \($0.to.id) \($0.stops) \($0.trips)" } == ["harbor central:1 3 4"])
        let holiday = try daemon.ask(RoutesShowParameters(route: "24", date: ServiceDate(iso8601: "2026-05-01")))
        #expect(holiday.directions.first?.trips == 1)
        #expect(daemon.error(of: RoutesShowParameters(route: "99"))?.kind == .routeNotFound)
    }

    private static let shapes = """
        shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence
        s1,53.54,9.98,1
        s1,53.541,9.981,2
        s1,53.545,9.99,3
        s1,53.55,10.0,4
        s1,53.5531,10.0061,5

        """

    /// The polylines are those of Google's algorithm, computed with another implementation.
    @Test func routeShowsStopsAndPathsOnRequest() async throws {
        let trips = FeedBuilder.small["trips.txt"].split(separator: "\n").enumerated().map { number, line in
            line + (number == 0 ? ",shape_id\n" : line.hasPrefix("bus24") ? ",s1\n" : ",\n")
        }.joined()
        let withShapes = FeedBuilder.small.file("trips.txt", trips).file("shapes.txt", Self.shapes)
        let city = try await TestDaemon.imported(["city": withShapes])
        let direction = try #require(try city.ask(RoutesShowParameters(route: "24", paths: true)).directions.first)
        #expect(direction.stops?.map(\.stop.id) == ["harbor", "market", "central:1"])
        #expect(direction.stops?.map(\.stop.position?.lat) == [53.54, 53.545, 53.5531])
        #expect(direction.polyline == "_`xeI_f|{@gEgE_Xgw@g^o}@kRce@")
        #expect(direction.polylineSource == .shape)
        let summary = try #require(try city.ask(RoutesShowParameters(route: "24")).directions.first)
        #expect(summary.stops == nil && summary.polyline == nil && summary.polylineSource == nil)
        let tram = try #require(try city.ask(RoutesShowParameters(route: "T1", paths: true)).directions.first)
        #expect(tram.polylineSource == .stops, "the tram has no shape")

        let town = try await TestDaemon.imported(["town": .small])
        let straight = try #require(try town.ask(RoutesShowParameters(route: "24", paths: true)).directions.first)
        #expect(straight.polyline == "_`xeI_f|{@g^o}@sq@scB")
        #expect(straight.polylineSource == .stops)
    }

    @Test func patternsShowTravelTime() async throws {
        let daemon = try await Self.daemon()
        #expect(try daemon.ask(RoutesShowParameters(route: "24")).patterns.map(\.travelTime) == [1200])
        let direction = try daemon.ask(RoutesShowParameters(route: "24", paths: true)).directions.first
        #expect(direction?.stops?.map(\.travelTime) == [0, 480, 1200])
    }

    @Test func stopShowsHeadsignsOfEachRoute() async throws {
        let daemon = try await Self.daemon()
        let market = try daemon.ask(StopsShowParameters(stop: "market"))
        #expect(market.headsigns == [RouteHeadsigns(route: "bus24", headsigns: ["Central Station"])])
        // Bus 24 ends at the station.
        let central = try daemon.ask(StopsShowParameters(stop: "central"))
        #expect(central.routes.map(\.id) == central.headsigns.map(\.route))
        #expect(
            central.headsigns == [
                RouteHeadsigns(route: "bus24", headsigns: []),
                RouteHeadsigns(route: "tram1", headsigns: ["City Park"]),
            ])
    }

    /// The headsign of a stop replaces the headsign of the trip (`stop_headsign`), and the most frequent one is first.
    @Test func headsignsAreThoseShownAtTheStop() async throws {
        let back = "x1,10:00:00,10:00:00,market,1,\nx1,10:09:00,10:09:00,park,2,\n"
        let calls = FeedBuilder.small["stop_times.txt"].split(separator: "\n").map { line in
            if line.hasPrefix("trip_id") { return line + ",stop_headsign\n" }
            return line + (line.contains(",market,") ? ",Center via Bridge\n" : ",\n")
        }.joined()
        let feed = FeedBuilder.small.file("stop_times.txt", calls + back)
            .adding("bus24,weekday,x1,City Park,0\n", to: "trips.txt")
        let daemon = try await TestDaemon.imported(["city": feed])
        #expect(
            try daemon.ask(StopsShowParameters(stop: "market")).headsigns == [
                RouteHeadsigns(route: "bus24", headsigns: ["Center via Bridge", "City Park"])
            ])
        #expect(
            try daemon.ask(StopsShowParameters(stop: "harbor")).headsigns == [
                RouteHeadsigns(route: "bus24", headsigns: ["Central Station"])
            ])
    }

    @Test func routesOfOneNameAreGroupedWithDirections() async throws {
        let back = """

            b5,16:00:00,16:00:00,central:1,1
            b5,16:20:00,16:20:00,harbor,2
            c1,09:00:00,09:00:00,market,1
            c1,09:10:00,09:10:00,park,2

            """
        let feed = FeedBuilder.small
            .adding("shore,Shore Lines,https://shore.example,Europe/Berlin,en\n", to: "agency.txt")
            .adding("shore24,shore,24,Market - Park,3,,\nghost,shore,24X,Nowhere,3,,\n", to: "routes.txt")
            .adding("bus24,weekday,b5,Harbor,1\nshore24,weekday,c1,Park,0\n", to: "trips.txt")
            .adding(back, to: "stop_times.txt")
        let daemon = try await TestDaemon.imported(["city": feed])
        let answer = try daemon.ask(RoutesSearchParameters(text: "24", nextCharacters: true, directions: true))
        // A route without stops is in neither the search results nor the possible next characters.
        #expect(answer.routes.map(\.route.id) == ["bus24", "shore24"])
        #expect(answer.nextCharacters == [])
        #expect(answer.groups.map(\.name) == ["24"])
        #expect(answer.groups.first?.agencies.map(\.agency) == ["City Lines", "Shore Lines"])
        #expect(answer.groups.first?.agencies.map(\.routes) == [["city:bus24"], ["city:shore24"]])
        #expect(answer.routes.first?.directions?.map(\.headsign) == ["Central Station", "Harbor"])
        #expect(answer.routes.first?.directions?.map(\.directionId) == [0, 1])
        #expect(answer.routes.last?.directions == [], "a single direction is no choice")
        #expect(try daemon.ask(RoutesSearchParameters(text: "24")).routes.allSatisfy { $0.directions == nil })
    }

    @Test func routeStopsAreInOrderOfTravel() async throws {
        let express = "x1,10:00:00,10:00:00,harbor,1\nx1,10:15:00,10:15:00,central:1,2\nx1,10:20:00,10:20:00,park,3\n"
        let feed = FeedBuilder.small.adding("bus24,weekday,x1,City Park,0\n", to: "trips.txt")
            .adding(express, to: "stop_times.txt")
        let daemon = try await TestDaemon.imported(["city": feed])
        let answer = try daemon.ask(RoutesStopsParameters(route: "bus24", directionId: 0))
        let stops = try #require(answer.directions.first?.stops)
        #expect(
            stops.map { "\($0.sequence) \($0.stop.id) \($0.isOnEveryTrip)" } == [
                "1 harbor true", "2 market false", "3 central:1 true", "4 park false",
            ])
        // The express does not determine the travel times, and the park is a stop of the express only.
        #expect(stops.map(\.travelTime) == [0, 480, 1200, nil])
        #expect(try daemon.ask(RoutesStopsParameters(route: "bus24", directionId: 1)).directions.isEmpty)
    }

    @Test func tripShowsCalls() async throws {
        let daemon = try await Self.daemon()
        let trip = try daemon.ask(TripShowParameters(trip: "city:b3"))
        #expect(
            trip.calls.map { "\($0.sequence) \($0.stop.id) \($0.departure?.text ?? "")" } == [
                "1 harbor 2026-03-27T23:50:00+01:00", "2 market 2026-03-27T23:59:00+01:00",
                "3 central:1 2026-03-28T00:10:00+01:00",
            ])
        #expect(trip.runs)
        #expect(trip.trip.service == "weekday")
        // Past midnight, yesterday's trip is still running.
        daemon.clock.advance(by: 16 * 3600 + 35 * 60)
        #expect(try daemon.ask(TripShowParameters(trip: "b3")).serviceDate == ServiceDate(iso8601: "2026-03-27"))
        daemon.clock.advance(by: 10 * 60)
        #expect(try daemon.ask(TripShowParameters(trip: "b3")).serviceDate == ServiceDate(iso8601: "2026-03-30"))
        let saturday = try daemon.ask(TripShowParameters(trip: "b3", date: ServiceDate(iso8601: "2026-03-28")))
        #expect(!saturday.runs)
        #expect(daemon.error(of: TripShowParameters(trip: "x"))?.kind == .tripNotFound)
    }
}
