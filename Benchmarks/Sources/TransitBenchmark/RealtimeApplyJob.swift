import Glibc
import TransitEngine
import TransitFeeds
import TransitModel
import TransitStore

/// Runs in the child process: decodes messages, matches them to a timetable, applies them as the daemon does, and queries
/// boards.
struct RealtimeApplyJob {
    private let file: TimetableFile
    private let context: BenchmarkContext
    private let matcher: TripMatcher
    private let cache: RealtimeCache
    private var dataset: RealtimeDataset?

    private init(store: String, cache folder: String) throws {
        file = try TimetableFile(path: store)
        context = BenchmarkContext(file)
        matcher = TripMatcher(BenchmarkLookup(file: file, context: context.timetable))
        cache = try RealtimeCache(directory: folder)
    }

    /// Wall-clock and processor times in milliseconds.
    private struct Cost {
        var wall = Samples()
        var processor = Samples()

        mutating func add<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
            let (wallBefore, processorBefore) = (BenchmarkStopwatch.now(), BenchmarkStopwatch.processor())
            try body()
            processor.add(Double(BenchmarkStopwatch.processor() - processorBefore) / 1e6)
            wall.add(Double(BenchmarkStopwatch.now() - wallBefore) / 1e6)
        }

        var line: String { "\(wall.median) \(processor.median)\n" }
    }

    // MARK: Decode, match, apply

    /// Prints the wall-clock and processor times of the first message, of later messages, and of later messages that are
    /// also stored on disk.
    static func time(store: String, cache: String, messages: [String], repeats: Int) throws(BenchmarkError) {
        do {
            var job = try RealtimeApplyJob(store: store, cache: cache)
            let bodies = try messages.map { try Files.bytes($0) }
            var (first, following, kept) = (Cost(), Cost(), Cost())
            try first.add { try job.apply(bodies[0]) }
            for turn in 1..<(repeats + 1) {
                try following.add { try job.apply(bodies[turn % bodies.count]) }
                try kept.add {
                    try job.apply(bodies[turn % bodies.count])
                    try job.keep(bodies[turn % bodies.count])
                }
            }
            print(first.line + following.line + kept.line, terminator: "")
        } catch {
            throw BenchmarkError("\(error)")
        }
    }

    /// Prints the maximum growth of the resident set in bytes, from the opened timetable until two messages are applied and
    /// stored.
    static func memory(store: String, cache: String, messages: [String]) throws(BenchmarkError) {
        do {
            var job = try RealtimeApplyJob(store: store, cache: cache)
            _ = try job.answer(at: StopIndex(0), Instant(secondsSince1970: 1_781_700_000), count: 3, now: nil)
            let idle = Machine.number(after: "VmRSS:", in: Files.text("/proc/self/status")) ?? 0
            for message in messages {
                let body = try Files.bytes(message)
                try job.apply(body)
                try job.keep(body)
            }
            let peak = Machine.number(after: "VmHWM:", in: Files.text("/proc/self/status")) ?? 0
            print((peak - idle) * 1024)
        } catch {
            throw BenchmarkError("\(error)")
        }
    }

    /// Prints the processor times in milliseconds of applying the second of two messages, and of learning from it.
    static func learning(store: String, cache: String, messages: [String], repeats: Int) throws(BenchmarkError) {
        do {
            var job = try RealtimeApplyJob(store: store, cache: cache)
            let bodies = try messages.map { try Files.bytes($0) }
            try job.apply(bodies[0])
            let first = job.dataset
            let lookup = BenchmarkLookup(file: job.file, context: job.context.timetable)
            // The stops in use of a household, in a network with many stops.
            let tracked = DelayRecorder.TrackedStops.some(Set((0..<40).map { StopIndex($0 * 97) }))
            var recorder = DelayRecorder()
            var (applied, learned) = (Cost(), Cost())
            for _ in 0..<repeats {
                job.dataset = first
                try applied.add { try job.apply(bodies[1]) }
                guard let second = job.dataset else { throw BenchmarkError("there is no dataset") }
                // The history is published, so that a change copies it.
                let published = recorder.history
                try learned.add { try recorder.observe(second, after: first, in: lookup, tracking: tracked) }
                guard recorder.history != published else { throw BenchmarkError("nothing was learned") }
            }
            print("\(applied.processor.median) \(learned.processor.median) \(recorder.memoryEstimate)")
        } catch {
            throw BenchmarkError("\(error)")
        }
    }

    private mutating func apply(_ body: [UInt8]) throws {
        let reader = try RealtimeReader(body)
        guard let now = reader.header.timestamp else { throw BenchmarkError("the message has no timestamp") }
        var builder = RealtimeDatasetBuilder(header: reader.header, received: now, matcher: matcher, previous: dataset)
        try builder.prepare(entities: reader.entityCount) { reader.tripIDs(limit: $0) }
        let problems = try reader.read { (entity) throws in try builder.apply(entity) }
        let made = try builder.finish()
        guard problems.isEmpty, made.statistics.matchedTrips == made.statistics.tripUpdates, !made.trips.isEmpty else {
            throw BenchmarkError("\(made.statistics.tripUpdates - made.statistics.matchedTrips) trips were not matched")
        }
        dataset = made
    }

    private func keep(_ body: [UInt8]) throws {
        try cache.save(
            CachedRealtimeResponse(body: body, fetched: Instant(secondsSince1970: 0)), feed: "bench",
            dataset: "trip_updates")
    }

    // MARK: Boards

    /// Prints one line for boards of random stops and one for boards of the busiest stops: percentiles 50 and 99 of the
    /// wall-clock time and percentile 99 of the processor time, in microseconds, and the number of live departures.
    static func boards(store: String, cache: String, message: String, trips: Int) throws(BenchmarkError) {
        do {
            var job = try RealtimeApplyJob(store: store, cache: cache)
            let body = try Files.bytes(message)
            guard let now = try RealtimeReader(body).header.timestamp else {
                throw BenchmarkError("the message has no timestamp")
            }
            try job.apply(body)
            let hubs = try TripUpdateGenerator(job.file, trips: trips, around: now).hubs(50)
            var sampler = QuerySampler()
            let random = sampler.stops(DepartureJob.queryCount, of: job.file.summary.counts.stops)
            print(try job.percentiles(random, count: 3, now: now))
            let busy = (0..<DepartureJob.queryCount).map { hubs[$0 % hubs.count] }
            print(try job.percentiles(busy, count: 10, now: now))
        } catch {
            throw BenchmarkError("\(error)")
        }
    }

    private func percentiles(_ stops: [StopIndex], count: Int, now: Instant) throws -> String {
        var (samples, processor) = (Samples(), Samples())
        var realtime = 0
        for (turn, stop) in stops.enumerated() {
            let at = now.advanced(by: turn % 1_800)
            let (started, used) = (BenchmarkStopwatch.now(), BenchmarkStopwatch.processor())
            realtime += try answer(at: stop, at, count: count, now: now)
            processor.add(Double(BenchmarkStopwatch.processor() - used) / 1e3)
            samples.add(Double(BenchmarkStopwatch.now() - started) / 1e3)
        }
        return "\(samples.percentile(50)) \(samples.percentile(99)) \(processor.percentile(99)) \(realtime)"
    }

    /// Reads the next departures with all fields of a reply. Returns the number of live departures.
    @inline(never)
    private func answer(at stop: StopIndex, _ moment: Instant, count: Int, now: Instant?) throws -> Int {
        let realtime = dataset.map { RealtimeDatasets(tripUpdates: $0) }
        let calls = DepartureBoard.departures(
            visits: try file.patterns(at: stop), stops: [stop], context: context.timetable, realtime: realtime,
            now: now ?? moment, at: moment, count: count)
        let name = try file.stop(stop).name
        for call in calls {
            guard let scheduled = call.scheduledCall else { continue }
            let trip = try file.trip(scheduled.trip)
            let headsign = try (scheduled.call.headsign ?? trip.headsign).map { index in try file.text(index) }
            guard !trip.id.rawValue.isEmpty, headsign != "", !name.isEmpty else {
                throw BenchmarkError("a departure has no names")
            }
        }
        return calls.count { $0.source == .live }
    }
}
