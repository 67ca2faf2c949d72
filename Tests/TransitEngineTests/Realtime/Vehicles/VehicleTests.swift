import Testing
internal import TransitModel
internal import TransitTestSupport

@testable import TransitEngine

/// Tests the progress of vehicles, and the estimates without a trip update.
struct VehicleTests {
    let zone: ServiceZone
    var timetable = SmallTimetable()
    let now = instant("2026-06-10T06:25:00+02:00")

    init() throws {
        zone = try systemZone("Europe/Berlin")
        timetable.add([(1, 0), (2, 600), (3, 1200), (4, 1800)], starts: ["06:20"])
    }

    /// The trip is scheduled to be at its third stop at the time of the position.
    private var earlier: VehicleTests {
        var earlier = self
        earlier.timetable = SmallTimetable()
        earlier.timetable.add([(1, 0), (2, 600), (3, 1200), (4, 1800)], starts: ["06:05"])
        return earlier
    }

    /// Four stops from west to east, about 660 m apart.
    var table: InMemoryTimetable {
        var table = InMemoryTimetable(timetable, zone)
        for stop in 1...4 { table.coordinates[stop] = Coordinate(latitude: 53.5, longitude: 9.99 + Double(stop) / 100) }
        return table
    }

    func dataset(_ entities: [RealtimeEntity], _ table: InMemoryTimetable? = nil) throws -> RealtimeDataset {
        var builder = RealtimeDatasetBuilder(
            header: RealtimeHeader(version: "2.0", timestamp: now), received: now,
            matcher: TripMatcher(table ?? self.table))
        for entity in entities { try builder.apply(entity) }
        return try builder.finish()
    }

    func vehicle(
        _ longitude: Double? = nil, latitude: Double = 53.5, sequence: UInt32? = nil, stop: StopID? = nil,
        status: VehicleStopStatus = .inTransitTo
    ) -> RealtimeEntity {
        .vehicle(
            VehiclePosition(
                id: "v", trip: TripDescriptor(tripID: "t0"),
                coordinate: longitude.flatMap { Coordinate(latitude: latitude, longitude: $0) },
                currentSequence: sequence, stopID: stop, status: status, occupancy: .full))
    }

    func progress(_ entity: RealtimeEntity) throws -> VehicleProgress? {
        try earlier.dataset([entity]).vehicles.first?.progress
    }

    @Test("Progress is determined by sequence, then stop, then coordinate")
    func progressIsFoundBySequenceThenStopThenCoordinate() throws {
        #expect(
            try progress(vehicle(10.0, sequence: 2, status: .stoppedAt))
                == VehicleProgress(state: .atStop, call: 2, basis: .sequence))
        #expect(
            try progress(vehicle(stop: "s3", status: .incomingAt))
                == VehicleProgress(state: .approaching, call: 2, basis: .stop))
        let between = try #require(try progress(vehicle(10.005)))
        #expect(between.state == .between && between.call == 1 && between.basis == .stops)
        #expect(abs((between.fraction ?? 0) - 0.5) < 0.01)
        #expect(between.stopsAway(from: 3) == 2)
        #expect(between.stopsAway(from: 0) == nil)
        #expect(try progress(vehicle(10.0101))?.state == .atStop)
        #expect(try progress(vehicle(10.005, latitude: 53.51)) == nil)
        #expect(try progress(vehicle()) == nil)
    }

    @Test("Progress follows the trip's shape, even if it passes a location twice")
    func progressFollowsShapeThatPassesTwice() throws {
        var table = earlier.table
        // To the second stop, north and back, and then farther east.
        table.paths[0] = [(10.0, 53.5), (10.01, 53.5), (10.01, 53.52), (10.01, 53.5), (10.03, 53.5)].compactMap {
            Coordinate(latitude: $0.1, longitude: $0.0)
        }
        let placed = try earlier.dataset([vehicle(10.01, latitude: 53.51)], table).vehicles.first?.progress
        let progress = try #require(placed)
        #expect(progress.basis == .shape && progress.call == 2 && progress.state == .between)
    }

    @Test("Without a trip update, the delay is computed from the position")
    func delayIsComputedFromPosition() throws {
        // Halfway to the second stop, where the schedule is 06:25, the vehicle is on time. A quarter of the way there,
        // it is 2.5 minutes late.
        func delays(_ longitude: Double) throws -> [Int?] {
            let dataset = try dataset([vehicle(longitude)])
            let realtime = RealtimeDatasets(tripUpdates: try self.dataset([]), vehicles: dataset)
            let calls = DepartureBoard.departures(
                visits: timetable.visits(2), stops: [StopIndex(2)], context: timetable.context(zone),
                realtime: realtime,
                now: now, at: now, count: 1)
            #expect(calls.map(\.source) == [.estimated])
            #expect(calls.map(\.confidence) == [.medium])
            return calls.map(\.delay)
        }
        for (longitude, expected) in [(10.005, 0), (10.0025, 150), (10.0075, -150)] {
            let delay = try #require(try delays(longitude).first ?? nil)
            #expect(abs(delay - expected) <= 2)
        }
    }

    @Test("A vehicle at its first stop waits, and a vehicle off its path has no progress")
    func vehicleAtFirstStopWaits() throws {
        #expect(try dataset([vehicle(10.0, status: .stoppedAt)]).trips.count == 1)
        let waiting = try dataset([vehicle(10.0)])
        #expect(waiting.calls(of: waiting.trips[0]).first?.departure == 300)
        #expect(try dataset([vehicle(10.005, latitude: 53.51)]).trips.isEmpty)
        #expect(try dataset([vehicle(sequence: 1)]).trips.isEmpty)
        #expect(try dataset([vehicle(sequence: 1, status: .incomingAt)]).trips.count == 1)
    }

    @Test("A trip update wins over an estimate, and the vehicle adds its occupancy")
    func tripUpdateWinsOverEstimate() throws {
        for datasets in [
            (try dataset([.update(0, [.late(1, 60)])]), try dataset([vehicle(10.0025)])),
            (
                try dataset([vehicle(10.0025), .update(0, [.late(1, 60)])]),
                try dataset([vehicle(10.0025), .update(0, [.late(1, 60)])])
            ),
        ] {
            let realtime = RealtimeDatasets(tripUpdates: datasets.0, vehicles: datasets.1)
            let calls = DepartureBoard.departures(
                visits: timetable.visits(2), stops: [StopIndex(2)], context: timetable.context(zone),
                realtime: realtime,
                now: now, at: now, count: 1)
            #expect(calls.map(\.source) == [.live])
            #expect(calls.map(\.delay) == [60])
            #expect(calls.map(\.occupancy) == [.full])
        }
    }

    @Test("A call that the vehicle has passed is not listed, even without other realtime data")
    func passedCallIsNotListed() throws {
        let update = RealtimeEntity.update(0, [.late(3, 0)])
        let realtime = RealtimeDatasets(
            tripUpdates: try dataset([update]), vehicles: try dataset([vehicle(sequence: 2)]))
        let calls = DepartureBoard.departures(
            visits: timetable.visits(2), stops: [StopIndex(2)], context: timetable.context(zone), realtime: realtime,
            now: now,
            at: now, count: 1)
        #expect(calls.map(\.scheduledCall?.serviceDate.description) == ["2026-06-11"])
        let queried = DepartureBoard.departures(
            visits: timetable.visits(2), context: timetable.context(zone), at: now, count: 1)[0]
        #expect(realtime.expected(queried, now: now)?.status == .departed)
    }
}
