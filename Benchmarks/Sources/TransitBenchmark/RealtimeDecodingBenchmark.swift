/// Measures the decoding of GTFS-Realtime messages of two sizes, each time in a separate process, alternately with the
/// floor.
struct RealtimeDecodingBenchmark {
    var settings: BenchmarkSettings
    /// The path of this executable, which runs itself as a child process.
    var program: String

    private struct Size {
        var trips: Int
        var repeats: Int
    }

    func run(into report: inout BenchmarkReport) throws(BenchmarkError) {
        for size in [Size(trips: 5_000, repeats: 41), Size(trips: 20_000, repeats: 15)] {
            let message = "\(settings.cache)/realtime-\(size.trips).pb"
            try Files.write(RealtimeMessageGenerator(trips: size.trips).message(), to: message)
            try measureDecode(message, size, &report)
        }
    }

    private func measureDecode(_ message: String, _ size: Size, _ report: inout BenchmarkReport) throws(BenchmarkError)
    {
        var own = Samples()
        var floor = Samples()
        var ratios = Samples()
        for _ in 0..<(settings.quick ? 3 : 7) {
            let theirs = try run([settings.realtimeFloor, message, String(size.repeats)])
            let ours = try run([program, "realtime", message, String(size.repeats)])
            guard ours.counted == theirs.counted else {
                throw BenchmarkError("the floor decodes \(theirs.counted) instead of \(ours.counted)")
            }
            own.add(ours.milliseconds)
            floor.add(theirs.milliseconds)
            ratios.add(ours.milliseconds / theirs.milliseconds)
        }
        report.add(
            BenchmarkReport.Row(
                job: "GTFS-Realtime decode", subject: "\(Figure.count(size.trips)) trips x 20 updates",
                measured: Figure.fixed(own.median, 1) + " ms",
                details: "floor \(Figure.fixed(floor.median, 1)) ms, ratio \(Figure.ratio(ratios.median))"))
    }

    /// Runs a program that prints milliseconds and its counts.
    private func run(_ command: [String]) throws(BenchmarkError) -> (milliseconds: Double, counted: String) {
        let output = "\(settings.cache)/realtime.out"
        _ = try ChildProcess.run(command, output: output)
        let words = Files.text(output).split { $0 == " " || $0 == "\n" }
        guard words.count == 3, let milliseconds = Double(words[0]) else {
            throw BenchmarkError("unexpected output of \(command[0])")
        }
        return (milliseconds, "\(words[1]) \(words[2])")
    }
}
