internal import TransitModel
internal import TransitQueries
internal import TransitWire

/// Reads `[feed.keep]`: the part of a feed's timetable that is kept. Requires the feeds and places, which are read before.
struct KeepSection {
    /// The places of the configuration, by name.
    var places: [String: PlaceConfiguration]

    /// The smallest and the largest radius in meters.
    private static let radii = 100...1_000_000
    /// The maximum number of places. Each one is compared with every stop.
    private static let maximumPlaces = 50

    func read(_ root: ConfigurationTable, into feeds: inout [FeedConfiguration]) {
        if feeds.isEmpty { return }
        for table in root.tables("feed") where table.has("keep") {
            let id = table.text("id", example: "my-city")
            guard let position = feeds.firstIndex(where: { $0.id.rawValue == id }), feeds[position].keep == nil else {
                continue
            }
            feeds[position].keep = read(table, feeds[position])
        }
    }

    private func read(_ feed: ConfigurationTable, _ configuration: FeedConfiguration) -> FeedSubset? {
        guard let table = feed.table("keep") else { return nil }
        guard configuration.source != .demo, !configuration.isCollected else {
            feed.report(
                "keep", "the provider \"\(configuration.provider)\" has no archive, so `keep` does not apply to it",
                remedy: "remove `[feed.keep]`")
            return nil
        }
        table.rejectUnknownKeys(
            besides: ["places", "radius", "routes", "agencies"],
            instead: [
                "place": "did you mean `places`?", "route": "did you mean `routes`?",
                "agency": "did you mean `agencies`?", "stops": "write the positions of the stops in `places`",
            ], in: "[feed.keep]")
        let names = table.texts("places", example: "home")
        let radius = table.integer("radius", in: Self.radii, unit: "meters", example: FeedSubset.defaultRadius)
        let subset = FeedSubset(
            places: names.compactMap { place($0, of: configuration.id, table) },
            radius: radius ?? FeedSubset.defaultRadius, routes: table.texts("routes", example: "24"),
            agencies: table.texts("agencies", example: "City Transit"))
        if names.count > Self.maximumPlaces {
            table.report(
                "places", "`places` has \(names.count) places",
                remedy: "use at most \(Self.maximumPlaces), with a larger `radius`")
        }
        if table.has("radius"), !table.has("places") {
            table.report(
                "radius", "`radius` applies to `places`, which is missing",
                remedy: "add `places = [\"home\"]`, or remove `radius`")
        } else if ["places", "routes", "agencies"].allSatisfy({ !table.has($0) || table.isEmptyList($0) }) {
            feed.report(
                "keep", "[feed.keep] keeps nothing",
                remedy: "add `places = [\"home\"]`, `routes = [\"24\"]` or `agencies = [\"City Transit\"]`")
        }
        return subset
    }

    private func place(_ text: String, of feed: FeedID, _ table: ConfigurationTable) -> FeedSubset.Place? {
        if text.contains(",") {
            let parts = text.split(separator: ",", omittingEmptySubsequences: false)
                .map { Double($0.drop { $0 == " " }) }
            guard parts.count == 2, let latitude = parts[0], let longitude = parts[1],
                let coordinate = Coordinate(latitude: latitude, longitude: longitude)
            else {
                table.report(
                    "places", "\"\(text)\" is not a position",
                    remedy: "write latitude and longitude in degrees, such as \"37.3942,-122.0764\"")
                return nil
            }
            return .coordinate(coordinate)
        }
        guard let place = places[text] else {
            let near = Spelling.closest(to: text, among: places.keys.sorted())
            table.report(
                "places", "there is no place \"\(text)\"",
                remedy: near.map { "did you mean \"\($0)\"?" }
                    ?? "add `[place.\(text)]`, or write a position such as \"37.3942,-122.0764\"")
            return nil
        }
        switch place.location {
        case .coordinate(let coordinate): return .coordinate(coordinate)
        case .stop(let stop) where stop.feed == feed: return .stop(stop.stop)
        case .stop(let stop):
            table.report(
                "places", "the place \"\(text)\" is a stop of another feed, \"\(stop.feed)\"",
                remedy: "write its position instead, such as \"37.3942,-122.0764\"")
            return nil
        }
    }
}
