internal import TransitModel

/// One row of a response. The lists of both operators share their member names, so one parser reads all of them. A
/// member that is absent, `null`, empty or of an unusable type is `nil`.
///
/// KMB's specification shows numbers where the API sends strings, and vice versa. Both are accepted.
struct HongKongRow {
    /// The row number, from 1, and the offset in bytes from the start of the response.
    var place: (row: Int, offset: Int)
    /// Whether the row is `{}`, which means "none".
    var isEmpty = true

    /// The route number, in plain characters (``plain(_:)``).
    var route: String?
    /// `bound` in KMB's lists, `dir` elsewhere.
    var direction: Direction?
    var serviceType: String?
    var sequence: UInt32?
    var stop: StopID?

    var origin = HongKongName()
    var destination = HongKongName()
    var name = HongKongName()
    var remark = HongKongName()

    var latitude: Double?
    var longitude: Double?

    /// `nil` if the operator gives no time: `null`, or "" from Citybus.
    var arrival: Instant?
    /// `data_timestamp`, or `generated_timestamp` in the specification's samples: the time at which the row was
    /// generated.
    var timestamp: Instant?

    /// Reads the next value. Returns `nil` if it is not an object.
    init?(
        _ json: inout JSONReader, place: (row: Int, offset: Int), _ log: inout HongKongRowLog
    ) throws(MalformedMessageError) {
        self.place = place
        guard try json.beginObject() else {
            log.add(.missing, "row", at: place)
            return nil
        }
        while let member = try json.nextMember() {
            isEmpty = false
            try read(member.string, &json, &log)
        }
    }

    private mutating func read(
        _ member: String, _ json: inout JSONReader, _ log: inout HongKongRowLog
    ) throws(MalformedMessageError) {
        switch member {
        case "route": route = try identifier(&json, member, &log)
        case "bound", "dir":
            let letter = try text(&json, member, &log)
            direction = letter.flatMap(Direction.init(hongKong:))
            if let letter, direction == nil { log.add(.invalid, member, at: place, value: letter) }
        case "service_type": serviceType = try number(&json, member, &log).map { "\($0)" }
        case "seq": sequence = try number(&json, member, &log)
        case "stop": stop = try identifier(&json, member, &log).map { StopID($0) }
        case "lat": latitude = try json.trimmedDouble()
        case "long": longitude = try json.trimmedDouble()
        case "eta": arrival = try instant(&json, member, &log)
        case "data_timestamp", "generated_timestamp": timestamp = try instant(&json, member, &log) ?? timestamp
        default: try readName(member, &json, &log)
        }
    }

    private mutating func readName(
        _ member: String, _ json: inout JSONReader, _ log: inout HongKongRowLog
    ) throws(MalformedMessageError) {
        switch member {
        case "orig_en": origin.english = try text(&json, member, &log)
        case "orig_tc": origin.traditional = try text(&json, member, &log)
        case "orig_sc": origin.simplified = try text(&json, member, &log)
        case "dest_en": destination.english = try text(&json, member, &log)
        case "dest_tc": destination.traditional = try text(&json, member, &log)
        case "dest_sc": destination.simplified = try text(&json, member, &log)
        case "name_en": name.english = try text(&json, member, &log)
        case "name_tc": name.traditional = try text(&json, member, &log)
        case "name_sc": name.simplified = try text(&json, member, &log)
        case "rmk_en": remark.english = try text(&json, member, &log)
        case "rmk_tc": remark.traditional = try text(&json, member, &log)
        case "rmk_sc": remark.simplified = try text(&json, member, &log)
        default: break
        }
    }
}

// MARK: - Values

extension HongKongRow {
    /// Reads a string and trims it, because KMB's own samples have surrounding spaces. Returns `nil` if the result is
    /// empty.
    private func text(
        _ json: inout JSONReader, _ member: String, _ log: inout HongKongRowLog
    ) throws(MalformedMessageError) -> String? {
        let (text, isBroken) = try json.trimmedString()
        if isBroken { log.add(.invalidUTF8, member, at: place, value: text) }
        return text
    }

    private func identifier(
        _ json: inout JSONReader, _ member: String, _ log: inout HongKongRowLog
    ) throws(MalformedMessageError) -> String? {
        guard let text = try text(&json, member, &log) else { return nil }
        guard let identifier = Self.plain(text) else {
            log.add(.invalid, member, at: place, value: text)
            return nil
        }
        return identifier
    }

    /// Returns the text if it can be used unescaped in a URL and in a file name: at most 32 ASCII letters, digits, `-`
    /// and `_`. All route numbers and stop identifiers conform.
    static func plain(_ text: String) -> String? {
        let isPlain = text.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & ~0x20) || $0 == 0x2D || $0 == 0x5F
        }
        return isPlain && (1...32).contains(text.utf8.count) ? text : nil
    }

    private func number(
        _ json: inout JSONReader, _ member: String, _ log: inout HongKongRowLog
    ) throws(MalformedMessageError) -> UInt32? {
        guard let text = try text(&json, member, &log) else { return nil }
        let number = JSONNumber.integer(text).flatMap { UInt32(exactly: $0) }
        if number == nil { log.add(.invalid, member, at: place, value: text) }
        return number
    }

    private func instant(
        _ json: inout JSONReader, _ member: String, _ log: inout HongKongRowLog
    ) throws(MalformedMessageError) -> Instant? {
        if [.array, .object, .boolean].contains(try json.kind()) {
            log.add(.invalid, member, at: place)
            try json.skip()
            return nil
        }
        guard let text = try text(&json, member, &log) else { return nil }
        let instant = Instant(rfc3339: text)
        if instant == nil { log.add(.invalid, member, at: place, value: text) }
        return instant
    }
}

extension JSONReader {
    /// Reads a string and trims it, or reads a number as written. The text is `nil` if it would be empty.
    ///
    /// - Returns: The text, and whether invalid UTF-8 was repaired in it.
    mutating func trimmedString() throws(MalformedMessageError) -> (text: String?, isBroken: Bool) {
        switch try scalar() {
        case .text(let text): text.withBytes(Self.trimmed)
        case .number(let number): (number.string, false)
        case .boolean, .null, nil: (nil, false)
        }
    }

    /// Reads a finite number, which may be quoted and surrounded by blanks.
    mutating func trimmedDouble() throws(MalformedMessageError) -> Double? {
        guard var text = try trimmedString().text else { return nil }
        return text.withUTF8(JSONNumber.double)
    }

    private static func trimmed(_ bytes: UnsafeBufferPointer<UInt8>) -> (text: String?, isBroken: Bool) {
        var (start, end) = (0, bytes.count)
        while start < end, bytes[start] <= 0x20 { start += 1 }
        while end > start, bytes[end - 1] <= 0x20 { end -= 1 }
        guard start < end else { return (nil, false) }
        let part = UnsafeBufferPointer(rebasing: bytes[start..<end])
        if let text = String(validating: part, as: UTF8.self) { return (text, false) }
        return (String(decoding: part, as: UTF8.self), true)
    }
}

extension JSONNumber {
    fileprivate static func integer(_ text: String) -> Int64? {
        var text = text
        return text.withUTF8(integer)
    }
}
