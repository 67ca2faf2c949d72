internal import TransitControl

extension ConfirmingDeparture {
    /// The information from the agency's other feed: "time from town", "confirmed by town", "town says 08:16".
    var line: Line {
        if isUsed { return Line("time from \(feed)") }
        if agrees { return Line("confirmed by \(feed)") }
        switch status {
        case .canceled: return Line("\(feed) says canceled", .caution)
        case .skipped: return Line("\(feed) says it does not stop", .caution)
        default: return Line(expected.map { "\(feed) says \($0.clock)" } ?? "\(feed) differs", .caution)
        }
    }
}
