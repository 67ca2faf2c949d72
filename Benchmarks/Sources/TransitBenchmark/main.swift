import Glibc

signal(SIGPIPE, SIG_IGN)
let arguments = Array(CommandLine.arguments.dropFirst())
do throws(BenchmarkError) {
    switch arguments.first {
    case "import" where arguments.count == 4 && Int(arguments[3]) != nil:
        try ImportJob.run(feed: arguments[1], store: arguments[2], radius: Int(arguments[3]))
    case "import" where arguments.count == 3:
        try ImportJob.run(feed: arguments[1], store: arguments[2])
    case "collection" where arguments.count == 3:
        try CollectionJob.run(answers: arguments[1], store: arguments[2])
    case "departures" where arguments.count == 3:
        try DepartureJob.run(store: arguments[1], results: arguments[2])
    case "realtime" where arguments.count == 3:
        try RealtimeDecodingJob.run(message: arguments[1], repeats: Int(arguments[2]) ?? 1)
    case "live" where arguments.count == 6:
        try RealtimeApplyJob.time(
            store: arguments[1], cache: arguments[2], messages: [arguments[3], arguments[4]],
            repeats: Int(arguments[5]) ?? 1)
    case "live-learning" where arguments.count == 6:
        try RealtimeApplyJob.learning(
            store: arguments[1], cache: arguments[2], messages: [arguments[3], arguments[4]],
            repeats: Int(arguments[5]) ?? 1)
    case "live-memory" where arguments.count == 5:
        try RealtimeApplyJob.memory(store: arguments[1], cache: arguments[2], messages: [arguments[3], arguments[4]])
    case "live-boards" where arguments.count == 5:
        try RealtimeApplyJob.boards(
            store: arguments[1], cache: arguments[2], message: arguments[3], trips: Int(arguments[4]) ?? 1)
    case "delays" where arguments.count > 2:
        try DelayJob.run(store: arguments[1], days: Array(arguments[2...]))
    case "changes" where arguments.count == 2 || arguments.count == 4 && arguments[2] == "--seed":
        try ChangeJob.simulate(store: arguments[1], seed: arguments.count == 4 ? UInt64(arguments[3]) ?? 1 : 1)
    case "changes" where arguments.count > 2:
        try ChangeJob.judge(store: arguments[1], days: Array(arguments[2...]))
    case "journeys" where arguments.count == 4:
        try JourneyJob.run(store: arguments[1], pairs: Int(arguments[2]) ?? 1, results: arguments[3])
    case "ask" where arguments.count == 4:
        try AskJob.run(socket: arguments[1], requests: arguments[2], count: arguments[3])
    case "upstream" where arguments.count == 6:
        try UpstreamJob.run(
            store: arguments[1], trips: Int(arguments[2]) ?? 1, rate: Double(arguments[3]) ?? 1, port: arguments[4],
            results: arguments[5])
    default:
        try Benchmark(settings: BenchmarkSettings(arguments)).run()
    }
} catch {
    let message = Array("bench: \(error)\n".utf8)
    _ = write(STDERR_FILENO, message, message.count)
    exit(1)
}
