internal import TransitControl
internal import TransitModel

extension View where Result == InsightsResult {
    /// The caller's insights, with bars and sparklines.
    ///
    /// - Parameters:
    ///   - units: The units that an option names; `nil` for those that the person chose.
    ///   - locale: The units of the locale, for a person who did not choose any.
    static func insights(units: DisplayUnits? = nil, locale: DisplayUnits) -> View {
        View(
            page: { $0 = InsightsPage($1, units: units ?? $1.units.units(locale: locale)).page },
            rows: { InsightsRows($0, units: units ?? $0.units.units(locale: locale)).rows })
    }
}

/// The insights as a page for people.
private struct InsightsPage {
    private let result: InsightsResult
    private let units: DisplayUnits
    private let chart = Chart()
    private(set) var page = Page()

    init(_ result: InsightsResult, units: DisplayUnits) {
        self.result = result
        self.units = units
        addSummary()
        addRoutes()
        addBadges()
        addPunctuality()
        addAlarms()
    }

    private mutating func addSummary() {
        if result.trips == 0 {
            page.line("No trips yet. When you have caught a departure, log it with: transitctl taken")
        }
        row("streak", [Line(CountText.of(result.currentStreak.days, "commute day"), .strong)])
        if result.streakAtRisk { row("", [Line("take a trip today to keep it", .caution)]) }
        if let last = result.longestStreak.last {
            row("longest", [Line("\(result.longestStreak.days), until \(last)")])
        }
        row(
            "this week",
            [
                Line(CountText.of(result.tripsThisWeek, "trip"), .strong),
                Line(CountText.of(result.checksThisWeek, "check")),
            ])
        row("12 weeks", [Line(chart.sparkline(result.weeks.map { Double($0) }))])
        row(
            "all trips",
            [Line(CountText.grouped(result.trips), .strong), Line(units.distance(meters: result.distance))])
        row(
            "CO2 saved",
            [
                Line(units.weight(kilograms: result.co2Saved), .good),
                Line(units.factor(kilogramsPerKilometer: result.co2PerKilometer), .faint),
            ])
        if result.straightLineTrips > 0 {
            row("", [Line("\(CountText.of(result.straightLineTrips, "trip")) in straight lines", .faint)])
        }
        if result.unmeasuredTrips > 0 {
            row(
                "",
                [Line("\(CountText.of(result.unmeasuredTrips, "trip")) of unknown length", .faint)])
        }
    }

    private static let labelWidth = 11

    /// Adds a label with pieces, which are wrapped below each other.
    private mutating func row(_ label: String, _ pieces: [Line]) {
        var first = Line(label, .faint)
        first.append(String(repeating: " ", count: Self.labelWidth - label.count))
        var pieces = pieces
        pieces[0] = first + pieces[0]
        page.pieces(pieces)
    }

    private mutating func heading(_ text: String) {
        page.blank()
        page.line(text, .faint)
    }

    private mutating func addRoutes() {
        guard let most = result.routes.first?.trips else { return }
        heading("YOUR ROUTES")
        page.table(["", "", .trailing("")], indent: 2, showsTitles: false, of: result.routes) { route in
            [Line(route.words), Line(chart.bar(Double(route.trips), of: Double(most))), Line(String(route.trips))]
        }
    }

    private mutating func addBadges() {
        heading("BADGES")
        page.table(["", "", ""], indent: 2, showsTitles: false, of: result.badges) { badge in
            [
                Line(badge.title, badge.earned == nil ? .normal : .strong),
                Line(chart.bar(badge.value, of: badge.goal), badge.earned == nil ? .normal : .good),
                badge.earned.map { Line("earned \($0)", .good) } ?? Line(badge.progress(units), .faint),
            ]
        }
    }

    private mutating func addPunctuality() {
        guard !result.usual.isEmpty else { return }
        heading("YOUR DEPARTURES, LAST \(CountText.of(result.days, "DAY").uppercased())")
        for usual in result.usual {
            page.line(Line(usual.departure.words), indent: 2)
            guard !usual.days.isEmpty else {
                page.pieces([Line("not observed yet", .faint)] + usual.learned, indent: 4)
                continue
            }
            page.pieces(
                [
                    Line(
                        chart.sparkline(usual.days.suffix(30).map { $0.delay.map { Double(max(0, $0)) } }, highest: 600)
                    ),
                    Line("\(usual.onTime) of \(usual.days.count) on time", usual.late == 0 ? .good : .normal),
                    Line(usual.median),
                ] + (usual.canceled == 0 ? [] : [Line("\(usual.canceled) canceled", .caution)]) + usual.learned,
                indent: 4)
        }
    }

    private mutating func addAlarms() {
        guard !result.alarms.isEmpty else { return }
        heading("YOUR NOTIFICATIONS, LAST \(CountText.of(result.days, "DAY").uppercased())")
        for alarm in result.alarms {
            let judged = alarm.right + alarm.needless + alarm.tooLate
            page.pieces(
                [
                    Line(alarm.rule, .strong) + Line(" ") + Line(chart.bar(Double(alarm.right), of: Double(judged))),
                    Line("\(alarm.right) right", .good), Line("\(alarm.needless) needless"),
                    Line("\(alarm.tooLate) too late", alarm.tooLate > 0 ? .caution : .normal),
                    Line("\(alarm.unknown) unknown", .faint),
                ] + (alarm.replaced > 0 ? [Line("\(alarm.replaced) replaced in time", .faint)] : []), indent: 2)
        }
    }
}

/// The insights as rows for scripts: the kind, the name and the values. Charts are in ASCII.
private struct InsightsRows {
    private(set) var rows: [[String]] = []

    init(_ result: InsightsResult, units: DisplayUnits) {
        let chart = Chart(isASCII: true)
        func date(_ date: ServiceDate?) -> String { date.map(\.description) ?? "" }
        for (name, streak) in [("current", result.currentStreak), ("longest", result.longestStreak)] {
            rows.append(["streak", name, String(streak.days), date(streak.first), date(streak.last)])
        }
        rows.append(["week", "trips", String(result.tripsThisWeek)])
        rows.append(["week", "checks", String(result.checksThisWeek)])
        rows.append(
            [
                "weeks", "trips", result.weeks.map(String.init).joined(separator: " "),
                chart.sparkline(result.weeks.map { Double($0) }),
            ])
        rows.append(["total", "trips", String(result.trips)])
        rows.append(["total", "distance", units.distance(meters: result.distance)])
        rows.append(["total", "co2", units.weight(kilograms: result.co2Saved)])
        let most = Double(result.routes.first?.trips ?? 0)
        rows += result.routes.map {
            ["route", $0.words, String($0.trips), chart.bar(Double($0.trips), of: most)]
        }
        rows += result.badges.map {
            ["badge", $0.title, $0.progress(units), date($0.earned), chart.bar($0.value, of: $0.goal)]
        }
        rows += result.usual.map { usual in
            [
                "usual", usual.departure.words, "\(usual.onTime)", "\(usual.days.count)",
                usual.medianDelay.map(String.init) ?? "",
                chart.sparkline(usual.days.suffix(30).map { $0.delay.map { Double(max(0, $0)) } }, highest: 600),
                usual.usual.map { String($0.delay) } ?? "",
            ]
        }
        rows += result.alarms.map {
            [
                "alarms", $0.rule, String($0.right), String($0.needless), String($0.tooLate), String($0.unknown),
                String($0.replaced),
            ]
        }
    }
}

extension BadgeStatus {
    /// What earns the badge, such as "5 commute days in a row" or "500 lb of CO2 saved".
    func task(in units: DisplayUnits) -> String {
        unit == .kilograms ? "\(units.weight(kilograms: goal)) of CO2 saved" : task
    }
}

extension RouteCount {
    /// The route with its stops, such as "24, Harbor to Market Square".
    var words: String { "\(routeName), \(stopName)\(destinationName.map { " to \($0)" } ?? "")" }
}

extension UsualPunctuality {
    /// The median delay, such as "usually 2 min late".
    fileprivate var median: String {
        guard let medianDelay else { return "no departure observed" }
        let minutes = Int((Double(abs(medianDelay)) / 60).rounded())
        if minutes == 0 { return "usually on time" }
        return "usually \(minutes) min \(medianDelay < 0 ? "early" : "late")"
    }

    /// The usual delay on all days of its kind, such as "all 26 weekdays: 3 min late (1 to 6)"; empty if too little is known.
    fileprivate var learned: [Line] {
        guard let usual else { return [] }
        return [Line("all \(DayKindText.count(usual.days, usual.dayKind)): \(UsualDelayText.of(usual))")]
    }
}

extension BadgeStatus {
    /// The progress, such as "3 of 5 days".
    fileprivate func progress(_ units: DisplayUnits) -> String {
        switch unit {
        case .kilograms:
            "\(units.weightNumber(kilograms: value)) of \(units.weight(kilograms: goal))"
        case .days: "\(Int(value)) of \(CountText.of(Int(goal), "day"))"
        case .trips, .other: "\(Int(value)) of \(CountText.of(Int(goal), "trip"))"
        }
    }
}
