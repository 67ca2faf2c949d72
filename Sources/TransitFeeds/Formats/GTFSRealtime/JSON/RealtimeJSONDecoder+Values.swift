internal import TransitModel

extension RealtimeJSONDecoder {
    /// Enters a message. Returns false for null, and for any other kind of value, which is reported.
    mutating func begin(_ json: inout JSONReader, _ field: StaticString) throws(MalformedMessageError) -> Bool {
        let kind = try json.kind()
        if kind != .object, kind != .null { log.add(.unexpectedType, field, at: json.offset) }
        return try json.beginObject()
    }

    /// Reads a string or a number as a string. Returns `nil` if it is empty.
    mutating func text(_ json: inout JSONReader, _ field: StaticString) throws(MalformedMessageError) -> String? {
        try bytes(&json, field) { log, text, offset in log.text(text, field, at: offset) }
    }

    mutating func identifier<Subject>(
        _ json: inout JSONReader, _ field: StaticString
    ) throws(MalformedMessageError) -> Identifier<Subject>? {
        try text(&json, field).map(Identifier.init(rawValue:))
    }

    mutating func time(_ json: inout JSONReader, _ field: StaticString) throws(MalformedMessageError) -> ServiceTime? {
        try bytes(&json, field) { log, text, offset in log.time(text, field, at: offset) }
    }

    mutating func date(_ json: inout JSONReader, _ field: StaticString) throws(MalformedMessageError) -> ServiceDate? {
        try bytes(&json, field) { log, text, offset in log.date(text, field, at: offset) }
    }

    mutating func instant(_ json: inout JSONReader, _ field: StaticString) throws(MalformedMessageError) -> Instant? {
        let offset = json.offset
        return try integer(&json, field).flatMap { log.instant(UInt64(bitPattern: $0), field, at: offset) }
    }

    /// Reads the start or end of a time range. A value of 0 means that the range is open.
    mutating func rangeBound(_ json: inout JSONReader, _ field: StaticString) throws(MalformedMessageError) -> Instant?
    {
        let offset = json.offset
        return try integer(&json, field).flatMap { log.rangeBound(UInt64(bitPattern: $0), field, at: offset) }
    }

    mutating func direction(_ json: inout JSONReader, _ field: StaticString) throws(MalformedMessageError) -> Direction?
    {
        let offset = json.offset
        return try integer(&json, field).flatMap { log.direction($0, field, at: offset) }
    }

    /// Reads an integer in the range of `Number`.
    mutating func number<Number: FixedWidthInteger>(
        _ json: inout JSONReader, _ field: StaticString
    ) throws(MalformedMessageError) -> Number? {
        let offset = json.offset
        guard let value = try integer(&json, field) else { return nil }
        if let number = Number(exactly: value) { return number }
        log.add(.invalidNumber, field, at: offset, String(value))
        return nil
    }

    /// Reads an enumeration value by its number or its name. Returns `nil` if the specification does not define it.
    mutating func value<Value: GTFSRealtimeEnum>(
        _ json: inout JSONReader, _ field: StaticString
    ) throws(MalformedMessageError) -> Value? {
        let offset = json.offset
        switch try scalar(&json, field) {
        case .number(let number): return log.value(number.integer ?? -1, field, at: offset)
        case .text(let text):
            let name = text.string
            if let value = Value(wireName: name) { return value }
            if let number = text.withBytes(JSONNumber.integer) { return log.value(number, field, at: offset) }
            if !name.isEmpty { log.add(.unknownEnumValue, field, at: offset, name) }
            return nil
        case .boolean:
            log.add(.unexpectedType, field, at: offset)
            return nil
        case .null, nil: return nil
        }
    }

    mutating func boolean(_ json: inout JSONReader, _ field: StaticString) throws(MalformedMessageError) -> Bool? {
        let offset = json.offset
        switch try scalar(&json, field) {
        case .boolean(let value): return value
        case .number(let number) where number.integer != nil: return number.integer != 0
        case .text(let text) where Bool(text.folded) != nil: return Bool(text.folded)
        case .null, nil: return nil
        case .number, .text:
            log.add(.unexpectedType, field, at: offset)
            return nil
        }
    }

    /// Reads a finite number, which may be in quotes.
    mutating func double(_ json: inout JSONReader, _ field: StaticString) throws(MalformedMessageError) -> Double? {
        let offset = json.offset
        let value: Double?
        switch try scalar(&json, field) {
        case .number(let number): value = number.double
        case .text(let text):
            if text.raw.isEmpty { return nil }
            value = text.withBytes(JSONNumber.double)
        case .boolean: value = nil
        case .null, nil: return nil
        }
        if value == nil { log.add(.invalidNumber, field, at: offset) }
        return value
    }

    /// Reads an integer in one of three forms: a number, a string (the JSON format of protobuf for 64-bit integers), or
    /// `{low, high}` (the form of 64-bit integers in JavaScript libraries).
    private mutating func integer(_ json: inout JSONReader, _ field: StaticString) throws(MalformedMessageError)
        -> Int64?
    {
        let offset = json.offset
        if try json.kind() == .object { return try halves(&json, field) }
        let value: Int64?
        let text: String
        switch try scalar(&json, field) {
        case .number(let number): (value, text) = (number.integer ?? Self.integer(number.double), number.string)
        case .text(let quoted):
            if quoted.raw.isEmpty { return nil }
            value = quoted.withBytes(JSONNumber.integer) ?? Self.integer(quoted.withBytes(JSONNumber.double))
            text = quoted.string
        case .boolean:
            log.add(.unexpectedType, field, at: offset)
            return nil
        case .null, nil: return nil
        }
        if value == nil { log.add(.invalidNumber, field, at: offset, text) }
        return value
    }

    /// Returns the integer that a number in another notation stands for, such as 1.0 or 1e3, which the JSON format of
    /// protobuf allows; `nil` if it is not a whole number.
    private static func integer(_ number: Double?) -> Int64? { number.flatMap { Int64(exactly: $0) } }

    private mutating func halves(_ json: inout JSONReader, _ field: StaticString) throws(MalformedMessageError)
        -> Int64?
    {
        let offset = json.offset
        var (low, high): (Int64?, Int64?)
        _ = try json.beginObject()
        while let name = try json.nextMember() {
            switch name.string {
            case "low": low = try json.integer()
            case "high": high = try json.integer()
            default: break
            }
        }
        guard let low, let high else {
            log.add(.unexpectedType, field, at: offset)
            return nil
        }
        return high << 32 | Int64(UInt32(truncatingIfNeeded: low))
    }

    /// Reads a scalar. Returns `nil` for an object or array, which is reported.
    private mutating func scalar(_ json: inout JSONReader, _ field: StaticString) throws(MalformedMessageError)
        -> JSONScalar?
    {
        let offset = json.offset
        let scalar = try json.scalar()
        if scalar == nil { log.add(.unexpectedType, field, at: offset) }
        return scalar
    }

    private mutating func bytes<Value>(
        _ json: inout JSONReader, _ field: StaticString,
        _ body: (inout ProblemLog, UnsafeBufferPointer<UInt8>, Int) -> Value?
    ) throws(MalformedMessageError) -> Value? {
        let offset = json.offset
        switch try scalar(&json, field) {
        case .text(let text): return text.withBytes { body(&log, $0, offset) }
        case .number(let number): return body(&log, number.raw, offset)
        case .boolean:
            log.add(.unexpectedType, field, at: offset)
            return nil
        case .null, nil: return nil
        }
    }
}
