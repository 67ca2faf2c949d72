internal import TransitControl
package import TransitWire

/// A failure of a command.
package enum ClientError: Error, Equatable {
    /// The daemon responded with an error.
    case refused(ControlError)
    /// No daemon is listening at any of the paths.
    case unreachable([Attempt])
    /// No daemon is listening at any of the paths. The remedies are what the user can do, the most likely one first.
    case notRunning(tried: [Attempt], remedies: [String])
    /// The user lacks permission to open the socket.
    case denied(path: String, remedy: String)
    /// The path exceeds the maximum length of a socket address (sun_path of unix(7), 107 bytes).
    case pathTooLong(path: String)
    /// The daemon accepts no more connections, or does not read the request.
    case busy(path: String)
    /// The connection ended before a complete response arrived. `received` is the number of bytes of the incomplete
    /// response.
    case closed(path: String, received: Int)
    /// The data received is not a response. `reason` is a sentence.
    case invalidReply(path: String, reason: String)
    /// The result does not match the schema of its method. `reason` is a sentence.
    case unexpectedReply(reason: String)
    /// No response arrived in time.
    case silent(path: String, seconds: Int)
    /// The user pressed Ctrl-C.
    case interrupted
    /// The location of the machine could not be determined.
    case location(LocationFailure)
    /// The geocoder found no address.
    case noAddress(String)
    /// The geocoder found several addresses, listed with their coordinates.
    case severalAddresses([String])
    /// The command line is invalid. The message describes the problem.
    case usage(String)
    /// A command failed without the daemon. The message is a sentence.
    case failed(String)
    /// A system call failed unexpectedly.
    case system(call: String, number: Int32)

    package struct Attempt: Equatable {
        package var path: String
        package var reason: String
    }
}

extension ClientError {
    /// The cause, without the name of the program. Further lines suggest a remedy.
    package var message: String {
        switch self {
        case .refused(let error): error.message
        case .unreachable(let tried): "cannot reach the daemon: tried \(Self.words(tried))"
        case .notRunning(let tried, let remedies):
            (["cannot reach the daemon: tried \(Self.words(tried))"] + remedies).joined(separator: "\n")
        case .denied(let path, let remedy): "no permission to use \(path)\n\(remedy)"
        case .pathTooLong(let path): "the path of the socket is too long: \(path)"
        case .busy(let path): "the daemon at \(path) is too busy to accept requests; try again"
        case .closed(let path, 0): "the daemon at \(path) closed the connection without a response; try again"
        case .closed(let path, let received):
            "the daemon at \(path) closed the connection in the middle of a response, after \(received) bytes; try again"
        case .invalidReply(let path, let reason): "\(path) is not a transitd socket: \(reason)"
        case .unexpectedReply(let reason): reason
        case .silent(let path, let seconds): "the daemon at \(path) did not respond within \(seconds) s; try again"
        case .interrupted: "interrupted"
        case .location(let failure): failure.message
        case .noAddress(let text): "no address found for \"\(text)\"\ntry adding the name of the city"
        case .severalAddresses(let choices):
            "the address is ambiguous: use the coordinates of one of these"
                + choices.map { "\n\($0)" }.joined()
        case .usage(let message), .failed(let message): message
        case .system(let call, let number): "\(call) failed: \(ErrnoText.text(number))"
        }
    }

    private static func words(_ tried: [Attempt]) -> String {
        tried.map { "\($0.path) (\($0.reason))" }.joined(separator: ", ")
    }

    package var exitStatus: ExitStatus {
        switch self {
        case .refused(let error): error.exitStatus
        case .unreachable, .notRunning, .invalidReply, .unexpectedReply: .unavailable
        case .denied: .notAllowed
        case .pathTooLong, .usage: .usage
        case .busy, .closed, .silent: .tryAgain
        case .interrupted: .interrupted
        case .location(let failure): failure.exitStatus
        case .system, .failed, .noAddress, .severalAddresses: .failure
        }
    }
}

extension ControlError {
    /// The exit status for the error, as documented in transitctl(1).
    package var exitStatus: ExitStatus {
        switch kind {
        case .notAllowed: .notAllowed
        case .configurationInvalid: .configuration
        case .invalidParameters, .timeInvalid, .methodNotFound: .usage
        case .canceled: .interrupted
        default: isRetryable ? .tryAgain : .failure
        }
    }
}

/// The exit statuses documented in transitctl(1). Most numbers come from sysexits.h.
package enum ExitStatus: Int32 {
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
