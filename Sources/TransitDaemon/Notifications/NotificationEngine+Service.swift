internal import TransitModel
internal import TransitNotifications

extension NotificationEngine {
    /// Returns what a rule would do next, as a sentence; `nil` if nothing is foreseen.
    func forecast(of rule: NotificationRule, subjects: [WatchedSubject], at now: Instant) -> String? {
        nil
    }
}
