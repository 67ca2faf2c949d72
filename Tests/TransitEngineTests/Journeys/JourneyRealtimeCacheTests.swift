import Testing
internal import TransitModel
internal import TransitTestSupport

@testable import TransitEngine

/// Prepared realtime data must be used again exactly as long as preparing it anew would have the same result.
struct JourneyRealtimeCacheTests {
    private let zone: ServiceZone
    private var world: RandomWorld
    private let patterns: [Pattern]
    private let network: JourneyNetwork
    private let calendar: TimetableCalendar
    private let board: ReferenceBoard
    private let at: Instant

    init() throws {
        try self.init(seed: 8003)
    }

    private init(seed: UInt64) throws {
        zone = try systemZone("Europe/Berlin")
        let day = try #require(ServiceDate(iso8601: "2026-06-10"))
        world = RandomWorld(seed: seed, day: day)
        patterns = RealtimeBoardPropertyTests().patterns(world.timetable)
        network = try world.network(patterns)
        calendar = TimetableCalendar(
            services: world.timetable.services, zone: zone, latestStopTime: world.timetable.latestStopTime)
        board = ReferenceBoard(
            patterns: patterns, services: world.timetable.services,
            dates: (day.daysSince1970 - 3)...(day.daysSince1970 + 3)
        ) { [zone] _ in zone }
        at = zone.serviceDayStart(day).advanced(by: 8 * 3600)
    }

    /// Realtime data whose trips were measured at different times, some of them with vehicles.
    private mutating func realtime() throws -> RealtimeDatasets {
        var builder = RealtimeDatasetBuilder(
            header: RealtimeHeader(version: "2.0", timestamp: at), received: at,
            matcher: TripMatcher(InMemoryTimetable(patterns: patterns, context: calendar)))
        for (number, run) in board.runs.enumerated() {
            guard abs(at.seconds(to: run.calls[0].departure)) < 43_200 else { continue }
            let reported = RealtimeBoardPropertyTests().reported(calls: run.calls.count, &world.generator)
            let entity = RealtimeBoardPropertyTests().entity(run, reported, number: number)
            guard case .tripUpdate(var update) = entity else { continue }
            if Int.random(in: 0..<3, using: &world.generator) > 0 {
                update.timestamp = at.advanced(by: -Int.random(in: 0...400, using: &world.generator))
            }
            try builder.apply(.tripUpdate(update))
            guard Int.random(in: 0..<3, using: &world.generator) == 0 else { continue }
            try builder.apply(
                .vehicle(
                    VehiclePosition(
                        id: EntityID("v\(number)"), trip: update.trip,
                        currentSequence: UInt32(Int.random(in: 0..<run.calls.count, using: &world.generator)),
                        timestamp: at.advanced(by: -Int.random(in: 0...400, using: &world.generator)))))
        }
        return RealtimeDatasets(tripUpdates: try builder.finish())
    }

    @Test(arguments: UInt64(8000)..<8040) func reusedDataEqualsNewData(seed: UInt64) throws {
        var one = try Self(seed: seed)
        let realtime = try one.realtime()
        let cache = JourneyRealtimeCache()
        var reused = 0
        var previous: JourneyRealtimeTables?
        var now = one.at
        for _ in 0..<60 {
            let known = try #require(cache.realtime(realtime, one.network, now: now))
            let new = try #require(JourneyRealtime(realtime, one.network, now: now))
            #expect(Content(known.tables, one.network) == Content(new.tables, one.network), "seed \(seed)")
            #expect(known.views.now == now)
            if known.tables === previous { reused += 1 }
            previous = known.tables
            now = now.advanced(by: Int.random(in: 0...12, using: &one.world.generator))
        }
        #expect(reused > 0)
    }

    /// What the tables say, with absolute times.
    private struct Content: Equatable {
        var lines: [[Int]] = []
        var times: [[Int64]]
        var usability: [UInt8]
        var hidden: [Bool] = []
        var fastest: [Int32]

        init(_ tables: JourneyRealtimeTables, _ network: JourneyNetwork) {
            for line in tables.lines {
                lines.append(
                    [Int(line.route), Int(line.callCount), Int(line.firstTime)]
                        + line.trips.map { Int(tables.trips[$0].number) })
            }
            times = tables.times.map { [tables.base + Int64($0.arrival), tables.base + Int64($0.departure)] }
            usability = tables.usability.map(\.rawValue)
            fastest = Array(tables.fastest)
            for trip in UInt32(0)..<200 {
                for date in Int32(20_600)..<20_640 {
                    let entry = tables.entry(of: trip, ServiceDate(daysSince1970: date), isRepetition: false)
                    hidden.append(entry?.hidesScheduled ?? false)
                }
            }
        }
    }

    @Test func otherDataIsPreparedAnew() throws {
        var one = self
        let cache = JourneyRealtimeCache()
        let realtime = try one.realtime()
        let first = try #require(cache.realtime(realtime, network, now: at)).tables
        #expect(cache.realtime(realtime, network, now: at)?.tables === first)
        // A snapshot with the same datasets, as after news about another dataset.
        let same = RealtimeDatasets(tripUpdates: realtime.tripUpdates)
        #expect(cache.realtime(same, network, now: at)?.tables === first)
        #expect(cache.realtime(realtime, network, now: at.advanced(by: -1))?.tables !== first)
        let policy = RealtimeDatasets(
            tripUpdates: realtime.tripUpdates, tripUpdatePolicy: FreshnessPolicy(interval: 600))
        #expect(cache.realtime(policy, network, now: at)?.tables !== first)
        #expect(cache.realtime(try one.realtime(), network, now: at)?.tables !== first)
        #expect(cache.realtime(realtime, try world.network(patterns), now: at)?.tables !== first)
        #expect(cache.realtime(nil, network, now: at) == nil)
    }

    @Test func preparedDataDoesNotKeepTheDatasets() throws {
        var one = self
        let cache = JourneyRealtimeCache()
        weak var dataset: RealtimeDataset?
        do {
            let realtime = try one.realtime()
            dataset = realtime.tripUpdates
            _ = cache.realtime(realtime, network, now: at)
        }
        #expect(dataset == nil)
    }
}
