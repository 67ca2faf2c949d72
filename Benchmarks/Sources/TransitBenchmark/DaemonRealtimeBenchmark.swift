import Glibc
import TransitModel
import TransitStore

/// Measures a real daemon with realtime data: the latency of events to subscribers, and the processor time of a day of
/// refreshes.
struct DaemonRealtimeBenchmark {
    var settings: BenchmarkSettings
    /// The path of this executable, which runs itself as a child process.
    var program: String
    var stops: [String]
    var commute: (from: String, to: String)

    private var feed: String { settings.cache + "/medium.zip" }
    private var store: String { settings.cache + "/medium.timetable" }
    private static let trips = 500

    func run(into report: inout BenchmarkReport) throws(BenchmarkError) {
        try measureSubscribers(&report)
        try measureDay(&report)
    }

    // MARK: Subscribers

    private func measureSubscribers(_ report: inout BenchmarkReport) throws(BenchmarkError) {
        let message = settings.cache + "/subscribers.pb"
        let (bodies, hubs) = try messages()
        try Files.write(bodies[0], to: message)
        var daemon = DaemonUnderTest(
            settings: settings, feed: feed, commute: commute, tripUpdates: "file://\(message)")
        try daemon.prepare()
        try daemon.importFeed()
        // The daemon waits at least five seconds between requests to a source. The pause between two rounds is eight
        // seconds on this clock.
        daemon.rate = 20
        for (name, isShared) in [("one board", true), ("200 boards of busy stops", false)] {
            try Files.write(bodies[0], to: message)
            try daemon.whileRunning { (_, client) throws(BenchmarkError) in
                try DaemonUnderTest.check(try client.answer(DaemonUnderTest.refresh))
                let stops = try Self.stopsWithChangingBoards(hubs, &client)
                let subscribers = try Subscribers(count: 200, socket: daemon.socket) { number in
                    let stop = stops[isShared ? 0 : number % stops.count]
                    let count = isShared ? 5 : Self.boardLength + number / stops.count
                    return #"{"topic":"departures","stop":"\#(DaemonUnderTest.feedID):\#(stop)","count":\#(count)}"#
                }
                try measurePushLatency(subscribers, &client, message, bodies, name, isBounded: isShared, &report)
            }
        }
    }

    private static let boardLength = 10

    /// Returns the stops whose boards change with each message, because most of their next departures are live.
    private static func stopsWithChangingBoards(_ stops: [String], _ client: inout SocketClient) throws(BenchmarkError)
        -> [String]
    {
        var stopsWithChangingBoards: [String] = []
        for stop in stops {
            let board = try client.answer(
                #"{"jsonrpc":"2.0","id":1,"method":"departures","params":{"stop":"\#(DaemonUnderTest.feedID):\#(stop)","#
                    + #""count":\#(boardLength)}}"#)
            try DaemonUnderTest.check(board)
            if board.split(separator: #""source":"live""#).count > boardLength / 2 {
                stopsWithChangingBoards.append(stop)
            }
        }
        guard !stopsWithChangingBoards.isEmpty else { throw BenchmarkError("no stop has enough live departures") }
        return stopsWithChangingBoards
    }

    /// Returns two messages with different times for every trip, and the stops with calls of the most trips.
    private func messages() throws(BenchmarkError) -> (bodies: [[UInt8]], hubs: [String]) {
        do {
            guard let now = Instant(rfc3339: DaemonUnderTest.moment) else { throw BenchmarkError("no moment") }
            let file = try TimetableFile(path: store)
            let maker = try TripUpdateGenerator(file, trips: Self.trips, around: now)
            let bodies = try (0...1).map { try maker.message(at: now.advanced(by: 60), shift: Int32($0 * 75)) }
            return (bodies, try maker.hubs(50).map { try file.stop($0).id.rawValue })
        } catch {
            throw BenchmarkError("\(error)")
        }
    }

    private func measurePushLatency(
        _ subscribers: borrowing Subscribers, _ client: inout SocketClient, _ message: String, _ bodies: [[UInt8]],
        _ name: String, isBounded: Bool, _ report: inout BenchmarkReport
    ) throws(BenchmarkError) {
        var (all, spread) = (Samples(), Samples())
        let request = Array((DaemonUnderTest.refresh + "\n").utf8)
        for turn in 1...(settings.quick ? 5 : 15) {
            // Longer than the daemon's minimum interval between two events.
            usleep(400_000)
            try Files.write(bodies[turn % 2], to: message)
            subscribers.drain()
            let start = BenchmarkStopwatch.now()
            try client.send(request)
            let (first, last) = try subscribers.waitForEvents(seconds: 10)
            try client.skipLine()
            all.add(Double(last - start) / 1e6)
            spread.add(Double(last - first) / 1e6)
        }
        report.add(
            BenchmarkReport.Row(
                job: "200 subscribers, until the last event", subject: name,
                measured: Figure.fixed(all.median, 1) + " ms", must: isBounded ? "20 ms" : "",
                aim: isBounded ? "5 ms" : "", verdict: isBounded ? .init(all.median, must: 20, aim: 5) : nil,
                details: "from the request to refresh \(Self.trips) trips, including the refresh; "
                    + "first to last \(Figure.fixed(spread.median, 1)) ms; worst \(Figure.fixed(all.percentile(100), 1)) ms; "
                    + "\(subscribers.connectionCount) connections"))
    }

    // MARK: A day

    /// The duration on the daemon's clock, in hours. The result is scaled to 24 hours.
    private var hours: Int { settings.quick ? 2 : 8 }
    /// The rate of the daemon's clock. It is low enough that a fetch takes only a small part of the minute until the next
    /// one, even on a slow machine.
    private static let rate = 400

    private func measureDay(_ report: inout BenchmarkReport) throws(BenchmarkError) {
        let (port, answers) = (settings.cache + "/upstream.port", settings.cache + "/upstream.answers")
        _ = try ChildProcess.run(["rm", "-f", port, answers])
        let upstream = try ChildProcess(
            [program, "upstream", store, String(Self.trips), String(Self.rate), port, answers],
            errors: settings.cache + "/upstream.log")
        do throws(BenchmarkError) {
            for _ in 0..<1_000 where Files.text(port).isEmpty { usleep(10_000) }
            try measureDay("http://127.0.0.1:\(Files.text(port))/trips.pb", answers, &report)
        } catch {
            _ = try upstream.stop()
            throw error
        }
        _ = try upstream.stop()
    }

    private func measureDay(_ url: String, _ answers: String, _ report: inout BenchmarkReport) throws(BenchmarkError) {
        var daemon = DaemonUnderTest(settings: settings, feed: feed, commute: commute, tripUpdates: url)
        try daemon.prepare()
        try daemon.importFeed()
        daemon.rate = Self.rate
        try daemon.whileRunning { (process, client) throws(BenchmarkError) in
            _ = try DaemonUnderTest.check(try client.answer(Self.watchedBoard(stops[0])))
            let answered = Int(Files.text(answers)) ?? 0
            let before = ProcessCounters(process.process).processorTicks
            try client.follow(seconds: hours * 3_600 / Self.rate)
            let ticks = ProcessCounters(process.process).processorTicks - before
            let fetches = (Int(Files.text(answers)) ?? 0) - answered
            let day = Double(ticks) / 100 * 24 / Double(hours)
            let isWhole = fetches >= hours * 54
            report.add(
                BenchmarkReport.Row(
                    job: "a day of refresh, processor time", subject: "\(Self.trips) trips, one subscriber",
                    measured: Figure.fixed(day, 1) + " s", must: "60 s", aim: "20 s",
                    verdict: isWhole ? .init(day, must: 60, aim: 20) : .fail,
                    details: "\(fetches) fetches in \(hours) h of a clock with rate \(Self.rate), "
                        + "times \(Figure.fixed(24 / Double(hours), 0)); loopback HTTP, a new message in each response")
            )
        }
    }

    private static func watchedBoard(_ stop: String) -> String {
        #"{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"topics":[{"topic":"departures","#
            + #""stop":"\#(DaemonUnderTest.feedID):\#(stop)"}]}}"#
    }
}
