import Testing
internal import TransitModel
internal import TransitTestSupport

@testable import TransitEngine

/// Tests a network without times, in which vehicles report only their positions.
struct VehicleEstimateTests {
    private var scene: RealtimeScenario
    /// Six stops from west to east on the equator, 1,000 m apart, with a nominal running time of 200 s each.
    private var table: InMemoryTimetable

    private static let degree = 111_195.08

    init() throws {
        scene = RealtimeScenario(try systemZone("Europe/Bucharest"))
        scene.timetable.services = [
            Service(
                id: "never", weekdays: 0, start: ServiceDate(daysSince1970: 0), end: ServiceDate(daysSince1970: 0))
        ]
        scene.timetable.add((0...5).map { ($0, $0 * 200) }, starts: ["0:00"])
        table = scene.table
        for stop in 0...5 { table.coordinates[stop] = Self.pathPosition(Double(stop) * 1000) }
    }

    private static func pathPosition(_ east: Double, _ north: Double = 0) -> Coordinate? {
        Coordinate(latitude: north / degree, longitude: 10 + east / degree)
    }

    private func position(
        _ east: Double?, north: Double = 0, at seconds: Int = 0, trip: String? = "t0", id: String = "bus",
        speed: Float? = nil
    ) -> RealtimeEntity {
        .vehicle(
            VehiclePosition(
                id: EntityID(id), trip: trip.map { TripDescriptor(tripID: TripID($0)) },
                vehicle: VehicleDescriptor(id: VehicleID(id)),
                coordinate: east.flatMap { Self.pathPosition($0, north) },
                speed: speed, timestamp: scene.now.advanced(by: seconds)))
    }

    /// The datasets for consecutive messages at the given times, in seconds.
    private func follow(
        _ messages: [(Int, [RealtimeEntity])], in table: InMemoryTimetable? = nil,
        incrementality: Incrementality = .fullDataset
    ) throws -> [RealtimeDataset] {
        let matcher = TripMatcher(table ?? self.table)
        var datasets: [RealtimeDataset] = []
        for (seconds, entities) in messages {
            let received = scene.now.advanced(by: seconds)
            var builder = RealtimeDatasetBuilder(
                header: RealtimeHeader(incrementality: incrementality, timestamp: received), received: received,
                matcher: matcher, previous: datasets.last)
            for entity in entities { try builder.apply(entity) }
            datasets.append(try builder.finish())
        }
        return datasets
    }

    private func vehicle(_ entity: RealtimeEntity) throws -> RealtimeVehicle {
        try #require(try follow([(0, [entity])]).last?.vehicles.first)
    }

    /// Seconds from the first message to the departure from each stop.
    private func departures(_ dataset: RealtimeDataset?) -> [Int: Int] {
        let calls = dataset?.extraTrips.first?.calls ?? []
        return Dictionary(
            uniqueKeysWithValues: calls.map { ($0.stop.position, scene.now.seconds(to: $0.departure)) })
    }

    // MARK: Estimated vehicles

    @Test func movingVehicleIsEstimatedAtEveryLaterStop() throws {
        let datasets = try follow([(0, [position(400)]), (60, [position(700, at: 60)])])
        let realtime = RealtimeDatasets(vehicles: datasets.last)
        var scene = scene
        scene.now = scene.now.advanced(by: 60)
        for stop in 1...4 {
            let calls = DepartureBoard.departures(
                visits: scene.timetable.visits(stop), stops: [StopIndex(stop)],
                context: scene.timetable.context(scene.zone), realtime: realtime, now: scene.now, at: scene.now,
                count: 3)
            #expect(calls.count == 1)
            #expect(calls.first?.source == .estimated && calls.first?.status == .scheduled)
            #expect(calls.first?.confidence == .medium && calls.first?.basis == .position)
        }
        // The stop that was passed, and the last stop, where boarding is not possible.
        for stop in [0, 5] {
            #expect(
                DepartureBoard.departures(
                    visits: scene.timetable.visits(stop), stops: [StopIndex(stop)],
                    context: scene.timetable.context(scene.zone), realtime: realtime, now: scene.now, at: scene.now,
                    count: 3
                ).isEmpty)
        }
        let trip = try #require(datasets.last?.extraTrips.first)
        #expect(trip.id == "t0/bus" && trip.variantTrip == TripIndex(0) && trip.kind == .withoutTimetable)
        #expect(trip.calls.map(\.stop.position) == [1, 2, 3, 4, 5])
        #expect(zip(trip.calls, trip.calls.dropFirst()).allSatisfy { $0.departure <= $1.arrival })
        #expect(zip(trip.calls, trip.calls.dropFirst()).allSatisfy { ($0.uncertainty ?? 0) < ($1.uncertainty ?? 0) })
    }

    @Test func recentSpeedCountsNearVehicleAndTypicalSpeedFartherAhead() throws {
        // 5 m/s is the typical speed.
        let usual = departures(try follow([(0, [position(200)]), (60, [position(500, at: 60)])]).last)
        let slow = departures(try follow([(0, [position(350)]), (60, [position(500, at: 60)])]).last)
        let fast = departures(try follow([(0, [position(0)]), (50, [position(500, at: 60)])]).last)
        let unseen = departures(try follow([(60, [position(500, at: 60)])]).last)
        func at(_ stop: Int, _ times: [Int: Int]) -> Int { times[stop] ?? .min }
        for (one, other) in [(fast, usual), (usual, slow)] {
            #expect(at(1, one) < at(1, other))
            #expect(at(4, one) <= at(4, other))
        }
        #expect(usual == unseen)
        // The last section is too far away to be affected.
        let (slowly, quickly) = (at(5, slow) - at(4, slow), at(5, fast) - at(4, fast))
        #expect(abs(slowly - quickly) <= 1)
        // Half of a 200 s section, measured from the time of the position and including the dwell time.
        #expect(abs(at(1, unseen) - (60 + 100)) <= 10)
    }

    @Test func newVehicleAndOldPositionHaveLowConfidence() throws {
        let first = try follow([(0, [position(500)])])
        #expect(first.last?.extraTrips.first?.reliability == .weak)
        let moving = try follow([(0, [position(500, speed: 6)])])
        #expect(moving.last?.extraTrips.first?.reliability == .plain)
        let beside = try follow([(0, [position(500, north: 200, speed: 6)])])
        #expect(beside.last?.extraTrips.first?.reliability == .weak)
        let uncertainties = try [0, 200].map { age in
            try follow([(0, [position(500, at: -age, speed: 6)])]).last?.extraTrips.first?.calls.last?.uncertainty ?? 0
        }
        #expect(uncertainties[0] > 0 && uncertainties[0] < uncertainties[1])
        let realtime = RealtimeDatasets(vehicles: moving.last)
        func confidence(_ seconds: Int) -> [ExpectedCall.Confidence] {
            DepartureBoard.departures(
                visits: scene.timetable.visits(4), stops: [StopIndex(4)],
                context: scene.timetable.context(scene.zone), realtime: realtime, now: scene.now.advanced(by: seconds),
                at: scene.now, count: 3
            ).map(\.confidence)
        }
        #expect(confidence(0) == [.medium])
        #expect(confidence(200) == [.low])
        #expect(confidence(400).isEmpty)
    }

    @Test func waitingVehicleLeavesNowOrLater() throws {
        let dataset = try follow([(0, [position(0)]), (120, [position(10, at: 60)])]).last
        let trip = try #require(dataset?.extraTrips.first)
        #expect(trip.reliability == .weak)
        #expect(trip.calls[0].stop.position == 0)
        #expect(trip.calls[0].departure >= scene.now.advanced(by: 120))
        #expect((trip.calls[0].uncertainty ?? 0) >= 600)
    }

    // MARK: Excluded vehicles

    @Test func excludedVehiclesAreListedWithReason() throws {
        for (entity, exclusion) in [
            (position(500, trip: nil), VehicleExclusion.withoutTrip), (position(500, trip: "t9"), .unknownTrip),
            (position(nil), .withoutPosition), (position(500, at: 3600), .undated), (position(500, at: -301), .old),
            (position(500, north: 400), .offRoute), (position(4990), .atEnd),
        ] {
            let vehicle = try vehicle(entity)
            #expect(vehicle.exclusion == exclusion)
            #expect(vehicle.tripInstance == nil)
            #expect(try follow([(0, [entity])]).last?.extraTrips.isEmpty == true)
        }
        guard case .vehicle(var undated) = position(500) else { return }
        undated.timestamp = nil
        #expect(try vehicle(.vehicle(undated)).exclusion == .undated)
        #expect(try vehicle(position(500)).exclusion == nil)
        var table = table
        table.coordinates[3] = nil
        #expect(try follow([(0, [position(500)])], in: table).last?.vehicles.first?.exclusion == .withoutPath)
    }

    @Test func vehicleWithoutMovementForAnHourIsParked() throws {
        var messages = (0...60).map { minute in
            (minute * 60, [position(500 + Double(minute % 3) * 10, at: minute * 60)])
        }
        messages.append((3660, [position(900, at: 3660)]))
        let datasets = try follow(messages)
        #expect(datasets[59].vehicles.first?.exclusion == nil)
        #expect(datasets[59].extraTrips.first?.reliability == .weak)
        #expect(datasets[60].vehicles.first?.exclusion == .parked)
        #expect(datasets[60].extraTrips.isEmpty)
        #expect(datasets[61].vehicles.first?.exclusion == nil)
    }

    @Test func missingOrOlderPositionKeepsTrack() throws {
        let datasets = try follow([
            (0, [position(500)]), (1800, []), (3000, [position(500, at: -100)]), (3600, [position(505, at: 3600)]),
        ])
        #expect(datasets[2].tracks["bus"]?.measured == scene.now)
        #expect(datasets[3].vehicles.first?.exclusion == .parked)
        let late = try follow([(0, [position(500)]), (8000, [])])
        #expect(late.last?.tracks.isEmpty == true)
    }

    // MARK: Paths that cross and repeat themselves

    /// A square of 4 km with a stop at each corner. The first stop is also the last stop.
    private var ring: InMemoryTimetable {
        get throws {
            var scene = scene
            scene.timetable = SmallTimetable()
            scene.timetable.services = self.scene.timetable.services
            scene.timetable.add(
                [(0, 0), (1, 200), (2, 400), (3, 600), (0, 800)], starts: ["0:00"])
            var table = scene.table
            let corners = [(0.0, 0.0), (1000, 0), (1000, 1000), (0, 1000)]
            for (stop, corner) in corners.enumerated() {
                table.coordinates[stop] = Self.pathPosition(corner.0, corner.1)
            }
            return table
        }
    }

    @Test func vehicleOnLoopReachesEndAndStartsAgain() throws {
        let projections = [
            (5.0, 0.0), (400, 0), (800, 0), (1000, 400), (1000, 900), (600, 1000), (100, 1000), (0, 600), (0, 100),
        ]
        var messages = projections.enumerated().map { number, pathPosition in
            (number * 80, [position(pathPosition.0, north: pathPosition.1, at: number * 80)])
        }
        let along = try follow(messages, in: try ring).map { $0.tracks["bus"]?.pathPosition?.distanceAlongPath ?? -1 }
        for (found, wanted) in zip(along, [5.0, 400, 800, 1400, 1900, 2400, 2900, 3400, 3900]) {
            #expect(abs(found - wanted) < 10)
        }
        // At the corner where it started, the vehicle has reached the end.
        messages.append((720, [position(0, north: 2, at: 720)]))
        #expect(try follow(messages, in: try ring).last?.vehicles.first?.exclusion == .atEnd)
        messages.append((800, [position(300, at: 800)]))
        let lap = try #require(try follow(messages, in: try ring).last)
        #expect(abs((lap.tracks["bus"]?.pathPosition?.distanceAlongPath ?? -1) - 300) < 10)
        #expect(lap.tracks["bus"]?.pathPosition?.isCertain == true)
        #expect(lap.extraTrips.first?.calls.first?.stop.position == 1)
    }

    @Test func newVehicleOnTwoPassesIsOnFirstWithLowConfidence() throws {
        let dataset = try follow([(0, [position(0, north: 2, speed: 5)])], in: try ring).last
        #expect(dataset?.tracks["bus"]?.pathPosition?.isCertain == false)
        #expect(dataset?.extraTrips.first?.reliability == .weak)
    }

    /// An outbound and a return pass on one street, 1,000 m each.
    @Test func vehicleOnReturnPassStaysOnReturnPass() throws {
        var scene = scene
        scene.timetable = SmallTimetable()
        scene.timetable.services = self.scene.timetable.services
        scene.timetable.add([(0, 0), (1, 200), (2, 400)], starts: ["0:00"])
        var table = scene.table
        table.coordinates = [0: Self.pathPosition(0), 1: Self.pathPosition(1000), 2: Self.pathPosition(10, 10)]
            .compactMapValues { $0 }
        let projections = [100.0, 500, 900, 960, 600, 300]
        let messages = projections.enumerated().map { ($0.offset * 80, [position($0.element, at: $0.offset * 80)]) }
        let found = try follow(messages, in: table).map { $0.tracks["bus"]?.pathPosition?.distanceAlongPath ?? -1 }
        for (found, wanted) in zip(found, [100.0, 500, 900, 1040, 1400, 1700]) { #expect(abs(found - wanted) < 90) }
    }

    @Test func laterPositionsCorrectWrongPass() throws {
        var scene = scene
        scene.timetable = SmallTimetable()
        scene.timetable.services = self.scene.timetable.services
        scene.timetable.add([(0, 0), (1, 200), (2, 400)], starts: ["0:00"])
        var table = scene.table
        table.coordinates = [0: Self.pathPosition(0), 1: Self.pathPosition(1000), 2: Self.pathPosition(10, 10)]
            .compactMapValues { $0 }
        // The vehicle is on the return pass from the start, but is first assumed to be on the outbound pass.
        let messages = [700.0, 400, 200].enumerated().map {
            ($0.offset * 80, [position($0.element, at: $0.offset * 80)])
        }
        let projections = try follow(messages, in: table).map { $0.tracks["bus"]?.pathPosition }
        #expect(projections[0]?.isCertain == false)
        #expect(abs((projections[1]?.distanceAlongPath ?? 0) - 1600) < 30)
        #expect(projections[2]?.isCertain == true)
        #expect(abs((projections[2]?.distanceAlongPath ?? 0) - 1800) < 30)
    }

    @Test func stationaryVehicleStaysOnItsPass() throws {
        var scene = scene
        scene.timetable = SmallTimetable()
        scene.timetable.services = self.scene.timetable.services
        scene.timetable.add([(0, 0), (1, 200), (2, 400)], starts: ["0:00"])
        var table = scene.table
        table.coordinates = [0: Self.pathPosition(0), 1: Self.pathPosition(1000), 2: Self.pathPosition(10, 10)]
            .compactMapValues { $0 }
        let messages = [500.0, 700, 695, 705, 690, 700].enumerated().map {
            ($0.offset * 80, [position($0.element, at: $0.offset * 80)])
        }
        for pathPosition in try follow(messages, in: table).dropFirst().map({ $0.tracks["bus"]?.pathPosition }) {
            #expect(abs((pathPosition?.distanceAlongPath ?? 0) - 700) < 10)
            #expect(pathPosition?.isCertain == true)
        }
    }

    // MARK: Hostile messages

    @Test func extremeTimesAreHandled() throws {
        for time in [Int64.min, -1, 0, Int64.max] {
            guard case .vehicle(var odd) = position(500) else { return }
            odd.timestamp = Instant(secondsSince1970: time)
            let datasets = try follow([(0, [position(400)]), (60, [.vehicle(odd)]), (120, [position(600, at: 120)])])
            #expect(datasets[1].extraTrips.isEmpty)
            #expect(datasets[2].extraTrips.count == 1)
        }
    }
}
