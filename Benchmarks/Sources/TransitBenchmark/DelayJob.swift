import TransitEngine
import TransitModel
import TransitStore

/// Runs in the child process: learns delays from recorded days and judges, on each day from the 30th on, what was known
/// before it.
///
/// What happened is the last time that the source stated for a call. ``RecordedMessages`` reads a day.
struct DelayJob {
    /// The number of days before the first day that is judged.
    private static let learningDays = 29
    /// The distance in seconds at which predictions are judged.
    private static let distance = 600
    /// The number of seconds before a departure at which a rider is advised when to be at the stop.
    private static let advice = 900
    /// A rider who is at the stop this number of seconds after the vehicle left missed it.
    private static let missed = 60

    private var replay: MessageReplay
    private var file: TimetableFile { replay.file }
    private var lookup: BenchmarkLookup { replay.lookup }
    private var recorder = DelayRecorder()
    private var errors = Errors()
    /// The identifiers of all stops, which the daemon has in its cache.
    private let stops: [StopID]

    /// What was measured on the judged days.
    private struct Errors {
        var timetable: [Int] = []
        var usual: [Int] = []
        /// The absolute errors of the source's predictions and of the corrected ones.
        var stated: [Int] = []
        var corrected: [Int] = []
        var inside = (usual: 0, ofUsual: 0, predictions: 0, ofPredictions: 0)
        var advised = (missed: 0, of: 0)
        var memory = 0
    }

    /// A call that happened.
    private struct CallKey: Hashable {
        var trip: TripInstanceKey
        var position: Int
    }

    /// A call with its scheduled time and the last delay that the source stated.
    private struct Result {
        var call: ScheduledCall
        var delay: Int
    }

    private init(store: String) throws {
        let replay = try MessageReplay(store: store)
        self.replay = replay
        stops = try (0..<replay.file.summary.counts.stops).map { try replay.lookup.stop(StopIndex($0)).id }
    }

    /// Prints, on one line: the median and the 90th percentile of the error of the timetable and of the usual delay in seconds;
    /// the 90th percentile of the error of the source ten minutes ahead, and of the corrected prediction; the shares of
    /// departures inside of their ranges, without realtime data and ten minutes ahead, and of advice that misses the vehicle,
    /// in percent; the bytes on disk and in memory; and the number of judged calls.
    static func run(store: String, days: [String]) throws(BenchmarkError) {
        do {
            var job = try DelayJob(store: store)
            for (number, day) in days.enumerated() {
                try job.learn(day, isJudged: number >= learningDays)
            }
            job.printResults()
        } catch {
            throw BenchmarkError("\(error)")
        }
    }

    // MARK: One day

    private mutating func learn(_ day: String, isJudged: Bool) throws {
        let known = recorder.history
        var datasets: [RealtimeDataset] = []
        for message in try RecordedMessages.read(day) {
            let previous = replay.latest
            let dataset = try replay.apply(message)
            try recorder.observe(dataset, after: previous, in: lookup, tracking: .all)
            datasets.append(dataset)
        }
        errors.memory = max(errors.memory, recorder.memoryEstimate)
        if isJudged { try judge(datasets, with: known) }
    }

    /// Returns what happened to each call, as far as the messages state it.
    private func results(_ datasets: [RealtimeDataset]) throws -> [CallKey: Result] {
        var results: [CallKey: Result] = [:]
        for dataset in datasets {
            for trip in dataset.trips where trip.kind == .scheduled {
                let calls = dataset.calls(of: trip)
                for position in 0..<calls.count where calls[calls.startIndex + position].basis == .stated {
                    let key = CallKey(trip: trip.key, position: position)
                    let call = try results[key]?.call ?? scheduled(trip, position)
                    let times = call.times
                    let real = calls[calls.startIndex + position]
                    let isLast = position == calls.count - 1
                    let delay = Int(isLast ? real.arrival - times.arrival : real.departure - times.departure)
                    results[key] = Result(call: call, delay: delay)
                }
            }
        }
        return results
    }

    private func scheduled(_ trip: RealtimeTrip, _ position: Int) throws -> ScheduledCall {
        let pattern = try file.pattern(trip.key.pattern)
        return ScheduledCall(
            pattern: pattern, timingGroup: Int(trip.timingGroup), tripPosition: Int(trip.tripPosition),
            serviceDate: trip.key.serviceDate, position: position, start: trip.startInstant)
    }

    private func prediction(of call: ExpectedCall, _ history: DelayHistory, now: Instant) -> DelayPrediction? {
        guard let route = call.route.flatMap({ lookup.routeID($0) }) else { return nil }
        return history.prediction(of: call, route, lookup.context.services, now: now) { stops[$0.position] }
    }

    private mutating func judge(_ datasets: [RealtimeDataset], with history: DelayHistory) throws {
        for (key, result) in try results(datasets) {
            let planned = ExpectedCall(scheduled: result.call)
            errors.timetable.append(abs(result.delay))
            let usual = prediction(of: planned, history, now: result.call.departure.advanced(by: -3600))
            errors.usual.append(abs(result.delay - (usual?.delay ?? 0)))
            if let usual {
                errors.inside.ofUsual += 1
                errors.inside.usual += (usual.earliest...usual.latest).contains(result.delay) ? 1 : 0
            }
            try judgePrediction(key, result, datasets, history)
            try judgeAdvice(key, result, datasets, history)
        }
    }

    /// Judges the first prediction at most ten minutes ahead.
    private mutating func judgePrediction(
        _ key: CallKey, _ result: Result, _ datasets: [RealtimeDataset], _ history: DelayHistory
    ) throws {
        let end = result.call.departure.advanced(by: result.delay)
        for dataset in datasets where (0...7200).contains(dataset.time.seconds(to: end)) {
            let call = expected(result.call, key, dataset)
            guard call.source == .live, let time = call.expectedDeparture, let stated = call.delay else { continue }
            let distance = dataset.time.seconds(to: time)
            guard distance <= Self.distance else { continue }
            // A trip that appears later has no prediction ten minutes ahead.
            guard distance > 450 else { return }
            let prediction = prediction(of: call, history, now: dataset.time)
            errors.stated.append(abs(result.delay - stated))
            errors.corrected.append(abs(result.delay - (prediction?.delay ?? stated)))
            if let prediction {
                errors.inside.ofPredictions += 1
                errors.inside.predictions +=
                    (prediction.earliest...prediction.latest).contains(result.delay) ? 1 : 0
            }
            return
        }
    }

    /// Judges the advice that is given a quarter of an hour before a departure is expected.
    private mutating func judgeAdvice(
        _ key: CallKey, _ result: Result, _ datasets: [RealtimeDataset], _ history: DelayHistory
    ) throws {
        guard result.call.position < result.call.pattern.callCount - 1 else { return }
        for dataset in datasets where dataset.time.seconds(to: result.call.departure) <= 2 * Self.advice {
            let call = expected(result.call, key, dataset)
            guard dataset.time.seconds(to: call.departure) <= Self.advice else { continue }
            let time =
                prediction(of: call, history, now: dataset.time)?.boardingTime(of: call) ?? call.departure
            let left = result.call.departure.advanced(by: result.delay)
            errors.advised.of += 1
            errors.advised.missed += left.seconds(to: time) > Self.missed ? 1 : 0
            return
        }
    }

    private func expected(_ call: ScheduledCall, _ key: CallKey, _ dataset: RealtimeDataset) -> ExpectedCall {
        RealtimeDatasets(tripUpdates: dataset).expected(call, of: key.trip, now: dataset.time)
            ?? ExpectedCall(scheduled: call)
    }

    // MARK: Output

    private func printResults() {
        func percentile(_ values: [Int], _ percent: Int) -> Int {
            values.isEmpty ? 0 : values.sorted()[min(values.count - 1, values.count * percent / 100)]
        }
        func share(_ part: Int, _ all: Int) -> Double { all == 0 ? 0 : Double(part * 1000 / all) / 10 }
        let numbers: [Any] = [
            percentile(errors.timetable, 50), percentile(errors.timetable, 90), percentile(errors.usual, 50),
            percentile(errors.usual, 90), percentile(errors.stated, 90), percentile(errors.corrected, 90),
            share(errors.inside.usual, errors.inside.ofUsual),
            share(errors.inside.predictions, errors.inside.ofPredictions),
            share(errors.advised.missed, errors.advised.of), recorder.history.encoded.count, errors.memory,
            errors.usual.count,
        ]
        print(numbers.map { "\($0)" }.joined(separator: " "))
    }
}
