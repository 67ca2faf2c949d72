import Foundation
import Testing
import TransitControl
import TransitEngine
import TransitFeeds
import TransitModel
import TransitQueries
import TransitTestSupport
import TransitTestTraits

@testable import TransitDaemon

/// Checks that a failing realtime source is reported in every reply, even if it provides only vehicles.
@Suite(.ownThreads) struct RealtimeSourceFailureTests {
    private let folder: TestFolder
    private let daemon: TestDaemon
    private let vehicles: DatasetID = DatasetID("city", .vehicles)

    init() async throws {
        let folder = try TestFolder()
        self.folder = folder
        daemon = try TestDaemon(feeds: ["city": .small]) { configuration in
            configuration.feeds[0].realtime[.vehicles] = .file(path: folder("vehicles.pb"))
        }
        #expect(try await daemon.update("city").outcome == .updated)
    }

    private func publish(_ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: folder("vehicles.pb")))
    }

    /// Publishes one vehicle at the harbor.
    private func publishVehicle() throws {
        let vehicle = VehiclePosition(
            id: "v", coordinate: Coordinate(latitude: 53.54, longitude: 9.98), timestamp: daemon.clock.now())
        try publish(
            RealtimeWriter.bytes(
                RealtimeHeader(version: "2.0", timestamp: daemon.clock.now()), [.vehicle(vehicle)]))
    }

    private func notices() throws -> [Notice] { try daemon.ask(DeparturesParameters(stop: "harbor")).notices }

    @Test func unreadableResponseIsReportedUntilRecovery() async throws {
        try publish(Array("<html>out of order</html>".utf8))
        try await daemon.refresh(vehicles)
        let notice = try #require(notices().first)
        #expect(notice.kind == .malformed)
        #expect(notice.message.hasPrefix("The vehicles of city cannot be used: "))
        #expect(!notice.message.contains("out of order"))
        try publishVehicle()
        try await daemon.refresh(vehicles)
        #expect(try notices().isEmpty)
    }

    @Test func failureIsReportedAfterDataHasAged() async throws {
        try publishVehicle()
        try await daemon.refresh(vehicles)
        try FileManager.default.removeItem(atPath: folder("vehicles.pb"))
        try await daemon.refresh(vehicles)
        #expect(try notices().isEmpty)
        let began = daemon.clock.now()
        daemon.clock.advance(by: 120)
        try await daemon.refresh(vehicles)
        #expect(try notices().map(\.kind) == [.failed])
        // The time of the first failed attempt.
        #expect(try notices().first?.since?.instant == began)
    }

    @Test func oldVehiclesExpireRealtimeData() async throws {
        try publishVehicle()
        try await daemon.refresh(vehicles)
        #expect(try daemon.ask(DeparturesParameters(stop: "harbor")).departures.first?.realtimeState == .notExpected)
        daemon.clock.advance(by: 1080)
        let answer = try daemon.ask(DeparturesParameters(stop: "harbor"))
        #expect(answer.departures.first?.realtimeState == .expired)
        #expect(answer.notices.map(\.kind) == [.stale])
        #expect(
            answer.notices.first?.message.contains("is 18 min old. Predictions from it that are still shown") == true)
    }

    @Test func failureIsRestoredFromLedger() {
        var record = DatasetRecord(vehicles)
        #expect(RealtimeSourceFailure(record) == nil)
        record.append(
            UpdateRecord(
                number: 0, began: daemon.clock.now(), milliseconds: 5, outcome: .refused, reason: "it is a web page"))
        record.consecutiveFailures = 1
        let trouble = RealtimeSourceFailure(record)
        #expect(trouble?.reason == "It is a web page.")
        #expect(trouble?.isMalformed == true)
        record.consecutiveFailures = 0
        #expect(RealtimeSourceFailure(record) == nil)
    }

    @Test func restoredFailureBeganWithTheFirstFailedAttempt() {
        let start = daemon.clock.now()
        var record = DatasetRecord(vehicles)
        for number in 0..<4 {
            record.append(
                UpdateRecord(
                    number: 0, began: start.advanced(by: 60 * number), milliseconds: 5,
                    outcome: number == 0 ? .updated : .failed, reason: "timed out"))
        }
        record.consecutiveFailures = 3
        #expect(RealtimeSourceFailure(record)?.since == start.advanced(by: 60))
        // The history is shorter than the outage.
        record.consecutiveFailures = 30
        record.lastSuccess = ClockReading(
            wall: start.advanced(by: -7200), boot: BootTime(milliseconds: 0))
        #expect(RealtimeSourceFailure(record)?.since == start.advanced(by: -7200))
    }

    @Test("A reload keeps realtime data and source failures without interruption")
    func reloadKeepsRealtimeDataAndFailures() async throws {
        try publishVehicle()
        try await daemon.refresh(vehicles)
        try publish(Array("<html>out of order</html>".utf8))
        try await daemon.refresh(vehicles)
        let before = try #require(daemon.daemon.feeds.snapshot("city"))
        #expect(before.realtimeTimetable != nil)
        #expect(before.sourceFailures[.vehicles] != nil)
        daemon.controller.apply(daemon.daemon.configuration.current.feeds)
        let after = try #require(daemon.daemon.feeds.snapshot("city"))
        #expect(after.realtimeTimetable != nil)
        #expect(after.sourceFailures == before.sourceFailures)
        // The registry is in this state before the realtime data is matched again.
        let bare = FeedSnapshot(configuration: before.configuration, timetable: before.timetable)
        daemon.daemon.feeds.replace([bare])
        let replaced = try #require(daemon.daemon.feeds.snapshot("city"))
        #expect(replaced.realtimeTimetable != nil)
        #expect(replaced.sourceFailures == before.sourceFailures)
        // A source with another URL has no failures yet.
        var moved = bare
        moved.configuration.realtime[.vehicles] = .file(path: folder("elsewhere.pb"))
        daemon.daemon.feeds.replace([moved])
        #expect(daemon.daemon.feeds.snapshot("city")?.sourceFailures.isEmpty == true)
    }
}
