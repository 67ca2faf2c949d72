internal import TransitModel

/// The rows of a Tranzy response, and the problems in individual rows.
struct TranzyTable<Row: Sendable>: Sendable {
    var rows: [Row] = []
    /// The number of rows, including unusable ones.
    var count = 0
    /// The first problems, up to a limit.
    var findings: [TranzyRow.Finding] = []

    /// Parses a response, which is a bare array of objects in every recording.
    ///
    /// - Parameters:
    ///   - name: The name of the table for findings and errors: "stops".
    ///   - read: Reads the members of a row. Returns `nil` if a required member is missing, after it has reported that
    ///     to `row`.
    /// - Throws: ``FeedError/notDocument(_:wanted:)`` if the body is not an array, and
    ///   ``FeedError/message(_:offset:member:)`` if the JSON is malformed or if no row is usable. The latter contains
    ///   the offset of the first row and its missing member.
    static func read(
        _ body: [UInt8], _ name: String,
        _ read: (inout TranzyRow) throws(MalformedMessageError) -> Row?
    ) throws(FeedError) -> Self {
        var table = Self()
        var first: (offset: Int, field: String)?
        let result = try JSONResponse.read(body, as: "Tranzy's list of \(name)") {
            (json) throws(MalformedMessageError) -> Bool? in
            guard try json.kind() == .array else {
                try json.skip()
                return nil
            }
            var list = try json.list()
            while try json.next(&list) {
                _ = try json.kind()
                table.count += 1
                var row = TranzyRow(json, table: name, number: table.count)
                if let value = try read(&row) { table.rows.append(value) }
                json = row.json
                if first == nil, let missingField = row.missingField { first = (row.start, missingField) }
                table.findings += row.findings.prefix(maximumFindings - table.findings.count)
            }
            return true
        }
        if result, table.rows.isEmpty, let first {
            throw .message(.missing(first.field), offset: first.offset, member: "[0]")
        }
        return table
    }
}

private let maximumFindings = 10_000

/// A row during parsing.
struct TranzyRow {
    struct Finding: Sendable {
        var rule: String
        var place: ValidationReport.Location
        /// The offset of the row in bytes from the start of the body.
        var offset: Int
        var value: String?
    }

    var json: JSONReader
    /// The offset of the row in bytes from the start of the body.
    let start: Int
    private let place: ValidationReport.Location
    fileprivate private(set) var findings: [Finding] = []
    /// The first required member that is missing.
    private(set) var missingField: String?

    /// - Parameter number: The number of the row, from 1.
    fileprivate init(_ json: JSONReader, table: String, number: Int) {
        self.json = json
        start = json.offset
        place = ValidationReport.Location(file: table, line: number)
    }

    /// Calls `read` with each member of the row. Members that it does not read are skipped.
    mutating func members(
        _ read: (inout Self, String) throws(MalformedMessageError) -> Void
    ) throws(MalformedMessageError) {
        guard try json.beginObject() else { return }
        while let name = try json.nextMember() { try read(&self, name.string) }
    }

    // MARK: Values

    /// Reads a string and trims it. Returns `nil` for `null`, an empty string and values of other types. Numbers are
    /// returned as text.
    mutating func text() throws(MalformedMessageError) -> String? {
        try json.string().flatMap(PublishedText.trimmed)
    }

    /// Reads an identifier: an integer in the recordings, a string in older documentation. "7.0" is 7.
    mutating func identifier() throws(MalformedMessageError) -> String? {
        switch try json.scalar() {
        case .number(let number): number.integer.map { String($0) } ?? number.string
        case .text(let text): PublishedText.trimmed(text.string)
        case .boolean, .null, nil: nil
        }
    }

    /// Reads a number. Returns `nil` for `null` and empty strings, which both mean "unknown", and for invalid values,
    /// which are reported.
    mutating func number(_ field: String) throws(MalformedMessageError) -> Double? {
        switch try json.scalar() {
        case .number(let number):
            if let value = number.double { return value }
            report("invalid_number", field, number.string)
        case .text(let text):
            guard let trimmed = PublishedText.trimmed(text.string) else { return nil }
            if let value = Self.double(trimmed) { return value }
            report("invalid_number", field, trimmed)
        case .null: break
        case .boolean(let value): report("invalid_number", field, "\(value)")
        case nil: report("unexpected_type", field, "a list or an object")
        }
        return nil
    }

    mutating func integer(_ field: String) throws(MalformedMessageError) -> Int? {
        guard let number = try number(field) else { return nil }
        guard let integer = Int(exactly: number) else {
            report("invalid_number", field, "\(number)")
            return nil
        }
        return integer
    }

    private static func double(_ text: String) -> Double? {
        Array(text.utf8).withUnsafeBufferPointer { JSONNumber.double($0) }
    }

    // MARK: Findings

    mutating func report(_ rule: String, _ field: String, _ value: String) {
        var place = place
        place.field = field
        findings.append(Finding(rule: rule, place: place, offset: start, value: String(value.prefix(64))))
    }

    /// Reports that the row is unusable because a member is missing.
    mutating func reportMissing(_ field: String) {
        var place = place
        place.field = field
        missingField = missingField ?? field
        findings.append(Finding(rule: "missing_required_field", place: place, offset: start))
    }
}

extension ValidationReport {
    mutating func add(_ findings: [TranzyRow.Finding]) {
        for finding in findings {
            let field = finding.place.field ?? "row"
            let message = finding.value.map { "“\($0)” cannot be used as \(field)" } ?? "The row has no usable \(field)"
            add(finding.rule, .error, at: finding.place, "\(message) (byte \(finding.offset))")
        }
    }
}
