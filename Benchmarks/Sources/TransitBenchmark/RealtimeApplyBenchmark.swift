import TransitModel
import TransitStore

/// Measures the application of GTFS-Realtime messages to the medium feed, each time in a separate process, and the floor,
/// which only decodes the messages.
struct RealtimeApplyBenchmark {
    var settings: BenchmarkSettings
    /// The path of this executable, which runs itself as a child process.
    var program: String

    private struct Size {
        var trips: Int
        /// The limits in milliseconds.
        var must: Double
        var aim: Double
        var repeats: Int
    }

    private var store: String { settings.cache + "/medium.timetable" }
    private var folder: String { settings.cache + "/live" }

    func run(into report: inout BenchmarkReport) throws(BenchmarkError) {
        guard let now = Instant(rfc3339: DaemonUnderTest.moment) else { throw BenchmarkError("no moment") }
        let sizes = [
            Size(trips: 5_000, must: 30, aim: 12, repeats: settings.quick ? 9 : 21),
            Size(trips: 20_000, must: 120, aim: 50, repeats: settings.quick ? 5 : 11),
        ]
        for size in sizes {
            let messages = (0...1).map { "\(settings.cache)/live-\(size.trips)-\($0).pb" }
            try make(messages, size.trips, now)
            try measureTime(messages, size, &report)
            try measureLearning(size, now, &report)
            try measureMemory(messages, size, &report)
            try measureBoards(messages[0], size, &report)
        }
    }

    /// Writes two messages, so that consecutive messages differ.
    private func make(_ messages: [String], _ trips: Int, _ now: Instant) throws(BenchmarkError) {
        do {
            let maker = try TripUpdateGenerator(TimetableFile(path: store), trips: trips, around: now)
            for (number, path) in messages.enumerated() {
                try Files.write(try maker.message(at: now, shift: Int32(number * 45)), to: path)
            }
        } catch {
            throw BenchmarkError("\(error)")
        }
    }

    private func measureTime(_ messages: [String], _ size: Size, _ report: inout BenchmarkReport) throws(BenchmarkError)
    {
        var (first, following, kept) = (Pair(), Pair(), Pair())
        var floor = Samples()
        for _ in 0..<(settings.quick ? 3 : 7) {
            let walked = try output([settings.realtimeFloor, messages[0], String(size.repeats)])
            floor.add(walked.first?.first ?? .nan)
            let lines = try output([program, "live", store, folder, messages[0], messages[1], String(size.repeats)])
            guard lines.count == 3, lines.allSatisfy({ $0.count == 2 }) else {
                throw BenchmarkError("the output of the realtime measurement is incomplete")
            }
            first.add(lines[0])
            following.add(lines[1])
            kept.add(lines[2])
        }
        let added = kept.wall.median - following.wall.median
        for (name, pair) in [("first", first), ("following", following)] {
            report.add(
                row(
                    "decode, match, apply, \(name)", size, pair.wall.median, must: size.must, aim: size.aim,
                    details: "processor \(Figure.fixed(pair.processor.median, 1)) ms; floor, which only walks, "
                        + "\(Figure.fixed(floor.median, 1)) ms, ratio \(Figure.ratio(pair.wall.median / floor.median))")
            )
        }
        report.add(
            row(
                "additional time to store the message", size, added, must: 20, aim: 10,
                details: "total \(Figure.fixed(kept.wall.median, 1)) ms, "
                    + "processor \(Figure.fixed(kept.processor.median, 1)) ms"))
    }

    /// Measures what learning delays adds to a message.
    private func measureLearning(_ size: Size, _ now: Instant, _ report: inout BenchmarkReport) throws(BenchmarkError) {
        let messages = (0...1).map { "\(settings.cache)/learn-\(size.trips)-\($0).pb" }
        do {
            let maker = try TripUpdateGenerator(TimetableFile(path: store), trips: size.trips, around: now)
            for (number, path) in messages.enumerated() {
                let time = now.advanced(by: 60 * number)
                try Files.write(try maker.message(at: time, shift: Int32(number * 45)), to: path)
            }
        } catch {
            throw BenchmarkError("\(error)")
        }
        let lines = try output(
            [program, "live-learning", store, folder, messages[0], messages[1], String(size.repeats)])
        guard let line = lines.first, line.count == 3 else {
            throw BenchmarkError("the output of the measurement of learning is incomplete")
        }
        let percent = line[1] / line[0] * 100
        report.add(
            BenchmarkReport.Row(
                job: "additional time to learn delays from the message", subject: subject(size),
                measured: Figure.fixed(percent, 1) + " %", must: "3 %", aim: "1 %",
                verdict: .init(percent, must: 3, aim: 1),
                details: "\(Figure.fixed(line[1], 2)) ms of processor time; \(Figure.megabytes(line[2])) of memory"))
    }

    private func row(
        _ job: String, _ size: Size, _ value: Double, must: Double, aim: Double, details: String
    ) -> BenchmarkReport.Row {
        BenchmarkReport.Row(
            job: job, subject: subject(size), measured: Figure.fixed(value, 1) + " ms", must: "\(Int(must)) ms",
            aim: "\(Int(aim)) ms", verdict: .init(value, must: must, aim: aim), details: details)
    }

    private func subject(_ size: Size) -> String { "\(Figure.count(size.trips)) trips x 20 updates" }

    private func measureMemory(_ messages: [String], _ size: Size, _ report: inout BenchmarkReport)
        throws(BenchmarkError)
    {
        let lines = try output([program, "live-memory", store, folder, messages[0], messages[1]])
        let bytes = lines.first?.first ?? .nan
        let isBounded = size.trips == 20_000
        report.add(
            BenchmarkReport.Row(
                job: "memory growth while applying", subject: subject(size), measured: Figure.megabytes(bytes),
                must: isBounded ? "60 MB" : "", aim: isBounded ? "30 MB" : "",
                verdict: isBounded ? .init(bytes / 1e6, must: 60, aim: 30) : nil,
                details:
                    "message \(Figure.megabytes(Double(Files.size(messages[0]) ?? 0))), the second while the first is in use"
            ))
    }

    private func measureBoards(_ message: String, _ size: Size, _ report: inout BenchmarkReport) throws(BenchmarkError)
    {
        let lines = try output([program, "live-boards", store, folder, message, String(size.trips)])
        guard lines.count == 2, lines.allSatisfy({ $0.count == 4 }) else {
            throw BenchmarkError("the output of the board measurement is incomplete")
        }
        for (name, line) in zip(["random stops, 3 departures", "the 50 busiest stops, 10 departures"], lines) {
            report.add(
                BenchmarkReport.Row(
                    job: "board with realtime data in process, p99",
                    subject: "\(Figure.count(size.trips)) trips, \(name)",
                    measured: Figure.microseconds(line[1]) + " us", must: "300 us", aim: "100 us",
                    verdict: .init(line[1], must: 300, aim: 100),
                    details:
                        "p50 \(Figure.microseconds(line[0])) us; processor time, p99 \(Figure.microseconds(line[2])) us; "
                        + "\(Int(line[3])) live departures"))
        }
    }

    /// Wall-clock and processor time.
    private struct Pair {
        var wall = Samples()
        var processor = Samples()

        mutating func add(_ line: [Double]) {
            wall.add(line[0])
            processor.add(line[1])
        }
    }

    /// Runs a program and returns the numbers in each line of its output.
    private func output(_ command: [String]) throws(BenchmarkError) -> [[Double]] {
        let path = "\(settings.cache)/live.out"
        _ = try ChildProcess.run(command, output: path)
        return Files.text(path).split(separator: "\n").map { line in
            line.split(separator: " ").map { Double($0) ?? .nan }
        }
    }
}
