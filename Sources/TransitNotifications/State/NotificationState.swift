package import TransitModel

/// The persistent state of one user's notifications.
///
/// It is bounded: old entries are dropped before a limit is exceeded.
package struct NotificationState: Codable, Hashable, Sendable {
    /// A notification that was not shown.
    package struct Suppressed: Codable, Hashable, Sendable {
        package var at: Instant
        package var rule: NotificationRule
        package var key: String
        package var title: String
        /// Why it was not shown, as a sentence.
        package var reason: String
    }

    /// The notification that the user's screen shows for a key.
    struct Bubble: Codable, Hashable, Sendable {
        var revision: Int
        var validUntil: Instant
        var isShown: Bool
        /// The rule and the texts of the notification, which its withdrawal repeats; `nil` when it is no longer shown.
        var content: Content?

        struct Content: Codable, Hashable, Sendable {
            var rule: NotificationRule
            var title: String
            var body: String
        }
    }

    /// The announcements in a commute's window.
    struct Window: Codable, Hashable, Sendable {
        var start: Instant
        /// The time after which ``isDone`` no longer applies.
        var end: Instant
        /// The number of departures of the commute that the user was notified to leave for.
        var announced = 0
        /// Whether a pinned or usual departure that serves the commute was announced.
        var hasOwnDeparture = false
        /// Whether the next announcement has a sound, because the announced departure was canceled, can no longer be
        /// caught, or is not wanted.
        var isNextSounding = false
        /// Whether the user took a departure.
        var isDone = false
    }

    /// An entry of the next digest.
    struct QueuedItem: Codable, Hashable, Sendable {
        var key: String
        var at: Instant
        var validUntil: Instant
        var item: NotificationDecision.Item
        /// ``NotificationDecision/date``.
        var date: ServiceDate?
    }

    /// A trip that the user reported.
    struct TakenTrip: Codable, Hashable, Sendable {
        /// `nil` for one that an earlier release recorded.
        var departure: DepartureKey?
        /// The day as riders understand it, which ends at 04:00.
        var day: ServiceDate
        var ledHome: Bool
    }

    /// What the user muted.
    struct Mutes: Codable, Hashable, Sendable {
        var all: Instant?
        /// The end for each rule; the distant future for a rule that is muted until further notice.
        var rules: [NotificationRule: Instant] = [:]
    }

    /// The departures that are remembered.
    @SavedAsList var runs: [DepartureKey: DepartureState] = [:]
    /// The departures that are over and were shown.
    var finished: Set<DepartureKey> = []
    var windows: [String: Window] = [:]
    var bubbles: [String: Bubble] = [:]
    /// The time at which each bucket is full again; without an entry, it is full.
    var buckets: [NotificationBucket: Instant] = [:]
    var digest: [QueuedItem] = []
    /// The time up to which digests were considered.
    var digestedThrough: Instant?
    var mutes = Mutes()
    /// The suppressed notifications, oldest first.
    package internal(set) var suppressed: [Suppressed] = []
    var suppressedCount = 0
    /// What the general rules remember.
    var general = RuleMemories()
    /// The last trips that the user reported.
    var trips: [TakenTrip] = []
    /// The day, as riders understand it, of the last pinned departure that left and did not lead home.
    var pinnedAway: ServiceDate?
    /// How pinned journeys that broke go on.
    package internal(set) var detours: [JourneyDetour] = []

    package init() {}

    /// The last trip of a day, by its departure, which can be reported late.
    func lastTrip(on day: ServiceDate) -> TakenTrip? {
        trips.filter { $0.day == day }.max { one, other in
            guard let two = other.departure else { return false }
            return one.departure.map { $0.scheduled < two.scheduled } ?? true
        }
    }

    /// The limits. Each is far above what a user's day needs.
    enum Limit {
        static let runs = 120
        static let finished = 100
        static let windows = 64
        static let bubbles = 300
        static let trips = 20
        static let detours = 16
        static let digest = 50
        static let suppressed = 100
        /// The length of a state document in bytes.
        static let document = 4 << 20
        /// The length of an identifier or a key in bytes.
        static let text = 1 << 16
        /// The length of a title and of a body that are kept, in characters.
        static let title = 200
        static let body = 1000
    }

    /// Drops the oldest entries above the limits.
    mutating func trim() {
        for (key, bubble) in bubbles where !bubble.isShown && bubble.content != nil { bubbles[key]?.content = nil }
        if runs.count > Limit.runs {
            for key in runs.keys.sorted(by: { ($0.scheduled, $0.identity) < ($1.scheduled, $1.identity) }).prefix(
                runs.count - Limit.runs)
            {
                runs[key] = nil
            }
        }
        if finished.count > Limit.finished {
            for key in finished.sorted(by: { ($0.scheduled, $0.identity) < ($1.scheduled, $1.identity) }).prefix(
                finished.count - Limit.finished)
            {
                finished.remove(key)
            }
        }
        digest.removeFirst(max(0, digest.count - Limit.digest))
        trips.removeFirst(max(0, trips.count - Limit.trips))
        detours.removeFirst(max(0, detours.count - Limit.detours))
        suppressed.removeFirst(max(0, suppressed.count - Limit.suppressed))
        if windows.count > Limit.windows {
            for name in windows.keys.sorted(by: { (windows[$0]!.start, $0) < (windows[$1]!.start, $1) }).prefix(
                windows.count - Limit.windows)
            {
                windows[name] = nil
            }
        }
        if bubbles.count > Limit.bubbles {
            for key in bubbles.keys.sorted(by: { (bubbles[$0]!.validUntil, $0) < (bubbles[$1]!.validUntil, $1) })
                .prefix(bubbles.count - Limit.bubbles)
            {
                bubbles[key] = nil
            }
        }
    }
}
