import Testing
import TransitModel
import TransitTestSupport

@testable import TransitFeeds

@Suite struct RecurrenceRuleTests {
    private static func dates(_ rule: String, from first: String, to last: String = "2030-12-31") throws -> [String] {
        let start = try #require(ServiceDate(iso8601: first))
        let end = try #require(ServiceDate(iso8601: last))
        var budget = RecurrenceBudget(dates: 1_000_000)
        return try RecurrenceRule(rule).dates(from: start, in: start...end, budget: &budget).map(\.description)
    }

    /// Examples of RFC 5545 section 3.8.5.3, and their first dates.
    @Test(arguments: [
        ("FREQ=DAILY;INTERVAL=10;COUNT=5", "1997-09-02", "09-02 09-12 09-22 10-02 10-12"),
        ("FREQ=WEEKLY;INTERVAL=2;WKST=SU", "1997-09-02", "09-02 09-16 09-30 10-14 10-28"),
        ("FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH", "1997-09-02", "09-02 09-04 09-09 09-11 09-16"),
        ("FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH", "1997-09-02", "09-02 09-04 09-16 09-18 09-30"),
        ("FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", "1997-08-05", "08-05 08-10 08-19 08-24"),
        ("FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", "1997-08-05", "08-05 08-17 08-19 08-31"),
        ("FREQ=MONTHLY;COUNT=10;BYDAY=1FR", "1997-09-05", "09-05 10-03 11-07 12-05 01-02"),
        ("FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU", "1997-09-07", "09-07 09-28 11-02 11-30 01-04"),
        ("FREQ=MONTHLY;COUNT=6;BYDAY=-2MO", "1997-09-22", "09-22 10-20 11-17 12-22 01-19"),
        ("FREQ=MONTHLY;BYMONTHDAY=-3", "1997-09-28", "09-28 10-29 11-28 12-29 01-29"),
        ("FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1", "1997-09-30", "09-30 10-01 10-31 11-01 11-30"),
        ("FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5", "2007-01-15", "01-15 01-30 02-15 03-15 03-30"),
        ("FREQ=YEARLY;COUNT=10;BYMONTH=6,7", "1997-06-10", "06-10 07-10 06-10 07-10 06-10"),
        ("FREQ=YEARLY;BYDAY=20MO", "1997-05-19", "05-19 05-18 05-17 05-15 05-14"),
        ("FREQ=YEARLY;BYMONTH=3;BYDAY=TH", "1997-03-13", "03-13 03-20 03-27 03-05 03-12"),
        ("FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "1998-02-13", "02-13 03-13 11-13 08-13 10-13"),
        ("FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13", "1997-09-13", "09-13 10-11 11-08 12-13 01-10"),
        (
            "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8", "1996-11-05",
            "11-05 11-07 11-02 11-04 11-06"
        ),
        ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2", "1997-09-29", "09-29 10-30 11-27 12-30 01-29"),
        ("FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", "1997-09-04", "09-04 10-07 11-06"),
        // A day that a month or year does not have is left out (section 3.3.10).
        ("FREQ=MONTHLY", "1997-01-31", "01-31 03-31 05-31 07-31 08-31"),
        ("FREQ=YEARLY", "1996-02-29", "02-29 02-29 02-29 02-29 02-29"),
    ])
    func examplesOfTheSpecification(_ rule: String, _ first: String, _ expected: String) throws {
        let dates = try Self.dates(rule, from: first).prefix(5).map { String($0.dropFirst(5)) }
        #expect(dates.joined(separator: " ") == expected)
    }

    @Test func windowFarFromTheStartHasTheSameDates() throws {
        for rule in [
            "FREQ=DAILY;INTERVAL=3", "FREQ=WEEKLY;INTERVAL=5;BYDAY=MO,FR", "FREQ=MONTHLY;INTERVAL=7", "FREQ=YEARLY",
        ] {
            let all = try Self.dates(rule, from: "1970-03-05")
            var budget = RecurrenceBudget(dates: 4000)
            let window = ServiceDate(iso8601: "2029-01-01")!...ServiceDate(iso8601: "2030-12-31")!
            let late = try RecurrenceRule(rule).dates(
                from: ServiceDate(iso8601: "1970-03-05")!, in: window, budget: &budget)
            #expect(late.map(\.description) == all.filter { $0 >= "2029" }, "\(rule)")
        }
    }

    /// Compares random rules with a search that tests each date alone, by other means: it counts days of the week in lists
    /// of the dates of a month or year, and finds the period of a date by its distance from the first date.
    @Test(arguments: testSeeds(1, 2, 3))
    func randomRulesYieldTheDatesThatASearchFinds(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<120 {
            let oracle = RuleSearch(&random)
            let window = oracle.start.advanced(by: random.number(0...900))...oracle.start.advanced(by: 1600)
            var budget = RecurrenceBudget(dates: 1_000_000)
            let found = try RecurrenceRule(oracle.text).dates(from: oracle.start, in: window, budget: &budget)
            #expect(found == oracle.dates(in: window), "\(oracle.text) from \(oracle.start), seed \(seed)")
        }
    }
}

/// A random rule, and a slow search for its dates.
private struct RuleSearch {
    let start: ServiceDate
    private let frequency: String
    private let interval: Int
    private let count: Int?
    private let months: [Int]
    private let monthDays: [Int]
    private let weekdays: [(ordinal: Int?, day: Int)]
    private let weekStart: Int
    private static let names = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

    init(_ random: inout SeededGenerator) {
        start = ServiceDate(iso8601: "2024-01-01")!.advanced(by: random.number(0...1200))
        frequency = ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"][random.number(0...3)]
        interval = random.number(1...4)
        count = random.number(0...2) == 0 ? random.number(1...60) : nil
        months = random.number(0...2) == 0 ? (0..<random.number(1...3)).map { _ in random.number(1...12) } : []
        let hasMonthDays = frequency != "WEEKLY" && random.number(0...2) == 0
        monthDays =
            hasMonthDays
            ? (0..<random.number(1...4)).map { _ in random.number(1...31) * (random.number(0...1) == 0 ? 1 : -1) } : []
        let isNumbered = frequency == "MONTHLY" || frequency == "YEARLY"
        weekdays =
            random.number(0...1) == 0
            ? (0..<random.number(1...3)).map { _ in
                let ordinals: [Int?] = isNumbered ? [nil, 1, 2, 3, 4, 5, -1, -2] : [nil]
                return (ordinals[random.number(0...ordinals.count - 1)], random.number(0...6))
            } : []
        weekStart = random.number(0...6)
    }

    var text: String {
        func list(_ name: String, _ parts: [String]) -> String {
            parts.isEmpty ? "" : ";\(name)=" + parts.joined(separator: ",")
        }
        return "FREQ=\(frequency);INTERVAL=\(interval)" + (count.map { ";COUNT=\($0)" } ?? "")
            + list("BYMONTH", months.map(String.init)) + list("BYMONTHDAY", monthDays.map(String.init))
            + list("BYDAY", weekdays.map { ($0.ordinal.map(String.init) ?? "") + Self.names[$0.day] })
            + ";WKST=\(Self.names[weekStart])"
    }

    func dates(in window: ClosedRange<ServiceDate>) -> [ServiceDate] {
        var all = [start]
        var date = start.advanced(by: 1)
        while date <= window.upperBound {
            if isInPeriod(date), isAllowed(date) { all.append(date) }
            date = date.advanced(by: 1)
        }
        return all.prefix(count ?? .max).filter(window.contains)
    }

    private func isInPeriod(_ date: ServiceDate) -> Bool {
        let (first, own) = (start.components, date.components)
        func week(_ date: ServiceDate) -> Int { (Int(date.daysSince1970) + 3 - weekStart + 70_000) / 7 }
        return switch frequency {
        case "DAILY": start.days(to: date) % interval == 0
        case "WEEKLY": (week(date) - week(start)) % interval == 0
        case "MONTHLY": ((own.year - first.year) * 12 + own.month - first.month) % interval == 0
        default: (own.year - first.year) % interval == 0
        }
    }

    private func isAllowed(_ date: ServiceDate) -> Bool {
        let (first, own) = (start.components, date.components)
        guard months.isEmpty || months.contains(own.month) else { return false }
        let inMonth = Self.dates(own.year, own.month...own.month)
        if !monthDays.isEmpty {
            guard monthDays.contains(where: { $0 > 0 ? $0 == own.day : inMonth.count + 1 + $0 == own.day }) else {
                return false
            }
        }
        if !weekdays.isEmpty {
            let range = frequency == "MONTHLY" || !months.isEmpty ? inMonth : Self.dates(own.year, 1...12)
            return weekdays.contains { one in
                let same = range.filter { Int($0.weekday.rawValue) == one.day }
                guard let ordinal = one.ordinal else { return same.contains(date) }
                let index = ordinal > 0 ? ordinal - 1 : same.count + ordinal
                return same.indices.contains(index) && same[index] == date
            }
        }
        if !monthDays.isEmpty { return true }
        return switch frequency {
        case "DAILY": true
        case "WEEKLY": date.weekday == start.weekday
        case "MONTHLY": own.day == first.day
        default: own.day == first.day && (!months.isEmpty || own.month == first.month)
        }
    }

    private static func dates(_ year: Int, _ months: ClosedRange<Int>) -> [ServiceDate] {
        months.flatMap { month in (1...31).compactMap { ServiceDate(year: year, month: month, day: $0) } }
    }
}
