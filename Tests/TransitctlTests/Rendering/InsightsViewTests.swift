import Foundation
import Testing
import TransitControl
import TransitModel

@testable import transitctl

@Suite struct InsightsViewTests {
    private static let usual = UsualDeparture(
        number: 1, feed: "demo", route: "R24", routeName: "24", routeType: 3,
        stop: StopReference(id: "70211", name: "Mill Lane"),
        time: "08:12", days: ["mon", "tue", "wed", "thu", "fri"], commute: "home-to-work", pinned: false)
    private static let pinned = UsualDeparture(
        number: 2, feed: "demo", route: "L1", routeName: "Local", stop: StopReference(id: "9", name: "R&D <Park>"),
        time: "24:30", days: ["fri"], date: ServiceDate(iso8601: "2026-03-27"), pinned: true,
        problem: "The timetable of demo has no stop \"9\".")

    private static func badge(
        _ badge: String, _ title: String, _ value: Double, _ goal: Double, _ unit: BadgeUnit = .trips,
        earned: String? = nil
    ) -> BadgeStatus {
        BadgeStatus(
            badge: badge, title: title, task: "do it", value: value, goal: goal, unit: unit,
            earned: earned.flatMap { ServiceDate(iso8601: $0) })
    }

    /// A year of a commuter.
    static func result() throws -> InsightsResult {
        let today = try #require(ServiceDate(iso8601: "2026-03-28"))
        let calendar = (0..<365).compactMap { day -> DayCount? in
            let date = today.advanced(by: day - 364)
            let isWorkingDay = date.weekday.rawValue < 5
            guard isWorkingDay ? day % 11 != 0 : day % 5 == 0 else { return nil }
            return DayCount(date: date, trips: isWorkingDay ? (day % 13 == 0 ? 5 : day % 3 == 0 ? 1 : 2) : 3)
        }
        let delays = (0..<60).map { day -> PunctualityDay in
            let date = today.advanced(by: day - 60)
            if day % 17 == 5 { return PunctualityDay(date: date) }
            return PunctualityDay(date: date, delay: day % 9 == 0 ? -90 : (day * 37) % 140 + (day % 7 == 3 ? 500 : 0))
        }
        let last = try Sample.time("08:12")
        return InsightsResult(
            at: last, today: today, units: .imperial,
            currentStreak: StreakSummary(days: 4, first: today.advanced(by: -4), last: today.advanced(by: -1)),
            longestStreak: StreakSummary(days: 12, first: today.advanced(by: -60), last: today.advanced(by: -45)),
            streakAtRisk: true, tripsThisWeek: 8, checksThisWeek: 1, trips: 1482, distance: 1_937_654,
            straightLineTrips: 12, unmeasuredTrips: 1, co2Saved: 486.1, co2PerKilometer: 0.250_848,
            weeks: [4, 8, 10, 9, 0, 3, 10, 12, 10, 8, 10, 8],
            routes: [
                RouteCount(
                    feed: "demo", route: "R24", routeName: "24", stop: "70211", stopName: "Mill Lane", destination: "9",
                    destinationName: "Harbor Square", trips: 120, last: last),
                RouteCount(
                    feed: "demo", route: "L1", routeName: "Local", stop: "9", stopName: "Harbor Square", trips: 31,
                    last: last),
            ],
            badges: [
                badge("first_ride", "First Ride", 1482, 1, earned: "2025-03-29"),
                badge("week_warrior", "Week Warrior", 12, 5, .days, earned: "2025-04-04"),
                badge("month_master", "Month Master", 19, 20),
                badge("eco_hero", "Eco Hero", 180.25, 226.796_185, .kilograms),
                badge("commute_king", "Commute King", 1482, 100, earned: "2025-05-30"),
                badge("early_bird", "Early Bird", 0, 1), badge("night_owl", "Night Owl", 1, 1, earned: "2026-01-05"),
                badge("weekend_explorer", "Weekend Explorer", 3, 10),
            ], calendar: calendar, days: 90,
            usual: [
                UsualPunctuality(
                    departure: usual, onTime: 41, late: 8, early: 7, canceled: 4, medianDelay: 72, days: delays,
                    usual: Sample.usual(2, 0, 5)),
                UsualPunctuality(departure: pinned, onTime: 0, late: 0, early: 0, canceled: 0, days: []),
            ],
            alarms: [
                NotificationCounts(rule: "leave", right: 18, needless: 1, tooLate: 0, unknown: 2, replaced: 3),
                NotificationCounts(rule: "delay", right: 5, needless: 3, tooLate: 1, unknown: 0),
            ])
    }

    private static func empty() throws -> InsightsResult {
        var result = try result()
        result.currentStreak = StreakSummary(days: 0)
        result.longestStreak = StreakSummary(days: 0)
        (result.streakAtRisk, result.tripsThisWeek, result.checksThisWeek, result.trips) = (false, 0, 0, 0)
        (result.distance, result.straightLineTrips, result.unmeasuredTrips, result.co2Saved) = (0, 0, 0, 0)
        result.weeks = Array(repeating: 0, count: 12)
        (result.routes, result.calendar, result.usual, result.alarms) = ([], [], [], [])
        for index in result.badges.indices { (result.badges[index].value, result.badges[index].earned) = (0, nil) }
        return result
    }

    @Test func insightsHaveBarsAndSparklines() throws {
        let result = try Self.result()
        try expectSnapshot(paint(.insights(locale: .imperial), result, width: 120), "insights-120")
        try expectSnapshot(paint(.insights(locale: .imperial), result, width: 40), "insights-40")
        try expectSnapshot(paint(.insights(locale: .imperial), result, color: true), "insights-color")
        try expectSnapshot(paint(.insights(units: .metric, locale: .imperial), result), "insights-metric")
        try expectSnapshot(paint(.insights(locale: .imperial), try Self.empty()), "insights-empty")
        let rows = PlainRows.text(View<InsightsResult>.insights(locale: .imperial).rows(result))
        try expectSnapshot(rows, "insights-plain")
        #expect(rows.utf8.allSatisfy { $0 < 0x80 }, "ASCII")
    }

    @Test(arguments: [120, 40, 20]) func linesFitOnTerminal(width: Int) throws {
        let text = paint(.insights(locale: .imperial), try Self.result(), width: width)
        let words = text.split(separator: "\n").filter { DisplayWidth.of($0) > width }
        #expect(width == 20 || words.isEmpty, "\(words)")
    }

    @Test func barsAndSparklinesAreScaled() {
        let chart = Chart()
        #expect(chart.bar(0, of: 5) == "░░░░░░░░░░")
        #expect(chart.bar(0.01, of: 5) == "█░░░░░░░░░")
        #expect(chart.bar(4.99, of: 5) == "█████████░")
        #expect(chart.bar(7, of: 5, width: 3) == "███")
        #expect(chart.bar(1, of: 0, width: 3) == "░░░")
        #expect(chart.sparkline([0, 1, 8, nil]) == "▁▂█×")
        #expect(Chart(isASCII: true).sparkline([0, 1, 8, nil]) == "_.#x")
        #expect(Chart(isASCII: true).bar(1, of: 2, width: 4) == "##..")
        #expect(chart.sparkline([]) == "")
        #expect(chart.sparkline([0, 0]) == "▁▁")
    }

    @Test func quantitiesUseUnits() {
        let (imperial, metric) = (DisplayUnits.imperial, DisplayUnits.metric)
        #expect(imperial.distance(meters: 1609) == "1.0 mi")
        #expect(imperial.distance(meters: 2_000_000) == "1,243 mi")
        #expect(metric.distance(meters: 1234) == "1.2 km")
        #expect(imperial.weight(kilograms: 226.796_185) == "500 lb")
        #expect(metric.weight(kilograms: 5) == "5.0 kg")
        #expect(imperial.factor(kilogramsPerKilometer: 0.250_848) == "0.89 lb per mile")
        #expect(metric.factor(kilogramsPerKilometer: 0.250_848) == "0.25 kg per km")
        #expect(metric.weight(kilograms: .infinity) == "? kg")
    }

    /// The setting of the person determines the units of all numbers, also in the drawing and in badges.
    @Test func chosenUnitsArePrinted() throws {
        var result = try Self.result()
        result.units = .metric
        #expect(
            paint(.insights(locale: .imperial), result) == paint(.insights(units: .metric, locale: .imperial), result))
        #expect(!paint(.insights(locale: .imperial), result).contains(" lb"))
        result.units = .automatic
        #expect(!paint(.insights(locale: .imperial), result).contains(" kg"))
        #expect(InsightsDrawing(result, units: .metric).svg.contains(" kg of CO2 saved"))
        var badge = Self.badge("eco_hero", "Eco Hero", 230, 226.796_185, earned: "2026-03-28")
        badge.unit = .kilograms
        let taken = TakenResult(at: result.at, trip: try Self.trip("08:12"), changed: true, badges: [badge])
        #expect(paint(.takenAdd(in: .metric), taken).contains("New badge: Eco Hero, for 227 kg of CO2 saved."))
        #expect(paint(.takenAdd(in: .imperial), taken).contains("New badge: Eco Hero, for 500 lb of CO2 saved."))
    }

    /// A departure after midnight has the time that a clock shows, and the night.
    @Test(
        arguments: [
            ("26:40", ["fri"], nil, "02:40", "night fri/sat", "in the night from Friday to Saturday"),
            (
                "26:40", ["mon", "tue", "wed", "thu", "fri"], nil, "02:40", "night after mon-fri",
                "in the nights after mon-fri"
            ),
            ("24:05", ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], nil, "00:05", "every night", "every night"),
            (
                "26:40", ["fri"], "2026-03-27", "02:40", "night after 2026-03-27",
                "in the night from 2026-03-27 to 2026-03-28"
            ),
            ("23:59", ["fri"], nil, "23:59", "fri", "fri"),
            ("08:12", ["sun", "sat"], nil, "08:12", "weekends", "weekends"),
            ("50:10", ["fri"], nil, "02:10", "night after fri", "in the night from Saturday to Sunday"),
        ] as [(String, [String], String?, String, String, String)])
    func nightOfUsualDepartureIsNamed(
        _ time: String, _ days: [String], _ date: String?, _ clock: String, _ cell: String, _ words: String
    ) throws {
        let usual = UsualDeparture(
            number: 1, feed: "demo", route: "N5", routeName: "N5", routeType: 3,
            stop: StopReference(id: "9", name: "Mill Lane"),
            time: time, days: days, date: date.flatMap { ServiceDate(iso8601: $0) }, pinned: true)
        #expect(usual.words == "\(clock) Bus N5 from Mill Lane, \(words)")
        let list = paint(.usualList, UsualListResult(at: try Sample.time("09:00"), departures: [usual]), width: 100)
        #expect(list.contains(" \(clock) ") && list.contains(" \(cell) "))
    }

    // MARK: Drawing

    @Test func drawingIsValidXML() throws {
        for result in [try Self.result(), try Self.empty()] {
            let svg = InsightsDrawing(result, units: .imperial).svg
            let parser = XMLDocumentCheck()
            #expect(parser.accepts(svg))
        }
        try expectSnapshot(InsightsDrawing(try Self.result(), units: .imperial).svg, "insights-svg")
    }

    @Test func textOfDrawingIsEscaped() throws {
        #expect(
            InsightsDrawing.escaped("<a href='x'>&\"\u{1}\u{FFFF}") == "&lt;a href=&#39;x&#39;&gt;&amp;&quot;\u{FFFD}")
        var result = try Self.result()
        result.usual[0].departure.stop.name = "</text><script>alert(1)</script>"
        #expect(!InsightsDrawing(result, units: .imperial).svg.contains("<script"))
    }

    // MARK: Trips and usual departures

    private static func trip(_ clock: String) throws -> LoggedTrip {
        let time = try Sample.time(clock)
        return LoggedTrip(
            serviceDate: time.date, scheduled: time, departed: time, feed: "demo", route: "R24", routeName: "24",
            stop: "70211", stopName: "Mill Lane", destination: "9", destinationName: "Harbor Square",
            commute: "home-to-work", distance: 12_345, logged: time)
    }

    @Test func takenTripIsNamed() throws {
        let at = try Sample.time("08:20")
        var result = TakenResult(
            at: at, trip: try Self.trip("08:12"), guessed: true, changed: true,
            badges: [Self.badge("first_ride", "First Ride", 1, 1, earned: "2026-03-28")])
        try expectSnapshot(paint(.takenAdd(in: .metric), result), "taken-add")
        result.changed = false
        result.guessed = false
        result.badges = []
        #expect(
            paint(.takenAdd(in: .metric), result) == "Already logged: 24 at 08:12 from Mill Lane to Harbor Square.\n")
        #expect(paint(.takenUndo, result) == "Removed 24 at 08:12 from Mill Lane to Harbor Square.\n")
        #expect(paint(.takenUndo, TakenResult(at: at, changed: false)) == "There is no trip to remove.\n")
    }

    @Test func tripsAreListed() throws {
        let result = TakenListResult(
            at: try Sample.time("09:00"), trips: [try Self.trip("08:42"), try Self.trip("08:12")], total: 7,
            foldedTotal: 3, nextCursor: "2")
        try expectSnapshot(paint(.takenList, result), "taken-list")
        try expectSnapshot(paint(.takenList, result, width: 40), "taken-list-40")
        try expectSnapshot(PlainRows.text(View.takenList.rows(result)), "taken-list-plain")
    }

    @Test func usualDeparturesAreListed() throws {
        let result = UsualListResult(at: try Sample.time("09:00"), departures: [Self.pinned, Self.usual])
        try expectSnapshot(paint(.usualList, result), "usual-list")
        try expectSnapshot(paint(.usualList, result, width: 40), "usual-list-40")
        try expectSnapshot(PlainRows.text(View.usualList.rows(result)), "usual-list-plain")
        let explained = UsualExplainResult(
            at: result.at, departure: Self.usual,
            facts: [ExplainedFact(fact: "weight", value: "2.4, of at least 1.5", source: "a trip counts 2 times")])
        try expectSnapshot(paint(.usualExplain, explained), "usual-explain")
    }
}

/// Checks that a text is well-formed XML, as far as a drawing needs it: tags are balanced, and text has no bare `<` or `&`.
private struct XMLDocumentCheck {
    func accepts(_ text: String) -> Bool {
        var open: [Substring] = []
        var rest = text[...]
        while let start = rest.firstIndex(of: "<") {
            guard let end = rest[start...].firstIndex(of: ">") else { return false }
            let tag = rest[rest.index(after: start)..<end]
            rest = rest[rest.index(after: end)...]
            if tag.hasPrefix("?") || tag.hasSuffix("/") { continue }
            let name = tag.prefix { $0 != " " && $0 != "\n" }
            if name.hasPrefix("/") {
                guard open.popLast() == name.dropFirst() else { return false }
            } else {
                open.append(name)
            }
        }
        let entities = text.split(separator: "&", omittingEmptySubsequences: false).dropFirst()
        return open.isEmpty
            && entities.allSatisfy { part in ["amp;", "lt;", "gt;", "quot;", "#39;"].contains { part.hasPrefix($0) } }
    }
}
