import Testing
internal import TransitEngine
internal import TransitModel
internal import TransitTestSupport

/// Vehicles that are seen where their run is not to be yet: what is planned stays on the board.
struct EarlyVehicleTests {
    private let scene: VehicleTests

    init() throws { scene = try VehicleTests() }

    /// What is told at 06:25 of a run that calls every ten minutes, at stops 660 m apart.
    private func seen(
        _ entity: RealtimeEntity, starting start: String = "06:50", at stop: Int, updates: [RealtimeEntity] = []
    ) throws -> [String] {
        var scene = scene
        scene.timetable = SmallTimetable()
        scene.timetable.add([(1, 0), (2, 600), (3, 1200), (4, 1800)], starts: [start])
        let live = RealtimeTimetable(
            tripUpdates: try scene.dataset(updates), vehicles: try scene.dataset([entity]))
        return DepartureBoard.departures(
            visits: scene.timetable.visits(stop), stops: [StopIndex(stop)],
            context: scene.timetable.context(scene.zone), live: live, now: scene.now, at: scene.now, count: 1
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

    @Test("A hundred meters behind its first stop it waits for its start, whatever stop the publisher names")
    func waiting() throws {
        for sequence in [nil, 1, 2] as [UInt32?] {
            let vehicle = vehicle(10.0015, sequence: sequence)
            #expect(try seen(vehicle, at: 1) == ["10T06:50 estimated scheduled 0"])
            #expect(try seen(vehicle, at: 2) == ["10T07:00 estimated scheduled 0"])
        }
    }

    @Test("Far along its way before its start it is not believed to be there: the plan stays, and nothing is estimated")
    func farAlong() throws {
        for vehicle in [
            vehicle(10.0136), vehicle(10.02), vehicle(10.03),
            vehicle(sequence: 2), vehicle(sequence: 2, status: .stoppedAt),
            vehicle(sequence: 3, status: .incomingAt),
        ] {
            #expect(try seen(vehicle, at: 1) == ["10T06:50 scheduled scheduled -"])
            #expect(try seen(vehicle, at: 2) == ["10T07:00 scheduled scheduled -"])
        }
    }

    @Test("On its run, too: twenty minutes early is a place where it is not")
    func onTheWay() throws {
        // Begun at 06:20; at 06:25 its vehicle is seen shortly before the last stop.
        #expect(try seen(vehicle(10.029), starting: "06:20", at: 3) == ["10T06:40 scheduled scheduled -"])
        #expect(try seen(vehicle(sequence: 3), starting: "06:20", at: 3) == ["10T06:40 scheduled scheduled -"])
    }

    @Test("Where the stop that the publisher names cannot be meant, the place counts")
    func place() throws {
        let told = try seen(vehicle(10.0051, sequence: 3), starting: "06:20", at: 2)
        #expect(told.map { $0.prefix(18) } == ["10T06:30 estimated"])
    }

    @Test("What is known of other calls of the run hides none that lie ahead")
    func calls() throws {
        let update = RealtimeEntity.update(0, [.late(3, 0)])
        #expect(try seen(vehicle(sequence: 2), at: 1, updates: [update]) == ["10T06:50 scheduled scheduled -"])
    }

    @Test("A few minutes early it has left")
    func left() throws {
        let update = RealtimeEntity.update(0, [.late(3, 0)])
        #expect(
            try seen(vehicle(sequence: 1), starting: "06:28", at: 1, updates: [update]) == [
                "11T06:28 scheduled scheduled -"
            ])
        #expect(try seen(vehicle(10.011), starting: "06:17", at: 2) == ["11T06:27 scheduled scheduled -"])
    }

    @Test("A publisher's clock that is ahead makes no vehicle late")
    func clockAhead() throws {
        var position = VehiclePosition(
            id: "v", trip: TripDescriptor(tripID: "t0"), coordinate: Coordinate(latitude: 53.5, longitude: 10.0136))
        position.timestamp = instant("2026-06-10T07:25:00+02:00")
        #expect(try seen(.vehicle(position), at: 1) == ["10T06:50 scheduled scheduled -"])
    }
}
