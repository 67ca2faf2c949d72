/// Measures queries for the next departures of a stop without a daemon. Each feed has a separate process.
struct DepartureBenchmark {
    var settings: BenchmarkSettings
    var program: String

    func run(_ feeds: [FeedUnderTest], into report: inout BenchmarkReport) throws(BenchmarkError) {
        for feed in feeds where feed.name != "small" {
            let store = "\(settings.cache)/\(feed.name).timetable"
            let results = "\(settings.cache)/departures"
            Files.warm(store)
            let usage = try ChildProcess.run([program, "departures", store, results])
            let passes = Files.text(results).split(separator: "\n").map { line in
                line.split(separator: " ").map { Double($0) ?? .nan }
            }
            guard passes.count == 3, passes.allSatisfy({ $0.count == 2 }) else {
                throw BenchmarkError("the departures of \(feed.name) were not measured")
            }
            add(passes[0], feed, "first time", usage, &report)
            add(passes[2], feed, "again", usage, &report)
        }
    }

    private func add(
        _ pass: [Double], _ feed: FeedUnderTest, _ name: String, _ usage: ChildProcess.Usage,
        _ report: inout BenchmarkReport
    ) {
        let bounds = [("p50", pass[0], 40.0, 15.0), ("p99", pass[1], 150.0, 50.0)]
        for (percentile, value, must, aim) in bounds {
            report.add(
                BenchmarkReport.Row(
                    job: "next departures in process, \(percentile)", subject: "\(feed.name), \(name)",
                    measured: Figure.microseconds(value) + " us", must: "\(Int(must)) us", aim: "\(Int(aim)) us",
                    verdict: .init(value, must: must, aim: aim),
                    details:
                        "\(DepartureJob.queryCount) random stops, peak \(Figure.megabytes(Double(usage.peakMemory)))"
                ))
        }
    }
}
