internal import TransitControl
internal import TransitWire

/// A file of logged trips that `taken --export` writes and `taken --import` reads.
struct TripFile {
    enum Format: String, CaseIterable {
        case csv, json
    }

    /// A position in the text of a file, both counted from 1. Columns are characters.
    struct Position: Hashable, CustomStringConvertible {
        var line: Int
        var column: Int

        var description: String { "line \(line), column \(column)" }
    }

    /// A trip with its position, and those of its members if they differ.
    struct Entry: Equatable {
        var trip: LoggedTrip
        var position: Position
        var members: [String: Position] = [:]

        func position(of member: String) -> Position { members[member] ?? position }
    }

    /// Something in the file that cannot be imported.
    struct Problem: Hashable {
        var position: Position
        /// A sentence.
        var message: String
    }

    var entries: [Entry] = []
    /// The sums of older trips; only in JSON.
    var folded: FoldedTrips?
    var problems: [Problem] = []

    /// The maximum size of a file in bytes.
    static let maximumSize = 32 << 20

    init() {}

    /// Parses the text of a file. What cannot be parsed is in ``problems``; the rest is usable.
    init(_ bytes: [UInt8], format: Format) {
        switch format {
        case .csv: readCSV(bytes)
        case .json: readJSON(bytes)
        }
    }

    /// Returns the format for the name of a file; `nil` if its suffix names none.
    static func format(of path: String) -> Format? {
        Format.allCases.first { path.lowercased().hasSuffix("." + $0.rawValue) }
    }

    // MARK: CSV

    /// The columns in the order of an export. They are the names of the members in JSON.
    static let columns = [
        "service_date", "scheduled", "departed", "feed", "route", "route_name", "direction_id", "stop", "stop_name",
        "destination", "destination_name", "commute", "distance", "straight_line", "logged",
    ]
    private static let requiredColumns = ["service_date", "scheduled", "feed", "route", "stop"]

    /// Returns trips as CSV with a header (RFC 4180).
    static func csv(_ trips: [LoggedTrip]) -> String {
        var text = CSVText.record(columns)
        for trip in trips {
            guard let value = try? JSONValue(parsing: trip.encoded), case .object(let object) = value else { continue }
            text += CSVText.record(columns.map { object[$0].map(CSVText.field) ?? "" })
        }
        return text
    }

    private mutating func readCSV(_ bytes: [UInt8]) {
        var reader = TripCSVReader(bytes)
        guard let header = reader.next() else {
            problems.append(Problem(position: Position(line: 1, column: 1), message: "The file is empty."))
            return
        }
        let names = header.fields.map(\.text)
        for name in Self.requiredColumns where !names.contains(name) {
            problems.append(Problem(position: header.position, message: "The column \(name) is missing."))
        }
        for field in header.fields where !Self.columns.contains(field.text) {
            problems.append(
                Problem(position: field.position, message: "The column \"\(field.text)\" is not known and is ignored."))
        }
        for name in Set(names) where names.count(where: { $0 == name }) > 1 {
            problems.append(Problem(position: header.position, message: "The column \(name) occurs twice."))
        }
        if let problem = header.problem { problems.append(problem) }
        guard Set(names).count == names.count, Self.requiredColumns.allSatisfy(names.contains) else { return }
        while let record = reader.next() { readRecord(record, names) }
    }

    private mutating func readRecord(_ record: TripCSVReader.Record, _ names: [String]) {
        if let problem = record.problem {
            problems.append(problem)
            return
        }
        if record.fields.count == 1, record.fields[0].text.isEmpty { return }
        guard record.fields.count == names.count else {
            problems.append(
                Problem(
                    position: record.position,
                    message: "The row has \(record.fields.count) fields instead of \(names.count)."))
            return
        }
        var (object, positions) = (JSONObject(), [String: Position]())
        for (name, field) in zip(names, record.fields) where Self.columns.contains(name) {
            positions[name] = field.position
            if let value = CSVText.value(field.text, of: name) { object[name] = value }
        }
        Self.addDefaults(&object)
        add(.object(object), at: record.position, positions)
    }

    /// Adds members that other programs may leave out.
    private static func addDefaults(_ object: inout JSONObject) {
        let defaults = [
            ("departed", "scheduled"), ("logged", "scheduled"), ("route_name", "route"), ("stop_name", "stop"),
        ]
        for (name, source) in defaults where object[name] == nil || object[name] == .null {
            if let value = object[source] { object[name] = value }
        }
    }

    private mutating func add(_ value: JSONValue, at position: Position, _ members: [String: Position] = [:]) {
        do throws(WireSchemaMismatch) {
            let trip = try LoggedTrip(reading: value, as: .result)
            entries.append(Entry(trip: trip, position: position, members: members))
        } catch {
            let place = error.path.first.flatMap { members[$0] } ?? position
            problems.append(Problem(position: place, message: "\(error.place) \(error.problem)."))
        }
    }

    // MARK: JSON

    /// Returns trips and the sums of older ones as a JSON document with one trip in each line.
    static func json(_ trips: [LoggedTrip], folded: FoldedTrips?) -> String {
        var text = "{\"schema\": 1, \"trips\": ["
        for (position, trip) in trips.enumerated() {
            text += (position == 0 ? "\n" : ",\n") + String(decoding: SafeJSON.clean(trip.encoded), as: UTF8.self)
        }
        text += "\n]"
        if let folded { text += ",\n\"folded\": " + String(decoding: SafeJSON.clean(folded.encoded), as: UTF8.self) }
        return text + "}\n"
    }

    private mutating func readJSON(_ bytes: [UInt8]) {
        let positions = JSONElementPositions(bytes)
        let document: JSONValue
        do { document = try JSONValue(parsing: bytes) } catch {
            problems.append(
                Problem(
                    position: positions.position(of: error.offset), message: "The JSON is not valid: \(error.reason)."))
            return
        }
        let trips: [JSONValue]
        switch document {
        case .array(let elements): trips = elements
        case .object(let object):
            guard case .array(let elements)? = object["trips"] else {
                problems.append(
                    Problem(position: Position(line: 1, column: 1), message: "The document has no array \"trips\"."))
                return
            }
            trips = elements
            readFolded(object)
        default:
            problems.append(
                Problem(
                    position: Position(line: 1, column: 1), message: "The document is neither an object nor an array."))
            return
        }
        for (index, trip) in trips.enumerated() {
            let position =
                positions.elements.indices.contains(index)
                ? positions.elements[index] : Position(line: 1, column: 1)
            guard case .object(var object) = trip else {
                problems.append(Problem(position: position, message: "The trip is not an object."))
                continue
            }
            Self.addDefaults(&object)
            add(.object(object), at: position)
        }
    }

    private mutating func readFolded(_ object: JSONObject) {
        guard let value = object["folded"], value != .null else { return }
        do throws(WireSchemaMismatch) { folded = try FoldedTrips(reading: value, as: .result) } catch {
            problems.append(
                Problem(
                    position: Position(line: 1, column: 1),
                    message: "The sums of older trips are not valid: \(error.place) \(error.problem)."))
        }
    }
}
