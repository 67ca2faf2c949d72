import Foundation
import Testing
import TransitTestSupport

@testable import TransitFeeds
@testable import TransitModel

@Suite("WaBus: recordings", .enabled(if: SharedData.isAvailable))
struct WaBusRecordedTests {
    private func body(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: SharedData.path("wabus", name))))
    }

    @Test("every row of the recorded sync is read, with any route type") func recordedSyncIsRead() throws {
        let sync = try WaBusSync(try body("sync-as-client-expects.json"))
        #expect(sync.routes.map(\.id) == ["15", "175", "S1"])
        #expect(sync.routes.map(\.type) == [0, 3, 2])
        #expect(sync.routes.map(\.color) == ["B60000", "880077", "009955"])
        #expect(sync.stops.count == 165)
        #expect(sync.stops.allSatisfy { $0.coordinate != nil && $0.code == nil })
        #expect(sync.calendar.services.count == 4)
        #expect(sync.version == "2026-02-10")
        #expect(sync.report.findings.isEmpty)
    }

    @Test("both spellings of the members are read alike") func spellingsAreEquivalent() throws {
        let text = String(decoding: try body("sync-as-client-expects.json"), as: UTF8.self)
        var other = text
        for day in ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] {
            other = other.replacingOccurrences(of: "\"\(day)\"", with: "\"\(day.capitalized)\"")
        }
        for (name, spelling) in [("service_id", "ServiceID"), ("start_date", "StartDate"), ("end_date", "EndDate")] {
            other = other.replacingOccurrences(of: "\"\(name)\"", with: "\"\(spelling)\"")
        }
        other = other.replacingOccurrences(of: "18:38:09Z", with: "19:38:09.123456789+01:00")
        #expect(other != text)
        let (one, two) = (try WaBusSync(Array(text.utf8)), try WaBusSync(Array(other.utf8)))
        #expect(one.calendar.services == two.calendar.services)
        #expect(one.generatedAt == two.generatedAt)
    }

    @Test func recordedCheckIsRead() throws {
        let check = try WaBusSyncCheck(try body("sync-check.json"))
        #expect(check.version == "2026-02-10")
        #expect(check.lastUpdate == Instant(rfc3339: "2026-02-10T03:00:01Z"))
    }

    @Test("error responses throw", arguments: ["404.json", "429.txt", "503-loading.json"]) func errorResponsesThrow(
        name: String
    )
        throws
    {
        let body = try body("errors/" + name)
        #expect(throws: FeedError.self) { try WaBusSync(body) }
        #expect(throws: FeedError.self) { try WaBusVehicles.message(body) }
        #expect(throws: FeedError.self) { try WaBusRouteStops.read(body) }
        #expect(throws: FeedError.self) { try WaBusStreamMessage(body) }
    }
}
