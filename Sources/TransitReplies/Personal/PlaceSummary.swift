package import TransitControl
internal import TransitEngine
internal import TransitModel
package import TransitQueries

extension QueryContext {
    private static let nearestStops = 5

    /// Returns the error for a place that neither the caller nor the configuration has.
    package func placeNotFound(_ name: String) -> QueryError {
        .placeNotFound(
            name, known: places.names, similar: ApproximateSearch.names(meantBy: name, among: places.names))
    }

    /// Returns a place with its position and the nearest stops.
    package func summary(of place: PlaceConfiguration, name: String, definition: DefinitionSource) throws
        -> PlaceSummary
    {
        let coordinate = self.coordinate(of: place)
        let radius = Double(settings.maxWalkingRadius)
        let stops = try coordinate.map { center in
            let near = try NearbyStops(feeds.compactMap(\.timetable), self)
            return try near.rendered(
                try near.found(around: center, within: radius).prefix(Self.nearestStops), language: nil)
        }
        var stop: String?
        if case .stop(let reference) = place.location { stop = "\(reference)" }
        return PlaceSummary(
            name: name, position: coordinate.map { Position($0) }, stop: stop, walk: place.walk,
            origin: DefinitionOrigin(definition),
            stops: stops ?? [])
    }
}
