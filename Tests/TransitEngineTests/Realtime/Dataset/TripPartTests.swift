import Testing
import TransitModel
import TransitTestSupport

@testable import TransitEngine

/// Tests trips for which each response reports the call at one stop, as in a city's stop schedules.
@Suite struct TripPartTests {
    private let scene: RealtimeDirectTripsTests

    init() throws { scene = try RealtimeDirectTripsTests() }

    private func part(
        _ trip: String, at stop: Int, _ time: String, sequence: UInt32, measured: Instant? = nil
    ) -> RealtimeEntity {
        let event = StopTimeEvent(scheduledTime: instant("2026-06-10T\(time):00+02:00"))
        return .tripUpdate(
            TripUpdate(
                id: EntityID("\(stop) \(trip)"),
                trip: TripDescriptor(
                    tripID: TripID(trip), routeID: RouteID("r0"), startDate: ServiceDate(iso8601: "2026-06-10"),
                    relationship: .added),
                updates: [
                    StopTimeUpdate(
                        sequence: sequence, stopID: StopID("s\(stop)"), arrival: event, departure: event)
                ], timestamp: measured, basis: .planned, isPartial: true))
    }

    private func dataset(_ entities: [RealtimeEntity], previous: RealtimeDataset? = nil) throws -> RealtimeDataset {
        let header = RealtimeHeader(
            version: "2.0", incrementality: previous == nil ? .fullDataset : .differential, timestamp: scene.scene.now)
        return try scene.scene.dataset(entities, header: header, previous: previous)
    }

    @Test func partsAtTwoStopsAreMergedIntoOneTrip() throws {
        let parts = [part("x", at: 3, "06:27", sequence: 9), part("x", at: 1, "06:15", sequence: 2)]
        let trips = try dataset(parts).extraTrips
        #expect(trips.map { $0.calls.map(\.sequence) } == [[2, 9]])
        #expect(try scene.directTrips(parts, count: 1) == ["06:15 added -> 06:27"])
        // The trip leaves from each stop once, and not from its last stop.
        #expect(scene.scene.board(1, try scene.scene.realtime(parts), count: 1) == ["06:15>- added scheduled medium"])
    }

    @Test func patternsOfRouteGiveDestinationOfPartialTrip() throws {
        #expect(try scene.directTrips([part("x", at: 1, "06:15", sequence: 2)], count: 1) == ["06:15 added -> ?"])
        // If other trips are reported at that destination, this trip does not go there.
        let other = part("y", at: 3, "06:27", sequence: 9)
        #expect(
            try scene.directTrips([part("x", at: 1, "06:15", sequence: 2), other], count: 1)
                == ["06:20 scheduled -> 06:40"])
        // A trip that is reported at two stops and boarded at a third stop without data.
        let two = [part("x", at: 1, "06:15", sequence: 2), part("x", at: 2, "06:20", sequence: 3)]
        #expect(try scene.directTrips(two, count: 1) == ["06:15 added -> ?"])
    }

    @Test func partsOfDifferentDatesAreNotMerged() throws {
        guard case .tripUpdate(var other) = part("x", at: 3, "06:27", sequence: 9) else { return }
        other.trip.startDate = ServiceDate(iso8601: "2026-06-09")
        #expect(try dataset([part("x", at: 1, "06:15", sequence: 2), .tripUpdate(other)]).extraTrips.count == 2)
    }

    @Test func newResponseReplacesOnlyItsOwnPart() throws {
        let first = try dataset([part("x", at: 1, "06:15", sequence: 2), part("x", at: 3, "06:27", sequence: 9)])
        let later = try dataset([part("x", at: 1, "06:18", sequence: 2)], previous: first)
        #expect(
            later.extraTrips.map { $0.calls.map(\.departure) } == [
                [instant("2026-06-10T06:18:00+02:00"), instant("2026-06-10T06:27:00+02:00")]
            ])
        let gone = try dataset([.deleted("3 x")], previous: later)
        #expect(gone.extraTrips.map { $0.calls.map(\.sequence) } == [[2]])
    }

    /// Merging the parts one by one would take minutes.
    @Test(.timeLimit(.minutes(1))) func manyPartsOfOneTripAreMergedQuickly() throws {
        let parts = (0..<20_000).map { number in
            var part = part("x", at: 1, "06:15", sequence: UInt32(number))
            if case .tripUpdate(var update) = part {
                update.id = EntityID("\(number)")
                part = .tripUpdate(update)
            }
            return part
        }
        #expect(try dataset(parts).extraTrips.map(\.calls.count) == [20_000])
    }

    @Test func eachCallIsAsOldAsItsResponse() throws {
        let old = scene.scene.now.advanced(by: -1000)
        let parts = [
            part("x", at: 1, "06:15", sequence: 2, measured: scene.scene.now),
            part("x", at: 3, "06:27", sequence: 9, measured: old),
        ]
        // The planned time at the last stop still determines the destination.
        #expect(try scene.directTrips(parts, count: 1) == ["06:15 added -> 06:27"])
        #expect(scene.scene.board(1, try scene.scene.realtime(parts), count: 1) == ["06:15>- added scheduled medium"])
        #expect(scene.scene.departures(1, try scene.scene.realtime(parts), count: 1).first?.age?.seconds == 0)
    }

    @Test func explanationOfPartialTripNamesItsMessage() throws {
        let realtime = RealtimeDatasets(arrivals: try dataset([part("x", at: 1, "06:15", sequence: 2)]))
        let call = try #require(scene.scene.departures(1, realtime, count: 1).first)
        let facts = realtime.explain(call, now: scene.scene.now).facts
        #expect(
            facts.first
                == .message(time: scene.scene.now, received: scene.scene.now, incrementality: .fullDataset))
    }
}
