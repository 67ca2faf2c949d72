/// A run of all benchmarks.
struct Benchmark {
    var settings: BenchmarkSettings

    func run() throws(BenchmarkError) {
        let started = BenchmarkStopwatch.now()
        var report = BenchmarkReport()
        if Machine.load > 0.5 {
            report.remark("The machine was busy at the start: load \(Figure.fixed(Machine.load, 2)).")
        }
        let program = "/proc/self/exe"
        let feeds = FeedUnderTest.all(settings)
        print("bench: import")
        try ImportBenchmark(settings: settings, program: program).run(feeds, into: &report)
        print("bench: a collected network")
        try CollectionBenchmark(settings: settings, program: program).run(into: &report)
        print("bench: departures in process")
        try DepartureBenchmark(settings: settings, program: program).run(feeds, into: &report)
        print("bench: journeys")
        try JourneyBenchmark(settings: settings, program: program).run(feeds, into: &report)
        print("bench: GTFS-Realtime")
        try RealtimeDecodingBenchmark(settings: settings, program: program).run(into: &report)
        try RealtimeApplyBenchmark(settings: settings, program: program).run(into: &report)
        print("bench: learned delays")
        try DelayBenchmark(settings: settings, program: program).run(into: &report)
        print("bench: judged changes")
        try ChangeBenchmark(settings: settings, program: program).run(into: &report)
        print("bench: notifications")
        try NotificationBenchmark(settings: settings).run(into: &report)
        print("bench: instructions")
        try InstructionBenchmark(settings: settings).run(into: &report)
        print("bench: the daemon")
        try measureDaemon(&report)
        let minutes = Double(BenchmarkStopwatch.now() - started) / 60e9
        print("\n" + report.table)
        try Files.write(ResultsDocument.markdown(report, settings, minutes: minutes), to: settings.results)
        print("bench: \(Figure.fixed(minutes, 1)) minutes; results are in \(settings.results)")
    }
}

extension Benchmark {
    /// Measures the daemon with the medium feed, whose timetable file the import benchmark has created.
    private func measureDaemon(_ report: inout BenchmarkReport) throws(BenchmarkError) {
        guard Files.exists(settings.binaries + "/transitd"), Files.exists(settings.binaries + "/transitctl") else {
            report.remark("The daemon was not measured because there is no release build of transitd and transitctl.")
            return
        }
        let queries = try DaemonQueries(
            store: settings.cache + "/medium.timetable", count: settings.quick ? 500 : 2_000)
        let daemon = DaemonUnderTest(
            settings: settings, feed: settings.cache + "/medium.zip", commute: queries.commute)
        try DaemonBenchmark(daemon: daemon, stops: queries.stops, names: queries.names, quick: settings.quick)
            .run(into: &report)
        try BarBenchmark(daemon: daemon, quick: settings.quick).run(into: &report)
        try CatalogBenchmark(settings: settings).run(into: &report)
        try DaemonJourneyBenchmark(settings: settings, program: "/proc/self/exe").run(into: &report)
        try DaemonRealtimeBenchmark(
            settings: settings, program: "/proc/self/exe", stops: queries.stops, commute: queries.commute
        ).run(into: &report)
        try DaemonNotificationBenchmark(settings: settings, stops: queries.stops, commute: queries.commute)
            .run(into: &report)
    }
}
