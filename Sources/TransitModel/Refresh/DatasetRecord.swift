/// How one update of a dataset ended. The raw values are its spelling in the ledger and on the wire.
public enum UpdateOutcome: String, Hashable, Sendable, CaseIterable {
    /// New content is in use.
    case updated
    /// The upstream said so, or sent what is known already.
    case unchanged
    /// The content is not usable; what was there before stays.
    case refused
    /// The upstream could not be asked, or answered with an error, or what came could not be written.
    case failed
    case canceled

    /// Whether the upstream confirmed what is in use now.
    public var isSuccess: Bool { self == .updated || self == .unchanged }
}

/// One update as `status` lists it.
public struct UpdateRecord: Hashable, Sendable {
    /// Counts the updates of the dataset, from 1.
    public var number: Int
    public var began: Instant
    public var milliseconds: Int
    public var outcome: UpdateOutcome
    /// The bytes of the body that was read.
    public var bytes: Int
    /// The HTTP status; `nil` when there was no answer, or no HTTP.
    public var status: Int?
    public var priority: FetchPriority
    /// A sentence for people: why it failed. Never a part of a body, never a secret.
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

    /// Whether the status is one with which a server rejects a key (RFC 9110 sections 15.5.2 and 15.5.4).
    var isKeyRejection: Bool { outcome == .failed && (status == 401 || status == 403) }
}

/// What a server gives to ask later only for what changed (RFC 9110 sections 8.8.2 and 8.8.3), as it wrote it.
public struct Validators: Hashable, Sendable {
    public var etag: String?
    public var lastModified: String?

    public init(etag: String? = nil, lastModified: String? = nil) {
        self.etag = etag
        self.lastModified = lastModified
    }

    public var isEmpty: Bool { etag == nil && lastModified == nil }
}

/// What has to outlive a restart about the refreshes of one dataset.
public struct DatasetRecord: Hashable, Sendable {
    public let id: DatasetID
    /// Where the content came from. Another source makes everything below void, but the history.
    public var source: EndpointID?
    /// When the last fetch began.
    public var lastAttempt: ClockReading?
    /// Whether that fetch has not ended: still under way, or the daemon was killed in it.
    public var isOpen = false
    /// When the fetch began whose answer last confirmed or replaced what is in use. Its age is the data's age.
    public var lastSuccess: ClockReading?
    /// The same for the last answer that came with the whole content.
    public var lastFull: ClockReading?
    /// The same for the last answer whose content was new.
    public var lastChange: ClockReading?
    /// Failures and refusals since the last success.
    public var consecutiveFailures = 0
    /// Whether trying again soon would be of no use: there is no such address, or the content is not usable.
    public var isFailurePermanent = false
    /// Answers "not modified" since the last whole content.
    public var notModifiedStreak = 0
    /// Whole contents that were known already, one after the other.
    public var unchangedContentStreak = 0
    public var validators = Validators()
    /// Whether the server was caught calling changed content unchanged: it is not believed any more.
    public var areValidatorsUnreliable = false
    /// Of the content in use, however the caller makes it.
    public var contentDigest: String?
    /// The last expiry that was warned of.
    public var expiryWarning: ExpiryWarning?
    /// The last updates, oldest first; at most ``historyLimit``.
    public private(set) var history: [UpdateRecord] = []
    /// How many updates there were in all.
    public private(set) var updates = 0

    /// So many updates are kept.
    public static let historyLimit = 20

    public init(_ id: DatasetID) { self.id = id }

    /// The record with the history that a store kept.
    public init(_ id: DatasetID, history: [UpdateRecord]) {
        self.id = id
        self.history = Array(history.sorted { $0.number < $1.number }.suffix(Self.historyLimit))
        updates = max(0, self.history.last?.number ?? 0)
    }

    /// How the last update ended; `nil` before the first.
    public var lastUpdate: UpdateRecord? { history.last }

    /// Seconds since the data was known to be what the upstream has; `nil` before the first success.
    public func age(at now: ClockReading) -> Int? { lastSuccess.map(now.age(of:)) }

    /// Whether the last answer was one with which a server rejects a key (RFC 9110 sections 15.5.2 and 15.5.4).
    public var isKeyRejected: Bool { consecutiveFailures > 0 && (lastUpdate?.isKeyRejection ?? false) }

    /// How often the key was rejected since the last success or since the key changed. Attempts that a user forced
    /// count only as the first rejection, so that they do not postpone the next retry.
    public var keyRejections: Int {
        let keyRejections = history.filter { $0.outcome != .canceled }.suffix(consecutiveFailures).filter(
            \.isKeyRejection)
        let first = keyRejections.first?.priority == .user ? 1 : 0
        return first + keyRejections.count { $0.priority != .user }
    }

    /// Adds an update behind the others, under the next number, and lets go of the oldest.
    public mutating func append(_ update: UpdateRecord) {
        updates = updates == .max ? .max : updates + 1
        var update = update
        update.number = updates
        history.append(update)
        if history.count > Self.historyLimit { history.removeFirst(history.count - Self.historyLimit) }
    }
}

/// A warning that a timetable ends.
public struct ExpiryWarning: Hashable, Sendable {
    /// The last date with service.
    public var lastDate: ServiceDate
    /// The step that was reached: 7, 3 or 1 days ahead, 0 when it has ended.
    public var daysAhead: Int

    public init(lastDate: ServiceDate, daysAhead: Int) {
        self.lastDate = lastDate
        self.daysAhead = daysAhead
    }
}
