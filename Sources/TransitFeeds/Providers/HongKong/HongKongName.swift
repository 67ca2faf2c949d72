internal import TransitModel

/// A name in the three languages of the APIs.
struct HongKongName: Hashable, Sendable {
    var english: String?
    var traditional: String?
    var simplified: String?

    /// The name that the network uses. Names in other languages are translations.
    var text: String? { english ?? traditional ?? simplified }

    /// The name in every available language, by BCP 47 tag.
    var translations: [(language: String, text: String)] {
        [("en", english), ("zh-Hant", traditional), ("zh-Hans", simplified)].compactMap { language, text in
            text.map { (language, $0) }
        }
    }

    var translated: TranslatedText? {
        TranslatedText(translations.map { TranslatedText.Translation($0.text, language: $0.language) })
    }

    /// Returns the rows for translations.txt. The name that the network itself uses has no row.
    func rows(_ table: String, _ field: String, _ subject: Translation.Subject) -> [Translation] {
        translations.filter { $0.text != text || $0.language != "en" }.map { language, text in
            Translation(table: table, field: field, language: language, text: text, subject: subject)
        }
    }

    /// Joins two names with " – " in the languages that both have.
    static func between(_ origin: Self, _ destination: Self) -> Self {
        func pair(_ language: KeyPath<Self, String?>) -> String? {
            guard let from = origin[keyPath: language], let to = destination[keyPath: language] else { return nil }
            return from == to ? from : "\(from) – \(to)"
        }
        return Self(english: pair(\.english), traditional: pair(\.traditional), simplified: pair(\.simplified))
    }

    /// Splits off the code on the stop's pole, which KMB appends to the name in every language: "(YT545)".
    ///
    /// Other parentheses, such as the bay "(A3)" or "(CIRCULAR)", are part of the name.
    func splittingCode() -> (name: Self, code: String?) {
        var (name, code) = (self, String?.none)
        for language in [\Self.english, \.traditional, \.simplified] {
            guard let (rest, found) = self[keyPath: language].flatMap(Self.split) else { continue }
            name[keyPath: language] = rest
            code = code ?? found
        }
        return (name, code)
    }

    private static func split(_ text: String) -> (name: String, code: String)? {
        let bytes = Array(text.utf8)
        guard bytes.last == 0x29, let open = bytes.lastIndex(of: 0x28) else { return nil }
        let code = bytes[(open + 1)..<(bytes.count - 1)]
        let letters = code.prefix(2)
        let digits = code.dropFirst(2).prefix(3)
        let rest = code.dropFirst(5)
        guard letters.count == 2, letters.allSatisfy({ (0x41...0x5A).contains($0) }), digits.count == 3,
            digits.allSatisfy({ (0x30...0x39).contains($0) }), rest.count <= 1,
            rest.allSatisfy({ (0x41...0x5A).contains($0 & ~0x20) })
        else { return nil }
        var name = bytes[..<open]
        while name.last == 0x20 { name.removeLast() }
        guard !name.isEmpty else { return nil }
        return (String(decoding: name, as: UTF8.self), String(decoding: code, as: UTF8.self))
    }
}
