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

/// The scalar members of one object by their folded names. Empty strings are treated as missing.
struct WaBusRow {
    private(set) var texts: [String: String] = [:]

    /// Returns `false` and skips the value if it is not an object.
    mutating func read(_ json: inout JSONReader) throws(MalformedMessageError) -> Bool {
        guard try json.beginObject() else { return false }
        while let name = try json.nextMember() { try readMember(name, &json) }
        return true
    }

    /// Stores the value of one member.
    mutating func readMember(_ name: JSONText, _ json: inout JSONReader) throws(MalformedMessageError) {
        let text: String?
        switch try json.scalar() {
        case .text(let value): text = value.string
        case .number(let value): text = value.string
        case .boolean(let value): text = value ? "true" : "false"
        case .null, nil: text = nil
        }
        if let text, !text.isEmpty { texts[name.folded] = text }
    }

    /// Returns `nil` if the text is not a finite number.
    func number(_ name: String) -> Double? {
        guard let text = texts[name], let value = Double(text), value.isFinite else { return nil }
        return value
    }

    func isTrue(_ name: String) -> Bool { ["true", "1"].contains(texts[name]?.lowercased() ?? "") }
}
