import Testing
internal import TransitEngine
internal import TransitModel
internal import TransitTestSupport

/// Numbers at the ends of their types must be passed over, and never stop the daemon.
struct HostileMessageTests {
    var scene: LiveScene

    init() throws {
        scene = LiveScene(try systemZone("Europe/Berlin"))
        scene.timetable.add([(1, 0), (2, 600), (3, 1200)], starts: ["06:20"])
        let rows = [Frequency(trip: 0, start: 0, end: 30 * 86_400, headway: .max, isExact: false)]
        scene.timetable.add([(4, 0), (5, 600)], starts: ["00:00"], frequencies: rows)
    }

    static let times: [Int64] = [.min, -1, 0, 1, 253_402_300_799, 253_402_300_800, .max]

    @Test("Times and delays at the ends of their types", arguments: times)
    func extremes(time: Int64) throws {
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
        for relationship in TripRelationship.allCases {
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
            let live = LiveTimetable(tripUpdates: dataset, vehicles: dataset, alerts: dataset)
            for now in [moment, scene.now] {
                for view in live.tripUpdates.map({ $0.runs }) ?? [] { _ = live.vehicle(of: view.key, now: now) }
                _ = MessageOrder.of(message, after: now, now: scene.now, policy: FreshnessPolicy())
            }
            for call in scene.departures(2, live, count: 9) { _ = live.explain(call, now: scene.now) }
            var validator = RealtimeValidator(header: message, now: scene.now, matcher: TripMatcher(scene.table))
            for entity in entities { try validator.take(entity) }
        }
        // The timetable itself still answers.
        #expect(!scene.departures(2, try scene.live(entities), at: "2026-06-11T00:00:00+02:00").isEmpty)
    }
}
