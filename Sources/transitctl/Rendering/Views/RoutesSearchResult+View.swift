internal import TransitControl

extension View where Result == RoutesSearchResult {
    /// Routes by name; with `--next-chars` the characters that can follow come first, and are all that scripts get.
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
        if result.routes.isEmpty, result.nextCharacters == nil { page.line("No route is called like that.") }
        if result.nextCursor != nil { page.line("There are more: ask for more with -n.", .faint) }
        return page
    }

    private static func nextWords(_ characters: [String], isComplete: Bool) -> Line {
        let complete = isComplete ? "a route already" : "not a route yet"
        guard !characters.isEmpty else {
            return Line(isComplete ? "a route; nothing can follow" : "no route begins so")
        }
        let shown = characters.map { $0 == " " ? "blank" : $0 }.joined(separator: " ")
        return Line("next: ") + Line(shown, .strong) + Line("  (\(complete))", .faint)
    }

    /// The routes of each group; a daemon that knows of no groups is taken at its word.
    private static func groups(_ result: RoutesSearchResult) -> [[RouteMatch]] {
        if result.groups.isEmpty { return result.routes.map { [$0] } }
        let routes = Dictionary(result.routes.map { ($0.reference, $0) }, uniquingKeysWith: { first, _ in first })
        return result.groups.map { $0.agencies.flatMap(\.routes).compactMap { routes[$0] } }
    }

    /// By number and company: a number that several routes have stands once.
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
    /// "Airport / Depot"; empty where there is nothing to choose.
    fileprivate var choices: String {
        (directions ?? []).map { $0.headsign ?? $0.directionId.map { "direction \($0)" } ?? "other" }
            .joined(separator: " / ")
    }

    /// For scripts: reference, words, short name, long name, `route_type`, agency, colour.
    fileprivate var row: [String] {
        [
            reference, route.words, route.shortName ?? "", route.longName ?? "", String(route.type),
            agency ?? "", route.color ?? "",
        ]
    }
}
