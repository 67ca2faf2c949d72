internal import TransitControl
internal import TransitFeeds
internal import TransitModel
internal import TransitServer
internal import TransitStore
internal import TransitWire

/// Handles `notify.days_off`.
struct DaysOffHandler: MethodHandler {
    private let state: StateStore
    private let zones = TimeZoneDatabase()

    init(state: StateStore) { self.state = state }

    func reply(to parameters: NotifyDaysOffParameters, _ context: RequestContext) throws -> NotifyDaysOffResult {
        let uid = context.caller.uid
        let before = state.userRecord(of: uid).notificationSettings[NotificationSettingKey.daysOff] ?? ""
        let today = context.zone.civil(at: context.now).date
        var days = try DayList.days(before, from: today)
        for span in parameters.add { days.formUnion(try DayList.days(of: span)) }
        var entries: [ImportedCalendarEntry] = []
        if let text = parameters.calendar {
            let calendar: CalendarDays
            do throws(ICalendarError) {
                calendar = try CalendarDays(
                    text, in: today...today.advanced(by: DayList.ahead - 1), zone: context.zone,
                    busyOnly: parameters.busyOnly, zones: zones.zone)
            } catch {
                throw ControlError(.notificationSettingInvalid, error.description)
            }
            for (index, outcome) in calendar.entries.enumerated() {
                if case .dates(let dates) = outcome { days.formUnion(dates) }
                entries.append(ImportedCalendarEntry(outcome, index: index))
            }
        }
        for span in parameters.remove { days.subtract(try DayList.days(of: span)) }
        guard days.count <= DayList.maximum else {
            throw ControlError(
                .notificationSettingInvalid, "More than \(DayList.maximum) days off are not possible.")
        }
        if !parameters.add.isEmpty || !parameters.remove.isEmpty || parameters.calendar != nil {
            try state.setNotificationSettings(
                [NotificationSettingKey.daysOff: days.isEmpty ? nil : DayList.text(days)], of: uid)
        }
        return NotifyDaysOffResult(at: context.at, days: days.sorted(), entries: entries)
    }
}

extension ImportedCalendarEntry {
    private static let maximumSpans = 20

    fileprivate init(_ outcome: CalendarDays.Outcome, index: Int) {
        switch outcome {
        case .none(let reason): self.init(index: index, days: 0, reason: reason)
        case .dates(let dates):
            let ranges = DayList.ranges(Set(dates)).prefix(Self.maximumSpans)
            self.init(index: index, days: dates.count, spans: ranges.map { DateSpan(first: $0.first, last: $0.last) })
        }
    }
}

/// Days off as the settings store them: dates and ranges, separated by commas.
enum DayList {
    /// The maximum number of days off of a user.
    static let maximum = 800
    private static let maximumSpan = 366
    /// The number of days for which the events of a calendar are added: two years.
    static let ahead = 731

    static func days(of span: DateSpan) throws(ControlError) -> Set<ServiceDate> {
        let count = span.first.days(to: span.last) + 1
        guard (1...maximumSpan).contains(count) else {
            throw ControlError(
                .notificationSettingInvalid, "\(span.first)..\(span.last) is not a range of 1 to \(maximumSpan) days.")
        }
        return Set((0..<count).map { span.first.advanced(by: $0) })
    }

    /// Returns the days of a stored list that are not over.
    static func days(_ text: String, from today: ServiceDate) throws(ControlError) -> Set<ServiceDate> {
        var days: Set<ServiceDate> = []
        for range in text.split(separator: ",").compactMap({ ServiceDateRange($0) }) {
            days.formUnion(try Self.days(of: DateSpan(first: range.first, last: range.last)))
        }
        return days.filter { $0 >= today }
    }

    static func text(_ days: Set<ServiceDate>) -> String {
        ranges(days).map(\.description).joined(separator: ",")
    }

    /// Returns the ranges of consecutive days, none of them longer than a range that can be read again.
    static func ranges(_ days: Set<ServiceDate>) -> [ServiceDateRange] {
        ServiceDateRange.ranges(of: days.sorted(), maximumCount: maximumSpan)
    }
}
