internal import TransitModel

/// When people are warned that a timetable ends: 7, 3 and 1 days ahead, and when it has ended.
enum ExpiryWarningSchedule {
    static let days = [7, 3, 1, 0]

    /// The warning that is to be given now, once.
    ///
    /// - Parameters:
    ///   - lastDate: the last date with service.
    ///   - given: the last warning, perhaps of an earlier version.
    static func due(lastDate: ServiceDate, today: ServiceDate, given: ExpiryWarning?) -> ExpiryWarning? {
        let ahead = today.days(to: lastDate)
        guard let step = days.last(where: { ahead <= $0 && ($0 > 0 || ahead < 0) }) else { return nil }
        let warning = ExpiryWarning(lastDate: lastDate, daysAhead: step)
        if let given, given.lastDate == lastDate, given.daysAhead <= step { return nil }
        return warning
    }
}
