import Testing
internal import TransitTestSupport

@testable import TransitEngine
@testable import TransitModel

/// While a source is silent, its last known data is used until the trip is over.
struct SilentSourceTests {
    var scene: RealtimeScenario

    init() throws {
        scene = RealtimeScenario(try systemZone("Europe/Berlin"))
        scene.timetable.add([(1, 0), (2, 600), (3, 1200)], starts: ["06:20", "06:40"])
    }

    /// The number of seconds after which a message is neither fresh nor aging.
    private static let silence = 900

    /// The board of the second stop, 900 seconds after the message.
    private func board(_ entities: [RealtimeEntity], count: Int = 2) throws -> [String] {
        var scene = scene
        let realtime = try scene.realtime(entities)
        scene.now = scene.now.advanced(by: Self.silence)
        return scene.board(2, realtime, count: count)
    }

    private static let ofTrips: [(RealtimeEntity, String)] = [
        (.update(0, relationship: .canceled), "06:30>- canceled live low"),
        // A cancellation is not a measurement, so it is as old as its message.
        (
            .update(0, relationship: .canceled, measured: instant("2026-06-10T05:00:00+02:00")),
            "06:30>- canceled live low"
        ),
        (.update(0, [.said(1, .skipped)]), "06:30>- skipped live low"),
        (.update(0, relationship: .deleted), "06:50>- scheduled scheduled medium"),
        (.update(0, [.late(0, 120), .late(1, 180)]), "06:30>06:33 scheduled live low"),
        // A propagated delay, and a call on time.
        (.update(0, [.late(0, 120)]), "06:30>06:32 scheduled live low"),
        (.update(0, [.late(1, 0)]), "06:30>06:30 scheduled live low"),
        // A vehicle that was early may have waited, so it stays on the board until its scheduled time.
        (.update(0, [.late(1, -240)]), "06:30>- scheduled scheduled low"),
        (.update(0, [.late(0, 60), .said(1, .noData)]), "06:30>- scheduled scheduled medium"),
    ]

    @Test("The last known data about a trip stays", arguments: ofTrips.indices)
    func lastKnownDataOfTripStays(number: Int) throws {
        let (entity, line) = Self.ofTrips[number]
        #expect(try board([entity], count: 1) == [line])
    }

    @Test func earlyTripStaysUntilScheduledTime() throws {
        var scene = scene
        scene.now = instant("2026-06-10T06:20:00+02:00")
        let realtime = try scene.realtime([.update(0, [.late(1, -240)])])
        // While the trip is reported, it leaves at 06:26. The source is silent from 06:25 on.
        scene.now = instant("2026-06-10T06:29:59+02:00")
        #expect(scene.board(2, realtime, count: 1) == ["06:30>- scheduled scheduled low"])
        scene.now = instant("2026-06-10T06:30:01+02:00")
        #expect(scene.board(2, realtime, count: 1) == ["06:50>- scheduled scheduled medium"])
    }

    @Test func newerFullDatasetWithoutEntityRemovesIt() throws {
        var scene = scene
        let first = try scene.dataset([.update(0, relationship: .canceled)])
        scene.now = scene.now.advanced(by: Self.silence)
        #expect(
            scene.board(2, RealtimeDatasets(tripUpdates: first), count: 1) == ["06:30>- canceled live low"])
        let second = try scene.dataset([.alert(Alert(id: "a"))], previous: first)
        #expect(
            scene.board(2, RealtimeDatasets(tripUpdates: second), count: 1) == ["06:30>- scheduled scheduled medium"])
    }

    @Test func measurementThatBecameStaleInFreshMessageStaysUnused() throws {
        var scene = scene
        let made = scene.now
        let realtime = try scene.realtime([.update(0, [.late(1, 180)], measured: made.advanced(by: -280))])
        for (seconds, line) in [
            (20, "06:30>06:33 scheduled live medium"), (21, "06:30>- scheduled scheduled medium"),
            (301, "06:30>- scheduled scheduled medium"), (900, "06:30>- scheduled scheduled medium"),
        ] {
            scene.now = made.advanced(by: seconds)
            #expect(scene.board(2, realtime, count: 1) == [line], "after \(seconds) s")
        }
    }

    @Test func measurementThatBecomesStaleWithItsMessageStays() throws {
        var scene = scene
        let made = scene.now
        let realtime = try scene.realtime([.update(0, [.late(1, 180)], measured: made.advanced(by: -100))])
        for (seconds, confidence) in [(200, "medium"), (201, "low"), (300, "low"), (301, "low"), (900, "low")] {
            scene.now = made.advanced(by: seconds)
            #expect(
                scene.board(2, realtime, count: 1) == ["06:30>06:33 scheduled live \(confidence)"], "after \(seconds) s"
            )
        }
    }

    @Test func addedTripAndReplacementStay() throws {
        let updates: [StopTimeUpdate] = [
            .at(stop: "s2", "2026-06-10T06:32:00+02:00"), .at(stop: "s3", "2026-06-10T06:44:00+02:00"),
        ]
        #expect(
            try board([.update(9, updates, relationship: .added)]) == [
                "06:30>- scheduled scheduled medium", "->06:32 added live low",
            ])
        #expect(
            try board([.update(0, updates, relationship: .replacement)]) == [
                "->06:32 replaced live low", "06:50>- scheduled scheduled medium",
            ])
    }

    @Test func addedTripStaysUntilItsPlannedTime() throws {
        let planned = instant("2026-06-10T06:36:00+02:00")
        let early = StopTimeUpdate(
            stopID: "s2",
            departure: StopTimeEvent(time: instant("2026-06-10T06:32:00+02:00"), scheduledTime: planned))
        let updates = [early, .at(stop: "s3", "2026-06-10T06:46:00+02:00")]
        #expect(
            try board([.update(9, updates, relationship: .added)]).last == "06:36>- added scheduled low")
    }

    @Test func outdatedEstimateFallsBackToTimetable() throws {
        guard case .tripUpdate(var update) = RealtimeEntity.update(0, [.late(1, 180)]) else { return }
        update.basis = .estimated
        #expect(try board([.tripUpdate(update)], count: 1) == ["06:30>- scheduled scheduled medium"])
    }

    @Test func currentEstimateReplacesLastKnownPrediction() throws {
        var scene = scene
        let updates = try scene.dataset([.update(0, [.late(1, 180)]), .update(1, relationship: .canceled)])
        scene.now = scene.now.advanced(by: Self.silence)
        var estimates: [RealtimeEntity] = []
        for trip in 0...1 {
            guard case .tripUpdate(var update) = RealtimeEntity.update(trip, [.late(1, 420)]) else { return }
            update.basis = .estimated
            estimates.append(.tripUpdate(update))
        }
        let realtime = RealtimeDatasets(tripUpdates: updates, vehicles: try scene.dataset(estimates))
        #expect(
            scene.board(2, realtime, count: 2) == [
                "06:30>06:37 scheduled estimated medium", "06:50>- canceled live low",
            ])
        try expectAgreement(scene, realtime)
    }

    /// A current position without a delay does not replace the last prediction, but it shows that the vehicle has
    /// passed.
    @Test func passedVehicleLeavesBoard() throws {
        var scene = scene
        let updates = try scene.dataset([.update(0, [.late(0, 1200)])])
        scene.now = instant("2026-06-10T06:42:00+02:00")
        let position = VehiclePosition(id: "v", trip: TripDescriptor(tripID: "t0"), currentSequence: 2)
        let vehicles = try scene.dataset([.vehicle(position)])
        #expect(vehicles.vehicles.first?.progress?.call == 2)
        #expect(scene.board(2, RealtimeDatasets(tripUpdates: updates), count: 1) == ["06:30>06:50 scheduled live low"])
        let realtime = RealtimeDatasets(tripUpdates: updates, vehicles: vehicles)
        #expect(scene.board(2, realtime, count: 1) == ["06:50>- scheduled scheduled medium"])
    }

    @Test func directTripsKeepLastKnownPrediction() throws {
        var directTrips = try RealtimeDirectTripsTests()
        let realtime = try directTrips.scene.realtime([
            .update(0, [.late(0, 600), .late(2, 720)]), .update(1, relationship: .canceled),
        ])
        directTrips.scene.now = directTrips.scene.now.advanced(by: Self.silence)
        let trips = DirectTripFinder.next(
            origins: [StopIndex(1): 0], destinations: [StopIndex(3): 0], patterns: directTrips.scene.timetable.patterns,
            context: directTrips.scene.timetable.context(directTrips.scene.zone), realtime: realtime,
            now: directTrips.scene.now,
            at: directTrips.scene.now, count: 2)
        #expect(
            trips.map { directTrips.scene.line($0.departure) } == [
                "06:20>06:30 scheduled live low", "06:40>- canceled live low",
            ])
        #expect(trips.first?.arrival.map { directTrips.scene.clock($0.expectedArrival) } == "06:52")
    }

    @Test func explanationStatesLastKnownPrediction() throws {
        var scene = scene
        let made = scene.now
        let realtime = try scene.realtime([.update(0, [.late(1, 180)], date: "2026-06-10")])
        scene.now = made.advanced(by: Self.silence)
        let age = DataAge(seconds: Self.silence, freshness: .stale)
        let call = try #require(scene.departures(2, realtime, count: 1).first)
        #expect(
            realtime.explain(call, now: scene.now).facts == [
                .message(time: made, received: made, incrementality: .fullDataset), .entity("e0"),
                .matched(.tripAndDate), .tripKind(.scheduled), .lastKnown(age), .call(.stated, statingCall: nil),
                .measured(made, age), .confidence(.low, .lastKnown),
            ])
        try expectAgreement(scene, realtime)
    }

    /// `explain` and `trip show` must find the same call that the board lists.
    private func expectAgreement(_ scene: RealtimeScenario, _ realtime: RealtimeDatasets) throws {
        for call in scene.departures(2, realtime, count: 5) {
            let scheduled = try #require(call.scheduledCall)
            let found = try #require(realtime.expected(scheduled, now: scene.now))
            #expect(scene.line(found) == scene.line(call))
            #expect(found.age == call.age && found.isLastKnown == call.isLastKnown)
        }
    }
}
