import Testing
internal import TransitEngine
internal import TransitModel
internal import TransitTestSupport

/// Tests direct trips with realtime data.
struct RealtimeDirectTripsTests {
    var scene: RealtimeScenario

    init() throws {
        scene = RealtimeScenario(try systemZone("Europe/Berlin"))
        scene.timetable.add([(1, 0), (2, 600), (3, 1200)], starts: ["06:20", "06:40", "07:00"])
    }

    /// Direct trips as `HH:MM status -> HH:MM`, with expected times.
    func directTrips(
        _ entities: [RealtimeEntity], from: [Int: Int] = [1: 0], to: [Int: Int] = [3: 0], count: Int = 2
    ) throws -> [String] {
        func walks(_ stops: [Int: Int]) -> [StopIndex: Int] {
            Dictionary(uniqueKeysWithValues: stops.map { (StopIndex($0), $1) })
        }
        let found = DirectTripFinder.next(
            origins: walks(from), destinations: walks(to), patterns: scene.timetable.patterns,
            context: scene.timetable.context(scene.zone), realtime: try scene.realtime(entities), now: scene.now,
            at: scene.now,
            count: count)
        return found.map {
            "\(scene.clock($0.departure.departure)) \($0.departure.status) -> \($0.arrival.map { scene.clock($0.arrival) } ?? "?")"
        }
    }

    @Test("Without realtime data, the trips are those of the timetable")
    func tripsWithoutRealtimeDataAreScheduled() throws {
        #expect(try directTrips([]) == ["06:20 scheduled -> 06:40", "06:40 scheduled -> 07:00"])
    }

    @Test("A late trip is sorted by its expected departure and has an expected arrival")
    func lateTripIsSortedByExpectedDeparture() throws {
        #expect(
            try directTrips([.update(0, [.late(0, 1500)])], count: 3) == [
                "06:40 scheduled -> 07:00", "06:45 scheduled -> 07:05", "07:00 scheduled -> 07:20",
            ])
    }

    @Test("No trip arrives before it leaves, whatever times are stated")
    mutating func arrivalIsNeverBeforeDeparture() throws {
        // According to the message, the vehicle leaves at 06:35 and arrives at 06:34, with unknown times in between.
        #expect(
            try directTrips([.update(0, [.late(0, 900), .late(1, 840), .late(2, -360)])], count: 1) == [
                "06:35 scheduled -> 06:44"
            ])
        // The arrival has no prediction and is scheduled before the expected departure, so the departure's delay is
        // applied to it.
        #expect(
            try directTrips([.update(0, [.late(0, 1500), .said(1, .noData)])], count: 2) == [
                "06:40 scheduled -> 07:00", "06:45 scheduled -> 07:05",
            ])
        let stated: [StopTimeUpdate] = [
            .at(stop: "s1", "2026-06-10T06:18:00+02:00"), .at(stop: "s3", "2026-06-10T06:11:00+02:00"),
        ]
        #expect(try directTrips([.update(9, stated, relationship: .added)], count: 1) == ["06:18 added -> 06:18"])
    }

    @Test("A trip that leaves before it can be reached is left out")
    func earlyTripIsMissed() throws {
        // The walk of eight minutes ends at 06:18. The train leaves at 06:17.
        #expect(
            try directTrips([.update(0, [.late(0, -180)])], from: [1: 480], count: 1) == ["06:40 scheduled -> 07:00"])
        #expect(try directTrips([], from: [1: 480], count: 1) == ["06:20 scheduled -> 06:40"])
    }

    @Test("A canceled trip is listed as canceled; a deleted trip is not listed")
    func canceledTripIsListedAndDeletedTripIsNot() throws {
        #expect(
            try directTrips([.update(0, relationship: .canceled)]) == [
                "06:20 canceled -> 06:40", "06:40 scheduled -> 07:00",
            ])
        #expect(
            try directTrips([.update(0, relationship: .deleted)]) == [
                "06:40 scheduled -> 07:00", "07:00 scheduled -> 07:20",
            ])
    }

    @Test("A skipped call is replaced by another suitable call if there is one")
    func skippedCallIsReplacedByAnother() throws {
        let update = RealtimeEntity.update(0, [.late(0, 0), .said(2, .skipped)])
        // Nobody can get off at the destination.
        #expect(try directTrips([update], count: 1) == ["06:40 scheduled -> 07:00"])
        // Stop 2 is a walk of seventeen minutes from the destination. The train does not stop at 3.
        #expect(try directTrips([update], to: [2: 1020, 3: 0], count: 1) == ["06:20 scheduled -> 06:30"])
        #expect(try directTrips([], to: [2: 1020, 3: 0], count: 1) == ["06:20 scheduled -> 06:40"])
        let boarding = RealtimeEntity.update(0, [.said(0, .skipped), .late(1, 60)])
        #expect(try directTrips([boarding], from: [1: 0, 2: 60], count: 1) == ["06:31 scheduled -> 06:41"])
    }

    @Test("A trip that the timetable lacks is listed")
    func extraTripIsListed() throws {
        let updates = [
            StopTimeUpdate.at(stop: "s1", "2026-06-10T06:25:00+02:00"),
            StopTimeUpdate.at(stop: "s3", "2026-06-10T06:42:00+02:00"),
        ]
        #expect(
            try directTrips([.update(99, updates, relationship: .added)]) == [
                "06:20 scheduled -> 06:40", "06:25 added -> 06:42",
            ])
        #expect(
            try directTrips([.update(99, Array(updates.reversed()), relationship: .added)], count: 2) == [
                "06:20 scheduled -> 06:40", "06:40 scheduled -> 07:00",
            ])
    }

    @Test("Many hidden trips do not shorten the result")
    mutating func hiddenTripsDoNotShortenResult() throws {
        scene.timetable.add([(1, 0), (3, 600)], starts: (0..<60).map { "06:\($0)" } + ["08:00"])
        let canceled = (3..<63).map { RealtimeEntity.update($0, relationship: .deleted) }
        #expect(
            try directTrips(canceled, count: 4) == [
                "06:20 scheduled -> 06:40", "06:40 scheduled -> 07:00", "07:00 scheduled -> 07:20",
                "08:00 scheduled -> 08:10",
            ])
    }
}
