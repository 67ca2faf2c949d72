internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore
internal import TransitWire

/// A route in a timetable that matches a text.
struct FoundRoute: Sendable {
    var timetable: Timetable
    var index: RouteIndex
    var route: Route
}

/// Finds the route that a text refers to: `feed:route_id`, an identifier, or a name.
struct RouteFinder {
    var timetables: [Timetable]
    private let context: RequestContext?

    private static let maximumCandidates = 10

    /// - Parameter context: If it is given, routes with the same name in two feeds of one agency count as one route.
    init(_ timetables: [Timetable], _ context: RequestContext? = nil) {
        self.timetables = timetables
        self.context = context
    }

    /// - Throws: ``ErrorKind/routeNotFound``, ``ErrorKind/routeAmbiguous`` with the candidates, and `StoreError`.
    func find(_ text: String) throws -> FoundRoute {
        let found = try withoutDuplicates(candidates(text))
        guard let first = found.first else { throw notFound(text) }
        if found.count == 1 { return first }
        let candidates = found.prefix(Self.maximumCandidates).map { found in
            JSONValue.object([
                "feed": .string(found.timetable.feed.rawValue), "id": .string(found.route.id.rawValue),
                "name": .string(found.route.displayName),
                "long_name": found.route.longName.map { .string($0) } ?? .null,
            ])
        }
        let names = found.prefix(5).map { "\($0.timetable.feed):\($0.route.id)" }.joined(separator: ", ")
        throw ControlError(
            .routeAmbiguous, "\"\(text)\" matches \(found.count) routes.",
            hint: "Give one of: \(names)\(found.count > 5 ? ", …" : "").",
            details: ["candidates": .array(candidates)])
    }

    /// For each route that is in both feeds, keeps only the main feed's route.
    private func withoutDuplicates(_ found: [FoundRoute]) throws -> [FoundRoute] {
        guard found.count > 1, let context else { return found }
        return try found.filter { route in
            guard let pair = try context.pair(of: route.timetable), route.timetable === pair.supplement else {
                return true
            }
            let name = SearchText.fold(route.route.displayName)
            return !found.contains {
                $0.timetable === pair.main && SearchText.fold($0.route.displayName) == name
            }
        }
    }

    /// Returns all routes that a text refers to, for a filter that allows several.
    ///
    /// - Throws: ``ErrorKind/routeNotFound``.
    func routes(named text: String) throws(ControlError) -> Set<RouteIndex> {
        let found = candidates(text)
        if found.isEmpty { throw notFound(text) }
        return Set(found.map(\.index))
    }

    /// Returns the routes with the given identifier or, if there are none, short name or, if there are none, long name.
    private func candidates(_ text: String) -> [FoundRoute] {
        if let colon = text.firstIndex(of: ":"),
            let timetable = timetables.first(where: { $0.feed.rawValue == text[..<colon] })
        {
            let found = Self.routes(of: timetable, withID: String(text[text.index(after: colon)...]))
            if !found.isEmpty { return found }
        }
        let byIdentifier = timetables.flatMap { Self.routes(of: $0, withID: text) }
        if !byIdentifier.isEmpty { return byIdentifier }
        let folded = SearchText.fold(text)
        guard !folded.isEmpty else { return [] }
        let byShortName = named { $0.shortName.map { SearchText.fold($0) } == folded }
        return byShortName.isEmpty ? named { $0.longName.map { SearchText.fold($0) } == folded } : byShortName
    }

    private static func routes(of timetable: Timetable, withID id: String) -> [FoundRoute] {
        guard let index = timetable.file.route(id: RouteID(id)), let route = timetable.route(index) else { return [] }
        return [FoundRoute(timetable: timetable, index: index, route: route)]
    }

    private func named(_ fits: (Route) -> Bool) -> [FoundRoute] {
        timetables.flatMap { timetable in
            timetable.file.routes.indices.filter { fits(timetable.file.routes[$0]) }.map {
                FoundRoute(timetable: timetable, index: RouteIndex($0), route: timetable.file.routes[$0])
            }
        }
    }

    private func notFound(_ text: String) -> ControlError {
        let near = timetables.flatMap { timetable in
            // If there is no search index, the error has no hint.
            ((try? timetable.routeSearch)?.matches(text, count: 3) ?? []).compactMap { match in
                timetable.route(match.route).map { "\($0.displayName) (\(timetable.feed):\($0.id))" }
            }
        }
        let hint =
            near.isEmpty
            ? "Search for it with: transitctl routes search TEXT."
            : "Did you mean \(near.prefix(3).joined(separator: ", "))?"
        return ControlError(.routeNotFound, "There is no route \"\(text)\".", hint: hint)
    }
}
