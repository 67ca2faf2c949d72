internal import TransitFeeds

/// Reads `[geocoder]`.
struct GeocoderSection {
    func read(_ root: ConfigurationTable) -> Geocoder? {
        guard let table = root.table("geocoder") else { return nil }
        table.rejectUnknownKeys(besides: ["kind", "url"], in: "[geocoder]")
        let (kind, url) = (readKind(table), readURL(table))
        guard let kind, let url else { return nil }
        return Geocoder(kind: kind, url: url)
    }

    private func readKind(_ table: ConfigurationTable) -> Geocoder.Kind? {
        guard let text = table.requiredText("kind", example: "photon", of: "[geocoder]") else { return nil }
        if let kind = Geocoder.Kind(rawValue: text) { return kind }
        let all = Geocoder.Kind.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")
        table.report("kind", "there is no geocoder \"\(text)\"", remedy: "use \(all)")
        return nil
    }

    private func readURL(_ table: ConfigurationTable) -> String? {
        let example = "https://photon.example.org"
        guard let text = table.requiredText("url", example: example, of: "[geocoder]") else { return nil }
        return table.base(text, key: "url", example: example)
    }
}
