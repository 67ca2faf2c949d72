internal import TransitControl
internal import TransitModel

extension View where Result == DeparturesResult {
    /// The departures of a stop, one per line, with headsign and platform.
    static let departures = View(page: page, rows: { $0.departures.map(\.row) }).numbered(
        .departure, count: { $0.departures.count },
        command: { "transitctl departures \(ShellText.quoted($0.stop.name))" })

    private static func page(_ page: inout Page, _ result: DeparturesResult) {
        page.line(Line(result.stop.words, .heading) + Line("  \(result.stop.reference)", .faint))
        guard !result.departures.isEmpty else {
            return page.line(EmptyBoardText.of("from this stop", result.notices))
        }
        let groups = DepartureGroup.allCases.map { group in
            (group, result.departures.filter { DepartureGroup($0) == group })
        }.filter { !$0.1.isEmpty }
        let isGrouped = groups.contains { $0.0 != .unknown }
        for (group, departures) in groups {
            if isGrouped { page.line(group.rawValue, .faint) }
            page.table(table(of: departures, in: result, indent: isGrouped ? 2 : 0, &page.numbers))
        }
    }

    private static func table(
        of departures: [Departure], in result: DeparturesResult, indent: Int, _ numbers: inout RowNumbers
    ) -> Table {
        Table(["departure", .shrinking("to"), "from", ""], indent: indent, showsTitles: false, of: departures) {
            departure in
            [
                numbers.next(departure.listedRow) + departure.line(from: result.at), departure.destination,
                place(of: departure, at: result.stop), Line(joining: departure.conditions),
            ]
        }
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

extension View where Result == NextResult {
    /// The next departures for a commute, each with the details of the journey.
    static let next = View.next(in: .metric)

    /// - Parameter units: The units of the locale, for a person who did not choose any.
    static func next(in units: DisplayUnits) -> View {
        View(
            page: { page(&$0, $1, $1.units.units(locale: units)) }, rows: { $0.departures.map(\.row) }
        ).numbered(
            .departure, count: { $0.departures.count },
            command: { result in
                let words = result.commute.origin == .request ? [] : [ShellText.quoted(result.commute.name)]
                return (["transitctl next"] + words).joined(separator: " ")
            })
    }

    private static func page(_ page: inout Page, _ result: NextResult, _ units: DisplayUnits) {
        for departure in result.departures {
            page.line(page.numbers.next(departure.listedRow) + departure.line(from: result.at))
            page.pieces(
                departure.directTripDetails(of: result.commute, from: result.at), indent: max(2, page.numbers.width))
        }
        if result.departures.isEmpty {
            page.line(
                EmptyBoardText.of("from \(result.commute.from.words) to \(result.commute.to.words)", result.notices))
        }
        result.weather?.add(to: &page, units)
    }
}

extension CommuteEndpoint {
    /// The stop's name, or the place as entered. A stop whose name is not known is described by its feed, because its
    /// identifiers mean nothing to a person.
    var words: String {
        if let name { return name }
        guard kind == .stop, let feed = reference.split(separator: ":").first else { return reference }
        return "a stop of \(feed)"
    }
}

/// The text for a board without departures. It distinguishes no service from missing data.
enum EmptyBoardText {
    static func of(_ what: String, _ notices: [Notice]) -> String {
        if let notice = notices.first(where: { $0.kind == .noService }) { return notice.message }
        let isUnsure = notices.contains {
            [.missing, .failed, .expired, .importing, .fetching, .suspended, .noTimetable].contains($0.kind)
        }
        return isUnsure ? "Departures \(what) are unknown." : "No further departures \(what) in this timetable."
    }
}

extension NextResult {
    /// Returns the commute if it was chosen automatically and the time if one was requested, or `nil` for neither.
    func heading(isNamed: Bool, hasTime: Bool) -> String? {
        let words = [isNamed ? nil : commute.name, hasTime ? at.heading : nil].compactMap { $0 }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }
}

extension Timestamp {
    /// The time of a board for another day, such as "from Monday 30 March 2026, 08:00".
    var heading: String { "from \(DayName.long(date)), \(clock)" }
}
