import Testing
internal import TransitEngine
internal import TransitModel
internal import TransitTestSupport

/// A search for journeys must find the same as ``ReferenceJourneys``, for random timetables.
struct JourneySearchPropertyTests {
    @Test("Journeys in a window equal the reference", arguments: BoardPropertyTests.days)
    func journeysEqualReference(zone name: String, day text: String) throws {
        let zone = try systemZone(name)
        let day = try #require(ServiceDate(iso8601: text))
        var counts = (journeys: 0, changes: 0)
        for seed in UInt64(7000)..<7040 {
            var world = RandomWorld(seed: seed, day: day)
            let network = try world.network()
            let feed = JourneyFeed(
                network: network,
                calendar: TimetableCalendar(
                    services: world.timetable.services, zone: zone, latestStopTime: world.timetable.latestStopTime))
            let reference = ReferenceJourneys(
                world.input,
                ReferenceBoard(world.timetable, dates: (day.daysSince1970 - 16)...(day.daysSince1970 + 3)) { _ in zone }
            )
            let cache = JourneyBoundsCache()
            var destinations = world.timetable.walks(2)
            for question in 0..<5 {
                let at = zone.serviceDayStart(day).advanced(
                    by: Int.random(in: -48...96, using: &world.generator) * 900)
                let window = Int.random(in: 0...8, using: &world.generator) * 900
                // Some searches have the destinations of the one before, and share its bounds.
                if question % 2 == 0 { destinations = world.timetable.walks(2) }
                let origins = world.timetable.walks(2)
                var query = query(origins, destinations, at, window)
                let found = JourneyFinder.find(query, in: [feed], cache: cache)
                let expected = reference.journeys(
                    from: plain(origins), to: plain(destinations), earliest: at.secondsSince1970,
                    latest: at.secondsSince1970 + Int64(window),
                    limit: at.secondsSince1970 + Int64(window + query.maximumDuration),
                    vehicles: query.maximumVehicles)
                #expect(found.journeys.map(result).sorted() == expected, "seed \(seed), question \(question)")
                for journey in found.journeys { #expect(try isConsistent(journey)) }
                query.latest = nil
                #expect(
                    JourneyFinder.find(query, in: [feed], cache: cache).journeys.map(result)
                        == JourneyFinder.find(query, in: [feed]).journeys.map(result))
                counts.journeys += expected.count
                counts.changes += expected.count { $0.vehicles > 1 }
            }
        }
        #expect(counts.journeys > 60 && counts.changes > 15, "\(counts)")
    }

    @Test("Journeys with realtime data equal the reference", arguments: BoardPropertyTests.days)
    func realtimeJourneysEqualReference(zone name: String, day text: String) throws {
        let zone = try systemZone(name)
        let day = try #require(ServiceDate(iso8601: text))
        var counts = (journeys: 0, changes: 0, reported: 0)
        for seed in UInt64(8000)..<8040 {
            var world = RandomWorld(seed: seed, day: day)
            let patterns = RealtimeBoardPropertyTests().patterns(world.timetable)
            let calendar = TimetableCalendar(
                services: world.timetable.services, zone: zone, latestStopTime: world.timetable.latestStopTime)
            let plainBoard = ReferenceBoard(
                patterns: patterns, services: world.timetable.services,
                dates: (day.daysSince1970 - 16)...(day.daysSince1970 + 3)
            ) { _ in zone }
            let at = zone.serviceDayStart(day).advanced(by: Int.random(in: 0...96, using: &world.generator) * 900)
            let realtime = try realtime(&world, patterns, calendar, plainBoard, at: at)
            let network = try world.network(patterns)
            // Asked immediately, and after the source has been silent for a while.
            for silence in [0, Int.random(in: 301...7200, using: &world.generator)] {
                let now = at.advanced(by: silence)
                let feed = JourneyFeed(
                    network: network, calendar: calendar, realtime: JourneyRealtime(realtime, network, now: now))
                let reference = ReferenceJourneys(world.input, plainBoard) {
                    realtime.expected($0.scheduledCall, now: now)
                }
                for question in 0..<3 {
                    let window = Int.random(in: 0...8, using: &world.generator) * 900
                    let (origins, destinations) = (world.timetable.walks(2), world.timetable.walks(2))
                    let query = query(origins, destinations, now, window)
                    let found = JourneyFinder.find(query, in: [feed])
                    let expected = reference.journeys(
                        from: plain(origins), to: plain(destinations), earliest: now.secondsSince1970,
                        latest: now.secondsSince1970 + Int64(window),
                        limit: now.secondsSince1970 + Int64(window + query.maximumDuration),
                        vehicles: query.maximumVehicles)
                    #expect(
                        found.journeys.map(result).sorted() == expected,
                        "seed \(seed), silent for \(silence) s, question \(question)")
                    for journey in found.journeys {
                        #expect(try isConsistent(journey))
                        for leg in journey.legs {
                            let calls = try #require(feed.calls(of: leg) { patterns[$0.position] })
                            #expect(calls.departure.isRunning)
                            #expect(calls.departure.departure.secondsSince1970 == leg.departure)
                            counts.reported += calls.departure.measured == nil ? 0 : 1
                        }
                    }
                    counts.journeys += expected.count
                    counts.changes += expected.count { $0.vehicles > 1 }
                }
            }
        }
        #expect(counts.journeys > 30 && counts.changes > 5 && counts.reported > 10, "\(counts)")
    }

    @Test("Journeys in two feeds equal the reference") func journeysInTwoFeedsEqualReference() throws {
        let zone = try systemZone("Europe/Berlin")
        let day = try #require(ServiceDate(iso8601: "2026-06-10"))
        var changes = 0
        for seed in UInt64(9000)..<9040 {
            var worlds = [RandomWorld(seed: seed, day: day), RandomWorld(seed: seed + 500, day: day)]
            let feeds = try worlds.map { world in
                JourneyFeed(
                    network: try world.network(),
                    calendar: TimetableCalendar(
                        services: world.timetable.services, zone: zone, latestStopTime: world.timetable.latestStopTime))
            }
            let boards = worlds.map { world in
                ReferenceBoard(world.timetable, dates: (day.daysSince1970 - 16)...(day.daysSince1970 + 3)) { _ in zone }
            }
            var reference = ReferenceJourneys(worlds[0].input, boards[0])
            reference.append(ReferenceJourneys(worlds[1].input, boards[1]))
            let at = zone.serviceDayStart(day).advanced(
                by: Int.random(in: 20...80, using: &worlds[0].generator) * 900)
            let (origins, destinations) = (worlds[0].timetable.walks(2), worlds[1].timetable.walks(2))
            var query = query(origins, destinations, at, 7200)
            query.destinations = destinations.map { .init(feed: 1, stop: $0.key, walk: $0.value) }
            for _ in 0..<4 {
                let one = Int.random(in: 0..<RandomTimetable.stopCount, using: &worlds[0].generator)
                let other = Int.random(in: 0..<RandomTimetable.stopCount, using: &worlds[0].generator)
                let seconds = Int.random(in: 0...5, using: &worlds[0].generator) * 120
                let key = [one, other + reference.firstOtherStop]
                if reference.betweenFeeds[key] != nil { continue }
                reference.betweenFeeds[key] = seconds
                query.footpathsBetweenFeeds.append(
                    .init(
                        from: .init(feed: 0, stop: StopIndex(one)),
                        to: .init(feed: 1, stop: StopIndex(other), walk: seconds)))
            }
            let found = JourneyFinder.find(query, in: feeds)
            let expected = reference.journeys(
                from: plain(origins),
                to: Dictionary(
                    uniqueKeysWithValues: destinations.map {
                        ($0.key.position + reference.firstOtherStop, $0.value)
                    }), earliest: at.secondsSince1970, latest: at.secondsSince1970 + 7200,
                limit: at.secondsSince1970 + Int64(7200 + query.maximumDuration), vehicles: query.maximumVehicles)
            #expect(found.journeys.map(result).sorted() == expected, "seed \(seed)")
            changes += expected.count { $0.vehicles > 1 }
        }
        #expect(changes > 5)
    }

    @Test("Journeys of riders on board equal the reference", arguments: BoardPropertyTests.days)
    func journeysOnBoardEqualReference(zone name: String, day text: String) throws {
        let zone = try systemZone(name)
        let day = try #require(ServiceDate(iso8601: text))
        var counts = (journeys: 0, changes: 0, reported: 0, continued: 0, passed: 0)
        for seed in UInt64(8500)..<8620 {
            var world = RandomWorld(seed: seed, day: day)
            let patterns = RealtimeBoardPropertyTests().patterns(world.timetable)
            let calendar = TimetableCalendar(
                services: world.timetable.services, zone: zone, latestStopTime: world.timetable.latestStopTime)
            let board = ReferenceBoard(
                patterns: patterns, services: world.timetable.services,
                dates: (day.daysSince1970 - 16)...(day.daysSince1970 + 3)
            ) { _ in zone }
            let now = zone.serviceDayStart(day).advanced(by: Int.random(in: 0...96, using: &world.generator) * 900)
            let realtime = seed % 2 == 0 ? nil : try realtime(&world, patterns, calendar, board, at: now)
            let network = try world.network(patterns)
            let feed = JourneyFeed(
                network: network, calendar: calendar, realtime: JourneyRealtime(realtime, network, now: now))
            let reference = ReferenceJourneys(world.input, board) { call in
                let call = call.scheduledCall
                return realtime.map { $0.expected(call, now: now) } ?? ExpectedCall(scheduled: call)
            }
            let near = reference.runs.filter { abs($0.start - now.secondsSince1970) < 4 * 3600 }
            for question in 0..<6 {
                guard let run = near.randomElement(using: &world.generator) else { continue }
                // From the last call on, riders can only stay in a vehicle that continues.
                let position =
                    question > 3 ? run.calls.count - 1 : Int.random(in: 0..<run.calls.count, using: &world.generator)
                let destinations = world.timetable.walks(2)
                let call = ExpectedCall(scheduled: board.runs[run.number].calls[position].scheduledCall)
                var query = query([:], destinations, now, 0)
                query.latest = nil
                query.onBoard = JourneyQuery.Ride(call: call)
                let found = JourneyFinder.find(query, in: [feed])
                let expected = reference.journeys(
                    onBoardOf: run, from: position, to: plain(destinations), earliest: now.secondsSince1970,
                    limit: now.secondsSince1970 + Int64(query.maximumDuration), vehicles: query.maximumVehicles)
                #expect(
                    found.journeys.map { [$0.arrival.secondsSince1970, Int64($0.vehicles)] }
                        == expected.map { [$0.arrival, Int64($0.vehicles)] }, "seed \(seed), question \(question)")
                for journey in found.journeys {
                    #expect(try isConsistent(journey))
                    #expect(journey.legs[0].board == position && journey.walkBefore == 0)
                    for (leg, next) in zip(journey.legs, journey.legs.dropFirst()) where !next.isContinuation {
                        #expect(leg.arrival >= now.secondsSince1970)
                    }
                    let first = try #require(feed.calls(of: journey.legs[0]) { patterns[$0.position] })
                    #expect(first.departure.tripInstance == call.tripInstance)
                    counts.reported += first.departure.measured == nil ? 0 : 1
                    counts.continued += journey.legs.contains(where: \.isContinuation) ? 1 : 0
                }
                counts.journeys += expected.count
                counts.changes += expected.count { $0.vehicles > 1 }
                counts.passed += run.calls[position].departure < now.secondsSince1970 ? expected.count : 0
            }
        }
        #expect(
            counts.journeys > 60 && counts.changes > 20 && counts.reported > 10 && counts.continued > 0
                && counts.passed > 5, "\(counts)")
    }

    /// Returns random realtime data about most of the runs of a day.
    func realtime(
        _ world: inout RandomWorld, _ patterns: [Pattern], _ calendar: TimetableCalendar, _ board: ReferenceBoard,
        at: Instant
    ) throws -> RealtimeDatasets {
        var builder = RealtimeDatasetBuilder(
            header: RealtimeHeader(version: "2.0", timestamp: at), received: at,
            matcher: TripMatcher(InMemoryTimetable(patterns: patterns, context: calendar)))
        for (number, run) in board.runs.enumerated() where Int.random(in: 0..<3, using: &world.generator) > 0 {
            guard abs(at.seconds(to: run.calls[0].departure)) < 86_400 else { continue }
            let reported = RealtimeBoardPropertyTests().reported(calls: run.calls.count, &world.generator)
            try builder.apply(RealtimeBoardPropertyTests().entity(run, reported, number: number))
        }
        return RealtimeDatasets(tripUpdates: try builder.finish())
    }

    @Test("Riders who set out now arrive as early as in any window") func singleDepartureArrivesEarliest() throws {
        let zone = try systemZone("Europe/Berlin")
        let day = try #require(ServiceDate(iso8601: "2026-06-10"))
        var (arrivals, changes, late) = (0, 0, 0)
        for seed in UInt64(7000)..<7180 {
            var world = RandomWorld(seed: seed, day: day)
            let feed = JourneyFeed(
                network: try world.network(),
                calendar: TimetableCalendar(
                    services: world.timetable.services, zone: zone, latestStopTime: world.timetable.latestStopTime))
            let at = zone.serviceDayStart(day).advanced(by: Int.random(in: 0...96, using: &world.generator) * 900)
            let (origins, destinations) = (world.timetable.walks(2), world.timetable.walks(2))
            var query = query(origins, destinations, at, 6 * 3600)
            let window = JourneyFinder.find(query, in: [feed])
            query.latest = nil
            let single = JourneyFinder.find(query, in: [feed])
            let limit = at.advanced(by: query.maximumDuration)
            #expect(
                single.journeys.map(\.arrival).min() == window.journeys.map(\.arrival).filter { $0 <= limit }.min(),
                "seed \(seed)")
            let reference = ReferenceJourneys(
                world.input,
                ReferenceBoard(world.timetable, dates: (day.daysSince1970 - 16)...(day.daysSince1970 + 3)) { _ in zone }
            )
            let every = reference.journeys(
                from: plain(origins), to: plain(destinations), earliest: at.secondsSince1970,
                latest: limit.secondsSince1970, limit: limit.secondsSince1970, vehicles: query.maximumVehicles)
            let earliest = (1...query.maximumVehicles).compactMap { vehicles in
                every.filter { $0.vehicles == vehicles }.map(\.arrival).min().flatMap { arrival in
                    every.contains { $0.vehicles < vehicles && $0.arrival <= arrival }
                        ? nil : [arrival, Int64(vehicles)]
                }
            }
            #expect(
                single.journeys.map { [$0.arrival.secondsSince1970, Int64($0.vehicles)] }.sorted { $0[1] < $1[1] }
                    == earliest, "seed \(seed)")
            arrivals += single.journeys.count
            changes += single.journeys.count { $0.vehicles > 1 }
            late += earliest.count { $0[0] > at.secondsSince1970 + 3 * 3600 }
            // The last journeys that arrive by a time are those of the window that do.
            guard let by = window.journeys.map(\.arrival).min()?.advanced(by: 1800) else { continue }
            query.latest = at.advanced(by: 6 * 3600)
            query.arriveBy = by
            #expect(
                JourneyFinder.find(query, in: [feed]).journeys.map(result)
                    == window.journeys.filter { $0.arrival <= by }.map(result), "seed \(seed)")
        }
        #expect(arrivals > 20 && changes > 10 && late > 10, "\(arrivals), \(changes), \(late)")
    }

    func query(
        _ origins: [StopIndex: Int], _ destinations: [StopIndex: Int], _ at: Instant, _ window: Int
    ) -> JourneyQuery {
        var query = JourneyQuery(
            origins: origins.map { .init(stop: $0.key, walk: $0.value) },
            destinations: destinations.map { .init(stop: $0.key, walk: $0.value) }, earliest: at,
            latest: at.advanced(by: window))
        query.maximumDuration = 6 * 3600
        query.maximumVehicles = 3
        return query
    }

    func plain(_ walks: [StopIndex: Int]) -> [Int: Int] {
        Dictionary(uniqueKeysWithValues: walks.map { ($0.key.position, $0.value) })
    }

    func result(_ journey: FoundJourney) -> ReferenceJourneys.Result {
        ReferenceJourneys.Result(
            leave: journey.leaveBy.secondsSince1970, arrival: journey.arrival.secondsSince1970,
            vehicles: journey.vehicles)
    }

    /// Whether the legs of a journey follow each other in time.
    private func isConsistent(_ journey: FoundJourney) throws -> Bool {
        guard !journey.legs[0].isContinuation else { return false }
        let first = try #require(journey.legs.first)
        let last = try #require(journey.legs.last)
        guard first.departure - Int64(journey.walkBefore) == journey.leaveBy.secondsSince1970,
            last.arrival + Int64(journey.walkAfter) == journey.arrival.secondsSince1970,
            journey.legs.count(where: { !$0.isContinuation }) == journey.vehicles
        else { return false }
        return zip(journey.legs, journey.legs.dropFirst()).allSatisfy { one, next in
            next.isContinuation || one.arrival + Int64(next.changeTime) <= next.departure
        }
    }
}

/// A random timetable with stations, coordinates, transfers and blocks.
struct RandomWorld {
    var generator: SeededGenerator
    var timetable: RandomTimetable
    private(set) var input: JourneyNetworkInput

    init(seed: UInt64, day: ServiceDate) {
        generator = SeededGenerator(seed: seed &* 31 &+ 5)
        timetable = RandomTimetable(seed: seed, around: day)
        input = JourneyNetworkInput(stops: [])
        let count = RandomTimetable.stopCount
        // The last two entries are stations.
        for number in 0..<count + 2 {
            let place = Coordinate(
                latitude: 52 + Double(Int.random(in: 0...9, using: &generator)) * 0.001,
                longitude: 13 + Double(Int.random(in: 0...9, using: &generator)) * 0.001)
            let parent = number < count && chance(40) ? StopIndex(count + number % 2) : nil
            input.stops.append(.init(parent: parent, coordinate: chance(80) ? place : nil))
        }
        let trips = timetable.patterns.flatMap(\.timingGroups).reduce(0) { $0 + $1.starts.count }
        for _ in 0..<Int.random(in: 0...6, using: &generator) { addTransfer(trips: trips) }
        if chance(50) {
            input.blocks = (0..<trips).map { _ in
                chance(60) ? TextIndex(Int.random(in: 0...3, using: &generator)) : nil
            }
        }
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }

    private mutating func addTransfer(trips: Int) {
        let kinds: [Transfer.Kind] = [
            .recommended, .timed, .minimumTime, .minimumTime, .notPossible, .inSeat, .inSeatNotAllowed,
        ]
        let kind = kinds.randomElement(using: &generator) ?? .recommended
        let isInSeat = kind == .inSeat || kind == .inSeatNotAllowed
        let stops = input.stops.count
        var transfer = Transfer(
            fromStop: isInSeat ? nil : StopIndex(Int.random(in: 0..<stops, using: &generator)),
            toStop: isInSeat ? nil : StopIndex(Int.random(in: 0..<stops, using: &generator)), kind: kind)
        if kind == .minimumTime {
            transfer.minimumTime = [-60, 0, 120, 900, 1800, 90_000].randomElement(using: &generator)
        }
        var trip: (from: TripIndex?, to: TripIndex?)
        if isInSeat || chance(25) { trip.from = TripIndex(Int.random(in: 0..<trips, using: &generator)) }
        if isInSeat || chance(25) { trip.to = TripIndex(Int.random(in: 0..<trips, using: &generator)) }
        if trip.from == nil, chance(30) { transfer.fromRoute = RouteIndex(Int.random(in: 0..<3, using: &generator)) }
        if trip.to == nil, chance(30) { transfer.toRoute = RouteIndex(Int.random(in: 0..<3, using: &generator)) }
        transfer.fromTrip = trip.from.map { TripID("t\($0.rawValue)") }
        transfer.toTrip = trip.to.map { TripID("t\($0.rawValue)") }
        input.transfers.append(.init(transfer, fromTrip: trip.from, toTrip: trip.to))
    }

    /// - Parameter patterns: The patterns of the timetable, which may have been changed.
    func network(_ patterns: [Pattern]? = nil) throws -> JourneyNetwork {
        var builder = JourneyNetworkBuilder(input)
        for pattern in patterns ?? timetable.patterns { builder.add(pattern) }
        return try JourneyNetwork(
            JourneyNetworkBytes(copying: builder.finish(source: .init(hash: 1)) { _ in 0 }))
    }
}
