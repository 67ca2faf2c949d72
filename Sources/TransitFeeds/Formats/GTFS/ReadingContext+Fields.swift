internal import TransitModel

/// Parses and validates the fields of a row. Each method reports an invalid value and returns `nil`. For an empty
/// field, the result is also `nil`, but nothing is reported.
extension ReadingContext {
    /// Returns the field as a string.
    func text(_ row: borrowing CSVRow, _ column: some TableColumn) -> String? {
        let bytes = row[column]
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// Returns whether a required field has a value. Reports an empty field. The caller then skips the row.
    func has(_ row: borrowing CSVRow, _ column: some TableColumn) -> Bool {
        if !row[column].isEmpty { return true }
        reject(row, column, "missing_required_field", .error, "\(column.name) is empty; the row is skipped")
        return false
    }

    /// Returns an integer within a range.
    func integer(_ row: borrowing CSVRow, _ column: some TableColumn, in range: ClosedRange<Int>) -> Int? {
        let bytes = row[column]
        guard !bytes.isEmpty else { return nil }
        guard let value = FieldValue.wholeNumber(bytes) else {
            rejectValue(row, column, "invalid_integer", "is not an integer")
            return nil
        }
        guard range.contains(value) else {
            rejectValue(row, column, "number_out_of_range", "is out of range")
            return nil
        }
        return value
    }

    /// Returns the case of an enumeration with the given raw value, or `absent` if the field is empty or invalid.
    func choice<Choice: RawRepresentable>(
        _ row: borrowing CSVRow, _ column: some TableColumn, absent: Choice
    ) -> Choice where Choice.RawValue == UInt8 {
        let bytes = row[column]
        guard !bytes.isEmpty else { return absent }
        if let value = FieldValue.integer(bytes), let raw = UInt8(exactly: value), let choice = Choice(rawValue: raw) {
            return choice
        }
        rejectValue(row, column, "unexpected_enum_value", "is not a valid value")
        return absent
    }

    /// Returns a date.
    func date(_ row: borrowing CSVRow, _ column: some TableColumn) -> ServiceDate? {
        let bytes = row[column]
        guard !bytes.isEmpty else { return nil }
        if let date = ServiceDate(gtfs: bytes) { return date }
        rejectValue(row, column, "invalid_date", "is not a date in the format YYYYMMDD")
        return nil
    }

    /// Returns a time.
    func time(_ row: borrowing CSVRow, _ column: some TableColumn) -> ServiceTime? {
        let bytes = row[column]
        guard !bytes.isEmpty else { return nil }
        if let time = ServiceTime(gtfs: bytes) { return time }
        rejectValue(row, column, "invalid_time", "is not a time in the format HH:MM:SS up to 720:00:00")
        return nil
    }

    /// Returns a color as six hexadecimal digits.
    func color(_ row: borrowing CSVRow, _ column: some TableColumn) -> String? {
        let bytes = row[column]
        guard !bytes.isEmpty else { return nil }
        guard let color = FieldValue.color(bytes) else {
            rejectValue(row, column, "invalid_color", "is not six hexadecimal digits")
            return nil
        }
        if bytes.first == 0x23 {
            reject(row, column, "invalid_color", .warning, "\(column.name) begins with “#”, which is ignored")
        }
        return color
    }

    /// The distance from (0, 0), in degrees, within which positions are considered invalid. The limit is the same as in
    /// the canonical validator.
    private static let origin = 1.0
    /// The latitude, in degrees, from which positions are reported as near a pole, as in the canonical validator.
    private static let pole = 89.0

    /// Returns the row's position, or `nil` if a coordinate is missing or invalid. Two empty fields are not reported.
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
                "The position is near 0, 0, which usually means that it is unknown; it is ignored")
            return nil
        }
        if abs(north) >= Self.pole {
            reject(row, latitude, "point_near_pole", .warning, "The position is near a pole")
        }
        return coordinate
    }

    private func degrees(_ row: borrowing CSVRow, _ column: some TableColumn, limit: Double) -> Double? {
        guard !row[column].isEmpty else {
            reject(row, column, "missing_required_field", .error, "Only one of latitude and longitude is given")
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
    /// Reports a finding about a field.
    func reject(
        _ row: borrowing CSVRow, _ column: some TableColumn, _ rule: String, _ severity: ValidationReport.Severity,
        _ message: @autoclosure () -> String
    ) {
        var place = row.place(column.rawValue)
        place.field = column.name
        add(rule, severity, at: place, message())
    }

    /// Reports an invalid value and quotes it.
    func rejectValue(_ row: borrowing CSVRow, _ column: some TableColumn, _ rule: String, _ fault: String) {
        let value = row[column]
        reject(row, column, rule, .error, "\(column.name) “\(FieldValue.excerpt(value))” \(fault)")
    }

    /// Reports a reference to a row that does not exist.
    func rejectReference(
        _ row: borrowing CSVRow, _ column: some TableColumn, to file: String, _ consequence: String
    ) {
        let value = row[column]
        reject(
            row, column, "foreign_key_violation", .error,
            "\(file) has no \(column.name) “\(FieldValue.excerpt(value))”; \(consequence)")
    }

    /// Reports a row whose key is a duplicate.
    func rejectDuplicate(_ row: borrowing CSVRow, _ column: some TableColumn) {
        let value = row[column]
        reject(
            row, column, "duplicate_key", .error,
            "\(column.name) “\(FieldValue.excerpt(value))” occurs more than once; the row is skipped")
    }
}
