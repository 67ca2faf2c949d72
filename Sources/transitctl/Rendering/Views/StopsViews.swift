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
    ///
    /// - Parameter units: The units of the locale, for a person who did not choose any.
    static func stopsNear(in units: DisplayUnits) -> View {
        View(
            page: { page($0, $0.units.units(locale: units)) },
            rows: {
                $0.stops.map {
                    [$0.reference ?? $0.stop.reference] + $0.stop.row.dropFirst() + [
                        String($0.distance), String($0.walk), $0.routes.joined(separator: ","),
                    ]
                }
            })
    }

    private static func page(_ result: StopsNearResult, _ units: DisplayUnits) -> Page {
        var page = Page()
        page.table(NearbyTable.of(result.stops, in: units))
        if result.stops.isEmpty { page.line("No stops within \(units.distance(meters: result.radius)).") }
        if let total = result.total, total > result.stops.count, !result.stops.isEmpty {
            let nearest = result.stops.count == 1 ? "The nearest" : "The nearest \(result.stops.count)"
            page.line(
                "\(nearest) of \(total) within \(units.distance(meters: result.radius)). Use --all to list more.",
                .faint)
        }
        return page
    }
}

/// The table of stops near a place.
enum NearbyTable {
    static func of(_ stops: [NearbyStop], in units: DisplayUnits, indent: Int = 0) -> Table {
        var table = Table(
            [
                .init(title: "stop", shrinks: true), .init(title: "kind"), .init(title: "code"),
                .init(title: "distance", alignment: .trailing), .init(title: "walk", alignment: .trailing),
                .init(title: "routes", shrinks: true), .init(title: "reference"),
            ], indent: indent)
        for near in stops {
            table.add(
                near.stop.cells + [
                    Line(units.distance(meters: near.distance)), Line(WalkText.of(near.walk)),
                    Line(RouteList.of(near.routes)),
                    Line(near.reference ?? near.stop.reference, .faint),
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

extension View where Result == StopsShowResult {
    /// A stop with its details.
    static let stopsShow = View(page: page, rows: { ([$0.stop] + $0.children).map(\.row) })

    private static func page(_ result: StopsShowResult) -> Page {
        var page = Page()
        page.line(Line(result.stop.words, .heading) + Line("  \(result.stop.reference)", .faint))
        page.pieces(facts(result), indent: 2)
        if !result.routes.isEmpty {
            page.blank()
            addRoutes(of: result, to: &page)
        }
        if !result.children.isEmpty { page.blank() }
        page.table(children(result))
        if !result.transfers.isEmpty { page.blank() }
        for transfer in result.transfers { page.line(transfer.words, indent: 2) }
        return page
    }

    /// Adds the routes, each with its headsigns. An older daemon does not send headsigns.
    private static func addRoutes(of result: StopsShowResult, to page: inout Page) {
        guard result.headsigns.contains(where: { !$0.headsigns.isEmpty }) else {
            return page.pieces(result.routes.map { Line($0.words) }, indent: 2)
        }
        var table = Table(
            [.init(title: "route"), .init(title: "headsigns", shrinks: true)], indent: 2, showsTitles: false)
        for (route, there) in zip(result.routes, result.headsigns) {
            table.add([Line(route.words, route.style), Line(there.headsigns.joined(separator: " / "))])
        }
        page.table(table)
    }

    private static func facts(_ result: StopsShowResult) -> [Line] {
        let stop = result.stop
        var facts: [String] = []
        if !stop.kindWord.isEmpty { facts.append(stop.kindWord) }
        if let parent = stop.parent { facts.append("part of \(parent.name)") }
        if let code = stop.code { facts.append("code \(code)") }
        if let whole = result.wholeStop { facts.append("one platform of \(whole)") }
        if let twin = result.sameAs { facts.append("also \(twin.reference)") }
        if let position = stop.position { facts.append(position.words) }
        switch stop.wheelchair {
        case .possible: facts.append("wheelchairs can board")
        case .notPossible: facts.append("wheelchairs cannot board")
        case .unknown, .other: break
        }
        return (facts + [result.timezone]).map { Line($0) }
    }

    private static func children(_ result: StopsShowResult) -> Table {
        var table = Table(
            [
                .init(title: "name", shrinks: true), .init(title: "kind"), .init(title: "code"),
                .init(title: "reference"),
            ],
            indent: 2, showsTitles: false)
        for child in result.children {
            let kind = child.kind == .platform ? "" : child.kindWord
            table.add([Line(child.words), Line(kind), Line(child.code ?? ""), Line(child.reference, .faint)])
        }
        return table
    }
}

extension TransferSummary {
    /// The transfer as a phrase, such as "change to Main Street, at least 3 minutes".
    fileprivate var words: String {
        let time = minTransferTime.map { ", at least " + DurationText.of(seconds: $0) } ?? ""
        switch kind {
        case .recommended, .other: return "change to \(to.name)\(time)"
        case .timed: return "change to \(to.name): the vehicle waits\(time)"
        case .minimumTime: return "change to \(to.name)\(time)"
        case .notPossible: return "no change to \(to.name)"
        case .inSeat: return "to \(to.name) without leaving the vehicle"
        case .noInSeat: return "to \(to.name): leave the vehicle and board again\(time)"
        }
    }
}

extension View where Result == RecentListResult {
    /// The user's recent searches, newest first.
    static let recentList = View(
        page: { result in
            var page = Page()
            var table = Table([.init(title: "search", shrinks: true), .init(title: "kind"), .init(title: "when")])
            for search in result.searches {
                table.add([
                    Line(search.text, .strong), Line(search.kind == .other ? "" : search.kind.rawValue),
                    Line(search.at.words(from: result.at), .faint),
                ])
            }
            page.table(table)
            if result.searches.isEmpty { page.line("No recent searches.") }
            return page
        }, rows: { $0.searches.map { [$0.kind.rawValue, $0.text, $0.at.rfc3339] } })

    static let recentClear = View.sentence { _ in "Cleared your recent searches." }
}
