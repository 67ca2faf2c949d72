import Glibc

/// A real transitd with a folder of its own.
struct DaemonUnderTest {
    var settings: BenchmarkSettings
    /// The one feed that it has.
    var feed: String
    /// The stops that `home-to-work` leads from and to.
    var commute: (from: String, to: String)
    /// The URL of its trip updates; `nil`: it has none.
    var tripUpdates: String?
    /// Seconds of its clock in a real one.
    var rate = 1

    static let feedID = "bench"
    /// A Wednesday morning within every generated feed's calendar.
    static let moment = "2026-06-17T07:30:00+02:00"

    private var folder: String { settings.cache + "/daemon" }
    var socket: String { folder + "/transitd.sock" }
    var log: String { folder + "/log" }

    var environment: [String] {
        [
            "STATE_DIRECTORY=\(folder)/state", "CACHE_DIRECTORY=\(folder)/cache", "RUNTIME_DIRECTORY=\(folder)",
            "CONFIGURATION_DIRECTORY=\(folder)", "TRANSITD_SOCKET=\(socket)",
        ]
    }

    /// An empty folder with a configuration in it.
    func prepare() throws(BenchmarkError) {
        _ = try ChildProcess.run(["rm", "-rf", folder])
        _ = try ChildProcess.run(["mkdir", "-p", folder + "/state", folder + "/cache"])
        let configuration = """
            [[feed]]
            id = "\(Self.feedID)"
            provider = "gtfs"
            static = "file://\(feed)"
            \(tripUpdates.map { "trip_updates = \"\($0)\"" } ?? "")

            [commute.home-to-work]
            from = "\(Self.feedID):\(commute.from)"
            to = "\(Self.feedID):\(commute.to)"

            """
        try Files.write(configuration, to: folder + "/config.toml")
    }

    func start() throws(BenchmarkError) -> ChildProcess {
        try ChildProcess(
            [
                settings.binaries + "/transitd", "--config", folder + "/config.toml", "--replay-clock",
                "\(Self.moment)/\(rate)",
            ],
            output: folder + "/output", errors: log, environment: environment)
    }

    /// Lets a daemon of its own import the feed.
    func importFeed() throws(BenchmarkError) {
        try whileRunning { (_, client) throws(BenchmarkError) in
            try Self.check(
                try client.answer(
                    #"{"jsonrpc":"2.0","id":1,"method":"feed.update","params":{"feed":"\#(Self.feedID)"}}"#))
        }
    }

    /// Starts the daemon, and stops it again at the end.
    func whileRunning(
        _ body: (ChildProcess, inout SocketClient) throws(BenchmarkError) -> Void
    ) throws(BenchmarkError) {
        let process = try start()
        do throws(BenchmarkError) {
            var client = try connect(seconds: 10)
            try body(process, &client)
        } catch {
            _ = try process.stop()
            throw error
        }
        _ = try process.stop()
    }

    static func check(_ answer: String) throws(BenchmarkError) {
        guard !answer.contains(#""error":{"code":"#) else {
            throw BenchmarkError("the daemon answered \(answer.prefix(300))")
        }
    }

    /// A connection, tried again until the daemon listens.
    func connect(seconds: Double) throws(BenchmarkError) -> SocketClient {
        let deadline = BenchmarkStopwatch.now() + UInt64(seconds * 1e9)
        while BenchmarkStopwatch.now() < deadline {
            if let client = SocketClient(path: socket) { return client }
            usleep(100)
        }
        throw BenchmarkError("the daemon did not listen within \(Figure.fixed(seconds, 0)) s; see its log")
    }
}

/// What the system counts for a running process.
struct ProcessCounters {
    /// Bytes.
    var resident: Int
    /// Bytes, with shared pages counted in parts.
    var proportional: Int
    /// For each thread, how often it gave up the processor or lost it.
    private var switches: [String: Int] = [:]
    /// Clock ticks of 10 ms.
    var processorTicks: Int

    init(_ process: pid_t) {
        let folder = "/proc/\(process)"
        resident = (Machine.number(after: "VmRSS:", in: Files.text(folder + "/status")) ?? 0) * 1024
        proportional = (Machine.number(after: "Pss:", in: Files.text(folder + "/smaps_rollup")) ?? 0) * 1024
        for thread in Files.names(in: folder + "/task") {
            let status = Files.text("\(folder)/task/\(thread)/status")
            switches[thread] =
                (Machine.number(after: "voluntary_ctxt_switches:", in: status) ?? 0)
                + (Machine.number(after: "nonvoluntary_ctxt_switches:", in: status) ?? 0)
        }
        let fields = Files.text(folder + "/stat").split(separator: ")").last?.split(separator: " ") ?? []
        processorTicks = fields.count > 12 ? (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0) : 0
    }

    /// How often any thread ran since an earlier count; the end of a thread counts as one.
    func wakeups(since earlier: ProcessCounters) -> Int {
        let ended = earlier.switches.keys.count { switches[$0] == nil }
        return switches.reduce(ended) { $0 + $1.value - (earlier.switches[$1.key] ?? 0) }
    }
}
