import TransitModel
import TransitStore

/// What the daemon is asked about, taken from a timetable file of the same feed.
struct DaemonQueries {
    /// Identifiers of random stops.
    let stops: [String]
    /// Two stops of one busy pattern, in its order.
    let commute: (from: String, to: String)

    init(store: String, count: Int) throws(BenchmarkError) {
        do {
            let file = try TimetableFile(path: store)
            var draw = QuerySampler()
            stops = try draw.stops(count, of: file.summary.counts.stops).map { try file.stop($0).id.rawValue }
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
