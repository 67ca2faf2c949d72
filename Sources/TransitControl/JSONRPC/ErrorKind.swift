internal import TransitWire

/// The stable name of a kind of error, such as `stop.not_found`.
///
/// It is not an enumeration because a newer daemon can send kinds that a client does not know. ``all`` lists the known
/// kinds.
public struct ErrorKind: RawRepresentable, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}

extension ErrorKind {
    /// The documented properties of a kind.
    public struct Entry: Sendable {
        public let kind: ErrorKind
        /// The JSON-RPC error code: predefined for the first five kinds (JSON-RPC 2.0, section 5.1), and a unique number
        /// from -32000 down for the rest.
        public let code: Int
        public let isRetryable: Bool
        public let summary: String
    }

    public static let parseError = ErrorKind(rawValue: "parse_error")
    public static let invalidRequest = ErrorKind(rawValue: "invalid_request")
    public static let methodNotFound = ErrorKind(rawValue: "method_not_found")
    public static let invalidParameters = ErrorKind(rawValue: "invalid_parameters")
    public static let internalError = ErrorKind(rawValue: "internal_error")

    public static let requestTooLarge = ErrorKind(rawValue: "request_too_large")
    public static let requestTooSlow = ErrorKind(rawValue: "request_too_slow")
    public static let responseTooLarge = ErrorKind(rawValue: "response_too_large")
    public static let tooManyRequests = ErrorKind(rawValue: "too_many_requests")
    public static let tooManyConnections = ErrorKind(rawValue: "too_many_connections")
    public static let notAllowed = ErrorKind(rawValue: "not_allowed")
    public static let canceled = ErrorKind(rawValue: "canceled")
    public static let shuttingDown = ErrorKind(rawValue: "shutting_down")
    public static let tooManySubscriptions = ErrorKind(rawValue: "too_many_subscriptions")

    public static let stopNotFound = ErrorKind(rawValue: "stop.not_found")
    public static let stopAmbiguous = ErrorKind(rawValue: "stop.ambiguous")
    public static let routeNotFound = ErrorKind(rawValue: "route.not_found")
    public static let routeAmbiguous = ErrorKind(rawValue: "route.ambiguous")
    public static let tripNotFound = ErrorKind(rawValue: "trip.not_found")
    public static let tripAmbiguous = ErrorKind(rawValue: "trip.ambiguous")
    public static let departureNotFound = ErrorKind(rawValue: "departure.not_found")
    public static let timeInvalid = ErrorKind(rawValue: "time.invalid")
    public static let commuteNotFound = ErrorKind(rawValue: "commute.not_found")
    public static let commuteNotSet = ErrorKind(rawValue: "commute.not_set")
    public static let commuteExists = ErrorKind(rawValue: "commute.exists")
    public static let commuteReadOnly = ErrorKind(rawValue: "commute.read_only")
    public static let commuteInvalid = ErrorKind(rawValue: "commute.invalid")
    public static let placeNotFound = ErrorKind(rawValue: "place.not_found")
    public static let placeNotSet = ErrorKind(rawValue: "place.not_set")
    public static let placeReadOnly = ErrorKind(rawValue: "place.read_only")
    public static let favoriteNotFound = ErrorKind(rawValue: "favorite.not_found")
    public static let favoriteExists = ErrorKind(rawValue: "favorite.exists")
    public static let feedNotFound = ErrorKind(rawValue: "feed.not_found")
    public static let feedRefused = ErrorKind(rawValue: "feed.refused")
    public static let feedUnreachable = ErrorKind(rawValue: "feed.unreachable")
    public static let feedNoData = ErrorKind(rawValue: "feed.no_data")
    public static let feedBusy = ErrorKind(rawValue: "feed.busy")
    public static let feedVersionNotFound = ErrorKind(rawValue: "feed.version_not_found")
    public static let datasetNotFound = ErrorKind(rawValue: "dataset.not_found")
    public static let keyNotNeeded = ErrorKind(rawValue: "key.not_needed")
    public static let keyNotFound = ErrorKind(rawValue: "key.not_found")
    public static let keyReadOnly = ErrorKind(rawValue: "key.read_only")
    public static let keyRejected = ErrorKind(rawValue: "key.rejected")
    public static let keyUnverified = ErrorKind(rawValue: "key.unverified")
    public static let addressNotConfigured = ErrorKind(rawValue: "address.not_configured")
    public static let addressNoSuggestions = ErrorKind(rawValue: "address.no_suggestions")
    public static let addressUnreachable = ErrorKind(rawValue: "address.unreachable")
    public static let addressBusy = ErrorKind(rawValue: "address.busy")
    public static let storageFull = ErrorKind(rawValue: "storage.full")
    public static let storageFailed = ErrorKind(rawValue: "storage.failed")
    public static let configurationInvalid = ErrorKind(rawValue: "config.invalid")
}

extension ErrorKind {
    /// All known kinds.
    public static let all: [Entry] = [
        Entry(kind: .parseError, code: -32700, isRetryable: false, summary: "The line is not JSON."),
        Entry(kind: .invalidRequest, code: -32600, isRetryable: false, summary: "The JSON is not a valid request."),
        Entry(kind: .methodNotFound, code: -32601, isRetryable: false, summary: "The method does not exist."),
        Entry(
            kind: .invalidParameters, code: -32602, isRetryable: false, summary: "A parameter is unknown or invalid."),
        Entry(kind: .internalError, code: -32603, isRetryable: true, summary: "An internal error occurred."),
        Entry(
            kind: .requestTooLarge, code: -32000, isRetryable: false,
            summary: "The line is too long; the connection is closed."),
        Entry(
            kind: .requestTooSlow, code: -32001, isRetryable: true,
            summary: "The line was not completed in time; the connection is closed."),
        Entry(
            kind: .responseTooLarge, code: -32002, isRetryable: false,
            summary: "The response would be too long; `details` explains how to request less data."),
        Entry(
            kind: .tooManyRequests, code: -32003, isRetryable: true,
            summary: "The connection has too many requests in progress."),
        Entry(
            kind: .tooManyConnections, code: -32004, isRetryable: true,
            summary: "Too many clients are connected; the connection is closed."),
        Entry(
            kind: .notAllowed, code: -32005, isRetryable: false, summary: "The caller lacks the required permission."),
        Entry(kind: .canceled, code: -32006, isRetryable: true, summary: "The request was canceled."),
        Entry(kind: .shuttingDown, code: -32007, isRetryable: true, summary: "The daemon is shutting down."),
        Entry(
            kind: .tooManySubscriptions, code: -32008, isRetryable: true,
            summary: "The connection has too many subscriptions."),
        Entry(kind: .stopNotFound, code: -32020, isRetryable: false, summary: "No stop matches."),
        Entry(
            kind: .stopAmbiguous, code: -32021, isRetryable: false,
            summary: "Several stops match; `details.candidates` lists them."),
        Entry(kind: .routeNotFound, code: -32022, isRetryable: false, summary: "No route matches."),
        Entry(
            kind: .routeAmbiguous, code: -32023, isRetryable: false,
            summary: "Several routes match; `details.candidates` lists them."),
        Entry(kind: .tripNotFound, code: -32024, isRetryable: false, summary: "The trip does not exist."),
        Entry(
            kind: .tripAmbiguous, code: -32025, isRetryable: false,
            summary: "Several feeds have a trip with this identifier; `details.candidates` lists them."),
        Entry(
            kind: .departureNotFound, code: -32027, isRetryable: false,
            summary: "The departure does not exist, or is in the past."),
        Entry(kind: .timeInvalid, code: -32026, isRetryable: false, summary: "The time is not in a supported format."),
        Entry(
            kind: .commuteNotFound, code: -32030, isRetryable: false,
            summary: "The caller has no commute with this name."),
        Entry(kind: .commuteNotSet, code: -32031, isRetryable: false, summary: "The caller has no commutes."),
        Entry(
            kind: .commuteExists, code: -32032, isRetryable: false,
            summary: "The caller already has a commute with this name."),
        Entry(
            kind: .commuteReadOnly, code: -32033, isRetryable: false,
            summary: "The commute is defined in the configuration file and cannot be changed over the socket."),
        Entry(
            kind: .commuteInvalid, code: -32034, isRetryable: false,
            summary: "The commute's endpoints cannot be used, for example because they are identical."),
        Entry(
            kind: .placeNotFound, code: -32035, isRetryable: false, summary: "The caller has no place with this name."),
        Entry(
            kind: .placeNotSet, code: -32036, isRetryable: false,
            summary: "The commute refers to a place that is not set."),
        Entry(
            kind: .placeReadOnly, code: -32037, isRetryable: false,
            summary: "The place is defined in the configuration file and cannot be changed over the socket."),
        Entry(
            kind: .favoriteNotFound, code: -32038, isRetryable: false,
            summary: "The caller has no favorite with this name or number."),
        Entry(
            kind: .favoriteExists, code: -32039, isRetryable: false,
            summary: "The caller already has this favorite, or another favorite with this name."),
        Entry(
            kind: .feedNotFound, code: -32040, isRetryable: false,
            summary: "The configuration has no feed with this identifier."),
        Entry(
            kind: .feedRefused, code: -32041, isRetryable: false,
            summary: "The feed's new version is unusable; the current version stays in use."),
        Entry(
            kind: .feedUnreachable, code: -32042, isRetryable: true,
            summary: "The feed's source could not be reached."),
        Entry(kind: .feedNoData, code: -32043, isRetryable: true, summary: "The feed has no timetable yet."),
        Entry(kind: .feedBusy, code: -32044, isRetryable: true, summary: "The feed is being updated."),
        Entry(kind: .feedVersionNotFound, code: -32045, isRetryable: false, summary: "The version is not stored."),
        Entry(
            kind: .datasetNotFound, code: -32046, isRetryable: false, summary: "The feed does not have this dataset."),
        Entry(
            kind: .keyNotNeeded, code: -32060, isRetryable: false, summary: "The feed's source does not use an API key."
        ),
        Entry(
            kind: .keyNotFound, code: -32061, isRetryable: false, summary: "The daemon stores no API key for the feed."),
        Entry(
            kind: .keyReadOnly, code: -32062, isRetryable: false,
            summary: "The API key comes from a file or credential and cannot be changed over the socket."),
        Entry(kind: .keyRejected, code: -32063, isRetryable: false, summary: "The source rejected the API key."),
        Entry(
            kind: .keyUnverified, code: -32064, isRetryable: true,
            summary: "The API key could not be validated because the source could not be reached."),
        Entry(
            kind: .addressNotConfigured, code: -32065, isRetryable: false,
            summary: "The configuration has no geocoder."),
        Entry(
            kind: .addressNoSuggestions, code: -32066, isRetryable: false,
            summary: "The geocoder does not permit search-as-you-type."),
        Entry(
            kind: .addressUnreachable, code: -32067, isRetryable: true,
            summary: "The geocoder could not be reached."),
        Entry(
            kind: .addressBusy, code: -32068, isRetryable: true,
            summary: "Too many address searches are in progress, or the geocoder limits the rate of requests."),
        Entry(kind: .storageFull, code: -32050, isRetryable: true, summary: "The disk is full."),
        Entry(kind: .storageFailed, code: -32051, isRetryable: true, summary: "The disk could not be read or written."),
        Entry(
            kind: .configurationInvalid, code: -32052, isRetryable: false,
            summary: "The configuration is invalid; the current configuration stays in effect."),
    ]

    private static let entries = Dictionary(uniqueKeysWithValues: all.map { ($0.kind, $0) })

    /// The JSON-RPC error code; -32603 for an unknown kind.
    public var code: Int { Self.entries[self]?.code ?? -32603 }
    public var isRetryable: Bool { Self.entries[self]?.isRetryable ?? false }
}
