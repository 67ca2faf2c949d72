import Foundation
import Testing
import TransitEngine
import TransitFeeds
import TransitModel
import TransitStore
import TransitTestSupport
import TransitTestTraits

/// Compares a part of a feed (`FeedSubset`) with the whole feed: the boards of the kept stops and the direct trips between
/// them are the same.
@Suite(.ownThreads) struct PartialFeedTests {
    @Test(arguments: testSeeds(1, 2, 3, 4, 5, 6, 7, 8), [false, true])
    func generatedPartHasTheBoardsOfTheWhole(seed: UInt64, isShuffled: Bool) throws {
        var random = SeededGenerator(seed: seed)
        let feed = RandomFeed(isShuffled: isShuffled, &random)
        let center = try #require(Coordinate(latitude: 50 + Double(random.number(0...9)) * 0.01, longitude: 8.05))
        let subset = FeedSubset(places: [.coordinate(center)], radius: random.number(800...2500))
        let comparison = try PartComparison(feed.builder.source, subset)
        #expect(comparison.part.summary.counts.trips < comparison.whole.summary.counts.trips)
        try comparison.compare(boards: 200, directTrips: 200, &random)
        try comparison.checkContents()
    }

    @Test(arguments: testSeeds(11, 12, 13), [false, true])
    func partOfRoutesHasTheirBoards(seed: UInt64, isShuffled: Bool) throws {
        var random = SeededGenerator(seed: seed)
        let feed = RandomFeed(isShuffled: isShuffled, &random)
        let subset = FeedSubset(routes: ["Line 1", "r3"])
        let comparison = try PartComparison(feed.builder.source, subset)
        #expect(Set(comparison.part.routes.map(\.id)) == ["r1", "r3"])
        try comparison.compare(boards: 200, directTrips: 200, &random, routes: ["r1", "r3"])
        try comparison.checkContents()
    }

    /// Three feeds of different kinds: stations with platforms, trips with many patterns, and a city of buses.
    static let archives = ["nyc-subway-2018.zip", "vilnius-2014.zip", "vta-2014.zip"]

    @Test(
        .enabled(if: SharedData.isAvailable, "the recorded feeds are missing"), arguments: archives)
    func recordedPartHasTheBoardsOfTheWhole(archive: String) throws {
        let source = try FileByteSource(path: SharedData.path("gtfs/large", archive))
        var random = SeededGenerator(seed: 60)
        let whole = try PartComparison.read(source, nil).draft
        let middle = whole.stops[whole.stops.count / 2]
        let subset = FeedSubset(places: [.coordinate(try #require(middle.coordinate))], radius: 1500)
        let comparison = try PartComparison(source, subset)
        #expect(comparison.part.summary.counts.trips < comparison.whole.summary.counts.trips)
        try comparison.compare(boards: 60, directTrips: 60, &random)
        try comparison.checkContents()
    }
}

/// A random feed in a grid of 1.1 km, in which names repeat and some stops belong to stations.
private struct RandomFeed {
    let builder: FeedBuilder

    init(isShuffled: Bool, _ random: inout SeededGenerator) {
        var stops = "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\n"
        for station in 0..<5 {
            stops += "st\(station),Station \(station),50.0\(random.number(0...9)),8.0\(random.number(0...9)),1,\n"
        }
        for stop in 0..<80 {
            let parent = stop % 8 == 0 ? "st\(random.number(0...4))" : ""
            let (north, east) = (random.number(0...99), random.number(0...99))
            stops += "s\(stop),Name \(stop % 30),\(50 + Double(north) / 1000),\(8 + Double(east) / 1000),0,\(parent)\n"
        }
        var routes = "route_id,route_short_name,route_type,agency_id\n"
        for route in 0..<6 { routes += "r\(route),Line \(route),3,a\n" }
        var trips = "trip_id,route_id,service_id,trip_headsign,block_id,shape_id\n"
        var rows: [String] = []
        for trip in 0..<150 {
            let route = random.number(0...5)
            trips += "t\(trip),r\(route),\(trip % 3 == 0 ? "daily" : "work"),To \(trip % 7),b\(trip % 20),sh\(route)\n"
            var time = random.number(0...80_000)
            for call in 0..<random.number(2...9) {
                let clock = "\(time / 3600):\(Self.two(time / 60 % 60)):\(Self.two(time % 60))"
                let headsign = random.number(0...5) == 0 ? "Via \(trip % 4)" : ""
                rows.append("t\(trip),\(clock),\(clock),s\(random.number(0...79)),\(call),\(headsign)")
                time += random.number(60...900)
            }
        }
        if isShuffled { rows.shuffle(using: &random) }
        var shapes = "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\n"
        for shape in 0..<6 { shapes += "sh\(shape),50.01,8.01,1\nsh\(shape),50.0\(shape + 2),8.05,2\n" }
        var frequencies = "trip_id,start_time,end_time,headway_secs\n"
        for trip in stride(from: 0, to: 150, by: 30) { frequencies += "t\(trip),06:00:00,08:00:00,1200\n" }
        builder = FeedBuilder.small.without("calendar_dates.txt")
            .file(
                "agency.txt", "agency_id,agency_name,agency_url,agency_timezone\na,A,https://a.example,Europe/Berlin\n"
            )
            .file("stops.txt", stops).file("routes.txt", routes).file("trips.txt", trips)
            .file(
                "stop_times.txt",
                "trip_id,arrival_time,departure_time,stop_id,stop_sequence,stop_headsign\n"
                    + rows.joined(separator: "\n") + "\n"
            )
            .file("shapes.txt", shapes).file("frequencies.txt", frequencies)
            .file(
                "calendar.txt",
                """
                service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
                unused,1,1,1,1,1,1,1,20260101,20261231
                daily,1,1,1,1,1,1,1,20260101,20261231
                work,1,1,1,1,1,0,0,20260101,20261231

                """)
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

/// The timetable of a whole feed and that of a part of it.
private final class PartComparison {
    let whole: TimetableFile
    let part: TimetableFile
    private var starts: [Instant] = []
    private let folder: TestFolder

    init(_ source: some ByteSource, _ subset: FeedSubset) throws {
        folder = try TestFolder()
        whole = try Self.write(try Self.read(source, nil), to: folder("whole"))
        part = try Self.write(try Self.read(source, subset), to: folder("part"))
        starts = try days()
    }

    static func read(_ source: some ByteSource, _ subset: FeedSubset?) throws -> GTFSReading {
        let zones = TimeZoneDatabase()
        var options = GTFSReader.Options(today: try #require(ServiceDate(iso8601: "2026-03-27"))) {
            zones.zone(named: $0) != nil
        }
        options.subset = subset
        return try GTFSReader(source, options: options).read()
    }

    private static func write(_ reading: GTFSReading, to path: String) throws -> TimetableFile {
        try TimetableFile.write(
            reading.draft, origin: TimetableSummary.Origin(url: "test:", fetched: Instant(secondsSince1970: 0)),
            contentDigest: reading.contentDigest, report: reading.report, to: path)
        return try TimetableFile(path: path)
    }

    /// The identifiers of the stops that have a board in the part.
    private func keptStops() throws -> [StopID] {
        var kept: [StopID] = []
        try part.searchStops { if $0.kind == .platform { kept.append($0.id) } }
        return kept
    }

    /// Compares boards and direct trips.
    ///
    /// - Parameter routes: The routes that the part has; `nil` for all.
    func compare(
        boards: Int, directTrips: Int, _ random: inout SeededGenerator, routes: Set<RouteID>? = nil
    ) throws {
        let stops = try keptStops().shuffled(using: &random)
        #expect(!stops.isEmpty)
        var departures = 0
        for stop in stops.prefix(boards) {
            let expected = try board(at: stop, in: whole, routes)
            #expect(try board(at: stop, in: part, nil) == expected, "board of \(stop)")
            departures += expected.count
        }
        #expect(departures > 0)
        var trips = 0
        for _ in 0..<directTrips {
            // Stops on one trip, so that the comparison is not of empty results only.
            let (from, to) = try pair(among: stops, &random)
            let expected = try direct(from, to, in: whole, routes)
            #expect(try direct(from, to, in: part, nil) == expected, "trips from \(from) to \(to)")
            trips += expected.count
        }
        #expect(trips > 0)
    }

    private func pair(among stops: [StopID], _ random: inout SeededGenerator) throws -> (StopID, StopID) {
        let from = stops[random.number(0...stops.count - 1)]
        let known = Set(stops)
        let visits = try part.patterns(at: try #require(try part.stop(id: from)))
        for visit in visits.shuffled(using: &random) {
            for call in visit.pattern.calls[(visit.position + 1)...] {
                let to = try part.stop(call.stop).id
                if to != from, known.contains(to) { return (from, to) }
            }
        }
        return (from, stops[random.number(0...stops.count - 1)])
    }

    private func context(_ file: TimetableFile) throws -> TimetableCalendar {
        let zones = TimeZoneDatabase()
        return TimetableCalendar(
            services: file.services,
            agencyZones: try file.agencies.map { try #require(zones.zone(named: $0.timezone)) },
            routeAgencies: file.routes.map(\.agency), latestStopTime: file.summary.latestStopTime)
    }

    /// The start of the day on which most services of the whole feed run, and of the next day.
    private func days() throws -> [Instant] {
        let dates = try #require(whole.summary.serviceDates)
        let all = (0...dates.lowerBound.days(to: dates.upperBound)).map { dates.lowerBound.advanced(by: $0) }
        let busiest = try #require(
            all.max { one, other in
                whole.services.count { $0.runs(on: one) } < whole.services.count { $0.runs(on: other) }
            })
        let zone = try context(whole).zones[0]
        return [busiest, busiest.advanced(by: 1)].map { zone.serviceDayStart($0) }
    }

    private func board(at stop: StopID, in file: TimetableFile, _ routes: Set<RouteID>?) throws -> [String] {
        let index = try #require(try file.stop(id: stop))
        let visits = try file.patterns(at: index)
        let context = try context(file)
        return try starts.flatMap { day in
            try DepartureBoard.departures(visits: visits, context: context, at: day, count: 100_000, horizonDays: 1)
                .filter { call in routes?.contains(file.routes[call.pattern.route.position].id) ?? true }
                .map { try line($0, file) }.sorted()
        }
    }

    private func direct(
        _ from: StopID, _ to: StopID, in file: TimetableFile, _ routes: Set<RouteID>?
    ) throws -> [String] {
        let origin = try #require(try file.stop(id: from))
        let destination = try #require(try file.stop(id: to))
        var patterns: [Pattern] = []
        for visit in try file.patterns(at: origin) where !patterns.contains(where: { $0.index == visit.pattern.index })
        {
            guard routes?.contains(file.routes[visit.pattern.route.position].id) ?? true else { continue }
            patterns.append(visit.pattern)
        }
        let context = try context(file)
        return try starts.flatMap { day in
            try DirectTripFinder.next(
                origins: [origin: 0], destinations: [destination: 0], patterns: patterns, context: context, at: day,
                count: 1000
            ).map { "\(try line($0.departure, file)) > \($0.arrival.arrival.secondsSince1970)" }.sorted()
        }
    }

    private func line(_ call: ScheduledCall, _ file: TimetableFile) throws -> String {
        let trip = try file.trip(call.trip)
        let headsign = call.pattern.calls[call.position].headsign ?? trip.headsign
        let texts = try [headsign, trip.block, trip.shortName].map { try $0.map { try file.text($0) } ?? "-" }
        let shape = try trip.shape.map { try file.shape($0).points.count } ?? 0
        let route = file.routes[call.pattern.route.position].id
        return "\(call.departure.secondsSince1970) \(trip.id) \(route) \(texts) \(shape)"
    }

    /// Checks that the part has nothing that no kept trip uses, and knows the trips that it lacks.
    func checkContents() throws {
        let counts = part.summary.counts
        let usedServices = try Set((0..<counts.trips).map { try part.trip(TripIndex($0)).service })
        #expect(usedServices.count == part.services.count)
        let usedShapes = try Set((0..<counts.trips).compactMap { try part.trip(TripIndex($0)).shape })
        #expect(usedShapes.count == counts.shapes)
        let ids = try (0..<whole.summary.counts.trips).map { try whole.trip(TripIndex($0)).id }
        for id in ids {
            #expect(try (part.trip(id: id) == nil) == part.isOutside(id), "trip \(id)")
        }
        #expect(try !part.isOutside("never published"))
        let subset = try #require(part.summary.subset)
        #expect(subset.stopsInSource >= whole.summary.counts.stops)
        #expect(subset.stops <= counts.stops)
        #expect(subset.tripsInSource >= whole.summary.counts.trips)
        // A stop outside is in no search, although trips call there.
        var outside = 0
        try part.searchStops(includesOutside: true) { if !$0.isKept { outside += 1 } }
        if subset.rule.hasPrefix("stops") { #expect(outside > 0) }
        for index in 0..<counts.stops {
            let stop = try part.stop(StopIndex(index))
            guard !stop.isKept, let place = stop.coordinate else { continue }
            #expect(try !part.stops(near: place, within: 1).contains { $0.stop == StopIndex(index) })
        }
    }
}
