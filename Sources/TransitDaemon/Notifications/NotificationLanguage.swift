internal import TransitNotifications
internal import TransitStore

/// The language of names and alert texts in a user's notifications. Notifications are decided and stored while no client
/// is connected, so the language is not part of a request.
enum NotificationLanguage {
    /// Returns the language that the user chose or else that of the user's session, as an IETF BCP 47 language tag; `nil`
    /// for the feeds' own.
    static func of(_ record: UserRecord) -> String? {
        NotificationSettings(machine: [:], personal: record.notificationSettings).language ?? record.agentLanguage
    }
}
