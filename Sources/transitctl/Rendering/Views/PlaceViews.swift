internal import TransitControl
internal import TransitModel

extension View where Result == PlaceListResult {
    /// The user's places with their nearest stops.
    static let placeList = View(page: page, rows: { $0.places.map(\.row) })

    private static func page(_ page: inout Page, _ result: PlaceListResult) {
        var table = Table(["place", "position", .shrinking("nearest stop"), .trailing("walk"), ""])
        for place in result.places {
            let walk = place.walk ?? place.stops.first?.walk
            table.add([
                Line(place.name, .strong), Line(place.locationText), Line(place.stops.first?.stop.words ?? "none"),
                Line(walk.map(WalkText.of) ?? ""),
                Line(place.origin == .configuration ? "from the configuration" : "", .faint),
            ])
        }
        page.table(table)
        if result.places.isEmpty {
            page.line("No places yet. To set one: transitctl place set home LAT,LON")
        }
    }
}

extension View where Result == PlaceResult {
    /// The place with the stops near it.
    ///
    /// - Parameter units: The units of the locale, for a person who did not choose any.
    static func placeSet(in units: DisplayUnits) -> View {
        View(
            page: { page, result in
                page.line("\(result.place.name) is at \(result.place.namedPosition).")
                if !result.place.stops.isEmpty { page.blank() }
                page.table(NearbyTable.of(result.place.stops, in: result.units.units(locale: units), indent: 2))
                if result.place.stops.isEmpty { page.line("There are no stops within walking distance.", .caution) }
                if !result.commutes.isEmpty {
                    page.blank()
                    page.line("It is an endpoint of \(result.commutes.joined(separator: ", ")).")
                }
            }, rows: { [$0.place.row] })
    }

    static let placeRemove = View.sentence { result in
        let commutes = result.commutes.joined(separator: ", ")
        if result.place.origin == .configuration {
            let (name, place) = (result.place.name, result.place.namedPosition)
            return "Removed your \(name). The configuration now defines \(name): \(place)."
        }
        return "Removed \(result.place.name)." + (commutes.isEmpty ? "" : " It was an endpoint of \(commutes).")
    }
}

extension PlaceSummary {
    fileprivate var locationText: String { stop ?? position?.words ?? "an unknown position" }

    /// The location with the name of the place's stop, such as "Harbor (city:harbor)".
    fileprivate var namedPosition: String {
        guard let stop, let near = stops.first(where: { $0.stop.reference == stop }) else { return locationText }
        return "\(near.stop.words) (\(stop))"
    }

    /// The row for scripts: name, latitude, longitude, walk in seconds, origin, nearest stops.
    fileprivate var row: [String] {
        [
            name, position.map { String($0.lat) } ?? "", position.map { String($0.lon) } ?? "",
            walk.map(String.init) ?? "", origin.rawValue,
            stops.map(\.stop.reference).joined(separator: ","),
        ]
    }
}

extension Position {
    /// The coordinates as entered, such as "37.3942,-122.0764", with five decimal places (about a meter).
    var words: String { "\(Self.number(lat)),\(Self.number(lon))" }

    private static func number(_ degrees: Double) -> String {
        let text = String((degrees * 100_000).rounded() / 100_000)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

extension View where Result == AddressSearchResult {
    /// The addresses, with coordinates for use in other commands.
    static let addressSearch = View(
        page: { page, result in
            page.table([.shrinking("address"), "position"], of: result.addresses) { address in
                [Line(address.name, .strong), Line(address.position.words)]
            }
            if result.addresses.isEmpty { page.line("No address found.") }
        }, rows: { $0.addresses.map { [$0.name, String($0.position.lat), String($0.position.lon)] } })
}
