import Foundation
import Testing
import TransitModel
import TransitTestSupport

@testable import TransitFeeds

@Suite("Ticketmaster")
struct TicketmasterTests {
    private func json(_ event: PublicEvent) -> [String: Any] {
        let values: [String: Any?] = [
            "id": event.id, "name": event.name, "url": event.url, "category": event.category, "genre": event.genre,
            "status": event.status.rawValue, "start": event.start?.rfc3339(), "date": event.date.map { "\($0)" },
            "seconds_of_day": event.secondsOfDay, "end": event.end?.rfc3339(), "venue": event.venue?.name,
            "city": event.venue?.city,
            "position": event.venue?.coordinate.map { "\($0.latitude),\($0.longitude)" },
        ]
        return values.compactMapValues { $0 }
    }

    @Test(arguments: GoldenPair.all("Ticketmaster"))
    func goldenPairMatches(_ pair: GoldenPair) throws {
        let page = try Ticketmaster.page(try pair.input())
        try pair.expect(["events": page.events.map(json), "has_more": page.hasMore] as [String: Any])
        // What is stored is read back unchanged.
        #expect(try Ticketmaster.page(Ticketmaster.body(of: page.events)).events == page.events)
    }

    @Test func goldenPairsExist() { #expect(GoldenPair.all("Ticketmaster").count == 2) }

    @Test func requestHasNoKey() throws {
        let position = RoundedPosition(try #require(Coordinate(latitude: 37.7768, longitude: -122.3951)))
        let start = try #require(Instant(rfc3339: "2026-03-28T08:00:00Z"))
        let request = Ticketmaster(url: "http://127.0.0.1:8080").request(
            around: position, miles: 15, from: start, to: start.advanced(by: 86_400), page: 2)
        #expect(
            request.url
                == "http://127.0.0.1:8080/discovery/v2/events.json?latlong=37.78,-122.40&radius=15&unit=miles"
                + "&startDateTime=2026-03-28T08%3A00%3A00Z&endDateTime=2026-03-29T08%3A00%3A00Z"
                + "&sort=date,asc&size=200&page=2")
    }

    @Test(arguments: [
        ("", "empty"), ("null", "text"), ("[]", "page of events"), ("{}", "page is missing"), ("<html>", "HTML"),
        (#"{"fault":{"faultstring":"Invalid ApiKey"}}"#, "source reports"),
        (#"{"errors":[{"code":"DIS1004"}]}"#, "source reports"), (#"{"_embedded":{"events":[{"name":"#, "ends"),
    ])
    func unusableResponseIsRejectedWithItsReason(body: String, word: String) {
        let error = #expect(throws: FeedError.self) { try Ticketmaster.page(Array(body.utf8)) }
        #expect(error.map { "\($0)".contains(word) } == true, "\(String(describing: error))")
    }

    @Test(arguments: [
        // Found by transit-fuzz.
        ("9223372036854775807", "2", false), ("-9223372036854775808", "2", true), ("0", "-9223372036854775808", false),
        ("0", "9223372036854775807", true), ("null", "2", true), ("1", "2", false), ("0", "0", false),
    ])
    func pageNumbersAtTheirLimits(_ number: String, _ pages: String, _ hasMore: Bool) throws {
        let body = #"{"page":{"number":\#(number),"totalPages":\#(pages)}}"#
        #expect(try Ticketmaster.page(Array(body.utf8)).hasMore == hasMore)
    }

    @Test func excessEventsAndOverlongTextsAreDropped() throws {
        let long = String(repeating: "a", count: 501)
        let events = [#"{"name":"\#(long)"}"#] + (0..<300).map { #"{"name":"\#($0)"}"# }
        let body = #"{"_embedded":{"events":[\#(events.joined(separator: ","))]}}"#
        let page = try Ticketmaster.page(Array(body.utf8))
        #expect(page.events.map(\.name) == (0..<200).map { "\($0)" })
    }

    private func recorded(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: SharedData.path("ticketmaster", name))))
    }

    @Test(.enabled(if: SharedData.isAvailable)) func recordedPagesAreRead() throws {
        let documented = try Ticketmaster.page(recorded("doc-search-events.json"))
        #expect(documented.events.map(\.name) == ["WGC Cadillac Championship - Sunday Ticket"])
        #expect(documented.hasMore)
        let corning = try Ticketmaster.page(recorded("corning-built-from-schema.json"))
        #expect(
            corning.events.map(\.start) == [
                Instant(rfc3339: "2026-08-22T23:30:00Z"), nil, Instant(rfc3339: "2026-08-30T18:00:00Z"),
            ])
        #expect(corning.events.map { "\($0.date, default: "-")" } == ["2026-08-22", "2026-09-05", "2026-08-30"])
        #expect(corning.events.map { $0.venue?.coordinate != nil } == [true, true, false])
        let monterrey = try Ticketmaster.page(recorded("eventos-mty.json"))
        #expect(monterrey.events.map(\.status) == [.scheduled, .canceled, .scheduled])
        let empty = try Ticketmaster.page(recorded("empty-result.json"))
        #expect(empty.events.isEmpty && !empty.hasMore)
    }

    @Test(.enabled(if: SharedData.isAvailable)) func recordedErrorIsRejected() throws {
        let body = try recorded("errors/429-quota.json")
        #expect(throws: FeedError.self) { try Ticketmaster.page(body) }
    }
}
