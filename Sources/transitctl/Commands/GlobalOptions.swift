internal import ArgumentParser

/// The options that all commands have.
struct GlobalOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Connect to the daemon's socket at this path.", valueName: "path"))
    var socket: String?

    @Flag(help: "Print only the result, as one line of JSON.")
    var json = false

    @Flag(help: "Print output for scripts: tab-separated columns, no color.")
    var plain = false

    @Flag(name: .customLong("no-color"), help: "Do not use color.")
    var noColor = false

    @Flag(name: .shortAndLong, help: "Do not print notices or progress.")
    var quiet = false

    @Option(
        help: ArgumentHelp(
            "Show departures or alerts for another time: 08:12, tomorrow 08:00, monday 17:30, or RFC 3339.",
            valueName: "time"))
    var at: String?

    @Option(
        name: [.customShort("n"), .long],
        help: ArgumentHelp(
            "The maximum number of results. Limits: 200 departures, 100 with next, 20 for each favorite, 100 stops, 10 addresses, 30 searches, 500 for other commands.",
            valueName: "count"))
    var count: Int?

    var settings: Settings {
        Settings(
            socket: socket, json: json, plain: plain, noColor: noColor, quiet: quiet, at: at, count: count)
    }
}
