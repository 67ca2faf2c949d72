import Synchronization
import Testing
import TransitEngine
import TransitModel
import TransitTestSupport

/// Trips of a message that are found together are those that would be found one by one.
struct TripFindingTests {
    private var scene: RealtimeScenario

    init() throws {
        scene = RealtimeScenario(try systemZone("Europe/Berlin"))
        scene.timetable.add([(1, 0), (2, 600), (3, 1200)], starts: ["06:20", "06:40", "07:00"])
    }

    /// Counts how often trips are looked up.
    private final class CountingTable: TimetableLookup {
        private let table: InMemoryTimetable
        private let count = Mutex(0)
        var lookups: Int { count.withLock { $0 } }

        init(_ table: InMemoryTimetable) { self.table = table }

        var context: TimetableContext { table.context }
        func places(ofTrips ids: [TripID]) -> [TripPatternPosition?] {
            count.withLock { $0 += 1 }
            return table.places(ofTrips: ids)
        }
        func stop(id: StopID) -> StopIndex? { table.stop(id: id) }
        func stop(_ index: StopIndex) -> Stop { table.stop(index) }
        func stopLocations(ofStops range: Range<Int>) -> [StopLocation] { table.stopLocations(ofStops: range) }
        func route(id: RouteID) -> RouteIndex? { table.route(id: id) }
        func patterns(of route: RouteIndex) -> [Pattern] { table.patterns(of: route) }
        func patterns(at stop: StopIndex) -> [PatternVisit] { table.patterns(at: stop) }
        func path(of trip: TripIndex) -> [Coordinate] { table.path(of: trip) }
    }

    private let entities: [RealtimeEntity] = [
        .update(2, [.late(0, 60)]), .update(77, [.late(0, 60)]), .update(0, [.late(1, 120)]),
        .update(1, relationship: .canceled),
    ]
    private let ids: [TripID] = ["t2", "t77", "t0", "t1"]

    private func dataset(_ matcher: TripMatcher, isPrepared: Bool) throws -> (RealtimeDataset, asked: [Int]) {
        var asked: [Int] = []
        var builder = RealtimeDatasetBuilder(
            header: RealtimeHeader(version: "2.0", timestamp: scene.now), received: scene.now, matcher: matcher)
        if isPrepared {
            try builder.prepare(entities: entities.count) { most in
                asked.append(most)
                return ids
            }
        }
        for entity in entities { try builder.take(entity) }
        return (try builder.finish(), asked)
    }

    @Test("They are looked up once, and the dataset is the same")
    func together() throws {
        let (one, other) = (CountingTable(scene.table), CountingTable(scene.table))
        let matcher = TripMatcher(one)
        let (together, asked) = try dataset(matcher, isPrepared: true)
        let (alone, _) = try dataset(TripMatcher(other), isPrepared: false)
        #expect(one.lookups == 1 && asked.count == 1 && other.lookups == entities.count)
        #expect(together.runs.map(\.key) == alone.runs.map(\.key) && together.runs.count == 3)
        #expect(together.statistics == alone.statistics && together.statistics.matchedTrips == 3)
        let boards = [together, alone].map { scene.board(2, RealtimeTimetable(tripUpdates: $0), count: 4) }
        #expect(boards[0] == boards[1])

        let (again, askedAgain) = try dataset(matcher, isPrepared: true)
        #expect(one.lookups == 1 && askedAgain.isEmpty, "what is known was looked up again")
        #expect(again.runs.map(\.key) == together.runs.map(\.key))
    }
}
