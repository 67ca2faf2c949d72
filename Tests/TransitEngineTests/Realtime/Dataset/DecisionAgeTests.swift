import Testing
internal import TransitModel
internal import TransitTestSupport

@testable import TransitEngine

/// Decisions of a publisher are as old as the message that repeats them, and measurements as old as the entity says.
struct DecisionAgeTests {
    private var scene: RealtimeScenario
    /// Twelve minutes before the message.
    private var old: Instant { scene.now.advanced(by: -720) }

    init() throws {
        scene = RealtimeScenario(try systemZone("Europe/Berlin"))
        scene.timetable.add([(1, 0), (2, 600), (3, 1200)], starts: ["06:20", "06:40"])
        scene.timetable.add([(4, 0), (5, 600)], starts: ["12:00"])
    }

    @Test func skipInFreshMessageAppliesDespiteOldTimestamp() throws {
        let realtime = try scene.realtime([.update(0, [.late(0, 60), .said(1, .skipped)], measured: old)])
        #expect(scene.board(2, realtime, count: 1) == ["06:30>- skipped live high"])
        // The time of the other call is a measurement.
        #expect(scene.board(1, realtime, count: 1) == ["06:20>- scheduled scheduled medium"])
    }

    @Test func skipBecomesLastKnownWithItsMessage() throws {
        var scene = scene
        let realtime = try scene.realtime([.update(0, [.said(1, .skipped)], measured: old)])
        scene.now = scene.now.advanced(by: 900)
        #expect(scene.board(2, realtime, count: 1) == ["06:30>- skipped live low"])
    }

    @Test func directTripDoesNotOfferSkipWithOldTimestamp() throws {
        func departures(_ update: StopTimeUpdate) throws -> [String] {
            let realtime = try scene.realtime([.update(0, [.late(0, 60), update], measured: old)])
            return DirectTripFinder.next(
                origins: [StopIndex(1): 0], destinations: [StopIndex(3): 0], patterns: [scene.timetable.patterns[0]],
                context: scene.timetable.context(scene.zone), realtime: realtime, now: scene.now, at: scene.now,
                count: 2
            ).map { "\(scene.clock($0.departure.scheduledDeparture)) \($0.arrival.map { "\($0.status)" } ?? "-")" }
        }
        #expect(try departures(.late(2, 60)) == ["06:20 scheduled", "06:40 scheduled"])
        // Nobody can get off at the last stop, so the trip does not lead there.
        #expect(try departures(.said(2, .skipped)).first == "06:40 scheduled")
    }

    @Test func platformChangeInFreshMessageAppliesDespiteOldTimestamp() throws {
        let moved = StopTimeUpdate(
            sequence: 1, departure: StopTimeEvent(delay: 300), assignedStopID: "s4")
        let realtime = try scene.realtime([.update(0, [moved], measured: old)])
        #expect(scene.board(4, realtime, count: 1) == ["06:30>- scheduled scheduled medium"])
        let call = try #require(scene.departures(2, realtime, count: 1).first)
        #expect(call.hasPlatformChange && call.stop == StopIndex(4))
    }

    @Test func addedTripInFreshMessageStaysDespiteOldTimestamp() throws {
        let updates: [StopTimeUpdate] = [
            .at(stop: "s2", "2026-06-10T06:32:00+02:00"), .at(stop: "s3", "2026-06-10T06:44:00+02:00"),
        ]
        let realtime = try scene.realtime([.update(9, updates, relationship: .added, measured: old)])
        #expect(
            scene.board(2, realtime, count: 2) == [
                "06:30>- scheduled scheduled medium", "->06:32 added live low",
            ])
    }

    @Test func copyInFreshMessageStaysDespiteOldTimestamp() throws {
        let copy = TripProperties(
            tripID: "copy", startDate: ServiceDate(iso8601: "2026-06-10"), startTime: ServiceTime(seconds: 22_500))
        let realtime = try scene.realtime([
            .update(0, [.late(0, 60)], relationship: .duplicated, measured: old, properties: copy)
        ])
        #expect(scene.board(1, realtime, count: 2).contains("06:15>06:16 duplicated live low"))
    }

    @Test func replacementInFreshMessageStaysDespiteOldTimestamp() throws {
        let updates: [StopTimeUpdate] = [
            .at(stop: "s2", "2026-06-10T06:32:00+02:00"), .at(stop: "s3", "2026-06-10T06:44:00+02:00"),
        ]
        let realtime = try scene.realtime([.update(0, updates, relationship: .replacement, measured: old)])
        #expect(
            scene.board(2, realtime, count: 2) == [
                "->06:32 replaced live low", "06:50>- scheduled scheduled medium",
            ])
    }

    // MARK: Times

    /// The board of the second stop after each of several messages with the same timestamp of the entity, a minute
    /// apart.
    private func boards(delays: [Int32]) throws -> [String] {
        var scene = scene
        let measured = old
        var last: RealtimeDataset?
        return try delays.flatMap { delay in
            scene.now = scene.now.advanced(by: 60)
            let dataset = try scene.dataset([.update(0, [.late(1, delay)], measured: measured)], previous: last)
            last = dataset
            return scene.board(2, RealtimeDatasets(tripUpdates: dataset), count: 1)
        }
    }

    @Test func unchangedTimesAgeByTheirTimestamp() throws {
        let line = "06:30>- scheduled scheduled medium"
        #expect(try boards(delays: [180, 180, 180]) == [line, line, line])
    }

    @Test func changedTimesAreAsOldAsTheMessageThatChangedThem() throws {
        #expect(
            try boards(delays: [180, 240, 240, 240, 240]) == [
                "06:30>- scheduled scheduled medium", "06:30>06:34 scheduled live high",
                "06:30>06:34 scheduled live high", "06:30>06:34 scheduled live medium",
                "06:30>06:34 scheduled live medium",
            ])
    }

    @Test func passedCallIsNoChange() throws {
        var scene = scene
        let first = try scene.dataset([.update(0, [.late(1, 180), .late(2, 180)], measured: old)])
        scene.now = scene.now.advanced(by: 60)
        let second = try scene.dataset(
            [.update(0, [.late(2, 180)], measured: old.advanced(by: 1))], previous: first)
        #expect(
            scene.board(2, RealtimeDatasets(tripUpdates: second), count: 1) == ["06:30>- scheduled scheduled medium"])
    }

    /// The boards of the second stop of a vehicle whose entity timestamp is stuck, a minute apart.
    private func boardsOfDeadVehicle(_ messages: [StopTimeUpdate]...) throws -> [String] {
        var scene = scene
        scene.timetable = SmallTimetable()
        scene.timetable.add([(1, 0), (2, 600), (3, 1200)], starts: ["06:20"], dwells: [1: 600])
        let measured = old
        var last: RealtimeDataset?
        return try messages.flatMap { updates in
            scene.now = scene.now.advanced(by: 60)
            let dataset = try scene.dataset([.update(0, updates, measured: measured)], previous: last)
            last = dataset
            return scene.board(2, RealtimeDatasets(tripUpdates: dataset), count: 1)
        }
    }

    @Test func stopThatEntersThePublishersWindowIsNoChange() throws {
        let line = "06:40>- scheduled scheduled medium"
        // The delay of the first call is propagated to the second one, until the message states that one as well.
        #expect(try boardsOfDeadVehicle([.late(0, 130)], [.late(0, 130), .late(1, 120)]) == [line, line])
        // The delay of the trip applied before.
        var last: RealtimeDataset?
        for updates in [[], [StopTimeUpdate.late(1, 120)]] {
            last = try scene.dataset([.update(0, updates, delay: 130, measured: old)], previous: last)
            #expect(
                scene.board(2, RealtimeDatasets(tripUpdates: last), count: 1) == ["06:30>- scheduled scheduled medium"])
        }
    }

    @Test func arrivalThatIsDerivedFromAnotherCallIsNoChange() throws {
        func departs(_ sequence: UInt32, _ delay: Int32) -> StopTimeUpdate {
            StopTimeUpdate(sequence: sequence, departure: StopTimeEvent(delay: delay))
        }
        let line = "06:40>- scheduled scheduled medium"
        // The arrival follows from the departure of the previous call, which the vehicle has passed in the second message.
        #expect(try boardsOfDeadVehicle([departs(0, 900), departs(1, 0)], [departs(1, 0)]) == [line, line])
        // A stated departure that changes is a change.
        #expect(
            try boardsOfDeadVehicle([departs(0, 900), departs(1, 0)], [departs(1, 60)]) == [
                line, "06:40>06:41 scheduled live high",
            ])
    }

    @Test func changedTimesOfAddedTripAreCurrent() throws {
        var scene = scene
        func added(_ minute: Int, _ last: RealtimeDataset?) throws -> RealtimeDataset {
            let updates: [StopTimeUpdate] = [
                .at(stop: "s2", "2026-06-10T06:\(minute):00+02:00"), .at(stop: "s3", "2026-06-10T06:44:00+02:00"),
            ]
            return try scene.dataset(
                [.update(9, updates, relationship: .added, measured: old)], previous: last)
        }
        let first = try added(32, nil)
        scene.now = scene.now.advanced(by: 60)
        let second = try added(33, first)
        #expect(scene.board(2, RealtimeDatasets(tripUpdates: second), count: 2).last == "->06:33 added live high")
    }

    // MARK: Vehicles

    private func vehicle(_ sequence: UInt32, measured: Instant) -> RealtimeEntity {
        .vehicle(
            VehiclePosition(
                id: "v", trip: TripDescriptor(tripID: "t0", startDate: ServiceDate(iso8601: "2026-06-10")),
                currentSequence: sequence, status: .stoppedAt, timestamp: measured))
    }

    /// Whether a vehicle is shown for the trip at a time, in a message of that time.
    private func isShown(_ sequence: UInt32, measured: String, at time: String) throws -> Bool {
        var scene = scene
        scene.now = instant("2026-06-10T\(time)+02:00")
        let dataset = try scene.dataset([vehicle(sequence, measured: instant("2026-06-10T\(measured)+02:00"))])
        let key = try #require(dataset.vehicles.first?.tripInstance)
        return RealtimeDatasets(vehicles: dataset).vehicle(of: key, now: scene.now) != nil
    }

    @Test func vehicleThatWaitsForItsDepartureStays() throws {
        // The trip leaves its first stop at 06:20.
        #expect(try isShown(0, measured: "06:02:00", at: "06:19:00"))
        #expect(try isShown(0, measured: "06:02:00", at: "06:25:00"))
        #expect(try !isShown(0, measured: "06:02:00", at: "06:25:01"))
    }

    @Test func vehicleThatStandsElsewhereAgesByItsTimestamp() throws {
        #expect(try isShown(1, measured: "06:30:00", at: "06:35:00"))
        #expect(try !isShown(1, measured: "06:30:00", at: "06:35:01"))
    }

    @Test func waitingVehicleEstimatesItsTripUntilItsDeparture() throws {
        var scene = scene
        scene.now = instant("2026-06-10T06:19:00+02:00")
        let dataset = try scene.dataset([vehicle(0, measured: instant("2026-06-10T06:02:00+02:00"))])
        let realtime = RealtimeDatasets(vehicles: dataset)
        #expect(scene.board(2, realtime, count: 1) == ["06:30>06:30 scheduled estimated medium"])
    }
}
