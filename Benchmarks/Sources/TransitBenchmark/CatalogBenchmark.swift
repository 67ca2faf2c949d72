import Glibc

/// Measures searches in the catalog of public feeds over an open connection to a real daemon, which is installed with a
/// copy of the catalog.
struct CatalogBenchmark {
    var settings: BenchmarkSettings

    /// Names of towns in several languages, and texts that match many or no timetables.
    private static let texts = [
        "München", "Lisbon", "Köln", "Warszawa", "london ontario", "San Francisco", "Lyon", "Praha", "Helsinki", "Oslo",
        "transit", "s", "de", "bus", "Verkehrsverbund", "Atlantis", "metro de madrid", "Toronto", "mdb-53", "Kraków",
    ]

    private var folder: String { settings.cache + "/catalog" }
    private var socket: String { folder + "/transitd.sock" }

    func run(into report: inout BenchmarkReport) throws(BenchmarkError) {
        guard let shared = settings.shared else { return }
        let catalog = shared + "/catalog/feeds.csv"
        guard access(catalog, R_OK) == 0 else { return }
        _ = try ChildProcess.run(["rm", "-rf", folder])
        for name in ["state", "cache", "bin", "share/transitd"] {
            _ = try ChildProcess.run(["mkdir", "-p", "\(folder)/\(name)"])
        }
        _ = try ChildProcess.run(["cp", settings.binaries + "/transitd", folder + "/bin/transitd"])
        _ = try ChildProcess.run(["cp", catalog, folder + "/share/transitd/catalog.csv"])
        // Nothing listens on port 9, so the installed copy stays in use.
        try Files.write("[catalog]\nurl = \"http://127.0.0.1:9/feeds.csv\"\n", to: folder + "/config.toml")
        let process = try start()
        do throws(BenchmarkError) { try measure(process, &report) } catch {
            _ = try process.stop()
            throw error
        }
        _ = try process.stop()
    }

    private func start() throws(BenchmarkError) -> ChildProcess {
        try ChildProcess(
            [folder + "/bin/transitd", "--config", folder + "/config.toml"], output: folder + "/output",
            errors: folder + "/log",
            environment: [
                "STATE_DIRECTORY=\(folder)/state", "CACHE_DIRECTORY=\(folder)/cache", "RUNTIME_DIRECTORY=\(folder)",
                "CONFIGURATION_DIRECTORY=\(folder)", "TRANSITD_SOCKET=\(socket)",
            ])
    }

    private func measure(_ process: ChildProcess, _ report: inout BenchmarkReport) throws(BenchmarkError) {
        let texts = (0..<(settings.quick ? 10 : 50)).flatMap { _ in Self.texts }
        let requests = texts.map {
            #"{"jsonrpc":"2.0","id":1,"method":"feed.find","params":{"text":"\#($0)"}}"#
        }
        var client = try connect()
        // The first search reads the catalog.
        let began = BenchmarkStopwatch.now()
        try DaemonUnderTest.check(try client.answer(requests[0]))
        let first = Double(BenchmarkStopwatch.now() - began) / 1e6
        let samples = try client.measure(requests.map { Array(($0 + "\n").utf8) })
        let memory = ProcessCounters(process.process)
        for (percent, must, aim) in [(50.0, 5.0, 1.0), (99.0, 20.0, 5.0)] {
            let value = samples.percentile(percent) / 1e3
            report.add(
                BenchmarkReport.Row(
                    job: "catalog search over an open connection, p\(Int(percent))",
                    subject: "\(Self.texts.count) texts",
                    measured: Figure.fixed(value, 2) + " ms", must: "\(Int(must)) ms", aim: "\(Int(aim)) ms",
                    verdict: .init(value, must: must, aim: aim),
                    details: "first search \(Figure.fixed(first, 0)) ms, then "
                        + "\(Figure.megabytes(Double(memory.resident))) resident"))
        }
    }

    private func connect() throws(BenchmarkError) -> SocketClient {
        for _ in 0..<100_000 {
            if let client = SocketClient(path: socket) { return client }
            usleep(100)
        }
        throw BenchmarkError("the daemon with the catalog did not listen within 10 s; see \(folder)/log")
    }
}
