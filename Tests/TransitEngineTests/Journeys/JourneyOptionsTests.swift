import Testing
internal import TransitEngine
internal import TransitModel
internal import TransitTestSupport

/// Journeys of riders who use some modes of transport only, or who need room for a wheelchair or a bicycle.
struct JourneyOptionsTests {
    private let zone: ServiceZone
    private let day: ServiceDate

    init() throws {
        zone = try systemZone("Europe/Berlin")
        day = try #require(ServiceDate(iso8601: "2026-06-10"))
    }

    // MARK: Random timetables

    @Test("Journeys with options equal the reference", arguments: [false, true])
    func journeysEqualReference(hasRealtime: Bool) throws {
        var counts = (journeys: 0, changes: 0, different: 0, onBoard: 0)
        for seed in UInt64(9560)..<9600 {
            var world = RandomWorld(seed: seed, day: day)
            let patterns = RealtimeBoardPropertyTests().patterns(world.timetable)
            let calendar = TimetableCalendar(
                services: world.timetable.services, zone: zone, latestStopTime: world.timetable.latestStopTime)
            let board = ReferenceBoard(
                patterns: patterns, services: world.timetable.services,
                dates: (day.daysSince1970 - 16)...(day.daysSince1970 + 3)
            ) { _ in zone }
            let now = zone.serviceDayStart(day).advanced(by: Int.random(in: 0...96, using: &world.generator) * 900)
            let property = JourneySearchPropertyTests()
            let realtime = hasRealtime ? try property.realtime(&world, patterns, calendar, board, at: now) : nil
            let network = try world.network(patterns)
            let all = ReferenceJourneys(world.input, board) { call in
                let call = call.scheduledCall
                return realtime.map { $0.expected(call, now: now) } ?? ExpectedCall(scheduled: call)
            }
            for question in 0..<4 {
                let (options, facts) = (options(&world.generator), facts(&world))
                var feed = JourneyFeed(
                    network: network, calendar: calendar, realtime: JourneyRealtime(realtime, network, now: now))
                feed.exclusions = JourneyExclusions(options, facts, of: network, realtime: feed.realtime)
                let reference = all.restricted(to: options, facts)
                let (origins, destinations) = (world.timetable.walks(2), world.timetable.walks(2))
                let at = now.secondsSince1970
                var query = property.query(origins, destinations, now, 7200)
                let ridden = all.runs.filter { abs($0.start - at) < 7200 }.randomElement(using: &world.generator)
                var expected: [ReferenceJourneys.Result]
                if question == 3, let ridden {
                    let call = board.runs[ridden.number].calls[0].scheduledCall
                    query.onBoard = JourneyQuery.Ride(call: ExpectedCall(scheduled: call))
                    query.latest = nil
                    expected = reference.journeys(
                        onBoardOf: ReferenceJourneys.restricted(ridden, to: options, facts), from: 0,
                        to: property.plain(destinations), earliest: at, limit: at + Int64(query.maximumDuration),
                        vehicles: query.maximumVehicles)
                    counts.onBoard += expected.count
                } else {
                    func journeys(_ reference: ReferenceJourneys) -> [ReferenceJourneys.Result] {
                        reference.journeys(
                            from: property.plain(origins), to: property.plain(destinations), earliest: at,
                            latest: at + 7200, limit: at + Int64(7200 + query.maximumDuration),
                            vehicles: query.maximumVehicles)
                    }
                    expected = journeys(reference)
                    counts.different += journeys(all) == expected ? 0 : 1
                }
                let found = JourneyFinder.find(query, in: [feed])
                #expect(
                    found.journeys.map(property.result).sorted() == expected, "seed \(seed), question \(question)")
                counts.journeys += expected.count
                counts.changes += expected.count { $0.vehicles > 1 }
            }
        }
        #expect(counts.journeys > 30 && counts.changes > 5 && counts.different > 10 && counts.onBoard > 3, "\(counts)")
    }

    private static let modes: [TransportMode] = [.bus, .tram, .train]

    private func options(_ generator: inout SeededGenerator) -> JourneyOptions {
        JourneyOptions(
            modes: Bool.random(using: &generator)
                ? Set(Self.modes.filter { _ in Int.random(in: 0..<3, using: &generator) > 0 }) : nil,
            wheelchair: Bool.random(using: &generator), bicycles: Bool.random(using: &generator))
    }

    /// Random facts in which a third of the trips and a sixth of the stops are ruled out.
    private func facts(_ world: inout RandomWorld) -> JourneyFacts {
        let levels: [Accessibility] = [.unknown, .possible, .notPossible]
        let trips = world.timetable.patterns.flatMap(\.timingGroups).reduce(0) { $0 + $1.starts.count }
        var facts = JourneyFacts(modes: Self.modes.shuffled(using: &world.generator))
        for _ in 0..<trips {
            facts.trips.append(
                TripAccessibility(
                    wheelchair: levels.randomElement(using: &world.generator) ?? .unknown,
                    bikes: levels.randomElement(using: &world.generator) ?? .unknown))
        }
        for _ in world.input.stops {
            facts.stops.append(Int.random(in: 0..<6, using: &world.generator) == 0 ? .notPossible : .unknown)
        }
        return facts
    }

    @Test(
        "Modes follow the types of routes",
        arguments: [
            (0, "tram"), (1, "subway"), (2, "train"), (3, "bus"), (4, "ferry"), (5, "cable-tram"), (6, "aerial-lift"),
            (7, "funicular"), (11, "trolleybus"), (12, "monorail"), (100, "train"), (109, "train"), (200, "coach"),
            (400, "subway"), (405, "monorail"), (700, "bus"), (714, "bus"), (800, "trolleybus"), (900, "tram"),
            (1000, "ferry"), (1100, "flight"), (1200, "ferry"), (1300, "aerial-lift"), (1400, "funicular"),
            (1500, "taxi"),
            (1700, "service"),
        ])
    func modeFollowsRouteType(type: Int, name: String) { #expect(TransportMode(routeType: type).rawValue == name) }

    // MARK: Vehicles

    /// Bus 0 leaves stop 0 at 8:00, bus 1 at 8:20; the timetable says nothing about them.
    @Test("What is stated about a vehicle precedes the timetable") func statedVehicleDecides() throws {
        var timetable = SmallTimetable()
        timetable.add([(0, 0), (1, 600)], starts: ["8:00", "8:20"])
        var builder = JourneyNetworkBuilder(JourneyNetworkInput(stops: [.init(), .init()]))
        for pattern in timetable.patterns { builder.add(pattern) }
        let network = try JourneyNetwork(
            JourneyNetworkBytes(copying: builder.finish(source: .init(hash: 1)) { _ in 0 }))
        func found(_ facts: JourneyFacts, _ options: JourneyOptions) -> [String] {
            var feed = JourneyFeed(network: network, calendar: timetable.context(zone))
            feed.exclusions = JourneyExclusions(options, facts, of: network, realtime: nil)
            let start = zone.serviceDayStart(day).advanced(by: 8 * 3600)
            let query = JourneyQuery(
                origins: [.init(stop: StopIndex(0))], destinations: [.init(stop: StopIndex(1))], earliest: start,
                latest: start.advanced(by: 86_400))
            return JourneyFinder.find(query, in: [feed]).journeys.map {
                String(zone.rfc3339($0.leaveBy).dropFirst(8).prefix(8))
            }
        }
        let wheelchair = JourneyOptions(wheelchair: true)
        let all = ["10T08:00", "10T08:20", "11T08:00"]
        #expect(found(JourneyFacts(), wheelchair) == all)
        let first = TripInstanceKey(pattern: PatternIndex(0), trip: TripIndex(0), serviceDate: day)
        let without = JourneyFacts(vehicles: [first: VehicleDescriptor(wheelchair: .notPossible)])
        // The vehicle serves the trip on that date only.
        #expect(found(without, wheelchair) == ["10T08:20", "11T08:00"])
        #expect(found(without, JourneyOptions(bicycles: true)) == all)
        let none = [TripAccessibility](repeating: TripAccessibility(wheelchair: .notPossible), count: 2)
        #expect(found(JourneyFacts(trips: none), wheelchair) == [])
        let with = JourneyFacts(trips: none, vehicles: [first: VehicleDescriptor(wheelchair: .possible)])
        #expect(found(with, wheelchair) == ["10T08:00"])
        let bus = JourneyFacts(modes: [.bus], trips: none, vehicles: with.vehicles)
        #expect(found(bus, JourneyOptions(modes: [.bus], wheelchair: true)) == ["10T08:00"])
        #expect(found(bus, JourneyOptions(modes: [.tram], wheelchair: true)) == [])
        // The mode of an unknown route is not among those that riders use.
        #expect(found(JourneyFacts(), JourneyOptions(modes: [.bus])) == [])
    }
}

extension ReferenceJourneys {
    /// Returns what remains for riders with requirements.
    fileprivate func restricted(to options: JourneyOptions, _ facts: JourneyFacts) -> ReferenceJourneys {
        var restricted = self
        restricted.runs = runs.filter { run in
            if let modes = options.modes, !modes.contains(facts.modes[run.route.position]) { return false }
            let trip = facts.trips[run.trip.position]
            if options.wheelchair, trip.wheelchair == .notPossible { return false }
            return !options.bicycles || trip.bikes != .notPossible
        }.map { Self.restricted($0, to: options, facts) }
        return restricted
    }

    /// Returns a run whose riders do not use the stops that are ruled out.
    fileprivate static func restricted(_ run: Run, to options: JourneyOptions, _ facts: JourneyFacts) -> Run {
        guard options.wheelchair else { return run }
        var run = run
        for position in run.calls.indices where facts.stops[run.calls[position].stop] == .notPossible {
            run.calls[position].canBoard = false
            run.calls[position].canAlight = false
        }
        return run
    }
}
