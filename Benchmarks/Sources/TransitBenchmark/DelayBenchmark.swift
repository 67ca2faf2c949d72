/// Measures how well delays are learned from recorded days (``DelayJob``).
struct DelayBenchmark {
    var settings: BenchmarkSettings
    /// The path of this executable, which runs itself as a child process.
    var program: String

    private static let subject = "118 days of Caltrain"

    func run(into report: inout BenchmarkReport) throws(BenchmarkError) {
        guard let folder = settings.days, let shared = settings.shared else { return }
        let days = Files.names(in: folder).filter { $0.hasSuffix(".messages") }.sorted()
        // A quick run judges two weeks.
        let used = settings.quick ? Array(days.prefix(43)) : days
        let store = settings.cache + "/recorded-days.timetable"
        let output = settings.cache + "/delays.out"
        _ = try ChildProcess.run([program, "import", shared + "/caltrain-history/gtfs.zip", store])
        _ = try ChildProcess.run([program, "delays", store] + used.map { "\(folder)/\($0)" }, output: output)
        let numbers = Files.text(output).split { $0 == " " || $0 == "\n" }.compactMap { Double($0) }
        guard numbers.count == 12 else { throw BenchmarkError("the output of the measurement of delays is incomplete") }
        add(numbers, to: &report)
    }

    private func add(_ numbers: [Double], to report: inout BenchmarkReport) {
        func row(
            _ job: String, _ value: Double, _ unit: String, must: Double, aim: Double, digits: Int = 0,
            _ details: String
        ) {
            report.add(
                BenchmarkReport.Row(
                    job: job, subject: Self.subject, measured: Figure.fixed(value, digits) + " " + unit,
                    must: "\(Figure.fixed(must, digits)) \(unit)", aim: "\(Figure.fixed(aim, digits)) \(unit)",
                    verdict: .init(value, must: must, aim: aim), details: details))
        }
        row(
            "error of the usual delay, median", numbers[2], "s", must: 36, aim: 30,
            "timetable \(Int(numbers[0])) s; \(Figure.count(Int(numbers[11]))) calls")
        row(
            "error of the usual delay, p90", numbers[3], "s", must: 170, aim: 145, "timetable \(Int(numbers[1])) s")
        row(
            "error ten minutes ahead, p90, of the source's own", numbers[5] / numbers[4], "x", must: 0.95, aim: 0.8,
            digits: 2, "\(Int(numbers[5])) s; source \(Int(numbers[4])) s")
        for (name, share) in [("usual delay", numbers[6]), ("prediction ten minutes ahead", numbers[7])] {
            row(
                "distance of the share inside the range from 80 %, \(name)", abs(share - 80), "%", must: 4, aim: 1,
                digits: 1, "\(Figure.fixed(share, 1)) % inside")
        }
        row(
            "left more than 60 s before the advised time", numbers[8], "%", must: 3, aim: 1.5, digits: 1,
            "advice 15 minutes before")
        row("learned delays on disk", numbers[9] / 1e6, "MB", must: 8, aim: 4, digits: 2, "")
        row("learned delays in memory", numbers[10] / 1e6, "MB", must: 2, aim: 1, digits: 2, "")
    }
}
