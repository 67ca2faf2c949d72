import Testing
internal import TransitEngine
internal import TransitModel
internal import TransitTestSupport

/// Rides of a commute with live data.
struct RealtimeDirectTripsTests {
    var scene: RealtimeScenario

    init() throws {
        scene = RealtimeScenario(try systemZone("Europe/Berlin"))
        scene.timetable.add([(1, 0), (2, 600), (3, 1200)], starts: ["06:20", "06:40", "07:00"])
    }

    /// Rides as `HH:MM status -> HH:MM`, as they are expected.
    func rides(
        _ entities: [RealtimeEntity], from: [Int: Int] = [1: 0], to: [Int: Int] = [3: 0], count: Int = 2
    ) throws -> [String] {
        func walks(_ stops: [Int: Int]) -> [StopIndex: Int] {
            Dictionary(uniqueKeysWithValues: stops.map { (StopIndex($0), $1) })
        }
        let journeys = DirectTripFinder.next(
            origins: walks(from), destinations: walks(to), patterns: scene.timetable.patterns,
            context: scene.timetable.context(scene.zone), live: try scene.live(entities), now: scene.now, at: scene.now,
            count: count)
        return journeys.map {
            "\(scene.clock($0.departure.departure)) \($0.departure.status) -> \($0.arrival.map { scene.clock($0.arrival) } ?? "?")"
        }
    }

    @Test("Without anything told, as the timetable")
    func untold() throws {
        #expect(try rides([]) == ["06:20 scheduled -> 06:40", "06:40 scheduled -> 07:00"])
    }

    @Test("A late trip, in the order of its expected departure, with its expected arrival")
    func late() throws {
        #expect(
            try rides([.update(0, [.late(0, 1500)])], count: 3) == [
                "06:40 scheduled -> 07:00", "06:45 scheduled -> 07:05", "07:00 scheduled -> 07:20",
            ])
    }

    @Test("Nothing arrives before it has left, whatever is stated")
    mutating func contradiction() throws {
        // It leaves at 06:35, is nowhere known to be in between, and arrives at 06:34.
        #expect(
            try rides([.update(0, [.late(0, 900), .late(1, 840), .late(2, -360)])], count: 1) == [
                "06:35 scheduled -> 06:44"
            ])
        // The publisher knows nothing of the arrival, which was planned for before the departure: it is as late as that.
        #expect(
            try rides([.update(0, [.late(0, 1500), .said(1, .noData)])], count: 2) == [
                "06:40 scheduled -> 07:00", "06:45 scheduled -> 07:05",
            ])
        let stated: [StopTimeUpdate] = [
            .at(stop: "s1", "2026-06-10T06:18:00+02:00"), .at(stop: "s3", "2026-06-10T06:11:00+02:00"),
        ]
        #expect(try rides([.update(9, stated, relationship: .added)], count: 1) == ["06:18 added -> 06:18"])
    }

    @Test("A trip that left before it can be reached is no ride")
    func early() throws {
        // The walk of eight minutes ends at 06:18; the train leaves at 06:17.
        #expect(
            try rides([.update(0, [.late(0, -180)])], from: [1: 480], count: 1) == ["06:40 scheduled -> 07:00"])
        #expect(try rides([], from: [1: 480], count: 1) == ["06:20 scheduled -> 06:40"])
    }

    @Test("A canceled trip is listed as such, a deleted one is not")
    func canceled() throws {
        #expect(
            try rides([.update(0, relationship: .canceled)]) == [
                "06:20 canceled -> 06:40", "06:40 scheduled -> 07:00",
            ])
        #expect(
            try rides([.update(0, relationship: .deleted)]) == [
                "06:40 scheduled -> 07:00", "07:00 scheduled -> 07:20",
            ])
    }

    @Test("Where a call is skipped one boards or alights at another, if there is one")
    func skipped() throws {
        let update = RealtimeEntity.update(0, [.late(0, 0), .said(2, .skipped)])
        #expect(try rides([update], count: 1) == ["06:20 scheduled -> 06:40"])
        // Stop 2 is seventeen minutes on foot from where stop 3 is; the train does not stop at 3.
        #expect(try rides([update], to: [2: 1020, 3: 0], count: 1) == ["06:20 scheduled -> 06:30"])
        #expect(try rides([], to: [2: 1020, 3: 0], count: 1) == ["06:20 scheduled -> 06:40"])
        let boarding = RealtimeEntity.update(0, [.said(0, .skipped), .late(1, 60)])
        #expect(try rides([boarding], from: [1: 0, 2: 60], count: 1) == ["06:31 scheduled -> 06:41"])
    }

    @Test("A trip that the timetable does not have takes one along")
    func extra() throws {
        let updates = [
            StopTimeUpdate.at(stop: "s1", "2026-06-10T06:25:00+02:00"),
            StopTimeUpdate.at(stop: "s3", "2026-06-10T06:42:00+02:00"),
        ]
        #expect(
            try rides([.update(99, updates, relationship: .added)]) == [
                "06:20 scheduled -> 06:40", "06:25 added -> 06:42",
            ])
        #expect(
            try rides([.update(99, Array(updates.reversed()), relationship: .added)], count: 2) == [
                "06:20 scheduled -> 06:40", "06:40 scheduled -> 07:00",
            ])
    }

    @Test("Many hidden trips do not shorten the answer")
    mutating func hidden() throws {
        scene.timetable.add([(1, 0), (3, 600)], starts: (0..<60).map { "06:\($0)" } + ["08:00"])
        let canceled = (3..<63).map { RealtimeEntity.update($0, relationship: .deleted) }
        #expect(
            try rides(canceled, count: 4) == [
                "06:20 scheduled -> 06:40", "06:40 scheduled -> 07:00", "07:00 scheduled -> 07:20",
                "08:00 scheduled -> 08:10",
            ])
    }
}
