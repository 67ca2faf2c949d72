internal import TransitModel

/// Parses the values of GTFS fields from bytes without creating a `String` (GTFS reference, "Field Types").
enum FieldValue {
    /// Parses up to ten digits with an optional sign. Returns `nil` for anything else.
    static func integer(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
        var digits = text[...]
        var isNegative = false
        if let sign = digits.first, sign == 0x2D || sign == 0x2B {
            isNegative = sign == 0x2D
            digits = digits.dropFirst()
        }
        guard !digits.isEmpty, digits.count <= 10 else { return nil }
        var value = 0
        for byte in digits {
            let digit = byte &- 0x30
            guard digit <= 9 else { return nil }
            value = value &* 10 &+ Int(digit)
        }
        return isNegative ? -value : value
    }

    /// Parses an integer, which some publishers write as a decimal, for example "3.0" for 3. Returns `nil` if the value
    /// is not an integer.
    static func wholeNumber(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
        if let value = integer(text) { return value }
        guard let value = decimal(text), value.rounded() == value, abs(value) < 4_294_967_296 else { return nil }
        return Int(value)
    }

    /// Parses a decimal number with or without an exponent. Returns `nil` for anything else, including NaN and
    /// infinity.
    static func decimal(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        quickDecimal(text) ?? slowDecimal(text)
    }

    /// Parses a number of up to 15 digits without an exponent.
    ///
    /// Integers of up to 15 digits and powers of ten up to 22 are exact in a `Double`, so their quotient is the nearest
    /// value (Clinger, "How to read floating point numbers accurately", 1990).
    @inline(__always)
    private static func quickDecimal(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        var position = 0
        let isNegative = text.first == 0x2D
        if isNegative { position = 1 }
        var mantissa: UInt64 = 0
        var digits = 0
        var fraction = -1
        while position < text.count {
            let byte = text[position]
            if byte == 0x2E {
                guard fraction < 0 else { return nil }
                fraction = 0
            } else {
                let digit = byte &- 0x30
                guard digit <= 9 else { return nil }
                mantissa = mantissa &* 10 &+ UInt64(digit)
                digits += 1
                if fraction >= 0 { fraction += 1 }
            }
            position += 1
        }
        guard digits > 0, digits <= 15 else { return nil }
        let value = Double(mantissa) / powersOfTen[max(0, fraction)]
        return isNegative ? -value : value
    }

    private static let powersOfTen: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ]

    private static func slowDecimal(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        let allowed = text.allSatisfy { byte in
            byte &- 0x30 <= 9 || byte == 0x2E || byte == 0x2D || byte == 0x2B || byte | 0x20 == 0x65
        }
        guard allowed, text.count <= 64, let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite
        else { return nil }
        return value
    }

    /// Returns whether a number is a valid `route_type`: 0...7, 11 or 12 (GTFS reference, routes.txt), or an extended
    /// type in 100...1799.
    static func isRouteType(_ type: Int) -> Bool {
        switch type {
        case 0...7, 11, 12, 100...1799: true
        default: false
        }
    }

    /// Returns six hexadecimal digits in uppercase, without a leading "#", or `nil` if the value is not a color.
    static func color(_ text: UnsafeBufferPointer<UInt8>) -> String? {
        let digits = text.first == 0x23 ? text.dropFirst() : text[...]
        guard digits.count == 6 else { return nil }
        var upper: [UInt8] = []
        for byte in digits {
            switch byte {
            case 0x30...0x39, 0x41...0x46: upper.append(byte)
            case 0x61...0x66: upper.append(byte - 0x20)
            default: return nil
            }
        }
        return String(decoding: upper, as: UTF8.self)
    }

    /// Returns the text shortened to 64 characters for a message.
    static func excerpt(_ text: UnsafeBufferPointer<UInt8>) -> String {
        excerpt(String(decoding: text.prefix(400), as: UTF8.self))
    }

    static func excerpt(_ text: String) -> String { text.count <= 64 ? text : String(text.prefix(63)) + "…" }
}

// MARK: - Fields of a row

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
        return decimal(row, column, in: -limit...limit)
    }

    /// Returns a decimal number within a range.
    func decimal(_ row: borrowing CSVRow, _ column: some TableColumn, in range: ClosedRange<Double>) -> Double? {
        guard !row[column].isEmpty else { return nil }
        guard let value = FieldValue.decimal(row[column]) else {
            rejectValue(row, column, "invalid_float", "is not a number")
            return nil
        }
        guard range.contains(value) else {
            rejectValue(row, column, "number_out_of_range", "is out of range")
            return nil
        }
        return value
    }
}

// MARK: - Findings about a field
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
