import Testing
import TransitModel
import TransitTestSupport

@testable import TransitEngine

/// Trips of which each answer tells the call at one stop, as a city's stop schedules do.
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

    @Test func whatTwoStopsTellIsOneTripWhoseEndIsKnown() throws {
        let told = [part("x", at: 3, "06:27", sequence: 9), part("x", at: 1, "06:15", sequence: 2)]
        let trips = try dataset(told).extraTrips
        #expect(trips.map { $0.calls.map(\.sequence) } == [[2, 9]])
        #expect(try scene.rides(told, count: 1) == ["06:15 added -> 06:27"])
        // It leaves from each stop once, and not from its end.
        #expect(scene.scene.board(1, try scene.scene.live(told), count: 1) == ["06:15>- added scheduled medium"])
    }

    @Test func withoutItsEndTheWayOfTheRouteSaysWhereItGoes() throws {
        #expect(try scene.rides([part("x", at: 1, "06:15", sequence: 2)], count: 1) == ["06:15 added -> ?"])
        // Where others end there that are told, this one does not.
        let other = part("y", at: 3, "06:27", sequence: 9)
        #expect(
            try scene.rides([part("x", at: 1, "06:15", sequence: 2), other], count: 1)
                == ["06:20 scheduled -> 06:40"])
        // Known at two stops, and to be left at a third of which nothing is told.
        let two = [part("x", at: 1, "06:15", sequence: 2), part("x", at: 2, "06:20", sequence: 3)]
        #expect(try scene.rides(two, count: 1) == ["06:15 added -> ?"])
    }

    @Test func tripsOfTwoDatesAreTwo() throws {
        guard case .tripUpdate(var other) = part("x", at: 3, "06:27", sequence: 9) else { return }
        other.trip.startDate = ServiceDate(iso8601: "2026-06-09")
        #expect(try dataset([part("x", at: 1, "06:15", sequence: 2), .tripUpdate(other)]).extraTrips.count == 2)
    }

    @Test func aNewAnswerReplacesItsOwnPartAlone() throws {
        let first = try dataset([part("x", at: 1, "06:15", sequence: 2), part("x", at: 3, "06:27", sequence: 9)])
        let later = try dataset([part("x", at: 1, "06:18", sequence: 2)], previous: first)
        #expect(
            later.extraTrips.map { $0.calls.map(\.departure) } == [
                [instant("2026-06-10T06:18:00+02:00"), instant("2026-06-10T06:27:00+02:00")]
            ])
        let gone = try dataset([.deleted("3 x")], previous: later)
        #expect(gone.extraTrips.map { $0.calls.map(\.sequence) } == [[2]])
    }

    /// One after the other they would be compared and sorted for minutes.
    @Test(.timeLimit(.minutes(1))) func aTripToldOfTooOftenTakesNoLonger() throws {
        let told = (0..<20_000).map { number in
            var part = part("x", at: 1, "06:15", sequence: UInt32(number))
            if case .tripUpdate(var update) = part {
                update.id = EntityID("\(number)")
                part = .tripUpdate(update)
            }
            return part
        }
        #expect(try dataset(told).extraTrips.map(\.calls.count) == [20_000])
    }

    @Test func eachCallIsAsOldAsItsAnswer() throws {
        let old = scene.scene.now.advanced(by: -1000)
        let told = [
            part("x", at: 1, "06:15", sequence: 2, measured: scene.scene.now),
            part("x", at: 3, "06:27", sequence: 9, measured: old),
        ]
        // The plan of its end still says where it goes.
        #expect(try scene.rides(told, count: 1) == ["06:15 added -> 06:27"])
        #expect(scene.scene.board(1, try scene.scene.live(told), count: 1) == ["06:15>- added scheduled medium"])
        #expect(scene.scene.departures(1, try scene.scene.live(told), count: 1).first?.age?.seconds == 0)
    }

    @Test func whatIsAskedOnDemandIsExplainedByItsMessage() throws {
        let live = RealtimeTimetable(arrivals: try dataset([part("x", at: 1, "06:15", sequence: 2)]))
        let call = try #require(scene.scene.departures(1, live, count: 1).first)
        let facts = live.explain(call, now: scene.scene.now).facts
        #expect(
            facts.first
                == .message(time: scene.scene.now, received: scene.scene.now, incrementality: .fullDataset))
    }
}
