internal import TransitControl

extension View where Result == DeparturesResult {
    /// The board of a stop: a line each, with where it goes and from which platform beside it.
    static let departures = View(page: page, rows: { $0.departures.map(\.row) })

    private static func page(_ result: DeparturesResult) -> Page {
        var page = Page()
        page.line(Line(result.stop.words, .strong) + Line("  \(result.stop.reference)", .faint))
        guard !result.departures.isEmpty else {
            page.line(NothingWords.of("from there", result.notices))
            return page
        }
        var table = Table(
            [.init(title: "departure"), .init(title: "to", shrinks: true), .init(title: "from"), .init(title: "")],
            showsTitles: false)
        for departure in result.departures {
            table.add([
                departure.line(from: result.at), Line(departure.headsign.map { $0.isEmpty ? "" : "to \($0)" } ?? ""),
                place(of: departure, at: result.stop), joined(departure.conditions),
            ])
        }
        page.table(table)
        return page
    }

    /// What the title does not say: the platform, and the stop where it is another one.
    private static func place(of departure: Departure, at stop: StopSummary) -> Line {
        let change = PlatformWords.change(from: departure.scheduledStop, to: departure.stop)
        var line = Line()
        if departure.stop.name != stop.name {
            line.append(departure.stop.words)
        } else if departure.stop.platform != stop.platform || change != nil {
            line.append(PlatformWords.of(departure.stop.platform) ?? departure.stop.name)
        }
        if let change { line.append(" \(change)", .caution) }
        return line
    }

    private static func joined(_ pieces: [Line]) -> Line {
        pieces.enumerated().reduce(into: Line()) { line, piece in
            if piece.offset > 0 { line.append(", ") }
            line.append(piece.element)
        }
    }
}
