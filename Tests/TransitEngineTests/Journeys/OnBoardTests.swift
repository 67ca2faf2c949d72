import Testing
internal import TransitEngine
internal import TransitModel
internal import TransitTestSupport

/// Journeys of riders who are on board of a trip when the search begins.
///
/// Bus 0 runs from stop 0 at 8:00 to the stops 1 (8:10), 2 (8:20) and 3 (8:30). Bus 1 runs from stop 1 at 8:15 to stop 9
/// (8:25), bus 2 from stop 2 at 8:22 to stop 9 (8:40), and again at 9:22.
struct OnBoardTests {
    private let zone: ServiceZone
    private let day: ServiceDate
    private let timetable: SmallTimetable
    private let network: JourneyNetwork

    init() throws {
        zone = try systemZone("Europe/Berlin")
        day = try #require(ServiceDate(iso8601: "2026-06-10"))
        var timetable = SmallTimetable()
        timetable.add([(0, 0), (1, 600), (2, 1200), (3, 1800)], starts: ["8:00"])
        timetable.add([(1, 0), (9, 600)], starts: ["8:15"], route: 1)
        timetable.add([(2, 0), (9, 1080)], starts: ["8:22", "9:22"], route: 2)
        // The vehicle of bus 0 continues to stop 4.
        timetable.add([(3, 0), (4, 600)], starts: ["8:35"], route: 3)
        self.timetable = timetable
        var input = JourneyNetworkInput(stops: (0..<10).map { _ in .init() })
        input.blocks = [TextIndex(0), nil, nil, nil, TextIndex(0)]
        var builder = JourneyNetworkBuilder(input)
        for pattern in timetable.patterns { builder.add(pattern) }
        network = try JourneyNetwork(JourneyNetworkBytes(copying: builder.finish(source: .init(hash: 1)) { _ in 0 }))
    }

    @Test("Riders alight at a later call and change") func laterCallIsUsed() throws {
        #expect(find(to: 9, at: "8:05") == ["0:0-1 1:0-1 08:25"])
        #expect(find(to: 2, at: "8:05") == ["0:0-2 08:20"])
        // From a later call of the same trip.
        #expect(find(to: 9, from: 1, at: "8:05") == ["0:1-2 2:0-1 08:40"])
    }

    @Test("Riders do not alight at calls that the vehicle has passed") func passedCallIsNotUsed() throws {
        #expect(find(to: 9, at: "8:11") == ["0:0-2 2:0-1 08:40"])
        #expect(find(to: 1, at: "8:10") == ["0:0-1 08:10"])
        #expect(find(to: 1, at: "8:11") == [])
        #expect(find(to: 3, at: "8:31") == [])
    }

    @Test("Riders stay in the vehicle when it continues as another trip") func vehicleContinues() throws {
        #expect(find(to: 4, at: "8:05") == ["0:0-3 4:0-1 08:45"])
        // The first trip has ended.
        #expect(find(to: 4, at: "8:40") == ["0:0-3 4:0-1 08:45"])
        #expect(find(to: 4, at: "8:46") == [])
    }

    @Test("A trip before its departure is ridden from there") func departureMayBeLater() throws {
        #expect(find(to: 9, at: "7:00") == ["0:0-1 1:0-1 08:25"])
    }

    @Test("A delay of the ridden trip counts, and no other trip is ridden") func delayCounts() throws {
        let late = try realtime([StopTimeUpdate.late(0, 360)])
        #expect(find(to: 9, at: "8:05", late) == ["0:0-2 3:0-1 09:40"])
        let slightly = try realtime([StopTimeUpdate.late(0, 60)])
        #expect(find(to: 9, at: "8:05", slightly) == ["0:0-1 1:0-1 08:25"])
        #expect(find(to: 4, at: "8:05", late) == ["0:0-3 4:0-1 08:46"])
    }

    @Test("Riders cannot alight at a skipped call") func skippedCallIsNotUsed() throws {
        let skipped = try realtime([.late(0, 0), .said(1, .skipped), .late(2, 0)])
        #expect(find(to: 9, at: "8:05", skipped) == ["0:0-2 2:0-1 08:40"])
        #expect(find(to: 1, at: "8:05", skipped) == [])
    }

    @Test("Nobody rides a canceled trip or one of another day") func tripThatDoesNotRunIsNotRidden() throws {
        #expect(find(to: 9, at: "8:05", try realtime([], .canceled)) == [])
        #expect(find(to: 9, on: day.advanced(by: 40_000), at: "8:05") == [])
    }

    /// Returns realtime data about bus 0 at 8:05.
    private func realtime(
        _ updates: [StopTimeUpdate], _ relationship: TripScheduleRelationship = .scheduled
    ) throws -> JourneyRealtime? {
        let calendar = timetable.context(zone)
        let now = zone.serviceDayStart(day).advanced(by: Int(seconds("8:05")))
        var builder = RealtimeDatasetBuilder(
            header: RealtimeHeader(version: "2.0", timestamp: now), received: now,
            matcher: TripMatcher(InMemoryTimetable(patterns: timetable.patterns, context: calendar)))
        try builder.apply(
            .tripUpdate(
                TripUpdate(
                    id: EntityID("bus"),
                    trip: TripDescriptor(tripID: TripID("t0"), startDate: day, relationship: relationship),
                    updates: updates)))
        return JourneyRealtime(RealtimeDatasets(tripUpdates: try builder.finish()), network, now: now)
    }

    /// Returns journeys of riders of bus 0 as `0:0-1 1:0-1 08:25`: the trip and the calls of each leg, and the arrival.
    private func find(
        to stop: Int, from position: Int = 0, on date: ServiceDate? = nil, at time: String,
        _ realtime: JourneyRealtime? = nil
    ) -> [String] {
        let pattern = timetable.patterns[0]
        let call = ScheduledCall(
            pattern: pattern, timingGroup: 0, tripPosition: 0, serviceDate: date ?? day, position: position,
            start: zone.instant(of: ServiceTime(seconds: seconds("8:00")), on: date ?? day))
        let feed = JourneyFeed(network: network, calendar: timetable.context(zone), realtime: realtime)
        let query = JourneyQuery(
            onBoard: JourneyQuery.Ride(call: ExpectedCall(scheduled: call)),
            destinations: [.init(stop: StopIndex(stop))],
            earliest: zone.serviceDayStart(day).advanced(by: Int(seconds(time))))
        return JourneyFinder.find(query, in: [feed]).journeys.map { journey in
            let legs = journey.legs.map { leg in
                let trip = feed.calls(of: leg) { timetable.patterns[$0.position] }?.departure.scheduledCall?.trip
                return "\(trip.map { Int($0.rawValue) } ?? -1):\(leg.board)-\(leg.alight)"
            }
            return legs.joined(separator: " ") + " " + zone.rfc3339(journey.arrival).dropFirst(11).prefix(5)
        }
    }
}
