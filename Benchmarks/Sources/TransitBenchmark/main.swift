import Glibc

signal(SIGPIPE, SIG_IGN)
let arguments = Array(CommandLine.arguments.dropFirst())
do throws(BenchmarkError) {
    switch arguments.first {
    case "import" where arguments.count == 3:
        try ImportJob.run(feed: arguments[1], store: arguments[2])
    case "departures" where arguments.count == 3:
        try DepartureJob.run(store: arguments[1], results: arguments[2])
    case "realtime" where arguments.count == 3:
        try RealtimeJob.run(message: arguments[1], repeats: Int(arguments[2]) ?? 1)
    default:
        try Benchmark(settings: Settings(arguments)).run()
    }
} catch {
    let message = Array("bench: \(error)\n".utf8)
    _ = write(STDERR_FILENO, message, message.count)
    exit(1)
}
