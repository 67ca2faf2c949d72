internal import TransitModel

/// What `/v1/sync` tells: every line and stop, and on which dates services run.
///
/// It has no trips, so the calendars only say how far the server's timetable reaches.
struct WaBusSync: Sendable {
    private(set) var routes: [Route] = []
    private(set) var stops: [Stop] = []
    private(set) var calendar = WaBusCalendar()
    /// `YYYY-MM-DD`: when the server read its timetable last.
    private(set) var version: String?
    private(set) var generatedAt: Instant?
    /// What is wrong with single rows; lines count the elements of a list from 1.
    private(set) var report = ValidationReport()

    /// - Throws: a ``FeedError`` when lines or stops are missing or no lists, and for an error of the server.
    init(_ body: [UInt8]) throws(FeedError) {
        var found = Found()
        var sync = WaBusSync()
        try WaBusResponse.read(body) { (name, json) throws(MalformedMessageError) in
            try sync.take(name.folded, &json, &found)
        }
        self = sync
        if let words = found.error { throw WaBusResponse.serverError(words) }
        if let fault = found.fault { throw fault }
        for member in ["routes", "stops"] where !found.lists.contains(member) {
            throw WaBusResponse.missing(member)
        }
        calendar.finish(&report)
    }

    private init() {}

    /// What is known of the document beside its rows.
    private struct Found {
        var lists: Set<String> = []
        var fault: FeedError?
        var error: String?
    }

    private mutating func take(
        _ name: String, _ json: inout JSONReader, _ found: inout Found
    ) throws(MalformedMessageError) {
        switch name {
        case "routes":
            try rows(name, &json, &found) { (sync, json, line) throws(MalformedMessageError) in
                try sync.takeRoute(&json, line)
            }
        case "stops":
            try rows(name, &json, &found) { (sync, json, line) throws(MalformedMessageError) in
                try sync.takeStop(&json, line)
            }
        case "calendars":
            try rows(name, &json, &found) { (sync, json, line) throws(MalformedMessageError) in
                try sync.calendar.takeWeek(&json, line, &sync.report)
            }
        case "calendardates":
            try rows("calendar_dates", &json, &found) { (sync, json, line) throws(MalformedMessageError) in
                try sync.calendar.takeException(&json, line, &sync.report)
            }
        case "version": version = try json.string()
        case "generatedat": generatedAt = try json.string().flatMap { Instant(rfc3339: $0) }
        case "error": found.error = try json.string()
        default: break
        }
    }

    /// A list, or `null`, which the server sends for a list of none.
    private mutating func rows(
        _ member: String, _ json: inout JSONReader, _ found: inout Found,
        _ take: (inout WaBusSync, inout JSONReader, Int) throws(MalformedMessageError) -> Void
    ) throws(MalformedMessageError) {
        let offset = json.offset
        switch try json.kind() {
        case .array, .object, .null: break
        case .string, .number, .boolean:
            found.fault = WaBusResponse.unexpected(member, offset)
            return try json.skip()
        }
        found.lists.insert(member)
        var list = try json.list()
        var line = 0
        while try json.next(&list) {
            line += 1
            try take(&self, &json, line)
        }
    }

    // MARK: Rows

    private mutating func takeRoute(_ json: inout JSONReader, _ line: Int) throws(MalformedMessageError) {
        var row = WaBusRow()
        guard try row.read(&json) else { return reject("routes", line, "is no object") }
        guard let id = row.texts["id"] else { return reject("routes", line, "has no “id”") }
        var route = Route(id: RouteID(id), agency: AgencyIndex(0), type: Self.bus)
        route.shortName = row.texts["shortname"]
        route.longName = row.texts["longname"]
        route.type = type(row.texts["type"], line)
        route.color = color(row.texts["color"], "color", line)
        route.textColor = color(row.texts["textcolor"], "text_color", line)
        routes.append(route)
    }

    /// The type of a line that has none.
    static let bus = 3

    /// Warsaw has trams (0), metro (1), trains (2) and buses (3); any other type of GTFS is as good.
    private mutating func type(_ text: String?, _ line: Int) -> Int {
        if let type = text.flatMap({ Int($0) }), FieldValue.isRouteType(type) { return type }
        report.add(
            "unexpected_enum_value", .error, at: place("routes", line, "type"),
            "“type” of the line is none of GTFS; 3, a bus, is taken")
        return Self.bus
    }

    /// Colours come without "#"; one with it means the same.
    private mutating func color(_ text: String?, _ field: String, _ line: Int) -> String? {
        guard let text else { return nil }
        if let color = Array(text.utf8).withUnsafeBufferPointer(FieldValue.color) { return color }
        report.add("invalid_color", .error, at: place("routes", line, field), "“\(field)” is no color and is left out")
        return nil
    }

    private mutating func takeStop(_ json: inout JSONReader, _ line: Int) throws(MalformedMessageError) {
        var row = WaBusRow()
        guard try row.read(&json) else { return reject("stops", line, "is no object") }
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

    private func place(_ member: String, _ line: Int, _ field: String) -> ValidationReport.Place {
        .init(file: "sync.\(member)", line: line, field: field)
    }
}

/// The scalar members of one object, by their folded names; an empty text counts as none.
struct WaBusRow {
    private(set) var texts: [String: String] = [:]

    /// `false`, and the value is skipped, when it is no object.
    mutating func read(_ json: inout JSONReader) throws(MalformedMessageError) -> Bool {
        guard try json.beginObject() else { return false }
        while let name = try json.nextMember() { try take(name, &json) }
        return true
    }

    /// Takes the value of one member.
    mutating func take(_ name: JSONText, _ json: inout JSONReader) throws(MalformedMessageError) {
        let text: String?
        switch try json.scalar() {
        case .text(let value): text = value.string
        case .number(let value): text = value.string
        case .boolean(let value): text = value ? "true" : "false"
        case .null, nil: text = nil
        }
        if let text, !text.isEmpty { texts[name.folded] = text }
    }

    /// `nil` for a text that is no finite number.
    func number(_ name: String) -> Double? {
        guard let text = texts[name], let value = Double(text), value.isFinite else { return nil }
        return value
    }

    func isTrue(_ name: String) -> Bool { ["true", "1"].contains(texts[name]?.lowercased() ?? "") }
}
