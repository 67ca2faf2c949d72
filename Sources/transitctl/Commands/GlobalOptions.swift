internal import ArgumentParser

/// The options that every command takes.
struct GlobalOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Connect to the daemon's socket at this path.", valueName: "path"))
    var socket: String?

    @Flag(help: "Print the method's result as one line of JSON and nothing else.")
    var json = false

    @Flag(help: "Print for scripts: tab-separated columns, no color.")
    var plain = false

    @Flag(name: .customLong("no-color"), help: "Do not use color.")
    var noColor = false

    @Flag(name: .shortAndLong, help: "Print no notices and no progress.")
    var quiet = false

    @Option(
        help: ArgumentHelp(
            "Of departures and alerts: ask for another time: 08:12, tomorrow 08:00, monday 17:30, or RFC 3339.",
            valueName: "time"))
    var at: String?

    @Option(
        name: [.customShort("n"), .long],
        help: ArgumentHelp(
            "How many to print: at most 200 departures, 100 with next, 20 of a favorite, 100 stops, 10 addresses, 30 searches, 500 others.",
            valueName: "count"))
    var count: Int?

    var settings: Settings {
        Settings(
            socket: socket, json: json, plain: plain, noColor: noColor, quiet: quiet, at: at, count: count)
    }
}
