import Testing

@testable import TransitFeeds

struct JSONReaderTests {
    private func read<Value>(
        _ text: String, _ body: (inout JSONReader) throws(MalformedMessageError) -> Value
    ) throws(MalformedMessageError) -> Value {
        try Array(text.utf8).withUnsafeBufferPointer { bytes throws(MalformedMessageError) in
            var reader = JSONReader(bytes)
            let value = try body(&reader)
            try reader.finish()
            return value
        }
    }

    private func check(_ text: String) throws(MalformedMessageError) {
        try Array(text.utf8).withUnsafeBufferPointer { bytes throws(MalformedMessageError) in
            try JSONReader.check(bytes)
        }
    }

    @Test func objectsAndListsAreRead() throws {
        let text = #" {"skipped": {"a": [1, {"b": null}]}, "names": ["x", "y"], "one": "z", "none": null, "last": 7} "#
        let found = try read(text) { json throws(MalformedMessageError) in
            var found: [String] = []
            #expect(try json.beginObject())
            while let name = try json.nextMember() {
                switch name.string {
                case "names", "one", "none":
                    var list = try json.list()
                    while try json.next(&list) { found.append(try json.string() ?? "-") }
                case "last": found.append("\(try json.integer() ?? 0)")
                default: break
                }
            }
            return found
        }
        #expect(found == ["x", "y", "z", "7"])
    }

    @Test func unreadElementsAreSkipped() throws {
        let count = try read(#"[1, [2, 3], {"a": 4}, "5"]"#) { json throws(MalformedMessageError) in
            var count = 0
            var list = try json.list()
            while try json.next(&list) { count += 1 }
            return count
        }
        #expect(count == 4)
    }

    @Test(arguments: [
        (#""plain""#, "plain"), (#""a\"\\\/\b\f\n\r\t""#, "a\"\\/\u{8}\u{C}\n\r\t"), (#""\u00e9\u4E2D""#, "é中"),
        (#""\ud83d\ude8B""#, "🚋"), (#""\ud83dx""#, "\u{FFFD}x"), (#""\ude8b\ud83d""#, "\u{FFFD}\u{FFFD}"),
        (#""\ud83d\u0041""#, "\u{FFFD}A"), ("\"a\nb\"", "a\nb"), (#""""#, ""), ("12.50", "12.50"),
    ])
    func stringsAreDecoded(json: String, text: String) throws {
        #expect(try read(json) { json throws(MalformedMessageError) in try json.string() } == text)
    }

    @Test(arguments: [
        ("0", 0), ("-9223372036854775808", Int64.min), ("9223372036854775807", .max), ("9223372036854775808", nil),
        ("1e3", 1000), ("5.0", 5), ("5.5", nil), ("\"17\"", 17), ("\"\"", nil), ("\"-\"", nil), ("true", nil),
        ("null", nil), ("{}", nil), ("1e400", nil), ("\"0x10\"", nil), ("\"nan\"", nil),
    ])
    func integersAreRead(json: String, value: Int64?) throws {
        #expect(try read(json) { json throws(MalformedMessageError) in try json.integer() } == value)
    }

    @Test(arguments: [("-0.5e-2", -0.005), ("\"37.5\"", 37.5), ("1e400", nil), ("\"inf\"", nil), ("[1]", nil)])
    func numbersAreRead(json: String, value: Double?) throws {
        #expect(try read(json) { json throws(MalformedMessageError) in try json.double() } == value)
    }

    @Test(arguments: [("true", true), ("false", false), ("\"True\"", true), ("1", nil), ("null", nil)])
    func booleansAreRead(json: String, value: Bool?) throws {
        #expect(try read(json) { json throws(MalformedMessageError) in try json.boolean() } == value)
    }

    @Test(arguments: [
        ("", MessageFault.truncated, 0), ("{", .truncated, 1), ("[1", .truncated, 2), ("\"a", .truncated, 2),
        ("tru", .truncated, 0), ("-", .truncated, 1), ("1.", .truncated, 2), ("{\"a\"", .truncated, 4),
        ("{\"a\":1 \"b\"}", .expected(.commaOrEnd), 7), ("[1 2]", .expected(.commaOrEnd), 3),
        ("{a:1}", .expected(.name), 1), ("{\"a\" 1}", .expected(.colon), 5), ("[1,]", .expected(.value), 3),
        ("{\"a\":1,}", .expected(.name), 7), ("\"\\x\"", .expected(.escape), 1), ("\"\\u12g4\"", .expected(.escape), 1),
        ("01", .trailing, 1), ("1.x", .expected(.digit), 2), ("1ex", .expected(.digit), 2),
        ("-x", .expected(.digit), 1),
        ("nil", .expected(.value), 0), ("NaN", .expected(.value), 0), ("{} x", .trailing, 3),
        ("[}", .expected(.value), 1),
        ("'a'", .expected(.value), 0),
    ])
    func errorHasFaultAndOffset(json: String, fault: MessageFault, offset: Int) {
        #expect(throws: MalformedMessageError(fault, at: offset)) { try check(json) }
    }

    @Test func byteOrderMarkIsSkipped() throws { try check("\u{FEFF}{}") }

    @Test func nestingUpToLimitIsRead() throws {
        let depth = JSONReader.depthLimit
        try check(String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
        #expect(throws: MalformedMessageError(.depth, at: depth)) {
            try check(String(repeating: "[", count: depth + 1))
        }
    }

    @Test(arguments: ["stop_time_update", "stopTimeUpdate", "StopTimeUpdate", "STOP-TIME-UPDATE", "_stopTimeUpdate"])
    func namesAreFolded(name: String) { #expect(JSONName.fold(name) == "stoptimeupdate") }
}
