internal import ArgumentParser
internal import CLinux
internal import Glibc
internal import Logging
internal import TransitDaemon
internal import TransitStore
internal import TransitSystem

/// `transitd`: parses its options and runs the daemon in the foreground.
@main
struct Transitd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transitd",
        abstract: "Serves public-transport timetables and realtime departures on a Unix socket.",
        discussion: """
            Runs in the foreground. transitctl is its client. The directories come from \
            systemd ($STATE_DIRECTORY and the like) or from the XDG variables.
            """,
        version: "transitd \(DaemonVersion.text)")

    @Option(
        help: ArgumentHelp(
            "The configuration file (default: config.toml in the configuration directory).", valueName: "file"))
    var config: String?

    @Option(
        help: ArgumentHelp(
            "The control socket (default: $TRANSITD_SOCKET, or transitd.sock in the runtime directory).",
            valueName: "path"))
    var socket: String?

    @Option(
        help: ArgumentHelp(
            "Use a clock that starts at this instant, such as 2026-03-29T00:30:00Z, and runs RATE times as fast.",
            valueName: "instant[/rate]"),
        transform: { text in
            guard let replay = SystemClock.Replay(text) else {
                throw ValidationError(
                    "\"\(text)\" is not an instant such as 2026-03-29T00:30:00Z or 2026-03-29T00:30:00Z/60.")
            }
            return replay
        })
    var replayClock: SystemClock.Replay?

    @Option(
        help: ArgumentHelp(
            "Record all upstream exchanges in this folder, without secrets; see --replay.", valueName: "folder"))
    var record: String?

    @Option(help: ArgumentHelp("The maximum size of the recording, in MiB.", valueName: "mib"))
    var recordLimit: UInt64 = 1024

    @Option(
        help: ArgumentHelp(
            "Take upstream responses from a recording made with --record, at the times of the --replay-clock clock.",
            valueName: "folder"))
    var replay: String?

    @Flag(help: "Serve an embedded demo city that needs no network and no configuration.")
    var demo = false

    @Option(
        help: ArgumentHelp(
            "The folder for the state of --demo (default: a temporary folder).", valueName: "path"))
    var demoFolder: String?

    @Flag(help: "Check the configuration, report its errors, and exit.")
    var checkConfig = false

    func validate() throws {
        if demo && config != nil { throw ValidationError("--demo has its own configuration. Omit --config.") }
        if demoFolder != nil && !demo { throw ValidationError("--demo-folder requires --demo.") }
        if replay != nil && replayClock == nil {
            throw ValidationError("--replay requires --replay-clock, the start time within the recording.")
        }
        if replay != nil && record != nil { throw ValidationError("--record and --replay cannot be combined.") }
        if !(1...1_048_576).contains(recordLimit) {
            throw ValidationError("--record-limit must be between 1 and 1048576 MiB.")
        }
    }

    func run() throws {
        let environment = Self.environment()
        let threshold = LogThreshold(.info)
        let handler = DaemonLogHandler(destination: .current(environment: environment), threshold: threshold)
        let logger = Logger(label: "transitd") { _ in handler }
        // The units set this too. The daemon runs no programs, so this restricts only an attacker. It applies to this
        // thread and to those that it starts, so it comes first.
        if linux_no_new_privileges() != 0 {
            logger.warning("PR_SET_NO_NEW_PRIVS cannot be set: \(String(cString: strerror(errno)))")
        }
        do {
            if checkConfig { return try check(environment) }
            try DaemonExecutor().run { try await serve(environment, logger, threshold) }
        } catch let error as ConfigurationError {
            for problem in error.problems { logger.critical("\(error.line(for: problem))") }
            throw Self.configurationStatus
        } catch let error as StartError {
            logger.critical("\(error)")
            if case .relativeDirectory = error { throw Self.configurationStatus }
            throw ExitCode.failure
        } catch let error as SystemFailure {
            logger.critical("transitd cannot run: \(error).")
            throw ExitCode.failure
        } catch {
            logger.critical("\(error)")
            throw ExitCode.failure
        }
    }

    /// EX_CONFIG of sysexits.h.
    private static let configurationStatus = ExitCode(78)

    private static func environment() -> [String: String] {
        var variables: [String: String] = [:]
        var next = environ
        while let variable = next.pointee {
            let text = String(cString: variable)
            if let end = text.firstIndex(of: "=") {
                variables[String(text[..<end])] = String(text[text.index(after: end)...])
            }
            next += 1
        }
        return variables
    }

    private func serve(_ environment: [String: String], _ logger: Logger, _ threshold: LogThreshold) async throws {
        // A client that disconnects must not cause SIGPIPE to end the daemon.
        signal(SIGPIPE, SIG_IGN)
        let demoFolder = try demo ? DemoFolder(self.demoFolder) : nil
        var directories = try Directories(environment: environment)
        directories.findInstalledCatalog()
        for name in directories.ignoredVariables {
            logger.warning("\(name) is ignored, because \"\(environment[name] ?? "")\" is not an absolute path.")
        }
        var options = Daemon.Options(
            directories: directories, configuration: file(directories),
            socket: socket ?? environment["TRANSITD_SOCKET"],
            replay: replayClock, recording: recording)
        if let demoFolder {
            options.directories = Directories(under: demoFolder.path)
            options.directories.runtime = directories.runtime
        }
        try await Daemon(options, logger: logger, threshold: threshold).run()
    }

    private var recording: RecordingOptions? {
        if let replay { return .replay(folder: replay) }
        return record.map { .record(folder: $0, limit: recordLimit << 20) }
    }

    private func file(_ directories: Directories) -> ConfigurationFile {
        demo ? ConfigurationFile(builtIn: .demo) : ConfigurationFile(path: config, directories: directories)
    }

    private func check(_ environment: [String: String]) throws {
        let file = file(try Directories(environment: environment))
        let configuration = try file.read()
        for warning in configuration.warnings {
            _ = "\(file.line(for: warning))\n".withCString { write(STDERR_FILENO, $0, strlen($0)) }
        }
        let name = file.path ?? "There is no configuration file. The default configuration"
        print(
            "\(name) is valid: \(Self.count(configuration.feeds.count, "feed")), "
                + "\(Self.count(configuration.places.count, "place")), "
                + "\(Self.count(configuration.commutes.count, "commute")).")
    }

    /// "1 feed", "2 feeds".
    private static func count(_ number: Int, _ thing: String) -> String {
        "\(number) \(thing)\(number == 1 ? "" : "s")"
    }
}

/// The folder for the demo's state. If it is temporary, it is removed on deallocation.
private final class DemoFolder {
    let path: String
    private let isTemporary: Bool

    /// - Parameter path: A folder to keep; `nil` for a temporary one.
    init(_ path: String?) throws {
        isTemporary = path == nil
        self.path = try path ?? FileSystem.makeTemporaryDirectory("transitd-demo-")
    }

    deinit {
        if isTemporary { try? FileSystem.remove(path) }
    }
}
