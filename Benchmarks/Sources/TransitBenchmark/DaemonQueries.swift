import TransitModel
import TransitStore

/// The stops in the requests to the daemon, taken from a timetable file of the same feed.
struct DaemonQueries {
    /// The identifiers of random stops.
    let stops: [String]
    /// The names of the same stops.
    let names: [String]
    /// Two stops of one busy pattern, in the order of travel.
    let commute: (from: String, to: String)

    init(store: String, count: Int) throws(BenchmarkError) {
        do {
            let file = try TimetableFile(path: store)
            var sampler = QuerySampler()
            let sample = try sampler.stops(count, of: file.summary.counts.stops).map { try file.stop($0) }
            stops = sample.map(\.id.rawValue)
            names = sample.map(\.name)
            let calls = try file.pattern(PatternIndex(0)).calls
            commute = (
                try file.stop(calls[calls.count / 4].stop).id.rawValue,
                try file.stop(calls[calls.count * 3 / 4].stop).id.rawValue
            )
        } catch {
            throw BenchmarkError("\(error)")
        }
    }
}
