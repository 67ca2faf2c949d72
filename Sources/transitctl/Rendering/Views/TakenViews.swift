internal import TransitControl
internal import TransitModel

extension View where Result == TakenResult {
    /// - Parameter units: The units of the locale, for a person who did not choose any.
    static func takenAdd(in units: DisplayUnits) -> View {
        View(page: { page(&$0, $1, units) }, rows: { result in result.trip.map { [$0.row] } ?? [] })
    }

    private static func page(_ page: inout Page, _ result: TakenResult, _ units: DisplayUnits) {
        guard let trip = result.trip else { return }
        let verb = result.changed ? "Logged" : "Already logged:"
        page.line("\(verb) \(trip.words).")
        if result.guessed, result.changed { page.line("Not this one? transitctl taken --undo", .faint) }
        for badge in result.badges {
            page.line("New badge: \(badge.title), for \(badge.task(in: result.units.units(locale: units))).", .good)
        }
    }

    static let takenUndo = View.sentence { result in
        result.trip.map { "Removed \($0.words)." } ?? "There is no trip to remove."
    }
}

extension View where Result == TakenListResult {
    /// The trips, newest first.
    static let takenList = View(page: page, rows: { $0.trips.map(\.row) })

    private static func page(_ page: inout Page, _ result: TakenListResult) {
        page.table(
            ["date", "time", "route", .shrinking("from"), .shrinking("to"), .shrinking("commute")], of: result.trips
        ) { trip in
            [
                Line(trip.serviceDate.description), Line(trip.scheduled.clock, .strong), Line(trip.routeName),
                Line(trip.stopName), Line(trip.destinationName ?? ""), Line(trip.commute ?? "", .faint),
            ]
        }
        if result.total == 0 { page.line("No trips yet. To log one: transitctl taken") }
        if result.nextCursor != nil {
            page.line("\(CountText.of(result.total, "trip")) in all. To see more, use -n.", .faint)
        }
        if result.foldedTotal > 0 {
            page.line("\(CountText.of(result.foldedTotal, "older trip")) only in the sums of insights.", .faint)
        }
    }
}

extension View where Result == TakenImportResult {
    static let takenImport = View(
        page: { page, result in
            page.line(
                "Added \(CountText.of(result.added, "trip")); \(CountText.grouped(result.known)) were already logged.")
            let computed = result.alongTrip + result.straightLine
            if computed > 0 {
                page.line(
                    "Computed the distance of \(CountText.of(computed, "trip")): "
                        + "\(CountText.grouped(result.alongTrip)) along the route, "
                        + "\(CountText.grouped(result.straightLine)) in straight lines.", .faint)
            }
            if result.unmeasured > 0 {
                page.line(
                    "The distance of \(CountText.of(result.unmeasured, "trip")) is unknown: without a destination, or "
                        + "with a stop that is not in the timetable.", .caution)
            }
        },
        rows: {
            [
                [
                    String($0.added), String($0.known), String($0.alongTrip), String($0.straightLine),
                    String($0.unmeasured),
                ]
            ]
        })
}

extension View where Result == UsualListResult {
    static let usualList = View(page: page, rows: { $0.departures.map(\.row) })

    private static func page(_ page: inout Page, _ result: UsualListResult) {
        var table = Table([
            .trailing(""), "time", "route", .shrinking("from"), "days", .shrinking("commute"), .shrinking(""),
        ])
        for usual in result.departures {
            var remark: [Line] = [usual.pinned ? Line("pinned", .good) : Line("learned", .faint)]
            if let problem = usual.problem { remark.append(Line(problem, .caution)) }
            table.add([
                Line(String(usual.number), .faint), Line(usual.clock, .strong), Line(usual.routeWords),
                Line(usual.stop.name), Line(usual.dayWords), Line(usual.commute ?? "", .faint),
                Line(joining: remark),
            ])
        }
        page.table(table)
        if result.departures.isEmpty {
            page.line(
                "No usual departures yet. They are learned from what you ask for; to pin one: transitctl usual pin ID")
        }
    }
}

extension View where Result == UsualExplainResult {
    static let usualExplain = View(
        page: { page, result in
            page.line(result.departure.words, .strong)
            for fact in result.facts {
                page.line(Line("\(fact.fact): ", .faint) + Line(fact.value), indent: 2)
                if let source = fact.source { page.line(source, .faint, indent: 4) }
            }
        },
        rows: { result in result.facts.map { [$0.fact, $0.value, $0.source ?? ""] } })
}

extension LoggedTrip {
    /// The trip, such as "24 at 08:12 from Mill Lane to Airport".
    var words: String {
        "\(routeName) at \(scheduled.clock) from \(stopName)\(destinationName.map { " to \($0)" } ?? "")"
    }

    /// The row for scripts: service date, scheduled, departed, feed, route, stop, destination, commute, distance.
    fileprivate var row: [String] {
        [
            serviceDate.description, scheduled.rfc3339, departed.rfc3339, feed.rawValue, route.rawValue, stop.rawValue,
            destination?.rawValue ?? "", commute ?? "", distance.map(String.init) ?? "",
        ]
    }
}

extension UsualDeparture {
    /// The departure, such as "08:12 Bus 24 from Mill Lane, mon-fri".
    var words: String { "\(clock) \(routeWords) from \(stop.name), \(nightWords ?? dayWords)" }

    /// The service time; `nil` if the daemon sends something else.
    private var serviceTime: ServiceTime? {
        let parts = time.split(separator: ":").map { Int($0) }
        guard parts.count == 2, let hours = parts[0], let minutes = parts[1], (0...720).contains(hours),
            (0...59).contains(minutes)
        else { return nil }
        return ServiceTime(seconds: Int32(hours * 3600 + minutes * 60))
    }

    /// The route with its mode, such as "Bus 24".
    fileprivate var routeWords: String { routeType.map { RouteName.words(type: $0, name: routeName) } ?? routeName }

    /// The time that a clock shows, such as "02:40" for 26:40.
    fileprivate var clock: String { serviceTime?.timeOfDay ?? time }

    /// The night of a departure after midnight, such as "in the night from Friday to Saturday".
    private var nightWords: String? {
        guard let serviceTime, serviceTime.daysAfterServiceDate > 0 else { return nil }
        return serviceTime.words(ofServiceDays: weekdays, date: date)
    }

    private var weekdays: Set<Weekday> {
        Set(days.compactMap { day in Weekday.allCases.first { $0.shortName == day } })
    }

    /// The days, such as "mon-fri" or, for a departure after midnight, "night after mon-fri".
    fileprivate var dayWords: String {
        let isLater = (serviceTime?.daysAfterServiceDate ?? 0) > 0
        let words = date?.description ?? Weekday.words(weekdays)
        guard isLater else { return words }
        if date == nil, weekdays.count == 1, let day = weekdays.first, serviceTime?.daysAfterServiceDate == 1 {
            return "night \(day.shortName)/\(day.next.shortName)"
        }
        return weekdays.count == 7 && date == nil ? "every night" : "night after \(words)"
    }

    /// The row for scripts: number, time, feed, route, stop, days, date, commute, whether it is pinned, problem.
    fileprivate var row: [String] {
        [
            String(number), time, feed.rawValue, route.rawValue, stop.id.rawValue, days.joined(separator: ","),
            date.map(\.description) ?? "", commute ?? "", pinned ? "pinned" : "learned", problem ?? "",
        ]
    }
}
