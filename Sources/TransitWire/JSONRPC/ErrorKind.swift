/// The stable name of a kind of error, such as `request_too_large`, with its documented properties.
///
/// It is not an enumeration because each protocol adds its own kinds, and because a newer daemon can send kinds that a
/// client does not know. Two kinds with the same name are equal.
public struct ErrorKind: Sendable {
    /// The stable name.
    public let rawValue: String
    /// The JSON-RPC error code: predefined for the first five kinds (JSON-RPC 2.0, section 5.1), and a unique number
    /// from -32000 down for the rest.
    public let code: Int
    /// Whether the same request may succeed later.
    public let isRetryable: Bool
    /// When the error occurs, in one sentence.
    public let summary: String

    public init(_ rawValue: String, code: Int, isRetryable: Bool = false, _ summary: String) {
        self.rawValue = rawValue
        self.code = code
        self.isRetryable = isRetryable
        self.summary = summary
    }

    /// Creates a kind of which only the name is known, with the code of an internal error.
    public init(rawValue: String) { self.init(rawValue, code: -32603, "") }
}

extension ErrorKind: Hashable {
    public static func == (left: ErrorKind, right: ErrorKind) -> Bool { left.rawValue == right.rawValue }
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

// MARK: - The kinds of every JSON-RPC server

extension ErrorKind {
    public static let parseError = ErrorKind(
        "parse_error", code: -32700, "The line is not JSON.")
    public static let invalidRequest = ErrorKind(
        "invalid_request", code: -32600, "The JSON is not a valid request.")
    public static let methodNotFound = ErrorKind(
        "method_not_found", code: -32601, "The method does not exist.")
    public static let invalidParameters = ErrorKind(
        "invalid_parameters", code: -32602, "A parameter is unknown or invalid.")
    public static let internalError = ErrorKind(
        "internal_error", code: -32603, isRetryable: true, "An internal error occurred.")
    public static let requestTooLarge = ErrorKind(
        "request_too_large", code: -32000, "The line is too long; the connection is closed.")
    public static let requestTooSlow = ErrorKind(
        "request_too_slow", code: -32001, isRetryable: true,
        "The line was not completed in time; the connection is closed.")
    public static let responseTooLarge = ErrorKind(
        "response_too_large", code: -32002,
        "The response would be too long; `details` explains how to request less data.")
    public static let tooManyRequests = ErrorKind(
        "too_many_requests", code: -32003, isRetryable: true, "The connection has too many requests in progress.")
    public static let tooManyConnections = ErrorKind(
        "too_many_connections", code: -32004, isRetryable: true,
        "Too many clients are connected; the connection is closed.")
    public static let notAllowed = ErrorKind(
        "not_allowed", code: -32005, "The caller lacks the required permission.")
    public static let canceled = ErrorKind(
        "canceled", code: -32006, isRetryable: true, "The request was canceled.")
    public static let shuttingDown = ErrorKind(
        "shutting_down", code: -32007, isRetryable: true, "The daemon is shutting down.")
    public static let tooManySubscriptions = ErrorKind(
        "too_many_subscriptions", code: -32008, isRetryable: true, "The connection has too many subscriptions.")

    /// The kinds of errors that do not depend on the methods of the protocol.
    public static let general: [ErrorKind] = [
        .parseError, .invalidRequest, .methodNotFound, .invalidParameters, .internalError, .requestTooLarge,
        .requestTooSlow, .responseTooLarge, .tooManyRequests, .tooManyConnections, .notAllowed, .canceled,
        .shuttingDown, .tooManySubscriptions,
    ]
}
