import Glibc

/// Measures a real daemon with the medium feed: startup time, latency of requests, and resource usage while idle.
struct DaemonBenchmark {
    var daemon: DaemonUnderTest
    /// The stop identifiers of the requests, in order.
    var stops: [String]
    /// The names of the same stops.
    var names: [String]
    var quick: Bool

    func run(into report: inout BenchmarkReport) throws(BenchmarkError) {
        try daemon.prepare()
        try daemon.importFeed()
        try measureReadiness(&report)
        let process = try daemon.start()
        do throws(BenchmarkError) {
            try measureIdle(process, &report)
            try measureRequests(&report)
            try measureClient(&report)
            try measureCompletion(&report)
            try measureIdle(process, afterRequests: true, &report)
        } catch {
            _ = try process.stop()
            throw error
        }
        _ = try process.stop()
    }

    /// Measures the time from exec to the first reply.
    private func measureReadiness(_ report: inout BenchmarkReport) throws(BenchmarkError) {
        var samples = Samples()
        for round in 0..<(quick ? 5 : 15) {
            let start = BenchmarkStopwatch.now()
            let process = try daemon.start()
            do throws(BenchmarkError) {
                var client = try daemon.connect(seconds: 10)
                try DaemonUnderTest.check(try client.answer(DaemonUnderTest.departures(stops[round])))
                samples.add(Double(BenchmarkStopwatch.now() - start) / 1e6)
            } catch {
                _ = try process.stop()
                throw error
            }
            _ = try process.stop()
        }
        report.add(
            BenchmarkReport.Row(
                job: "ready to answer after start", subject: "medium",
                measured: Figure.fixed(samples.median, 1) + " ms",
                must: "50 ms", aim: "15 ms", verdict: .init(samples.median, must: 50, aim: 15),
                details: "from exec to the first reply, caches warm"))
    }

    private func measureIdle(
        _ process: ChildProcess, afterRequests: Bool = false, _ report: inout BenchmarkReport
    ) throws(BenchmarkError) {
        if !afterRequests {
            var client = try daemon.connect(seconds: 10)
            try DaemonUnderTest.check(try client.answer(DaemonUnderTest.departures(stops[0])))
        }
        // The threads of the pool exit after five seconds without work.
        sleep(quick ? 6 : 12)
        let seconds: UInt32 = quick ? 4 : 10
        let before = ProcessCounters(process.process)
        sleep(seconds)
        let after = ProcessCounters(process.process)
        let resident = Double(after.resident)
        let subject = afterRequests ? "after \(Figure.count(stops.count * 2)) requests" : "after the first request"
        report.add(
            BenchmarkReport.Row(
                job: "daemon idle, memory", subject: subject, measured: Figure.megabytes(resident), must: "24 MB",
                aim: "12 MB", verdict: .init(resident / 1e6, must: 24, aim: 12),
                details: "proportional set \(Figure.megabytes(Double(after.proportional)))"))
        let switches = after.wakeups(since: before)
        let ticks = after.processorTicks - before.processorTicks
        report.add(
            BenchmarkReport.Row(
                job: "daemon idle, wakeups", subject: "\(seconds) s", measured: "\(switches)",
                must: "0 between ticks", verdict: switches == 0 && ticks == 0 ? .aim : .fail,
                details: "processor time \(ticks * 10) ms"))
    }

    private func measureRequests(_ report: inout BenchmarkReport) throws(BenchmarkError) {
        let requests = stops.map { Array((DaemonUnderTest.departures($0) + "\n").utf8) }
        var client = try daemon.connect(seconds: 10)
        for stop in stops.prefix(20) { try DaemonUnderTest.check(try client.answer(DaemonUnderTest.departures(stop))) }
        let awake = ProcessorSleepInhibitor(program: daemon.settings.awake)
        let (cold, warm, floor) = try awake.during { () throws(BenchmarkError) in
            (try client.measure(requests), try client.measure(requests), try echoFloor(requests))
        }
        for (name, samples) in [("a stop for the first time", cold), ("the same stops again", warm)] {
            for (percent, must, aim) in [(50.0, 100.0, 40.0), (99.0, 300.0, 120.0)] {
                let value = samples.percentile(percent)
                let echo = floor.percentile(percent)
                report.add(
                    BenchmarkReport.Row(
                        job: "departures over an open connection, p\(Int(percent))", subject: name,
                        measured: Figure.microseconds(value) + " us", must: "\(Int(must)) us", aim: "\(Int(aim)) us",
                        verdict: .init(value, must: must, aim: aim),
                        details: "C echo \(Figure.microseconds(echo)) us, ratio \(Figure.ratio(value / echo))"))
            }
        }
    }

    private func echoFloor(_ requests: [[UInt8]]) throws(BenchmarkError) -> Samples {
        let socket = daemon.settings.cache + "/echo.sock"
        let server = try ChildProcess([daemon.settings.echo, socket])
        var samples = Samples()
        for _ in 0..<10_000 {
            if var client = SocketClient(path: socket) {
                samples = try client.measure(requests)
                break
            }
            usleep(100)
        }
        _ = try server.stop()
        return samples
    }

    /// Measures the client process alternately with the static C client, which sends the same request.
    private func measureClient(_ report: inout BenchmarkReport) throws(BenchmarkError) {
        let question = #"{"jsonrpc":"2.0","id":1,"method":"next","params":{"commute":"home-to-work"}}"#
        var client = try daemon.connect(seconds: 10)
        try DaemonUnderTest.check(try client.answer(question))
        let own = [daemon.settings.binaries + "/transitctl", "--socket", daemon.socket, "next", "home-to-work"]
        let floor = [daemon.settings.client, daemon.socket, question]
        var (samples, floorSamples, ratios) = (Samples(), Samples(), Samples())
        for _ in 0..<(quick ? 50 : 300) {
            let ours = try ChildProcess.run(own).seconds * 1e3
            let theirs = try ChildProcess.run(floor).seconds * 1e3
            samples.add(ours)
            floorSamples.add(theirs)
            ratios.add(ours / theirs)
        }
        let verdict: BenchmarkReport.Rating = samples.median > 5 ? .fail : ratios.median <= 2.5 ? .aim : .must
        report.add(
            BenchmarkReport.Row(
                job: "transitctl next, p50", subject: "a whole process",
                measured: Figure.fixed(samples.median, 2) + " ms",
                must: "5 ms", aim: "2.5x", verdict: verdict,
                details:
                    "static C client \(Figure.fixed(floorSamples.median, 2)) ms, ratio \(Figure.ratio(ratios.median)), "
                    + "p99 \(Figure.fixed(samples.percentile(99), 2)) ms"))
    }

    /// Measures the process that a shell starts at Tab, for the first three letters of the names of stops.
    private func measureCompletion(_ report: inout BenchmarkReport) throws(BenchmarkError) {
        let client = daemon.settings.binaries + "/transitctl"
        let output = daemon.settings.cache + "/completion"
        var samples = Samples()
        let names = names.prefix(quick ? 50 : 300)
        for name in names {
            let typed = ["complete", "fish", "transitctl", "departures", String(name.prefix(3))]
            let process = try ChildProcess([client] + typed, output: output, environment: daemon.environment)
            samples.add(try process.wait().seconds * 1e3)
            // The line before the names is always there. More names may begin like this one than are listed.
            guard Files.text(output).split(separator: "\n").count > 1 else {
                throw BenchmarkError("\"\(name.prefix(3))\" was not completed, such as to \"\(name)\"")
            }
        }
        for (percent, must, aim) in [(50.0, 5.0, 3.0), (99.0, 20.0, 10.0)] {
            let value = samples.percentile(percent)
            report.add(
                BenchmarkReport.Row(
                    job: "completion of a stop's name, p\(Int(percent))", subject: "a whole process",
                    measured: Figure.fixed(value, 2) + " ms", must: "\(Int(must)) ms", aim: "\(Int(aim)) ms",
                    verdict: .init(value, must: must, aim: aim),
                    details: "three letters of \(names.count) random stops, medium feed"))
        }
    }
}
