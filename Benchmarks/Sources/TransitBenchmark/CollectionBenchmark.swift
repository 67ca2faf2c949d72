/// Measures the import of a network that a provider collects with thousands of requests: decoding the responses and
/// writing the timetable file. Each import runs in a separate process. Requests and the pauses between them are not
/// included.
struct CollectionBenchmark {
    var settings: BenchmarkSettings
    /// The path of this executable, which runs itself as a child process.
    var program: String

    func run(into report: inout BenchmarkReport) throws(BenchmarkError) {
        let folder = "\(settings.cache)/hongkong"
        let store = "\(settings.cache)/hongkong.timetable"
        let counts = "\(settings.cache)/counts"
        let answers = try CollectionJob.makeAnswers(in: folder)
        var (processor, wall, peaks) = (Samples(), Samples(), Samples())
        for _ in 0..<(settings.quick ? 3 : 7) {
            let usage = try ChildProcess.run([program, "collection", folder, store], output: counts)
            processor.add(usage.processorSeconds)
            wall.add(usage.seconds)
            peaks.add(Double(usage.peakMemory))
        }
        let stops = Int(Files.text(counts).prefix { $0.isNumber }) ?? 0
        report.add(
            BenchmarkReport.Row(
                job: "import of a collected network, processor time",
                subject: "Hong Kong (\(Figure.count(answers)) responses, \(Figure.count(stops)) stops)",
                measured: Figure.seconds(processor.median), must: "3 s",
                verdict: .init(processor.median, must: 3, aim: nil),
                details: "wall \(Figure.seconds(wall.median)), peak \(Figure.megabytes(peaks.median)), "
                    + "file \(Figure.megabytes(Double(Files.size(store) ?? 0)))"))
    }
}
