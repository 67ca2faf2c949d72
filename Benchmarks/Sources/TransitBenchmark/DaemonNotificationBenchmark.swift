import Glibc

/// Measures notifications of a real daemon with the medium feed: the latency to a subscriber, and the memory.
struct DaemonNotificationBenchmark {
    var settings: BenchmarkSettings
    var stops: [String]
    var commute: (from: String, to: String)

    private static let subjects = 20

    func run(into report: inout BenchmarkReport) throws(BenchmarkError) {
        var daemon = DaemonUnderTest(settings: settings, feed: settings.cache + "/medium.zip", commute: commute)
        try daemon.prepare()
        try daemon.importFeed()
        // The identifier of a test contains the second of the daemon's clock.
        daemon.rate = 20
        try daemon.withProcess { (process) throws(BenchmarkError) in
            let departures = try departures(daemon)
            let before = try idleMemory(process)
            let samples = try notified(of: departures, by: daemon)
            let after = try idleMemory(process)
            let latency = samples.percentile(99)
            report.add(
                BenchmarkReport.Row(
                    job: "notification decided until the subscriber's line, p99", subject: "one subscriber",
                    measured: Figure.fixed(latency, 2) + " ms", must: "25 ms",
                    verdict: .init(latency, must: 25, aim: nil),
                    details: "from the request notify.test; p50 \(Figure.fixed(samples.median, 2)) ms; "
                        + "\(samples.values.count) notifications"))
            let growth = Double(after - before)
            report.add(
                BenchmarkReport.Row(
                    job: "memory of notifications", subject: "\(departures.count) subjects",
                    measured: Figure.megabytes(growth), must: "4 MB", verdict: .init(growth / 1e6, must: 4, aim: nil),
                    details: "growth of the proportional set from \(Figure.megabytes(Double(before)))"))
        }
    }

    /// Turns notifications of the departures on, and returns the latencies to a subscriber.
    private func notified(
        of departures: [String], by daemon: DaemonUnderTest
    ) throws(BenchmarkError) -> Samples {
        var client = try daemon.connect(seconds: 10)
        try Self.request("notify.enable", #"{"is_on":true}"#, &client)
        for departure in departures {
            try Self.request("usual.pin", #"{"departure":"\#(departure)"}"#, &client)
        }
        var subscriber = try daemon.connect(seconds: 10)
        try Self.request("subscribe", #"{"topics":[{"topic":"notifications"}]}"#, &subscriber)
        return try latencies(&client, &subscriber)
    }

    private static func request(
        _ method: String, _ parameters: String, _ client: inout SocketClient
    ) throws(BenchmarkError) {
        try DaemonUnderTest.check(
            try client.answer(#"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(parameters)}"#))
    }

    /// Returns the identifiers of departures at different stops. The requests also warm the daemon up.
    private func departures(_ daemon: DaemonUnderTest) throws(BenchmarkError) -> [String] {
        var client = try daemon.connect(seconds: 10)
        var identifiers: [String] = []
        for stop in stops.prefix(500) {
            let board = try client.answer(
                #"{"jsonrpc":"2.0","id":1,"method":"departures","params":{"stop":"\#(DaemonUnderTest.feedID):\#(stop)"}}"#
            )
            try DaemonUnderTest.check(board)
            guard identifiers.count < Self.subjects, let list = board.firstRange(of: #""departures":[{"id":""#) else {
                continue
            }
            identifiers.append(String(board[list.upperBound...].prefix { $0 != "\"" }))
        }
        guard !identifiers.isEmpty else { throw BenchmarkError("no stop has departures") }
        return identifiers
    }

    /// Returns the proportional set size in bytes after the clients have left and the daemon has returned free memory.
    private func idleMemory(_ process: ChildProcess) throws(BenchmarkError) -> Int {
        sleep(8)
        return ProcessCounters(process.process).proportional
    }

    private func latencies(
        _ client: inout SocketClient, _ subscriber: inout SocketClient
    ) throws(BenchmarkError) -> Samples {
        let request = Array(#"{"jsonrpc":"2.0","id":1,"method":"notify.test","params":{}}"#.utf8) + [0x0A]
        var samples = Samples()
        for _ in 0..<(settings.quick ? 20 : 100) {
            // Longer than the daemon's minimum interval between two events. Other events are discarded.
            usleep(300_000)
            try subscriber.discard()
            let start = BenchmarkStopwatch.now()
            try client.send(request)
            try subscriber.skipLine()
            samples.add(Double(BenchmarkStopwatch.now() - start) / 1e6)
            try client.skipLine()
        }
        return samples
    }
}
