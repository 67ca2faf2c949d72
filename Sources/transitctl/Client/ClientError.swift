/// Why no answer came. What the daemon itself refuses is a `ControlError` and comes as ``refused``.
enum ClientError: Error, Equatable {
    /// No daemon listens. `tried` are the paths with what was wrong at each.
    case unreachable(tried: [Attempt], startLine: String)
    /// The socket may not be opened by this user.
    case denied(path: String)
    /// The path is longer than a socket's address can be (sun_path of unix(7), 107 bytes).
    case pathTooLong(path: String)
    /// The daemon takes no further connection, or takes no bytes.
    case busy(path: String)
    /// The connection ended before a whole answer came; `received` counts the bytes of the unfinished one.
    case closed(path: String, received: Int)
    /// Something was sent that is no answer.
    case garbage(path: String, reason: String)
    /// Nothing came in time.
    case silent(path: String, seconds: Int)
    /// Ctrl-C.
    case interrupted
    /// A system call failed that should not.
    case system(call: String, number: Int32)

    struct Attempt: Equatable {
        var path: String
        var reason: String
    }
}

extension ClientError {
    /// The cause and the place, without the program's name; further lines say what to do.
    var message: String {
        switch self {
        case .unreachable(let tried, let startLine):
            let places = tried.map { "\($0.path) (\($0.reason))" }.joined(separator: ", ")
            return "the daemon cannot be reached: tried \(places)\nstart it with: \(startLine)"
        case .denied(let path):
            return "not allowed to use \(path)\nits group may: ask to be added to it, or use a daemon of your own"
        case .pathTooLong(let path):
            return "the socket's path is too long: \(path)"
        case .busy(let path):
            return "the daemon at \(path) takes no more requests now; try again"
        case .closed(let path, 0):
            return "the daemon at \(path) closed the connection without an answer; try again"
        case .closed(let path, let received):
            return "the daemon at \(path) closed the connection after \(received) bytes of an unfinished answer; try again"
        case .garbage(let path, let reason):
            return "what \(path) answered is not the control protocol: \(reason)"
        case .silent(let path, let seconds):
            return "the daemon at \(path) did not answer within \(seconds) s; try again"
        case .interrupted:
            return "cancelled"
        case .system(let call, let number):
            return "\(call) failed: \(SystemError.text(number))"
        }
    }

    var exitStatus: ExitStatus {
        switch self {
        case .unreachable, .garbage: .unavailable
        case .denied: .notAllowed
        case .pathTooLong: .usage
        case .busy, .closed, .silent: .tryAgain
        case .interrupted: .interrupted
        case .system: .failure
        }
    }
}
