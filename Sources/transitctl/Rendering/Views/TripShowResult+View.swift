internal import TransitControl
internal import TransitModel

extension View where Result == TripShowResult {
    /// All calls of a trip on one date.
    static let tripShow = View(page: page, rows: rows)

    /// For scripts: `stop_sequence`, arrival and departure in the timetable, stop, name, platform, expected arrival and
    /// departure, delay in seconds, status, source.
    private static func rows(_ result: TripShowResult) -> [[String]] {
        result.calls.map {
            [
                String($0.sequence), $0.arrival.rfc3339, $0.departure.rfc3339, $0.stop.id.rawValue, $0.stop.name,
                $0.stop.platform ?? "", $0.expectedArrival.rfc3339, $0.expectedDeparture.rfc3339,
                $0.delay.map(String.init) ?? "", $0.status.rawValue, $0.source.rawValue,
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
        let offset = result.calls.first?.leaves?.offset ?? result.at.offset
        let days = result.at.moved(to: offset).date.days(to: result.serviceDate)
        let day = DayName.words(result.serviceDate, days: days)
        var facts = [
            result.runs || result.status == .duplicated
                ? Line(day) : Line("does not run \(days == 0 ? day : "on \(result.serviceDate)")", .caution)
        ]
        if let change = result.status.word { facts.append(change) }
        if let source = source(result) { facts.append(source) }
        if let number = result.trip.shortName, !number.isEmpty { facts.append(Line("no. \(number)")) }
        if let headway = result.headway { facts.append(Line("every " + DurationText.of(seconds: headway.seconds))) }
        if result.trip.wheelchair == .possible { facts.append(Line("takes wheelchairs")) }
        if result.trip.wheelchair == .notPossible { facts.append(Line("does not take wheelchairs")) }
        if result.trip.bikes == .possible { facts.append(Line("takes bicycles")) }
        if result.trip.bikes == .notPossible { facts.append(Line("does not take bicycles")) }
        return facts
    }

    /// "live", "live, 3 minutes old", "live, last word, 12 minutes old", "scheduled, live data too old".
    private static func source(_ result: TripShowResult) -> Line? {
        guard result.source != .scheduled else {
            switch result.realtimeState {
            case .expired: return Line("scheduled, live data too old", .caution)
            case .missing: return Line("scheduled, not seen live", .caution)
            case .fresh, .aging, .notExpected, .other: return nil
            }
        }
        switch result.realtimeState {
        case .expired: return Line("\(result.source.word), \(LastReportText.words(result.age))", .caution)
        case .aging:
            let age = result.age.map { DurationText.of(seconds: max(0, $0)) + " old" } ?? "old"
            return Line("\(result.source.word), \(age)", .caution)
        case .fresh, .missing, .notExpected, .other: return Line(result.source.word, .good)
        }
    }

    /// Without realtime data for any call, the table has no source column.
    private static func calls(_ result: TripShowResult) -> Table {
        let hasLive = result.calls.contains { $0.source != .scheduled }
        var table = Table(
            [
                .init(title: "arrives"), .init(title: "leaves"), .init(title: "stop", shrinks: true),
            ] + (hasLive ? [.init(title: "source")] : []) + [.init(title: "")], indent: 2)
        for (position, call) in result.calls.enumerated() {
            let isLast = position == result.calls.count - 1
            let arrives = position > 0 && (isLast || call.arrives != call.leaves) ? call.arrives : nil
            let leaves = isLast ? nil : call.leaves
            let style: Style = call.runs ? .normal : .struck
            var row = [
                Line(clock(arrives, result), style), Line(clock(leaves, result), style), Line(call.stop.words, style),
            ]
            if hasLive { row.append(Line(call.source.word, call.source == .scheduled ? .faint : .normal)) }
            table.add(row + [remarks(call)])
        }
        return table
    }

    /// "+2 min late, only to board".
    private static func remarks(_ call: TripCall) -> Line {
        let conditions = conditions(call)
        return Line(joining: call.changes + (conditions.isEmpty ? [] : [Line(conditions, .faint)]))
    }

    /// "00:10 +1" on the day after the service date.
    private static func clock(_ time: Timestamp?, _ result: TripShowResult) -> String {
        guard let time else { return "" }
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

extension TripCall {
    /// By what is known now.
    fileprivate var arrives: Timestamp? { expectedArrival ?? arrival }
    fileprivate var leaves: Timestamp? { expectedDeparture ?? departure }
    fileprivate var runs: Bool { status != .canceled && status != .skipped }

    /// "skipped"; "+2 min late", "platform 3 instead of 2": what differs from the timetable.
    fileprivate var changes: [Line] {
        guard runs else { return [Line(status.rawValue, .bad)] }
        var pieces: [Line] = []
        if let delay, let words = DelayText.of(delay) {
            pieces.append(Line(words, delay > 0 ? .caution : .normal))
        }
        if let change = PlatformText.change(from: scheduledStop, to: stop) { pieces.append(Line(change, .caution)) }
        return pieces
    }
}

extension DepartureStatus {
    /// A trip's, where it differs from the timetable.
    fileprivate var word: Line? {
        switch self {
        case .scheduled, .departed, .other: nil
        case .canceled, .skipped: Line("canceled", .bad)
        case .added, .duplicated: Line("extra service", .caution)
        case .unscheduled: Line("not on fixed times", .caution)
        case .replaced: Line("changed from the timetable", .caution)
        }
    }
}
