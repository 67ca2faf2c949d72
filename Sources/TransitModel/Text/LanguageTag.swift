/// A BCP 47 language tag as feeds and users write it: "zh-HK", "zh-Hant", "de_AT". Case-insensitive.
public struct LanguageTag: Hashable, Sendable {
    /// The primary language subtag: "zh".
    public let language: String
    /// ISO 15924: "hant". For Chinese, the script is also set if the tag contains only a region.
    public let script: String?
    /// ISO 3166-1 or UN M.49, such as "hk".
    public let region: String?

    public init(_ text: String) {
        let subtags = text.lowercased().split { $0 == "-" || $0 == "_" }.map(String.init)
        var (language, script, region) = (subtags.first ?? "", String?.none, String?.none)
        for subtag in subtags.dropFirst() {
            let isDigits = subtag.utf8.allSatisfy { (0x30...0x39).contains($0) }
            switch subtag.utf8.count {
            // Extensions and private-use subtags follow.
            case 1: break
            case 4 where script == nil && region == nil && !isDigits: script = subtag
            case 2 where region == nil, 3 where region == nil && isDigits: region = subtag
            default: continue
            }
            if subtag.utf8.count == 1 { break }
        }
        // Written Cantonese is treated as Chinese as used in Hong Kong.
        if language == "yue" { (language, region) = ("zh", region ?? "hk") }
        if language == "zh" {
            // According to the likely subtags of the Unicode CLDR.
            script = script ?? (["hk", "mo", "tw"].contains(region) ? "hant" : "hans")
        }
        (self.language, self.script, self.region) = (language, script, region)
    }

    /// Whether a text has the form of a language tag (RFC 5646, section 2.1): a language of 2 to 8 letters, and then
    /// subtags of 1 to 8 letters and digits.
    public static func isWellFormed(_ text: String) -> Bool {
        let subtags = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard let language = subtags.first, (2...8).contains(language.count), language.allSatisfy(isLetter) else {
            return false
        }
        return subtags.dropFirst().allSatisfy { subtag in
            (1...8).contains(subtag.count) && subtag.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) }
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    /// Returns the distance between two tags, or `nil` if the languages differ.
    ///
    /// A different script is more distant than a different region, and an absent subtag is closer than a different one.
    /// For example, "zh-HK" is closer to "zh-Hant" than to "zh-Hans", and "de-AT" is closer to "de" than to "de-CH".
    public func distance(to other: LanguageTag) -> Int? {
        guard !language.isEmpty, language == other.language else { return nil }
        return Self.distance(script, other.script) * 3 + Self.distance(region, other.region)
    }

    private static func distance(_ wanted: String?, _ other: String?) -> Int {
        if wanted == other { return 0 }
        return wanted == nil || other == nil ? 1 : 2
    }
}
