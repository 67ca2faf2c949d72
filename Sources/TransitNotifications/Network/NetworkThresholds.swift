package import TransitModel

/// The adjustable values of the rules that are not about one departure's realtime data. Times are in seconds.
package struct NetworkThresholds: Hashable, Sendable {
    /// The time of day of the evening digest.
    package var eveningDigest = 18 * 3600
    /// The time of day of the digest after quiet hours, which is their end.
    package var morningDigest = 7 * 3600
    package var alert = AlertThresholds()
    package var machine = MachineThresholds()
    package var crowding = CrowdingThresholds()
    package var weather = ArrivalForecast.Thresholds()
    /// The days of a streak from which it is worth a warning.
    package var minimumStreak = 3
    /// The time of day of the warning about a streak.
    package var streakWarning = 18 * 3600
    /// The time of day of the evening brief.
    package var brief = 21 * 3600
    /// How long after its time of day a daily message is still told, for example after a suspend.
    package var lateness = 3600
    package init() {}

    package init(_ settings: NotificationSettings) {
        eveningDigest = settings["digest.at"]
        morningDigest = settings["quiet.on"] == 0 ? eveningDigest : settings["quiet.until"]
        streakWarning = eveningDigest
        brief = settings["brief.at"]
        machine.expiryDays = [settings["machine.expiry"] / 86_400, 3, 1]
            .filter { $0 <= settings["machine.expiry"] / 86_400 }
        machine.keyRejection = settings["machine.key"]
        machine.withoutRefresh = settings["machine.refresh"]
        crowding.miles = Double(settings["crowding.distance"]) / 10
        crowding.beforeStart = settings["crowding.before"]
        crowding.afterStart = settings["crowding.after_start"]
        crowding.aroundEnd = settings["crowding.around_end"]
        crowding.assumedDuration = settings["crowding.length"]
        weather.probability = settings["weather.probability"]
        weather.millimeters = Double(settings["weather.amount"]) / 10
    }
}

package struct AlertThresholds: Hashable, Sendable {
    /// The effects that are told at once. Others are told in the digest.
    package var effects: Set<AlertEffect> = [
        .noService, .reducedService, .significantDelays, .detour, .stopMoved,
    ]
    /// How long an alert is missing from the messages before it has ended. Sources leave alerts out of single messages.
    package var absence = 600
    /// How long after its end the text of an alert is not told again.
    package var repeatAfter = 86_400
    /// The maximum time for which the bubble of an alert is valid.
    package var validity = 12 * 3600

    package init() {}
}

package struct MachineThresholds: Hashable, Sendable {
    /// The days before a feed's last service date on which it is told, descending.
    package var expiryDays = [7, 3, 1]
    /// The time between the first and a later rejection of a key.
    package var keyRejection = 600
    /// The time without a confirmation of a timetable by its source.
    package var withoutRefresh = 7 * 86_400
    /// How long after its end the same condition is not told again.
    package var repeatAfter = 86_400
    package var validity = 86_400

    package init() {}
}

package struct CrowdingThresholds: Hashable, Sendable {
    /// The maximum distance between a venue and a station in miles.
    package var miles = 1.5
    package var beforeStart = 2 * 3600
    package var afterStart = 30 * 60
    /// Before and after the end of the event.
    package var aroundEnd = 45 * 60
    /// The duration of an event without a known end.
    package var assumedDuration = 3 * 3600
    /// How long before the window of a commute its crowding is announced, but not before ``beforeStart``.
    package var lead = 30 * 60

    package init() {}
}
