internal import CLinux
internal import Glibc
internal import Logging
internal import TransitDaemon
internal import TransitStore
internal import TransitSystem

/// `transitd`: parses its options and runs the daemon in the foreground.
@main
struct Transitd {
    private let options: DaemonCommandLine

    static func main() {
        do throws(DaemonCommandLine.Problem) {
            let options = try DaemonCommandLine(Array(CommandLine.arguments.dropFirst()))
            switch options.action {
            case .help: print(DaemonCommandLine.help, terminator: "")
            case .version: print("transitd \(DaemonVersion.text)")
            case .run, .checkConfiguration: exit(Transitd(options: options).run())
            }
        } catch {
            report("Error: \(error.message)\n\(DaemonCommandLine.usage)\n")
            report("  See 'transitd --help' for more information.\n")
            exit(EX_USAGE)
        }
    }

    private static func report(_ text: String) {
        _ = text.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    }

    /// Runs the program and returns its exit status.
    private func run() -> Int32 {
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
            if options.action == .checkConfiguration {
                try check(environment)
                return EXIT_SUCCESS
            }
            try DaemonExecutor().run { try await serve(environment, logger, threshold) }
            return EXIT_SUCCESS
        } catch let error as ConfigurationError {
            for problem in error.problems { logger.critical("\(error.line(for: problem))") }
            return EX_CONFIG
        } catch let error as StartError {
            logger.critical("\(error)")
            if case .relativeDirectory = error { return EX_CONFIG }
            return EXIT_FAILURE
        } catch let error as SystemFailure {
            logger.critical("transitd cannot run: \(error).")
            return EXIT_FAILURE
        } catch {
            logger.critical("\(error)")
            return EXIT_FAILURE
        }
    }

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
        let demoFolder = try options.isDemo ? DemoFolder(options.demoFolder) : nil
        var directories = try Directories(environment: environment)
        directories.findInstalledCatalog()
        for name in directories.ignoredVariables {
            logger.warning("\(name) is ignored, because \"\(environment[name] ?? "")\" is not an absolute path.")
        }
        var daemon = Daemon.Options(
            directories: directories, configuration: file(directories),
            socket: options.socket ?? environment["TRANSITD_SOCKET"], replay: options.clock,
            recording: options.recording)
        if let demoFolder {
            daemon.directories = Directories(under: demoFolder.path)
            daemon.directories.runtime = directories.runtime
        }
        try await Daemon(daemon, logger: logger, threshold: threshold).run()
    }

    private func file(_ directories: Directories) -> ConfigurationFile {
        options.isDemo
            ? ConfigurationFile(builtIn: .demo)
            : ConfigurationFile(path: options.configuration, directories: directories)
    }

    private func check(_ environment: [String: String]) throws {
        let file = file(try Directories(environment: environment))
        let configuration = try file.read()
        for warning in configuration.warnings {
            Self.report("\(file.line(for: warning))\n")
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
