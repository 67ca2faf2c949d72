import Testing
import TransitModel
import TransitStore
import TransitTestSupport

@testable import TransitQueries

@Suite struct TravelInsightsTests {
    /// A Friday.
    private static let today = ServiceDate(iso8601: "2026-03-27")!
    private static let kilogramsPerMeter = 0.89 * DisplayUnits.kilogramsPerPound / DisplayUnits.metersPerMile

    private static func trip(_ date: ServiceDate, hour: Int = 8, meters: Int? = 16_093, minute: Int = 0) -> SavedTrip {
        let seconds = Int64(hour) * 3600 + Int64(minute) * 60
        let scheduled = Instant(secondsSince1970: Int64(date.daysSince1970) * 86_400 + seconds)
        return SavedTrip(
            departure: DepartureKey(
                feed: "city", route: "24", direction: nil, stop: "harbor", scheduled: scheduled, serviceDate: date),
            departed: scheduled, offset: 0, routeName: "24", stopName: "Harbor", meters: meters, logged: scheduled)
    }

    private static func insights(
        _ trips: [SavedTrip], today: ServiceDate = today, daysOff: [String] = [], weekdays: Set<Weekday>? = nil
    ) -> TravelInsights {
        var days = TravelInsights.CommuteDays(daysOff: Set(daysOff.compactMap { ServiceDate(iso8601: $0) }))
        if let weekdays { days.weekdays = weekdays }
        return TravelInsights(
            TripTotals(trips), today: today, commuteDays: days, kilogramsPerMeter: kilogramsPerMeter)
    }

    struct StreakCase: CustomTestStringConvertible {
        var name: String
        /// Dates in 2026.
        var dates: [String]
        var today = "03-27"
        var daysOff: [String] = []
        var current: Int
        var longest: Int
        var isAtRisk = false
        var testDescription: String { name }
    }

    @Test(arguments: [
        StreakCase(name: "none", dates: [], current: 0, longest: 0),
        StreakCase(name: "today", dates: ["03-27"], current: 1, longest: 1),
        StreakCase(name: "yesterday", dates: ["03-26"], current: 1, longest: 1),
        StreakCase(name: "at risk", dates: ["03-25", "03-26"], current: 2, longest: 2, isAtRisk: true),
        StreakCase(name: "kept", dates: ["03-25", "03-26", "03-27"], current: 3, longest: 3),
        StreakCase(name: "broken on Thursday", dates: ["03-23", "03-24", "03-25"], current: 0, longest: 3),
        StreakCase(
            name: "over a weekend", dates: ["03-19", "03-20", "03-23", "03-24"], today: "03-24", current: 4, longest: 4),
        StreakCase(
            name: "a trip on a weekend does not count", dates: ["03-20", "03-21", "03-22", "03-23"], today: "03-23",
            current: 2, longest: 2),
        StreakCase(
            name: "on a Sunday", dates: ["03-19", "03-20"], today: "03-22", current: 2, longest: 2),
        StreakCase(
            name: "over a day off", dates: ["03-24", "03-26"], daysOff: ["03-25"], current: 2, longest: 2,
            isAtRisk: true),
        StreakCase(
            name: "a day off is not at risk", dates: ["03-25", "03-26"], daysOff: ["03-27"], current: 2, longest: 2),
        StreakCase(
            name: "longest before", dates: ["03-02", "03-03", "03-04", "03-26", "03-27"], current: 2, longest: 3),
        StreakCase(name: "future trips are ignored", dates: ["03-26", "03-30"], current: 1, longest: 1),
    ])
    func streaks(_ one: StreakCase) throws {
        let trips = try one.dates.map { Self.trip(try #require(ServiceDate(iso8601: "2026-\($0)"))) }
        let insights = Self.insights(
            trips, today: try #require(ServiceDate(iso8601: "2026-\(one.today)")),
            daysOff: one.daysOff.map { "2026-\($0)" })
        #expect(insights.currentStreak.days == one.current)
        #expect(insights.longestStreak.days == one.longest)
        #expect((StreakRisk(insights) != nil) == one.isAtRisk)
    }

    @Test func withoutCommuteDaysThereIsNoStreak() {
        #expect(Self.insights([Self.trip(Self.today)], weekdays: []).currentStreak.days == 0)
    }

    @Test func weekBeginsOnMonday() {
        let trips = (0..<10).map { Self.trip(Self.today.advanced(by: -$0)) }
        let insights = Self.insights(trips)
        #expect(insights.tripsThisWeek == 5)
        #expect(insights.tripsByWeek(3) == [0, 5, 5])
    }

    // MARK: Badges

    /// Returns the badges as `badge value/goal date`.
    private static func lines(_ insights: TravelInsights) -> [String: String] {
        Dictionary(
            uniqueKeysWithValues: insights.badges.map { progress in
                let value = "\(Int(progress.value.rounded()))/\(Int(progress.goal.rounded()))"
                return (progress.badge.rawValue, value + (progress.earned.map { " \($0)" } ?? ""))
            })
    }

    @Test func newUserHasNoBadge() {
        #expect(
            Self.lines(Self.insights([])) == [
                "first_ride": "0/1", "week_warrior": "0/5", "month_master": "0/20", "eco_hero": "0/227",
                "commute_king": "0/100", "early_bird": "0/1", "night_owl": "0/1", "weekend_explorer": "0/10",
            ])
    }

    @Test func badgesHaveDatesAtWhichTheyWereEarned() throws {
        // Two trips on each of 70 days from 17 January on, a Saturday; 10 miles each.
        let first = Self.today.advanced(by: -69)
        #expect(first.weekday == .saturday)
        var trips: [SavedTrip] = []
        for day in 0..<70 {
            trips.append(Self.trip(first.advanced(by: day), hour: day == 3 ? 6 : 8))
            trips.append(Self.trip(first.advanced(by: day), hour: day == 5 ? 21 : 17))
        }
        #expect(
            Self.lines(Self.insights(trips)) == [
                "first_ride": "140/1 2026-01-17", "week_warrior": "50/5 2026-01-23",
                "month_master": "60/20 2026-01-26", "eco_hero": "565/227 2026-02-14",
                "commute_king": "140/100 2026-03-07", "early_bird": "1/1 2026-01-20", "night_owl": "1/1 2026-01-22",
                "weekend_explorer": "40/10 2026-01-31",
            ])
        let since = try #require(ServiceDate(iso8601: "2026-02-14"))
        #expect(Self.insights(trips).badges(earnedSince: since).map(\.badge) == [.ecoHero, .commuteKing])
    }

    @Test(arguments: [
        (6, 59, Badge.earlyBird, true), (7, 0, .earlyBird, false), (20, 59, .nightOwl, false), (21, 0, .nightOwl, true),
        (24, 30, .nightOwl, true), (24, 30, .earlyBird, false),
    ])
    func earlyAndLateTrips(hour: Int, minute: Int, badge: Badge, isEarned: Bool) {
        let insights = Self.insights([Self.trip(Self.today, hour: hour, minute: minute)])
        #expect(insights.badges.contains { $0.badge == badge && $0.earned != nil } == isEarned)
    }

    @Test func monthIsThirtyDays() {
        func earned(_ last: Int) -> ServiceDate? {
            let trips = (0..<19).map { Self.trip(Self.today.advanced(by: -40), minute: $0) }
            let insights = Self.insights(trips + [Self.trip(Self.today.advanced(by: -40 + last))])
            return insights.badges.first { $0.badge == .monthMaster }?.earned
        }
        #expect(earned(29) == Self.today.advanced(by: -11))
        #expect(earned(30) == nil)
    }

    @Test func onlyKnownDistancesSaveCO2() {
        let insights = Self.insights([
            Self.trip(Self.today, meters: nil), Self.trip(Self.today, hour: 9, meters: 1609),
        ])
        #expect(insights.meters == 1609)
        #expect(abs(insights.kilograms / DisplayUnits.kilogramsPerPound - 0.89) < 0.001)
    }

    /// Everything that insights show follows from the totals, so folding any part of the trips changes nothing.
    @Test(arguments: testSeeds(11, 12, 13, 14, 15, 16))
    func foldedAndKeptTripsGiveSameInsights(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let trips = (0..<random.number(0...300)).map { _ in
            Self.trip(
                Self.today.advanced(by: -random.number(0...120)), hour: random.number(0...26),
                meters: random.number(0...4) == 0 ? nil : random.number(0...60_000), minute: random.number(0...59))
        }
        let folded = TripTotals(trips.prefix(random.number(0...max(1, trips.count))))
        var rest = TripTotals()
        for trip in trips.dropFirst(folded.trips) { rest.add(trip) }
        let days = TravelInsights.CommuteDays()
        let all = TravelInsights(
            TripTotals(trips), today: Self.today, commuteDays: days, kilogramsPerMeter: Self.kilogramsPerMeter)
        let sum = TravelInsights(
            folded + rest, today: Self.today, commuteDays: days, kilogramsPerMeter: Self.kilogramsPerMeter)
        #expect(all == sum)
        #expect(all.badges == sum.badges)
        #expect(all.commonRoutes(5).map(\.route) == sum.commonRoutes(5).map(\.route))
        #expect(all.tripsByWeek(12) == sum.tripsByWeek(12))
    }
}
