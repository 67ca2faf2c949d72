import Testing
import TransitNotifications

@Suite struct LanguageSettingTests {
    private func language(_ text: String) -> String? {
        NotificationSettings(machine: [:], personal: ["language": text]).language
    }

    @Test func languageIsATagOrAutomatic() throws {
        #expect(NotificationSettings().language == nil)
        #expect(language("auto") == nil)
        #expect(language("de-AT") == "de-AT")
        #expect(language("zh-Hant") == "zh-Hant")
        for text in ["", "d", "de_AT", "german language", "de-", String(repeating: "a", count: 36)] {
            #expect(throws: NotificationSettingError.self, "\(text)") {
                try NotificationSettings.check("language", text)
            }
            #expect(language(text) == nil)
        }
    }

    @Test func languageIsListedWithItsSource() throws {
        let entry = try #require(
            NotificationSettings(machine: [:], personal: ["language": "nl"]).entries.first {
                $0.definition.name == "language"
            })
        #expect(entry.text == "nl" && entry.source == .user)
        let standard = try #require(NotificationSettings().entries.first { $0.definition.name == "language" })
        #expect(standard.text == "auto" && standard.source == .standard)
    }
}
