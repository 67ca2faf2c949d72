package import TransitModel

/// A position as a request writes it, such as "37.3942,-122.0764" or, with a name, "37.3942,-122.0764 Main Street 5".
package struct RequestedPosition {
    package let coordinate: Coordinate
    /// The name for messages; `nil` if the request gives none.
    package let name: String?

    /// Returns `nil` for other texts.
    package init?(_ text: String) {
        let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        let degrees = parts[0].split(separator: ",", omittingEmptySubsequences: false)
        guard degrees.count == 2, let latitude = Double(degrees[0]), let longitude = Double(degrees[1]),
            let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        else { return nil }
        self.coordinate = coordinate
        name = parts.count > 1 && !parts[1].isEmpty ? String(parts[1]) : nil
    }
}
