import Testing

@testable import TransitFeeds
@testable import TransitModel

@Suite("WaBus: collecting the network")
struct WaBusCollectionTests {
    private static let provider = WaBusProvider(ProviderOptions(base: "http://127.0.0.1:8080/"))

    private static let sync = """
        {"routes":[{"id":"7","short_name":"7","long_name":"Rynek — Las","type":0},
        {"id":"n 9","short_name":"N/9","type":3},{"id":"E","short_name":"E","type":3}],
        "stops":[{"id":"a","name":"Rynek","lat":52.2,"lon":21},{"id":"b&1","name":"Las","lat":52.21,"lon":21},
        {"id":"c","name":"Nikt","lat":52.22,"lon":21}],
        "calendars":[{"ServiceID":"D","Monday":true,"StartDate":"20260202","EndDate":"20260215"}],
        "calendar_dates":null,"version":"2026-02-02","generated_at":"2026-02-02T04:00:01.123456789+01:00"}
        """
    private static let stops = #"{"stops":[{"id":"a"},{"id":"b&1"}],"count":2}"#
    private static let shape = #"{"shapes":[{"id":"s","points":[{"lat":52.2,"lon":21},{"lat":52.21,"lon":21}]}]}"#

    /// Returns a response for each step that the server answers.
    private static func response(_ step: CollectionStep) -> String? {
        switch step.name {
        case "sync": sync
        case "stops-7", "stops-N_2f9": stops
        case "stops-E": #"{"stops":null,"count":0}"#
        case "shape-7": shape
        case "check": #"{"version":"2026-02-03","has_updates":true,"last_update":"2026-02-03T04:00:00+01:00"}"#
        default: nil
        }
    }

    @Test("the stops of every line are requested, and the shapes of lines with stops") func stepsCoverAllLines()
        throws
    {
        var collection = try #require(Self.provider.collection())
        var requested: [String] = []
        var last = 0
        while let step = collection.next() {
            requested.append("\(step.name) \(step.request.url)")
            if let response = Self.response(step) {
                try collection.add(Array(response.utf8), for: step)
            } else {
                try collection.reject(step, status: 404)
            }
            let progress = collection.progress
            #expect(progress.done > last && progress.done <= progress.total)
            last = progress.done
        }
        #expect(
            requested == [
                "sync http://127.0.0.1:8080/v1/sync", "stops-7 http://127.0.0.1:8080/v1/routes/7/stops",
                "stops-E http://127.0.0.1:8080/v1/routes/E/stops",
                "stops-N_2f9 http://127.0.0.1:8080/v1/routes/N%2F9/stops",
                "shape-7 http://127.0.0.1:8080/v1/routes/7/shape",
                "shape-N_2f9 http://127.0.0.1:8080/v1/routes/N%2F9/shape",
                "check http://127.0.0.1:8080/v1/sync/check?since=2026-02-02",
            ])
        #expect(collection.progress == (7, 7))
        let reading = try collection.finish()
        #expect(reading.draft.routes.map(\.id) == ["7", "n 9"])
        #expect(reading.draft.stops.map(\.id) == ["a", "b&1"])
        #expect(reading.draft.trips.count == 2)
        #expect(reading.draft.shapes.count == 1)
        #expect(reading.draft.serviceDates == nil)
        #expect(reading.draft.feedInfo?.version == "2026-02-02")
        #expect(reading.draft.agencies.first?.timezone == "Europe/Warsaw")
        #expect(reading.report.findings.contains { $0.rule == "changed_meanwhile" })
        #expect(reading.report.findings.contains { $0.examples.contains { $0.message.contains("“E”") } })
    }

    @Test("responses can be added in any order") func responsesInAnyOrder() throws {
        var collection = try #require(Self.provider.collection())
        for (name, body) in [("shape-7", Self.shape), ("stops-7", Self.stops), ("sync", Self.sync)] {
            try collection.add(Array(body.utf8), for: CollectionStep(name, UpstreamRequest("")))
        }
        #expect(collection.next()?.name == "stops-E")
    }

    @Test("stops without an identifier are left out and counted") func stopsWithoutIDAreCounted() throws {
        var collection = try #require(Self.provider.collection())
        while let step = collection.next() {
            let body =
                step.name == "stops-7"
                ? #"{"stops":[{"id":"a"},{"name":"Rynek"},7,{"id":"b&1"}]}"# : Self.response(step)
            if let body {
                try collection.add(Array(body.utf8), for: step)
            } else {
                try collection.reject(step, status: 404)
            }
        }
        let reading = try collection.finish()
        #expect(reading.draft.routes.map(\.id) == ["7", "n 9"])
        let found = try #require(reading.report.findings.first { $0.rule == "missing_required_field" })
        #expect(found.examples.map(\.message) == ["Line “7” has 2 stops without an identifier, which are left out"])
    }

    @Test("rejected stops of a line are requested again, then kept from the previous version")
    func rejectedLineKeepsStops() throws {
        struct Previous: PreviousNetwork {
            func stops(of variant: TripID) throws(FeedError) -> [StopID] { variant == "7" ? ["b&1", "a"] : [] }
            func stop(_ id: StopID) throws(FeedError) -> Stop? { nil }
            func name(of stop: StopID, in language: String) throws(FeedError) -> String? { nil }
        }
        var collection = try #require(Self.provider.collection())
        var requested: [String] = []
        while let step = collection.next() {
            let isSecond = requested.contains(step.name)
            requested.append(step.name)
            if step.name == "stops-7" {
                #expect(step.part != nil)
                if isSecond {
                    try collection.reject(step, status: 403, previous: Previous())
                } else {
                    collection.postpone(step)
                }
            } else if let response = Self.response(step) {
                try collection.add(Array(response.utf8), for: step)
            } else {
                try collection.reject(step, status: 404)
            }
        }
        #expect(
            requested == ["sync", "stops-7", "stops-E", "stops-N_2f9", "shape-N_2f9", "stops-7", "shape-7", "check"])
        let reading = try collection.finish()
        #expect(reading.draft.routes.map(\.id) == ["7", "n 9"])
    }

    @Test("without /v1/sync there is no network") func rejectedSyncThrows() throws {
        var collection = try #require(Self.provider.collection())
        let step = try #require(collection.next())
        #expect(throws: FeedError.self) { try collection.reject(step, status: 404) }
    }

    @Test("a server error is reported and leaves the step open") func serverErrorLeavesStepOpen() throws {
        var collection = try #require(Self.provider.collection())
        let step = try #require(collection.next())
        let body = Array(#"{"error":"GTFS data is loading, please retry"}"#.utf8)
        let error = #expect(throws: FeedError.self) { try collection.add(body, for: step) }
        #expect(error.map { "\($0)".contains("GTFS data is loading") } == true)
        #expect(collection.next() == step)
    }

    @Test(
        "an invalid sync response is rejected",
        arguments: [
            "", "Too Many Requests\n", "<html></html>", "{}", #"{"routes":[]}"#, #"{"routes":"none","stops":[]}"#,
            #"{"routes":[],"stops":["#, "\u{1}",
        ])
    func invalidSyncThrows(body: String) {
        #expect(throws: FeedError.self) { try WaBusSync(Array(body.utf8)) }
    }

    @Test("file names and line names convert to each other", arguments: ["7", "N/9", "Ż 1", "_", "a_2", ""])
    func fileNamesRoundTrip(line: String) {
        let name = WaBusCollection.fileName(line)
        #expect(name.utf8.allSatisfy { $0 == 0x5F || (0x30...0x39).contains($0) || (0x41...0x7A).contains($0) })
        #expect(WaBusCollection.text(ofFileName: name[...]) == line)
    }
}
