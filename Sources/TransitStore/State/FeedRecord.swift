public import TransitModel

/// What has to outlive a restart about the updates of a feed.
public struct FeedRecord: Hashable, Sendable {
    /// How the last attempt ended; `nil` before the first.
    public var lastAttempt: FeedAttempt?
    /// When the source last said that the live version is its newest, or gave it.
    public var confirmed: Instant?
    /// When the source is asked next.
    public var nextAttempt: Instant?
    /// What the source answered last, to ask only for what changed; kept here because a feed that was merely zipped again
    /// has a new one although its version stays.
    public var etag: String?
    /// `Last-Modified`, as the server wrote it.
    public var lastModified: String?

    public init() {}
}

/// One attempt to update a feed.
public struct FeedAttempt: Hashable, Sendable {
    public var ended: Instant
    public var outcome: UpdateOutcome
    /// A sentence for people.
    public var message: String
    /// How long it took.
    public var seconds: Double

    public init(ended: Instant, outcome: UpdateOutcome, message: String, seconds: Double) {
        self.ended = ended
        self.outcome = outcome
        self.message = message
        self.seconds = seconds
    }
}
