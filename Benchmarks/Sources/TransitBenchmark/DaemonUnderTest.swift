import Glibc

/// A real transitd with its own directory.
struct DaemonUnderTest {
    var settings: BenchmarkSettings
    /// The identifier of the daemon's only feed.
    var feed: String
    /// The origin and destination stops of `home-to-work`.
    var commute: (from: String, to: String)
    /// The URL of the trip updates; `nil` for none.
    var tripUpdates: String?
    /// The rate of the daemon's clock relative to real time.
    var rate = 1

    static let feedID = "bench"
    /// A Wednesday morning in the calendar of every generated feed.
    static let moment = "2026-06-17T07:30:00+02:00"

    /// The request that fetches the trip updates now.
    static let refresh =
        #"{"jsonrpc":"2.0","id":1,"method":"refresh","params":{"feed":"\#(feedID)","#
        + #""dataset":"trip_updates","force":true}}"#

    /// Returns the request for the board of a stop with three departures.
    static func departures(_ stop: String) -> String {
        #"{"jsonrpc":"2.0","id":1,"method":"departures","params":{"stop":"\#(feedID):\#(stop)","count":3}}"#
    }

    private var folder: String { settings.cache + "/daemon" }
    var socket: String { folder + "/transitd.sock" }
    var log: String { folder + "/log" }

    var environment: [String] {
        [
            "STATE_DIRECTORY=\(folder)/state", "CACHE_DIRECTORY=\(folder)/cache", "RUNTIME_DIRECTORY=\(folder)",
            "CONFIGURATION_DIRECTORY=\(folder)", "TRANSITD_SOCKET=\(socket)",
        ]
    }

    /// Creates the directory with a configuration and without data.
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

    /// Starts a daemon, imports the feed, and stops the daemon.
    func importFeed() throws(BenchmarkError) {
        try whileRunning { (_, client) throws(BenchmarkError) in
            try Self.check(
                try client.answer(
                    #"{"jsonrpc":"2.0","id":1,"method":"feed.update","params":{"feed":"\#(Self.feedID)"}}"#))
        }
    }

    /// Starts the daemon, runs `body`, and stops the daemon.
    func whileRunning(
        _ body: (ChildProcess, inout SocketClient) throws(BenchmarkError) -> Void
    ) throws(BenchmarkError) {
        try withProcess { (process) throws(BenchmarkError) in
            var client = try connect(seconds: 10)
            try body(process, &client)
        }
    }

    /// Starts the daemon, runs `body`, which connects to it, and stops the daemon.
    func withProcess(_ body: (ChildProcess) throws(BenchmarkError) -> Void) throws(BenchmarkError) {
        let process = try start()
        do throws(BenchmarkError) {
            try body(process)
        } catch {
            _ = try process.stop()
            throw error
        }
        _ = try process.stop()
    }

    /// Deletes the network files, which the daemon builds again.
    func removeNetworks() throws(BenchmarkError) {
        let list = folder + "/networks"
        _ = try ChildProcess.run(["find", folder + "/cache", "-name", "*.network", "-print", "-delete"], output: list)
        guard !Files.text(list).isEmpty else { throw BenchmarkError("there is no network file in \(folder)/cache") }
    }

    static func check(_ answer: String) throws(BenchmarkError) {
        guard !answer.contains(#""error":{"code":"#) else {
            throw BenchmarkError("unexpected reply of the daemon: \(answer.prefix(300))")
        }
    }

    /// Connects to the daemon. Retries until it listens or the timeout expires.
    func connect(seconds: Double) throws(BenchmarkError) -> SocketClient {
        let deadline = BenchmarkStopwatch.now() + UInt64(seconds * 1e9)
        while BenchmarkStopwatch.now() < deadline {
            if let client = SocketClient(path: socket) { return client }
            usleep(100)
        }
        throw BenchmarkError("the daemon did not listen within \(Figure.fixed(seconds, 0)) s; see its log")
    }
}

/// The resource usage of a running process.
struct ProcessCounters {
    /// The resident set size in bytes.
    var resident: Int
    /// The proportional set size in bytes.
    var proportional: Int
    /// The memory that no other process shares, in bytes. It includes pages of files that are mapped.
    var privateMemory: Int
    /// The number of context switches of each thread.
    private var switches: [String: Int] = [:]
    /// The processor time in clock ticks of 10 ms.
    var processorTicks: Int

    init(_ process: pid_t) {
        let folder = "/proc/\(process)"
        resident = (Machine.number(after: "VmRSS:", in: Files.text(folder + "/status")) ?? 0) * 1024
        let rollup = Files.text(folder + "/smaps_rollup")
        proportional = (Machine.number(after: "Pss:", in: rollup) ?? 0) * 1024
        privateMemory = Self.privateMemory(in: rollup)
        for thread in Files.names(in: folder + "/task") {
            let status = Files.text("\(folder)/task/\(thread)/status")
            switches[thread] =
                (Machine.number(after: "voluntary_ctxt_switches:", in: status) ?? 0)
                + (Machine.number(after: "nonvoluntary_ctxt_switches:", in: status) ?? 0)
        }
        let fields = Files.text(folder + "/stat").split(separator: ")").last?.split(separator: " ") ?? []
        processorTicks = fields.count > 12 ? (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0) : 0
    }

    static func privateMemory(in rollup: String) -> Int {
        ["Private_Clean:", "Private_Dirty:"].reduce(0) { $0 + (Machine.number(after: $1, in: rollup) ?? 0) } * 1024
    }

    /// Returns the number of context switches since earlier counters. The exit of a thread counts as one.
    func wakeups(since earlier: ProcessCounters) -> Int {
        let ended = earlier.switches.keys.count { switches[$0] == nil }
        return switches.reduce(ended) { $0 + $1.value - (earlier.switches[$1.key] ?? 0) }
    }
}
