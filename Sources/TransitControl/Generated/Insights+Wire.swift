// Generated from Sources/TransitControl/Messages/Insights.swift by transit-wire-generator. Do not edit; run: make generate
// swift-format-ignore-file
public import TransitModel
public import TransitWire

extension BadgeStatus {
    public init(
        badge: String, title: String, task: String, value: Double, goal: Double, unit: BadgeUnit,
        earned: ServiceDate? = nil, _: Void = ()
    ) {
        self.init(badge: badge, title: title, task: task, value: value, goal: goal, unit: unit, earned: earned)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.badge = try members.required("badge")
        self.title = try members.required("title")
        self.task = try members.required("task")
        self.value = try members.required("value")
        self.goal = try members.required("goal")
        self.unit = try members.required("unit")
        self.earned = try members.optional("earned")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("badge", self.badge)
        writer.member("title", self.title)
        writer.member("task", self.task)
        writer.member("value", self.value)
        writer.member("goal", self.goal)
        writer.member("unit", self.unit)
        writer.member("earned", self.earned)
        writer.endObject()
    }

    public static var schemaName: String { "BadgeStatus" }
    public static var description: String { "A badge with the caller's progress." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("badge", String.self, "The identifier: \"first_ride\", \"week_warrior\", \"month_master\", \"eco_hero\", \"commute_king\", \"early_bird\", \"night_owl\" or \"weekend_explorer\". More values may be added.")
        builder.member("title", String.self, "The title for people.")
        builder.member("task", String.self, "What earns the badge, as a phrase such as \"20 trips within 30 days\".")
        builder.member("value", Double.self, "The progress. It can exceed `goal`.")
        builder.member("goal", Double.self, "The progress at which the badge is earned.")
        builder.member("unit", BadgeUnit.self, "The unit of `value` and `goal`. More values may be added.")
        builder.member("earned", ServiceDate?.self, "The service date of the trip that earned the badge; null when it is not earned.")
    }
}

extension StreakSummary {
    public init(days: Int, first: ServiceDate? = nil, last: ServiceDate? = nil, _: Void = ()) {
        self.init(days: days, first: first, last: last)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.days = try members.required("days")
        self.first = try members.optional("first")
        self.last = try members.optional("last")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("days", self.days)
        writer.member("first", self.first)
        writer.member("last", self.last)
        writer.endObject()
    }

    public static var schemaName: String { "StreakSummary" }
    public static var description: String { "Consecutive commute days with a trip. Weekends and days off do not end a streak." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("days", Int.self, "The number of commute days with a trip.")
        builder.member("first", ServiceDate?.self, "The first day.")
        builder.member("last", ServiceDate?.self, "The last day.")
    }
}

extension DayCount {
    public init(date: ServiceDate, trips: Int, _: Void = ()) {
        self.init(date: date, trips: trips)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.date = try members.required("date")
        self.trips = try members.required("trips")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("date", self.date)
        writer.member("trips", self.trips)
        writer.endObject()
    }

    public static var schemaName: String { "DayCount" }
    public static var description: String { "The trips of one service date." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("date", ServiceDate.self, "The service date.")
        builder.member("trips", Int.self, "The number of trips.")
    }
}

extension PunctualityDay {
    public init(date: ServiceDate, delay: Int? = nil, _: Void = ()) {
        self.init(date: date, delay: delay)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.date = try members.required("date")
        self.delay = try members.optional("delay")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("date", self.date)
        writer.member("delay", self.delay)
        writer.endObject()
    }

    public static var schemaName: String { "PunctualityDay" }
    public static var description: String { "A usual departure on one service date." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("date", ServiceDate.self, "The service date.")
        builder.member("delay", Int?.self, "Seconds late, negative when early; null when the vehicle did not serve the stop.", unit: .seconds)
    }
}

extension UsualPunctuality {
    public init(
        departure: UsualDeparture, onTime: Int, late: Int, early: Int, canceled: Int, medianDelay: Int? = nil,
        days: [PunctualityDay], usual: UsualDelay? = nil, _: Void = ()
    ) {
        self.init(
            departure: departure, onTime: onTime, late: late, early: early, canceled: canceled,
            medianDelay: medianDelay, days: days, usual: usual
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.departure = try members.required("departure")
        self.onTime = try members.required("on_time")
        self.late = try members.required("late")
        self.early = try members.required("early")
        self.canceled = try members.required("canceled")
        self.medianDelay = try members.optional("median_delay")
        self.days = try members.array("days")
        self.usual = try members.optional("usual")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("departure", self.departure)
        writer.member("on_time", self.onTime)
        writer.member("late", self.late)
        writer.member("early", self.early)
        writer.member("canceled", self.canceled)
        writer.member("median_delay", self.medianDelay)
        writer.member("days", self.days)
        writer.member("usual", self.usual)
        writer.endObject()
    }

    public static var schemaName: String { "UsualPunctuality" }
    public static var description: String { "How punctual a usual departure was." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("departure", UsualDeparture.self, "The usual departure.")
        builder.member("on_time", Int.self, "The departures at most 1 minute early and less than 3 minutes late.")
        builder.member("late", Int.self, "The departures at least 3 minutes late.")
        builder.member("early", Int.self, "The departures more than 1 minute early.")
        builder.member("canceled", Int.self, "The departures that were canceled, or did not stop.")
        builder.member("median_delay", Int?.self, "The median delay; null when unknown.", unit: .seconds)
        builder.member("days", [PunctualityDay].self, "The observed departures by date.")
        builder.member("usual", UsualDelay?.self, "The usual delay of the departure, learned from its source rather than from your trips; null when too little is known.")
    }
}

extension NotificationCounts {
    public init(
        rule: String, right: Int, needless: Int, tooLate: Int, unknown: Int, replaced: Int = 0, _: Void = ()
    ) {
        self.init(rule: rule, right: right, needless: needless, tooLate: tooLate, unknown: unknown, replaced: replaced)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.rule = try members.required("rule")
        self.right = try members.required("right")
        self.needless = try members.required("needless")
        self.tooLate = try members.required("too_late")
        self.unknown = try members.required("unknown")
        self.replaced = try members.optional("replaced", default: 0)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("rule", self.rule)
        writer.member("right", self.right)
        writer.member("needless", self.needless)
        writer.member("too_late", self.tooLate)
        writer.member("unknown", self.unknown)
        writer.member("replaced", self.replaced)
        writer.endObject()
    }

    public static var schemaName: String { "NotificationCounts" }
    public static var description: String { "How useful the notifications of one rule were." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("rule", String.self, "The rule: \"leave\" or \"delay\". More values may be added.")
        builder.member("right", Int.self, "The notifications whose advice was right.")
        builder.member("needless", Int.self, "The notifications that were not necessary, because the vehicle did not run, was not late, or left much later.")
        builder.member("too_late", Int.self, "The notifications that were too late to act on.")
        builder.member("unknown", Int.self, "The notifications about departures that were not observed.")
        builder.member("replaced", Int.self, "The notifications whose advice a later one replaced before it was time to leave.", default: 0)
    }
}

extension InsightsParameters {
    public init(days: Int = 90, routes: Int = 5, _: Void = ()) {
        self.init(days: days, routes: routes)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.days = try members.optional("days", in: 1...366, default: 90)
        self.routes = try members.optional("routes", in: 0...50, default: 5)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if self.days != 90 { writer.member("days", self.days) }
        if self.routes != 5 { writer.member("routes", self.routes) }
        writer.endObject()
    }

    public static var schemaName: String { "InsightsParameters" }
    public static var description: String { "Returns streaks, counts, badges, CO2 saved, punctuality and the quality of notifications, computed from the caller's logged trips and from observed departures." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("days", Int.self, "The number of past days of punctuality and of notifications.", in: 1...366, default: 90)
        builder.member("routes", Int.self, "The maximum number of routes.", in: 0...50, default: 5)
    }
}

extension InsightsResult: HasNotices {
    public init(
        at: Timestamp, today: ServiceDate, units: MeasurementUnits, currentStreak: StreakSummary,
        longestStreak: StreakSummary, streakAtRisk: Bool, tripsThisWeek: Int, checksThisWeek: Int, trips: Int,
        distance: Int, straightLineTrips: Int, unmeasuredTrips: Int, co2Saved: Double, co2PerKilometer: Double,
        weeks: [Int], routes: [RouteCount], badges: [BadgeStatus], calendar: [DayCount], days: Int,
        usual: [UsualPunctuality], alarms: [NotificationCounts], notices: [Notice] = [], _: Void = ()
    ) {
        self.init(
            at: at, today: today, units: units, currentStreak: currentStreak, longestStreak: longestStreak,
            streakAtRisk: streakAtRisk, tripsThisWeek: tripsThisWeek, checksThisWeek: checksThisWeek, trips: trips,
            distance: distance, straightLineTrips: straightLineTrips, unmeasuredTrips: unmeasuredTrips,
            co2Saved: co2Saved, co2PerKilometer: co2PerKilometer, weeks: weeks, routes: routes, badges: badges,
            calendar: calendar, days: days, usual: usual, alarms: alarms, notices: notices
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.today = try members.required("today")
        self.units = try members.required("units")
        self.currentStreak = try members.required("current_streak")
        self.longestStreak = try members.required("longest_streak")
        self.streakAtRisk = try members.required("streak_at_risk")
        self.tripsThisWeek = try members.required("trips_this_week")
        self.checksThisWeek = try members.required("checks_this_week")
        self.trips = try members.required("trips")
        self.distance = try members.required("distance")
        self.straightLineTrips = try members.required("straight_line_trips")
        self.unmeasuredTrips = try members.required("unmeasured_trips")
        self.co2Saved = try members.required("co2_saved")
        self.co2PerKilometer = try members.required("co2_per_kilometer")
        self.weeks = try members.array("weeks")
        self.routes = try members.array("routes")
        self.badges = try members.array("badges")
        self.calendar = try members.array("calendar")
        self.days = try members.required("days")
        self.usual = try members.array("usual")
        self.alarms = try members.array("alarms")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("today", self.today)
        writer.member("units", self.units)
        writer.member("current_streak", self.currentStreak)
        writer.member("longest_streak", self.longestStreak)
        writer.member("streak_at_risk", self.streakAtRisk)
        writer.member("trips_this_week", self.tripsThisWeek)
        writer.member("checks_this_week", self.checksThisWeek)
        writer.member("trips", self.trips)
        writer.member("distance", self.distance)
        writer.member("straight_line_trips", self.straightLineTrips)
        writer.member("unmeasured_trips", self.unmeasuredTrips)
        writer.member("co2_saved", self.co2Saved)
        writer.member("co2_per_kilometer", self.co2PerKilometer)
        writer.member("weeks", self.weeks)
        writer.member("routes", self.routes)
        writer.member("badges", self.badges)
        writer.member("calendar", self.calendar)
        writer.member("days", self.days)
        writer.member("usual", self.usual)
        writer.member("alarms", self.alarms)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "InsightsResult" }
    public static var description: String { "The caller's insights." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("today", ServiceDate.self, "The current date.")
        builder.member("units", MeasurementUnits.self, "The units to show. The members of this result are in meters and kilograms.")
        builder.member("current_streak", StreakSummary.self, "The current streak.")
        builder.member("longest_streak", StreakSummary.self, "The longest streak.")
        builder.member("streak_at_risk", Bool.self, "Whether the current streak ends today unless the caller takes a trip.")
        builder.member("trips_this_week", Int.self, "The trips since Monday.")
        builder.member("checks_this_week", Int.self, "The requests that the caller typed since Monday.")
        builder.member("trips", Int.self, "The number of all trips.")
        builder.member("distance", Int.self, "The sum of the known distances of all trips.", unit: .meters)
        builder.member("straight_line_trips", Int.self, "The trips whose distance is measured in straight lines from stop to stop.")
        builder.member("unmeasured_trips", Int.self, "The trips whose distance is unknown. They save no CO2 here.")
        builder.member("co2_saved", Double.self, "The CO2 that the trips saved, in kilograms.")
        builder.member("co2_per_kilometer", Double.self, "The CO2 saved for each kilometer, in kilograms, from the configuration.")
        builder.member("weeks", [Int].self, "The trips of each of the last 12 weeks, the current one last.")
        builder.member("routes", [RouteCount].self, "The routes with the most trips, the most frequent first.")
        builder.member("badges", [BadgeStatus].self, "All badges.")
        builder.member("calendar", [DayCount].self, "The days with trips within the last 53 weeks, in order.")
        builder.member("days", Int.self, "The number of past days of `usual` and `alarms`.")
        builder.member("usual", [UsualPunctuality].self, "The punctuality of the caller's usual departures.")
        builder.member("alarms", [NotificationCounts].self, "The quality of the caller's notifications.")
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}

extension InsightsForgetParameters {
    public init(_: Void = ()) {
        self.init()
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        _ = try WireMembers.of(Self.self, in: value, as: role)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.endObject()
    }

    public static var schemaName: String { "InsightsForgetParameters" }
    public static var description: String { "Removes what was logged and learned about the caller: trips, their sums, requests, and learned departures. The state file is rewritten without them, and one new copy replaces all older copies of it, including damaged files that were set aside. Pinned departures and the log of notifications remain. If only the copies cannot be replaced, the error message says so." }

    public static func describeMembers(to builder: inout SchemaBuilder) {}
}

extension InsightsForgetResult: HasNotices {
    public init(at: Timestamp, trips: Int, notices: [Notice] = [], _: Void = ()) {
        self.init(at: at, trips: trips, notices: notices)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.trips = try members.required("trips")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("trips", self.trips)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "InsightsForgetResult" }
    public static var description: String { "The result of removing what was logged and learned." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("trips", Int.self, "The number of trips that were removed.")
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}
