/// The options of the program.
struct CommandLineOptions: Equatable {
    enum Action: Equatable {
        case run
        /// Handles what is unfinished, and ends.
        case once
        /// Lists the hooks.
        case check
        case help
        case version
    }

    var action = Action.run
    var socket: String?

    /// An invalid command line.
    struct Problem: Error, Equatable {
        var message: String
    }

    init(_ arguments: [String]) throws(Problem) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--once": try set(.once, argument)
            case "--check": try set(.check, argument)
            case "--help", "-h": action = .help
            case "--version": action = .version
            case "--socket":
                guard let path = rest.popFirst(), !path.isEmpty else { throw Problem(message: "--socket needs a path") }
                socket = path
            case _ where argument.hasPrefix("--socket="):
                socket = String(argument.dropFirst("--socket=".count))
                guard socket != "" else { throw Problem(message: "--socket needs a path") }
            default: throw Problem(message: "unknown argument \(PrintableText.clean(argument))")
            }
        }
    }

    private mutating func set(_ new: Action, _ name: String) throws(Problem) {
        guard action == .run || action == new else {
            throw Problem(message: "--once and --check cannot be combined")
        }
        action = new
    }

    static let help = """
        Runs hooks for transitd notifications.

        Usage: transitd-notify [--socket PATH] [--once | --check]

          --socket PATH  Connect to the daemon's socket at this path.
          --once         Run the hooks of what is unfinished, and end.
          --check        List the hooks, and why each is run or not.
          --version      Print the version.
          --help         Print this help.

        The manual pages are transitd-notify(1) and transitd-hooks(5).

        """
}
