import Testing
internal import TransitEngine
internal import TransitModel
internal import TransitTestSupport

/// Values at the limits of their types must be ignored and must never stop the daemon.
struct HostileMessageTests {
    var scene: RealtimeScenario

    init() throws {
        scene = RealtimeScenario(try systemZone("Europe/Berlin"))
        scene.timetable.add([(1, 0), (2, 600), (3, 1200)], starts: ["06:20"])
        let rows = [Frequency(trip: 0, start: 0, end: 30 * 86_400, headway: .max, isExact: false)]
        scene.timetable.add([(4, 0), (5, 600)], starts: ["00:00"], frequencies: rows)
    }

    static let times: [Int64] = [.min, -1, 0, 1, 253_402_300_799, 253_402_300_800, .max]

    @Test("Times and delays at the limits of their types are handled", arguments: times)
    func extremeTimesAreHandled(time: Int64) throws {
        let moment = Instant(secondsSince1970: time)
        let event = StopTimeEvent(
            time: moment, delay: Int32(clamping: time), uncertainty: Int32(clamping: time), scheduledTime: moment)
        let updates = (0..<4).map {
            StopTimeUpdate(
                sequence: $0 == 3 ? .max : UInt32($0), stopID: StopID("s\($0 + 1)"), arrival: event, departure: event)
        }
        var entities: [RealtimeEntity] = [
            .tripUpdate(
                TripUpdate(
                    id: "late", trip: TripDescriptor(tripID: "t1", startTime: ServiceTime(seconds: .max)),
                    updates: updates)),
            .vehicle(
                VehiclePosition(
                    id: "v", trip: TripDescriptor(tripID: "t0"), currentSequence: .max, stopID: "s2",
                    status: .stoppedAt, timestamp: moment)),
        ]
        for relationship in TripScheduleRelationship.allCases {
            for trip in [0, 1] {
                entities.append(
                    .update(
                        trip, updates, start: "719:00", relationship: relationship, delay: Int32(clamping: time),
                        measured: moment,
                        properties: TripProperties(
                            startDate: ServiceDate(iso8601: "9999-12-31"), startTime: ServiceTime(seconds: .max))))
            }
        }
        for header in [moment, scene.now] {
            let message = RealtimeHeader(version: "2.0", timestamp: header)
            let dataset = try scene.dataset(entities, header: message)
            let realtime = RealtimeDatasets(tripUpdates: dataset, vehicles: dataset, alerts: dataset)
            for now in [moment, scene.now] {
                for view in realtime.tripUpdates.map({ $0.trips }) ?? [] {
                    _ = realtime.vehicle(of: view.key, now: now)
                }
                _ = MessageAcceptance.of(message, after: now, now: scene.now, policy: FreshnessPolicy())
            }
            for call in scene.departures(2, realtime, count: 9) { _ = realtime.explain(call, now: scene.now) }
            var validator = RealtimeValidator(header: message, now: scene.now, matcher: TripMatcher(scene.table))
            for entity in entities { try validator.check(entity) }
        }
        // Scheduled departures are still returned.
        #expect(!scene.departures(2, try scene.realtime(entities), at: "2026-06-11T00:00:00+02:00").isEmpty)
    }
}

/// Several updates for one trip, some of which move its calls to other platforms.
struct RepeatedRunTests {
    var scene: RealtimeScenario

    init() throws {
        scene = RealtimeScenario(try systemZone("Europe/Berlin"))
        scene.timetable.add([(1, 0), (2, 600), (3, 1200)], starts: ["06:20", "06:40"])
        scene.timetable.add([(1, 0), (4, 600), (3, 1200)], starts: ["06:30"])
        scene.parents = [2: 20, 9: 20]
    }

    /// An update for a trip that moves the call with the given sequence, by default to stop 9.
    private func moved(_ trip: Int, call: UInt32, to stop: StopID = "s9") -> RealtimeEntity {
        .update(
            trip,
            [
                StopTimeUpdate(
                    sequence: call, departure: StopTimeEvent(delay: 60), assignedStopID: stop)
            ], date: "2026-06-10")
    }

    /// Returns the results of all queries at every stop.
    private func queryResults(_ dataset: RealtimeDataset) -> [String] {
        let realtime = RealtimeDatasets(tripUpdates: dataset, vehicles: dataset)
        return [1, 2, 3, 4, 9].flatMap { stop in
            scene.departures(stop, realtime, count: 20).map { call in
                _ = realtime.explain(call, now: scene.now)
                return "\(stop): \(scene.line(call))"
            }
        }
    }

    @Test("The moved calls of a dropped trip are dropped with it", arguments: [UInt32(0), 1, 2])
    func movedCallsOfDroppedTripAreDropped(call: UInt32) throws {
        let plain = try scene.dataset([.update(0, [.late(0, 120)], date: "2026-06-10")])
        let dataset = try scene.dataset([moved(0, call: call), .update(0, [.late(0, 120)], date: "2026-06-10")])
        #expect(dataset.statistics.repeatedTrips == 1)
        #expect(queryResults(dataset) == queryResults(plain))
    }

    @Test("The moved call of the trip that is used is kept, whichever duplicates are dropped")
    func movedCallOfKeptTripStays() throws {
        let kept = moved(0, call: 1)
        let alone = try scene.dataset([kept, .update(1, [.late(1, 30)], date: "2026-06-10")])
        let crowd = try scene.dataset([
            moved(0, call: 0), moved(1, call: 2), moved(0, call: 2), kept, moved(1, call: 1),
            .update(1, [.late(1, 30)], date: "2026-06-10"),
        ])
        #expect(crowd.statistics.repeatedTrips == 4)
        #expect(queryResults(crowd) == queryResults(alone))
        #expect(queryResults(crowd).contains("9: 06:30>06:31 scheduled live high"))
    }

    @Test("A call that is moved twice is only at the first stop")
    func callMovedTwiceUsesFirstStop() throws {
        var scene = scene
        scene.parents[8] = 20
        let entity = RealtimeEntity.update(
            0,
            [
                StopTimeUpdate(sequence: 1, departure: StopTimeEvent(delay: 60), assignedStopID: "s9"),
                StopTimeUpdate(sequence: 1, departure: StopTimeEvent(delay: 60), assignedStopID: "s8"),
            ], date: "2026-06-10")
        let realtime = try scene.realtime([entity])
        #expect(scene.departures(9, realtime, count: 5).count { $0.hasPlatformChange } == 1)
        #expect(scene.departures(8, realtime, count: 5).isEmpty)
    }

    @Test("A differential message drops only the data that it replaces")
    func differentialMessageDropsOnlyReplacedData() throws {
        let matcher = TripMatcher(scene.table)
        let first = try scene.dataset([moved(0, call: 1), moved(1, call: 1)], matcher: matcher)
        let header = RealtimeHeader(version: "2.0", incrementality: .differential, timestamp: scene.now)
        let again = RealtimeEntity.tripUpdate(
            TripUpdate(
                id: "other", trip: TripDescriptor(tripID: "t0", startDate: ServiceDate(iso8601: "2026-06-10")),
                updates: [.late(0, 120)]))
        let next = try scene.dataset([again], header: header, previous: first, matcher: matcher)
        #expect(next.statistics.repeatedTrips == 1)
        // The last message takes precedence: the call of the first trip is no longer moved.
        #expect(!queryResults(next).contains { $0.hasPrefix("9: 06:30") })
        #expect(queryResults(next).contains("2: 06:30>06:32 scheduled live medium"))
        let gone = try scene.dataset([.deleted("e0")], header: header, previous: next, matcher: matcher)
        #expect(queryResults(gone).contains("9: 06:50>06:51 scheduled live high"))
    }
}
