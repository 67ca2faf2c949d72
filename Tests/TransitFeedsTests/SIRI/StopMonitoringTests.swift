import Testing
import TransitModel
import TransitTestSupport

@testable import TransitFeeds

/// StopMonitoring responses that the golden pairs do not cover: formats from other servers and years, and invalid
/// responses.
struct StopMonitoringTests {
    private static let provider = SIRI511()

    private func read(_ text: String) throws(FeedError) -> RealtimeReading {
        try read(Array(text.utf8))
    }

    private func read(_ body: [UInt8]) throws(FeedError) -> RealtimeReading {
        let message = try Self.provider.message(body, of: .tripUpdates, received: Instant(secondsSince1970: 0))
        return RealtimeReading(message)
    }

    private func reply(_ visits: String) -> String {
        """
        {"ServiceDelivery":{"ResponseTimestamp":"2026-07-01T15:00:00Z","Status":true,
         "StopMonitoringDelivery":{"Status":true,"MonitoredStopVisit":\(visits)}}}
        """
    }

    private func visit(
        trip: String = "\"112\"", stop: String = "70172", recorded: String = "2026-07-01T14:59:30Z",
        vehicle: String = "\"112\"", latitude: String = "37.5",
        call: String = "\"AimedDepartureTime\":\"2026-07-01T15:04:00Z\""
    ) -> String {
        """
        {"RecordedAtTime":"\(recorded)","MonitoringRef":"\(stop)","MonitoredVehicleJourney":{"LineRef":"Limited",
         "FramedVehicleJourneyRef":{"DataFrameRef":"2026-07-01","DatedVehicleJourneyRef":\(trip)},"Monitored":true,
         "VehicleLocation":{"Longitude":"\(latitude.isEmpty ? "" : "-122.25")","Latitude":"\(latitude)"},"VehicleRef":\(vehicle),
         "MonitoredCall":{"StopPointRef":"\(stop)",\(call)}}}
        """
    }

    @Test func excessVisitsAreCounted() throws {
        let body = Array(reply("[" + (1...5).map { visit(stop: "\($0)") }.joined(separator: ",") + "]").utf8)
        let decoder = try JSONResponse.read(body, as: StopMonitoring.wanted) { (json) throws(MalformedMessageError) in
            var decoder = StopMonitoringDecoder()
            decoder.maximumVisits = 3
            return try decoder.read(&json) ? decoder : nil
        }
        #expect(decoder.visits.map(\.stop) == ["1", "2", "3"])
        #expect(decoder.problems.count(.tooManyMembers) == 2)
    }

    // MARK: Formats

    @Test func responseWithoutVisitsIsEmptyMessage() throws {
        for delivery in ["{}", "null", "[]", "\"\"", #"{"MonitoredStopVisit":null}"#, #"{"MonitoredStopVisit":[]}"#] {
            let text = #"{"ServiceDelivery":{"ResponseTimestamp":"2026-07-01T15:00:00Z","Status":true,"#
            let reading = try read(text + #""StopMonitoringDelivery":\#(delivery)}}"#)
            #expect(reading.entities.isEmpty)
            #expect(reading.header.timestamp == Instant(rfc3339: "2026-07-01T15:00:00Z"))
        }
    }

    @Test func objectsAndListsAreInterchangeable() throws {
        let usual = try read(reply("[\(visit())]"))
        #expect(usual.updates.count == 1 && usual.vehicles.count == 1)
        #expect(try read(reply(visit())) == usual)
        let inner = reply("[\(visit())]")
        #expect(try read(#"{"Siri":\#(inner)}"#) == usual)
        let list = inner.replacing(#""StopMonitoringDelivery":{"#, with: #""StopMonitoringDelivery":[{"#)
            .replacing("}}}\n", with: "}}}")
        #expect(try read(String(list.dropLast(2)) + "]}}") == usual)
        #expect(try read(inner.replacing("true", with: "\"true\"")) == usual)
        #expect(try read([0xEF, 0xBB, 0xBF] + Array(inner.utf8)) == usual)
    }

    @Test func numbersAreReadAsStrings() throws {
        let reading = try read(reply(visit(trip: "112", vehicle: "112")))
        #expect(try reading == read(reply("[\(visit())]")))
    }

    @Test func invalidTextIsCounted() throws {
        var body = Array(reply(visit(trip: "\"1?2\"")).utf8)
        let place = try #require(body.firstIndex(of: 0x3F))
        body[place] = 0xFF
        let reading = try read(body)
        #expect(reading.updates.first?.trip.tripID == "1\u{FFFD}2")
        #expect(reading.problems.count(.invalidText) == 1)
    }

    // MARK: Values

    @Test func invalidTimesAreCounted() throws {
        let call = #""AimedDepartureTime":"2026-07-01T15:04:00Z","ExpectedDepartureTime":"15:05""#
        let reading = try read(reply(visit(recorded: "yesterday", call: call)))
        #expect(reading.problems.count(.invalidTimestamp) == 2)
        let example = try #require(reading.problems.findings.first?.example)
        #expect(example.field == "MonitoredStopVisit.RecordedAtTime")
        #expect(example.value == "yesterday")
        #expect(example.entity == "2026-07-01/112")
        #expect(reading.updates.first?.updates.first?.departure?.time == nil)
    }

    @Test func observationTimeOf1970IsIgnored() throws {
        let reading = try read(reply(visit(recorded: "1970-01-01T00:00:00Z", vehicle: "null")))
        #expect(reading.updates.first?.timestamp == nil)
        #expect(reading.problems.isEmpty)
        #expect(reading.vehicles.isEmpty)
    }

    @Test(arguments: [
        ("null", "15:04", TripUpdateBasis.planned), ("null", "15:06", .predicted), ("\"112\"", "15:04", .predicted),
    ])
    func trainWithoutVehicleHasPredictionOnlyIfLate(vehicle: String, expected: String, basis: TripUpdateBasis) throws {
        let call =
            #""AimedDepartureTime":"2026-07-01T15:04:00Z","ExpectedDepartureTime":"2026-07-01T\#(expected):00Z""#
        let latitude = vehicle == "null" ? "" : "37.5"
        #expect(
            try read(reply(visit(vehicle: vehicle, latitude: latitude, call: call))).updates.first?.basis == basis)
        // A journey with a vehicle position has predictions.
        #expect(try read(reply(visit(vehicle: "null", call: call))).updates.first?.basis == .predicted)
    }

    /// A late call does not turn the scheduled times of other calls into predictions.
    @Test func scheduledCallHasNoPredictionNextToLateOne() throws {
        func visit(_ stop: String, _ aimed: String, _ expected: String, vehicle: String = "null") -> String {
            self.visit(
                stop: stop, vehicle: vehicle, latitude: vehicle == "null" ? "" : "37.5",
                call:
                    #""AimedDepartureTime":"2026-07-01T\#(aimed):00Z","ExpectedDepartureTime":"2026-07-01T\#(expected):00Z""#
            )
        }
        let text = reply(
            "["
                + [
                    visit("1", "15:04", "15:09"), visit("2", "15:10", "15:10"),
                    visit("3", "15:20", "15:20", vehicle: "\"112\""),
                ].joined(separator: ",") + "]")
        let update = try #require(try read(text).updates.first)
        #expect(update.basis == .predicted)
        #expect(update.updates.map(\.relationship) == [.scheduled, .noData, .scheduled])
        #expect(update.updates.map { $0.departure?.time == nil } == [false, true, false])
        // The scheduled time remains, because it is used to match the trip.
        #expect(update.updates.allSatisfy { $0.departure?.scheduledTime != nil })
    }

    @Test func timestampIsNotAfterResponse() throws {
        let reading = try read(reply(visit(recorded: "2026-07-01T15:01:20Z")))
        #expect(reading.updates.first?.timestamp == reading.header.timestamp)
    }

    @Test func unmonitoredVisitHasNoPrediction() throws {
        let call =
            #""AimedDepartureTime":"2026-07-01T15:04:00Z","ExpectedDepartureTime":"2026-07-01T15:04:00Z""#
        let text = reply(visit(call: call)).replacing(#""Monitored":true"#, with: #""Monitored":false"#)
        let update = try #require(try read(text).updates.first?.updates.first)
        #expect(update.relationship == .noData)
        #expect(update.departure?.time == nil)
        #expect(update.departure?.scheduledTime == Instant(rfc3339: "2026-07-01T15:04:00Z"))
    }

    @Test func visitsWithoutStopOrJourneyAreReported() throws {
        let nobody = visit().replacing(#""DatedVehicleJourneyRef":"112""#, with: #""DatedVehicleJourneyRef":"""#)
            .replacing(#""LineRef":"Limited""#, with: #""LineRef":null"#)
        let nowhere = visit(stop: "")
        let reading = try read(reply("[\(nobody),\(nowhere),\(visit()),\"x\"]"))
        #expect(reading.updates.count == 1)
        #expect(reading.problems.count(.missingTrip) == 1)
        #expect(reading.problems.count(.missingStop) == 1)
        #expect(reading.problems.count(.unexpectedType) == 1)
    }

    // MARK: Invalid responses

    @Test(arguments: [
        ("", UnexpectedContent.empty), ("The API key is not provided.", .text),
        ("<!DOCTYPE html><html></html>", .htmlPage),
        ("<Siri/>", .xml), (#"{"error":"secret"}"#, .otherJSON), ("[]", .otherJSON), ("{}", .otherJSON),
        (#"{"Header":{},"Entities":[]}"#, .otherJSON),
    ])
    func errorNamesOtherContent(body: String, kind: UnexpectedContent) {
        let error = FeedError.notDocument(kind, wanted: "a SIRI StopMonitoring response")
        #expect(throws: error) { try read(body) }
        #expect("\(error)".contains("SIRI StopMonitoring") && !"\(error)".contains("secret"))
    }

    @Test func errorNamesMemberAndPosition() throws {
        let whole = reply("[\(visit()),\(visit())]")
        let half = String(whole.prefix(whole.utf8.count - 30))
        let error = try #require(throws: FeedError.self) { try read(half) }
        let path =
            "ServiceDelivery.StopMonitoringDelivery.MonitoredStopVisit[1].MonitoredVehicleJourney.MonitoredCall"
        #expect(
            error
                == .message(.truncated, offset: half.utf8.count, member: path + ".AimedDepartureTime")
                || error == .message(.truncated, offset: half.utf8.count, member: path))
    }

    @Test func failedResponseIsError() {
        let failed = #"{"ServiceDelivery":{"Status":false,"StopMonitoringDelivery":{"Status":"false"}}}"#
        #expect(throws: FeedError.message(.failed, offset: 19, member: "ServiceDelivery")) { try read(failed) }
        let other = #"{"ServiceDelivery":{"VehicleMonitoringDelivery":{}}}"#
        #expect(
            throws: FeedError.message(
                .missing("StopMonitoringDelivery"), offset: 19, member: "ServiceDelivery")
        ) { try read(other) }
        #expect(throws: FeedError.message(.expected(.object), offset: 20, member: "ServiceDelivery")) {
            try read(#"{"ServiceDelivery": null}"#)
        }
    }

    /// A truncated or malformed response gives an error or a message, never a crash.
    @Test(arguments: testSeeds(42)) func damagedResponsesDoNotCrash(seed: UInt64) {
        let body = Array(reply("[\(visit()),\(visit(stop: "70182"))]").utf8)
        for length in 0..<body.count { _ = try? read(Array(body.prefix(length))) }
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2000 {
            var broken = body
            broken[Int.random(in: 0..<body.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            _ = try? read(broken)
        }
    }
}
