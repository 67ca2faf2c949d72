internal import TransitControl
internal import TransitModel

/// The main line of a departure.
extension Departure {
    /// The forms of the line, from the widest to the narrowest.
    enum LineForm: CaseIterable {
        /// `Bus 24 in 7 minutes (scheduled) at 08:12, usually 3 min late (1 to 6)`.
        case long
        /// `Bus 24 in 7 min (scheduled) at 08:12, usually 3 min late (1 to 6)`.
        case abbreviated
        /// `Bus 24 in 7 min (usually +3 min) at 08:12`. Only the timetable has usual delays, so its time needs no other word.
        case short
        /// `Bus 24 in 7 min (scheduled) at 08:12`, without what usually happens.
        case bare
    }

    /// Returns a line such as `Bus 24 in 7 minutes (live) at 08:12, +2 min late` or `Bus 24 canceled (live) at 08:12`.
    func line(from now: Timestamp, _ form: LineForm = .long) -> Line {
        let isShort = form != .long
        var line = Line(route.words, runs ? route.style : .struck)
        let words = time.map { RelativeTime.words(for: $0, from: now, isShort: isShort) }
        line.append(" ")
        line.append(runs ? Line(words?.before ?? "at an unknown time") : Line(failure, .canceled))
        line.append(" ")
        line.append(sourceLine(form))
        if let words {
            line.append(" ")
            line.append((isApproximateOnly ? "at about " : "at ") + words.after, runs ? .normal : .struck)
        }
        line.append(remarks(form))
        return line
    }

    /// Returns a line such as `Bus 24 at 08:12 (live), +2 min late`, for a ride of a journey that begins at `start`.
    func rideLine(of start: Timestamp, from now: Timestamp) -> Line {
        var line = Line(route.words, runs ? route.style : .struck)
        line.append(runs ? "" : " \(failure)", .canceled)
        let words = time.map { (isApproximateOnly ? " at about " : " at ") + $0.words(on: start, from: now) }
        line.append(words ?? " at an unknown time")
        line.append(" ")
        line.append(sourceLine(.long))
        line.append(remarks(.long))
        return line
    }

    /// Returns the line in its shorter forms, for narrow terminals, the widest first.
    func shortLines(from now: Timestamp) -> [Line] { LineForm.allCases.dropFirst().map { line(from: now, $0) } }

    /// Whether the trip runs and stops at the stop.
    var runs: Bool { status != .canceled && status != .skipped }

    /// Whether the only known time is approximate.
    var isApproximateOnly: Bool { source == .scheduled && (isApproximate || headway?.exact == false) }

    private var failure: String { status == .skipped ? "does not stop" : "canceled" }

    private func remarks(_ form: LineForm) -> Line {
        let isShort = form != .long
        let likelyTime = form == .bare ? nil : likelyTime
        var line = Line()
        // The likely time replaces the delay in the short form. The stated time is always shown.
        if runs, let delay, let words = DelayText.of(delay), form != .short || likelyTime == nil {
            line.append(", ")
            line.append(isShort ? DelayText.short(delay) : words, delay > 0 ? .late : .early)
        }
        if let likelyTime { line.append(", likely \(likelyTime.clock)") }
        if form == .long || form == .abbreviated, let usualWords { line.append(", \(usualWords)", .faint) }
        switch status {
        case .added: line.append(", extra service")
        case .duplicated: line.append(", extra trip")
        case .unscheduled: line.append(", no fixed schedule")
        case .replaced: line.append(isShort ? ", changed" : ", changed from the timetable", .caution)
        case .departed: line.append(", has left", .faint)
        case .scheduled, .canceled, .skipped, .other: break
        }
        return line
    }
}

/// Formats delays.
enum DelayText {
    /// Returns "+2 min late" or "-1 min early", rounded toward zero, or `nil` for less than a minute.
    static func of(_ delay: Int) -> String? {
        guard abs(delay) >= 60 else { return nil }
        let minutes = abs(delay) / 60
        let words = minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
        return delay > 0 ? "+\(words) late" : "-\(words) early"
    }

    /// Returns "+2 min" or "-1 min", rounded toward zero.
    static func short(_ delay: Int) -> String {
        (delay > 0 ? "+" : "-") + DurationText.short(seconds: abs(delay) / 60 * 60)
    }
}

// MARK: - Source and confidence

extension Departure {
    /// The source of the time and all reasons for doubt: "(live)", "(live, 4 minutes old)", "(scheduled, not in realtime
    /// data)".
    ///
    /// - Parameter form: Whether to abbreviate: "(live, 4 min old)", "(not reported)", "(usually +3 min)".
    fileprivate func sourceLine(_ form: LineForm) -> Line {
        let words =
            switch form {
            case .long: [source.word] + uncertaintyReasons
            case .abbreviated, .bare: shortSource
            case .short: uncertaintyReasons.isEmpty ? shortUsualWords.map { [$0] } ?? shortSource : shortSource
            }
        return Line("(" + words.joined(separator: ", ") + ")", sourceStyle)
    }

    /// The source in few words. A departure that is not reported has the time in the timetable.
    private var shortSource: [String] {
        let old = age.map { DurationText.short(seconds: max(0, $0)) + " old" } ?? "old"
        switch realtimeState {
        case .aging: return [source.word, old]
        case .expired: return source == .scheduled ? [source.word, "old"] : [source.word, old]
        case .missing: return ["not reported"]
        case .fresh, .notExpected, .other:
            return confidence == .low && !isApproximateOnly ? [source.word, "unsure"] : [source.word]
        }
    }

    private var uncertaintyReasons: [String] {
        var uncertaintyReasons: [String] = []
        switch realtimeState {
        case .aging: uncertaintyReasons.append(age.map { DurationText.of(seconds: max(0, $0)) + " old" } ?? "old")
        case .expired:
            uncertaintyReasons.append(source == .scheduled ? "realtime data too old" : LastReportText.words(age))
        case .missing: uncertaintyReasons.append("not in realtime data")
        case .fresh, .notExpected, .other: break
        }
        if source == .estimated, let uncertainty, uncertainty >= 60 {
            uncertaintyReasons.append("± \(WalkText.of(uncertainty))")
        }
        // Low confidence is implied by other reasons, and by "about" for approximate times.
        if confidence == .low, !isApproximateOnly, uncertaintyReasons.isEmpty {
            uncertaintyReasons.append("low confidence")
        }
        return uncertaintyReasons
    }

    private var sourceStyle: Style {
        switch source {
        case .live: uncertaintyReasons.isEmpty ? .live : .aging
        case .estimated: .aging
        case .scheduled: uncertaintyReasons.isEmpty ? .scheduled : .aging
        case .other: .faint
        }
    }

    /// The confidence and age of a time from realtime data, such as "high confidence, 23 seconds old".
    var confidenceLine: Line? {
        guard source == .live || source == .estimated else { return nil }
        var words: [String] = []
        if confidence != .other { words.append("\(confidence.rawValue) confidence") }
        if let age, realtimeState != .aging, realtimeState != .expired {
            words.append(DurationText.of(seconds: max(0, age)) + " old")
        }
        if source == .live, let uncertainty, uncertainty >= 60 { words.append("± \(WalkText.of(uncertainty))") }
        return words.isEmpty ? nil : Line(words.joined(separator: ", "), .faint)
    }
}

/// Describes the last known prediction of a source that has stopped sending data.
enum LastReportText {
    /// Returns a phrase such as "last report 12 minutes old".
    static func words(_ age: Int?) -> String {
        "last report" + (age.map { " " + DurationText.of(seconds: max(0, $0)) + " old" } ?? "")
    }
}

extension DepartureSource {
    /// The source as a word, such as "live".
    var word: String { self == .other ? "source unknown" : rawValue }
}

/// Formats the destination of a trip.
enum DestinationText {
    /// Returns a phrase such as "to Market", followed by "not Central" if the trip ends before the destination shown on
    /// the vehicle.
    static func of(_ headsign: String?, instead scheduled: String?) -> Line {
        guard let headsign, !headsign.isEmpty else { return Line("") }
        var line = Line("to \(headsign)")
        if let scheduled, !scheduled.isEmpty { line.append(", not \(scheduled)", .caution) }
        return line
    }
}

/// The details of a departure.
extension Departure {
    /// Returns the details in the order of the journey: walk, platform, vehicle, arrival. A departure that does not run
    /// has no time to leave and no arrival.
    func directTripDetails(of commute: CommuteSummary, from now: Timestamp) -> [Line] {
        var pieces: [Line] = []
        if runs, let leave = leaving(from: now) { pieces.append(leave) }
        if stop.platform != nil || stop.name != commute.from.name { pieces.append(from) }
        if let headsign = headsignWords { pieces.append(headsign) }
        if runs, let arrival { pieces.append(arrival.line(of: commute)) }
        return pieces + conditions + [confidenceLine].compactMap { $0 }
    }

    /// The details for the board of a stop, as far as they fit into one line: the number of the trip, its interval, the
    /// vehicle's position and occupancy, and a confirmation by the agency's other feed.
    var optionalConditions: [Line] {
        var pieces: [Line] = []
        if let number = tripShortName, !number.isEmpty, number != route.displayName {
            pieces.append(Line("no. \(number)"))
        }
        if let headway { pieces.append(Line("every " + DurationText.of(seconds: headway.seconds))) }
        pieces += vehicle?.words.map { Line($0) } ?? []
        if let confirmedBy, !confirmedBy.isContradiction { pieces.append(confirmedBy.line) }
        return pieces
    }

    /// What a rider has to know: how to board, a contradiction of the agency's other feed, and the operator's remark.
    var warnings: [Line] {
        var pieces: [Line] = []
        switch pickup {
        case .none: pieces.append(Line("no boarding", .caution))
        case .phone: pieces.append(Line("book by phone", .caution))
        case .driver: pieces.append(Line("ask the driver to board", .caution))
        case .regular, .other: break
        }
        if let confirmedBy, confirmedBy.isContradiction { pieces.append(confirmedBy.line) }
        if let remark, !remark.isEmpty { pieces.append(Line(remark)) }
        return pieces
    }

    /// The number of alerts; empty for none.
    var alertCount: Line {
        alerts.isEmpty ? Line() : Line(CountText.of(alerts.count, "alert"), .caution)
    }

    /// The change of the platform or stop, such as "platform 3 instead of 2"; `nil` for none.
    var platformChange: Line? {
        PlatformText.change(from: scheduledStop, to: stop).map { change in
            Line(PlatformText.of(stop.platform) ?? stop.name) + Line(" \(change)", .caution)
        }
    }

    private var conditions: [Line] {
        optionalConditions + warnings + [alertCount].filter { !$0.isEmpty }
    }

    /// The departure stop, such as "from Mill Lane, platform 3 instead of 2".
    var from: Line {
        var line = Line("from \(stop.words)")
        if let change = PlatformText.change(from: scheduledStop, to: stop) { line.append(" \(change)", .caution) }
        return line
    }

    private var headsignWords: Line? {
        headsign.flatMap { $0.isEmpty ? nil : destination }
    }

    /// The destination, such as "to Market, not Central" if the trip ends early; empty if it is not known.
    var destination: Line {
        DestinationText.of(headsign, instead: scheduledHeadsign)
    }

    private func leaving(from now: Timestamp) -> Line? {
        guard let time = leaveTime(from: now), let walk else { return nil }
        return time + Line(", walk \(WalkText.of(walk))")
    }

    /// Returns "leave by 08:04" or "leave now"; `nil` without a walk.
    private func leaveTime(from now: Timestamp) -> Line? {
        guard let leaveBy, let walk, walk > 0 else { return nil }
        return Line(leaveBy.instant <= now.instant ? "leave now" : "leave by \(leaveBy.clock)", .accent)
    }

    /// Returns the time to leave for a row of a board; empty for a departure that does not run or has no walk.
    ///
    /// - Parameter isReachable: Whether the board has only departures that could be caught when it was made. On other boards,
    ///   a departure that has been missed for a minute has no time to leave.
    func leaveCell(from now: Timestamp, isReachable: Bool) -> Line {
        guard runs, let leaveBy, isReachable || leaveBy.instant.seconds(to: now.instant) <= 60 else { return Line() }
        return leaveTime(from: now) ?? Line()
    }
}

extension Arrival {
    /// The time of arrival, such as "arrives 08:31"; empty if it is not known.
    var cell: Line { Line(time.map { "arrives \($0.clock)" } ?? "") }

    /// The line for a vehicle that does not stop at the destination.
    var skippedLine: Line { Line("does not stop at \(stop.words)", .canceled) }

    fileprivate func line(of commute: CommuteSummary) -> Line {
        status == .skipped ? skippedLine : Line(words(of: commute))
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

extension Departure {
    /// The row for scripts: time, route, headsign, stop, platform, status, source, delay in seconds, arrival time, arrival
    /// stop, time to start walking, feed, trip, confidence, realtime state, age of the data in seconds, and id.
    var row: [String] {
        [
            time.rfc3339, route.words, headsign ?? "", stop.name, stop.platform ?? "",
            status.rawValue, source.rawValue, delay.map(String.init) ?? "",
            (arrival?.time).rfc3339, arrival?.stop.name ?? "", leaveBy.rfc3339,
            feed.rawValue, trip.rawValue, confidence.rawValue, realtimeState.rawValue, age.map(String.init) ?? "", id,
        ]
    }
}
