import Synchronization
import Testing
import TransitEngine
import TransitModel
import TransitTestSupport

/// Looking up the trips of a message together yields the same result as looking them up one by one.
struct TripFindingTests {
    private var scene: RealtimeScenario

    init() throws {
        scene = RealtimeScenario(try systemZone("Europe/Berlin"))
        scene.timetable.add([(1, 0), (2, 600), (3, 1200)], starts: ["06:20", "06:40", "07:00"])
    }

    /// An in-memory timetable that counts trip lookups.
    private final class CountingTable: TimetableLookup {
        private let table: InMemoryTimetable
        private let count = Mutex(0)
        var lookups: Int { count.withLock { $0 } }

        init(_ table: InMemoryTimetable) { self.table = table }

        var context: TimetableCalendar { table.context }
        func patternPositions(ofTrips ids: [TripID]) -> [TripPatternPosition?] {
            count.withLock { $0 += 1 }
            return table.patternPositions(ofTrips: ids)
        }
        func stop(id: StopID) -> StopIndex? { table.stop(id: id) }
        func stop(_ index: StopIndex) -> Stop { table.stop(index) }
        func stopLocations(ofStops range: Range<Int>) -> [StopLocation] { table.stopLocations(ofStops: range) }
        func route(id: RouteID) -> RouteIndex? { table.route(id: id) }
        var routeCount: Int { table.routeCount }
        func routeID(_ index: RouteIndex) -> RouteID? { table.routeID(index) }
        func patterns(of route: RouteIndex) -> [Pattern] { table.patterns(of: route) }
        func patterns(at stop: StopIndex) -> [PatternCallPosition] { table.patterns(at: stop) }
        func path(of trip: TripIndex) -> [Coordinate] { table.path(of: trip) }
    }

    private let entities: [RealtimeEntity] = [
        .update(2, [.late(0, 60)]), .update(77, [.late(0, 60)]), .update(0, [.late(1, 120)]),
        .update(1, relationship: .canceled),
    ]
    private let ids: [TripID] = ["t2", "t77", "t0", "t1"]

    private func dataset(_ matcher: TripMatcher, isPrepared: Bool) throws -> (RealtimeDataset, lookupCounts: [Int]) {
        var lookupCounts: [Int] = []
        var builder = RealtimeDatasetBuilder(
            header: RealtimeHeader(version: "2.0", timestamp: scene.now), received: scene.now, matcher: matcher)
        if isPrepared {
            try builder.prepare(entities: entities.count) { most in
                lookupCounts.append(most)
                return ids
            }
        }
        for entity in entities { try builder.apply(entity) }
        return (try builder.finish(), lookupCounts)
    }

    @Test("Trips are looked up once, and the dataset is the same")
    func batchLookupYieldsSameDataset() throws {
        let (one, other) = (CountingTable(scene.table), CountingTable(scene.table))
        let matcher = TripMatcher(one)
        let (together, lookupCounts) = try dataset(matcher, isPrepared: true)
        let (alone, _) = try dataset(TripMatcher(other), isPrepared: false)
        #expect(one.lookups == 1 && lookupCounts.count == 1 && other.lookups == entities.count)
        #expect(together.trips.map(\.key) == alone.trips.map(\.key) && together.trips.count == 3)
        #expect(together.statistics == alone.statistics && together.statistics.matchedTrips == 3)
        let boards = [together, alone].map { scene.board(2, RealtimeDatasets(tripUpdates: $0), count: 4) }
        #expect(boards[0] == boards[1])

        let (again, repeatedLookups) = try dataset(matcher, isPrepared: true)
        #expect(one.lookups == 1 && repeatedLookups.isEmpty, "cached trips were looked up again")
        #expect(again.trips.map(\.key) == together.trips.map(\.key))
    }
}
