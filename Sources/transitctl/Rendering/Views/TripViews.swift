internal import TransitControl
internal import TransitModel

extension View where Result == TripShowResult {
    /// The calls of a trip on a service date.
    static let tripShow = View(page: page, rows: rows)

    /// Rows for scripts: `stop_sequence`, scheduled arrival and departure, stop ID, stop name, platform, expected arrival and
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

    private static func page(_ page: inout Page, _ result: TripShowResult) {
        var title = Line(result.route.words, result.route.style)
        let destination = DestinationText.of(result.trip.headsign, instead: result.trip.scheduledHeadsign)
        if !destination.isEmpty { title = title + Line(" ") + destination }
        page.line(title + Line("  \(result.feed):\(result.trip.id)", .faint))
        page.pieces(facts(result), indent: 2)
        page.blank()
        page.table(calls(result))
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
        if result.trip.wheelchair == .possible { facts.append(Line("wheelchair accessible")) }
        if result.trip.wheelchair == .notPossible { facts.append(Line("not wheelchair accessible")) }
        if result.trip.bikes == .possible { facts.append(Line("bicycles allowed")) }
        if result.trip.bikes == .notPossible { facts.append(Line("no bicycles")) }
        return facts
    }

    /// Returns the source and age of the times, such as "live, 3 minutes old" or "scheduled, realtime data too old".
    private static func source(_ result: TripShowResult) -> Line? {
        guard result.source != .scheduled else {
            switch result.realtimeState {
            case .expired: return Line("scheduled, realtime data too old", .aging)
            case .missing: return Line("scheduled, not in realtime data", .aging)
            case .fresh, .aging, .notExpected, .other: return nil
            }
        }
        switch result.realtimeState {
        case .expired: return Line("\(result.source.word), \(LastReportText.words(result.age))", .aging)
        case .aging:
            let age = result.age.map { DurationText.of(seconds: max(0, $0)) + " old" } ?? "old"
            return Line("\(result.source.word), \(age)", .aging)
        case .fresh, .missing, .notExpected, .other: return Line(result.source.word, .live)
        }
    }

    /// Returns the table of calls. It has no source column if no call has realtime data.
    private static func calls(_ result: TripShowResult) -> Table {
        let hasLive = result.calls.contains { $0.source != .scheduled }
        var table = Table(["arrives", "leaves", .shrinking("stop")] + (hasLive ? ["source"] : []) + [""], indent: 2)
        for (position, call) in result.calls.enumerated() {
            let isLast = position == result.calls.count - 1
            let arrives = position > 0 && (isLast || call.arrives != call.leaves) ? call.arrives : nil
            let leaves = isLast ? nil : call.leaves
            let style: Style = call.runs ? .normal : .struck
            var row = [
                Line(clock(arrives, result), style), Line(clock(leaves, result), style), Line(call.stop.words, style),
            ]
            if hasLive { row.append(Line(call.source.word, call.source == .scheduled ? .scheduled : .normal)) }
            table.add(row + [remarks(call)])
        }
        return table
    }

    /// Returns remarks about a call, such as "+2 min late, only to board".
    private static func remarks(_ call: TripCall) -> Line {
        var conditions = conditions(call)
        if call.runs, let uncertainty = call.uncertainty, uncertainty >= 60 {
            conditions += (conditions.isEmpty ? "" : ", ") + "± \(WalkText.of(uncertainty))"
        }
        return Line(joining: call.changes + (conditions.isEmpty ? [] : [Line(conditions, .faint)]))
    }

    /// Returns the time of day, followed by the offset from the service date in days, such as "00:10 +1".
    private static func clock(_ time: Timestamp?, _ result: TripShowResult) -> String {
        guard let time else { return "" }
        let days = result.serviceDate.days(to: time.date)
        return time.clock + (days == 0 ? "" : days > 0 ? " +\(days)" : " \(days)")
    }

    private static func conditions(_ call: TripCall) -> String {
        var words: [String] = []
        if call.isApproximate { words.append("approximate") }
        if call.pickup == .none, call.dropOff == .none { words.append("does not stop") }
        if call.pickup == .none, call.dropOff != .none { words.append("drop-off only") }
        if call.dropOff == .none, call.pickup != .none { words.append("boarding only") }
        if call.pickup == .phone || call.dropOff == .phone { words.append("book by phone") }
        if call.pickup == .driver || call.dropOff == .driver { words.append("ask the driver") }
        if let headsign = call.headsign, !headsign.isEmpty { words.append("shows \(headsign)") }
        return words.joined(separator: ", ")
    }
}

extension TripCall {
    /// The expected time or, without a prediction, the scheduled time.
    fileprivate var arrives: Timestamp? { expectedArrival ?? arrival }
    fileprivate var leaves: Timestamp? { expectedDeparture ?? departure }
    fileprivate var runs: Bool { status != .canceled && status != .skipped }

    /// The differences from the timetable, such as "skipped", "+2 min late" or "instead of 2".
    fileprivate var changes: [Line] {
        guard runs else { return [Line(status.rawValue, .canceled)] }
        var pieces: [Line] = []
        if let delay, let words = DelayText.of(delay) {
            pieces.append(Line(words, delay > 0 ? .late : .early))
        }
        if let change = PlatformText.change(from: scheduledStop, to: stop) { pieces.append(Line(change, .caution)) }
        return pieces
    }
}

extension DepartureStatus {
    /// The status of the trip if it differs from the timetable; `nil` for an ordinary trip.
    fileprivate var word: Line? {
        switch self {
        case .scheduled, .departed, .other: nil
        case .canceled, .skipped: Line("canceled", .canceled)
        case .added, .duplicated: Line("extra service", .caution)
        case .unscheduled: Line("no fixed schedule", .caution)
        case .replaced: Line("changed from the timetable", .caution)
        }
    }
}

extension View where Result == ExplainResult {
    /// The change before the departure, and the departure, with the facts that explain them.
    static let explain = View(
        page: { page, result in
            if let change = result.change { page.line(change.line) }
            page.add(result.changeFacts, indent: 2)
            page.line(result.departure.line(from: result.at))
            page.add(result.facts, indent: 2)
        }, rows: { ($0.changeFacts + $0.facts).map { [$0.fact, $0.value, $0.source ?? ""] } })
}

extension Page {
    /// Adds facts with their sources.
    mutating func add(_ facts: [ExplainedFact], indent: Int) {
        let width = facts.map { Line($0.words).width }.max() ?? 0
        for fact in facts {
            // Facts are lines rather than rows of a table, so that long facts wrap.
            let gap = String(repeating: " ", count: width - Line(fact.words).width + 2)
            line(
                Line(fact.words + gap, .faint) + Line(fact.value)
                    + Line(fact.source.map { "  (\($0))" } ?? "", .faint), indent: indent)
        }
    }
}

extension ExplainedFact {
    fileprivate var words: String { fact.replacing("_", with: " ").replacing(".", with: " ") }
}
