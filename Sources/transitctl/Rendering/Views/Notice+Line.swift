internal import TransitControl

extension Notice {
    /// "note: the last update of caltrain failed (since 3 March 04:00)"; the message names the feed.
    func line(from now: Timestamp) -> Line {
        var line = Line("note: ", .caution)
        line.append(message)
        switch kind {
        case .failed, .missing, .malformed, .partial, .importing, .offline, .damaged, .suspended:
            if let since { line.append(" (since \(since.words(from: now)))", .faint) }
        // Their messages tell the date.
        case .stale, .expired, .expiring, .noService, .noTimetable, .fetching, .other: break
        }
        return line
    }
}
