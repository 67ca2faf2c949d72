internal import TransitControl
internal import TransitModel
package import TransitQueries
internal import TransitStore
package import TransitWire

// The words for the errors of queries.
extension ControlError {
    package init(_ error: QueryError) {
        self =
            switch error {
            case .feedNotFound(let id, let known): .feedNotFound(id, known: known)
            case .noData(let feeds): .noData(feeds)

            case .stopNotFound(let text, let similar, let partial): .stopNotFound(text, similar, partial)
            case .stopOutside(let found): .stopOutside(found)
            case .stopAmbiguous(let text, let stops): .ambiguous(text, stops)
            case .stopGone(let id, let feed):
                ControlError(.stopNotFound, "The timetable of \(feed) has no stop \"\(id)\".")

            case .routeNotFound(let text, let similar): .routeNotFound(text, similar)
            case .routeAmbiguous(let text, let routes): .ambiguous(text, routes)
            case .routeGone(let id, let feed):
                ControlError(.routeNotFound, "The timetable of \(feed) has no route \"\(id)\".")
            case .routeNotAtStop(let text, let stop, let routes):
                ControlError(
                    .routeNotFound, "Route \"\(text)\" does not stop at \(stop.stop.name).",
                    hint: routes.isEmpty ? nil : "The routes there are \(routes.joined(separator: ", ")).")
            case .routeAmbiguousAtStop(let text, let stop, let routes):
                ControlError(
                    .routeAmbiguous, "\"\(text)\" matches \(routes.count) routes at \(stop.stop.name).",
                    hint: "Give one of: "
                        + routes.prefix(5).map { "\(stop.timetable.feed):\($0.id)" }.joined(separator: ", ") + ".",
                    details: Self.candidates(
                        for: text,
                        routes.compactMap { route in
                            stop.timetable.file.route(id: route.id).map {
                                FoundRoute(timetable: stop.timetable, index: $0, route: route)
                            }
                        }))

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
                    hint: "Give the number of a row of transitctl next or transitctl departures STOP, a time such as "
                        + "08:22 or \"Tram 1 08:22\", the number of a train, or the id that --json shows.")
            case .departureAmbiguous(let text, let departures): .ambiguous(text, departures)

            case .commuteNotFound(let name, let known, let similar): .commuteNotFound(name, known, similar)
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
            case .placeNotFound(let name, let known, let similar): .placeNotFound(name, known, similar)
            case .placeNotSet(let name):
                ControlError(
                    .placeNotSet, "There is no place \"\(name)\".",
                    hint: "Set it with: transitctl place set \(name) LAT,LON.")
            case .sameEnds(let name):
                ControlError(
                    .commuteInvalid, "The origin and the destination are both \(name).",
                    hint: "Give two different ends.")
            case .placeWithoutPosition(let name):
                ControlError(
                    .feedNoData, "The position of \(name) is not known, because its stop is not in any timetable.",
                    hint: "Try again when its feed has been imported.")
            case .noStopsNear(let place, let radius, let isPlace):
                ControlError(
                    .commuteInvalid, "There is no stop within \(radius) m of \(place).",
                    hint: (isPlace
                        ? "Check the position with: transitctl place list. "
                        : "Check the latitude and the longitude, or give a stop. ")
                        + "The radius is `max_walking_radius` (see transitd.toml(5)).")

            case .walkNotKnown(let stop, let places, let radius): .walkNotKnown(to: stop, from: places, radius)

            case .favoriteNotFound(let text, let known, let similar): .favoriteNotFound(text, known, similar)
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

    /// - Parameter partial: The feeds that may have the stop outside of their kept part.
    private static func searchHint(_ partial: [FeedID]) -> String {
        let search = "Search for it with: transitctl stops search TEXT."
        guard let feed = partial.first else { return search }
        return "\(search) Only a part of \(feed) is kept; `places`, `radius` and `routes` of its [feed.keep] choose it."
    }

    /// The maximum number of candidates in an error.
    private static let maximumCandidates = 10

    private static func walkNotKnown(to stop: String, from places: [String], _ radius: Int) -> ControlError {
        let reason =
            switch places.count {
            case 0: "you have no places"
            case 1: "\(places[0]) is more than \(radius) m away"
            default: "your places (\(places.joined(separator: ", "))) are more than \(radius) m away"
            }
        return ControlError(
            .placeNotSet, "How long you walk to \(stop) is not known: \(reason).",
            hint: "Give the walk, such as --walk-minutes 5, or set a place near the stop: "
                + "transitctl place set \(places.isEmpty ? CommuteList.home : "NAME") LAT,LON.")
    }

    // MARK: Stops and routes

    private static func stopOutside(_ found: FoundStop) -> ControlError {
        let position = found.stop.coordinate.map { "`\"\($0.latitude),\($0.longitude)\"`" } ?? "its position"
        return ControlError(
            .stopOutside,
            "\(found.stop.name) (\(found.reference)) is outside of the part of \(found.timetable.feed) that is kept.",
            hint:
                "To keep it, add \(position) to `places` of [feed.keep] of \(found.timetable.feed), or increase `radius`."
        )
    }

    private static func stopNotFound(_ text: String, _ similar: [FoundStop], _ partial: [FeedID]) -> ControlError {
        let names = similar.prefix(3).map { "\($0.stop.name) (\($0.reference))" }.joined(separator: ", ")
        return ControlError(
            .stopNotFound, "There is no stop \"\(text)\".",
            hint: similar.isEmpty ? searchHint(partial) : "Did you mean \(names)?",
            details: candidates(for: text, similar))
    }

    private static func ambiguous(_ text: String, _ stops: [FoundStop]) -> ControlError {
        ambiguous(.stopAmbiguous, text, "stops", stops.map { "\($0.reference)" }, candidates(for: text, stops))
    }

    /// Returns the stops that the text may mean, for clients that offer them.
    private static func candidates(for text: String, _ stops: [FoundStop]) -> JSONValue {
        let candidates = stops.prefix(maximumCandidates).map { found in
            var candidate: JSONObject = [
                "feed": .string(found.timetable.feed.rawValue), "id": .string(found.stop.id.rawValue),
                "name": .string(found.stop.name), "platform": found.stop.platform.map { .string($0) } ?? .null,
            ]
            // A stop that cannot be read has only its own reference.
            if !found.namesakes.isEmpty, let references = try? found.references() {
                candidate["reference"] = .string(QualifiedStop.text(of: references))
            }
            return JSONValue.object(candidate)
        }
        return ["text": .string(text), "candidates": .array(candidates)]
    }

    private static func routeNotFound(_ text: String, _ similar: [FoundRoute]) -> ControlError {
        let names = similar.prefix(3).map { "\(RouteName.words(of: $0.route)) (\($0.timetable.feed):\($0.route.id))" }
        return ControlError(
            .routeNotFound, "There is no route \"\(text)\".",
            hint: names.isEmpty
                ? "Search for it with: transitctl routes search TEXT."
                : "Did you mean \(names.joined(separator: ", "))?",
            details: similar.isEmpty ? nil : candidates(for: text, similar))
    }

    private static func ambiguous(_ text: String, _ routes: [FoundRoute]) -> ControlError {
        let names = routes.map { "\($0.timetable.feed):\($0.route.id)" }
        return ambiguous(.routeAmbiguous, text, "routes", names, candidates(for: text, routes))
    }

    /// Returns the routes that the text may mean, for clients that offer them.
    private static func candidates(for text: String, _ routes: [FoundRoute]) -> JSONValue {
        let candidates = routes.prefix(maximumCandidates).map { found in
            JSONValue.object([
                "feed": .string(found.timetable.feed.rawValue), "id": .string(found.route.id.rawValue),
                "name": .string(RouteName.words(of: found.route)),
                "long_name": found.route.longName.map { .string($0) } ?? .null,
            ])
        }
        return ["text": .string(text), "candidates": .array(candidates)]
    }

    private static func ambiguous(
        _ kind: ErrorKind, _ text: String, _ things: String, _ references: [String], _ details: JSONValue
    ) -> ControlError {
        let names = references.prefix(5).joined(separator: ", ")
        return ControlError(
            kind, "\"\(text)\" matches \(references.count) \(things).",
            hint: "Give one of: \(names)\(references.count > 5 ? ", …" : "").",
            details: details)
    }

    private static func ambiguous(_ text: String, _ departures: [MergedDeparture]) -> ControlError {
        // A departure that cannot be read is not offered.
        let candidates = departures.prefix(maximumCandidates).compactMap { merged -> (id: String, words: String)? in
            guard let id = try? merged.identifier, let words = try? DepartureText.words(of: merged) else { return nil }
            return (id.description, words)
        }
        return ControlError(
            .departureAmbiguous, "\"\(text)\" may be one of \(departures.count) departures.",
            hint: "Give one of: \(candidates.prefix(5).map(\.words).joined(separator: "; ")).",
            details: [
                "text": .string(text),
                "candidates": .array(candidates.map { .object(["id": .string($0.id), "name": .string($0.words)]) }),
            ])
    }

    // MARK: Personal data

    private static func commuteNotFound(_ name: String, _ known: [String], _ similar: [String]) -> ControlError {
        ControlError(
            .commuteNotFound, "You have no commute \"\(name)\".",
            hint: suggestion(similar)
                ?? (known.isEmpty
                    ? "Add it with: transitctl commute add NAME FROM TO. Without a commute: transitctl next FROM TO."
                    : "Your commutes are \(known.joined(separator: ", "))."),
            details: candidates(for: name, similar))
    }

    private static func placeNotFound(_ name: String, _ known: [String], _ similar: [String]) -> ControlError {
        ControlError(
            .placeNotFound, "You have no place \"\(name)\".",
            hint: suggestion(similar)
                ?? (known.isEmpty
                    ? "Set it with: transitctl place set \(name) LAT,LON."
                    : "Your places are \(known.joined(separator: ", "))."),
            details: candidates(for: name, similar))
    }

    private static func favoriteNotFound(_ text: String, _ known: [String], _ similar: [String]) -> ControlError {
        ControlError(
            .favoriteNotFound, "You have no favorite \"\(text)\".",
            hint: suggestion(similar)
                ?? (known.isEmpty
                    ? "Add it with: transitctl favorite add STOP, or --route ROUTE."
                    : "Your favorites are \(known.prefix(10).joined(separator: ", "))\(known.count > 10 ? ", …" : "")."),
            details: candidates(for: text, similar))
    }

    private static func suggestion(_ similar: [String]) -> String? {
        similar.isEmpty
            ? nil : "Did you mean \(similar.prefix(3).map { "\"\($0)\"" }.joined(separator: ", "))?"
    }

    /// Returns the names that the text may mean, for clients that offer them.
    private static func candidates(for text: String, _ similar: [String]) -> JSONValue? {
        similar.isEmpty
            ? nil
            : [
                "text": .string(text),
                "candidates": .array(
                    similar.prefix(maximumCandidates).map { .object(["id": .string($0), "name": .string($0)]) }),
            ]
    }
}
