internal import TransitModel

/// The calendars of `/v1/sync`.
///
/// The server's structures have no JSON tags, so it sends `ServiceID, Monday, StartDate`; its client and other releases
/// use `service_id, monday, start_date`. Both are accepted: names are compared without regard to case and underscores.
struct WaBusCalendar: Sendable {
    /// Sorted by identifier after ``finish(_:)``.
    private(set) var services: [Service] = []
    private var weeks: [ServiceID: Service] = [:]
    private var exceptions: [ServiceID: [ServiceDate: Int]] = [:]

    /// The first and last dates with service; `nil` if there is none.
    var span: ClosedRange<ServiceDate>? {
        var whole: ClosedRange<ServiceDate>?
        for span in services.compactMap(\.span) {
            let known = whole ?? span
            whole = min(known.lowerBound, span.lowerBound)...max(known.upperBound, span.upperBound)
        }
        return whole
    }

    private static let days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

    mutating func addWeek(
        _ json: inout JSONReader, _ line: Int, _ report: inout ValidationReport
    ) throws(MalformedMessageError) {
        var row = WaBusRow()
        let place = ValidationReport.Location(file: "sync.calendars", line: line)
        guard try row.read(&json), let id = row.texts["serviceid"] else {
            return Self.reject("The calendar has no identifier", place, &report)
        }
        guard let start = Self.date(row.texts["startdate"]), let end = Self.date(row.texts["enddate"]) else {
            return Self.reject("The calendar “\(id)” has no first or last date", place, &report)
        }
        var weekdays: UInt8 = 0
        for (number, day) in Self.days.enumerated() where row.isTrue(day) { weekdays |= 1 << UInt8(number) }
        weeks[ServiceID(id)] = Service(id: ServiceID(id), weekdays: weekdays, start: start, end: end)
    }

    mutating func addException(
        _ json: inout JSONReader, _ line: Int, _ report: inout ValidationReport
    ) throws(MalformedMessageError) {
        var row = WaBusRow()
        let place = ValidationReport.Location(file: "sync.calendar_dates", line: line)
        guard try row.read(&json), let id = row.texts["serviceid"], let date = Self.date(row.texts["date"]) else {
            return Self.reject("The exception has no identifier or no date", place, &report)
        }
        guard let kind = row.texts["exceptiontype"].flatMap({ Int($0) }), kind == 1 || kind == 2 else {
            return Self.reject("The exception of “\(id)” is neither 1 nor 2", place, &report)
        }
        exceptions[ServiceID(id), default: [:]][date] = kind
    }

    /// Combines weekly calendars and exceptions.
    mutating func finish(_ report: inout ValidationReport) {
        let ids = Set(weeks.keys).union(exceptions.keys).sorted()
        let never = ServiceDate(daysSince1970: 0)
        services = ids.map { id in
            var service = weeks[id] ?? Service(id: id, weekdays: 0, start: never, end: never)
            let dates = exceptions[id] ?? [:]
            service.added = dates.filter { $0.value == 1 }.keys.sorted()
            service.removed = dates.filter { $0.value == 2 }.keys.sorted()
            return service
        }
        for id in ids where (weeks[id].map { $0.start.days(to: $0.end) } ?? 0) > Self.maximumLength {
            report.add(
                "implausible_dates", .warning, at: .init(file: "sync.calendars"),
                "The calendar “\(id)” spans more than ten years and is ignored")
            services.removeAll { $0.id == id }
        }
    }

    /// In days. The dates of a span are examined one by one.
    private static let maximumLength = 3660

    /// Parses `YYYYMMDD`, as in GTFS, or `YYYY-MM-DD`.
    private static func date(_ text: String?) -> ServiceDate? {
        guard let text else { return nil }
        return ServiceDate(gtfs: Array(text.utf8)) ?? ServiceDate(iso8601: text)
    }

    private static func reject(_ what: String, _ place: ValidationReport.Location, _ report: inout ValidationReport) {
        report.add("invalid_calendar", .error, at: place, "\(what) and is left out")
    }
}
