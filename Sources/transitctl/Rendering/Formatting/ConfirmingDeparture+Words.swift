internal import TransitControl

extension ConfirmingDeparture {
    /// "seen by town", "confirmed by town", "town says 08:16": what an agency's other feed adds to a departure.
    var line: Line {
        if isUsed { return Line("seen by \(feed)") }
        if agrees { return Line("confirmed by \(feed)") }
        switch status {
        case .canceled: return Line("\(feed) says canceled", .caution)
        case .skipped: return Line("\(feed) says that it does not stop", .caution)
        default: return Line(expected.map { "\(feed) says \($0.clock)" } ?? "\(feed) differs", .caution)
        }
    }
}
