internal import TransitEngine
package import TransitModel
internal import TransitStore

/// The position for which a caller asks for the weather.
package struct ForecastLocation {
    /// The name of the place or stop.
    package var name: String
    /// The position of the stop, or of the station that represents the place.
    package var coordinate: Coordinate
    /// The time zone of times at the location.
    package var zone: ServiceZone

    /// - Parameters:
    ///   - text: The name of a place, or a text that ``StopFinder`` accepts; `nil` for the destination of the commute
    ///     that is in use or that the time of day suggests.
    ///   - language: The language of names, as an IETF BCP 47 language tag.
    /// - Throws: The errors of ``CommuteList``, ``StopFinder`` and ``PlaceList``, ``QueryError/noStopsNear(_:radius:isPlace:)``
    ///   for a place without a station, and `StoreError`.
    package init(_ text: String?, language: String?, _ context: QueryContext) throws {
        // Without a timetable, it is not known which station is near a place.
        _ = try context.timetables(of: nil)
        switch try Self.end(text, context) {
        case .place(let name, let place):
            guard let station = StationsInUse(context).station(of: place) else {
                if case .stop = place.location { throw QueryError.placeWithoutPosition(name) }
                throw QueryError.noStopsNear(
                    name, radius: max(context.settings.walkingRadius, context.settings.maxWalkingRadius))
            }
            self.init(name: name, coordinate: station.coordinate, zone: context.zone)
        case .stops(let stops): self = try Self.stop("\(stops[0])", language, context)
        case .unknown(let text): self = try Self.stop(text, language, context)
        }
    }

    private init(name: String, coordinate: Coordinate, zone: ServiceZone) {
        self.name = name
        self.coordinate = coordinate
        self.zone = zone
    }

    private static func stop(_ text: String, _ language: String?, _ context: QueryContext) throws -> ForecastLocation {
        let found = try StopFinder(context.timetables(of: nil, naming: text), context).find(text)
        let name = try TimetableNames(found.timetable, language: language).name(of: found.stop)
        guard let position = found.stop.coordinate else { throw QueryError.placeWithoutPosition(name) }
        return ForecastLocation(name: name, coordinate: position, zone: try found.zone)
    }

    private static func end(_ text: String?, _ context: QueryContext) throws -> CommuteList.End {
        let commutes = context.commuteList
        guard let text else {
            let entry = try commutes.chosen(
                at: context.now, zone: context.zone, returnHour: context.settings.returnHour)
            return commutes.end(entry.commute.to)
        }
        if let (place, _) = commutes.place(text) { return .place(name: text, place) }
        return .unknown(text)
    }
}
