/// Measures how often the judgment of a change comes true (``ChangeJob``).
struct ChangeBenchmark {
    var settings: BenchmarkSettings
    /// The path of this executable, which runs itself as a child process.
    var program: String

    func run(into report: inout BenchmarkReport) throws(BenchmarkError) {
        let small = settings.cache + "/small.timetable"
        if Files.exists(small) {
            try add([small], "\(ChangeJob.simulatedDays) simulated days", to: &report)
        }
        guard let folder = settings.days else { return }
        // Importing the timetable of the recorded days is part of the measurement of learned delays, which comes first.
        let store = settings.cache + "/recorded-days.timetable"
        let days = Files.names(in: folder).filter { $0.hasSuffix(".messages") }.sorted().suffix(30)
        guard Files.exists(store), !days.isEmpty else { return }
        try add([store] + days.map { "\(folder)/\($0)" }, "\(days.count) days of Caltrain", to: &report)
    }

    private func add(
        _ arguments: [String], _ subject: String, to report: inout BenchmarkReport
    ) throws(BenchmarkError) {
        let output = settings.cache + "/changes.out"
        _ = try ChildProcess.run([program, "changes"] + arguments, output: output)
        var numbers: [Substring: Double] = [:]
        for word in Files.text(output).split(whereSeparator: { $0 == " " || $0 == "\n" }) {
            let parts = word.split(separator: "=")
            if parts.count == 2 { numbers[parts[0]] = Double(parts[1]) }
        }
        guard let safe = numbers["safe"], let tight = numbers["tight"], let missed = numbers["missed"],
            let safeHeld = numbers["safe-held"], let missedHeld = numbers["missed-held"], safe > 0, missed > 0
        else { throw BenchmarkError("the output of the measurement of changes is incomplete") }
        func row(_ job: String, _ share: Double, must: Double, aim: Double, _ details: String) {
            report.add(
                BenchmarkReport.Row(
                    job: job, subject: subject, measured: Figure.fixed(share * 100, 1) + " %",
                    must: Figure.fixed(must, 0) + " %", aim: Figure.fixed(aim, 0) + " %",
                    verdict: .init(share * 100, must: must, aim: aim), details: details))
        }
        row(
            "changes called safe ten minutes before that break", 1 - safeHeld / safe, must: 3, aim: 2,
            "\(Figure.count(Int(safe))) changes; \(Figure.count(Int(numbers["canceled-after"] ?? 0))) by cancellations")
        row(
            "changes called missed ten minutes before that hold", missedHeld / missed, must: 3, aim: 1,
            "\(Figure.count(Int(missed))) changes")
        row(
            "changes called tight ten minutes before", tight / (safe + tight + missed), must: 25, aim: 15,
            "\(Figure.count(Int(tight))) changes")
    }
}
