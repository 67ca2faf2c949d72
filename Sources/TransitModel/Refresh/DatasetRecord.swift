/// The outcome of an update of a dataset. The raw values are used in the ledger and on the wire.
public enum UpdateOutcome: String, Hashable, Sendable, CaseIterable {
    /// New content is in use.
    case updated
    /// The upstream server reported no change or sent content that is already in use.
    case unchanged
    /// The content is not usable. The previous content stays in use.
    case refused
    /// The upstream server could not be reached or returned an error, or the content could not be written.
    case failed
    case canceled

    /// Whether the content in use is known to be current.
    public var isSuccess: Bool { self == .updated || self == .unchanged }
}

/// One update in the history shown by `status`.
public struct UpdateRecord: Hashable, Sendable {
    /// The sequence number of the update within the dataset, from 1.
    public var number: Int
    public var began: Instant
    public var milliseconds: Int
    public var outcome: UpdateOutcome
    /// The size in bytes of the body that was read.
    public var bytes: Int
    /// The HTTP status, or `nil` if there was no response or the source does not use HTTP.
    public var status: Int?
    public var priority: FetchPriority
    /// A sentence that explains why the update failed. It never contains a secret or any part of a body.
    public var reason: String?

    public init(
        number: Int, began: Instant, milliseconds: Int, outcome: UpdateOutcome, bytes: Int = 0, status: Int? = nil,
        priority: FetchPriority = .background, reason: String? = nil
    ) {
        self.number = number
        self.began = began
        self.milliseconds = milliseconds
        self.outcome = outcome
        self.bytes = bytes
        self.status = status
        self.priority = priority
        self.reason = reason
    }

    /// Whether the server rejected the key (RFC 9110 sections 15.5.2 and 15.5.4).
    var isKeyRejection: Bool { outcome == .failed && (status == 401 || status == 403) }
}

/// HTTP validators for conditional requests (RFC 9110 sections 8.8.2 and 8.8.3), as the server sent them.
public struct Validators: Hashable, Sendable {
    public var etag: String?
    public var lastModified: String?

    public init(etag: String? = nil, lastModified: String? = nil) {
        self.etag = etag
        self.lastModified = lastModified
    }

    public var isEmpty: Bool { etag == nil && lastModified == nil }
}

/// The refresh state of one dataset, which is preserved across restarts.
public struct DatasetRecord: Hashable, Sendable {
    public let id: DatasetID
    /// The source of the content. If it changes, all other state except the history is discarded.
    public var source: EndpointID?
    /// The time at which the last fetch started.
    public var lastAttempt: ClockReading?
    /// Whether the last fetch has not ended: it is in progress, or the daemon was killed during the fetch.
    public var isInProgress = false { didSet { isImporting = false } }
    /// Whether the fetch in progress is reading a timetable, and neither requests it nor waits for memory. Only then can
    /// the timetable be the reason why the daemon was killed.
    public var isImporting = false
    /// The start time of the last fetch that confirmed or replaced the content in use. The age of the data is measured
    /// from this time.
    public var lastSuccess: ClockReading?
    /// The start time of the last fetch that returned the full content.
    public var lastFull: ClockReading?
    /// The start time of the last fetch that returned new content.
    public var lastChange: ClockReading?
    /// The number of failures and refusals since the last success.
    public var consecutiveFailures = 0
    /// Whether an early retry is pointless: the URL does not exist, or the content is not usable.
    public var isFailurePermanent = false
    /// The number of "not modified" responses since the last full content.
    public var notModifiedStreak = 0
    /// The number of consecutive full responses with unchanged content.
    public var unchangedContentStreak = 0
    public var validators = Validators()
    /// Whether the server has reported changed content as not modified, so its validators are no longer used.
    public var areValidatorsUnreliable = false
    /// A digest of the content in use. The caller chooses the algorithm.
    public var contentDigest: String?
    /// The last expiry warning that was reported.
    public var expiryWarning: ExpiryWarning?
    /// The last updates, oldest first and at most ``historyLimit``.
    public private(set) var history: [UpdateRecord] = []
    /// The total number of updates.
    public private(set) var updates = 0

    /// The maximum number of updates in ``history``.
    public static let historyLimit = 20

    public init(_ id: DatasetID) { self.id = id }

    /// Creates a record with a history that was read from a store.
    public init(_ id: DatasetID, history: [UpdateRecord]) {
        self.id = id
        self.history = Array(history.sorted { $0.number < $1.number }.suffix(Self.historyLimit))
        updates = max(0, self.history.last?.number ?? 0)
    }

    /// The last update, or `nil` before the first update.
    public var lastUpdate: UpdateRecord? { history.last }

    /// The last update, unless it failed with a key that has been replaced since.
    public var currentUpdate: UpdateRecord? {
        lastUpdate.flatMap { $0.outcome == .failed && consecutiveFailures == 0 ? nil : $0 }
    }

    /// Returns the number of seconds since the data was last known to match the upstream content, or `nil` before the
    /// first success.
    public func age(at now: ClockReading) -> Int? { lastSuccess.map(now.age(of:)) }

    /// Whether the server rejected the key in the last response (RFC 9110 sections 15.5.2 and 15.5.4).
    public var isKeyRejected: Bool { consecutiveFailures > 0 && (lastUpdate?.isKeyRejection ?? false) }

    /// The number of key rejections since the last success or since the key changed. A fetch that a user forced counts
    /// only if it is the first rejection, so that it does not postpone the next retry.
    public var keyRejections: Int {
        let keyRejections = history.filter { $0.outcome != .canceled }.suffix(consecutiveFailures).filter(
            \.isKeyRejection)
        let first = keyRejections.first?.priority == .user ? 1 : 0
        return first + keyRejections.count { $0.priority != .user }
    }

    /// Appends an update under the next number and removes the oldest update beyond the limit.
    public mutating func append(_ update: UpdateRecord) {
        updates = updates == .max ? .max : updates + 1
        var update = update
        update.number = updates
        history.append(update)
        if history.count > Self.historyLimit { history.removeFirst(history.count - Self.historyLimit) }
    }
}

/// A warning that a timetable is about to expire or has expired.
public struct ExpiryWarning: Hashable, Sendable {
    /// The last service date.
    public var lastDate: ServiceDate
    /// The threshold that was reached: 7, 3 or 1 days before the last date, or 0 after it.
    public var daysAhead: Int

    public init(lastDate: ServiceDate, daysAhead: Int) {
        self.lastDate = lastDate
        self.daysAhead = daysAhead
    }
}
