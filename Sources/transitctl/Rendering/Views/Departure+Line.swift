internal import TransitControl
internal import TransitModel

/// The human line for a departure.
extension Departure {
    /// `Bus 24 in 7 minutes (live) at 08:12, +2 min late`; `Bus 24 cancelled (live) at 08:12`.
    func line(from now: Timestamp) -> Line {
        var line = Line(route.words, runs ? .strong : .struck)
        let words = time.map { RelativeTime.words(for: $0, from: now) }
        line.append(" ")
        line.append(runs ? Line(words?.before ?? "at an unknown time") : Line(failure, .bad))
        line.append(" ")
        line.append(sourceLine)
        if let words {
            line.append(" ")
            line.append((isApproximateOnly ? "at about " : "at ") + words.after, runs ? .normal : .struck)
        }
        line.append(remarks)
        return line
    }

    /// Whether one can travel by it.
    var runs: Bool { status != .canceled && status != .skipped }

    /// A time that the timetable does not promise to the minute.
    private var isApproximateOnly: Bool { source == .scheduled && (isApproximate || headway?.exact == false) }

    private var failure: String { status == .skipped ? "does not stop" : "canceled" }

    private var remarks: Line {
        var line = Line()
        if runs, let delay, let words = DelayText.of(delay) {
            line.append(", ")
            line.append(words, delay > 0 ? .caution : .normal)
        }
        switch status {
        case .added: line.append(", extra service")
        case .duplicated: line.append(", extra run")
        case .unscheduled: line.append(", not on fixed times")
        case .replaced: line.append(", changed from the timetable", .caution)
        case .departed: line.append(", has left", .faint)
        case .scheduled, .canceled, .skipped, .other: break
        }
        return line
    }
}

/// How far a vehicle is from its timetable, in words.
enum DelayText {
    /// "+2 min late", "-1 min early"; `nil` within the minute. Rounded towards the timetable.
    static func of(_ delay: Int) -> String? {
        guard abs(delay) >= 60 else { return nil }
        let minutes = abs(delay) / 60
        let words = minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
        return delay > 0 ? "+\(words) late" : "-\(words) early"
    }
}

// MARK: - How far it can be trusted

extension Departure {
    /// "(live)", "(live, 4 minutes old)", "(scheduled, not seen live)": where the time comes from, and every reason for
    /// doubt.
    fileprivate var sourceLine: Line {
        Line("(" + ([source.word] + uncertaintyReasons).joined(separator: ", ") + ")", sourceStyle)
    }

    private var uncertaintyReasons: [String] {
        var uncertaintyReasons: [String] = []
        switch realtimeState {
        case .aging: uncertaintyReasons.append(age.map { DurationText.of(seconds: max(0, $0)) + " old" } ?? "old")
        case .expired: uncertaintyReasons.append(source == .scheduled ? "live data too old" : LastReportText.words(age))
        case .missing: uncertaintyReasons.append("not seen live")
        case .fresh, .notExpected, .other: break
        }
        // Another doubt is why, and of a rough time "about" says it already.
        if confidence == .low, !isApproximateOnly, uncertaintyReasons.isEmpty {
            uncertaintyReasons.append("low confidence")
        }
        return uncertaintyReasons
    }

    private var sourceStyle: Style {
        switch source {
        case .live: uncertaintyReasons.isEmpty ? .good : .caution
        case .estimated: .caution
        case .scheduled: uncertaintyReasons.isEmpty ? .faint : .caution
        case .other: .faint
        }
    }

    /// "high confidence, 23 seconds old", for a time that comes from live data.
    var confidenceLine: Line? {
        guard source == .live || source == .estimated else { return nil }
        var words: [String] = []
        if confidence != .other { words.append("\(confidence.rawValue) confidence") }
        if let age, realtimeState != .aging, realtimeState != .expired {
            words.append(DurationText.of(seconds: max(0, age)) + " old")
        }
        if let uncertainty, uncertainty >= 60 { words.append("give or take \(WalkText.of(uncertainty))") }
        return words.isEmpty ? nil : Line(words.joined(separator: ", "), .faint)
    }
}

/// Describes the last known prediction of a silent source.
enum LastReportText {
    /// "last word, 12 minutes old".
    static func words(_ age: Int?) -> String {
        "last word" + (age.map { ", " + DurationText.of(seconds: max(0, $0)) + " old" } ?? "")
    }
}

extension DepartureSource {
    /// "live".
    var word: String { self == .other ? "source unknown" : rawValue }
}
