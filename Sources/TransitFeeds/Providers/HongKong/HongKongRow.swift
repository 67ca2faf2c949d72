internal import TransitModel

/// One row of an answer. The lists of both operators share the names of their members, so that one reader does for all; a
/// member that is absent, null, empty or of a kind that makes no sense is `nil`.
///
/// The specification of KMB shows numbers where the interface sends texts, and the reverse: either is taken.
struct HongKongRow {
    /// From 1 on, and bytes from the start of the answer.
    var place: (row: Int, offset: Int)
    /// `{}` stands for "there is none".
    var isEmpty = true

    /// The number of a route, plain (``plain(_:)``).
    var route: String?
    /// `bound` of KMB's lists, `dir` elsewhere.
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

    /// `nil` where the operator tells no time: `null`, or "" as Citybus has it.
    var arrival: Instant?
    /// `data_timestamp`, in the specification's samples `generated_timestamp`: when the row was made.
    var measured: Instant?

    /// Reads the value that comes next; `nil` for one that is no object.
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
        case "data_timestamp", "generated_timestamp": measured = try instant(&json, member, &log) ?? measured
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
    /// Without blanks at its ends: KMB's own samples have them. `nil` when nothing is left.
    private func text(
        _ json: inout JSONReader, _ member: String, _ log: inout HongKongRowLog
    ) throws(MalformedMessageError) -> String? {
        let (text, isBroken) = try json.trimmedString()
        if isBroken { log.add(.text, member, at: place, value: text) }
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

    /// The text where it can stand in an address and in the name of a file as it is: at most 32 letters, digits, `-` and
    /// `_` of ASCII. All routes and stops are such.
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
    /// A text without blanks at its ends, or a number as it is written; `nil` when nothing is left.
    ///
    /// - Returns: also whether it was broken UTF-8, which has been repaired.
    mutating func trimmedString() throws(MalformedMessageError) -> (text: String?, isBroken: Bool) {
        switch try scalar() {
        case .text(let text): text.withBytes(Self.trimmed)
        case .number(let number): (number.string, false)
        case .boolean, .null, nil: (nil, false)
        }
    }

    /// A finite number, also in quotes and with blanks.
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
