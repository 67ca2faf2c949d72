internal import TransitModel

enum CalendarColumn: Int, TableColumn {
    case service, monday, tuesday, wednesday, thursday, friday, saturday, sunday, start, end

    static let file = "calendar.txt"
    static let names = [
        "service_id", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "start_date",
        "end_date",
    ]
    static let ignoredNames = ["service_name"]
    static let required = allCases
    /// The weekday columns from Monday, in the order of `Weekday`.
    static let weekdays: [CalendarColumn] = [.monday, .tuesday, .wednesday, .thursday, .friday, .saturday, .sunday]
}

/// Reads calendar.txt: the services with a weekly schedule.
struct CalendarTable {
    private(set) var services: [Service] = []
    private(set) var ids = ByteInterner()
    private(set) var exists = false

    init(_ files: FeedFiles) throws(FeedError) {
        exists = try files.read(CalendarColumn.self) { row throws(FeedError) in
            append(row, files.context)
        }
    }

    private mutating func append(_ row: borrowing CSVRow, _ context: ReadingContext) {
        guard context.has(row, CalendarColumn.service) else { return }
        guard ids.find(row[CalendarColumn.service]) == nil else {
            return context.rejectDuplicate(row, CalendarColumn.service)
        }
        guard let start = date(row, .start, context), let end = date(row, .end, context) else { return }
        if start > end {
            context.reject(
                row, CalendarColumn.end, "start_and_end_range_out_of_order", .error,
                "end_date is before start_date, so the weekly schedule of this service has no dates")
        }
        _ = ids.intern(row[CalendarColumn.service])
        services.append(
            Service(
                id: ServiceID(row.text(CalendarColumn.service.rawValue)), weekdays: weekdays(row, context),
                start: start,
                end: end))
    }

    private func date(_ row: borrowing CSVRow, _ column: CalendarColumn, _ context: ReadingContext) -> ServiceDate? {
        context.has(row, column) ? context.date(row, column) : nil
    }

    private func weekdays(_ row: borrowing CSVRow, _ context: ReadingContext) -> UInt8 {
        var days: UInt8 = 0
        for (day, column) in CalendarColumn.weekdays.enumerated() {
            let value = row[column]
            if value.count == 1, value[0] == 0x31 {
                days |= 1 << UInt8(day)
            } else if value.isEmpty {
                context.reject(
                    row, column, "missing_required_field", .error, "\(column.name) is empty; 0 is assumed")
            } else if value.count != 1 || value[0] != 0x30 {
                context.rejectValue(row, column, "unexpected_enum_value", "is neither 0 nor 1; 0 is assumed")
            }
        }
        return days
    }
}
