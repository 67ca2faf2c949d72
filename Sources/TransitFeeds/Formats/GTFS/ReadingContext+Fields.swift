internal import TransitModel

/// Fields of a row with what the GTFS reference asks of them. What does not hold is reported, and `nil` is returned.
extension ReadingContext {
    /// `nil` when it is empty, without a report.
    func text(_ row: borrowing CSVRow, _ column: some TableColumn) -> String? {
        let bytes = row[column]
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// Reports an empty field as missing and says so with `false`; the row is then skipped.
    func has(_ row: borrowing CSVRow, _ column: some TableColumn) -> Bool {
        if !row[column].isEmpty { return true }
        reject(row, column, "missing_required_field", .error, "\(column.name) is empty; the row is skipped")
        return false
    }

    /// A whole number within a range; `nil` and no report when it is empty.
    func integer(_ row: borrowing CSVRow, _ column: some TableColumn, in range: ClosedRange<Int>) -> Int? {
        let bytes = row[column]
        guard !bytes.isEmpty else { return nil }
        guard let value = FieldValue.wholeNumber(bytes) else {
            rejectValue(row, column, "invalid_integer", "is not a whole number")
            return nil
        }
        guard range.contains(value) else {
            rejectValue(row, column, "number_out_of_range", "is out of range")
            return nil
        }
        return value
    }

    /// A value of an enumeration by its number; `absent` when it is empty or has no such case.
    func choice<Choice: RawRepresentable>(
        _ row: borrowing CSVRow, _ column: some TableColumn, absent: Choice
    ) -> Choice where Choice.RawValue == UInt8 {
        let bytes = row[column]
        guard !bytes.isEmpty else { return absent }
        if let value = FieldValue.integer(bytes), let raw = UInt8(exactly: value), let choice = Choice(rawValue: raw) {
            return choice
        }
        rejectValue(row, column, "unexpected_enum_value", "is not one of its values")
        return absent
    }

    /// `nil` and no report when it is empty.
    func date(_ row: borrowing CSVRow, _ column: some TableColumn) -> ServiceDate? {
        let bytes = row[column]
        guard !bytes.isEmpty else { return nil }
        if let date = ServiceDate(gtfs: bytes) { return date }
        rejectValue(row, column, "invalid_date", "is not a date of the form YYYYMMDD")
        return nil
    }

    /// `nil` and no report when it is empty.
    func time(_ row: borrowing CSVRow, _ column: some TableColumn) -> ServiceTime? {
        let bytes = row[column]
        guard !bytes.isEmpty else { return nil }
        if let time = ServiceTime(gtfs: bytes) { return time }
        rejectValue(row, column, "invalid_time", "is not a time of the form HH:MM:SS up to 720:00:00")
        return nil
    }

    /// `nil` and no report when it is empty.
    func color(_ row: borrowing CSVRow, _ column: some TableColumn) -> String? {
        let bytes = row[column]
        guard !bytes.isEmpty else { return nil }
        guard let color = FieldValue.color(bytes) else {
            rejectValue(row, column, "invalid_color", "is not six hexadecimal digits")
            return nil
        }
        if bytes.first == 0x23 {
            reject(row, column, "invalid_color", .warning, "\(column.name) begins with “#”, which is dropped")
        }
        return color
    }

    /// Degrees around (0, 0) and around the poles in which no stop can be, as in the canonical validator.
    private static let origin = 1.0
    private static let pole = 89.0

    /// A position; `nil` and no report when both fields are empty.
    func coordinate(
        _ row: borrowing CSVRow, _ latitude: some TableColumn, _ longitude: some TableColumn
    ) -> Coordinate? {
        if row[latitude].isEmpty, row[longitude].isEmpty { return nil }
        guard let north = degrees(row, latitude, limit: 90), let east = degrees(row, longitude, limit: 180) else {
            return nil
        }
        guard max(abs(north), abs(east)) > Self.origin,
            let coordinate = Coordinate(latitude: north, longitude: east)
        else {
            reject(
                row, latitude, "point_near_origin", .error,
                "The position is at 0, 0 or in the sea beside it, which means that it is not known")
            return nil
        }
        if abs(north) >= Self.pole {
            reject(row, latitude, "point_near_pole", .warning, "The position is at a pole")
        }
        return coordinate
    }

    private func degrees(_ row: borrowing CSVRow, _ column: some TableColumn, limit: Double) -> Double? {
        guard !row[column].isEmpty else {
            reject(row, column, "missing_required_field", .error, "\(column.name) is empty and its partner is not")
            return nil
        }
        guard let value = FieldValue.decimal(row[column]) else {
            rejectValue(row, column, "invalid_float", "is not a number")
            return nil
        }
        guard abs(value) <= limit else {
            rejectValue(row, column, "number_out_of_range", "is out of range")
            return nil
        }
        return value
    }
}

extension ReadingContext {
    /// Counts a finding at a field.
    func reject(
        _ row: borrowing CSVRow, _ column: some TableColumn, _ rule: String, _ severity: ValidationReport.Severity,
        _ message: @autoclosure () -> String
    ) {
        var place = row.place(column.rawValue)
        place.field = column.name
        add(rule, severity, at: place, message())
    }

    /// Counts an error about a field's value, which is quoted.
    func rejectValue(_ row: borrowing CSVRow, _ column: some TableColumn, _ rule: String, _ fault: String) {
        let value = row[column]
        reject(row, column, rule, .error, "\(column.name) “\(FieldValue.excerpt(value))” \(fault)")
    }

    /// Counts a reference to a row that is not there.
    func rejectReference(
        _ row: borrowing CSVRow, _ column: some TableColumn, to file: String, _ consequence: String
    ) {
        let value = row[column]
        reject(
            row, column, "foreign_key_violation", .error,
            "\(file) has no \(column.name) “\(FieldValue.excerpt(value))”; \(consequence)")
    }

    /// Counts a row whose key was there before.
    func rejectDuplicate(_ row: borrowing CSVRow, _ column: some TableColumn) {
        let value = row[column]
        reject(
            row, column, "duplicate_key", .error,
            "\(column.name) “\(FieldValue.excerpt(value))” was there before; the row is skipped")
    }
}
