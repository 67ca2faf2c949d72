internal import ArgumentParser

/// What an argument, or the value of an option, stands for. Completion offers the names of this kind.
///
/// The kind of an argument is the one with its value name, which help shows: a property `feed`, or
/// `valueName: "feed"`, is a ``feed``. Where the value name says something else, the declaration names the kind:
/// `completion: .names(.stop)`. A list of values or a file is declared as usual: `completion: .list(["csv", "json"])`.
enum ValueKind: String, CaseIterable {
    // Names in the timetables.
    case stop, route
    // Data of the user.
    case commute, place, favorite, category, departure, trip
    /// Several favorites, each of which is one word.
    case favorites
    /// The name of a place that is set: home, work or one that exists.
    case placeName
    /// A departure that was learned or pinned.
    case usual
    /// A place or a stop.
    case location
    /// A commute, or an origin and a destination.
    case journey
    /// An origin and a destination.
    case ends
    // Feeds.
    case feed
    /// A stored version of the feed that the previous argument names.
    case version
    /// A key of a feed in the configuration.
    case feedKey
    /// A key of a feed in the configuration, with a value.
    case feedSetting = "key=value"
    /// A source of feeds that `setup` offers.
    case city
    // Notifications.
    case rule, notification
    /// A setting of a rule, or a rule.
    case setting
    /// The value of the setting that the previous argument names.
    case settingValue
    /// A setting of a rule with a value.
    case settingAssignment
    /// A rule, a duration, or both.
    case mute
    case dayOff
    // The protocol and the program.
    case method, dataset, theme
    /// Days of the week.
    case weekdays
    case file, path
    // Texts and numbers that nothing knows in advance.
    case text, address, count, date, distance, duration, meters, minutes, name, parameters, time, url
    case timeRange = "time-time"

    /// Whether several words, given without quotes, are one name.
    var joinsWords: Bool {
        switch self {
        case .stop, .route, .place, .favorite, .category, .departure, .trip, .location, .journey, .ends: true
        default: false
        }
    }
}

extension CompletionKind {
    /// The names of a kind.
    ///
    /// ArgumentParser describes an argument only with its own kinds of completion. The one for the output of a command
    /// holds the name of the kind; no shell runs it, because ArgumentParser generates no script.
    static func names(_ kind: ValueKind) -> CompletionKind { .shellCommand(kind.rawValue) }
}
