internal import TransitControl
internal import TransitModel

extension View where Result == TakenResult {
    static let takenAdd = View(
        page: { result in
            var page = Page()
            guard let trip = result.trip else { return page }
            let verb = result.changed ? "Logged" : "Already logged:"
            page.line("\(verb) \(trip.words).")
            if result.guessed, result.changed { page.line("Not this one? transitctl taken --undo", .faint) }
            for badge in result.badges { page.line("New badge: \(badge.title), for \(badge.task).", .good) }
            return page
        },
        rows: { result in result.trip.map { [$0.row] } ?? [] })

    static let takenUndo = View.sentence { result in
        result.trip.map { "Removed \($0.words)." } ?? "There is no trip to remove."
    }
}

extension View where Result == TakenListResult {
    /// The trips, newest first.
    static let takenList = View(page: page, rows: { $0.trips.map(\.row) })

    private static func page(_ result: TakenListResult) -> Page {
        var page = Page()
        var table = Table([
            .init(title: "date"), .init(title: "time"), .init(title: "route"), .init(title: "from", shrinks: true),
            .init(title: "to", shrinks: true), .init(title: "commute", shrinks: true),
        ])
        for trip in result.trips {
            table.add([
                Line(trip.serviceDate.description), Line(trip.scheduled.clock, .strong), Line(trip.routeName),
                Line(trip.stopName), Line(trip.destinationName ?? ""), Line(trip.commute ?? "", .faint),
            ])
        }
        page.table(table)
        if result.total == 0 { page.line("No trips yet. To log one: transitctl taken") }
        if result.nextCursor != nil {
            page.line("\(CountText.of(result.total, "trip")) in all. To see more, use -n.", .faint)
        }
        if result.foldedTotal > 0 {
            page.line("\(CountText.of(result.foldedTotal, "older trip")) only in the sums of insights.", .faint)
        }
        return page
    }
}

extension View where Result == TakenImportResult {
    static let takenImport = View(
        page: { result in
            var page = Page()
            page.line(
                "Added \(CountText.of(result.added, "trip")); \(CountText.grouped(result.known)) were already logged.")
            return page
        },
        rows: { [[String($0.added), String($0.known)]] })
}

extension View where Result == UsualListResult {
    static let usualList = View(page: page, rows: { $0.departures.map(\.row) })

    private static func page(_ result: UsualListResult) -> Page {
        var page = Page()
        var table = Table([
            .init(title: "", alignment: .trailing), .init(title: "time"), .init(title: "route"),
            .init(title: "from", shrinks: true), .init(title: "days"), .init(title: "commute", shrinks: true),
            .init(title: "", shrinks: true),
        ])
        for usual in result.departures {
            var remark: [Line] = [usual.pinned ? Line("pinned", .good) : Line("learned", .faint)]
            if let problem = usual.problem { remark.append(Line(problem, .caution)) }
            table.add([
                Line(String(usual.number), .faint), Line(usual.time, .strong), Line(usual.routeName),
                Line(usual.stop.name), Line(usual.dayWords), Line(usual.commute ?? "", .faint),
                Line(joining: remark),
            ])
        }
        page.table(table)
        if result.departures.isEmpty {
            page.line(
                "No usual departures yet. They are learned from what you ask for; to pin one: transitctl usual pin ID")
        }
        return page
    }
}

extension View where Result == UsualExplainResult {
    static let usualExplain = View(
        page: { result in
            var page = Page()
            page.line(result.departure.words, .strong)
            for fact in result.facts {
                page.line(Line("\(fact.fact): ", .faint) + Line(fact.value), indent: 2)
                if let source = fact.source { page.line(source, .faint, indent: 4) }
            }
            return page
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
    /// The departure, such as "08:12 24 from Mill Lane, mon-fri".
    var words: String { "\(time) \(routeName) from \(stop.name), \(dayWords)" }

    fileprivate var dayWords: String {
        if let date { return date.description }
        switch days {
        case ["mon", "tue", "wed", "thu", "fri"]: return "mon-fri"
        case ["sat", "sun"]: return "weekends"
        case _ where days.count == 7: return "every day"
        default: return days.joined(separator: " ")
        }
    }

    /// The row for scripts: number, time, feed, route, stop, days, date, commute, whether it is pinned, problem.
    fileprivate var row: [String] {
        [
            String(number), time, feed.rawValue, route.rawValue, stop.id.rawValue, days.joined(separator: ","),
            date.map(\.description) ?? "", commute ?? "", pinned ? "pinned" : "learned", problem ?? "",
        ]
    }
}
