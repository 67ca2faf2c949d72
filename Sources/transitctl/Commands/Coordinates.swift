internal import TransitControl
internal import TransitModel

/// Parses coordinates such as "37.3942,-122.0764". Spaces or a semicolon can separate the numbers.
enum Coordinates {
    /// Returns the position, or `nil` if `text` is not a valid latitude and longitude.
    static func read(_ text: String) -> Position? {
        let commas = text.split(separator: ",", omittingEmptySubsequences: false)
        let parts = commas.count == 2 ? commas : text.split { $0 == " " || $0 == "\t" || $0 == ";" }
        guard parts.count == 2, let latitude = number(parts[0]), let longitude = number(parts[1]),
            (-90...90).contains(latitude), (-180...180).contains(longitude)
        else { return nil }
        return Position(lat: latitude, lon: longitude)
    }

    /// Returns whether `text` can only be coordinates, not the name of a stop or an address.
    static func isMeant(by text: String) -> Bool {
        text.contains { " \t,;".contains($0) } && CoordinateText.isLikely(text)
    }

    /// Parses degrees with a leading sign or a trailing compass direction.
    private static func number(_ text: Substring) -> Double? {
        let isNoise: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "°" }
        var digits = String(text.drop(while: isNoise).reversed().drop(while: isNoise).reversed())
        var sign = 1.0
        if let letter = digits.last, "NSEWnsew".contains(letter) {
            if "SWsw".contains(letter) { sign = -1 }
            digits = String(digits.dropLast().reversed().drop(while: isNoise).reversed())
            guard digits.first?.isNumber == true else { return nil }
        }
        if digits.first == "\u{2212}" { digits = "-" + digits.dropFirst() }
        return Double(digits).map { $0 * sign }
    }
}
