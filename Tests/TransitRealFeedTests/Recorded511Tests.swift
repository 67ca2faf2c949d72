import Foundation
import Testing
import TransitFeeds
import TransitModel
import TransitTestSupport

/// Responses from 511.org, recorded in 2019, 2022 and 2026.
@Suite(.enabled(if: SharedData.isAvailable, "the recorded feeds are missing"))
struct Recorded511Tests {
    private struct Counts: Hashable {
        var journeys: Int
        var visits: Int
        var vehicles: Int
    }

    /// The counts were determined with another program.
    private static let replies: [String: Counts] = [
        "go-caltrain/parseDelayData1.json": Counts(journeys: 10, visits: 15, vehicles: 10),
        "go-caltrain/parseDelayData2.json": Counts(journeys: 11, visits: 18, vehicles: 8),
        "go-caltrain/parseHillsdaleNorth.json": Counts(journeys: 1, visits: 1, vehicles: 1),
        "go-caltrain/parseHillsdaleSouth.json": Counts(journeys: 2, visits: 2, vehicles: 2),
        "ovlic/StopMonitoringRaw.json": Counts(journeys: 7, visits: 12, vehicles: 7),
        // This recording is not part of all copies of the shared data.
        "nchua/stopmonitoring_all.json": Counts(journeys: 9, visits: 115, vehicles: 0),
    ]

    private static func recordings(besides known: [String] = []) -> [String] {
        SharedData.files("511", withExtension: ".json").filter { !known.contains($0) }
    }

    static func body(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: SharedData.path("511", name))))
    }

    private func read(_ name: String, _ kind: DatasetKind = .tripUpdates) throws -> any RealtimeMessage {
        try SIRI511().message(Self.body(name), of: kind, received: Instant(secondsSince1970: 0))
    }

    @Test(arguments: recordings().filter { replies.keys.contains($0) })
    func boardIsReadCompletely(name: String) throws {
        let message = try read(name)
        var counts = Counts(journeys: 0, visits: 0, vehicles: 0)
        let problems = message.read { entity in
            switch entity {
            case .tripUpdate(let update):
                counts.journeys += 1
                counts.visits += update.updates.count
                #expect(update.trip.tripID != nil && update.trip.startDate != nil)
                for call in update.updates {
                    #expect(call.stopID != nil && call.departure?.scheduledTime != nil)
                    // Even for trains without a vehicle, the board gives an expected departure, which may equal the
                    // scheduled departure.
                    #expect(call.departure?.time != nil || call.relationship == .noData)
                    if update.vehicle == nil, call.departure?.time == call.departure?.scheduledTime {
                        #expect(update.basis == .planned)
                    }
                }
                if let measured = update.timestamp, let made = message.header.timestamp {
                    #expect((0...600).contains(measured.seconds(to: made)))
                }
            case .vehicle(let position):
                counts.vehicles += 1
                #expect(position.coordinate != nil && position.vehicle?.id != nil)
            case .alert, .deleted: Issue.record("a board has neither alerts nor deletions")
            }
        }
        let expected = try #require(Self.replies[name])
        #expect(counts.journeys == expected.journeys && counts.visits == expected.visits)
        if expected.vehicles > 0 { #expect(counts.vehicles == expected.vehicles) }
        #expect(problems.isEmpty, "\(problems)")
    }

    /// Other responses from 511.org are not mistaken for a board.
    @Test(arguments: recordings(besides: Array(replies.keys) + ["go-caltrain/parseHillsdaleNorthBad.json"]))
    func otherResponseIsRejected(name: String) throws {
        #expect(throws: FeedError.notDocument(.otherJSON, wanted: "a SIRI StopMonitoring response")) {
            try read(name)
        }
    }

    @Test func missingBraceIsReported() throws {
        let name = "go-caltrain/parseHillsdaleNorthBad.json"
        let error = try #require(throws: FeedError.self) { try read(name) }
        guard case .message(_, let offset, let member?) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(try (1...Self.body(name).count).contains(offset))
        // All members are closed, and only the last brace is missing.
        #expect(member == "the document")
    }

    @Test func plainTextErrorIsRejected() throws {
        let body = try Self.body("errors/401-no-key.txt")
        for (kind, error) in [
            (DatasetKind.tripUpdates, FeedError.notDocument(.text, wanted: "a SIRI StopMonitoring response")),
            (.alerts, .notRealtime(.text)),
        ] {
            #expect(throws: error) {
                try SIRI511().message(body, of: kind, received: Instant(secondsSince1970: 0))
            }
        }
    }

    @Test(.enabled(if: recordings().contains("nchua/servicealerts.json"), "the recorded alerts are missing"))
    func alertsAreRead() throws {
        let message = try read("nchua/servicealerts.json", .alerts)
        #expect(message.header.timestamp == Instant(secondsSince1970: 1_782_969_673))
        var alerts: [Alert] = []
        let problems = message.read { if case .alert(let alert) = $0 { alerts.append(alert) } }
        #expect(problems.isEmpty)
        let game = try #require(alerts.first)
        #expect(game.cause == .other && game.effect == .additionalService && game.severity == .unknown)
        #expect(game.activePeriods.first?.start == Instant(secondsSince1970: 1_781_251_200))
        #expect(game.url.flatMap { PublishedText.address($0.text(in: "en")) }?.hasPrefix("https://www.") == true)
        let elevator = try #require(alerts.last)
        #expect(elevator.cause == .technicalProblem && elevator.effect == .unknown && elevator.severity == .warning)
        #expect(elevator.informed.map(\.stopID) == ["70061", "MIL-03-NB"])
        #expect(elevator.informed.map(\.agencyID) == ["CT", "CT"])
        for (language, beginning) in [
            ("en-US", "Accessibility"), ("es-MX", "Accesibilidad"), ("zh-TW", "无障碍设施"), ("vi", "Thông báo"),
            ("pl", "Accessibility"),
        ] { #expect(elevator.header?.text(in: language).hasPrefix(beginning) == true) }
    }
}
