internal import TransitControl

extension View where Result == RoutesStopsResult {
    /// The stops of a route in order, by direction.
    static let routesStops = View(page: page, rows: rows)

    /// Rows for scripts: direction, position, and the row of the stop.
    private static func rows(_ result: RoutesStopsResult) -> [[String]] {
        result.directions.flatMap { list in
            list.stops.map { [list.directionId.map(String.init) ?? "", String($0.sequence)] + $0.stop.row }
        }
    }

    private static func page(_ result: RoutesStopsResult) -> Page {
        var page = Page()
        for list in result.directions {
            page.blank()
            var title = Line(result.route.words, .strong)
            if let headsign = list.headsign, !headsign.isEmpty { title.append(" to \(headsign)") }
            page.line(title)
            page.table(table(list))
        }
        if result.directions.isEmpty { page.line("\(result.route.words) has no trips in this timetable.") }
        return page
    }

    private static func table(_ list: RouteStopList) -> Table {
        var table = Table(
            [
                .init(title: "", alignment: .trailing), .init(title: "stop", shrinks: true), .init(title: "note"),
                .init(title: "reference"),
            ], indent: 2, showsTitles: false)
        for call in list.stops {
            table.add([
                Line(String(call.sequence), .faint), Line(call.stop.words),
                Line(call.isOnEveryTrip ? "" : "some trips", .faint), Line(call.stop.reference, .faint),
            ])
        }
        return table
    }
}
