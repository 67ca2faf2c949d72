internal import TransitControl

extension NextResult {
    /// What the person who asked does not know yet: which commute was chosen, and for which time.
    func heading(isNamed: Bool, isAsked: Bool) -> String? {
        let words = [isNamed ? nil : commute.name, isAsked ? at.heading : nil].compactMap { $0 }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }
}

extension Timestamp {
    /// "from Monday 30 March 2026, 08:00".
    var heading: String { "from \(DayName.long(date)), \(clock)" }
}
