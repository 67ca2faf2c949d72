public import TransitSystem

/// The command line of the daemon.
///
/// It has so few options that parsing them with ArgumentParser, which brings Foundation, would add 5 MB for nothing else.
public struct DaemonCommandLine: Sendable {
    public enum Action: Sendable {
        case run
        /// Checks the configuration, and ends.
        case checkConfiguration
        case help
        case version
    }

    /// An invalid command line.
    public struct Problem: Error, Equatable {
        public var message: String
    }

    public private(set) var action = Action.run
    /// The path of the configuration file; `nil` for the default one.
    public private(set) var configuration: String?
    /// The path of the control socket; `nil` for the default one.
    public private(set) var socket: String?
    /// The clock of the daemon; `nil` for that of the machine.
    public private(set) var clock: SystemClock.Replay?
    /// Whether upstream exchanges are recorded or replayed.
    public private(set) var recording: RecordingOptions?
    /// Whether the daemon serves the embedded demo city.
    public private(set) var isDemo = false
    /// The folder for the state of the demo; `nil` for a temporary one.
    public private(set) var demoFolder: String?

    private var record: String?
    private var replay: String?
    /// In MiB.
    private var recordLimit: UInt64 = 1024
    private static let recordLimits: ClosedRange<UInt64> = 1...1_048_576

    /// - Parameter arguments: The arguments without the name of the program.
    public init(_ arguments: [String]) throws(Problem) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            if argument.hasPrefix("--"), parts.count == 2, Self.valueNames[parts[0]] != nil {
                try set(parts[0], to: parts[1])
            } else if Self.valueNames[argument] != nil {
                guard let value = rest.popFirst(), !value.hasPrefix("--") else { throw Self.missing(argument) }
                try set(argument, to: value)
            } else {
                try set(argument)
            }
        }
        // A request for help or the version is answered whatever else is asked.
        if action == .run || action == .checkConfiguration { try check() }
        recording = replay.map { .replay(folder: $0) } ?? record.map { .record(folder: $0, limit: recordLimit << 20) }
    }

    /// The options with a value, and the name of the value.
    private static let valueNames = [
        "--config": "file", "--socket": "path", "--replay-clock": "instant[/rate]", "--record": "folder",
        "--record-limit": "mib", "--replay": "folder", "--demo-folder": "path",
    ]

    private static func missing(_ option: String) -> Problem {
        Problem(message: "Missing value for '\(option) <\(valueNames[option] ?? "")>'")
    }

    private mutating func set(_ flag: String) throws(Problem) {
        switch flag {
        case "--demo": isDemo = true
        case "--check-config": if action == .run { action = .checkConfiguration }
        case "--version": if action != .help { action = .version }
        case "--help", "-h": action = .help
        default:
            let kind = flag.hasPrefix("-") && flag != "-" ? "Unknown option" : "Unexpected argument"
            throw Problem(message: "\(kind) '\(flag)'")
        }
    }

    private mutating func set(_ option: String, to value: String) throws(Problem) {
        guard !value.isEmpty else { throw Self.missing(option) }
        switch option {
        case "--config": configuration = value
        case "--socket": socket = value
        case "--record": record = value
        case "--replay": replay = value
        case "--demo-folder": demoFolder = value
        case "--replay-clock":
            guard let clock = SystemClock.Replay(value) else {
                throw Problem(
                    message: "\"\(value)\" is not an instant such as 2026-03-29T00:30:00Z or 2026-03-29T00:30:00Z/60.")
            }
            self.clock = clock
        default:
            guard let limit = UInt64(value), Self.recordLimits.contains(limit) else {
                throw Problem(message: "--record-limit must be between 1 and \(Self.recordLimits.upperBound) MiB.")
            }
            recordLimit = limit
        }
    }

    private func check() throws(Problem) {
        if isDemo && configuration != nil {
            throw Problem(message: "--demo has its own configuration. Omit --config.")
        }
        if demoFolder != nil && !isDemo { throw Problem(message: "--demo-folder requires --demo.") }
        if replay != nil && clock == nil {
            throw Problem(message: "--replay requires --replay-clock, the start time within the recording.")
        }
        if replay != nil && record != nil { throw Problem(message: "--record and --replay cannot be combined.") }
    }

    public static let usage = """
        Usage: transitd [--config <file>] [--socket <path>] [--replay-clock <instant[/rate]>] [--record <folder>]
                        [--record-limit <mib>] [--replay <folder>] [--demo] [--demo-folder <path>] [--check-config]
        """

    public static let help = """
        Serves public-transport timetables and realtime departures on a Unix socket.

        Runs in the foreground. transitctl is its client. The directories come from
        systemd ($STATE_DIRECTORY and the like) or from the XDG variables.

        \(usage)

        Options:
          --config <file>         The configuration file (default: config.toml in the
                                  configuration directory).
          --socket <path>         The control socket (default: $TRANSITD_SOCKET, or
                                  transitd.sock in the runtime directory).
          --replay-clock <instant[/rate]>
                                  Use a clock that starts at this instant, such as
                                  2026-03-29T00:30:00Z, and runs RATE times as fast.
          --record <folder>       Record all upstream exchanges in this folder, without
                                  secrets; see --replay.
          --record-limit <mib>    The maximum size of the recording, in MiB (default:
                                  1024).
          --replay <folder>       Take upstream responses from a recording made with
                                  --record, at the times of the --replay-clock clock.
          --demo                  Serve an embedded demo city that needs no network and
                                  no configuration.
          --demo-folder <path>    The folder for the state of --demo (default: a
                                  temporary folder).
          --check-config          Check the configuration, report its errors, and exit.
          --version               Show the version.
          -h, --help              Show help information.

        """
}
