import Foundation
import Testing
import TransitControl
import TransitEngine
import TransitFeeds
import TransitModel
import TransitStore
import TransitTestSupport
import TransitTestTraits
import TransitWire

@testable import TransitDaemon

/// Checks that `departures`, `explain` and `trip.show` agree about a trip.
@Suite(.ownThreads) struct DepartureConsistencyTests {
    private let daemon: TestDaemon

    init() async throws {
        daemon = try TestDaemon(feeds: ["city": .small], at: "2026-03-27T06:30:00Z") { configuration in
            configuration.feeds[0].realtime[.tripUpdates] = .file(path: "")
        }
        let file = daemon.folder("\(DatasetKind.tripUpdates.rawValue).pb")
        #expect(FileManager.default.createFile(atPath: file, contents: Data()))
        #expect(try await daemon.update("city").outcome == .updated)
    }

    private func take(_ updates: [TripUpdate]) throws {
        let now = daemon.clock.now()
        let bytes = RealtimeWriter.bytes(
            RealtimeHeader(version: "2.0", timestamp: now), updates.map { .tripUpdate($0) })
        let taken = daemon.daemon.realtimeFeeds.receive(
            bytes, of: DatasetID("city", .tripUpdates), received: now, now: now)
        try #require(taken.isUsed)
    }

    private func departures(at: String? = nil) throws -> [Departure] {
        try daemon.ask(DeparturesParameters(stop: "harbor", at: at)).departures
    }

    private func update(
        _ departure: Departure, _ relationship: TripScheduleRelationship, _ updates: [StopTimeUpdate],
        _ properties: TripProperties? = nil
    ) -> TripUpdate {
        TripUpdate(
            id: "1",
            trip: TripDescriptor(
                tripID: departure.trip, startDate: departure.serviceDate, relationship: relationship),
            updates: updates, properties: properties)
    }

    @Test("A copy of a trip is explained and shown as a copy, and is not found after its removal")
    func copyIsExplainedAndShown() throws {
        let planned = try #require(try departures().first)
        let late = StopTimeUpdate(stopID: planned.stop.id, departure: StopTimeEvent(delay: 60))
        let properties = TripProperties(
            startDate: planned.serviceDate, startTime: ServiceTime(seconds: 7 * 3600 + 2400))
        try take([update(planned, .duplicated, [late], properties)])
        let copy = try #require(try departures().first { $0.status == .duplicated })
        let explained = try daemon.ask(ExplainParameters(departure: copy.id))
        #expect(explained.departure == copy)
        #expect(explained.facts.contains { $0.fact == "run" && $0.value.contains("DUPLICATED") })
        let shown = try daemon.ask(TripShowParameters(trip: copy.id))
        let call = try #require(shown.calls.first { $0.stop.id == copy.stop.id })
        #expect((call.departure, call.expectedDeparture) == (copy.scheduled, copy.expected))
        #expect((shown.status, shown.realtimeState) == (.duplicated, .fresh))
        // The original keeps its own departure.
        #expect(try daemon.ask(ExplainParameters(departure: planned.id)).departure.scheduled == planned.scheduled)
        try take([])
        #expect(throws: ControlError.self) { try daemon.ask(ExplainParameters(departure: copy.id)) }
        #expect(throws: ControlError.self) { try daemon.ask(TripShowParameters(trip: copy.id)) }
    }

    @Test("A replacement has the route of the replaced trip, and its explanation matches the board")
    func replacementIsExplained() throws {
        let planned = try #require(try departures().first)
        let calls = try daemon.ask(TripShowParameters(trip: planned.id)).calls
        let position = try #require(calls.firstIndex { $0.stop.id == planned.stop.id })
        let updates = calls[position...].map { call in
            let time = (call.departure ?? call.arrival).map { $0.instant.advanced(by: 180) }
            return StopTimeUpdate(
                sequence: UInt32(call.sequence), stopID: call.stop.id, arrival: StopTimeEvent(time: time),
                departure: StopTimeEvent(time: time))
        }
        try take([update(planned, .replacement, updates)])
        let replacement = try #require(try departures().first { $0.status == .replaced })
        #expect((replacement.route, replacement.headsign) == (planned.route, planned.headsign))
        #expect(replacement.serviceDate == planned.serviceDate)
        #expect(replacement.expected?.instant == planned.scheduled?.instant.advanced(by: 180))
        #expect(try daemon.ask(ExplainParameters(departure: replacement.id)).departure == replacement)
    }

    @Test("While a source is silent, trips without a prediction are shown as expired")
    func silentSourceExpiresOtherTrips() throws {
        let all = try departures()
        let (first, second) = (try #require(all.first), try #require(all.dropFirst().first { $0.trip != all[0].trip }))
        try take([update(first, .canceled, [])])
        daemon.clock.advance(by: 450)
        let silent = try #require(try departures().first { $0.id == second.id })
        #expect(silent.realtimeState == .expired)
        #expect(try daemon.ask(TripShowParameters(trip: second.id)).realtimeState == .expired)
        #expect(try daemon.ask(ExplainParameters(departure: second.id)).departure.realtimeState == .expired)
    }
}
