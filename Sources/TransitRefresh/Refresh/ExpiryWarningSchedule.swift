internal import TransitModel

/// The schedule of the warnings before a timetable expires: 7, 3 and 1 days before the expiry, and once after it.
enum ExpiryWarningSchedule {
    static let days = [7, 3, 1, 0]

    /// Returns the warning to issue now, if any. Each warning is issued once.
    ///
    /// - Parameters:
    ///   - lastDate: The last date with service.
    ///   - given: The last issued warning, which may be for an earlier version.
    static func due(lastDate: ServiceDate, today: ServiceDate, given: ExpiryWarning?) -> ExpiryWarning? {
        let ahead = today.days(to: lastDate)
        guard let step = days.last(where: { ahead <= $0 && ($0 > 0 || ahead < 0) }) else { return nil }
        let warning = ExpiryWarning(lastDate: lastDate, daysAhead: step)
        if let given, given.lastDate == lastDate, given.daysAhead <= step { return nil }
        return warning
    }
}
