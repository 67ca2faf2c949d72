internal import TransitControl
internal import TransitModel

/// The details of a departure.
extension Departure {
    /// Returns the details in the order of the journey: walk, platform, vehicle, arrival.
    func directTripDetails(of commute: CommuteSummary, from now: Timestamp) -> [Line] {
        var pieces: [Line] = []
        if let leave = leaving(from: now) { pieces.append(leave) }
        if stop.platform != nil || stop.name != commute.from.name { pieces.append(from) }
        if let headsign = headsignWords { pieces.append(headsign) }
        if let arrival { pieces.append(arrival.line(of: commute)) }
        return pieces + conditions + [confidenceLine].compactMap { $0 }
    }

    /// The details for the board of a stop.
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

    /// The vehicle's position and occupancy, the information from the agency's other feed, the operator's remark, and the
    /// number of alerts.
    private var live: [Line] {
        var pieces = vehicle?.words.map { Line($0) } ?? []
        if let confirmedBy { pieces.append(confirmedBy.line) }
        if let remark, !remark.isEmpty { pieces.append(Line(remark)) }
        if !alerts.isEmpty { pieces.append(Line(CountText.of(alerts.count, "alert"), .caution)) }
        return pieces
    }

    /// The departure stop, such as "from Mill Lane, platform 3 instead of 2".
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

    /// Returns the arrival, such as "arrives 08:31 at Harbor Square, then walk 4 min". The stop is omitted if it is the
    /// endpoint of the commute.
    private func words(of commute: CommuteSummary) -> String {
        var words = time.map { "arrives \($0.clock)" } ?? "arrival time unknown"
        if stop.platform != nil || stop.name != commute.to.name { words += " at \(stop.words)" }
        if let walk, walk > 0 { words += ", then walk \(WalkText.of(walk))" }
        return words
    }
}

/// Formats walking times.
enum WalkText {
    /// Returns a time such as "8 min", rounded up so that riders are not late. Returns an empty string for no walk.
    static func of(_ seconds: Int) -> String { seconds <= 0 ? "" : "\((seconds + 59) / 60) min" }
}
