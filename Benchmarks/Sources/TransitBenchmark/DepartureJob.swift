import TransitEngine
import TransitModel
import TransitStore

/// Runs in the child process: queries the next departures of many stops three times, and writes the percentiles of each
/// pass.
enum DepartureJob {
    static let queryCount = 2_000

    static func run(store path: String, results: String) throws(BenchmarkError) {
        do {
            let board = try BoardReader(path: path)
            var sampler = QuerySampler()
            let stops = sampler.stops(queryCount, of: board.file.summary.counts.stops)
            let queries = stops.map { ($0, sampler.moment(from: board.start)) }
            var lines = ""
            var departures = 0
            for _ in 0..<3 {
                var samples = Samples()
                for (stop, moment) in queries {
                    let start = BenchmarkStopwatch.now()
                    departures += try board.next(at: stop, moment)
                    samples.add(Double(BenchmarkStopwatch.now() - start) / 1e3)
                }
                lines += "\(samples.percentile(50)) \(samples.percentile(99))\n"
            }
            guard departures > queries.count else { throw BenchmarkError("almost no stop has departures") }
            try Files.write(lines, to: results)
        } catch {
            throw BenchmarkError("\(error)")
        }
    }
}

/// A timetable file with the additional data that the engine needs.
struct BoardReader {
    let file: TimetableFile
    private let context: BenchmarkContext

    init(path: String) throws {
        file = try TimetableFile(path: path)
        context = BenchmarkContext(file)
    }

    /// The first of four weeks that the timetable covers. It is near the end of the timetable, because some feeds begin
    /// with a single date in the distant past.
    var start: ServiceDate {
        guard let dates = file.summary.serviceDates else { return ServiceDate(daysSince1970: 20_000) }
        return max(dates.lowerBound, dates.upperBound.advanced(by: -42))
    }

    /// Reads the next three departures with all fields of a reply. Returns their number.
    @inline(never)
    func next(at stop: StopIndex, _ moment: Instant) throws -> Int {
        let visits = try file.patterns(at: stop)
        let calls = DepartureBoard.departures(visits: visits, context: context.timetable, at: moment, count: 3)
        let name = try file.stop(stop).name
        for call in calls {
            let trip = try file.trip(call.trip)
            let headsign = try (call.call.headsign ?? trip.headsign).map { index in try file.text(index) }
            guard !trip.id.rawValue.isEmpty, headsign != "", !name.isEmpty else {
                throw BenchmarkError("a departure has no names")
            }
        }
        return calls.count
    }
}
