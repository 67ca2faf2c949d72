import Testing
internal import TransitEngine
internal import TransitModel
internal import TransitTestSupport

/// Riders stay on board when a vehicle continues as the next trip of its block.
struct ContinuationTests {
    private let zone: ServiceZone
    private let day: ServiceDate

    init() throws {
        zone = try systemZone("Europe/Berlin")
        day = try #require(ServiceDate(iso8601: "2026-06-10"))
    }

    @Test("A block that has the same trips in many services continues within the service")
    func blockWithManyServicesContinues() throws {
        var timetable = SmallTimetable()
        timetable.services = (0..<12).map { number in
            Service(
                id: ServiceID("s\(number)"), weekdays: 0, start: day, end: day,
                added: [day.advanced(by: number - 11)])
        }
        for stop in 0..<2 {
            for service in 0..<12 {
                timetable.add(
                    [(stop, 0), (stop + 1, 600)], starts: [stop == 0 ? "8:00" : "8:15"], service: service)
            }
        }
        let feed = JourneyFeed(network: try network(timetable, stops: 3), calendar: timetable.context(zone))
        #expect(find(from: [0], to: 2, in: feed) == ["08:00-08:25 1"])
    }

    @Test("A vehicle that is first reached late is also found for riders who board it on time")
    func lateVehicleDoesNotHideEarlierBoarding() throws {
        var timetable = SmallTimetable()
        timetable.add([(0, 0), (1, 600)], starts: ["8:10"])
        timetable.add([(1, 0), (2, 1200)], starts: ["8:30"])
        timetable.add([(2, 0), (3, 900)], starts: ["8:55"])
        let calendar = timetable.context(zone)
        let now = zone.serviceDayStart(day).advanced(by: 8 * 3600)
        var builder = RealtimeDatasetBuilder(
            header: RealtimeHeader(version: "2.0", timestamp: now), received: now,
            matcher: TripMatcher(InMemoryTimetable(patterns: timetable.patterns, context: calendar)))
        try builder.apply(
            .tripUpdate(
                TripUpdate(
                    id: EntityID("late"), trip: TripDescriptor(tripID: TripID("t0"), startDate: day),
                    updates: [StopTimeUpdate.late(0, 1800)])))
        let network = try network(timetable, stops: 4)
        let realtime = JourneyRealtime(RealtimeDatasets(tripUpdates: try builder.finish()), network, now: now)
        let feed = JourneyFeed(network: network, calendar: calendar, realtime: realtime)
        // The first trip arrives at 8:50, when the second one, which begins at 8:30, waits for it.
        #expect(find(from: [0], to: 3, in: feed) == ["08:40-09:25 1"])
        #expect(find(from: [0, 1], to: 3, in: feed) == ["08:30-09:10 1", "08:40-09:25 1"])
    }

    @Test("Riders can stay in a vehicle during many trips of different routes")
    func longBlockIsFound() throws {
        var timetable = SmallTimetable()
        for trip in 0..<80 {
            let (hour, minute) = trip.quotientAndRemainder(dividingBy: 60)
            let start = "\(8 + hour):\(minute)"
            timetable.add([(trip, 0), (trip + 1, 60)], starts: [start], route: trip)
        }
        let feed = JourneyFeed(network: try network(timetable, stops: 81), calendar: timetable.context(zone))
        #expect(find(from: [0], to: 80, in: feed) == ["08:00-09:20 1"])
    }

    @Test("A vehicle that continues is found for riders who walk to a later stop and set out before an earlier vehicle")
    func walkToLaterStopReachesVehicleThatContinues() throws {
        var timetable = SmallTimetable()
        timetable.add([(0, 0), (1, 300), (2, 600)], starts: ["8:30", "8:50"])
        timetable.add([(2, 0), (3, 600)], starts: ["9:10"])
        let blocks = [nil, TextIndex(0), TextIndex(0)]
        let feed = JourneyFeed(
            network: try network(timetable, stops: 4, blocks: blocks), calendar: timetable.context(zone))
        let start = zone.serviceDayStart(day).advanced(by: 8 * 3600)
        // Riders board the second trip at 8:55. At the first stop, it leaves after the window.
        let query = JourneyQuery(
            origins: [.init(stop: StopIndex(0)), .init(stop: StopIndex(1), walk: 1800)],
            destinations: [.init(stop: StopIndex(3))], earliest: start, latest: start.advanced(by: 2700))
        #expect(find(query, in: feed) == ["08:25-09:20 1", "08:30-09:20 2"])
    }

    /// - Parameter blocks: The blocks of the trips; `nil` if all trips belong to one block.
    private func network(
        _ timetable: SmallTimetable, stops: Int, blocks: [TextIndex?]? = nil
    ) throws -> JourneyNetwork {
        var input = JourneyNetworkInput(stops: (0..<stops).map { _ in .init() })
        input.blocks = blocks ?? timetable.patterns.map { _ in TextIndex(0) }
        var builder = JourneyNetworkBuilder(input)
        for pattern in timetable.patterns { builder.add(pattern) }
        return try JourneyNetwork(JourneyNetworkBytes(copying: builder.finish(source: .init(hash: 1)) { _ in 0 }))
    }

    /// Returns the journeys between 8 and 9 o'clock as local times and the number of vehicles.
    private func find(from origins: [Int], to destination: Int, in feed: JourneyFeed) -> [String] {
        let start = zone.serviceDayStart(day).advanced(by: 8 * 3600)
        let query = JourneyQuery(
            origins: origins.map { .init(stop: StopIndex($0)) }, destinations: [.init(stop: StopIndex(destination))],
            earliest: start, latest: start.advanced(by: 3600))
        return find(query, in: feed)
    }

    private func find(_ query: JourneyQuery, in feed: JourneyFeed) -> [String] {
        JourneyFinder.find(query, in: [feed]).journeys.map { journey in
            "\(time(journey.leaveBy))-\(time(journey.arrival)) \(journey.vehicles)"
        }
    }

    private func time(_ instant: Instant) -> String { String(zone.rfc3339(instant).dropFirst(11).prefix(5)) }
}
