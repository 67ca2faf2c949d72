internal import TransitControl

extension View where Result == RoutesSearchResult {
    /// The routes found. With `--next-characters`, the possible next characters come first, and the rows contain only
    /// these characters.
    static let routesSearch = View(page: page, rows: rows)

    private static func rows(_ result: RoutesSearchResult) -> [[String]] {
        if let characters = result.nextCharacters { return characters.map { [$0] } }
        return result.routes.map(\.row)
    }

    private static func page(_ page: inout Page, _ result: RoutesSearchResult) {
        if let characters = result.nextCharacters {
            page.line(nextWords(characters, isComplete: result.isComplete ?? false))
        }
        page.table(table(result))
        if result.routes.isEmpty, result.nextCharacters == nil { page.line("No routes found.") }
        if result.nextCursor != nil { page.line("There are more. Use -n to show them.", .faint) }
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
            .shrinking("route"), .shrinking("name"), .shrinking("directions"), .shrinking("agency"), "reference",
        ])
        for group in groups(result) {
            for (number, match) in group.enumerated() {
                table.add([
                    number == 0 ? Line(match.route.words, match.route.style) : Line(), Line(match.route.addition ?? ""),
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

extension View where Result == RoutesShowResult {
    /// A route with its agency, directions, their delays on earlier days, and patterns.
    static let routesShow = View(page: page, rows: rows)

    /// Rows for scripts, one per pattern: direction, headsign, first stop, last stop, number of stops, number of trips,
    /// travel time in seconds.
    private static func rows(_ result: RoutesShowResult) -> [[String]] {
        result.patterns.map {
            [
                $0.directionId.map(String.init) ?? "", $0.headsign ?? "", $0.from.name, $0.to.name, String($0.stops),
                String($0.trips), $0.travelTime.map(String.init) ?? "",
            ]
        }
    }

    private static func page(_ page: inout Page, _ result: RoutesShowResult) {
        var title = Line(result.route.words, result.route.style)
        if let addition = result.route.addition { title.append("  \(addition)") }
        page.line(title + Line("  \(result.feed):\(result.route.id)", .faint))
        let agency = result.agency
        page.pieces([agency.name, agency.url, agency.phone].compactMap { $0 }.map { Line($0) }, indent: 2)
        page.blank()
        page.table(directions(result))
        if result.directions.isEmpty, result.hasTimes { page.line("No service on \(result.serviceDate).", indent: 2) }
        page.blank()
        page.table(patterns(result))
    }

    private static func directions(_ result: RoutesShowResult) -> Table {
        var table = Table(
            [.shrinking("direction"), .trailing("trips on \(result.serviceDate)"), "first", "last"], indent: 2)
        for direction in result.directions {
            let name = direction.headsigns.first.map { "to \($0)" } ?? direction.directionId.map(String.init) ?? "all"
            table.add([
                Line(name), Line(result.hasTimes ? String(direction.trips) : ""), Line(direction.first?.clock ?? ""),
                Line(direction.last?.clock ?? ""),
            ])
            table.notes.append([direction.punctuality.map(PunctualityText.pieces) ?? []])
        }
        return table
    }

    private static func patterns(_ result: RoutesShowResult) -> Table {
        return Table(
            [.shrinking("from"), .shrinking("to"), .trailing("stops"), .trailing("time"), .trailing("trips in all")],
            indent: 2, of: result.patterns
        ) { pattern in
            [
                Line(pattern.from.name), Line(pattern.to.name), Line(String(pattern.stops)),
                Line(pattern.travelTime.map { "\($0 / 60) min" } ?? ""),
                Line(result.hasTimes ? CountText.grouped(pattern.trips) : ""),
            ]
        }
    }
}

extension RoutesShowResult {
    /// Whether the route has a timetable. Otherwise, its trips are not known, and their number says nothing.
    fileprivate var hasTimes: Bool { !notices.contains { $0.kind == .noTimetable } }
}

extension View where Result == RoutesStopsResult {
    /// The stops of a route in order, by direction.
    static let routesStops = View(page: page, rows: rows)

    /// Rows for scripts: direction, position, the row of the stop, and the time from the first stop in seconds.
    private static func rows(_ result: RoutesStopsResult) -> [[String]] {
        result.directions.flatMap { list in
            list.stops.map { call in
                [list.directionId.map(String.init) ?? "", String(call.sequence)] + call.stop.row
                    + [call.travelTime.map(String.init) ?? ""]
            }
        }
    }

    private static func page(_ page: inout Page, _ result: RoutesStopsResult) {
        for list in result.directions {
            page.blank()
            var title = Line(result.route.words, result.route.style)
            if let headsign = list.headsign, !headsign.isEmpty { title.append(" to \(headsign)") }
            if list.hasTravelTimes { title.append("  minutes from the first stop", .faint) }
            page.line(title)
            page.table(table(list))
        }
        if result.directions.isEmpty { page.line("\(result.route.words) has no trips in this timetable.") }
    }

    private static func table(_ list: RouteStopList) -> Table {
        return Table(
            [.trailing(""), .trailing("minutes"), .shrinking("stop"), "note", "reference"], indent: 2,
            showsTitles: false, of: list.stops
        ) { call in
            [
                Line(String(call.sequence), .faint), Line(call.travelTime.map { "+\($0 / 60)" } ?? ""),
                Line(call.stop.words),
                Line(call.isOnEveryTrip ? "" : "some trips", .faint), Line(call.stop.reference, .faint),
            ]
        }
    }
}

extension RouteStopList {
    /// Whether the times from the first stop are known.
    fileprivate var hasTravelTimes: Bool { stops.contains { $0.travelTime != nil } }
}
