internal import TransitModel

/// `/v1/sync`: all lines and stops, and the dates of service.
///
/// It has no trips, so the calendars only show how far the server's timetable extends.
struct WaBusSync: Sendable {
    private(set) var routes: [Route] = []
    private(set) var stops: [Stop] = []
    private(set) var calendar = WaBusCalendar()
    /// The date on which the server last loaded its timetable, `YYYY-MM-DD`.
    private(set) var version: String?
    private(set) var generatedAt: Instant?
    /// Problems in individual rows. Line numbers count the elements of a list from 1.
    private(set) var report = ValidationReport()

    /// - Throws: A ``FeedError`` if lines or stops are missing or not lists, or if the server reports an error.
    init(_ body: [UInt8]) throws(FeedError) {
        var state = ParsingState()
        var sync = WaBusSync()
        try WaBusResponse.read(body) { (name, json) throws(MalformedMessageError) in
            try sync.readMember(name.folded, &json, &state)
        }
        self = sync
        if let message = state.error { throw WaBusResponse.serverError(message) }
        if let failure = state.failure { throw failure }
        for member in ["routes", "stops"] where !state.lists.contains(member) {
            throw WaBusResponse.missing(member)
        }
        calendar.finish(&report)
    }

    private init() {}

    /// The state of the parser other than the rows.
    private struct ParsingState {
        var lists: Set<String> = []
        var failure: FeedError?
        var error: String?
    }

    private mutating func readMember(
        _ name: String, _ json: inout JSONReader, _ state: inout ParsingState
    ) throws(MalformedMessageError) {
        switch name {
        case "routes":
            try rows(name, &json, &state) { (sync, json, line) throws(MalformedMessageError) in
                try sync.addRoute(&json, line)
            }
        case "stops":
            try rows(name, &json, &state) { (sync, json, line) throws(MalformedMessageError) in
                try sync.addStop(&json, line)
            }
        case "calendars":
            try rows(name, &json, &state) { (sync, json, line) throws(MalformedMessageError) in
                try sync.calendar.addWeek(&json, line, &sync.report)
            }
        case "calendardates":
            try rows("calendar_dates", &json, &state) { (sync, json, line) throws(MalformedMessageError) in
                try sync.calendar.addException(&json, line, &sync.report)
            }
        case "version": version = try json.string()
        case "generatedat": generatedAt = try json.string().flatMap { Instant(rfc3339: $0) }
        case "error": state.error = try json.string()
        default: break
        }
    }

    /// Reads a list, or `null`, which the server sends for an empty list.
    private mutating func rows(
        _ member: String, _ json: inout JSONReader, _ state: inout ParsingState,
        _ addRow: (inout WaBusSync, inout JSONReader, Int) throws(MalformedMessageError) -> Void
    ) throws(MalformedMessageError) {
        let offset = json.offset
        switch try json.kind() {
        case .array, .object, .null: break
        case .string, .number, .boolean:
            state.failure = WaBusResponse.unexpected(member, offset)
            return try json.skip()
        }
        state.lists.insert(member)
        var list = try json.list()
        var line = 0
        while try json.next(&list) {
            line += 1
            try addRow(&self, &json, line)
        }
    }

    // MARK: Rows

    private mutating func addRoute(_ json: inout JSONReader, _ line: Int) throws(MalformedMessageError) {
        var row = WaBusRow()
        guard try row.read(&json) else { return reject("routes", line, "is not an object") }
        guard let id = row.texts["id"] else { return reject("routes", line, "has no “id”") }
        var route = Route(id: RouteID(id), agency: AgencyIndex(0), type: Self.bus)
        route.shortName = row.texts["shortname"]
        route.longName = row.texts["longname"]
        route.type = type(row.texts["type"], line)
        route.color = color(row.texts["color"], "color", line)
        route.textColor = color(row.texts["textcolor"], "text_color", line)
        routes.append(route)
    }

    /// The GTFS route type of a line without a valid type.
    static let bus = 3

    /// Warsaw has trams (0), metro (1), trains (2) and buses (3). Any other GTFS route type is accepted.
    private mutating func type(_ text: String?, _ line: Int) -> Int {
        if let type = text.flatMap({ Int($0) }), FieldValue.isRouteType(type) { return type }
        report.add(
            "unexpected_enum_value", .error, at: place("routes", line, "type"),
            "“type” of the line is not a GTFS route type; 3 (bus) is used")
        return Self.bus
    }

    /// Colors have no "#", but a leading "#" is accepted.
    private mutating func color(_ text: String?, _ field: String, _ line: Int) -> String? {
        guard let text else { return nil }
        if let color = Array(text.utf8).withUnsafeBufferPointer(FieldValue.color) { return color }
        report.add(
            "invalid_color", .error, at: place("routes", line, field), "“\(field)” is not a color and is left out")
        return nil
    }

    private mutating func addStop(_ json: inout JSONReader, _ line: Int) throws(MalformedMessageError) {
        var row = WaBusRow()
        guard try row.read(&json) else { return reject("stops", line, "is not an object") }
        guard let id = row.texts["id"] else { return reject("stops", line, "has no “id”") }
        var stop = Stop(id: StopID(id), name: row.texts["name"] ?? id)
        stop.code = row.texts["code"]
        if let latitude = row.number("lat"), let longitude = row.number("lon") {
            stop.coordinate = Coordinate(latitude: latitude, longitude: longitude)
        }
        stops.append(stop)
    }

    private mutating func reject(_ member: String, _ line: Int, _ what: String) {
        report.add(
            "missing_required_field", .error, at: place(member, line, "id"), "The element \(what) and is left out")
    }

    private func place(_ member: String, _ line: Int, _ field: String) -> ValidationReport.Location {
        .init(file: "sync.\(member)", line: line, field: field)
    }
}

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

/// The response of `/v1/sync/check`.
///
/// Its `has_updates` is unusable: the server compares the time when it loaded its timetable with midnight of the given
/// date, and so reports updates even for its own version. Compare ``version`` instead.
struct WaBusSyncCheck: Hashable, Sendable {
    var version: String
    var lastUpdate: Instant?

    init(_ body: [UInt8]) throws(FeedError) {
        var row = WaBusRow()
        try WaBusResponse.read(body) { (name, json) throws(MalformedMessageError) in try row.readMember(name, &json) }
        if let message = row.texts["error"] { throw WaBusResponse.serverError(message) }
        guard let version = row.texts["version"] else { throw WaBusResponse.missing("version") }
        self.version = version
        lastUpdate = row.texts["lastupdate"].flatMap { Instant(rfc3339: $0) }
    }
}
