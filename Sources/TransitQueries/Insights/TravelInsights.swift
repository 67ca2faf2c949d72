package import TransitModel
package import TransitStore

/// Streaks, counts, routes and badges, computed from a user's logged trips.
package struct TravelInsights: Hashable, Sendable {
    /// The days on which a missed trip ends a streak.
    package struct CommuteDays: Hashable, Sendable {
        package var weekdays: Set<Weekday>
        package var daysOff: Set<ServiceDate>

        package init(weekdays: Set<Weekday> = Weekday.workingDays, daysOff: Set<ServiceDate> = []) {
            self.weekdays = weekdays
            self.daysOff = daysOff
        }

        package func contains(_ date: ServiceDate) -> Bool {
            weekdays.contains(date.weekday) && !daysOff.contains(date)
        }

        /// Whether no commute day lies between two dates, both excluded.
        func areConsecutive(_ first: ServiceDate, _ second: ServiceDate) -> Bool {
            var date = first.advanced(by: 1)
            while date < second {
                // Without days off, the loop ends after at most three days, because every week has a commute day.
                if contains(date) { return false }
                date = date.advanced(by: 1)
            }
            return true
        }
    }

    /// Consecutive commute days with a trip.
    package struct Streak: Hashable, Sendable {
        package var days = 0
        /// The first and last day; `nil` if there are no days.
        package var first: ServiceDate?
        package var last: ServiceDate?
    }

    package var today: ServiceDate
    package var totals: TripTotals
    package var currentStreak = Streak()
    package var longestStreak = Streak()
    /// The days that extended a streak to the length of the badge for the first time.
    private var streakBadgeDate: ServiceDate?
    package var commuteDays: CommuteDays
    /// Kilograms of CO2 that a logged trip saves for each meter.
    package var kilogramsPerMeter: Double

    /// Trips after `today` are ignored, except in the totals.
    package init(_ totals: TripTotals, today: ServiceDate, commuteDays: CommuteDays, kilogramsPerMeter: Double) {
        self.totals = totals
        self.today = today
        self.commuteDays = commuteDays
        self.kilogramsPerMeter = kilogramsPerMeter
        computeStreaks()
    }

    private mutating func computeStreaks() {
        guard !commuteDays.weekdays.isEmpty else { return }
        var streak = Streak()
        for date in dates where commuteDays.contains(date) {
            if let last = streak.last, commuteDays.areConsecutive(last, date) {
                streak.days += 1
                streak.last = date
            } else {
                streak = Streak(days: 1, first: date, last: date)
            }
            if streak.days > longestStreak.days { longestStreak = streak }
            if streak.days == Badge.weekWarriorDays, streakBadgeDate == nil { streakBadgeDate = date }
        }
        // The streak goes on until a commute day before today was missed.
        if let last = streak.last, commuteDays.areConsecutive(last, today) { currentStreak = streak }
    }

    /// The service dates with trips, earliest first.
    private var dates: [ServiceDate] { totals.days.keys.filter { $0 <= today }.sorted() }

    /// The trips since Monday.
    package var tripsThisWeek: Int { trips(from: monday, through: today) }

    /// Monday of this week.
    package var monday: ServiceDate { today.advanced(by: -Int(today.weekday.rawValue)) }

    package func trips(from first: ServiceDate, through last: ServiceDate) -> Int {
        totals.days.reduce(0) { $0 + ((first...max(first, last)).contains($1.key) ? $1.value.trips : 0) }
    }

    /// The trips of each of the last weeks, the current one last.
    package func tripsByWeek(_ count: Int) -> [Int] {
        (0..<count).reversed().map { week in
            let first = monday.advanced(by: -7 * week)
            return trips(from: first, through: first.advanced(by: 6))
        }
    }

    /// The sum of the known distances of all trips.
    package var meters: Int { totals.days.values.reduce(0) { $0 + $1.meters } }
    package var kilograms: Double { Double(meters) * kilogramsPerMeter }

    /// The routes with the most trips, the most frequent first.
    package func commonRoutes(_ count: Int) -> [(key: TripTotals.RouteKey, route: TripTotals.Route)] {
        let sorted = totals.routes.sorted { left, right in
            (-left.value.trips, -left.value.last.secondsSince1970, left.key.sortText)
                < (-right.value.trips, -right.value.last.secondsSince1970, right.key.sortText)
        }
        return sorted.prefix(count).map { ($0.key, $0.value) }
    }

    // MARK: Badges

    package var badges: [BadgeProgress] { Badge.allCases.map(progress) }

    /// Returns the badges that were earned on a date or later.
    package func badges(earnedSince date: ServiceDate) -> [BadgeProgress] {
        badges.filter { $0.earned.map { $0 >= date } ?? false }
    }

    private func progress(of badge: Badge) -> BadgeProgress {
        switch badge {
        case .weekWarrior:
            return BadgeProgress(
                badge: badge, value: Double(longestStreak.days), goal: badge.goal, earned: streakBadgeDate)
        case .monthMaster: return monthProgress
        case .firstRide, .commuteKing: return accumulated(badge) { _, day in Double(day.trips) }
        case .ecoHero: return accumulated(badge) { _, day in Double(day.meters) * kilogramsPerMeter }
        case .earlyBird: return accumulated(badge) { _, day in Double(day.earlyTrips) }
        case .nightOwl: return accumulated(badge) { _, day in Double(day.lateTrips) }
        case .weekendExplorer:
            return accumulated(badge) { date, day in
                Weekday.workingDays.contains(date.weekday) ? 0 : Double(day.trips)
            }
        }
    }

    /// The progress of a badge that depends on a sum over all days.
    private func accumulated(
        _ badge: Badge, _ amount: (ServiceDate, TripTotals.Day) -> Double
    ) -> BadgeProgress {
        var progress = BadgeProgress(badge: badge, value: 0, goal: badge.goal)
        for date in dates {
            progress.value += totals.days[date].map { amount(date, $0) } ?? 0
            if progress.earned == nil, progress.value >= progress.goal { progress.earned = date }
        }
        return progress
    }

    /// The largest number of trips within 30 days.
    private var monthProgress: BadgeProgress {
        var progress = BadgeProgress(badge: .monthMaster, value: 0, goal: Badge.monthMaster.goal)
        let dates = dates
        var (first, trips) = (0, 0)
        for date in dates {
            trips += totals.days[date]?.trips ?? 0
            while dates[first].days(to: date) >= Badge.monthDays {
                trips -= totals.days[dates[first]]?.trips ?? 0
                first += 1
            }
            progress.value = max(progress.value, Double(trips))
            if progress.earned == nil, progress.value >= progress.goal { progress.earned = date }
        }
        return progress
    }
}

extension TripTotals.RouteKey {
    fileprivate var sortText: String { "\(feed)\u{0}\(route)\u{0}\(stop)\u{0}\(destination?.rawValue ?? "")" }
}

/// A badge for logged trips.
package enum Badge: String, Hashable, Sendable, CaseIterable {
    /// The first trip.
    case firstRide = "first_ride"
    /// A streak of five commute days.
    case weekWarrior = "week_warrior"
    /// 20 trips within 30 days.
    case monthMaster = "month_master"
    /// 500 lb of CO2 saved.
    case ecoHero = "eco_hero"
    /// 100 trips.
    case commuteKing = "commute_king"
    /// A trip before 07:00.
    case earlyBird = "early_bird"
    /// A trip from 21:00 on.
    case nightOwl = "night_owl"
    /// 10 trips on weekends.
    case weekendExplorer = "weekend_explorer"

    static let weekWarriorDays = 5
    static let monthDays = 30

    /// The title for people.
    package var title: String {
        switch self {
        case .firstRide: "First Ride"
        case .weekWarrior: "Week Warrior"
        case .monthMaster: "Month Master"
        case .ecoHero: "Eco Hero"
        case .commuteKing: "Commute King"
        case .earlyBird: "Early Bird"
        case .nightOwl: "Night Owl"
        case .weekendExplorer: "Weekend Explorer"
        }
    }

    /// What earns the badge, as a phrase.
    ///
    /// - Parameter units: The units of the person; `nil` names both units.
    package func task(in units: DisplayUnits?) -> String {
        switch self {
        case .firstRide: "the first trip"
        case .weekWarrior: "5 commute days in a row"
        case .monthMaster: "20 trips within 30 days"
        case .ecoHero:
            (units.map { $0.weight(kilograms: goal) }
                ?? DisplayUnits.imperial.weight(kilograms: goal) + " (\(DisplayUnits.metric.weight(kilograms: goal)))")
                + " of CO2 saved"
        case .commuteKing: "100 trips"
        case .earlyBird: "a trip before 07:00"
        case .nightOwl: "a trip from 21:00 on"
        case .weekendExplorer: "10 trips on weekends"
        }
    }

    /// The value at which the badge is earned: kilograms for ``ecoHero``, days for ``weekWarrior``, and trips for others.
    package var goal: Double {
        switch self {
        case .firstRide, .earlyBird, .nightOwl: 1
        case .weekWarrior: Double(Self.weekWarriorDays)
        case .monthMaster: 20
        case .ecoHero: 500 * DisplayUnits.kilogramsPerPound
        case .commuteKing: 100
        case .weekendExplorer: 10
        }
    }
}

/// How far a user is from a badge.
package struct BadgeProgress: Hashable, Sendable {
    package var badge: Badge
    /// In the unit of ``goal``. It can exceed the goal.
    package var value: Double
    package var goal: Double
    /// The service date of the trip that earned the badge; `nil` if it is not earned.
    package var earned: ServiceDate?
}

/// A streak that ends today unless the user takes a trip.
package struct StreakRisk: Hashable, Sendable {
    /// The length of the streak, at least ``minimum``.
    package var streak: TravelInsights.Streak

    /// The minimum length of a streak that is worth keeping.
    package static let minimum = 2

    /// Returns `nil` if today is not a commute day, if the user has already taken a trip today, or without a streak.
    package init?(_ insights: TravelInsights) {
        guard insights.commuteDays.contains(insights.today), insights.totals.days[insights.today] == nil,
            insights.currentStreak.days >= Self.minimum
        else { return nil }
        streak = insights.currentStreak
    }
}
