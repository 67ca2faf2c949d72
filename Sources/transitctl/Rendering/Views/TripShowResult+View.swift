internal import TransitControl
internal import TransitModel

extension View where Result == TripShowResult {
    /// All calls of a trip on one date.
    static let tripShow = View(page: page, rows: rows)

    /// For scripts: `stop_sequence`, arrival, departure, stop, platform.
    private static func rows(_ result: TripShowResult) -> [[String]] {
        result.calls.map {
            [
                String($0.sequence), $0.arrival.rfc3339, $0.departure.rfc3339, $0.stop.id.rawValue, $0.stop.name,
                $0.stop.platform ?? "",
            ]
        }
    }

    private static func page(_ result: TripShowResult) -> Page {
        var page = Page()
        var title = Line(result.route.words, .strong)
        if let headsign = result.trip.headsign, !headsign.isEmpty { title.append(" to \(headsign)") }
        page.line(title + Line("  \(result.feed):\(result.trip.id)", .faint))
        page.pieces(facts(result), indent: 2)
        page.blank()
        page.table(calls(result))
        return page
    }

    private static func facts(_ result: TripShowResult) -> [Line] {
        let offset = result.calls.first?.departure.offset ?? result.at.offset
        let days = result.at.moved(to: offset).date.days(to: result.serviceDate)
        let day = DayName.words(result.serviceDate, days: days)
        var facts = [
            result.runs ? Line(day) : Line("does not run \(days == 0 ? day : "on \(result.serviceDate)")", .caution)
        ]
        if let number = result.trip.shortName, !number.isEmpty { facts.append(Line("no. \(number)")) }
        if let headway = result.headway { facts.append(Line("every " + DurationWords.of(seconds: headway.seconds))) }
        if result.trip.wheelchair == .possible { facts.append(Line("takes wheelchairs")) }
        if result.trip.wheelchair == .notPossible { facts.append(Line("does not take wheelchairs")) }
        if result.trip.bikes == .possible { facts.append(Line("takes bicycles")) }
        if result.trip.bikes == .notPossible { facts.append(Line("does not take bicycles")) }
        return facts
    }

    private static func calls(_ result: TripShowResult) -> Table {
        var table = Table(
            [
                .init(title: "arrives"), .init(title: "leaves"), .init(title: "stop", shrinks: true),
                .init(title: ""),
            ], indent: 2)
        for (position, call) in result.calls.enumerated() {
            let isLast = position == result.calls.count - 1
            let arrival = position > 0 && (isLast || call.arrival != call.departure) ? clock(call.arrival, result) : ""
            table.add([
                Line(arrival), Line(isLast ? "" : clock(call.departure, result)), Line(call.stop.words),
                Line(conditions(call), .faint),
            ])
        }
        return table
    }

    /// "00:10 +1" on the day after the service date.
    private static func clock(_ time: Timestamp, _ result: TripShowResult) -> String {
        let days = result.serviceDate.days(to: time.date)
        return time.clock + (days == 0 ? "" : days > 0 ? " +\(days)" : " \(days)")
    }

    private static func conditions(_ call: TripCall) -> String {
        var words: [String] = []
        if call.isApproximate { words.append("about") }
        if call.pickup == .none, call.dropOff == .none { words.append("passes") }
        if call.pickup == .none, call.dropOff != .none { words.append("only to get off") }
        if call.dropOff == .none, call.pickup != .none { words.append("only to board") }
        if call.pickup == .phone || call.dropOff == .phone { words.append("book by phone") }
        if call.pickup == .driver || call.dropOff == .driver { words.append("ask the driver") }
        if let headsign = call.headsign, !headsign.isEmpty { words.append("shows \(headsign)") }
        return words.joined(separator: ", ")
    }
}
