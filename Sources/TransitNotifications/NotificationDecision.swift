package import TransitModel

/// A notification that a rule decided, before it becomes a message of the protocol.
///
/// A rule leaves ``id`` empty and ``revision`` 0. The ledger numbers the decision, and suppresses it during quiet hours or
/// after too many notifications. A withdrawal gets the rule and the texts of the notification that it withdraws.
package struct NotificationDecision: Hashable, Sendable {
    package enum Operation: String, Hashable, Sendable {
        case show, update, withdraw
    }

    package enum Urgency: String, Hashable, Sendable {
        case low, normal, high
    }

    /// What the previous notification with the same key said.
    package struct Previous: Hashable, Sendable {
        package var expected: Instant?
        package var delay: Int?
        package var platform: String?
        package var status: CallStatus?
    }

    /// An entry of a digest.
    package struct Item: Codable, Hashable, Sendable {
        package var rule: NotificationRule
        package var title: String
        package var body: String
        package var url: String?

        package init(rule: NotificationRule, title: String, body: String, url: String? = nil) {
            self.rule = rule
            self.title = title
            self.body = body
            self.url = url
        }
    }

    /// Unique for each user. The same decision from the same state has the same value.
    package var id: String
    /// Identifies the notification. A later one with the same key replaces it.
    package var key: String
    /// Starts at 1 for each key.
    package var revision: Int
    package var operation: Operation
    package var rule: NotificationRule
    package var urgency: Urgency = .normal
    package var hasSound = false
    package var at: Instant
    package var validUntil: Instant
    /// One line of plain text.
    package var title: String
    /// Plain text, lines separated by line feeds.
    package var body: String
    /// "pinned", "usual", "commute", "favorite", "feed", "machine" or "digest", as on the wire.
    package var subjectKind: String
    package var subjectName: String
    /// The service date that the notification is about, which a day off mutes; `nil` for a condition of a feed or of
    /// the machine, and for a notification that concerns no single day.
    package var date: ServiceDate?
    /// The departure as it was observed for the decision.
    package var departure: WatchedDeparture?
    package var previous: Previous?
    package var leaveBy: Instant?
    package var walk: Int?
    /// The departures that can be caught instead, at most 3.
    package var next: [WatchedDeparture] = []
    /// The identifier of the alert in its feed.
    package var alert: AlertReference?
    /// The event that crowds a station.
    package var event: EventNearStation?
    /// The sources to name with the texts, in addition to those of ``event`` and of the departures.
    package var sources: Set<NotificationSource> = []
    package var items: [Item] = []
    /// Why the event was decided, as a sentence.
    package var reason: String
    package var url: String?
    /// Why the notification was suppressed, as a sentence; `nil` if it was not.
    package var suppression: String?
    /// Whether the decision becomes an entry of the next digest instead of a notification of its own.
    package var isForDigest = false
    package var isTest = false

    /// An alert of a feed.
    package struct AlertReference: Hashable, Sendable {
        package var feed: FeedID
        package var id: String
    }

    package init(
        id: String, key: String, revision: Int, operation: Operation, rule: NotificationRule, at: Instant,
        validUntil: Instant, title: String, body: String, subjectKind: String, subjectName: String, reason: String
    ) {
        self.id = id
        self.key = key
        self.revision = revision
        self.operation = operation
        self.rule = rule
        self.at = at
        self.validUntil = validUntil
        self.title = title
        self.body = body
        self.subjectKind = subjectKind
        self.subjectName = subjectName
        self.reason = reason
    }
}
