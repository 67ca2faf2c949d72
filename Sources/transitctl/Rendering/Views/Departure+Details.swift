internal import TransitControl
internal import TransitModel

/// What stands below or beside the human line.
extension Departure {
    /// In the order in which a traveller needs it: leave home, find the platform, know the vehicle, get off.
    func journeyDetails(of commute: CommuteSummary, from now: Timestamp) -> [Line] {
        var pieces: [Line] = []
        if let leave = leaving(from: now) { pieces.append(leave) }
        if stop.platform != nil || stop.name != commute.from.name { pieces.append(from) }
        if let headsign = headsignWords { pieces.append(headsign) }
        if let arrival { pieces.append(arrival.line(of: commute)) }
        return pieces + conditions + [confidenceLine].compactMap { $0 }
    }

    /// Beside a line of a stop's board.
    var conditions: [Line] {
        var pieces: [Line] = []
        if let number = tripShortName, !number.isEmpty, number != route.displayName {
            pieces.append(Line("no. \(number)"))
        }
        if let headway { pieces.append(Line("every " + DurationText.of(seconds: headway.seconds))) }
        switch pickup {
        case .none: pieces.append(Line("no boarding", .caution))
        case .phone: pieces.append(Line("book by phone", .caution))
        case .driver: pieces.append(Line("ask the driver to board", .caution))
        case .regular, .other: break
        }
        return pieces + live
    }

    /// Where the vehicle is, how full, what the agency's other feed and the operator say, and whether there are alerts.
    private var live: [Line] {
        var pieces = vehicle?.words.map { Line($0) } ?? []
        if let confirmedBy { pieces.append(confirmedBy.line) }
        if let remark, !remark.isEmpty { pieces.append(Line(remark)) }
        if !alerts.isEmpty { pieces.append(Line(CountText.of(alerts.count, "alert"), .caution)) }
        return pieces
    }

    /// "from Mill Lane, platform 3 instead of 2".
    private var from: Line {
        var line = Line("from \(stop.words)")
        if let change = PlatformText.change(from: scheduledStop, to: stop) { line.append(" \(change)", .caution) }
        return line
    }

    private var headsignWords: Line? {
        headsign.flatMap { $0.isEmpty ? nil : Line("to \($0)") }
    }

    private func leaving(from now: Timestamp) -> Line? {
        guard let leaveBy, let walk, walk > 0 else { return nil }
        let time = leaveBy.instant <= now.instant ? "leave now" : "leave by \(leaveBy.clock)"
        return Line(time, .strong) + Line(", walk \(WalkText.of(walk))")
    }
}

extension Arrival {
    fileprivate func line(of commute: CommuteSummary) -> Line {
        guard status != .skipped else { return Line("does not stop at \(stop.words)", .bad) }
        return Line(words(of: commute))
    }

    /// "arrives 08:31 at Harbour Square, then walk 4 min"; the stop is named where it is not the commute's end.
    private func words(of commute: CommuteSummary) -> String {
        var words = time.map { "arrives \($0.clock)" } ?? "arrival not known"
        if stop.platform != nil || stop.name != commute.to.name { words += " at \(stop.words)" }
        if let walk, walk > 0 { words += ", then walk \(WalkText.of(walk))" }
        return words
    }
}

/// A walk, in words.
enum WalkText {
    /// "8 min", rounded up: a walk that is told too short misses the bus. Empty for no walk.
    static func of(_ seconds: Int) -> String { seconds <= 0 ? "" : "\((seconds + 59) / 60) min" }
}
