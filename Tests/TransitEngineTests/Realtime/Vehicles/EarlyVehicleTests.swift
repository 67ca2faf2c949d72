import Testing
internal import TransitEngine
internal import TransitModel
internal import TransitTestSupport

/// Tests vehicles that are observed implausibly early. Their scheduled calls stay on the board.
struct EarlyVehicleTests {
    private let scene: VehicleTests

    init() throws { scene = try VehicleTests() }

    /// Returns the board at 06:25 for a trip that calls every ten minutes at stops 660 m apart.
    private func seen(
        _ entity: RealtimeEntity, starting start: String = "06:50", at stop: Int, updates: [RealtimeEntity] = []
    ) throws -> [String] {
        var scene = scene
        scene.timetable = SmallTimetable()
        scene.timetable.add([(1, 0), (2, 600), (3, 1200), (4, 1800)], starts: [start])
        let realtime = RealtimeDatasets(
            tripUpdates: try scene.dataset(updates), vehicles: try scene.dataset([entity]))
        return DepartureBoard.departures(
            visits: scene.timetable.visits(stop), stops: [StopIndex(stop)],
            context: scene.timetable.context(scene.zone), realtime: realtime, now: scene.now, at: scene.now, count: 1
        ).map { call in
            "\(scene.zone.rfc3339(call.scheduledDeparture ?? call.departure).prefix(16).suffix(8)) "
                + "\(call.source) \(call.status) \(call.delay.map { "\($0)" } ?? "-")"
        }
    }

    private func vehicle(
        _ longitude: Double? = nil, sequence: UInt32? = nil, status: VehicleStopStatus = .inTransitTo
    ) -> RealtimeEntity {
        scene.vehicle(longitude, sequence: sequence, status: status)
    }

    @Test("A vehicle 100 m past its first stop waits for its start, whatever stop the publisher states")
    func vehicleNearFirstStopWaitsForStart() throws {
        for sequence in [nil, 1, 2] as [UInt32?] {
            let vehicle = vehicle(10.0015, sequence: sequence)
            #expect(try seen(vehicle, at: 1) == ["10T06:50 estimated scheduled 0"])
            #expect(try seen(vehicle, at: 2) == ["10T07:00 estimated scheduled 0"])
        }
    }

    @Test("A position far along the trip is ignored before the trip starts, and the scheduled calls stay on the board")
    func vehicleFarAlongBeforeStartIsIgnored() throws {
        for vehicle in [
            vehicle(10.0136), vehicle(10.02), vehicle(10.03),
            vehicle(sequence: 2), vehicle(sequence: 2, status: .stoppedAt),
            vehicle(sequence: 3, status: .incomingAt),
        ] {
            #expect(try seen(vehicle, at: 1) == ["10T06:50 scheduled scheduled -"])
            #expect(try seen(vehicle, at: 2) == ["10T07:00 scheduled scheduled -"])
        }
    }

    @Test("A position twenty minutes ahead of schedule during the trip is ignored")
    func implausiblyEarlyVehicleIsIgnored() throws {
        // The trip started at 06:20. At 06:25, its vehicle is observed just before the last stop.
        #expect(try seen(vehicle(10.029), starting: "06:20", at: 3) == ["10T06:40 scheduled scheduled -"])
        #expect(try seen(vehicle(sequence: 3), starting: "06:20", at: 3) == ["10T06:40 scheduled scheduled -"])
    }

    @Test("The coordinate is used if the stated stop is implausible")
    func coordinateReplacesImplausibleStop() throws {
        let reported = try seen(vehicle(10.0051, sequence: 3), starting: "06:20", at: 2)
        #expect(reported.map { $0.prefix(18) } == ["10T06:30 estimated"])
    }

    @Test("Realtime data about some calls does not hide later calls")
    func reportedCallsHideNoLaterCalls() throws {
        let update = RealtimeEntity.update(0, [.late(3, 0)])
        #expect(try seen(vehicle(sequence: 2), at: 1, updates: [update]) == ["10T06:50 scheduled scheduled -"])
    }

    @Test("A vehicle that is a few minutes early has departed")
    func slightlyEarlyVehicleHasDeparted() throws {
        let update = RealtimeEntity.update(0, [.late(3, 0)])
        #expect(
            try seen(vehicle(sequence: 1), starting: "06:28", at: 1, updates: [update]) == [
                "11T06:28 scheduled scheduled -"
            ])
        #expect(try seen(vehicle(10.011), starting: "06:17", at: 2) == ["11T06:27 scheduled scheduled -"])
    }

    @Test("A fast publisher clock does not make vehicles late")
    func fastPublisherClockCausesNoDelay() throws {
        var position = VehiclePosition(
            id: "v", trip: TripDescriptor(tripID: "t0"), coordinate: Coordinate(latitude: 53.5, longitude: 10.0136))
        position.timestamp = instant("2026-06-10T07:25:00+02:00")
        #expect(try seen(.vehicle(position), at: 1) == ["10T06:50 scheduled scheduled -"])
    }
}
