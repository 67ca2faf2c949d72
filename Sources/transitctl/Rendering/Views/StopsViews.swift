internal import TransitControl
internal import TransitModel

extension View where Result == StopsSearchResult {
    /// The stops found, with references for use in other commands.
    static let stopsSearch = View(
        page: page, rows: { $0.stops.map { $0.stop.row + [$0.routes.joined(separator: ",")] } })

    private static func page(_ page: inout Page, _ result: StopsSearchResult) {
        page.table([.shrinking("stop"), "kind", "code", .shrinking("routes"), "reference"], of: result.stops) { match in
            match.stop.cells + [Line(RouteList.of(match.routes)), Line(match.stop.reference, .faint)]
        }
        if result.stops.isEmpty { page.line("No stops found.") }
        if result.nextCursor != nil { page.line("There are more. Use -n to show them.", .faint) }
    }
}

extension View where Result == StopsNearResult {
    /// The stops near a place, nearest first.
    ///
    /// - Parameter units: The units of the locale, for a person who did not choose any.
    static func stopsNear(in units: DisplayUnits) -> View {
        View(
            page: { page(&$0, $1, $1.units.units(locale: units)) },
            rows: {
                $0.stops.map {
                    [$0.reference ?? $0.stop.reference] + $0.stop.row.dropFirst() + [
                        String($0.distance), String($0.walk), $0.routes.joined(separator: ","),
                    ]
                }
            })
    }

    private static func page(_ page: inout Page, _ result: StopsNearResult, _ units: DisplayUnits) {
        page.table(NearbyTable.of(result.stops, in: units))
        if result.stops.isEmpty { page.line("No stops within \(units.distance(meters: result.radius)).") }
        if let total = result.total, total > result.stops.count, !result.stops.isEmpty {
            let nearest = result.stops.count == 1 ? "The nearest" : "The nearest \(result.stops.count)"
            page.line(
                "\(nearest) of \(total) within \(units.distance(meters: result.radius)). Use --all to list more.",
                .faint)
        }
    }
}

/// The table of stops near a place.
enum NearbyTable {
    static func of(_ stops: [NearbyStop], in units: DisplayUnits, indent: Int = 0) -> Table {
        return Table(
            [
                .shrinking("stop"), "kind", "code", .trailing("distance"), .trailing("walk"), .shrinking("routes"),
                "reference",
            ], indent: indent, of: stops
        ) { near in
            near.stop.cells + [
                Line(units.distance(meters: near.distance)), Line(WalkText.of(near.walk)),
                Line(RouteList.of(near.routes)),
                Line(near.reference ?? near.stop.reference, .faint),
            ]
        }
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

    private static func page(_ page: inout Page, _ result: StopsShowResult) {
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
    }

    /// Adds the routes, each with its headsigns. An older daemon does not send headsigns.
    private static func addRoutes(of result: StopsShowResult, to page: inout Page) {
        guard result.headsigns.contains(where: { !$0.headsigns.isEmpty }) else {
            return page.pieces(result.routes.map { Line($0.words) }, indent: 2)
        }
        page.table(
            ["route", .shrinking("headsigns")], indent: 2, showsTitles: false, of: zip(result.routes, result.headsigns)
        ) { (route, there) in
            [Line(route.words, route.style), Line(there.headsigns.joined(separator: " / "))]
        }
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
        var table = Table([.shrinking("name"), "kind", "code", "reference"], indent: 2, showsTitles: false)
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
        page: { page, result in
            page.table([.shrinking("search"), "kind", "when"], of: result.searches) { search in
                [
                    Line(search.text, .strong), Line(search.kind == .other ? "" : search.kind.rawValue),
                    Line(search.at.words(from: result.at), .faint),
                ]
            }
            if result.searches.isEmpty { page.line("No recent searches.") }
        }, rows: { $0.searches.map { [$0.kind.rawValue, $0.text, $0.at.rfc3339] } })

    static let recentClear = View.sentence { _ in "Cleared your recent searches." }
}
