internal import TransitControl

extension View where Result == RoutesSearchResult {
    /// The routes found. With `--next-characters`, the possible next characters come first, and the rows contain only
    /// these characters.
    static let routesSearch = View(page: page, rows: rows)

    private static func rows(_ result: RoutesSearchResult) -> [[String]] {
        if let characters = result.nextCharacters { return characters.map { [$0] } }
        return result.routes.map(\.row)
    }

    private static func page(_ result: RoutesSearchResult) -> Page {
        var page = Page()
        if let characters = result.nextCharacters {
            page.line(nextWords(characters, isComplete: result.isComplete ?? false))
        }
        page.table(table(result))
        if result.routes.isEmpty, result.nextCharacters == nil { page.line("No routes found.") }
        if result.nextCursor != nil { page.line("There are more. Use -n to show them.", .faint) }
        return page
    }

    private static func nextWords(_ characters: [String], isComplete: Bool) -> Line {
        let complete = isComplete ? "complete route name" : "incomplete"
        guard !characters.isEmpty else {
            return Line(isComplete ? "complete route name; nothing can follow" : "no route name starts with this text")
        }
        let shown = characters.map { $0 == " " ? "space" : $0 }.joined(separator: " ")
        return Line("next: ") + Line(shown, .strong) + Line("  (\(complete))", .faint)
    }

    /// Returns the routes of each group. Without groups, each route is its own group.
    private static func groups(_ result: RoutesSearchResult) -> [[RouteMatch]] {
        if result.groups.isEmpty { return result.routes.map { [$0] } }
        let routes = Dictionary(result.routes.map { ($0.reference, $0) }, uniquingKeysWith: { first, _ in first })
        return result.groups.map { $0.agencies.flatMap(\.routes).compactMap { routes[$0] } }
    }

    /// Returns the table of routes, in which the routes of a group share one route name.
    private static func table(_ result: RoutesSearchResult) -> Table {
        var table = Table([
            .init(title: "route", shrinks: true), .init(title: "name", shrinks: true),
            .init(title: "directions", shrinks: true), .init(title: "agency", shrinks: true),
            .init(title: "reference"),
        ])
        for group in groups(result) {
            for (number, match) in group.enumerated() {
                table.add([
                    number == 0 ? Line(match.route.words, .strong) : Line(), Line(match.route.addition ?? ""),
                    Line(match.choices), Line(match.agency ?? ""), Line(match.reference, .faint),
                ])
            }
        }
        return table
    }
}

extension RouteMatch {
    /// The directions, such as "Airport / Depot"; empty if there is only one.
    fileprivate var choices: String {
        (directions ?? []).map { $0.headsign ?? $0.directionId.map { "direction \($0)" } ?? "other" }
            .joined(separator: " / ")
    }

    /// The row for scripts: reference, display name, short name, long name, `route_type`, agency, color.
    fileprivate var row: [String] {
        [
            reference, route.words, route.shortName ?? "", route.longName ?? "", String(route.type),
            agency ?? "", route.color ?? "",
        ]
    }
}
