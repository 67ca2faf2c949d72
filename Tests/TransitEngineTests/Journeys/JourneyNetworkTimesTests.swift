import Testing
internal import TransitModel
internal import TransitTestSupport

@testable import TransitEngine

/// The trips and times of a network must be those of its patterns, in whatever size they are stored.
struct JourneyNetworkTimesTests {
    @Test(arguments: UInt64(7000)..<7040) func networkHasTimesOfPatterns(seed: UInt64) throws {
        let day = try #require(ServiceDate(iso8601: "2026-06-10"))
        let world = RandomWorld(seed: seed, day: day)
        try expectSameTimes(try world.network(), world.timetable.patterns)
    }

    @Test func longTripsHaveWideTimes() throws {
        var timetable = SmallTimetable()
        // A day and a night, to the second.
        timetable.add([(0, 0), (1, 40_001), (2, 90_003)], starts: ["06:00", "07:00"], dwells: [1: 7])
        let network = try network(timetable)
        #expect(network.routes[0].layout.width == 4)
        try expectSameTimes(network, timetable.patterns)
    }

    @Test func wholeMinutesTakeOneByte() throws {
        var timetable = SmallTimetable()
        timetable.add([(0, 0), (1, 600), (2, 7200)], starts: ["06:00", "07:00"], dwells: [1: 60])
        let network = try network(timetable)
        #expect(network.routes[0].layout == .init(width: 1, hasDepartures: false))
        try expectSameTimes(network, timetable.patterns)
    }

    @Test func startsOfALongDayAreSplit() throws {
        var timetable = SmallTimetable()
        // Thirty hours, to the second.
        let starts = (0..<60).map { Int32($0) * 1801 }
        let group = TimingGroup(
            times: [CallTimes(arrival: 0, departure: 0), CallTimes(arrival: 300, departure: 300)],
            firstTrip: TripIndex(0), starts: starts + [starts[59] + 1], services: (0...60).map { _ in ServiceIndex(0) },
            frequencies: [])
        timetable.patterns.append(
            Pattern(
                index: PatternIndex(0), route: RouteIndex(0), direction: nil,
                calls: (0..<2).map {
                    PatternCall(stop: StopIndex($0), sequence: UInt32($0), pickup: .regular, dropOff: .regular)
                }, timingGroups: [group]))
        let network = try network(timetable)
        #expect(network.routeCount == 2)
        #expect(network.routes(sharingCallsOf: 0) == 0..<2)
        #expect(network.visits.count == 2)
        try expectSameTimes(network, timetable.patterns)
    }

    @Test func rareValuesOfFootpathsAreFound() throws {
        var timetable = SmallTimetable()
        timetable.add([(0, 0), (1, 300)], starts: ["06:00"])
        timetable.add([(2, 0), (3, 300)], starts: ["06:00"])
        var input = JourneyNetworkInput(stops: [])
        // More than 2,047 different times of changes.
        for _ in 0..<60 { input.stops.append(.init()) }
        for number in stride(from: 4, to: 60, by: 2) {
            timetable.add([(number, 0), (number + 1, 300)], starts: ["06:00"])
        }
        for from in 0..<60 {
            for to in 0..<60 where from != to {
                var transfer = Transfer(fromStop: StopIndex(from), toStop: StopIndex(to), kind: .minimumTime)
                transfer.minimumTime = from * 60 + to
                input.transfers.append(.init(transfer))
            }
        }
        let network = try network(timetable, input)
        #expect(network.footpaths.count == 60 * 59)
        for from in 0..<60 {
            for number in network.footpaths(of: from) {
                let footpath = network.footpaths[number]
                #expect(footpath.kind == .stated)
                #expect(Int(footpath.value) == from * 60 + footpath.node)
            }
        }
    }

    private func network(_ timetable: SmallTimetable, _ input: JourneyNetworkInput? = nil) throws -> JourneyNetwork {
        var builder = JourneyNetworkBuilder(
            input ?? JourneyNetworkInput(stops: (0..<10).map { _ in JourneyNetworkInput.Stop() }))
        for pattern in timetable.patterns { builder.add(pattern) }
        return try JourneyNetwork(JourneyNetworkBytes(copying: builder.finish(source: .init(hash: 1)) { _ in 0 }))
    }

    /// A trip with the times that riders use.
    private struct Instance: Hashable, Comparable {
        var pattern: Int
        var trip: UInt32
        var start: Int32
        var service: Int
        var times: [Int32]

        static func < (one: Self, other: Self) -> Bool {
            (one.pattern, one.trip, one.start) < (other.pattern, other.trip, other.start)
        }
    }

    private func expectSameTimes(_ network: JourneyNetwork, _ patterns: [Pattern]) throws {
        var found: [Instance] = []
        for number in 0..<network.routeCount {
            let route = network.routes[number]
            let times = network.times(of: route)
            let last = Int(route.callCount) - 1
            for position in network.trips(of: number) {
                let trip = network.trips[position]
                let start = route.start(of: trip)
                found.append(
                    Instance(
                        pattern: Int(route.pattern), trip: network.reference(of: position, in: route), start: start,
                        service: trip.service,
                        times: (0..<last).flatMap { call in
                            [
                                start + route.timeBase + times.departure(trip.timingGroup, call),
                                start + route.timeBase + times.arrival(trip.timingGroup, call + 1),
                            ]
                        }))
            }
        }
        var expected: [Instance] = []
        for pattern in patterns where pattern.callCount > 1 {
            let instances = PatternTripInstances(pattern)
            for (group, timingGroup) in pattern.timingGroups.enumerated() {
                let first = pattern.firstTrip(ofTimingGroup: group).rawValue
                instances.forEachInstance(ofTimingGroup: group, from: Int64(Int32.min)) { instance, service in
                    let times = timingGroup.times
                    expected.append(
                        Instance(
                            pattern: pattern.index.position, trip: first + UInt32(instance.trip),
                            start: instance.start, service: service.position,
                            times: (0..<times.count - 1).flatMap { call in
                                [instance.start + times[call].departure, instance.start + times[call + 1].arrival]
                            }))
                    return true
                }
            }
        }
        #expect(found.sorted() == expected.sorted())
    }
}
