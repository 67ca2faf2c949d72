import Testing
internal import TransitModel
internal import TransitTestSupport

@testable import TransitEngine

/// One source states decisions about a trip whose times are too old, another source has current times of the trip.
struct DecisionsAndTimesTests {
    private var scene: RealtimeScenario
    /// Twelve minutes before the message.
    private var old: Instant { scene.now.advanced(by: -720) }
    private let date = ServiceDate(iso8601: "2026-06-10")

    init() throws {
        scene = RealtimeScenario(try systemZone("Europe/Berlin"))
        scene.timetable.add([(1, 0), (2, 600), (3, 1200), (4, 1800), (5, 2400)], starts: ["06:20", "07:20"])
        // 14 minutes after the departure from the second stop.
        scene.now = instant("2026-06-10T06:44:20+02:00")
    }

    /// The position of the vehicle of the first trip, 20 seconds old: it stands at the second stop.
    private var position: RealtimeEntity {
        .vehicle(
            VehiclePosition(
                id: "v", trip: TripDescriptor(tripID: "t0", startDate: date), currentSequence: 1, status: .stoppedAt,
                timestamp: scene.now.advanced(by: -20)))
    }

    private func realtime(_ updates: [StopTimeUpdate], measured: Instant? = nil) throws -> RealtimeDatasets {
        RealtimeDatasets(
            tripUpdates: try scene.dataset([.update(0, updates, date: "2026-06-10", measured: measured ?? old)]),
            vehicles: try scene.dataset([position]))
    }

    private static let skip: [StopTimeUpdate] = [.late(0, 60), .said(2, .skipped)]

    @Test func otherStopsKeepTheTimesFromThePositionOfTheVehicle() throws {
        let realtime = try realtime(Self.skip)
        #expect(
            scene.board(4, realtime, count: 1) == ["06:50>07:04 scheduled estimated medium"],
            "12 minutes old times are not used; the vehicle is 14 minutes late")
        #expect(scene.board(3, realtime, at: "2026-06-10T06:30:00+02:00", count: 1) == ["06:40>- skipped live high"])
        // The stop that the vehicle has left.
        #expect(scene.board(1, realtime, count: 1).first?.hasPrefix("07:20") == true)
    }

    @Test func lateVehicleStaysOnTheBoardAfterItsPlannedTime() throws {
        var scene = scene
        let updates = try scene.dataset([.update(0, Self.skip, date: "2026-06-10", measured: old)])
        let vehicles = try scene.dataset([position])
        scene.now = instant("2026-06-10T06:48:00+02:00")
        let realtime = RealtimeDatasets(tripUpdates: updates, vehicles: vehicles)
        for at in ["2026-06-10T06:51:00+02:00", "2026-06-10T07:03:00+02:00"] {
            #expect(scene.board(4, realtime, at: at, count: 1).first?.hasPrefix("06:50>07:04") == true, "\(at)")
        }
        #expect(scene.board(4, realtime, at: "2026-06-10T07:05:00+02:00", count: 1).first?.hasPrefix("07:50") == true)
    }

    @Test func changedPlatformHasTheTimeFromThePositionOfTheVehicle() throws {
        let moved = StopTimeUpdate(sequence: 3, departure: StopTimeEvent(delay: 300), assignedStopID: "s6")
        let realtime = try realtime([moved])
        #expect(scene.board(6, realtime, count: 1) == ["06:50>07:04 scheduled estimated medium"])
        let call = try #require(scene.departures(4, realtime, count: 1).first)
        #expect(call.hasPlatformChange && call.stop == StopIndex(6))
    }

    @Test func directTripHasTheTimesFromThePositionOfTheVehicle() throws {
        let trips = DirectTripFinder.next(
            origins: [StopIndex(2): 0], destinations: [StopIndex(3): 0, StopIndex(5): 0],
            patterns: scene.timetable.patterns, context: scene.timetable.context(scene.zone),
            realtime: try realtime(Self.skip), now: scene.now, at: instant("2026-06-10T06:40:00+02:00"), count: 1)
        // The third stop is skipped, so the trip leads only to the fifth one.
        #expect(
            trips.map { "\(scene.clock($0.departure.expectedDeparture)) \(scene.clock($0.arrival?.expectedArrival))" }
                == ["06:44 07:14"])
    }

    @Test func newTerminusIsKeptWithTheTimesFromThePosition() throws {
        let realtime = try realtime([.said(3, .skipped), .said(4, .skipped)])
        let call = try #require(scene.departures(2, realtime, at: "2026-06-10T06:40:00+02:00", count: 1).first)
        #expect(scene.line(call) == "06:30>06:44 departed estimated medium")
        #expect(call.earlyTerminus == StopIndex(3))
        // Nothing is served beyond the third stop.
        #expect(scene.board(3, realtime, count: 1).first?.hasPrefix("07:40") == true)
    }

    @Test func explanationNamesBothSources() throws {
        let realtime = try realtime(Self.skip)
        let call = try #require(scene.departures(4, realtime, count: 1).first)
        let facts = realtime.explain(call, now: scene.now).facts
        #expect(facts.contains { if case .tooOld = $0 { true } else { false } })
        #expect(facts.contains { if case .entity("v") = $0 { true } else { false } })
        #expect(facts.contains { if case .call(.propagated, _) = $0 { true } else { false } })
    }

    @Test func lastKnownDecisionKeepsTheTimesFromThePosition() throws {
        var scene = scene
        // The source of the updates has been silent for 15 minutes.
        let start = scene.now
        scene.now = start.advanced(by: -900)
        let updates = try scene.dataset([.update(0, Self.skip, date: "2026-06-10")])
        scene.now = start
        let realtime = RealtimeDatasets(tripUpdates: updates, vehicles: try scene.dataset([position]))
        #expect(scene.board(4, realtime, count: 1) == ["06:50>07:04 scheduled estimated medium"])
        #expect(scene.board(3, realtime, at: "2026-06-10T06:30:00+02:00", count: 1) == ["06:40>- skipped live low"])
    }
}
