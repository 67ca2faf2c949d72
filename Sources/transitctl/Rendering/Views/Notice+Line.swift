internal import TransitControl

extension Notice {
    /// Returns a line such as "note: the last update of caltrain failed (since 3 March 04:00)".
    func line(from now: Timestamp) -> Line {
        var line = Line("note: ", .caution)
        line.append(message)
        switch kind {
        case .failed, .missing, .malformed, .partial, .importing, .offline, .damaged, .suspended:
            if let since { line.append(" (since \(since.words(from: now)))", .faint) }
        // The messages of these kinds contain the date.
        case .stale, .expired, .expiring, .noService, .noTimetable, .fetching, .other: break
        }
        return line
    }
}
