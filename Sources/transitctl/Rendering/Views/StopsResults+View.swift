internal import TransitControl
internal import TransitModel

extension View where Result == StopsSearchResult {
    /// The stops found, with references for use in other commands.
    static let stopsSearch = View(
        page: page, rows: { $0.stops.map { $0.stop.row + [$0.routes.joined(separator: ",")] } })

    private static func page(_ result: StopsSearchResult) -> Page {
        var page = Page()
        var table = Table([
            .init(title: "stop", shrinks: true), .init(title: "kind"), .init(title: "code"),
            .init(title: "routes", shrinks: true), .init(title: "reference"),
        ])
        for match in result.stops {
            table.add(match.stop.cells + [Line(RouteList.of(match.routes)), Line(match.stop.reference, .faint)])
        }
        page.table(table)
        if result.stops.isEmpty { page.line("No stops found.") }
        if result.nextCursor != nil { page.line("There are more. Use -n to show them.", .faint) }
        return page
    }
}

extension View where Result == StopsNearResult {
    /// The stops near a place, nearest first.
    static let stopsNear = View(
        page: page,
        rows: {
            $0.stops.map {
                $0.stop.row + [String($0.distance), String($0.walk), $0.routes.joined(separator: ",")]
            }
        })

    private static func page(_ result: StopsNearResult) -> Page {
        var page = Page()
        page.table(NearbyTable.of(result.stops))
        if result.stops.isEmpty { page.line("No stops within \(DistanceText.of(result.radius)).") }
        if let total = result.total, total > result.stops.count, !result.stops.isEmpty {
            let nearest = result.stops.count == 1 ? "The nearest" : "The nearest \(result.stops.count)"
            page.line(
                "\(nearest) of \(total) within \(DistanceText.of(result.radius)). Use --all to list more.", .faint)
        }
        return page
    }
}

/// The table of stops near a place.
enum NearbyTable {
    static func of(_ stops: [NearbyStop], indent: Int = 0) -> Table {
        var table = Table(
            [
                .init(title: "stop", shrinks: true), .init(title: "kind"), .init(title: "code"),
                .init(title: "distance", alignment: .trailing), .init(title: "walk", alignment: .trailing),
                .init(title: "routes", shrinks: true), .init(title: "reference"),
            ], indent: indent)
        for near in stops {
            table.add(
                near.stop.cells + [
                    Line(DistanceText.of(near.distance)), Line(WalkText.of(near.walk)),
                    Line(RouteList.of(near.routes)), Line(near.stop.reference, .faint),
                ])
        }
        return table
    }
}

extension StopSummary {
    /// Name, kind and code, for a table.
    fileprivate var cells: [Line] { [Line(words), Line(kindWord), Line(code ?? "")] }

    /// The row for scripts: reference, name, platform, kind, code, latitude, longitude.
    var row: [String] {
        [
            reference, name, platform ?? "", kind.rawValue, code ?? "",
            position.map { String($0.lat) } ?? "", position.map { String($0.lon) } ?? "",
        ]
    }
}

/// Formats the routes of a stop.
enum RouteList {
    /// Returns a list of at most eight routes, such as "1, 2, 24 …".
    static func of(_ routes: [String]) -> String {
        routes.prefix(8).joined(separator: ", ") + (routes.count > 8 ? " …" : "")
    }
}

/// Formats distances.
enum DistanceText {
    /// Returns a distance such as "350 m" or "1.2 km".
    static func of(_ meters: Int) -> String {
        meters < 1000 ? "\(meters) m" : "\(meters / 1000).\(meters % 1000 / 100) km"
    }
}
