import Testing
import TransitModel

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
