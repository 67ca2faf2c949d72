internal import TransitControl

extension Notice {
    /// "caltrain: the timetable expired (since 3 March 00:00)".
    func line(from now: Timestamp) -> Line {
        var line = Line(feed.map { "\($0): " } ?? "note: ", .caution)
        line.append(message)
        if let since { line.append(" (since \(since.words(from: now)))", .faint) }
        return line
    }
}
