import Testing
import TransitControl
import TransitTestSupport

@testable import TransitWire

@Suite struct JSONParserTests {
    @Test(
        arguments: [
            ("null", JSONValue.null), (" true ", true), ("false", false), ("0", 0), ("-0", 0), ("-17", -17),
            ("9223372036854775807", .int(.max)), ("-9223372036854775808", .int(.min)),
            ("9223372036854775808", .double(9_223_372_036_854_775_808)), ("1.5", 1.5), ("1e2", 100.0),
            ("-2.5E-1", -0.25),
            ("0.0", 0.0), ("1E+2", 100.0), (#""""#, ""), (#""a\"\\\/\b\f\n\r\tz""#, "a\"\\/\u{8}\u{C}\n\r\tz"),
            (#""\u00e9\u0000\uD83D\uDE8C""#, "é\0🚌"), ("\"Łódź 東京 🚌\"", "Łódź 東京 🚌"), ("[]", []),
            ("[ 1 ,\t[ ] ]", [1, []]),
            ("{}", [:]), (#"{"a":{"b":[1,{}]},"":2}"#, ["a": ["b": [1, [:]]], "": 2]), ("\r\n[1]\r\n", [1]),
        ] as [(String, JSONValue)])
    func parsesValidJSON(_ text: String, _ value: JSONValue) throws {
        #expect(try JSONValue(parsing: text) == value)
    }

    @Test(arguments: [
        "", " ", "nul", "nulll", "True", "NaN", "Infinity", "+1", "01", "-", "-01", "1.", ".5", "1e", "1e+", "0x10",
        "1 2",
        "[", "[1", "[1,", "[1,]", "[,1]", "]", "{", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, "{a:1}", "{'a':1}",
        #"{"a":1 "b":2}"#,
        #"{1:2}"#, "\"", #""a"#, #""\"#, #""\x""#, #""\u12"#, #""\u12g4""#, #""\u+123""#, "\"a\nb\"", "\"a\tb\"",
        "\"\u{0}\"",
        "\u{FEFF}1", "1 // one", "/* */ 1", "[1}", "{]", "1e999", "-1e999", "tru\u{0}e",
    ])
    func rejectsInvalidJSON(_ text: String) {
        #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
    }

    @Test(arguments: [
        #""\uD800""#, #""\uDC00""#, #""\uD800\uD800""#, #""\uD800x""#, #""\uD800\n""#, #""\uDBFF\u0041""#,
    ])
    func rejectsLoneSurrogates(_ text: String) {
        #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
    }

    @Test(
        arguments: [
            [0x80], [0xC0, 0x80], [0xC3], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF],
            [0xF8, 0x88, 0x80, 0x80, 0x80],
        ] as [[UInt8]])
    func rejectsInvalidUTF8(_ bytes: [UInt8]) {
        let quote = UInt8(ascii: "\"")
        #expect(throws: JSONError.self) { try JSONValue(parsing: [quote] + bytes + [quote]) }
        #expect(throws: JSONError.self) { try JSONValue(parsing: Array(#""\n"#.utf8) + bytes + [quote]) }
        #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) }
    }

    @Test func rejectsDuplicateMembers() throws {
        #expect(throws: JSONError(reason: "duplicate member \"a\"", offset: 13)) {
            try JSONValue(parsing: #"{"a":1,"a":2}"#)
        }
        #expect(throws: JSONError.self) { try JSONValue(parsing: #"{"a":1,"b":{},"\u0061":2}"#) }
        let many = (0..<100).map { #""m\#($0)":\#($0)"# }
        #expect(throws: JSONError.self) {
            try JSONValue(parsing: "{" + (many + [many[3]]).joined(separator: ",") + "}")
        }
        let few = (0..<60).map { #""m\#($0)":\#($0)"# }
        #expect(throws: JSONError.self) { try JSONValue(parsing: "{" + (few + [few[59]]).joined(separator: ",") + "}") }
        _ = try JSONValue(parsing: "{" + few.joined(separator: ",") + "}")
        _ = try JSONValue(parsing: "{" + many.joined(separator: ",") + "}")
    }

    @Test func limitsNestingDepth() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try JSONValue(parsing: nested(64))
        #expect(throws: JSONError.self) { try JSONValue(parsing: nested(65)) }
        #expect(throws: JSONError.self) { try JSONValue(parsing: String(repeating: "[", count: 65_536)) }
        #expect(throws: JSONError.self) { try JSONValue(parsing: String(repeating: #"{"a":"#, count: 13_000)) }
        // Sibling values do not increase the nesting depth.
        _ = try JSONValue(parsing: "[" + Array(repeating: nested(10), count: 100).joined(separator: ",") + "]")
    }

    @Test func parsesNumbersWithManyDigits() throws {
        #expect(throws: JSONError.self) { try JSONValue(parsing: String(repeating: "9", count: 65_536)) }
        #expect(try JSONValue(parsing: "0." + String(repeating: "3", count: 60_000)) == .double(1.0 / 3))
        #expect(try JSONValue(parsing: "1e-400") == .double(0))
    }

    @Test func errorHasByteOffset() {
        #expect(throws: JSONError(reason: "missing comma or end of array", offset: 3)) {
            try JSONValue(parsing: "[1 2]")
        }
        #expect("\(JSONError(reason: "missing digit", offset: 4))" == "missing digit at byte 5")
    }
}

@Suite struct JSONWriterTests {
    @Test(
        arguments: [
            (JSONValue.null, "null"), (.double(.nan), "null"), (.double(.infinity), "null"),
            (.int(.min), "-9223372036854775808"),
            (0, "0"), (.double(0.1), "0.1"), (.double(1e21), "1e+21"),
            ("a\"\\/\u{1}\u{1F}\n\r\t\u{7F}é\u{2028}🚌", #""a\"\\/\u0001\u001f\n\r\t"# + "\u{7F}é\u{2028}🚌\""),
            ([1, [2, []], ["a": ["b": true], "c": []]], #"[1,[2,[]],{"a":{"b":true},"c":[]}]"#),
        ] as [(JSONValue, String)])
    func writesCompactJSON(_ value: JSONValue, _ text: String) { #expect(value.description == text) }

    @Test func writesSeveralMessages() {
        var writer = JSONWriter()
        writer.value([1])
        writer.endLine()
        writer.value(["a": 2])
        writer.endLine()
        #expect(writer.bytes == Array("[1]\n{\"a\":2}\n".utf8))
    }
}

/// Tests with random values and randomly corrupted lines, from fixed seeds.
@Suite struct JSONFuzzTests {
    @Test(arguments: 0..<40)
    func randomValuesRoundTrip(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<50 {
            let value = JSONValue.random(depth: 5, &random)
            let encoded = value.encoded
            #expect(!encoded.contains(0x0A))
            #expect(try JSONValue(parsing: encoded) == value)
        }
    }

    @Test(arguments: 0..<40)
    func corruptLinesFailOrRoundTrip(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(1000 + seed))
        for _ in 0..<250 {
            var bytes = JSONValue.random(depth: 4, &random).encoded
            for _ in 0..<Int.random(in: 1...6, using: &random) { bytes.corrupt(&random) }
            guard let value = try? JSONValue(parsing: bytes) else { continue }
            #expect(try JSONValue(parsing: value.encoded) == value)
        }
    }

    @Test(arguments: 0..<20)
    func corruptRequestsAlwaysHaveResponse(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(2000 + seed))
        for _ in 0..<250 {
            var bytes = Array(#"[{"jsonrpc":"2.0","id":1,"method":"next","params":{"count":3,"at":"08:00"}}]"#.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) { bytes.corrupt(&random) }
            switch bytes.withUnsafeBufferPointer(RequestLine.parse) {
            case .single(let request): #expect(request.id != nil || request.isValidOrNotification)
            case .batch(let requests): #expect((1...RequestLine.maximumBatch).contains(requests.count))
            }
        }
    }
}

extension IncomingRequest {
    /// Whether the request is valid or a notification. Only valid notifications can lack an id.
    fileprivate var isValidOrNotification: Bool {
        guard case .failure(let error) = call else { return true }
        return error.kind != .parseError && error.kind != .invalidRequest
    }
}

extension [UInt8] {
    fileprivate mutating func corrupt(_ random: inout SeededGenerator) {
        let position = Int.random(in: 0...count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: insert(UInt8.random(in: 0...255, using: &random), at: position)
        case 1 where position < count: remove(at: position)
        case 2 where position < count: self[position] = UInt8.random(in: 0...255, using: &random)
        default: self = Array(prefix(position)) + suffix(from: Int.random(in: 0...count, using: &random))
        }
    }
}

extension JSONValue {
    fileprivate static func random(depth: Int, _ random: inout SeededGenerator) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2: return .int(Int64.random(in: .min ... .max, using: &random) >> Int64.random(in: 0...63, using: &random))
        case 3: return .double(randomDouble(&random))
        case 4, 5: return .string(randomText(&random))
        case 6:
            return .array((0..<Int.random(in: 0...5, using: &random)).map { _ in .random(depth: depth - 1, &random) })
        default:
            var object = JSONObject()
            for _ in 0..<Int.random(in: 0...5, using: &random) {
                object[randomText(&random)] = .random(depth: depth - 1, &random)
            }
            return .object(object)
        }
    }

    /// Returns a random finite number. `JSONWriter` writes integral doubles with a fraction, so they round-trip.
    private static func randomDouble(_ random: inout SeededGenerator) -> Double {
        let value = Double(bitPattern: UInt64.random(in: 0 ... .max, using: &random))
        return value.isFinite ? value : 0.5
    }

    private static func randomText(_ random: inout SeededGenerator) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0...8, using: &random) {
            let range: ClosedRange<UInt32> = Bool.random(using: &random) ? 0...0x7F : 0...0x10FFFF
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
