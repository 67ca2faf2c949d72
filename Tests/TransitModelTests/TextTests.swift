import Testing
import TransitModel
import TransitTestSupport

struct SearchTextTests {
    @Test(
        "Case, accents and punctuation are removed",
        arguments: [
            ("Łódź Fabryczna/Dw.", "lodz fabryczna dw"), ("  Main   St.  ", "main st"), ("O'Brien’s", "obriens"),
            ("Straße", "strasse"), ("STRASSE", "strasse"), ("Ærø Åbenrå", "aero abenra"), ("Đà Nẵng", "da nang"),
            ("İstanbul Kadıköy", "istanbul kadikoy"), ("Ñuñoa", "nunoa"), ("Þingvellir", "thingvellir"),
            ("e\u{301}te\u{301}", "ete"), ("Αθήνα", "αθηνα"), ("ΠΕΙΡΑΙΆΣ", "πειραιασ"), ("Площадь Ё", "площадь е"),
            ("Й", "и"), ("И\u{306}", "и"), ("Ｓｈｉｎｊｕｋｕ　３", "shinjuku 3"), ("東京駅", "東京駅"), ("מרכז", "מרכז"),
            ("น้ำ", "นำ"), ("A—B", "a b"), ("№ 5", "5"), ("", ""), ("...", ""), ("St-Lazare (M)", "st lazare m"),
            ("Œuvre", "oeuvre"), ("M1/M2", "m1 m2"),
        ])
    func foldRemovesCaseAccentsAndPunctuation(text: String, folded: String) {
        #expect(SearchText.fold(text) == folded)
        #expect(SearchText.fold(folded) == folded, "folding is idempotent")
    }
}

extension SearchTextTests {
    /// The combining mark is dropped but prevents the fast path for Latin letters. Both paths must agree.
    @Test(arguments: [
        "Main St & 2nd Ave", "  O'Brien's  (North)", "A", "", " ", "--", "a--b", "x'", "'", "UPPER/lower-Case.", "1ST",
    ]) func fastPathFoldsLikeSlowPath(text: String) {
        #expect(SearchText.fold(text) == SearchText.fold(text + "\u{301}"))
    }

    @Test(arguments: testSeeds(1, 2, 3)) func randomTextFoldsAlikeOnEachPath(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let ranges = [
            0x20...0x7E, 0x80...0x24F, 0x250...0x2FF, 0x300...0x36F, 0x370...0x52F, 0x5D0...0x6FF, 0xE01...0xE5B,
            0x1E00...0x1FFF, 0x2010...0x2030, 0x4E00...0x4E20, 0xAC00...0xAC20, 0xFF01...0xFF5E, 0x1F600...0x1F610,
        ]
        var buffer = SearchTextBuffer()
        for _ in 0..<1000 {
            let kinds = [ranges[0], ranges[1], ranges[random.number(0...ranges.count - 1)]]
            var text = ""
            for _ in 0..<random.number(0...30) {
                let range = kinds[min(2, random.number(0...20))]
                text.unicodeScalars.append(Unicode.Scalar(UInt32(random.number(range)))!)
            }
            let folded = SearchText.fold(text)
            #expect(folded == SearchText.fold(text + "\u{301}"), "\(text.unicodeScalars.map(\.value))")
            #expect(Array(text.utf8).withUnsafeBufferPointer { Array(buffer.fold($0)) } == Array(folded.utf8))
        }
    }

    @Test func eachLatinLetterFoldsAlikeOnEachPath() {
        for scalar in (0x80...0x24F).compactMap(Unicode.Scalar.init) {
            #expect(SearchText.fold("a\(scalar)b") == SearchText.fold("a\(scalar)b\u{301}"), "\(scalar)")
        }
    }

    @Test(arguments: testSeeds(1, 2, 3)) func bytesFoldLikeRepairedText(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var buffer = SearchTextBuffer()
        let unusual: [UInt8] = [0x00, 0x7F, 0x80, 0xBF, 0xC0, 0xC1, 0xC2, 0xC3, 0xC9, 0xDF, 0xE2, 0xF0, 0xFF]
        for _ in 0..<1000 {
            let bytes = (0..<random.number(0...600)).map { _ in
                random.number(0...9) == 0 ? unusual.randomElement(using: &random)! : UInt8(random.number(0x20...0x7E))
            }
            let folded = bytes.withUnsafeBufferPointer { Array(buffer.fold($0)) }
            #expect(folded == Array(SearchText.fold(String(decoding: bytes, as: UTF8.self)).utf8), "\(bytes)")
        }
    }
}

struct LanguageTagTests {
    private static func nearest(_ wanted: String, _ published: [String]) -> [String] {
        let wanted = LanguageTag(wanted)
        return published.compactMap { tag in wanted.distance(to: LanguageTag(tag)).map { ($0, tag) } }
            .sorted { $0 < $1 }.map(\.1)
    }

    @Test(arguments: [
        ("zh-HK", "zh-Hant"), ("zh-TW", "zh-Hant"), ("zh-MO", "zh-Hant"), ("zh_Hant_HK", "zh-Hant"),
        ("yue-HK", "zh-Hant"), ("zh-CN", "zh-Hans"), ("zh-SG", "zh-Hans"), ("zh-Hans-HK", "zh-Hans"),
        ("zh", "zh-Hans"), ("ZH-hk", "zh-Hant"),
    ])
    func chineseIsChosenByScript(wanted: String, expected: String) {
        #expect(Self.nearest(wanted, ["en", "zh-Hans", "zh-Hant"]).first == expected)
        #expect(Self.nearest(wanted, ["en", "zh-CN", "zh-TW"]).first == (expected == "zh-Hant" ? "zh-TW" : "zh-CN"))
    }

    @Test func nearestRegionComesFirst() {
        #expect(Self.nearest("de-AT", ["de-CH", "fr", "de", "de-AT"]) == ["de-AT", "de", "de-CH"])
        #expect(Self.nearest("zh-HK", ["zh-TW", "zh-HK", "zh-Hant"]) == ["zh-HK", "zh-Hant", "zh-TW"])
        #expect(Self.nearest("en", ["en-GB", "de"]) == ["en-GB"])
        #expect(Self.nearest("", ["", "en"]).isEmpty)
    }

    @Test(arguments: [
        ("de", true), ("de-AT", true), ("zh-Hant-HK", true), ("de-CH-1901-x-hant", true), ("DE", true), ("gsw", true),
        ("", false), ("d", false), ("de_DE", false), ("de-", false), ("-de", false), ("de--AT", false), ("12", false),
        ("de DE", false), ("d3", false), ("abcdefghi", false), ("de-abcdefghi", false), ("dé", false), ("..", false),
    ])
    func formIsChecked(tag: String, isWellFormed: Bool) { #expect(LanguageTag.isWellFormed(tag) == isWellFormed) }

    @Test func subtagsAfterRegionAreIgnored() {
        #expect(LanguageTag("de-CH-1901-x-hant") == LanguageTag("de_CH"))
    }

    @Test(arguments: [("zh-HK", "停"), ("zh-CN", "停站"), ("en-GB", "Stop"), ("fr", "Stop")])
    func alertIsShownInNearestLanguage(wanted: String, expected: String) throws {
        let text = try #require(
            TranslatedText([
                .init("Stop", language: "en"), .init("停", language: "zh-Hant"), .init("停站", language: "zh-Hans"),
            ]))
        #expect(text.text(in: wanted) == expected)
    }
}

struct PublishedTextTests {
    @Test(arguments: [
        ("More trains \n", "More trains"), ("\u{00A0}a b\t", "a b"), (" \n ", nil), ("", nil), ("電梯 ", "電梯"),
    ])
    func surroundingWhitespaceIsRemoved(text: String, trimmed: String?) {
        #expect(PublishedText.trimmed(text) == trimmed)
    }

    @Test(arguments: [
        ("www.example.org/worldcup26 ", "https://www.example.org/worldcup26"),
        ("https://example.org/a?b=c", "https://example.org/a?b=c"), ("HTTP://example.org", "HTTP://example.org"),
        ("example.org", "https://example.org"), ("example.org:8080/a", "https://example.org:8080/a"),
        ("ftp://example.org/a", nil), ("javascript:alert(1)", nil), ("see our page", nil), ("", nil), ("none", nil),
        (".org", nil), ("https://example.org/\u{1B}[2J", nil),
    ])
    func webAddressesGetAScheme(text: String, address: String?) {
        #expect(PublishedText.address(text) == address)
    }
}

struct PercentEncodingTests {
    @Test(arguments: [
        ("7901p2&3", "7901p2%263"), ("a-b._~Z09", "a-b._~Z09"), ("Łódź 1/2", "%C5%81%C3%B3d%C5%BA%201%2F2"),
        ("\n%", "%0A%25"), ("", ""),
    ])
    func reservedCharactersArePercentEncoded(text: String, encoded: String) {
        #expect(PercentEncoding.of(text) == encoded)
    }
}
