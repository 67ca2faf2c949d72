import Testing
import TransitWire

/// The scanner under both readers of JSON. Their tests cover what each of them makes of a fault.
@Suite struct JSONScannerTests {
    /// Scans a text and returns the result and the position.
    private func scan<Value>(_ text: [UInt8], _ body: (inout JSONScanner) -> Value) -> (Value, Int) {
        text.withUnsafeBufferPointer { bytes in
            var scanner = JSONScanner(bytes)
            let value = body(&scanner)
            return (value, scanner.offset)
        }
    }

    /// The scanner tests eight bytes at a time, so every length and place of a special byte is a case of its own.
    @Test(arguments: [0x22, 0x5C, 0x00, 0x1F] as [UInt8])
    func plainTextEndsAtFirstSpecialByte(_ special: UInt8) {
        for length in 0..<20 {
            for place in 0...length {
                var text = [UInt8](repeating: UInt8(ascii: "a"), count: length)
                text.insert(special, at: place)
                // A byte that differs from a special one by one bit must not end the text.
                if place > 0 { text[place - 1] = special ^ 0x40 | 0x20 }
                if place < length { text[place + 1] = UInt8(ascii: "\"") }
                let (isASCII, position) = scan(text) { $0.skipPlainText() }
                #expect(position == place)
                #expect(isASCII)
            }
        }
    }

    @Test func plainTextOtherThanASCIIIsRecognized() {
        for length in 1..<20 {
            for place in 0..<length {
                var text = [UInt8](repeating: UInt8(ascii: "a"), count: length)
                text[place] = 0xA2
                let (isASCII, position) = scan(text) { $0.skipPlainText() }
                #expect(!isASCII)
                #expect(position == length)
                // What follows the quote does not belong to the text.
                #expect(scan([0x22] + text) { $0.skipPlainText() }.0)
            }
        }
    }

    @Test(
        arguments: [
            ("0", .integer, 1), ("-12,", .integer, 3), ("01", .integer, 1), ("1.5e-3]", .decimal, 6),
            ("2E9", .decimal, 3),
            ("-", .missingDigit, 1), ("1.", .missingDigit, 2), ("1.x", .missingDigit, 2), ("1e+", .missingDigit, 3),
        ] as [(String, JSONScanner.NumberForm, Int)])
    func numberIsSkipped(_ text: String, _ form: JSONScanner.NumberForm, _ position: Int) {
        let result = scan(Array(text.utf8)) { $0.skipNumber() }
        #expect(result.0 == form)
        #expect(result.1 == position)
    }

    @Test(arguments: [
        ("true", JSONScanner.LiteralMatch.complete, 4), ("tru", .truncated, 0), ("trux", .different, 0),
        ("t", .truncated, 0),
    ])
    func literalIsCompared(_ text: String, _ match: JSONScanner.LiteralMatch, _ position: Int) {
        let result = scan(Array(text.utf8)) { $0.skipLiteral("true") }
        #expect(result.0 == match)
        #expect(result.1 == position)
    }

    @Test(arguments: [
        (#"\n"#, "10", 2), (#"\/"#, "47", 2), (#"\u00e9x"#, "233", 6), (#"\uD83D"#, "55357", 6),
        (#"\"#, "truncated", 0),
        (#"\u12"#, "truncated", 0), (#"\x"#, "letter", 0), (#"\u1g34"#, "digit(distance: 3)", 0),
    ])
    func escapeSequenceIsRead(_ text: String, _ expected: String, _ position: Int) {
        let result = scan(Array(text.utf8)) { scanner in
            do throws(JSONScanner.EscapeFault) { return "\(try scanner.readEscape())" } catch { return "\(error)" }
        }
        #expect(result.0 == expected)
        #expect(result.1 == position)
    }

    @Test func surrogatesArePaired() {
        #expect(JSONScanner.scalar(0xD83D, 0xDE8C) == "🚌")
        #expect(JSONScanner.scalar(0xD83D, 0x0041) == nil)
        #expect(JSONScanner.scalar(0xDE8C, 0xD83D) == nil)
    }

    @Test func emptyInputIsAtEnd() {
        var scanner = JSONScanner(UnsafeBufferPointer(start: nil, count: 0))
        scanner.skipWhitespace()
        #expect(scanner.isAtEnd)
        #expect(scanner.next == nil)
    }
}
