import TransitTestSupport

/// Generates random protobuf messages of the GTFS-Realtime schema without using any code under test: fields in any
/// order, repeated fields, split messages, unknown fields, numbers of any length.
struct RandomMessageGenerator {
    private indirect enum Field {
        case number, small, text, date, time, float, double
        case message([UInt32: Field])
    }

    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func message() -> [UInt8] {
        // A header, at the start or the end, that identifies the bytes as a message.
        let header: [UInt8] = [0x0A, 5, 0x0A, 3, 0x32, 0x2E, 0x30]
        let body = fields(Self.feed, depth: 0)
        return Bool.random(using: &random) ? header + body : body + header
    }

    private mutating func fields(_ schema: [UInt32: Field], depth: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        let numbers = schema.keys.sorted()
        for _ in 0..<Int.random(in: 0...(depth < 2 ? 6 : 8), using: &random) {
            if Int.random(in: 0..<20, using: &random) == 0 { bytes += unknown() }
            guard let number = numbers.randomElement(using: &random), let field = schema[number] else { continue }
            bytes += self.field(number, field, depth: depth)
        }
        return bytes
    }

    private mutating func field(_ number: UInt32, _ field: Field, depth: Int) -> [UInt8] {
        switch field {
        case .number: tag(number, 0) + varint(anyNumber())
        case .small: tag(number, 0) + varint(UInt64.random(in: 0...14, using: &random))
        case .text: tag(number, 2) + delimited(anyText())
        case .date: tag(number, 2) + delimited(oneOf(["20260617", "20260229", "2026061", "", "20261231"]))
        case .time: tag(number, 2) + delimited(oneOf(["08:05:00", "8:05:00", "25:61:00", "", "49:00:01", "x"]))
        case .float: tag(number, 5) + littleEndian(anyFloat().bitPattern)
        case .double: tag(number, 1) + littleEndian(Double(anyFloat()).bitPattern)
        case .message(let schema): tag(number, 2) + delimited(fields(schema, depth: depth + 1))
        }
    }

    /// An extension, a group, or a field with an unused number.
    private mutating func unknown() -> [UInt8] {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: tag(1001, 2) + delimited(anyText())
        case 1: tag(1500, 3) + tag(9, 0) + varint(anyNumber()) + tag(1500, 4)
        case 2: tag(9000, 5) + [1, 2, 3, 4]
        default: tag(536_870_911, 0) + varint(anyNumber())
        }
    }

    private mutating func anyNumber() -> UInt64 {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: UInt64.random(in: 0...3, using: &random)
        case 1: 1_781_700_000 + UInt64.random(in: 0...86_400, using: &random)
        case 2: UInt64(bitPattern: -Int64.random(in: 0...600, using: &random))
        default: UInt64.random(in: 0...UInt64.max, using: &random) >> UInt64.random(in: 0..<64, using: &random)
        }
    }

    private mutating func anyFloat() -> Float {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: oneOf([0, -1, 90, 180, 360, 361, .nan, .infinity, -.infinity])
        default: Float.random(in: -200...400, using: &random)
        }
    }

    private mutating func anyText() -> [UInt8] {
        oneOf(["", "a", "70202", "Zürich HB", "a rather long identifier of a stop", "停車場", "🚋"])
    }

    private mutating func oneOf(_ texts: [String]) -> [UInt8] {
        Array((texts.randomElement(using: &random) ?? "").utf8)
    }
    private mutating func oneOf(_ numbers: [Float]) -> Float { numbers.randomElement(using: &random) ?? 0 }

    private func tag(_ number: UInt32, _ type: UInt32) -> [UInt8] { varint(UInt64(number << 3 | type)) }
    private func delimited(_ bytes: [UInt8]) -> [UInt8] { varint(UInt64(bytes.count)) + bytes }

    private func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    private func varint(_ value: UInt64) -> [UInt8] {
        value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7F) | 0x80] + varint(value >> 7)
    }
}

// MARK: - The schema
extension RandomMessageGenerator {
    private static let trip: [UInt32: Field] = [
        1: .text, 2: .time, 3: .date, 4: .small, 5: .text, 6: .number, 7: .message([1: .text, 2: .text]),
    ]
    private static let vehicleDescriptor: [UInt32: Field] = [1: .text, 2: .text, 3: .text, 4: .small]
    private static let event: [UInt32: Field] = [1: .number, 2: .number, 3: .number, 4: .number]
    private static let call: [UInt32: Field] = [
        1: .number, 2: .message(event), 3: .message(event), 4: .text, 5: .small,
        6: .message([1: .text, 2: .text, 3: .small, 4: .small]), 7: .small,
    ]
    private static let properties: [UInt32: Field] = [1: .text, 2: .date, 3: .time, 4: .text, 5: .text, 6: .text]
    private static let update: [UInt32: Field] = [
        1: .message(trip), 2: .message(call), 3: .message(vehicleDescriptor), 4: .number, 5: .number,
        6: .message(properties),
    ]
    private static let position: [UInt32: Field] = [1: .float, 2: .float, 3: .float, 4: .double, 5: .float]
    private static let vehicle: [UInt32: Field] = [
        1: .message(trip), 2: .message(position), 3: .number, 4: .small, 5: .number, 6: .small, 7: .text,
        8: .message(vehicleDescriptor), 9: .small, 10: .number,
        11: .message([1: .text, 2: .text, 3: .small, 4: .number, 5: .number]),
    ]
    private static let text: [UInt32: Field] = [1: .message([1: .text, 2: .text])]
    private static let selector: [UInt32: Field] = [
        1: .text, 2: .text, 3: .number, 4: .message(trip), 5: .text, 6: .number,
    ]
    private static let alert: [UInt32: Field] = [
        1: .message([1: .number, 2: .number]), 5: .message(selector), 6: .small, 7: .small, 8: .message(text),
        10: .message(text), 11: .message(text), 12: .message(text), 13: .message(text), 14: .small,
        15: .message([1: .message([1: .text, 2: .text, 3: .text])]), 16: .message(text), 17: .message(text),
        18: .message(text),
    ]
    private static let entity: [UInt32: Field] = [
        1: .text, 2: .small, 3: .message(update), 4: .message(vehicle), 5: .message(alert),
        6: .message([1: .text, 2: .text]), 7: .message([1: .text, 6: .float]),
        8: .message([2: .text, 4: .message([3: .number])]),
    ]
    private static let header: [UInt32: Field] = [1: .text, 2: .small, 3: .number, 4: .text]
    private static let feed: [UInt32: Field] = [1: .message(header), 2: .message(entity)]
}
