internal import TransitControl
internal import TransitModel
internal import TransitStore

extension RequestHandlers {
    func placeList(_ context: RequestContext) throws -> PlaceListResult {
        let book = context.book
        let places = try book.placeNames.compactMap { name in
            try book.place(name).map { try context.summary(of: $0.place, name: name, origin: $0.origin) }
        }
        return PlaceListResult(
            at: context.at, places: places, notices: personalNotices(context))
    }

    func placeSet(_ parameters: PlaceSetParameters, _ context: RequestContext) throws -> PlaceResult {
        try Self.check(name: parameters.place, of: "place")
        let place = PlaceConfiguration(location: try location(parameters, context), walk: parameters.walk)
        try daemon.state.setPlace(place.saved(as: parameters.place), of: context.caller.uid)
        return try changed(parameters.place, context)
    }

    private func location(
        _ parameters: PlaceSetParameters, _ context: RequestContext
    ) throws -> PlaceConfiguration.Location {
        switch (parameters.position, parameters.stop) {
        case (let position?, nil):
            guard let coordinate = Coordinate(latitude: position.lat, longitude: position.lon) else {
                throw ControlError(.invalidParameters, "params.position is not a place on the Earth.")
            }
            return .coordinate(coordinate)
        case (nil, let stop?):
            let timetables = try RequestContext.timetables(of: context.feeds, at: context.now, naming: stop)
            return .stop(try StopFinder(timetables, context).find(stop).reference)
        default:
            throw ControlError(.invalidParameters, "One of position and stop must be given.")
        }
    }

    func placeRemove(_ parameters: PlaceRemoveParameters, _ context: RequestContext) throws -> PlaceResult {
        let book = context.book
        guard let own = context.personal.places[parameters.place] else {
            if book.place(parameters.place) == nil { throw context.placeNotFound(parameters.place) }
            throw ControlError(
                .placeReadOnly, "The place \"\(parameters.place)\" stands in the configuration.",
                hint: "Change it there, or set one of your own: it comes first.")
        }
        try daemon.state.removePlace(parameters.place, of: context.caller.uid)
        // That of the configuration counts again, where there is one.
        let afterwards = afterwards(context)
        if afterwards.book.place(parameters.place) != nil { return try changed(parameters.place, afterwards) }
        return PlaceResult(
            at: context.at, place: try context.summary(of: own, name: parameters.place, origin: .user),
            commutes: book.commutes(using: parameters.place))
    }

    /// The place as it is after the change.
    private func changed(_ name: String, _ context: RequestContext) throws -> PlaceResult {
        let context = afterwards(context)
        let book = context.book
        guard let (place, origin) = book.place(name) else { throw context.placeNotFound(name) }
        return PlaceResult(
            at: context.at, place: try context.summary(of: place, name: name, origin: origin),
            commutes: book.commutes(using: name), notices: FeedNotices(now: context.now).about(context.feeds))
    }
}

extension RequestContext {
    private static let nearestStops = 5

    func placeNotFound(_ name: String) -> ControlError {
        let names = book.placeNames
        let hint =
            Spelling.closest(to: name, among: names).map { "Did you mean \"\($0)\"?" }
            ?? (names.isEmpty
                ? "Set it: transitctl place set \(name) LAT,LON."
                : "Your places are \(names.joined(separator: ", ")).")
        return ControlError(.placeNotFound, "You have no place \"\(name)\".", hint: hint)
    }

    /// `nil` while the stop that the place stands at is in no timetable.
    func coordinate(of place: PlaceConfiguration) -> Coordinate? {
        switch place.location {
        case .coordinate(let coordinate): return coordinate
        case .stop(let stop):
            let timetable = feeds.first { $0.id == stop.feed }?.timetable
            // A stop that cannot be read is no place: questions about it say so.
            return (try? timetable?.file.find(stop.stop))?.stop.coordinate
        }
    }

    func summary(of place: PlaceConfiguration, name: String, origin: Origin) throws -> PlaceSummary {
        let coordinate = coordinate(of: place)
        let radius = Double(configuration.queries.maxWalkingRadius)
        let stops = try coordinate.map {
            try NearbyStops(feeds.compactMap(\.timetable), self).around($0, within: radius, count: Self.nearestStops)
        }
        var stop: String?
        if case .stop(let reference) = place.location { stop = "\(reference)" }
        return PlaceSummary(
            name: name, position: coordinate.map { Position($0) }, stop: stop, walk: place.walk, origin: origin,
            stops: stops ?? [])
    }
}
