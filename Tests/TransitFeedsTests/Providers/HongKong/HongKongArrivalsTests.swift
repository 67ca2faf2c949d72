import Testing
import TransitFeeds
import TransitModel

struct HongKongArrivalsTests {
    /// 2026-03-28 08:00:00 in Hong Kong.
    private static let now = Instant(secondsSince1970: 1_774_656_000)
    private static let source = HongKongProvider(ProviderOptions(base: "http://127.0.0.1:9")).arrivals

    /// Returns a row with an arrival `seconds` from now.
    private static func row(
        _ route: String, _ dir: String = "O", type: String? = "1", seq: String = "3", seconds: Int? = 240,
        remark: String = "", dest: String = "STAR FERRY"
    ) -> String {
        let time = seconds.map { "\"\(now.advanced(by: $0).rfc3339(offset: 8 * 3600))\"" } ?? "null"
        let service = type.map { #""service_type":\#($0),"# } ?? ""
        return #"{"co":"KMB","route":"\#(route)","dir":"\#(dir)",\#(service)"seq":\#(seq),"dest_tc":"尖沙咀碼頭","#
            + #""dest_sc":"尖沙咀码头","dest_en":"\#(dest)","eta_seq":1,"eta":\#(time),"rmk_tc":"\#(remark)","#
            + #""rmk_sc":"","rmk_en":"\#(remark)","data_timestamp":"2026-03-28T07:59:50+08:00"}"#
    }

    private static func body(_ rows: [String]) -> [UInt8] {
        Array(
            (#"{"type":"StopETA","version":"1.0","generated_timestamp":"2026-03-28T07:59:58+08:00","data":["#
                + rows.joined(separator: ",") + "]}").utf8)
    }

    private static func variant(_ trip: TripID, _ calls: [(UInt32, Bool)] = []) -> RouteVariant {
        RouteVariant(route: "R", trip: trip, calls: calls.map { .init(sequence: $0.0, isLast: $0.1) })
    }

    private static func message(
        _ rows: [String], at stop: StopID = "A1", variants: [RouteVariant], query: Int = 0
    ) throws -> DecodedMessage {
        let source = try #require(source)
        let query = source.queries(at: stop, for: variants, now: now)[query]
        return try source.message(body(rows), of: query, received: now)
    }

    private static func updates(_ message: DecodedMessage) -> [TripUpdate] {
        message.entities.compactMap { if case .tripUpdate(let update) = $0 { update } else { nil } }
    }

    /// Renders departures as "KMB/1A/O/1 3 +240": the variant, the number of the call, and the seconds from now.
    private static func rendered(_ message: DecodedMessage) -> [String] {
        updates(message).map { update in
            let call = update.updates[0]
            let variant = (update.trip.tripID?.rawValue ?? "-").split(separator: "@")[0]
            let seconds = call.arrival?.time.map { now.seconds(to: $0) } ?? 0
            return "\(variant) \(call.sequence.map { "\($0)" } ?? "-") \(seconds < 0 ? "" : "+")\(seconds)"
        }
    }

    /// Two stop sequences of one service type. A bus that may serve both is listed once, and a stop where one sequence
    /// ends can be boarded for the other.
    @Test func stopSequencesOfOneServiceTypeAreMerged() throws {
        let sequences = [
            Self.variant("KMB/101/I/1", [(20, false)]), Self.variant("KMB/101/I/1/2", [(5, false)]),
            Self.variant("KMB/101/O/1", [(9, true)]), Self.variant("KMB/101/O/1/2", [(9, false)]),
        ]
        let rows = [
            Self.row("101", "I", seq: "20", seconds: 100), Self.row("101", "I", seq: "5", seconds: 200),
            Self.row("101", "I", type: "2", seq: "5", seconds: 200), Self.row("101", "O", seq: "9", seconds: 300),
        ]
        #expect(
            try Self.rendered(Self.message(rows, variants: sequences)) == [
                "KMB/101/I/1 20 +100", "KMB/101/I/1 5 +200", "KMB/101/O/1 9 +300",
            ])
    }

    // MARK: Queries

    @Test func oneQueryForKMBAndOneForEachCitybusRoute() throws {
        let source = try #require(Self.source)
        let variants = ["KMB/1A/O/1", "KMB/1A/O/2", "KMB/2/I/1", "CTB/5/O/1", "CTB/5/I/1", "CTB/10/O/1"]
            .map { Self.variant(TripID($0)) }
        let queries = source.queries(at: "A1", for: variants, now: Self.now)
        #expect(
            queries.map { source.request(for: $0).url } == [
                "http://127.0.0.1:9/v2/transport/citybus/eta/CTB/A1/10",
                "http://127.0.0.1:9/v2/transport/citybus/eta/CTB/A1/5",
                "http://127.0.0.1:9/v1/transport/kmb/stop-eta/A1",
            ])
        #expect(queries == source.queries(at: "A1", for: Array(variants.reversed()), now: Self.now))
        let others = source.queries(at: "A1", for: [Self.variant("42_0")], now: Self.now)
        #expect(others.isEmpty, "the variant belongs to another provider")
        let absent = source.queries(at: "../x", for: variants, now: Self.now)
        #expect(absent.isEmpty, "the network has no such stop")
    }

    @Test func policyMatchesThePhoneApps() throws {
        let policy = try #require(Self.source).policy
        #expect(policy == ArrivalsPolicy(batch: 5, batchSpacing: 500, cooldown: 5, lifetime: 50))
    }

    // MARK: Responses

    @Test func eachBusBecomesAnAddedTrip() throws {
        let message = try Self.message(
            [Self.row("1A", seconds: 240)], variants: [Self.variant("KMB/1A/O/1", [(3, false)])])
        #expect(message.header.incrementality == .differential)
        #expect(message.header.timestamp == Self.now.advanced(by: -2))
        let update = try #require(Self.updates(message).first)
        #expect(update.trip.relationship == .added)
        #expect(update.trip.routeID == "KMB/1A")
        #expect(update.trip.direction == .zero)
        #expect(update.properties?.headsign == "STAR FERRY")
        #expect(update.timestamp == Self.now.advanced(by: -10))
        #expect(update.updates.count == 1)
        #expect(update.updates[0].stopID == "A1")
        #expect(update.updates[0].sequence == 3)
        #expect(update.updates[0].arrival?.time == Self.now.advanced(by: 240))
        #expect(message.problems.isEmpty)
    }

    @Test func tripIDsAreUnique() throws {
        let message = try Self.message(
            [60, 120, 180].map { Self.row("1A", seconds: $0) } + [Self.row("2", seconds: 60)],
            variants: [Self.variant("KMB/1A/O/1"), Self.variant("KMB/2/O/1")])
        let updates = Self.updates(message)
        #expect(updates.count == 4)
        #expect(Set(updates.map(\.trip.tripID)).count == 4)
        #expect(Set(updates.map(\.id)).count == 4)
    }

    /// A bus whose time passed more than a minute ago has departed. Within the minute it is due, and it does not depart
    /// before the response was received.
    @Test(arguments: [(-61, 0), (-60, 1), (-39, 1), (0, 1), (1, 1)])
    func recentTimesAreDue(seconds: Int, count: Int) throws {
        let message = try Self.message(
            [Self.row("1A", seconds: seconds)], variants: [Self.variant("KMB/1A/O/1", [(3, false)])])
        let updates = Self.updates(message)
        #expect(updates.count == count)
        for update in updates {
            #expect(update.updates[0].arrival?.time == Self.now.advanced(by: seconds))
            let departure = try #require(update.updates[0].departure?.time)
            #expect(departure >= Self.now)
            #expect(departure <= Self.now.advanced(by: 60))
        }
    }

    @Test func rowWithoutTimeIsNotABus() throws {
        let rows = [Self.row("1A", seconds: nil), Self.row("1A").replacingTime(with: "\"\"")]
        let message = try Self.message(rows, variants: [Self.variant("KMB/1A/O/1", [(3, false)])])
        #expect(message.entities.isEmpty)
        #expect(message.problems.isEmpty, "missing times are normal")
    }

    @Test func invalidTimeIsCounted() throws {
        let message = try Self.message(
            [Self.row("1A").replacingTime(with: "\"soon\"")], variants: [Self.variant("KMB/1A/O/1")])
        #expect(message.entities.isEmpty)
        let finding = try #require(message.problems.findings.first)
        #expect(finding.rule == .invalidTimestamp)
        #expect(finding.example.field == "data.eta")
        #expect(finding.example.value == "soon")
        #expect(finding.example.offset > 80)
    }

    /// An empty response is valid; an unparsable one is not.
    @Test func emptyResponseIsValid() throws {
        let message = try Self.message([], variants: [Self.variant("KMB/1A/O/1")])
        #expect(message.entities.isEmpty)
        #expect(message.header.timestamp != nil)
        let source = try #require(Self.source)
        let query = source.queries(at: "A1", for: [Self.variant("KMB/1A/O/1")], now: Self.now)[0]
        for body in ["", "<html></html>", #"{"data":"#, #"{"data":"x"}"#, #"{"message":"no"}"#, "{}", "12"] {
            #expect(throws: FeedError.self, "\(body)") {
                try source.message(Array(body.utf8), of: query, received: Self.now)
            }
        }
    }

    @Test func remarkWithoutTimeBecomesOneAlert() throws {
        let rows = [1, 2, 3].map { Self.row("1A", type: "\($0)", seconds: nil, remark: "ETA service suspended") }
        let message = try Self.message(rows, variants: [Self.variant("KMB/1A/O/1", [(3, false)])])
        #expect(message.entities.count == 1)
        guard case .alert(let alert) = message.entities.first else {
            Issue.record("no alert")
            return
        }
        #expect(alert.header?.text(in: "en") == "ETA service suspended")
        #expect(alert.informed == [InformedEntity(routeID: "KMB/1A", direction: .zero, stopID: "A1")])
    }

    // MARK: Directions and sequence numbers

    /// Citybus returns both directions of a route if they share a stop.
    @Test func otherDirectionIsLeftOut() throws {
        let rows = [Self.row("5", "O", type: nil, seconds: 60), Self.row("5", "I", type: nil, seq: "28", seconds: 90)]
        let out = try Self.message(rows, variants: [Self.variant("CTB/5/O/1", [(3, false)])])
        #expect(Self.rendered(out) == ["CTB/5/O/1 3 +60"])
        let both = try Self.message(
            rows, variants: [Self.variant("CTB/5/O/1", [(3, false)]), Self.variant("CTB/5/I/1", [(28, false)])])
        #expect(Self.rendered(both) == ["CTB/5/O/1 3 +60", "CTB/5/I/1 28 +90"])
    }

    /// Without known calls, the response cannot be filtered.
    @Test func responseIsNotFilteredWithoutKnownCalls() throws {
        let rows = [Self.row("5", "O", type: nil, seconds: 60), Self.row("5", "I", type: nil, seq: "28", seconds: 90)]
        let message = try Self.message(rows, variants: [Self.variant("CTB/5/O/1")])
        #expect(Self.rendered(message) == ["CTB/5/O/1 3 +60", "CTB/5/I/1 28 +90"])
    }

    @Test func otherRouteOfCitybusIsLeftOut() throws {
        let rows = [Self.row("5", type: nil), Self.row("5X", type: nil)]
        let message = try Self.message(rows, variants: [Self.variant("CTB/5/O/1")])
        #expect(Self.rendered(message) == ["CTB/5/O/1 3 +240"])
    }

    @Test func mismatchedNumberMatchesNearestCall() throws {
        let message = try Self.message(
            [Self.row("5", type: nil, seq: "5")], variants: [Self.variant("CTB/5/O/1", [(3, false)])])
        #expect(Self.rendered(message) == ["CTB/5/O/1 3 +240"])
    }

    /// A circular route begins and ends at the stop. Its final arrivals are not departures.
    @Test func finalArrivalsAreNotDepartures() throws {
        let rows = [Self.row("10", seq: "1", seconds: 60), Self.row("10", seq: "34", seconds: 90)]
        let message = try Self.message(rows, variants: [Self.variant("KMB/10/O/1", [(1, false), (34, true)])])
        #expect(Self.rendered(message) == ["KMB/10/O/1 1 +60"])
    }

    /// The variant calls at the stop twice, and each call is a departure with its own number.
    @Test func bothCallsAtAStopAreDepartures() throws {
        let rows = [Self.row("10", seq: "4", seconds: 60), Self.row("10", seq: "21", seconds: 700)]
        let message = try Self.message(rows, variants: [Self.variant("KMB/10/O/1", [(4, false), (20, false)])])
        #expect(Self.rendered(message) == ["KMB/10/O/1 4 +60", "KMB/10/O/1 20 +700"])
        let one = try Self.message([rows[1]], variants: [Self.variant("KMB/10/O/1", [(4, false), (20, false)])])
        #expect(Self.rendered(one) == ["KMB/10/O/1 20 +700"], "only the matching call")
    }

    // MARK: Service types

    /// The same bus is listed under each service type that it may serve.
    @Test func busOfSeveralServiceTypesIsListedOnce() throws {
        let rows = ["1", "2", #""5""#].flatMap { type in
            [Self.row("40", type: type, seconds: 60), Self.row("40", type: type, seconds: 660)]
        }
        let variants = ["KMB/40/O/1", "KMB/40/O/2", "KMB/40/O/5"].map { Self.variant(TripID($0), [(3, false)]) }
        let message = try Self.message(rows, variants: variants)
        #expect(Self.rendered(message) == ["KMB/40/O/1 3 +60", "KMB/40/O/1 3 +660"])
    }

    /// The sequence number differs if one variant has an additional stop.
    @Test func busWithDifferentNumbersIsListedOnce() throws {
        let rows = [Self.row("40", type: "1", seq: "3", seconds: 60), Self.row("40", type: "2", seq: "4", seconds: 60)]
        let variants = [
            Self.variant("KMB/40/O/1", [(3, false)]), Self.variant("KMB/40/O/2", [(4, false)]),
        ]
        #expect(Self.rendered(try Self.message(rows, variants: variants)) == ["KMB/40/O/1 3 +60"])
    }

    /// Two buses that arrive together are both listed.
    @Test func simultaneousBusesAreBothListed() throws {
        let rows = [Self.row("40", seconds: 60), Self.row("40", seconds: 60), Self.row("40", type: "2", seconds: 60)]
        let message = try Self.message(rows, variants: [Self.variant("KMB/40/O/1", [(3, false)])])
        #expect(Self.rendered(message).count == 2)
    }

    /// Each service type can have buses of its own.
    @Test func busesOfOtherServiceTypesAreListed() throws {
        let rows = [Self.row("40", type: "1", seconds: 60), Self.row("40", type: "2", seconds: 300)]
        let message = try Self.message(rows, variants: [Self.variant("KMB/40/O/1", [(3, false)])])
        #expect(Self.rendered(message) == ["KMB/40/O/1 3 +60", "KMB/40/O/2 3 +300"])
    }

    /// All clients share the response for a stop, so routes that one client did not request are kept.
    @Test func routesThatWereNotRequestedAreKept() throws {
        let rows = [Self.row("40", seconds: 60), Self.row("N48", "I", seconds: 90)]
        let message = try Self.message(rows, variants: [Self.variant("KMB/40/O/1", [(3, false)])])
        #expect(Self.rendered(message) == ["KMB/40/O/1 3 +60", "KMB/N48/I/1 3 +90"])
    }

    // MARK: Hostile responses

    @Test func invalidRowsAreCountedAndTheRestIsUsed() throws {
        let rows = [
            "null", "3", #""x""#, "[]", "{}", #"{"route":"1A"}"#, #"{"dir":"O"}"#, #"{"route":"../etc","dir":"O"}"#,
            Self.row("1A", seq: "\"3\""), Self.row("1A", "X"), Self.row("1A", seq: "-4", seconds: 300),
            Self.row("1A", type: "{\"a\":1}", seq: "3e0", seconds: 360),
        ]
        let message = try Self.message(rows, variants: [Self.variant("KMB/1A/O/1", [(3, false)])])
        #expect(Self.rendered(message) == ["KMB/1A/O/1 3 +240", "KMB/1A/O/1 3 +300", "KMB/1A/O/1 3 +360"])
        #expect(message.problems.count(.missingTrip) == 4)
        #expect(message.problems.findings.allSatisfy { $0.example.field.hasPrefix("data.") })
    }

    @Test func largeResponseIsReadInTime() throws {
        let rows = (0..<25_000).map { Self.row("\($0 % 400)", type: "\($0 % 3)", seconds: $0 % 3_000) }
        let message = try Self.message(rows, variants: [Self.variant("KMB/1/O/1", [(3, false)])])
        #expect(message.entities.count > 400)
    }
}

extension String {
    fileprivate func replacingTime(with text: String) -> String {
        guard let start = range(of: "\"eta\":")?.upperBound, let end = range(of: ",\"rmk_tc\"")?.lowerBound else {
            return self
        }
        return String(self[..<start]) + text + String(self[end...])
    }

    private func range(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
