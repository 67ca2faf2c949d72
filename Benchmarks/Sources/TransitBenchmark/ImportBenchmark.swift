/// Measures the import of an archive to a timetable file. Each import runs in a separate process, alternately with the
/// floor.
struct ImportBenchmark {
    var settings: BenchmarkSettings
    /// The path of this executable, which runs itself as a child process.
    var program: String

    func run(_ feeds: [FeedUnderTest], into report: inout BenchmarkReport) throws(BenchmarkError) {
        for feed in feeds { try measure(feed, &report) }
        for feed in feeds where feed.partRadius != nil { try measurePart(feed, &report) }
        for feed in feeds where feed.isCompared { compare(feed, &report) }
    }

    /// Measures the import of a part of a feed, alternately with that of the whole feed.
    private func measurePart(_ feed: FeedUnderTest, _ report: inout BenchmarkReport) throws(BenchmarkError) {
        guard let radius = feed.partRadius else { return }
        let store = "\(settings.cache)/\(feed.name)-part.timetable"
        let counts = "\(settings.cache)/counts"
        Files.warm(feed.path)
        var (times, ratios, peaks) = (Samples(), Samples(), Samples())
        for _ in 0..<feed.repeats {
            let whole = try ChildProcess.run([program, "import", feed.path, "\(settings.cache)/\(feed.name).timetable"])
            let part = try ChildProcess.run([program, "import", feed.path, store, "\(radius)"], output: counts)
            times.add(part.seconds)
            ratios.add(part.seconds / whole.seconds)
            peaks.add(Double(part.peakMemory))
        }
        let stopTimes = Int(Files.text(counts).prefix { $0.isNumber }) ?? 0
        report.add(
            BenchmarkReport.Row(
                job: "import of a part", subject: "\(feed.name) (\(Figure.count(stopTimes)) stop times kept)",
                measured: Figure.seconds(times.median), must: "0.8x", aim: "0.6x",
                verdict: .init(ratios.median, must: 0.8, aim: 0.6),
                details: "ratio to the whole feed \(Figure.ratio(ratios.median))"))
        report.add(
            BenchmarkReport.Row(
                job: "import of a part, peak memory", subject: feed.name, measured: Figure.megabytes(peaks.median),
                must: "80 MB", aim: "50 MB", verdict: .init(peaks.median / 1e6, must: 80, aim: 50),
                details: "radius \(radius) m"))
    }

    private func measure(_ feed: FeedUnderTest, _ report: inout BenchmarkReport) throws(BenchmarkError) {
        let store = "\(settings.cache)/\(feed.name).timetable"
        let counts = "\(settings.cache)/counts"
        Files.warm(feed.path)
        var (own, floor, ratios, peaks, floorPeaks) = (Samples(), Samples(), Samples(), Samples(), Samples())
        for _ in 0..<feed.repeats {
            let ours = try ChildProcess.run([program, "import", feed.path, store], output: counts)
            let theirs = try ChildProcess.run([settings.floor, feed.path, "\(settings.cache)/floor.sqlite"])
            own.add(ours.seconds)
            floor.add(theirs.seconds)
            ratios.add(ours.seconds / theirs.seconds)
            peaks.add(Double(ours.peakMemory))
            floorPeaks.add(Double(theirs.peakMemory))
        }
        let stopTimes = Int(Files.text(counts).prefix { $0.isNumber }) ?? 0
        let subject = "\(feed.name) (\(Figure.count(stopTimes)) stop times)"
        report.add(
            BenchmarkReport.Row(
                job: "import", subject: subject, measured: Figure.seconds(own.median),
                must: feed.memory == nil ? "" : "2.5x", aim: feed.memory == nil ? "" : "1.5x",
                verdict: feed.memory.map { _ in .init(ratios.median, must: 2.5, aim: 1.5) },
                details: "floor \(Figure.seconds(floor.median)), ratio \(Figure.ratio(ratios.median))"))
        let peak = peaks.median / 1e6
        report.add(
            BenchmarkReport.Row(
                job: "import, peak memory", subject: feed.name, measured: Figure.megabytes(peaks.median),
                must: feed.memory.map { Figure.fixed($0.must, 0) + " MB" } ?? "",
                aim: feed.memory.map { Figure.fixed($0.aim, 0) + " MB" } ?? "",
                verdict: feed.memory.map { .init(peak, must: $0.must, aim: $0.aim) },
                details: "floor \(Figure.megabytes(floorPeaks.median))"))
        addSize(of: store, feed, &report)
    }

    private func addSize(of store: String, _ feed: FeedUnderTest, _ report: inout BenchmarkReport) {
        guard let size = Files.size(store), let zip = Files.size(feed.path) else { return }
        let ratio = Double(size) / Double(zip)
        let floor = Files.size("\(settings.cache)/floor.sqlite") ?? 0
        report.add(
            BenchmarkReport.Row(
                job: "timetable file", subject: feed.name, measured: Figure.megabytes(Double(size)), must: "1.0x",
                aim: "0.7x", verdict: .init(ratio, must: 1, aim: 0.7),
                details: "zip \(Figure.megabytes(Double(zip))), ratio \(Figure.ratio(ratio)); "
                    + "floor's file \(Figure.megabytes(Double(floor)))"))
    }

    /// Runs other programs. Each runs once, because they are slow and their results differ by a large factor.
    private func compare(_ feed: FeedUnderTest, _ report: inout BenchmarkReport) {
        compare(feed, "sqlite3 .import", [settings.comparisons + "/sqlite-import"], &report)
        if let python = settings.python {
            compare(feed, "DuckDB", [python, settings.comparisons + "/duckdb-import"], &report)
        }
    }

    private func compare(_ feed: FeedUnderTest, _ name: String, _ command: [String], _ report: inout BenchmarkReport) {
        let store = "\(settings.cache)/comparison.store"
        do {
            let usage = try ChildProcess.run(command + [feed.path, store])
            report.add(
                BenchmarkReport.Row(
                    job: "  for comparison: \(name)", subject: feed.name, measured: Figure.seconds(usage.seconds),
                    details: "peak \(Figure.megabytes(Double(usage.peakMemory))), "
                        + "file \(Figure.megabytes(Double(Files.size(store) ?? 0)))"))
        } catch {
            report.remark("\(name) was skipped for \(feed.name): \(error)")
        }
    }
}
