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
        page.table(table(result.routes))
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

    private static func table(_ routes: [RouteMatch]) -> Table {
        var table = Table([
            .init(title: "route", shrinks: true), .init(title: "name", shrinks: true),
            .init(title: "agency", shrinks: true), .init(title: "reference"),
        ])
        for match in routes {
            table.add([
                Line(match.route.words, .strong), Line(match.route.addition ?? ""), Line(match.agency ?? ""),
                Line("\(match.feed):\(match.route.id)", .faint),
            ])
        }
        return table
    }
}

extension RouteMatch {
    /// For scripts: reference, words, short name, long name, `route_type`, agency, colour.
    fileprivate var row: [String] {
        [
            "\(feed):\(route.id)", route.words, route.shortName ?? "", route.longName ?? "", String(route.type),
            agency ?? "", route.color ?? "",
        ]
    }
}
