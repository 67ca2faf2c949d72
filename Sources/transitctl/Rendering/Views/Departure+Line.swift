internal import TransitControl
internal import TransitModel

/// The human line for a departure.
extension Departure {
    /// `Bus 24 in 7 minutes (live) at 08:12, 2 minutes late`; `Bus 24 cancelled (live) at 08:12`.
    func line(from now: Timestamp) -> Line {
        let time = expected ?? scheduled
        let words = RelativeTime.words(for: time, from: now)
        var line = Line(route.words, runs ? .strong : .struck)
        line.append(" ")
        line.append(runs ? Line(words.before) : Line(failure, .bad))
        line.append(" ")
        line.append(source.line)
        line.append(" ")
        line.append((isRough ? "at about " : "at ") + words.after, runs ? .normal : .struck)
        line.append(remarks)
        return line
    }

    /// Whether one can travel by it.
    private var runs: Bool { status != .cancelled && status != .skipped }

    /// A time that the timetable does not promise to the minute.
    private var isRough: Bool { isApproximate || headway?.exact == false }

    private var failure: String { status == .skipped ? "does not stop" : "cancelled" }

    private var remarks: Line {
        var line = Line()
        if runs, let delay, let words = DelayWords.of(delay) {
            line.append(", ")
            line.append(words, delay > 0 ? .caution : .normal)
        }
        switch status {
        case .added: line.append(", extra service")
        case .unscheduled: line.append(", not in the timetable")
        default: break
        }
        return line
    }
}

/// How far a vehicle is from its timetable, in words.
enum DelayWords {
    /// "2 minutes late", "1 minute early"; `nil` within the minute.
    static func of(_ delay: Int) -> String? {
        guard abs(delay) >= 60 else { return nil }
        return DurationWords.of(seconds: abs(delay)) + (delay > 0 ? " late" : " early")
    }
}

extension DataSource {
    /// "(live)".
    fileprivate var line: Line {
        switch self {
        case .live: Line("(live)", .good)
        case .estimated: Line("(estimated)", .caution)
        case .scheduled: Line("(scheduled)", .faint)
        case .other: Line("(source unknown)", .faint)
        }
    }
}
