internal import TransitControl

/// Coordinates as they are typed: "37.3942,-122.0764".
enum Coordinates {
    /// `nil` when `text` is not a latitude and a longitude within their ranges.
    static func read(_ text: String) -> Position? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(number)
        guard parts.count == 2, let latitude = parts[0], let longitude = parts[1],
            (-90...90).contains(latitude), (-180...180).contains(longitude)
        else { return nil }
        return Position(lat: latitude, lon: longitude)
    }

    private static func number(_ text: Substring) -> Double? {
        let digits = text.drop { $0 == " " }
        return digits.first == "\u{2212}" ? Double("-" + digits.dropFirst()) : Double(digits)
    }
}
