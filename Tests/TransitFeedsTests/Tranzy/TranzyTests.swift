import Testing
import TransitModel

@testable import TransitFeeds

/// The requests to Tranzy and the handling of its responses, in addition to the golden pairs.
struct TranzyTests {
    private let provider = TranzyProvider(ProviderOptions(agency: "2", base: "http://127.0.0.1:1"))

    private func read(_ text: String) throws(FeedError) -> RealtimeReading {
        RealtimeReading(
            try provider.message(Array(text.utf8), of: .vehicles, received: TranzyGoldenTests.received))
    }

    // MARK: Requests

    @Test func allRequestsExceptAgencyListNameTheAgency() throws {
        let vehicles = try #require(provider.request(for: .vehicles))
        #expect(vehicles.url == "http://127.0.0.1:1/vehicles")
        #expect(vehicles.headers == [.init("X-Agency-Id", "2")])
        #expect(provider.keyCheck()?.url == "http://127.0.0.1:1/agency")
        #expect(provider.keyCheck()?.headers == [])
        #expect(provider.request(for: .alerts) == nil)
        #expect(provider.collection()?.next()?.request.headers == [])
        #expect(TranzyProvider().request(for: .vehicles)?.url == "https://api.tranzy.ai/v1/opendata/vehicles")
    }

    @Test func agencyWithControlCharactersIsNotSent() {
        let odd = TranzyProvider(ProviderOptions(agency: "2\r\nX-Other: 1"))
        #expect(odd.request(for: .vehicles)?.headers == [])
    }

    @Test func keyIsSentInBothHeadersAndBudgetCoversADay() throws {
        #expect(provider.traits.key == .bearerAndHeader("X-API-KEY"))
        let budget = try #require(provider.traits.rateLimits.budget.first)
        let interval = try #require(provider.traits.intervals[.vehicles])
        #expect(24 * 3600 / interval <= 4_500)
        #expect(24 * 3600 / interval + TranzyCollection.maximumShapes + 5 <= budget.fetches)
        #expect(TranzyCollection.maximumShapes + 5 <= 144)
        #expect(1000 / provider.traits.rateLimits.collectionSpacing <= 4)
    }

    // MARK: Agencies

    @Test func agenciesWithOneOrSeveralURLsAreRead() throws {
        let agencies = try TranzyAgencies.read(
            Array(
                """
                [{"agency_id":1,"agency_name":"Iași","agency_url":"https://a.example","agency_timezone":"Europe/Bucharest",
                  "agency_lang":"ro","agency_phone":null},
                 {"agency_id":"4","agency_name":"Chișinău","agency_urls":["https://b.example","https://c.example"]},
                 {"agency_name":"without a number"}]
                """.utf8))
        #expect(agencies.map(\.id) == ["1", "4"])
        #expect(agencies.map(\.url) == ["https://a.example", "https://b.example"])
        #expect(agencies.map(\.timezone) == ["Europe/Bucharest", "Europe/Bucharest"])
    }

    // MARK: Invalid responses

    @Test func contentThatIsNotAListIsIdentified() {
        for (text, kind) in [
            ("", UnexpectedContent.empty), ("Forbidden", .text), ("<html>", .htmlPage),
            (#"{"message":"Forbidden"}"#, .otherJSON),
        ] {
            #expect(throws: FeedError.notDocument(kind, wanted: "Tranzy's list of vehicles")) { try read(text) }
        }
    }

    @Test func listWithoutUsableRowsReportsMemberAndOffset() {
        #expect(throws: FeedError.message(.missing("id"), offset: 2, member: "[0]")) {
            try read(#"[ {"label":"1"},{"label":"2"}]"#)
        }
        #expect(throws: FeedError.message(.missing("id"), offset: 1, member: "[0]")) { try read("[1]") }
    }

    @Test func truncatedListReportsLastMember() {
        do {
            _ = try read(#"[{"id":1,"latitude":46.7},{"id":2,"latitu"#)
            Issue.record("the list was read")
        } catch {
            guard case .message(.truncated, _, let member) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(member == "[1]")
        }
    }

    @Test func byteOrderMarkAndInvalidUTF8AreTolerated() throws {
        let text = #"[{"id":1,"label":"x","trip_id":"1_0"}]"#
        let body = [0xEF, 0xBB, 0xBF] + Array(text.utf8).map { $0 == UInt8(ascii: "x") ? 0xFF : $0 }
        let message = try provider.message(body, of: .vehicles, received: TranzyGoldenTests.received)
        #expect(RealtimeReading(message).vehicles.first?.vehicle?.label == "\u{FFFD}")
    }

    // MARK: The collection

    private static let tables: [String: String] = [
        "agency": #"[{"agency_id":2,"agency_name":"A","agency_timezone":"Europe/Bucharest"}]"#,
        "routes": #"[{"route_id":1,"route_short_name":"1","route_type":3}]"#,
        "stops": #"[{"stop_id":1,"stop_lat":46.7,"stop_lon":23.5},{"stop_id":2,"stop_lat":46.8,"stop_lon":23.5}]"#,
        "trips":
            #"[{"route_id":1,"trip_id":"1_0","direction_id":0,"shape_id":"1_0"},{"route_id":1,"trip_id":"1_1","shape_id":"../x"}]"#,
        "stop_times":
            #"[{"trip_id":"1_0","stop_id":1,"stop_sequence":0},{"trip_id":"1_0","stop_id":2,"stop_sequence":1},{"trip_id":"1_1","stop_id":2,"stop_sequence":0},{"trip_id":"1_1","stop_id":1,"stop_sequence":1}]"#,
        "shape-1_0": #"[{"shape_pt_lat":46.7,"shape_pt_lon":23.5,"shape_pt_sequence":0}]"#,
    ]

    @Test func responsesCanBeAddedInAnyOrderAfterRestart() throws {
        var requested: [String] = []
        var collection = try #require(provider.collection())
        while let step = collection.next(), requested.count < 20 {
            requested.append(step.name)
            try collection.add(Array(try #require(Self.tables[step.name]).utf8), for: step)
        }
        // A shape whose identifier does not fit into a URL is skipped.
        #expect(requested == ["agency", "routes", "stops", "trips", "stop_times", "shape-1_0"])
        #expect(collection.progress.done == 6 && collection.progress.total == 6)
        let reading = try collection.finish()
        var again = try #require(provider.collection())
        for name in requested.reversed() {
            let step = CollectionStep(name, UpstreamRequest("http://127.0.0.1:1/"))
            try again.add(Array(try #require(Self.tables[name]).utf8), for: step)
        }
        #expect(again.next() == nil)
        #expect(try again.finish().contentDigest == reading.contentDigest)
        #expect(reading.draft.serviceDates == nil)
    }

    @Test func rejectedTableEndsCollection() throws {
        var collection = try #require(provider.collection())
        let step = try #require(collection.next())
        #expect(throws: FeedError.self) { try collection.reject(step, status: 404) }
        #expect(collection.next() == step)
    }

    @Test func unknownAgencyErrorListsAvailableAgencies() throws {
        var collection = try #require(TranzyProvider(ProviderOptions(agency: "9")).collection())
        let step = try #require(collection.next())
        do {
            try collection.add(Array(try #require(Self.tables["agency"]).utf8), for: step)
            Issue.record("the response was accepted")
        } catch FeedError.refused(let reason, _) {
            #expect(reason == "Tranzy has no agency “9”. Available: 2 A")
        }
    }

    @Test func shapeRequestsAreLimited() throws {
        var tables = Self.tables
        let numbers = 0..<300
        tables["trips"] =
            "["
            + numbers.map { #"{"route_id":1,"trip_id":"1_\#($0)","shape_id":"1_\#($0)"}"# }.joined(separator: ",") + "]"
        tables["stop_times"] =
            "["
            + numbers.flatMap { trip in
                (0...(1 + trip % 7)).map {
                    #"{"trip_id":"1_\#(trip)","stop_id":\#(1 + $0 % 2),"stop_sequence":\#($0)}"#
                }
            }.joined(separator: ",") + "]"
        var collection = try #require(provider.collection())
        var steps = 0
        while let step = collection.next(), steps < 1000 {
            steps += 1
            if let body = tables[step.name] {
                try collection.add(Array(body.utf8), for: step)
            } else {
                try collection.reject(step, status: 429)
            }
        }
        #expect(steps == 5 + TranzyCollection.maximumShapes)
        #expect(try collection.finish().draft.trips.count == 300)
    }

    // MARK: Colors

    @Test(arguments: [
        ("#f3513c", "F3513C"), ("#000", "000000"), ("fff", "FFFFFF"), ("red", nil), ("#12", nil), ("", nil),
    ])
    func colorsAreNormalized(_ text: String, _ color: String?) { #expect(TranzyRoute.color(text) == color) }
}
