internal import CLinux
internal import Glibc
internal import TransitClient
internal import TransitControl

/// The agent that runs hooks. It is installed as `transitd-notify`.
package enum NotificationAgent {
    /// The name of the program.
    package static let name = "transitd-notify"

    /// Runs the agent until it ends.
    ///
    /// - Parameter arguments: The arguments without the name of the program.
    package static func main(_ arguments: [String]) -> Never {
        let options: CommandLineOptions
        do { options = try CommandLineOptions(arguments) } catch {
            finish(
                .usage, "transitd-notify: \(error.message)\nFor help, run: transitd-notify --help\n", to: STDERR_FILENO)
        }
        let folders = HookFolders(Environment.variable, user: geteuid(), executable: ownPath())

        switch options.action {
        case .help: finish(.success, CommandLineOptions.help)
        case .version: finish(.success, "transitd-notify \(ReleaseVersion.text)\n")
        case .check:
            let listing = HookListing(folders: folders).lines()
            finish(listing.isFine ? .success : .failure, listing.lines.map { $0 + "\n" }.joined())
        case .run, .once: break
        }

        // The descriptors of hooks must not be those of standard input, output and error, even if the parent process closed them.
        while true {
            let descriptor = open("/dev/null", O_RDWR | O_CLOEXEC)
            guard (0...2).contains(descriptor) else {
                close(descriptor)
                break
            }
            _ = fcntl(descriptor, F_SETFD, 0)
        }
        umask(0o077)
        // A daemon that closes the connection, or a closed standard error, must not end the agent. Hooks start with the default.
        signal(SIGPIPE, SIG_IGN)
        // The agent waits for its hooks, even if its parent process ignored the signal.
        signal(SIGCHLD, SIG_DFL)
        let caught = [SIGTERM, SIGINT, SIGHUP]
        let signals = linux_signals_pipe(caught, CInt(caught.count))
        let journal = Journal()
        guard signals >= 0 else {
            journal.line(.error, "cannot catch signals: \(ErrnoText.text(errno))")
            finish(.failure)
        }

        var file: HandledEventsFile?
        var handled = HandledEvents()
        if let folder = HandledEventsFile.folder(Environment.variable) {
            do throws(HandledEventsFile.Failure) {
                let opened = try HandledEventsFile.open(inFolder: folder)
                file = opened.file
                handled = opened.events
            } catch {
                switch error {
                case .locked:
                    journal.line(.error, "another transitd-notify of this user is running")
                    finish(.tryAgain)
                case .unusable(let reason):
                    journal.line(.warning, "\(reason); after a restart, hooks may run again for the same event")
                }
            }
        }
        var settings = Agent.Settings(
            socketPath: SocketPath(option: options.socket, environment: Environment.variable), folders: folders,
            language: Environment.language(Environment.variable))
        settings.isOnce = options.action == .once
        finish(Agent(settings, file: file, handled: handled, journal: journal).run(signals: signals))
    }

    /// Returns the path of this program without links; `nil` if /proc is not available.
    private static func ownPath() -> String? {
        guard let path = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }

    private static func finish(_ status: ExitStatus, _ text: String = "", to stream: CInt = STDOUT_FILENO) -> Never {
        Journal.print(text, to: stream)
        exit(status.rawValue)
    }
}
