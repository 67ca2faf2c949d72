internal import TransitControl

extension ConfirmingDeparture {
    /// The information from the agency's other feed: "time from town", "confirmed by town", "08:16 according to town".
    var line: Line {
        if isUsed { return Line("time from \(feed)") }
        if agrees { return Line("confirmed by \(feed)") }
        switch status {
        case .canceled: return Line("canceled according to \(feed)", .caution)
        case .skipped: return Line("does not stop according to \(feed)", .caution)
        default: return Line(expected.map { "\($0.clock) according to \(feed)" } ?? "\(feed) differs", .caution)
        }
    }
}
