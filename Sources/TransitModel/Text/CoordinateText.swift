/// Distinguishes coordinates from addresses. Coordinates can reveal where a person lives, so they are never sent to a
/// geocoder.
public enum CoordinateText {
    /// Whether a text contains coordinates in a common notation: "37.3942 -122.0764", "37.39N 122.07W", "37° 23′ 39″ N
    /// 122° 4′ 35″ W", "geo:37.3942,-122.0764". Also true for digits without letters, which cannot be an address.
    public static func isLikely(_ text: String) -> Bool {
        guard text.contains(where: \.isNumber) else { return false }
        let words = text.split { !$0.isLetter }
        let isCompass = words.allSatisfy { $0.count == 1 && "NSEWOnsewo".contains($0) }
        return isCompass || fractions(in: text) >= 2
    }

    /// The number of decimal fractions with at least two digits. Addresses have none: house numbers and postal codes
    /// are integers.
    private static func fractions(in text: String) -> Int {
        text.split { !$0.isASCII || !($0.isNumber || $0 == ".") }.count { number in
            let parts = number.split(separator: ".", omittingEmptySubsequences: false)
            return parts.count == 2 && !parts[0].isEmpty && parts[1].count >= 2
        }
    }
}
