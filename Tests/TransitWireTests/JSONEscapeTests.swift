import Testing
import TransitWire

@Suite struct JSONEscapeTests {
    /// Strings of up to 24 bytes (three words), with a character that may need escaping at every position.
    @Test(arguments: ["\"", "\\", "\u{0}", "\u{1F}", " ", "!", "#", "[", "]", "\u{7F}", "ä", "€", "🚋"])
    func escapesCharacterAtAnyPosition(_ character: Character) throws {
        for length in 0..<24 {
            for place in 0...length {
                let before = String(repeating: "a", count: place)
                let after = String(repeating: "\u{A0}", count: length - place)
                let text = before + String(character) + after
                let written = String(decoding: JSONValue.string(text).encoded, as: UTF8.self)
                #expect(written == "\"" + before + Self.escaped(character) + after + "\"")
                #expect(try JSONValue(parsing: written) == .string(text))
            }
        }
    }

    private static func escaped(_ character: Character) -> String {
        switch character {
        case "\"": "\\\""
        case "\\": "\\\\"
        case "\u{0}": "\\u0000"
        case "\u{1F}": "\\u001f"
        default: String(character)
        }
    }

    @Test func escapesSeveralCharacters() {
        let text = "\"\\\n\r\tplain and long enough\u{8}\""
        #expect(JSONValue.string(text).description == #""\"\\\n\r\tplain and long enough\u0008\"""#)
    }
}
