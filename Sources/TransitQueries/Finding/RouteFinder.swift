internal import TransitEngine
package import TransitModel
internal import TransitStore

/// A route in a timetable that matches a text.
package struct FoundRoute: Sendable {
    package var timetable: Timetable
    package var index: RouteIndex
    package var route: Route

    package init(timetable: Timetable, index: RouteIndex, route: Route) {
        self.timetable = timetable
        self.index = index
        self.route = route
    }
}

/// Finds the route that a text refers to: `feed:route_id`, an identifier, or a name.
package struct RouteFinder {
    package var timetables: [Timetable]
    private let context: QueryContext?

    /// The maximum number of routes per timetable that an error suggests.
    private static let maximumSuggestions = 10
    /// The maximum number of matches per timetable from which suggestions are taken.
    private static let maximumMatches = 50

    /// - Parameter context: If it is given, routes with the same name in two feeds of one agency count as one route.
    package init(_ timetables: [Timetable], _ context: QueryContext? = nil) {
        self.timetables = timetables
        self.context = context
    }

    /// - Throws: ``QueryError/routeNotFound(_:similar:)``, ``QueryError/routeAmbiguous(_:_:)``, and `StoreError`.
    package func find(_ text: String) throws -> FoundRoute {
        let found = try withoutDuplicates(candidates(text))
        guard let first = found.first else { throw notFound(text) }
        guard found.count == 1 else { throw QueryError.routeAmbiguous(text, found) }
        return first
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
    /// - Throws: ``QueryError/routeNotFound(_:similar:)``.
    package func routes(named text: String) throws(QueryError) -> Set<RouteIndex> {
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
        let found = named { Self.printedNames(of: $0).contains(folded) }
        // "A+" and "A" differ only in characters that folding drops.
        let literal = found.filter { found in
            let route = found.route
            return [route.displayName, RouteName.words(of: route), route.riderName, route.longName].contains(text)
        }
        return literal.isEmpty ? found : literal
    }

    /// The folded names under which programs show a route: "Tram 1", "Route 1", "1 Harbor - Park", "Tram 1, Harbor - Park".
    private static func printedNames(of route: Route) -> Set<String> {
        let name = route.displayName
        var names = [RouteName.words(of: route), route.riderName, name, "Route \(name)", "Line \(name)"]
        if let long = route.longName, long != name { names += names.map { "\($0) \(long)" } + [long] }
        return Set(names.map { SearchText.fold($0) })
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

    private func notFound(_ text: String) -> QueryError {
        .routeNotFound(
            text,
            similar: Array(similar(text).prefix(Self.maximumSuggestions)))
    }

    /// Returns the routes that match a text best in a search or, if there are none, those whose names differ least.
    private func similar(_ text: String) -> [FoundRoute] {
        let query = SearchQuery(text)
        let hits = timetables.flatMap { timetable in
            // If there is no search index, nothing is suggested.
            ((try? timetable.routeSearch)?.matches(text, count: Self.maximumMatches) ?? []).map { (timetable, $0) }
        }
        let best = hits.map(\.1.rank).min()
        var found = hits.filter { _, match in best.map { query.isAlternative(match.rank, to: $0) } ?? false }
            .map { ($0, $1.route) }
        if found.isEmpty, let search = ApproximateSearch(text) {
            let similar = timetables.flatMap { timetable in
                // If there is no search index, nothing is suggested.
                ((try? timetable.routes(meantBy: search)) ?? []).map { (timetable, $0) }
            }
            let least = similar.map(\.1.difference).min()
            found = similar.filter { $0.1.difference == least }.map { ($0, $1.route) }
        }
        return found.compactMap { timetable, index in
            timetable.route(index).map { FoundRoute(timetable: timetable, index: index, route: $0) }
        }
    }
}
