internal import TransitControl
internal import TransitModel
internal import TransitQueries
internal import TransitWire

// The words for the errors of queries.
extension ControlError {
    init(_ error: QueryError) {
        self =
            switch error {
            case .feedNotFound(let id, let known): .feedNotFound(id, known: known)
            case .noData(let feeds): .noData(feeds)

            case .stopNotFound(let text, let similar): .stopNotFound(text, similar)
            case .stopAmbiguous(let text, let stops): .ambiguous(text, stops)
            case .stopGone(let id, let feed):
                ControlError(.stopNotFound, "The timetable of \(feed) has no stop \"\(id)\".")

            case .routeNotFound(let text, let similar): .routeNotFound(text, similar)
            case .routeAmbiguous(let text, let routes): .ambiguous(text, routes)
            case .routeGone(let id, let feed):
                ControlError(.routeNotFound, "The timetable of \(feed) has no route \"\(id)\".")
            case .routeNotAtStop(let text, let stop, let routes):
                ControlError(
                    .routeNotFound, "Route \"\(text)\" does not call at \(stop.stop.name).",
                    hint: routes.isEmpty ? nil : "The routes there are \(routes.joined(separator: ", ")).")
            case .routeAmbiguousAtStop(let text, let stop, let routes):
                ControlError(
                    .routeAmbiguous, "\"\(text)\" matches \(routes.count) routes at \(stop.stop.name).",
                    hint: "Give one of: "
                        + routes.prefix(5).map { "\(stop.timetable.feed):\($0.id)" }.joined(separator: ", ") + ".")

            case .tripNotFound(let text):
                ControlError(
                    .tripNotFound, "There is no trip \"\(text)\".",
                    hint: "Use a trip_id, FEED:TRIP_ID, or the id of a departure.")
            case .tripAmbiguous(let text, let feeds):
                ControlError(
                    .tripAmbiguous, "\(feeds.count) feeds have a trip \"\(text)\".",
                    hint: "Name the feed: FEED:TRIP_ID.",
                    details: ["candidates": .array(feeds.map { .string("\($0):\(text)") })])
            case .tripWithoutCalls(let id): ControlError(.tripNotFound, "The trip \"\(id)\" has no calls.")
            case .tripCopyNotFound(let id, let feed):
                ControlError(
                    .tripNotFound, "The trip \"\(id)\" has no copy with that start time.",
                    hint: "Show the trip itself with: transitctl trip show \(feed):\(id)")
            case .tripOnlyInRealtime(let departure):
                ControlError(
                    .tripNotFound, "The trip \"\(departure.trip)\" is only in the live data, not in the timetable.",
                    hint: "Show what is known about it with: transitctl explain \(departure)")
            case .departureNotFound(let text):
                ControlError(
                    .departureNotFound, "There is no departure \"\(text)\".",
                    hint: "transitctl --json next shows the id of each departure.")

            case .commuteNotFound(let name, let known): .commuteNotFound(name, known)
            case .commuteLacksPlaces(let commute, let missing):
                ControlError(
                    .placeNotSet,
                    "\(commute) needs the places home and work. Not set: \(missing.joined(separator: ", ")).",
                    hint: "Set it with: transitctl place set \(missing.first ?? CommuteList.home) LAT,LON.")
            case .noCommute:
                ControlError(
                    .commuteNotSet, "You have no commute yet.",
                    hint: "Run transitctl place set home LAT,LON and transitctl place set work LAT,LON, "
                        + "or transitctl commute add NAME FROM TO.")
            case .noCommuteInUse(let known):
                ControlError(
                    .commuteNotSet, "You have several commutes and none is in use.",
                    hint: "Name one of \(known.joined(separator: ", ")), "
                        + "or choose one: transitctl commute use NAME.")
            case .placeNotFound(let name, let known): .placeNotFound(name, known)
            case .placeNotSet(let name):
                ControlError(
                    .placeNotSet, "There is no place \"\(name)\".",
                    hint: "Set it with: transitctl place set \(name) LAT,LON.")
            case .placeWithoutPosition(let name):
                ControlError(
                    .feedNoData, "The position of \(name) is not known, because its stop is not in any timetable.",
                    hint: "Try again when its feed has been imported.")
            case .noStopsNear(let place, let radius):
                ControlError(
                    .commuteInvalid, "There is no stop within \(radius) m of \(place).",
                    hint: "Check the position with: transitctl place list. "
                        + "The radius is `max_walking_radius` (see transitd.toml(5)).")

            case .favoriteNotFound(let text, let known): .favoriteNotFound(text, known)
            case .favoriteCategoryNotFound(let category, let known):
                ControlError(
                    .favoriteNotFound, "You have no favorite in \"\(category)\".",
                    hint: known.isEmpty
                        ? "Add one with: transitctl favorite category FAVORITE \(category)."
                        : "Your categories are \(known.joined(separator: ", ")).")
            case .favoriteWithoutRoute(let name):
                ControlError(
                    .invalidParameters, "The favorite \"\(name)\" is a stop, not a route.",
                    hint: "Choose one that has a route.")
            case .routeAndFavorite:
                ControlError(.invalidParameters, "route and favorite cannot both be given.")
            case .neitherStopNorRoute:
                ControlError(.invalidParameters, "A stop, a route or both must be given.")
            }
    }

    /// The maximum number of candidates in an error.
    private static let maximumCandidates = 10

    // MARK: Stops and routes

    private static func stopNotFound(_ text: String, _ similar: [FoundStop]) -> ControlError {
        let names = similar.prefix(3).map { "\($0.stop.name) (\($0.reference))" }.joined(separator: ", ")
        return ControlError(
            .stopNotFound, "There is no stop \"\(text)\".",
            hint: similar.isEmpty ? "Search for it with: transitctl stops search TEXT." : "Did you mean \(names)?")
    }

    private static func ambiguous(_ text: String, _ stops: [FoundStop]) -> ControlError {
        let candidates = stops.prefix(maximumCandidates).map { found in
            JSONValue.object([
                "feed": .string(found.timetable.feed.rawValue), "id": .string(found.stop.id.rawValue),
                "name": .string(found.stop.name), "platform": found.stop.platform.map { .string($0) } ?? .null,
            ])
        }
        return ambiguous(.stopAmbiguous, text, "stops", stops.map { "\($0.reference)" }, candidates)
    }

    private static func routeNotFound(_ text: String, _ similar: [FoundRoute]) -> ControlError {
        let names = similar.prefix(3).map { "\($0.route.displayName) (\($0.timetable.feed):\($0.route.id))" }
        return ControlError(
            .routeNotFound, "There is no route \"\(text)\".",
            hint: names.isEmpty
                ? "Search for it with: transitctl routes search TEXT."
                : "Did you mean \(names.joined(separator: ", "))?")
    }

    private static func ambiguous(_ text: String, _ routes: [FoundRoute]) -> ControlError {
        let candidates = routes.prefix(maximumCandidates).map { found in
            JSONValue.object([
                "feed": .string(found.timetable.feed.rawValue), "id": .string(found.route.id.rawValue),
                "name": .string(found.route.displayName),
                "long_name": found.route.longName.map { .string($0) } ?? .null,
            ])
        }
        let names = routes.map { "\($0.timetable.feed):\($0.route.id)" }
        return ambiguous(.routeAmbiguous, text, "routes", names, candidates)
    }

    private static func ambiguous(
        _ kind: ErrorKind, _ text: String, _ things: String, _ references: [String], _ candidates: [JSONValue]
    ) -> ControlError {
        let names = references.prefix(5).joined(separator: ", ")
        return ControlError(
            kind, "\"\(text)\" matches \(references.count) \(things).",
            hint: "Give one of: \(names)\(references.count > 5 ? ", …" : "").",
            details: ["candidates": .array(candidates)])
    }

    // MARK: Personal data

    private static func commuteNotFound(_ name: String, _ known: [String]) -> ControlError {
        ControlError(
            .commuteNotFound, "You have no commute \"\(name)\".",
            hint: suggestion(for: name, known)
                ?? (known.isEmpty
                    ? "Add it with: transitctl commute add \(name) FROM TO."
                    : "Your commutes are \(known.joined(separator: ", "))."))
    }

    private static func placeNotFound(_ name: String, _ known: [String]) -> ControlError {
        ControlError(
            .placeNotFound, "You have no place \"\(name)\".",
            hint: suggestion(for: name, known)
                ?? (known.isEmpty
                    ? "Set it with: transitctl place set \(name) LAT,LON."
                    : "Your places are \(known.joined(separator: ", "))."))
    }

    private static func favoriteNotFound(_ text: String, _ known: [String]) -> ControlError {
        ControlError(
            .favoriteNotFound, "You have no favorite \"\(text)\".",
            hint: suggestion(for: text, known)
                ?? (known.isEmpty
                    ? "Add it with: transitctl favorite add STOP, or --route ROUTE."
                    : "Your favorites are \(known.prefix(10).joined(separator: ", "))\(known.count > 10 ? ", …" : "").")
        )
    }

    private static func suggestion(for word: String, _ known: [String]) -> String? {
        Spelling.closest(to: word, among: known).map { "Did you mean \"\($0)\"?" }
    }
}
