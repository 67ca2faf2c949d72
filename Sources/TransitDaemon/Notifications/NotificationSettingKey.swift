/// The settings that are not among those of the rules.
enum NotificationSettingKey {
    /// Whether the user turned notifications on: "on".
    static let on = "notifications.on"
    /// The days off as a list of dates and ranges.
    static let daysOff = "days_off.dates"
}
