import Testing

@testable import TransitFeeds
@testable import TransitModel

@Suite("WaBus: departures on demand")
struct WaBusArrivalsTests {
    private let arrivals = WaBusArrivals(WaBusURLs(base: "http://127.0.0.1:8080"))

    private func instant(_ text: String) throws -> Instant { try #require(Instant(rfc3339: text)) }

    @Test(
        "yesterday is queried while its trips may run, and tomorrow from the evening on",
        arguments: [
            ("2026-02-03T00:30:00+01:00", ["2026-02-02 s", "2026-02-03 s"]),
            ("2026-02-03T06:00:00+01:00", ["2026-02-03 s"]), ("2026-02-03T17:59:59+01:00", ["2026-02-03 s"]),
            ("2026-02-03T18:00:00+01:00", ["2026-02-03 s", "2026-02-04 s"]),
            // In UTC it is still the previous day.
            ("2026-07-02T22:30:00Z", ["2026-07-02 s", "2026-07-03 s"]),
        ])
    func queriesCoverRelevantDates(moment: String, queries: [String]) throws {
        let result = arrivals.queries(at: "s", for: [], now: try instant(moment))
        #expect(result.map(\.description) == queries)
    }

    @Test func requestURLIsEncoded() throws {
        let query = WaBusArrivals.query("7901p2&3", try #require(ServiceDate(year: 2026, month: 2, day: 3)))
        #expect(
            arrivals.request(for: query).url
                == "http://127.0.0.1:8080/v1/stops/7901p2%263/schedule?date=2026-02-03")
        #expect(arrivals.policy.lifetime == 300)
    }

    @Test(
        "times count from noon minus twelve hours, also at daylight-saving changes",
        arguments: [
            ("2026-03-28", "25:30:00", "2026-03-29T01:30:00+01:00"),
            ("2026-03-28", "26:30:00", "2026-03-29T03:30:00+02:00"),
            ("2026-03-29", "04:00:00", "2026-03-29T04:00:00+02:00"),
            ("2026-10-24", "27:30:00", "2026-10-25T02:30:00+01:00"),
            ("2026-10-25", "03:00:00", "2026-10-25T03:00:00+01:00"),
            ("2026-07-01", "12:00:00", "2026-07-01T12:00:00+02:00"),
        ])
    func timesCountFromServiceDayStart(date: String, time: String, moment: String) throws {
        let expected = try instant(moment)
        let body = #"{"stop_times":[{"trip_id":"t","route_id":"7","departure_time":"\#(time)"}]}"#
        let query = WaBusArrivals.query("s", try #require(ServiceDate(iso8601: date)))
        let message = try arrivals.message(Array(body.utf8), of: query, received: expected)
        guard case .tripUpdate(let update)? = message.entities.first else {
            Issue.record("no trip")
            return
        }
        #expect(update.updates.first?.departure?.scheduledTime == expected)
        #expect(update.trip.startDate == ServiceDate(iso8601: date))
    }

    @Test func routesAtStopAreParsed() throws {
        let lines = try #require(arrivals.stopRoutes)
        let query = lines.query(at: "7901p2&3")
        #expect(arrivals.request(for: query).url == "http://127.0.0.1:8080/v1/stops/7901p2%263/lines")
        #expect(arrivals.lifetime(of: query) == 600)
        #expect(arrivals.lifetime(of: WaBusArrivals.query("s", ServiceDate(daysSince1970: 20_000))) == 300)
        let body = #"""
            {"lines":[{"route_id":"N5","line":"N5","long_name":"Nocna","type":3,"color":"#000066","headsigns":["Las"]},
            {"line":"M1","type":"1","color":"zzz"},{"line":"?","type":-9},{"type":3},null],"count":5}
            """#
        let routes = try lines.routes(Array(body.utf8))
        #expect(routes.map(\.id) == ["N5", "M1", "?"])
        #expect(routes.map(\.type) == [3, 1, 3])
        #expect(routes.map(\.color) == ["000066", nil, nil])
        #expect(try lines.routes(Array(#"{"lines":null,"count":0}"#.utf8)).isEmpty)
        // The response contains no departures.
        let now = Instant(secondsSince1970: 0)
        #expect(try arrivals.message(Array(body.utf8), of: query, received: now).entities.isEmpty)
        #expect(throws: FeedError.self) {
            try arrivals.message(Array(#"{"error":"stop not found"}"#.utf8), of: query, received: now)
        }
    }

    @Test(
        "an invalid response is an error, not an empty board",
        arguments: [
            #"{"error":"stop not found"}"#, "Too Many Requests\n", #"{"count":0}"#, #"{"stop_times":3}"#, "",
        ]) func invalidResponseThrows(body: String) throws
    {
        let query = WaBusArrivals.query("s", ServiceDate(daysSince1970: 20_000))
        #expect(throws: FeedError.self) {
            try arrivals.message(Array(body.utf8), of: query, received: Instant(secondsSince1970: 0))
        }
    }
}
