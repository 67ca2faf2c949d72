package import TransitControl
internal import TransitEngine
package import TransitModel
internal import TransitNotifications
package import TransitQueries
package import TransitStore
internal import TransitWire

/// The reply of `insights`.
package struct InsightsReply {
    /// What was recorded about the caller, besides the log of trips.
    package struct Records {
        var asks: [SavedLookup]
        var notifications: [SavedNotificationEvent]
        /// Returns what was observed about the departures of a route from a stop.
        var observations: (FeedID, RouteID, StopID) throws(StoreError) -> [DepartureObservation]

        /// - Parameters:
        ///   - asks: The requests that the caller typed.
        ///   - notifications: The caller's notifications in the period of the request.
        ///   - observations: Returns what was observed about the departures of a route from a stop in this period.
        package init(
            asks: [SavedLookup], notifications: [SavedNotificationEvent],
            observations: @escaping (FeedID, RouteID, StopID) throws(StoreError) -> [DepartureObservation]
        ) {
            self.asks = asks
            self.notifications = notifications
            self.observations = observations
        }
    }

    private let parameters: InsightsParameters
    private let insights: TravelInsights
    private let totals: TripTotals
    private let records: Records

    /// The number of weeks of the calendar, and of the counts by week.
    private static let calendarWeeks = 53
    private static let shownWeeks = 12

    /// - Parameters:
    ///   - insights: What follows from `totals`.
    ///   - totals: The sums of all logged trips.
    package init(_ parameters: InsightsParameters, _ insights: TravelInsights, _ totals: TripTotals, _ records: Records)
    {
        self.parameters = parameters
        self.insights = insights
        self.totals = totals
        self.records = records
    }

    /// - Parameter notices: The notices about the caller's data.
    package func result(_ context: QueryContext, notices: [Notice]) throws(StoreError) -> InsightsResult {
        let checks = records.asks.count { $0.date >= insights.monday }
        let calendarStart = insights.monday.advanced(by: -7 * (Self.calendarWeeks - 1))
        let days = totals.days.filter { (calendarStart...insights.today).contains($0.key) && $0.value.trips > 0 }
        let sum = totals.days.values.reduce(into: (straight: 0, unmeasured: 0)) { sum, day in
            sum.straight += day.straightLineTrips
            sum.unmeasured += day.unmeasuredTrips
        }
        let observed = try ObservedTravel(records, context)
        return InsightsResult(
            at: context.at, today: insights.today, units: context.units,
            currentStreak: StreakSummary(insights.currentStreak), longestStreak: StreakSummary(insights.longestStreak),
            streakAtRisk: StreakRisk(insights) != nil, tripsThisWeek: insights.tripsThisWeek, checksThisWeek: checks,
            trips: totals.trips, distance: insights.meters, straightLineTrips: sum.straight,
            unmeasuredTrips: sum.unmeasured, co2Saved: insights.kilograms,
            co2PerKilometer: insights.kilogramsPerMeter * 1000, weeks: insights.tripsByWeek(Self.shownWeeks),
            routes: insights.commonRoutes(parameters.routes).map { RouteCount($0.key, $0.route, context.zone) },
            badges: insights.badges.map { BadgeStatus($0, context.fixedUnits) },
            calendar: days.sorted { $0.key < $1.key }.map { DayCount(date: $0.key, trips: $0.value.trips) },
            days: parameters.days, usual: observed.punctuality, alarms: observed.alarms,
            notices: notices)
    }
}

/// The punctuality and the quality of notifications, computed from the observations of departures.
private struct ObservedTravel {
    private(set) var punctuality: [UsualPunctuality] = []
    private(set) var alarms: [NotificationCounts] = []

    /// The departures of a route from a stop.
    private struct RouteAtStop: Hashable {
        var feed: FeedID
        var route: RouteID
        var stop: StopID
    }

    /// The maximum number of routes at stops whose observations are read.
    private static let maximumRoutes = 200

    init(_ records: InsightsReply.Records, _ context: QueryContext) throws(StoreError) {
        let notices = records.notifications.compactMap { NotificationQuality.Alarm($0) }
        let usual = context.personal.usualDepartures
        var routes: [RouteAtStop] = usual.map { RouteAtStop(feed: $0.feed, route: $0.route, stop: $0.stop) }
        routes += notices.map {
            RouteAtStop(feed: $0.departure.feed, route: $0.departure.route, stop: $0.departure.stop)
        }
        var outcomes: [DepartureKey: DepartureOutcome] = [:]
        var known: Set<RouteAtStop> = []
        for one in routes where known.count < Self.maximumRoutes && known.insert(one).inserted {
            // A departure that has not left has no outcome.
            let observations = try records.observations(one.feed, one.route, one.stop)
            outcomes.merge(DepartureOutcome.all(observations)) { _, last in last }
        }
        for (position, departure) in usual.enumerated() {
            let zone = context.serviceZone(of: departure)
            let own = outcomes.filter { departure.isSame(as: $0.key, zone: zone) }
            var row = UsualPunctuality(
                context.usualDeparture(at: position), Punctuality(own.map { ($0.key, $0.value) }))
            row.usual = context.learnedDelay(of: departure).map { UsualDelay($0) }
            punctuality.append(row)
        }
        let counts = NotificationQuality.counts(notices, outcomes)
        alarms = NotificationQuality.Alarm.Rule.allCases.compactMap { rule in
            counts[rule].map { NotificationCounts(rule, $0) }
        }
    }
}

extension QueryContext {
    /// Returns what has been learned about a usual departure on all days of its kind; `nil` if too little is known.
    fileprivate func learnedDelay(of usual: SavedUsualDeparture) -> DelayPrediction? {
        let days = Weekday.allCases.filter { usual.days.contains($0) }
        guard let history = feeds.first(where: { $0.id == usual.feed })?.history, let day = days.first else {
            return nil
        }
        return history.usual(usual.route, usual.direction, from: usual.stop, at: usual.time, DayKind(day))
    }

    /// The zone of the service time of a usual departure.
    fileprivate func serviceZone(of usual: SavedUsualDeparture) -> ServiceZone {
        guard let timetable = feeds.first(where: { $0.id == usual.feed })?.timetable else { return zone }
        return timetable.file.route(id: usual.route).map { timetable.zone(of: $0) } ?? timetable.zone
    }
}

// MARK: - Conversions

extension NotificationQuality.Alarm {
    /// Returns `nil` for a notification that was suppressed, that is of another rule, or that names no departure.
    init?(_ saved: SavedNotificationEvent) {
        guard saved.stage != .suppressed, saved.stage != .replaced, let rule = Rule(rawValue: saved.rule),
            let value = try? JSONValue(parsing: Array(saved.event.utf8)),
            let event = try? NotificationEvent(reading: value, as: .result), !event.test, event.op != .withdraw,
            let departure = event.departure, let scheduled = departure.scheduled ?? departure.expected
        else { return nil }
        self.init(
            rule: rule,
            departure: DepartureKey(
                feed: departure.feed, route: departure.route.id,
                direction: departure.directionId.flatMap { Direction(rawValue: UInt8(clamping: $0)) },
                stop: departure.scheduledStop?.id ?? departure.stop.id, scheduled: scheduled.instant,
                serviceDate: departure.serviceDate),
            notified: event.at.instant, leaveBy: event.leaveBy?.instant, walk: event.walk,
            expected: departure.expected?.instant)
    }
}

extension NotificationCounts {
    fileprivate init(_ rule: NotificationQuality.Alarm.Rule, _ counts: [NotificationQuality.Verdict: Int]) {
        self.init(
            rule: rule.rawValue, right: counts[.right] ?? 0, needless: counts[.needless] ?? 0,
            tooLate: counts[.tooLate] ?? 0, unknown: counts[.unknown] ?? 0, replaced: counts[.replaced] ?? 0)
    }
}

extension UsualPunctuality {
    fileprivate init(_ departure: UsualDeparture, _ punctuality: Punctuality) {
        self.init(
            departure: departure, onTime: punctuality.onTime, late: punctuality.late, early: punctuality.early,
            canceled: punctuality.notServed, medianDelay: punctuality.medianDelay,
            days: punctuality.days.map { PunctualityDay(date: $0.date, delay: $0.delay) })
    }
}

extension StreakSummary {
    fileprivate init(_ streak: TravelInsights.Streak) {
        self.init(days: streak.days, first: streak.first, last: streak.last)
    }
}

extension BadgeStatus {
    package init(_ progress: BadgeProgress, _ units: DisplayUnits?) {
        self.init(
            badge: progress.badge.rawValue, title: progress.badge.title, task: progress.badge.task(in: units),
            value: progress.value, goal: progress.goal, unit: BadgeUnit(progress.badge), earned: progress.earned)
    }
}

extension BadgeUnit {
    fileprivate init(_ badge: Badge) {
        switch badge {
        case .weekWarrior: self = .days
        case .ecoHero: self = .kilograms
        default: self = .trips
        }
    }
}
