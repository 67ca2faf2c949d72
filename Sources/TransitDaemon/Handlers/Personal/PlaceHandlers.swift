internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitQueries
internal import TransitReplies
internal import TransitServer
internal import TransitStore
internal import TransitWire

/// Handles `place.list`, `place.set` and `place.remove`.
struct PlaceHandlers: Sendable {
    let state: StateStore

    func placeList(_ context: RequestContext) throws -> PlaceListResult {
        let commuteList = context.query.commuteList
        let places = try commuteList.placeNames.compactMap { name in
            try commuteList.place(name).map {
                try context.query.summary(of: $0.place, name: name, definition: $0.definition)
            }
        }
        return PlaceListResult(
            at: context.at, places: places, notices: state.personalNotices(context))
    }

    func placeSet(_ parameters: PlaceSetParameters, _ context: RequestContext) throws -> PlaceResult {
        try CommuteHandlers.check(name: parameters.place, of: "place")
        let place = PlaceConfiguration(location: try location(parameters, context), walk: parameters.walk)
        try state.setPlace(place.saved(as: parameters.place), of: context.caller.uid)
        return try changed(parameters.place, context)
    }

    private func location(
        _ parameters: PlaceSetParameters, _ context: RequestContext
    ) throws -> PlaceConfiguration.Location {
        switch (parameters.position, parameters.stop) {
        case (let position?, nil):
            guard let coordinate = Coordinate(latitude: position.lat, longitude: position.lon) else {
                throw ControlError(parameter: "position", "is not a position on Earth.")
            }
            return .coordinate(coordinate)
        case (nil, let stop?):
            let timetables = try context.query.timetables(of: nil, naming: stop)
            return .stop(try StopFinder(timetables, context.query).find(stop).reference)
        default:
            throw ControlError(.invalidParameters, "Either position or stop is required.")
        }
    }

    func placeRemove(_ parameters: PlaceRemoveParameters, _ context: RequestContext) throws -> PlaceResult {
        let commuteList = context.query.commuteList
        guard let own = context.personal.places[parameters.place] else {
            if commuteList.place(parameters.place) == nil { throw context.query.placeNotFound(parameters.place) }
            throw ControlError(
                .placeReadOnly, "The place \"\(parameters.place)\" is defined in the configuration.",
                hint: "Change it there, or set a place of your own, which takes precedence.")
        }
        try state.removePlace(parameters.place, of: context.caller.uid)
        // If the configuration has a place with the same name, it applies again.
        let updated = context.withCurrentUserData(state)
        if updated.query.commuteList.place(parameters.place) != nil { return try changed(parameters.place, updated) }
        return PlaceResult(
            at: context.at, place: try context.query.summary(of: own, name: parameters.place, definition: .user),
            commutes: commuteList.commutes(using: parameters.place))
    }

    /// Returns the place after the change.
    private func changed(_ name: String, _ context: RequestContext) throws -> PlaceResult {
        let context = context.withCurrentUserData(state)
        let commuteList = context.query.commuteList
        guard let (place, definition) = commuteList.place(name) else { throw context.query.placeNotFound(name) }
        return PlaceResult(
            at: context.at, place: try context.query.summary(of: place, name: name, definition: definition),
            commutes: commuteList.commutes(using: name), units: context.query.units,
            notices: FeedNotices(now: context.now).about(context.query.feeds))
    }
}
