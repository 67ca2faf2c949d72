import TransitEngine
import TransitFeeds
import TransitModel
import TransitQueries
import TransitStore

/// Runs in the child process: builds the network of a timetable, and searches journeys between random places.
struct JourneyJob {
    /// The walking radius around a place, in meters.
    private static let radius = 700.0
    /// The number of trips with realtime data, if the feed has so many.
    static let reportedTrips = 5_000

    private let file: TimetableFile
    private let context: BenchmarkContext
    private let network: JourneyNetwork
    private let places: [(stop: Int, coordinate: Coordinate)]

    /// Writes the milliseconds to build the network, its size, the milliseconds to open it, the milliseconds to prepare
    /// realtime data, and percentiles 50 and 99 in milliseconds of searches in a window of two hours and of searches for
    /// one departure time, the number of pairs of places with an answer, and percentile 50 of searches for one departure
    /// time without realtime data.
    ///
    /// Searches between places without an answer are not counted. The questions are also written for the floor, to
    /// `results` with the extension `connections`, and their earliest arrivals without realtime data with `arrivals`.
    static func run(store: String, pairs: Int, results: String) throws(BenchmarkError) {
        do {
            var built: DerivedJourneyNetwork?
            let file = try TimetableFile(path: store)
            let buildTime = try BenchmarkStopwatch.seconds { () throws(StoreError) in
                built = try DerivedJourneyNetwork(file)
            }
            guard let built else { return }
            let bytes = JourneyNetworkBytes(copying: built.bytes)
            var network: JourneyNetwork?
            let openTime = try BenchmarkStopwatch.seconds { () throws(JourneyNetworkError) in
                network = try JourneyNetwork(bytes, of: file.summary.counts)
            }
            guard let network else { return }
            let job = JourneyJob(file, network, try file.stopLocations(ofStops: 0..<file.summary.counts.stops))
            let times = "\(buildTime * 1e3) \(built.bytes.count) \(openTime * 1e3)"
            try Files.write("\(times) \(try job.search(pairs, results))\n", to: results)
        } catch {
            throw BenchmarkError("\(error)")
        }
    }

    private init(_ file: TimetableFile, _ network: JourneyNetwork, _ stops: [StopLocation]) {
        self.file = file
        self.network = network
        context = BenchmarkContext(file)
        places = stops.indices.compactMap { stop in
            guard let coordinate = stops[stop].coordinate,
                network.nodes(of: stop).contains(where: { !network.visits(of: $0).isEmpty })
            else { return nil }
            return (stop, coordinate)
        }
    }

    private func search(_ pairs: Int, _ results: String) throws -> String {
        guard !places.isEmpty, let dates = file.summary.serviceDates else {
            throw BenchmarkError("no stop with trips has a position")
        }
        // The first weekday of the last weeks, in the morning.
        let monday = dates.upperBound.advanced(by: -42)
        let now = Instant(secondsSince1970: Int64(monday.daysSince1970) * 86_400 + 8 * 3_600)
        let realtime = try reported(at: now)
        var prepared: JourneyRealtime?
        let preparing = BenchmarkStopwatch.seconds { () throws(Never) in
            prepared = JourneyRealtime(realtime, network, now: now)
        }
        let feed = JourneyFeed(network: network, calendar: context.timetable, realtime: prepared)
        var sampler = QuerySampler()
        var (windows, singles) = (Samples(), Samples())
        var answered: [JourneyQuery] = []
        var asked = 0
        while windows.values.count < pairs, asked < pairs * 4 {
            asked += 1
            let ends = sampler.stops(2, of: places.count)
            guard ends.count == 2 else { break }
            var query = JourneyQuery(
                origins: access(ends[0].position), destinations: access(ends[1].position), earliest: now,
                latest: now.advanced(by: 7_200))
            let start = BenchmarkStopwatch.now()
            let found = JourneyFinder.find(query, in: [feed])
            let end = BenchmarkStopwatch.now()
            guard !found.isIncomplete else { throw BenchmarkError("a search reached its limit") }
            if found.journeys.isEmpty { continue }
            windows.add(Double(end - start) / 1e6)
            query.latest = nil
            answered.append(query)
            singles.add(
                BenchmarkStopwatch.seconds { () throws(Never) in _ = JourneyFinder.find(query, in: [feed]) } * 1e3)
        }
        guard windows.values.count >= pairs / 2 else { throw BenchmarkError("almost no places are connected") }
        let plain = try searchWithoutRealtimeData(answered, at: now, results)
        return [
            preparing * 1e3, windows.percentile(50), windows.percentile(99), singles.percentile(50),
            singles.percentile(99), Double(windows.values.count), plain.percentile(50),
        ].map { "\($0)" }.joined(separator: " ")
    }

    /// Asks the questions of the floor, and writes them and the answers.
    private func searchWithoutRealtimeData(
        _ questions: [JourneyQuery], at now: Instant, _ results: String
    ) throws -> Samples {
        let feed = JourneyFeed(network: network, calendar: context.timetable)
        var floor = try JourneyFloor(file, context, network, at: now)
        var samples = Samples()
        var arrivals: [String] = []
        for question in questions {
            samples.add(
                BenchmarkStopwatch.seconds { () throws(Never) in _ = JourneyFinder.find(question, in: [feed]) } * 1e3)
            // The floor may use any number of vehicles.
            var unlimited = question
            unlimited.maximumVehicles = 8
            let arrival = JourneyFinder.find(unlimited, in: [feed]).journeys.lazy.map(\.arrival).min()
            floor.add(question)
            arrivals.append(arrival.map { "\(now.seconds(to: $0))" } ?? "-")
        }
        try floor.write(to: results + ".connections")
        try Files.write(arrivals.joined(separator: "\n"), to: results + ".arrivals")
        return samples
    }

    private func access(_ place: Int) -> [JourneyQuery.End] {
        places.compactMap { other in
            let meters = places[place].coordinate.distance(to: other.coordinate)
            guard meters <= Self.radius else { return nil }
            return JourneyQuery.End(stop: StopIndex(other.stop), walk: WalkingSpeed.usual.seconds(meters: meters))
        }
    }

    /// Realtime data about the trips nearest to a time; `nil` if the feed has too few.
    private func reported(at now: Instant) throws -> RealtimeDatasets? {
        guard let generator = try? TripUpdateGenerator(file, trips: Self.reportedTrips, around: now) else { return nil }
        let reader = try RealtimeReader(try generator.message(at: now, shift: 45))
        let matcher = TripMatcher(BenchmarkLookup(file: file, context: context.timetable))
        var builder = RealtimeDatasetBuilder(header: reader.header, received: now, matcher: matcher)
        try builder.prepare(entities: reader.entityCount) { reader.tripIDs(limit: $0) }
        _ = try reader.read { (entity) throws in try builder.apply(entity) }
        return RealtimeDatasets(tripUpdates: try builder.finish())
    }
}
