internal import TransitModel

/// The rows of an answer of Tranzy, and what is wrong with single ones.
struct TranzyTable<Row: Sendable>: Sendable {
    var rows: [Row] = []
    /// The rows that were there, readable or not.
    var count = 0
    /// The first ``mostFindings``.
    var findings: [TranzyRow.Finding] = []

    /// Reads an answer: a bare array of objects, in every recording.
    ///
    /// - Parameters:
    ///   - name: of the table, for findings and errors: "stops".
    ///   - read: reads the members of a row; `nil` when what it needs is missing, which it has said to `row`.
    /// - Throws: ``FeedError/notDocument(_:wanted:)`` for something else, ``FeedError/message(_:offset:member:)`` for JSON
    ///   that is damaged, and for one in which no row can be read, with the first row's place and what it lacks.
    static func read(
        _ body: [UInt8], _ name: String,
        _ read: (inout TranzyRow) throws(MalformedMessageError) -> Row?
    ) throws(FeedError) -> Self {
        var table = Self()
        var first: (offset: Int, field: String)?
        let result = try JSONResponse.read(body, as: "a list of \(name) of Tranzy") {
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

/// One row while it is read.
struct TranzyRow {
    struct Finding: Sendable {
        var rule: String
        var place: ValidationReport.Place
        /// Of the row, in bytes from the start of the body.
        var offset: Int
        var value: String?
    }

    var json: JSONReader
    /// Bytes from the start of the body.
    let start: Int
    private let place: ValidationReport.Place
    fileprivate private(set) var findings: [Finding] = []
    /// The member without which the row cannot be used.
    private(set) var missingField: String?

    /// - Parameter number: of the row, from 1.
    fileprivate init(_ json: JSONReader, table: String, number: Int) {
        self.json = json
        start = json.offset
        place = ValidationReport.Place(file: table, line: number)
    }

    /// Reads the members that are named; the others are passed over.
    mutating func members(
        _ read: (inout Self, String) throws(MalformedMessageError) -> Void
    ) throws(MalformedMessageError) {
        guard try json.beginObject() else { return }
        while let name = try json.nextMember() { try read(&self, name.string) }
    }

    // MARK: Values

    /// A text without blanks around it; `nil` for null, for an empty one and for another kind of value. Numbers count as texts.
    mutating func text() throws(MalformedMessageError) -> String? {
        try json.string().flatMap(PublishedText.trimmed)
    }

    /// An identifier: a whole number in the recordings, a text in older documents. "7.0" is 7.
    mutating func identifier() throws(MalformedMessageError) -> String? {
        switch try json.scalar() {
        case .number(let number): number.integer.map { String($0) } ?? number.string
        case .text(let text): PublishedText.trimmed(text.string)
        case .boolean, .null, nil: nil
        }
    }

    /// A number; `nil` for null and for an empty text, which both stand for "not known", and for what is none, which is counted.
    mutating func number(_ field: String) throws(MalformedMessageError) -> Double? {
        switch try json.scalar() {
        case .number(let number):
            if let value = number.double { return value }
            note("invalid_number", field, number.string)
        case .text(let text):
            guard let trimmed = PublishedText.trimmed(text.string) else { return nil }
            if let value = Self.double(trimmed) { return value }
            note("invalid_number", field, trimmed)
        case .null: break
        case .boolean(let value): note("invalid_number", field, "\(value)")
        case nil: note("unexpected_type", field, "a list or an object")
        }
        return nil
    }

    mutating func integer(_ field: String) throws(MalformedMessageError) -> Int? {
        guard let number = try number(field) else { return nil }
        guard let integer = Int(exactly: number) else {
            note("invalid_number", field, "\(number)")
            return nil
        }
        return integer
    }

    private static func double(_ text: String) -> Double? {
        Array(text.utf8).withUnsafeBufferPointer { JSONNumber.double($0) }
    }

    // MARK: Findings

    mutating func note(_ rule: String, _ field: String, _ value: String) {
        var place = place
        place.field = field
        findings.append(Finding(rule: rule, place: place, offset: start, value: String(value.prefix(64))))
    }

    /// Says that the row cannot be used for want of a member.
    mutating func reportMissing(_ field: String) {
        var place = place
        place.field = field
        missingField = missingField ?? field
        findings.append(Finding(rule: "missing_required_field", place: place, offset: start))
    }
}

extension ValidationReport {
    mutating func take(_ findings: [TranzyRow.Finding]) {
        for finding in findings {
            let field = finding.place.field ?? "row"
            let message = finding.value.map { "“\($0)” cannot be used as \(field)" } ?? "The row has no usable \(field)"
            add(finding.rule, .error, at: finding.place, "\(message) (byte \(finding.offset))")
        }
    }
}
