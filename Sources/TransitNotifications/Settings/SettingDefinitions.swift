extension SettingDefinition {
    /// All settings, in the order in which `notify list` shows them.
    package static let all: [SettingDefinition] =
        subjects + departureRules + networkRules + delivery

    /// The settings that only a user has. The configuration has no defaults for them.
    package static let personal = [
        SettingDefinition(
            name: "language", kind: .language, standard: 0,
            sentence:
                "The language of names and alert texts, if the feeds have them in it. With auto, it is the language "
                + "of your session.")
    ]

    private static let subjects = [
        duration(
            "subjects.ahead", .minutes, 90, 10...240,
            "Departures other than those of commutes are watched this long before.")
    ]

    /// The rules about one departure, each with its thresholds.
    private static let departureRules =
        [
            flag("leave.on", true, "Notifies you when to leave for a departure."),
            duration("leave.notice", .minutes, 5, 0...60, "You are notified this long before the time to leave."),
            duration(
                "leave.without_place", .minutes, 15, 1...90,
                "Without a walk from a place, you are notified this long before the departure."),
            duration(
                "leave.margin_short", .minutes, 2, 0...30,
                "The reserve at the stop if the next departure follows within 15 minutes."),
            duration(
                "leave.margin_medium", .minutes, 3, 0...30,
                "The reserve at the stop if the next departure follows within 30 minutes."),
            duration(
                "leave.margin_long", .minutes, 5, 0...30,
                "The reserve at the stop if the next departure follows later or never."),
            number(
                "leave.per_window", "departures", 2, 1...50,
                "The number of departures that are announced in a commute window, the first with a sound."),
            flag("delay.on", true, "Notifies you that a departure is late."),
            duration("delay.first", .minutes, 3, 1...60, "The delay from which you are notified."),
            duration(
                "delay.near", .minutes, 10, 0...60,
                "One message of the source is enough if the time to leave is nearer than this."),
            duration(
                "delay.change", .minutes, 2, 1...60,
                "You are notified again when the delay differs by more than this from the last one that you were shown."
            ),
            number(
                "delay.change_percent", "%", 20, 0...100,
                "The change must also be larger than this part of the delay that you were shown."),
            duration("delay.normal", .minutes, 2, 0...30, "A delay below this is back to normal."),
            flag("canceled.on", true, "Notifies you that a departure is canceled, and what you can take instead."),
            flag("skipped.on", true, "Notifies you that a vehicle does not stop at your stop."),
            flag("unseen.on", true, "Notifies you that a departure is not reported although others of its route are."),
            duration("unseen.before", .minutes, 10, 1...60, "You are notified this long before the time to leave."),
            flag("early.on", true, "Notifies you that a departure leaves before its time."),
            duration("early.first", .seconds, 60, 30...600, "How early a departure is when you are notified."),
            flag("platform.on", true, "Notifies you that a departure leaves from another platform."),
            duration("platform.within", .minutes, 60, 5...180, "You are notified this long before the departure."),
            duration(
                "platform.sound", .minutes, 15, 0...180, "You are notified with a sound this long before the departure."
            ),
            flag("last.on", true, "Notifies you about the last way home."),
            duration(
                "last.before", .minutes, 60, 5...180,
                "You are notified this long before the time to leave for the last departure."),
            flag("getoff.on", true, "Notifies you to get off a vehicle that you said you took."),
            duration(
                "getoff.before", .minutes, 2, 1...15,
                "You are notified this long before the arrival, or at the stop before."),
            duration("getoff.age", .seconds, 90, 30...300, "Only realtime data that is younger than this is used."),
        ]
        + ["leave", "delay", "canceled", "skipped", "unseen", "early", "platform"].map { rule in
            flag(
                "\(rule).favorites", rule == "canceled" || rule == "skipped",
                "Whether the rule also applies to the next departure of each favorite.")
        }

    /// The rules about networks, feeds and this machine.
    private static let networkRules = [
        flag("alert.on", true, "Notifies you about alerts for your routes, directions and stops."),
        flag("crowding.on", true, "Notifies you about large events near the stations of your commutes."),
        tenths("crowding.distance", "miles", 15, 1...100, "The distance of a venue from a station."),
        duration("crowding.before", .minutes, 120, 0...360, "You are notified from this long before the start."),
        duration("crowding.after_start", .minutes, 30, 0...240, "You are notified up to this long after the start."),
        duration("crowding.around_end", .minutes, 45, 0...180, "You are notified this long before and after the end."),
        duration("crowding.length", .minutes, 180, 30...720, "The length of an event whose end is not known."),
        flag("weather.on", true, "Adds a line about rain or snow at your arrival."),
        number("weather.probability", "%", 60, 1...100, "The probability of rain from which it is mentioned."),
        tenths("weather.amount", "mm", 5, 1...500, "The amount of rain in an hour from which it is mentioned."),
        flag("timetable.on", true, "Notifies you that a departure of yours moves or disappears from the timetable."),
        duration("timetable.moved", .minutes, 2, 1...60, "You are notified when a departure moves by at least this."),
        flag(
            "machine.on", true,
            "Notifies you about an expiring timetable, a rejected key and other conditions of the daemon."),
        duration(
            "machine.expiry", .days, 7, 1...60,
            "You are notified this long before a timetable expires, and again 3 days and 1 day before."),
        duration(
            "machine.key", .minutes, 10, 1...1440,
            "The time between two rejections of a key after which you are notified."),
        duration("machine.refresh", .days, 7, 1...60, "The time without a refresh after which you are notified."),
        flag("badge.on", true, "Notifies you that you earned a badge."),
        flag("streak.on", false, "Notifies you in the evening that your streak ends today."),
        flag("brief.on", false, "Sums up the next day in the evening if it differs from the usual."),
        time("brief.at", 21, "When the summary of the next day is shown."),
    ]

    /// When notifications are told, and how many.
    private static let delivery = [
        flag("digest.on", true, "Collects what is not urgent and shows it together."),
        time("digest.at", 18, "When the digest is shown, besides the end of quiet hours."),
        number("digest.items", "entries", 10, 1...50, "The number of entries that the digest shows."),
        flag(
            "quiet.on", true,
            "Shows nothing during quiet hours, except when to leave for pinned departures and that they are canceled."),
        time("quiet.from", 22, "When quiet hours begin."),
        time("quiet.until", 7, "When quiet hours end."),
        number(
            "bucket.per_hour", "notifications an hour", 6, 1...60,
            "The average number of notifications an hour; cancellations are exempt, and notices to leave count separately."
        ),
        number("bucket.burst", "notifications", 3, 1...20, "The number of notifications in quick succession."),
    ]

    private static func flag(_ name: String, _ standard: Bool, _ sentence: String) -> SettingDefinition {
        SettingDefinition(name: name, kind: .flag, standard: standard ? 1 : 0, sentence: sentence)
    }

    private static func number(
        _ name: String, _ unit: String, _ standard: Int, _ range: ClosedRange<Int>, _ sentence: String
    ) -> SettingDefinition {
        SettingDefinition(name: name, kind: .number(unit: unit, range: range), standard: standard, sentence: sentence)
    }

    private static func tenths(
        _ name: String, _ unit: String, _ standard: Int, _ range: ClosedRange<Int>, _ sentence: String
    ) -> SettingDefinition {
        SettingDefinition(name: name, kind: .tenths(unit: unit, range: range), standard: standard, sentence: sentence)
    }

    private static func duration(
        _ name: String, _ unit: DurationUnit, _ standard: Int, _ range: ClosedRange<Int>, _ sentence: String
    ) -> SettingDefinition {
        let seconds = range.lowerBound * unit.rawValue...range.upperBound * unit.rawValue
        return SettingDefinition(
            name: name, kind: .duration(unit: unit, range: seconds), standard: standard * unit.rawValue,
            sentence: sentence)
    }

    private static func time(_ name: String, _ hour: Int, _ sentence: String) -> SettingDefinition {
        SettingDefinition(name: name, kind: .timeOfDay, standard: hour * 3600, sentence: sentence)
    }
}
