package import TransitModel

/// What one user's notifications are decided from, at one moment.
package struct NotificationInput: Hashable, Sendable {
    package var now: Instant
    /// The zone for quiet hours and days.
    package var zone: ServiceZone
    /// The subjects, each with its departures; `nil` if they are unchanged since the previous input.
    package var subjects: [WatchedSubject]?
    /// The machine slept until just now, so that what became due in the meantime is not told.
    package var hasResumed = false

    package init(now: Instant, zone: ServiceZone, subjects: [WatchedSubject]? = nil) {
        self.now = now
        self.zone = zone
        self.subjects = subjects
    }
}

/// Decides one user's notifications: a state machine for each subject, and the ledger of what was told.
///
/// It is deterministic: the same state, settings and inputs give the same decisions.
package struct NotificationEngine: Sendable {
    /// The state, which the daemon saves with every decision.
    package private(set) var state: NotificationState
    package var settings: NotificationSettings

    package init(state: NotificationState = NotificationState(), settings: NotificationSettings) {
        self.state = state
        self.settings = settings
    }

    /// Applies an input. Suppressed decisions are included, with their reasons.
    package mutating func evaluate(_ input: NotificationInput) -> [NotificationDecision] { [] }

    /// Returns the next moment at which a decision can change without new data; `nil` if there is none.
    package func nextMoment(after now: Instant) -> Instant? { nil }
}

/// The persistent state of one user's notifications.
package struct NotificationState: Hashable, Sendable {
    package init() {}

    /// Returns `nil` if the text is not a state that this release can read.
    package init?(json: String) { self.init() }

    /// The state as a JSON document.
    package var json: String { "{}" }
}

/// One user's settings: the defaults, the machine's defaults from the configuration, and the user's own values.
package struct NotificationSettings: Hashable, Sendable {
    /// Whether the user turned notifications on.
    package var isEnabled = false

    package init() {}
}
