import TransitEngine
import TransitModel
import TransitStore

/// The child's part: asks one timetable file for the next departures of many stops, twice, and prints the percentiles.
enum DepartureJob {
    static let questionCount = 2_000

    static func run(store path: String, results: String) throws(BenchmarkError) {
        do {
            let board = try BoardReader(path: path)
            var draw = QuerySampler()
            let stops = draw.stops(questionCount, of: board.file.summary.counts.stops)
            let questions = stops.map { ($0, draw.moment(from: board.start)) }
            var lines = ""
            var departures = 0
            for _ in 0..<3 {
                var samples = Samples()
                for (stop, moment) in questions {
                    let start = BenchmarkStopwatch.now()
                    departures += try board.next(at: stop, moment)
                    samples.add(Double(BenchmarkStopwatch.now() - start) / 1e3)
                }
                lines += "\(samples.percentile(50)) \(samples.percentile(99))\n"
            }
            guard departures > questions.count else { throw BenchmarkError("almost no stop has departures") }
            try Files.write(lines, to: results)
        } catch {
            throw BenchmarkError("\(error)")
        }
    }
}

/// A timetable with what the engine needs besides.
struct BoardReader {
    let file: TimetableFile
    private let context: BenchmarkContext

    init(path: String) throws {
        file = try TimetableFile(path: path)
        context = BenchmarkContext(file)
    }

    /// Four weeks from here on lie within what the timetable covers. Near its end, because some feeds begin with a
    /// single date of long ago.
    var start: ServiceDate {
        guard let dates = file.summary.serviceDates else { return ServiceDate(daysSince1970: 20_000) }
        return max(dates.lowerBound, dates.upperBound.advanced(by: -42))
    }

    /// The next three departures with all that a reply names; how many there are.
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
