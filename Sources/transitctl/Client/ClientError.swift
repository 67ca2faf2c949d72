internal import TransitControl

/// Why there is no result.
enum ClientError: Error, Equatable {
    /// The daemon answered that it cannot or will not.
    case refused(ControlError)
    /// Nobody listens at the paths tried.
    case unreachable([Attempt])
    /// The same, with the line that starts the daemon.
    case notRunning(tried: [Attempt], startLine: String)
    /// This user may not open the socket. `group` is the group that may.
    case denied(path: String, group: String?)
    /// The path is longer than a socket's address can be (sun_path of unix(7), 107 bytes).
    case pathTooLong(path: String)
    /// The daemon takes no further connection, or takes no bytes.
    case busy(path: String)
    /// The connection ended before a whole answer came; `received` counts the bytes of the unfinished one.
    case closed(path: String, received: Int)
    /// Something was sent that is no answer; `reason` is a sentence.
    case invalidReply(path: String, reason: String)
    /// A result without the form that its method promises; `reason` is a sentence.
    case unexpectedReply(reason: String)
    /// Nothing came in time.
    case silent(path: String, seconds: Int)
    /// Ctrl-C.
    case interrupted
    /// The machine does not know where it is.
    case location(LocationFailure)
    /// The geocoder knows no address like this.
    case noAddress(String)
    /// Several addresses may be meant: each with its coordinates.
    case severalAddresses([String])
    /// The command line is wrong; the message says how.
    case usage(String)
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
        case .refused(let error): error.message
        case .unreachable(let tried): "the daemon cannot be reached: tried \(Self.words(tried))"
        case .notRunning(let tried, let startLine):
            "the daemon cannot be reached: tried \(Self.words(tried))\nstart it with: \(startLine)"
        case .denied(let path, let group?):
            "not allowed to use \(path)\nthe group \(group) may: be added to it by `usermod -aG \(group) NAME` as root and "
                + "log in again, or run a daemon of your own"
        case .denied(let path, nil): "not allowed to use \(path)\nask who it belongs to, or run a daemon of your own"
        case .pathTooLong(let path): "the socket's path is too long: \(path)"
        case .busy(let path): "the daemon at \(path) takes no more requests now; try again"
        case .closed(let path, 0): "the daemon at \(path) closed the connection without an answer; try again"
        case .closed(let path, let received):
            "the daemon at \(path) closed the connection in the middle of an answer, after \(received) bytes; try again"
        case .invalidReply(let path, let reason): "\(path) does not answer like transitd: \(reason)"
        case .unexpectedReply(let reason): reason
        case .silent(let path, let seconds): "the daemon at \(path) did not answer within \(seconds) s; try again"
        case .interrupted: "interrupted"
        case .location(let failure): failure.message
        case .noAddress(let text): "no address was found for \"\(text)\"\ngive the town as well"
        case .severalAddresses(let choices):
            "several addresses may be meant: give the coordinates of one of them"
                + choices.map { "\n\($0)" }.joined()
        case .usage(let message): message
        case .system(let call, let number): "\(call) failed: \(ErrnoText.text(number))"
        }
    }

    private static func words(_ tried: [Attempt]) -> String {
        tried.map { "\($0.path) (\($0.reason))" }.joined(separator: ", ")
    }

    var exitStatus: ExitStatus {
        switch self {
        case .refused(let error): error.exitStatus
        case .unreachable, .notRunning, .invalidReply, .unexpectedReply: .unavailable
        case .denied: .notAllowed
        case .pathTooLong, .usage: .usage
        case .busy, .closed, .silent: .tryAgain
        case .interrupted: .interrupted
        case .location(let failure): failure.exitStatus
        case .system, .noAddress, .severalAddresses: .failure
        }
    }
}

extension ControlError {
    /// Which of the promised exit codes fits.
    var exitStatus: ExitStatus {
        switch kind {
        case .notAllowed: .notAllowed
        case .configurationInvalid: .configuration
        case .invalidParameters, .timeInvalid, .methodNotFound: .usage
        case .canceled: .interrupted
        default: isRetryable ? .tryAgain : .failure
        }
    }
}
