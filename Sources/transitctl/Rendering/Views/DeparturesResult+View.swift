internal import TransitControl

extension View where Result == DeparturesResult {
    /// The departures of a stop, one per line, with headsign and platform.
    static let departures = View(page: page, rows: { $0.departures.map(\.row) })

    private static func page(_ result: DeparturesResult) -> Page {
        var page = Page()
        page.line(Line(result.stop.words, .strong) + Line("  \(result.stop.reference)", .faint))
        guard !result.departures.isEmpty else {
            page.line(EmptyBoardText.of("from this stop", result.notices))
            return page
        }
        let groups = DepartureGroup.allCases.map { group in
            (group, result.departures.filter { DepartureGroup($0) == group })
        }.filter { !$0.1.isEmpty }
        let isGrouped = groups.contains { $0.0 != .unknown }
        for (group, departures) in groups {
            if isGrouped { page.line(group.rawValue, .faint) }
            page.table(table(of: departures, in: result, indent: isGrouped ? 2 : 0))
        }
        return page
    }

    private static func table(of departures: [Departure], in result: DeparturesResult, indent: Int) -> Table {
        var table = Table(
            [.init(title: "departure"), .init(title: "to", shrinks: true), .init(title: "from"), .init(title: "")],
            indent: indent, showsTitles: false)
        for departure in departures {
            table.add([
                departure.line(from: result.at), Line(departure.headsign.map { $0.isEmpty ? "" : "to \($0)" } ?? ""),
                place(of: departure, at: result.stop), Line(joining: departure.conditions),
            ])
        }
        return table
    }

    /// Returns the platform, and the stop if it differs from that of the board.
    private static func place(of departure: Departure, at stop: StopSummary) -> Line {
        let change = PlatformText.change(from: departure.scheduledStop, to: departure.stop)
        var line = Line()
        if departure.stop.name != stop.name {
            line.append(departure.stop.words)
        } else if departure.stop.platform != stop.platform || change != nil {
            line.append(PlatformText.of(departure.stop.platform) ?? departure.stop.name)
        }
        if let change { line.append(" \(change)", .caution) }
        return line
    }
}

/// The groups of a board by the user's direction of travel, in display order.
enum DepartureGroup: String, CaseIterable {
    case work = "going to work"
    case home = "going home"
    case unknown = "direction unknown"

    init(_ departure: Departure) {
        switch departure.direction {
        case "work": self = .work
        case "home": self = .home
        default: self = .unknown
        }
    }
}
