internal import TransitControl

extension NextResult {
    /// Returns the commute if it was chosen automatically and the time if one was requested, or `nil` for neither.
    func heading(isNamed: Bool, hasTime: Bool) -> String? {
        let words = [isNamed ? nil : commute.name, hasTime ? at.heading : nil].compactMap { $0 }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }
}

extension Timestamp {
    /// The time of a board for another day, such as "from Monday 30 March 2026, 08:00".
    var heading: String { "from \(DayName.long(date)), \(clock)" }
}
