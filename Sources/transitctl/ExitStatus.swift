/// The process's exit codes, as transitctl(1) promises them; the numbers are those of sysexits.h.
enum ExitStatus: Int32 {
    case success = 0
    case failure = 1
    case usage = 64
    /// The daemon cannot be reached.
    case unavailable = 69
    case tryAgain = 75
    case notAllowed = 77
    case configuration = 78
    /// Ctrl-C, as shells report it.
    case interrupted = 130
}
