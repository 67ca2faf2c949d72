internal import TransitControl

extension View where Result == RoutesShowResult {
    /// A route with its agency, directions and patterns.
    static let routesShow = View(page: page, rows: rows)

    /// Rows for scripts, one per pattern: direction, headsign, first stop, last stop, number of stops, number of trips.
    private static func rows(_ result: RoutesShowResult) -> [[String]] {
        result.patterns.map {
            [
                $0.directionId.map(String.init) ?? "", $0.headsign ?? "", $0.from.name, $0.to.name, String($0.stops),
                String($0.trips),
            ]
        }
    }

    private static func page(_ result: RoutesShowResult) -> Page {
        var page = Page()
        var title = Line(result.route.words, .strong)
        if let addition = result.route.addition { title.append("  \(addition)") }
        page.line(title + Line("  \(result.feed):\(result.route.id)", .faint))
        let agency = result.agency
        page.pieces([agency.name, agency.url, agency.phone].compactMap { $0 }.map { Line($0) }, indent: 2)
        page.blank()
        page.table(directions(result))
        if result.directions.isEmpty { page.line("No service on \(result.serviceDate).", indent: 2) }
        page.blank()
        page.table(patterns(result))
        return page
    }

    private static func directions(_ result: RoutesShowResult) -> Table {
        var table = Table(
            [
                .init(title: "direction", shrinks: true), .init(title: "trips", alignment: .trailing),
                .init(title: "first"), .init(title: "last"),
            ], indent: 2)
        for direction in result.directions {
            let name = direction.headsigns.first.map { "to \($0)" } ?? direction.directionId.map(String.init) ?? "all"
            table.add([
                Line(name), Line(String(direction.trips)), Line(direction.first?.clock ?? ""),
                Line(direction.last?.clock ?? ""),
            ])
        }
        return table
    }

    private static func patterns(_ result: RoutesShowResult) -> Table {
        var table = Table(
            [
                .init(title: "from", shrinks: true), .init(title: "to", shrinks: true),
                .init(title: "stops", alignment: .trailing), .init(title: "trips", alignment: .trailing),
            ], indent: 2)
        for pattern in result.patterns {
            table.add([
                Line(pattern.from.name), Line(pattern.to.name), Line(String(pattern.stops)),
                Line(CountText.grouped(pattern.trips)),
            ])
        }
        return table
    }
}
