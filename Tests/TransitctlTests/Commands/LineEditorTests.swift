import Testing
import TransitControl

@testable import transitctl

@Suite struct LineEditorTests {
    private let quays = [1, 2].map { AddressMatch(name: "Quay \($0)", position: Position(lat: 53, lon: Double($0))) }

    private func typed(_ text: String, into entry: LineEditor = LineEditor())
        -> LineEditor
    {
        var entry = entry
        for byte in text.utf8 where entry.handle(byte) != .unfinished { break }
        return entry
    }

    @Test func handlesEditingKeys() {
        #expect(typed("quay\u{7F}\u{8}s").text == "qus")
        #expect(typed("Mühlweg 7 🚌\u{7F}").text == "Mühlweg 7 ")
        #expect(typed("Mill Lane 7\u{17}").text == "Mill Lane ")
        #expect(typed("wrong\u{15}right").text == "right")
        #expect(typed("b\u{1}a\u{FF}\u{1B}[Cc").text == "a\u{FF}bc")
        #expect(typed(String(repeating: "x", count: 5000)).text.count == 200)
        #expect(typed("  quay 1 \n").answer == .text("quay 1"))
        var entry = LineEditor()
        #expect(entry.handle(0x04) == .ended)
        #expect(entry.handle(0x03) == .interrupted)
    }

    /// Keys that move the cursor, with the text and the cursor after them.
    @Test(arguments: [
        ("abc\u{1B}[D\u{1B}[DX", "aXbc", 2), ("abc\u{1B}[HX", "Xabc", 1), ("abc\u{1B}OHX\u{1B}OFY", "XabcY", 5),
        ("abc\u{1B}[1~\u{1B}[3~", "bc", 0), ("abc\u{1B}[D\u{7F}", "ac", 1), ("abc\u{1}\u{4}", "bc", 0),
        ("abc\u{2}\u{2}\u{B}", "a", 1), ("one two\u{1B}[D\u{17}", "one o", 4), ("abc\u{2}\u{15}", "c", 0),
        ("\u{1B}[D\u{1B}[D\u{1B}[3~\u{7F}a", "a", 1), ("ab\u{1B}[C\u{1B}[C\u{5}c", "abc", 3),
        // A combining accent joins the character before the cursor.
        ("eb\u{1B}[D\u{301}", "e\u{301}b", 1),
    ])
    func arrowKeysEditTheLine(keys: String, text: String, cursor: Int) {
        #expect(typed(keys).text == text)
        #expect(typed(keys).cursor == cursor)
    }

    @Test func cursorStaysVisibleInANarrowTerminal() {
        let entry = typed("abcdefghij\u{1B}[D\u{1B}[D")
        for width in 1...20 {
            let column = entry.column("Q", width: width)
            let line = entry.lines("Q", width: width)[0].text
            #expect(column <= width && line.count <= width, "\(width): \(line)")
            #expect(Array(line).prefix(column).last == "h", "\(width): \(line)")
        }
    }

    @Test func limitsLengthOfPastedInput() {
        var key = LineEditor(maximumLength: 4097)
        for byte in String(repeating: "x", count: 100_000).utf8 { _ = key.handle(byte) }
        #expect(key.text.count == 4097)
    }

    @Test func ignoresInvalidBytes() {
        var entry = typed("ab")
        // An incomplete character, a lone continuation byte, and an unknown key.
        for byte in [0xC3, 0x0D] as [UInt8] { _ = entry.handle(byte) }
        #expect(entry.text == "ab")
        #expect(entry.handle(0x80) == .unfinished)
        #expect(typed("c\u{1B}[5~d\u{1B}Ph", into: entry).text == "abcdh")
        // Bytes of another encoding than UTF-8, such as "ÿ" and "ü" of ISO 8859-1, do not swallow the next key.
        for byte in [0xFF, 0x63, 0xFC, 0xE4, 0x64, 0xC3, 0x65, 0xC3, 0xC3, 0xBC] as [UInt8] {
            #expect(entry.handle(byte) == .unfinished)
        }
        #expect(entry.text == "abcdeü")
        var escaped = typed("ab\u{1B}")
        #expect(escaped.handle(0x03) == .interrupted)
    }

    @Test func hasNoQueryForTextThatIsNoAddress() {
        #expect(typed("qu").query == nil)
        #expect(typed(" quay ").query == "quay")
        #expect(typed("53.54,9.98").query == nil)
        #expect(typed("").query == nil)
    }

    @Test func arrowKeysSelectSuggestion() {
        var entry = typed("quay")
        entry.suggest(quays, for: "quay")
        #expect(entry.answer == .text("quay"))
        #expect(typed("\u{1B}[B", into: entry).answer == .address(quays[0]))
        #expect(typed("\u{1B}OB\t", into: entry).answer == .address(quays[1]))
        #expect(typed("\u{1B}[A", into: entry).answer == .address(quays[1]))
        #expect(typed("\t\t\t", into: entry).answer == .text("quay"))
        // Without suggestions, nothing is selected.
        #expect(typed("quay\t\u{1B}[A").answer == .text("quay"))
    }

    @Test func ignoresOutdatedSuggestions() {
        var entry = typed("quay")
        let before = entry
        entry.suggest(quays, for: "qua")
        #expect(entry == before)
        entry.suggestNothing(because: "too slow", for: "qua")
        #expect(entry == before)
        entry.suggest(quays, for: "quay")
        // Another letter makes the suggestions outdated; a trailing space does not.
        #expect(typed(" ", into: entry).suggestions == quays)
        #expect(typed("s", into: entry).suggestions.isEmpty)
        #expect(typed("\ts", into: entry).answer == .text("quays"))
    }

    @Test func redrawsInPlace() {
        var entry = typed("quay")
        entry.suggest(quays, for: "quay")
        entry = typed("\t", into: entry)
        let lines = entry.lines("Home", width: 40)
        #expect(lines.map(\.text) == ["Home: quay", "> Quay 1", "  Quay 2"])
        // Below a long question, there is no colon.
        #expect(entry.lines(">", width: 40).first?.text == "> quay")
        #expect(entry.column(">", width: 40) == 6)
        #expect(
            LineEditor.drawing(lines, column: entry.column("Home", width: 40), Painter(canvas: Canvas()))
                == "\r\u{1B}[JHome: quay\r\n> Quay 1\r\n  Quay 2\u{1B}[2A\r\u{1B}[10C")
        // A narrow line shows the end of the input. Suggestions cannot send control characters to the terminal.
        #expect(entry.lines("Home", width: 6).map(\.text) == [": quay", "> Qua…", "  Qua…"])
        entry.suggestNothing(because: "no\u{1B}[2Jthing", for: "quay")
        #expect(entry.lines("Home", width: 40).last?.text.contains("\u{1B}") == false)
    }
}
