import Glibc
import TransitModel
import TransitStore

/// Measures journeys of a real daemon with up to 5,000 trips with realtime data: the first one after the start, the memory
/// after many, boards beside searches, and the new answer for a watched journey after a realtime message.
struct DaemonJourneyBenchmark {
    var settings: BenchmarkSettings
    /// The path of this executable, which runs itself as a child process.
    var program: String

    private static let memoryLimits: [String: (must: Double, aim: Double)] = ["medium": (12, 5), "large": (40, 20)]

    func run(into report: inout BenchmarkReport) throws(BenchmarkError) {
        for name in settings.quick ? ["medium"] : ["medium", "large"] {
            let feed = try Feed(name, settings)
            try feed.daemon.prepare()
            try feed.daemon.importFeed()
            if name == "medium" {
                try measureFirst(feed, &report)
                try measureBoards(feed, &report)
                try measureWatched(feed, &report)
            }
            try measureMemory(feed, &report)
        }
    }

    /// A daemon with one feed and its realtime data, and the requests to it.
    private struct Feed {
        let name: String
        var daemon: DaemonUnderTest
        let stops: [String]
        /// Two messages about the same trips with different times.
        let messages: [[UInt8]]
        let messagePath: String

        init(_ name: String, _ settings: BenchmarkSettings) throws(BenchmarkError) {
            self.name = name
            let store = "\(settings.cache)/\(name).timetable"
            let queries = try DaemonQueries(store: store, count: settings.quick ? 500 : 2_000)
            stops = queries.stops
            messagePath = "\(settings.cache)/journeys-\(name).pb"
            daemon = DaemonUnderTest(
                settings: settings, feed: "\(settings.cache)/\(name).zip", commute: queries.commute,
                tripUpdates: "file://\(messagePath)")
            do {
                guard let now = Instant(rfc3339: DaemonUnderTest.moment) else { throw BenchmarkError("no moment") }
                let trips = try TripUpdateGenerator(
                    TimetableFile(path: store), trips: JourneyJob.reportedTrips, around: now)
                messages = try (0...1).map { try trips.message(at: now.advanced(by: 60), shift: Int32($0 * 75)) }
            } catch {
                throw BenchmarkError("\(error)")
            }
            try Files.write(messages[0], to: messagePath)
        }

        /// Requests for journeys between random stops.
        func journeys(_ count: Int) -> [String] {
            (0..<count).map { number in
                let (from, to) = (stops[number % stops.count], stops[(number * 7 + 1) % stops.count])
                return #"{"jsonrpc":"2.0","id":1,"method":"journeys","params":{"#
                    + #""from":"\#(DaemonUnderTest.feedID):\#(from)","#
                    + #""to":"\#(DaemonUnderTest.feedID):\#(to)"}}"#
            }
        }

        func departures(_ count: Int) -> [String] { stops.prefix(count).map(DaemonUnderTest.departures) }
    }

    // MARK: The first journey

    private func measureFirst(_ feed: Feed, _ report: inout BenchmarkReport) throws(BenchmarkError) {
        for (subject, isBuilt, limit) in [
            ("medium, network file there", true, (must: 40.0, aim: 15.0)),
            ("medium, network file to be built", false, (must: 300, aim: 150)),
        ] {
            var (first, whole) = (Samples(), Samples())
            for (request, board) in zip(feed.journeys(settings.quick ? 3 : 15), feed.departures(15)) {
                if !isBuilt { try feed.daemon.removeNetworks() }
                let start = BenchmarkStopwatch.now()
                try feed.daemon.whileRunning { (_, client) throws(BenchmarkError) in
                    try DaemonUnderTest.check(try client.answer(board))
                    let ready = BenchmarkStopwatch.now()
                    try DaemonUnderTest.check(try client.answer(request))
                    let end = BenchmarkStopwatch.now()
                    first.add(Double(end - ready) / 1e6)
                    whole.add(Double(end - start) / 1e6)
                }
            }
            report.add(
                BenchmarkReport.Row(
                    job: "first journey after start", subject: subject,
                    measured: Figure.fixed(first.median, 1) + " ms", must: Figure.fixed(limit.must, 0) + " ms",
                    aim: Figure.fixed(limit.aim, 0) + " ms",
                    verdict: .init(first.median, must: limit.must, aim: limit.aim),
                    details: "after the first board; worst \(Figure.fixed(first.percentile(100), 1)) ms; "
                        + "from exec \(Figure.fixed(whole.median, 1)) ms with realtime data to be read"))
        }
    }

    // MARK: Boards beside searches

    private static let clients = 4

    private func measureBoards(_ feed: Feed, _ report: inout BenchmarkReport) throws(BenchmarkError) {
        try feed.daemon.whileRunning { (_, client) throws(BenchmarkError) in
            try DaemonUnderTest.check(try client.answer(DaemonUnderTest.refresh))
            let boards = feed.departures(2_000).map { Array(($0 + "\n").utf8) }
            _ = try client.measure(boards)
            let alone = try client.measure(boards)
            let (requests, counts) = (settings.cache + "/journeys.requests", settings.cache + "/journeys.count")
            try Files.write(feed.journeys(1_000).joined(separator: "\n") + "\n", to: requests)
            var others: [ChildProcess] = []
            defer { for other in others { _ = try? other.stop() } }
            for number in 0..<Self.clients {
                others.append(
                    try ChildProcess([program, "ask", feed.daemon.socket, requests, "\(counts).\(number)"]))
            }
            // Until all of them ask.
            sleep(1)
            var beside = Samples()
            let end = BenchmarkStopwatch.now() + (settings.quick ? 2_000_000_000 : 6_000_000_000)
            while BenchmarkStopwatch.now() < end { beside.add(contentsOf: try client.measure(boards)) }
            for other in others { _ = try other.stop() }
            others = []
            let answered = (0..<Self.clients).reduce(0) { $0 + (Int(Files.text("\(counts).\($1)")) ?? 0) }
            guard answered > 0 else { throw BenchmarkError("the clients received no journeys") }
            let value = beside.percentile(99) / 1e3
            report.add(
                BenchmarkReport.Row(
                    job: "departures beside four clients that ask for journeys, p99", subject: "medium",
                    measured: Figure.fixed(value, 2) + " ms", must: "1 ms", aim: "0.3 ms",
                    verdict: .init(value, must: 1, aim: 0.3),
                    details: "p50 \(Figure.microseconds(beside.median)) us; alone "
                        + "\(Figure.microseconds(alone.median)) and \(Figure.microseconds(alone.percentile(99))) us; "
                        + "\(Figure.count(beside.values.count)) boards, \(answered) journeys"))
        }
    }

    // MARK: A watched journey

    private func measureWatched(_ feed: Feed, _ report: inout BenchmarkReport) throws(BenchmarkError) {
        var daemon = feed.daemon
        // The daemon waits at least five seconds between requests to a source. The pause between two rounds is eight
        // seconds on this clock.
        daemon.rate = 20
        try Files.write(feed.messages[0], to: feed.messagePath)
        try daemon.whileRunning { (_, client) throws(BenchmarkError) in
            try DaemonUnderTest.check(try client.answer(DaemonUnderTest.refresh))
            let topic = try Self.watchedTopic(feed, &client)
            var subscriber = try daemon.connect(seconds: 10)
            let first = try subscriber.answer(
                #"{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"topics":[\#(topic)]}}"#)
            try DaemonUnderTest.check(first)
            let refresh = Array((DaemonUnderTest.refresh + "\n").utf8)
            var (after, total) = (Samples(), Samples())
            for turn in 1...(settings.quick ? 5 : 25) {
                usleep(400_000)
                try Files.write(feed.messages[turn % 2], to: feed.messagePath)
                try subscriber.discard()
                let start = BenchmarkStopwatch.now()
                try client.send(refresh)
                // The reply is sent when the message is applied.
                try client.skipLine()
                let applied = BenchmarkStopwatch.now()
                try subscriber.wait(seconds: 10)
                try subscriber.skipLine()
                let end = BenchmarkStopwatch.now()
                after.add(Double(end - applied) / 1e6)
                total.add(Double(end - start) / 1e6)
            }
            report.add(
                BenchmarkReport.Row(
                    job: "realtime message applied until the new answer of a watched journey", subject: "medium",
                    measured: Figure.fixed(after.median, 1) + " ms", must: "20 ms", aim: "5 ms",
                    verdict: .init(after.median, must: 20, aim: 5),
                    details: "worst \(Figure.fixed(after.percentile(100), 1)) ms; with fetching and applying "
                        + "\(JourneyJob.reportedTrips) trips \(Figure.fixed(total.median, 1)) ms; journeys with changes"
                ))
        }
    }

    /// Returns the topic of two stops whose next journey has a change and realtime data.
    private static func watchedTopic(_ feed: Feed, _ client: inout SocketClient) throws(BenchmarkError) -> String {
        for request in feed.journeys(200) {
            let reply = try client.answer(request)
            guard reply.split(separator: #""source":"live""#).count > 4, !reply.contains(#""changes":0"#),
                reply.contains(#""changes":"#), let ends = request.firstRange(of: #""from""#)
            else { continue }
            return #"{"topic":"next","changes":3,"# + request[ends.lowerBound...].dropLast(2) + "}"
        }
        throw BenchmarkError("no journey has realtime data")
    }

    // MARK: Memory

    private func measureMemory(_ feed: Feed, _ report: inout BenchmarkReport) throws(BenchmarkError) {
        guard let limit = Self.memoryLimits[feed.name] else { return }
        try Files.write(feed.messages[0], to: feed.messagePath)
        try feed.daemon.withProcess { (process) throws(BenchmarkError) in
            _ = try ask([DaemonUnderTest.refresh] + feed.departures(200), feed.daemon)
            let before = idle(process)
            let latencies = try ask(feed.journeys(1_000), feed.daemon)
            let after = idle(process)
            let growth = Double(after.privateMemory - before.privateMemory)
            report.add(
                BenchmarkReport.Row(
                    job: "private memory after 1000 journeys", subject: feed.name,
                    measured: Figure.megabytes(growth), must: "\(Figure.fixed(limit.must, 0)) MB",
                    aim: "\(Figure.fixed(limit.aim, 0)) MB",
                    verdict: .init(growth / 1e6, must: limit.must, aim: limit.aim),
                    details: "more than \(Figure.megabytes(Double(before.privateMemory))) after 200 boards; a request "
                        + "with its reply p50 \(Figure.fixed(latencies.median, 1)) ms, "
                        + "p99 \(Figure.fixed(latencies.percentile(99), 1)) ms"))
        }
    }

    /// Sends requests over one connection. Returns their latencies in milliseconds.
    private func ask(_ requests: [String], _ daemon: DaemonUnderTest) throws(BenchmarkError) -> Samples {
        var client = try daemon.connect(seconds: 10)
        var latencies = Samples()
        for request in requests {
            let start = BenchmarkStopwatch.now()
            let reply = try client.answer(request)
            latencies.add(Double(BenchmarkStopwatch.now() - start) / 1e6)
            try DaemonUnderTest.check(reply)
        }
        return latencies
    }

    /// Returns the counters after the clients have left and the daemon has returned free memory.
    private func idle(_ process: ChildProcess) -> ProcessCounters {
        sleep(8)
        return ProcessCounters(process.process)
    }
}

/// Runs in the child process: asks a daemon without pause.
enum AskJob {
    /// The number of seconds after which the process ends by itself.
    private static let limit = 60.0

    /// Sends the lines of a file over and over, each after the reply to the one before, until SIGTERM, and writes the
    /// number of replies to a file.
    static func run(socket: String, requests: String, count: String) throws(BenchmarkError) {
        let lines = Files.text(requests).split(separator: "\n").map { Array(($0 + "\n").utf8) }
        guard !lines.isEmpty, var client = SocketClient(path: socket) else {
            throw BenchmarkError("cannot ask the daemon")
        }
        signal(SIGTERM) { _ in AskJob.isEnded = 1 }
        let end = BenchmarkStopwatch.now() + UInt64(limit * 1e9)
        var answered = Int(getpid()) % lines.count
        let first = answered
        while isEnded == 0, BenchmarkStopwatch.now() < end {
            _ = try client.perform(lines[answered % lines.count])
            answered += 1
        }
        try Files.write("\(answered - first)", to: count)
    }

    nonisolated(unsafe) private static var isEnded: sig_atomic_t = 0
}
