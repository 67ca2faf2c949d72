public import TransitModel
public import TransitWire

/// The units in which a person reads distances, weights and the weather: the setting `units`.
public enum MeasurementUnits: String, OpenWireEnum {
    /// Miles, pounds and degrees Fahrenheit.
    case imperial
    /// Kilometers, kilograms and degrees Celsius.
    case metric
    /// The units of the person's locale, which only the client knows.
    case automatic = "auto"
    /// A value that this version does not know.
    case other
}

/// The unit of a badge's progress.
public enum BadgeUnit: String, OpenWireEnum {
    case trips
    case days
    case kilograms
    /// A value that this version does not know.
    case other
}

/// A badge with the caller's progress.
public struct BadgeStatus: WireObject {
    /// The identifier: "first_ride", "week_warrior", "month_master", "eco_hero", "commute_king", "early_bird",
    /// "night_owl" or "weekend_explorer". More values may be added.
    public var badge: String
    /// The title for people.
    public var title: String
    /// What earns the badge, as a phrase such as "20 trips within 30 days".
    public var task: String
    /// The progress. It can exceed `goal`.
    public var value: Double
    /// The progress at which the badge is earned.
    public var goal: Double
    /// The unit of `value` and `goal`. More values may be added.
    public var unit: BadgeUnit
    /// The service date of the trip that earned the badge; null when it is not earned.
    public var earned: ServiceDate?
}

/// Consecutive commute days with a trip. Weekends and days off do not end a streak.
public struct StreakSummary: WireObject {
    /// The number of commute days with a trip.
    public var days: Int
    /// The first day.
    public var first: ServiceDate?
    /// The last day.
    public var last: ServiceDate?
}

/// The trips of one service date.
public struct DayCount: WireObject {
    /// The service date.
    public var date: ServiceDate
    /// The number of trips.
    public var trips: Int
}

/// A usual departure on one service date.
public struct PunctualityDay: WireObject {
    /// The service date.
    public var date: ServiceDate
    /// Seconds late, negative when early; null when the vehicle did not serve the stop.
    /// - Unit: seconds
    public var delay: Int?
}

/// How punctual a usual departure was.
public struct UsualPunctuality: WireObject {
    /// The usual departure.
    public var departure: UsualDeparture
    /// The departures at most 1 minute early and less than 3 minutes late.
    public var onTime: Int
    /// The departures at least 3 minutes late.
    public var late: Int
    /// The departures more than 1 minute early.
    public var early: Int
    /// The departures that were canceled, or did not stop.
    public var canceled: Int
    /// The median delay; null when unknown.
    /// - Unit: seconds
    public var medianDelay: Int?
    /// The observed departures by date.
    public var days: [PunctualityDay]
    /// The usual delay of the departure, learned from its source rather than from your trips; null when too little is known.
    public var usual: UsualDelay?
}

/// How useful the notifications of one rule were.
public struct NotificationCounts: WireObject {
    /// The rule: "leave" or "delay". More values may be added.
    public var rule: String
    /// The notifications whose advice was right.
    public var right: Int
    /// The notifications that were not necessary, because the vehicle did not run, was not late, or left much later.
    public var needless: Int
    /// The notifications that were too late to act on.
    public var tooLate: Int
    /// The notifications about departures that were not observed.
    public var unknown: Int
    /// The notifications whose advice a later one replaced before it was time to leave.
    public var replaced: Int = 0
}

/// Returns streaks, counts, badges, CO2 saved, punctuality and the quality of notifications, computed from the caller's
/// logged trips and from observed departures.
public struct InsightsParameters: ControlParameters {
    public typealias Reply = InsightsResult
    public static let method = ControlMethod.insights

    /// The number of past days of punctuality and of notifications.
    /// - Range: 1...366
    public var days: Int = 90
    /// The maximum number of routes.
    /// - Range: 0...50
    public var routes: Int = 5
}

/// The caller's insights.
public struct InsightsResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// The current date.
    public var today: ServiceDate
    /// The units to show. The members of this result are in meters and kilograms.
    public var units: MeasurementUnits
    /// The current streak.
    public var currentStreak: StreakSummary
    /// The longest streak.
    public var longestStreak: StreakSummary
    /// Whether the current streak ends today unless the caller takes a trip.
    public var streakAtRisk: Bool
    /// The trips since Monday.
    public var tripsThisWeek: Int
    /// The requests that the caller typed since Monday.
    public var checksThisWeek: Int
    /// The number of all trips.
    public var trips: Int
    /// The sum of the known distances of all trips.
    /// - Unit: meters
    public var distance: Int
    /// The trips whose distance is measured in straight lines from stop to stop.
    public var straightLineTrips: Int
    /// The trips whose distance is unknown. They save no CO2 here.
    public var unmeasuredTrips: Int
    /// The CO2 that the trips saved, in kilograms.
    public var co2Saved: Double
    /// The CO2 saved for each kilometer, in kilograms, from the configuration.
    public var co2PerKilometer: Double
    /// The trips of each of the last 12 weeks, the current one last.
    public var weeks: [Int]
    /// The routes with the most trips, the most frequent first.
    public var routes: [RouteCount]
    /// All badges.
    public var badges: [BadgeStatus]
    /// The days with trips within the last 53 weeks, in order.
    public var calendar: [DayCount]
    /// The number of past days of `usual` and `alarms`.
    public var days: Int
    /// The punctuality of the caller's usual departures.
    public var usual: [UsualPunctuality]
    /// The quality of the caller's notifications.
    public var alarms: [NotificationCounts]
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}

/// Removes what was logged and learned about the caller: trips, their sums, requests, and learned departures. The state
/// file is rewritten without them, and one new copy replaces all older copies of it, including damaged files that were set
/// aside. Pinned departures and the log of notifications remain. If only the copies cannot be replaced, the error
/// message says so.
public struct InsightsForgetParameters: ControlParameters {
    public typealias Reply = InsightsForgetResult
    public static let method = ControlMethod.insightsForget
}

/// The result of removing what was logged and learned.
public struct InsightsForgetResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// The number of trips that were removed.
    public var trips: Int
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}
