import Testing
import TransitControl
import TransitModel

@testable import transitctl

@Suite struct NetworkViewTests {
    @Test func stopsByName() throws {
        let result = StopsSearchResult(
            at: try Sample.time("08:05"),
            stops: [
                StopSearchMatch(rank: .exact, stop: Sample.stop, routes: ["2", "24"]),
                StopSearchMatch(rank: .prefix, stop: Sample.platform, routes: (1...12).map(String.init)),
            ], nextCursor: "c")
        try expectSnapshot(paint(.stopsSearch, result), "stops-search")
        try expectThemes(.stopsSearch, result, "stops-search")
        try expectSnapshot(PlainRows.text(View.stopsSearch.rows(result)), "stops-search-plain")
        #expect(
            paint(.stopsSearch, StopsSearchResult(at: result.at, stops: [])) == "No stops found.\n")
    }

    @Test func nearbyStops() throws {
        let result = StopsNearResult(
            at: try Sample.time("08:05"), center: Position(lat: 37, lon: -122), radius: 1000,
            stops: [Sample.near, NearbyStop(stop: Sample.platform, distance: 1250, walk: 1042, routes: [])])
        try expectSnapshot(paint(.stopsNear(in: .metric), result), "stops-near")
        try expectThemes(.stopsNear(in: .metric), result, "stops-near")
        let none = StopsNearResult(at: result.at, center: result.center, radius: 3000, stops: [])
        #expect(paint(.stopsNear(in: .metric), none) == "No stops within 3.0 km.\n")
    }

    @Test func oneStop() throws {
        let result = StopsShowResult(
            at: try Sample.time("08:05"), stop: Sample.stop, timezone: "America/Los_Angeles",
            children: [Sample.platform], routes: [Sample.bus, Sample.tram, Sample.train],
            transfers: [
                TransferSummary(
                    to: StopReference(id: "1", name: "Main Street"), kind: .minimumTime, minTransferTime: 180)
            ])
        try expectSnapshot(paint(.stopsShow, result), "stops-show")
        try expectThemes(.stopsShow, result, "stops-show")
        var withHeadsigns = result
        withHeadsigns.headsigns = [
            RouteHeadsigns(route: Sample.bus.id, headsigns: ["Airport", "Main Street"]),
            RouteHeadsigns(route: Sample.tram.id, headsigns: ["City Park"]),
            RouteHeadsigns(route: Sample.train.id, headsigns: []),
        ]
        try expectSnapshot(paint(.stopsShow, withHeadsigns), "stops-show-headsigns")
        try expectThemes(.stopsShow, withHeadsigns, "stops-show-headsigns")
    }

    @Test func routesByName() throws {
        var result = RoutesSearchResult(
            at: try Sample.time("08:05"),
            routes: [
                RouteMatch(
                    feed: "demo", agency: "Demo City", rank: .exact, route: Sample.bus,
                    directions: [
                        RouteDirectionOption(directionId: 0, headsign: "Airport", patterns: 2),
                        RouteDirectionOption(directionId: 1, patterns: 1),
                    ]),
                RouteMatch(feed: "demo", agency: "Demo City", rank: .prefix, route: Sample.train, directions: []),
                RouteMatch(feed: "shore", agency: "Shore Lines", rank: .prefix, route: Sample.bus),
            ],
            groups: [
                RouteGroupSummary(
                    name: "24",
                    agencies: [
                        RouteGroupAgency(agency: "Demo City", routes: ["demo:R24"]),
                        RouteGroupAgency(agency: "Shore Lines", routes: ["shore:R24"]),
                    ]),
                RouteGroupSummary(name: "1", agencies: [RouteGroupAgency(agency: "Demo City", routes: ["demo:L1"])]),
            ])
        try expectSnapshot(paint(.routesSearch, result), "routes-search")
        try expectThemes(.routesSearch, result, "routes-search")
        result.nextCharacters = ["4", "8", " "]
        result.isComplete = true
        try expectSnapshot(paint(.routesSearch, result), "routes-search-next")
        #expect(PlainRows.text(View.routesSearch.rows(result)) == "4\n8\n \n")
    }

    @Test func oneRoute() throws {
        let result = RoutesShowResult(
            at: try Sample.time("08:05"), feed: "demo",
            agency: AgencySummary(
                id: "1", name: "Demo City", url: "https://example.org", timezone: "America/Los_Angeles"),
            route: Sample.bus, serviceDate: try Sample.time("08:05").date,
            directions: [
                RouteDirection(
                    directionId: 0, headsigns: ["Airport"], trips: 88, first: try Sample.time("05:10"),
                    last: try Sample.time("23:40")),
                RouteDirection(directionId: 1, headsigns: [], trips: 0),
            ],
            patterns: [
                RoutePattern(
                    directionId: 0, headsign: "Airport", from: StopReference(id: "1", name: "Mill Lane"),
                    to: StopReference(id: "9", name: "Airport"), stops: 14, trips: 1460, travelTime: 3900)
            ])
        try expectSnapshot(paint(.routesShow, result), "routes-show")
        var learned = result
        learned.directions[0].punctuality = Sample.punctuality
        learned.directions[0].punctuality?.dayKind = nil
        try expectSnapshot(paint(.routesShow, learned), "routes-show-punctuality")
        try expectThemes(.routesShow, result, "routes-show")
    }

    @Test func stopsOfARoute() throws {
        let result = RoutesStopsResult(
            at: try Sample.time("08:05"), feed: "demo", route: Sample.bus,
            directions: [
                RouteStopList(
                    directionId: 0, headsign: "Airport",
                    stops: [
                        RouteStop(sequence: 1, stop: Sample.stop, isOnEveryTrip: true, travelTime: 0),
                        RouteStop(sequence: 2, stop: Sample.platform, isOnEveryTrip: false),
                        RouteStop(sequence: 3, stop: Sample.stop, isOnEveryTrip: true, travelTime: 630),
                    ]),
                RouteStopList(
                    directionId: 1, headsign: "Mill Lane",
                    stops: [RouteStop(sequence: 1, stop: Sample.stop, isOnEveryTrip: true)]),
            ])
        #expect(PlainRows.text(View.routesStops.rows(result)).split(separator: "\n")[2].hasSuffix("\t630"))
        try expectSnapshot(paint(.routesStops, result), "routes-stops")
        try expectThemes(.routesStops, result, "routes-stops")
    }

    @Test func tripAfterMidnight() throws {
        func call(_ sequence: Int, _ arrival: String, _ departure: String, days: Int = 0) throws -> TripCall {
            TripCall(
                sequence: sequence, stop: CallStop(id: "1", name: "Stop \(sequence)", platform: nil),
                arrival: try Sample.time(arrival, days: days), departure: try Sample.time(departure, days: days),
                isApproximate: sequence == 2, pickup: sequence == 3 ? .none : .regular, dropOff: .regular)
        }
        var result = TripShowResult(
            at: try Sample.time("08:05"), feed: "demo",
            trip: TripSummary(
                id: "T1", shortName: "152", headsign: "Airport", service: "W", wheelchair: .possible,
                bikes: .notPossible),
            route: Sample.train, serviceDate: try Sample.time("08:05").date, runs: true,
            calls: [
                try call(1, "23:40", "23:40"), try call(2, "23:50", "23:55"), try call(3, "00:10", "00:10", days: 1),
                try call(4, "00:20", "00:21", days: 1),
            ])
        try expectSnapshot(paint(.tripShow, result), "trip-show")
        try expectThemes(.tripShow, result, "trip-show")
        // With realtime data, each call shows its source.
        result.calls[1].source = .live
        result.calls[2].source = .estimated
        (result.source, result.realtimeState, result.age) = (.live, .expired, 720)
        let realtime = paint(.tripShow, result)
        #expect(realtime.contains("live, last report 12 minutes old"))
        try expectSnapshot(realtime, "trip-show-live")
        // If the source has stopped sending data, the timetable's time is shown. A duplicated trip is not in the
        // timetable.
        (result.source, result.status, result.runs) = (.scheduled, .duplicated, false)
        let copy = paint(.tripShow, result)
        #expect(copy.contains("scheduled, realtime data too old"))
        #expect(!copy.contains("does not run"))
    }
}
