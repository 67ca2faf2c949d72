import Testing
import TransitControl
import TransitEngine
import TransitModel
import TransitRefresh
import TransitStore
import TransitTestSupport
import TransitTestTraits

@testable import TransitDaemon

/// Tests of the demo city from the user's perspective. Its realtime data takes the same path as that of any other
/// source.
@Suite("Realtime data of the demo city", .ownThreads)
struct DemoCityTests {
    private static func daemon(at time: String) async throws -> TestDaemon {
        let daemon = try TestDaemon(at: time) { $0 = .demo }
        #expect(try await daemon.update("demo").outcome == .updated)
        for kind in DatasetKind.realtime {
            guard case .content = try await daemon.refresh(DatasetID("demo", kind)).result else {
                Issue.record("\(kind.rawValue) was not applied")
                continue
            }
        }
        return daemon
    }

    /// Times during the day, in the evening, at night, and in both nights with a clock change.
    private static let times = [
        "2026-03-27T07:10:00Z", "2026-03-28T20:30:00Z", "2026-03-27T01:00:00Z", "2026-03-29T00:45:00Z",
        "2026-10-25T00:40:00Z",
    ]

    @Test("Boards show late, punctual, canceled, extra and scheduled departures", arguments: times)
    func boardsShowAllKindsOfDepartures(time: String) async throws {
        let daemon = try await Self.daemon(at: time)
        let answer = try daemon.ask(DeparturesParameters(stop: "Central Station", count: 30))
        let board = try daemon.ask(DeparturesParameters(stop: "Town Hall", count: 30)).departures + answer.departures
        #expect(board.contains { $0.source == .live && ($0.delay ?? 0) > 0 })
        #expect(board.contains { $0.source == .live && $0.delay == 0 })
        #expect(board.contains { $0.status == .canceled })
        #expect(board.contains { $0.status == .added && $0.scheduled == nil })
        #expect(board.contains { $0.source == .scheduled })
        #expect(answer.departures.allSatisfy { $0.alerts == ["lift"] || $0.stop.id == "station-square" })
        #expect(answer.notices.isEmpty)
    }

    @Test("By day, a vehicle without a prediction gives estimates at its next stops")
    func vehicleGivesEstimates() async throws {
        let daemon = try await Self.daemon(at: "2026-03-27T07:10:00Z")
        let stops = [
            "Fish Market", "Harbor", "Observatory", "Town Hall", "Museum", "Mill Lane", "University", "Library",
        ]
        let boards = try stops.map { try daemon.ask(DeparturesParameters(stop: $0, count: 20)).departures }
        let estimated = boards.flatMap { $0 }.filter { $0.source == .estimated }
        #expect(!estimated.isEmpty)
        for departure in estimated {
            #expect(departure.confidence != .high)
            #expect((departure.vehicle?.stopsAway ?? -1) >= 0)
            #expect(abs((departure.delay ?? 9999) - 120) <= 60)
        }
    }

    @Test("The realtime data passes the GTFS-Realtime validator")
    func realtimeDataIsValid() async throws {
        let daemon = try await Self.daemon(at: "2026-03-27T07:10:00Z")
        let report = try daemon.ask(FeedValidateParameters(feed: "demo", realtime: true))
        #expect(report.findings.filter { $0.severity == .error }.map(\.rule) == [])
        let realtime = try #require(daemon.ask(StatusParameters()).feeds.first?.realtime)
        #expect(realtime.tripsUnmatched == 0)
        #expect(realtime.stopsUnmatched == 0)
        #expect(realtime.vehiclesUnmatched == 0)
    }
}
