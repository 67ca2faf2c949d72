/// The exit statuses documented in transitctl(1). Most numbers come from sysexits.h.
enum ExitStatus: Int32 {
    case success = 0
    case failure = 1
    case usage = 64
    /// The daemon cannot be reached.
    case unavailable = 69
    case tryAgain = 75
    case notAllowed = 77
    case configuration = 78
    /// Interrupted by Ctrl-C; the status that shells report for SIGINT.
    case interrupted = 130
}
