import Testing
import TransitControl
import TransitWire

@testable import transitctl

@Suite struct TextTests {
    @Test(arguments: [
        ("Main St", 7), ("中環碼頭", 8), ("Łódź", 4), ("e\u{301}", 1), ("🚋", 2), ("👨‍👩‍👧", 2), ("🇭🇰", 2), ("❤️", 2),
        ("ｱ", 1), ("Ａ", 2), ("한국", 4), ("", 0), ("ไทย", 3), ("กี่", 1), ("a\u{200B}b", 2),
    ])
    func displayWidth(text: String, columns: Int) {
        #expect(DisplayWidth.of(text) == columns)
    }

    @Test func truncatedTextFitsAndHasEllipsis() {
        #expect(DisplayWidth.cut("Harbor Square", to: 8) == "Harbor …")
        #expect(DisplayWidth.cut("中環碼頭", to: 6) == "中環…")
        #expect(DisplayWidth.cut("中環碼頭", to: 8) == "中環碼頭")
    }

    @Test(arguments: [
        ("\u{1B}[31mred", "\u{FFFD}[31mred"), ("\u{1B}]0;title\u{07}", "\u{FFFD}]0;title\u{FFFD}"),
        ("two\r\nlines\tand tab", "two  lines and tab"), ("\u{9B}2J", "\u{FFFD}2J"), ("a\u{202E}b", "ab"),
        ("del\u{7F}", "del\u{FFFD}"),
        ("Zürich 中環", "Zürich 中環"),
    ])
    func controlCharactersAreRemoved(name: String, shown: String) {
        #expect(Line(name).text == shown)
    }

    @Test func jsonEscapesControlCharacters() {
        let json = "{\"name\":\"a\u{9B}2J\u{7F}é\"}"
        #expect(
            String(decoding: SafeJSON.clean(Array(json.utf8)), as: UTF8.self) == "{\"name\":\"a\\u009b2J\\u007fé\"}")
    }

    /// Escaping keeps a terminal from reversing the text, while programs read the original name.
    @Test func jsonEscapesBidirectionalControls() throws {
        let name = "a\u{202E}b\u{2066}c\u{2069}d\u{200F}e\u{061C}f\u{FEFF}g\u{2028}h中ز…"
        let json = JSONValue.object(["name": .string(name)]).encoded
        let cleaned = SafeJSON.clean(json)
        let text = String(decoding: cleaned, as: UTF8.self)
        #expect(text == #"{"name":"a\u202eb\u2066c\u2069d\u200fe\u061cf\ufeffg\u2028h中ز…"}"#)
        #expect(try JSONValue(parsing: cleaned) == JSONValue(parsing: json))
        #expect(SafeText.clean(name) == "abcdefg h中ز…")
    }

    @Test func tableAlignsByDisplayWidth() {
        var table = Table([.init(title: "stop"), .init(title: "empty"), .init(title: "meters", alignment: .trailing)])
        table.add([Line("中環碼頭"), Line(), Line("7")])
        table.add([Line("Main St"), Line(), Line("1,234")])
        var page = Page()
        page.table(table)
        let expected = """
            stop      meters
            中環碼頭       7
            Main St    1,234

            """
        #expect(Painter(canvas: Canvas()).paint(page) == expected)
    }

    @Test func narrowTerminalShrinksColumn() {
        var table = Table([.init(title: "stop", shrinks: true), .init(title: "code")], showsTitles: false)
        table.add([Line("A stop with a long name"), Line("70211")])
        var page = Page()
        page.table(table)
        #expect(Painter(canvas: Canvas(width: 20)).paint(page) == "A stop with …  70211\n")
    }

    /// The groups of a board are read as one.
    @Test func similarTablesAreAligned() {
        var page = Page()
        for name in ["Mill Lane", "Harbor Square"] {
            var table = Table([.init(title: "stop"), .init(title: "code")], showsTitles: false)
            table.add([Line(name), Line("12")])
            page.line("group")
            page.table(table)
        }
        let text = Painter(canvas: Canvas(width: 20)).paint(page)
        #expect(text == "group\nMill Lane      12\ngroup\nHarbor Square  12\n")
        // If one does not fit, both are stacked.
        let stacked = Painter(canvas: Canvas(width: 15)).paint(page)
        #expect(stacked == "group\nMill Lane\n  12\ngroup\nHarbor Square\n  12\n")
    }

    @Test func tableThatDoesNotFitIsStacked() {
        var table = Table([.init(title: "stop", shrinks: true), .init(title: "code"), .init(title: "meters")])
        table.add([Line("Mill Lane"), Line("a long code"), Line("120")])
        table.add([Line("Harbor Square"), Line(""), Line("80")])
        var page = Page()
        page.table(table)
        let text = Painter(canvas: Canvas(width: 24)).paint(page)
        #expect(text == "Mill Lane\n  code a long code\n  meters 120\nHarbor Square\n  meters 80\n")
        #expect(Painter(canvas: Canvas(width: 36)).paint(page).hasPrefix("stop"))
    }

    @Test func colorIsWrittenOnlyWhenEnabled() {
        var page = Page()
        page.line(Line("24", .strong) + Line(" canceled", .bad))
        #expect(Painter(canvas: Canvas()).paint(page) == "24 canceled\n")
        #expect(
            Painter(canvas: Canvas(color: true)).paint(page)
                == "\u{1B}[1m24\u{1B}[0m\u{1B}[31m canceled\u{1B}[0m\n")
    }

    @Test func longLinesWrapBetweenWords() {
        var page = Page()
        page.line(Line("Bus 24", .strong) + Line(" in 7 minutes ") + Line("(scheduled)", .faint) + Line(" at 08:12"))
        #expect(Painter(canvas: Canvas(width: 24)).paint(page) == "Bus 24 in 7 minutes\n  (scheduled) at 08:12\n")
        #expect(Painter(canvas: Canvas(width: 41)).paint(page) == "Bus 24 in 7 minutes (scheduled) at 08:12\n")
        #expect(Painter(canvas: Canvas(width: 39)).paint(page) == "Bus 24 in 7 minutes (scheduled) at\n  08:12\n")
        #expect(Line("/a/path/without/blanks").broken(to: 5).map(\.text) == ["/a/path/without/blanks"])
        #expect(Line("中環 碼頭 天星").broken(to: 9).map(\.text) == ["中環 碼頭", "天星"])
    }

    @Test func shortPhrasesAreNotSplit() {
        let line = Line("Bus 24", .route(nil)) + Line(" at 08:12, ") + Line("+2 min late", .late)
        #expect(line.broken(to: 22).map(\.text) == ["Bus 24 at 08:12,", "+2 min late"])
        #expect(line.broken(to: 5).map(\.text) == ["Bus 24", "at", "08:12,", "+2 min late"])
        let long = Line("Harbor and Airport Express", .route(nil))
        #expect(long.broken(to: 12).map(\.text) == ["Harbor and", "Airport", "Express"])
    }

    /// Adjacent text of the same style needs no further escape sequences.
    @Test func spansOfEqualStyleAreJoined() {
        let line = Line("in ", .faint) + Line("7 ", .faint) + Line("minutes")
        #expect(line.spans == [Line.Span(text: "in 7 ", style: .faint), Line.Span(text: "minutes", style: .normal)])
    }

    @Test func linesBreakBetweenPieces() {
        var page = Page()
        page.pieces([Line("leave by 08:04"), Line("platform 2"), Line("to Airport")], indent: 2)
        #expect(Painter(canvas: Canvas(width: 30)).paint(page) == "  leave by 08:04 · platform 2\n  to Airport\n")
        #expect(Painter(canvas: Canvas()).paint(page) == "  leave by 08:04 · platform 2 · to Airport\n")
    }
}
