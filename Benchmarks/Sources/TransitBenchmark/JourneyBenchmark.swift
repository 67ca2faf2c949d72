/// Measures searches for journeys with changes, without a daemon. Each feed has a separate process.
struct JourneyBenchmark {
    var settings: BenchmarkSettings
    var program: String

    /// The limits in milliseconds for a window of two hours, by the feed.
    private static let limits: [String: (p50: (must: Double, aim: Double), p99: (must: Double, aim: Double))] = [
        "city": ((2, 0.5), (10, 3)), "medium": ((8, 2), (40, 10)), "large": ((60, 15), (250, 60)),
    ]

    func run(_ feeds: [FeedUnderTest], into report: inout BenchmarkReport) throws(BenchmarkError) {
        for feed in feeds {
            guard let limits = Self.limits[feed.name] else { continue }
            let store = "\(settings.cache)/\(feed.name).timetable"
            Files.warm(store)
            let results = "\(settings.cache)/journeys"
            _ = try ChildProcess.run([program, "journeys", store, settings.quick ? "100" : "400", results])
            let values = Files.text(results).split { $0 == " " || $0 == "\n" }.compactMap { Double($0) }
            guard values.count == 10 else { throw BenchmarkError("the journeys of \(feed.name) were not measured") }
            let trips = JourneyJob.reportedTrips
            let details = "\(Int(values[8])) pairs of places, up to \(trips) trips with realtime data"
            add(values[4], "p50", feed, limits.p50, details, &report)
            add(values[5], "p99", feed, limits.p99, details, &report)
            report.add(
                BenchmarkReport.Row(
                    job: "journeys, one departure time, p50 and p99", subject: feed.name,
                    measured: "\(Figure.fixed(values[6], 2)) and \(Figure.fixed(values[7], 2)) ms"))
            try compareWithFloor(feed, values[6], withoutRealtimeData: values[9], results, &report)
            let size = Double(Files.size(store) ?? 0)
            let ratio = size > 0 ? values[1] / size : .nan
            report.add(
                BenchmarkReport.Row(
                    job: "network file, beside the timetable", subject: feed.name,
                    measured: "+\(Figure.fixed(ratio * 100, 0)) %", must: "+40 %", aim: "+20 %",
                    verdict: .init(ratio * 100, must: 40, aim: 20),
                    details: "built in \(Figure.fixed(values[0], 0)) ms, opened in \(Figure.fixed(values[2], 1)) ms, "
                        + "realtime data prepared in \(Figure.fixed(values[3], 1)) ms"))
        }
    }

    /// Runs the floor with the questions of the search, and checks that it arrives as early.
    private func compareWithFloor(
        _ feed: FeedUnderTest, _ value: Double, withoutRealtimeData plain: Double, _ results: String,
        _ report: inout BenchmarkReport
    ) throws(BenchmarkError) {
        let output = results + ".floor"
        _ = try ChildProcess.run([settings.journeysFloor, results + ".connections"], output: output)
        let lines = Files.text(output).split(separator: "\n")
        let expected = Files.text(results + ".arrivals").split(separator: "\n")
        guard let floor = lines.first?.split(separator: " ").first.flatMap({ Double($0) }),
            lines.count == expected.count + 1
        else { throw BenchmarkError("unexpected output of \(settings.journeysFloor)") }
        let equal = zip(lines.dropFirst(), expected).count { $0 == $1 }
        guard equal * 100 >= expected.count * 98 else {
            throw BenchmarkError("the floor arrives at the same time for only \(equal) of \(expected.count) questions")
        }
        report.add(
            BenchmarkReport.Row(
                job: "journeys, one departure time, over the floor", subject: feed.name,
                measured: Figure.ratio(value / floor), must: "2x", aim: "0.7x",
                verdict: .init(value / floor, must: 2, aim: 0.7),
                details: "connection scan for the earliest arrival \(Figure.fixed(floor, 3)) ms; without realtime data "
                    + "\(Figure.fixed(plain, 2)) ms; \(equal) of \(expected.count) arrivals equal"))
    }

    private func add(
        _ value: Double, _ percentile: String, _ feed: FeedUnderTest, _ limit: (must: Double, aim: Double),
        _ details: String, _ report: inout BenchmarkReport
    ) {
        report.add(
            BenchmarkReport.Row(
                job: "journeys in a window of two hours, \(percentile)", subject: feed.name,
                measured: "\(Figure.fixed(value, 2)) ms", must: "\(Figure.fixed(limit.must, 0)) ms",
                aim: "\(Figure.fixed(limit.aim, 1)) ms",
                verdict: .init(value, must: limit.must, aim: limit.aim), details: details))
    }
}
