internal import TransitModel

enum CalendarDatesColumn: Int, TableColumn {
    case service, date, exception

    static let file = "calendar_dates.txt"
    static let names = ["service_id", "date", "exception_type"]
    static let ignoredNames = ["holiday_name"]
    static let required = allCases
}

/// Reads calendar_dates.txt and combines it with calendar.txt into the dates of all services.
///
/// One of the two files may be absent. A service that is only in calendar_dates.txt runs on its added dates.
struct CalendarDatesTable {
    private struct Exception {
        var date: ServiceDate
        var isAdded: Bool
        var line: Int
    }

    private(set) var services: [Service]
    private var ids: ByteInterner
    /// The exceptions by service.
    private var exceptions: [[Exception]]

    /// Reads the table. Throws ``FeedError/refused(reason:report:)`` if the feed has neither file, because no trip then
    /// has a service date.
    init(_ files: FeedFiles, _ calendar: CalendarTable) throws(FeedError) {
        services = calendar.services
        ids = calendar.ids
        exceptions = Array(repeating: [], count: services.count)
        let exists = try files.read(CalendarDatesColumn.self) { row throws(FeedError) in
            append(row, files.context)
        }
        guard exists || calendar.exists else {
            throw files.refusal(
                "missing_calendar_and_calendar_date_files", .init(file: CalendarColumn.file),
                "The feed has neither calendar.txt nor calendar_dates.txt, so no trip has a service date")
        }
        for position in services.indices { setExceptions(of: position, files.context) }
        exceptions = []
    }

    func index(of id: UnsafeBufferPointer<UInt8>) -> ServiceIndex? { ids.find(id).map { ServiceIndex($0) } }

    @inline(__always)
    func matches(_ service: ServiceIndex, _ id: UnsafeBufferPointer<UInt8>) -> Bool {
        ids.matches(service.rawValue, id)
    }

    private mutating func append(_ row: borrowing CSVRow, _ context: ReadingContext) {
        guard context.has(row, CalendarDatesColumn.service), context.has(row, CalendarDatesColumn.date),
            let date = context.date(row, CalendarDatesColumn.date)
        else { return }
        let kind = row[CalendarDatesColumn.exception]
        guard kind.count == 1, kind[0] == 0x31 || kind[0] == 0x32 else {
            return context.rejectValue(
                row, CalendarDatesColumn.exception, "unexpected_enum_value", "is neither 1 nor 2; the row is skipped")
        }
        let (number, isNew) = ids.intern(row[CalendarDatesColumn.service])
        if isNew {
            services.append(
                Service(
                    id: ServiceID(row.text(CalendarDatesColumn.service.rawValue)), weekdays: 0, start: date, end: date))
            exceptions.append([])
        }
        exceptions[Int(number)].append(Exception(date: date, isAdded: kind[0] == 0x31, line: row.line))
    }

    /// Sorts the exceptions of a service. If several rows have the same date, the first row is used.
    private mutating func setExceptions(of position: Int, _ context: ReadingContext) {
        let sorted = exceptions[position].sorted { ($0.date, $0.line) < ($1.date, $1.line) }
        var previous: ServiceDate?
        for exception in sorted {
            guard exception.date != previous else {
                context.add(
                    "duplicate_key", .error, at: .init(file: CalendarDatesColumn.file, line: exception.line),
                    "The service “\(FieldValue.excerpt(services[position].id.rawValue))” already has an exception on "
                        + "\(exception.date); the row is skipped")
                continue
            }
            previous = exception.date
            if exception.isAdded {
                services[position].added.append(exception.date)
            } else {
                services[position].removed.append(exception.date)
            }
        }
    }
}
