internal import TransitControl
internal import TransitModel

extension View where Result == DeparturesResult {
    /// The departures of a stop, one per line, with headsign and platform.
    static let departures = View.departures(showsPunctuality: false)

    /// - Parameter showsPunctuality: Whether the delays of each departure on earlier days were asked for.
    static func departures(showsPunctuality: Bool) -> View {
        View(
            page: { (page, result) in
                Self.page(&page, result)
                let isKnown = result.departures.contains { $0.punctuality != nil }
                if showsPunctuality, !result.departures.isEmpty, !isKnown { page.line(PunctualityText.unknown, .faint) }
            }, rows: { $0.departures.map(\.row) }
        ).numbered(
            .departure, count: { $0.departures.count },
            command: { "transitctl departures \(ShellText.quoted($0.stop.name))" })
    }

    private static func page(_ page: inout Page, _ result: DeparturesResult) {
        page.line(
            Line(result.stop.words, .heading) + Line("  \(result.stop.reference)", .faint)
                + Line(result.walkWords.map { "  \($0)" } ?? "", .faint))
        guard !result.departures.isEmpty else {
            return page.line(EmptyBoardText.of("from this stop", result.notices))
        }
        let groups = DepartureGroup.allCases.map { group in
            (group, result.departures.filter { DepartureGroup($0) == group })
        }.filter { !$0.1.isEmpty }
        let isGrouped = groups.contains { $0.0 != .unknown }
        for (position, (group, departures)) in groups.enumerated() {
            if isGrouped { page.line(group.rawValue, .faint) }
            let isLast = position == groups.count - 1
            page.table(
                table(
                    of: departures, in: result, indent: isGrouped ? 2 : 0,
                    alerts: isLast ? DepartureAlerts.line(result.departures, "--stop \(result.stop.reference)") : nil,
                    &page.numbers))
        }
    }

    /// - Parameter alerts: A line that replaces the column of alerts.
    private static func table(
        of departures: [Departure], in result: DeparturesResult, indent: Int, alerts: Line?,
        _ numbers: inout RowNumbers
    ) -> Table {
        var table = Table(
            [
                "departure", "leave", .shrinking("to"), .shrinking("stop"), .optional("platform"),
                .optional("alerts", substitute: alerts), .optional(""), .movingBelow(""),
            ], indent: indent, showsTitles: false)
        table.detailIndent = max(2, numbers.width)
        for departure in departures {
            let number = numbers.next(departure.listedRow)
            let isElsewhere = departure.stop.name != result.stop.name
            table.notes.append([departure.punctuality.map(PunctualityText.pieces) ?? []])
            table.add([
                number + departure.line(from: result.at), departure.leaveCell(from: result.at, isReachable: false),
                departure.destination, Line(isElsewhere ? departure.stop.name : ""),
                platform(of: departure, at: result.stop), departure.alertCount,
                Line(joining: departure.optionalConditions),
                Line(joining: [departure.platformChange].compactMap(\.self) + departure.warnings),
            ])
            table.shortCells.append(departure.shortLines(from: result.at).map { number + $0 })
        }
        return table
    }

    /// Returns the platform if it differs from that of the board; a change of the platform is a warning.
    private static func platform(of departure: Departure, at stop: StopSummary) -> Line {
        guard departure.platformChange == nil,
            departure.stop.name != stop.name || departure.stop.platform != stop.platform
        else { return Line() }
        return Line(PlatformText.of(departure.stop.platform) ?? "")
    }
}

extension DeparturesResult {
    /// The walk to the stop, such as "8 min walk from home"; `nil` if it is not known.
    fileprivate var walkWords: String? {
        guard let walk = departures.lazy.compactMap(\.walk).min(), walk > 0 else { return nil }
        return "\(WalkText.of(walk)) walk" + (from.map { " from \($0)" } ?? "")
    }
}

/// The line that replaces the numbers of alerts on a narrow terminal.
private enum DepartureAlerts {
    /// Returns a line such as "2 departures have alerts: transitctl alerts --stop demo:70211"; `nil` without alerts.
    static func line(_ departures: [Departure], _ option: String) -> Line? {
        let count = departures.count { !$0.alerts.isEmpty }
        guard count > 0 else { return nil }
        return Line("\(CountText.of(count, "departure")) \(count == 1 ? "has" : "have") alerts: ", .caution)
            + Line("transitctl alerts" + (option.isEmpty ? "" : " \(option)"))
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
            .departure, count: { $0.departures.count + $0.journeys.legCount },
            command: { result in
                let words = result.commute.origin == .request ? [] : [ShellText.quoted(result.commute.name)]
                return (["transitctl next"] + words).joined(separator: " ")
            })
    }

    private static func page(_ page: inout Page, _ result: NextResult, _ units: DisplayUnits) {
        if result.departures.isEmpty, result.journeys.isEmpty {
            page.line(
                EmptyBoardText.of("from \(result.commute.from.words) to \(result.commute.to.words)", result.notices))
        } else {
            page.table(table(of: result, &page.numbers))
        }
        result.weather?.add(to: &page, units)
    }

    private static func table(of result: NextResult, _ numbers: inout RowNumbers) -> Table {
        let way = CommonWay(result)
        let alerts =
            result.commute.origin == .request
            ? "" : "--commute \(ShellText.quoted(result.commute.name))"
        var table = Table(
            [
                "departure", "leave", .shrinking("to"), .shrinking("from"), .major("arrives"), .shrinking("at"),
                .optional("platform"),
                .optional("alerts", substitute: DepartureAlerts.line(result.departures, alerts)), .optional(""),
                .movingBelow(""),
            ], showsTitles: false)
        table.heading = way.line
        table.detailIndent = max(2, numbers.width)
        for entry in result.entries {
            switch entry {
            case .departure(let departure, let faster):
                add(departure, arriving: departure.arrival, to: &table, way, of: result, &numbers)
                table.notes.append(faster.map { [[$0.beatingLine]] } ?? [])
            case .journey(let journey):
                add(
                    journey.legs[0].departure, arriving: journey.lastArrival, then: journey.otherRoutes,
                    to: &table, way, of: result, &numbers)
                numbers.mention(journey.mentionedRows(at: 0))
                table.notes.append(journey.changeLines(&numbers))
            }
        }
        if result.journeys.isEmpty, result.beaten.isEmpty { table.notes = [] }
        return table
    }

    /// Adds a departure with the arrival at the end of the way.
    ///
    /// - Parameters:
    ///   - arrival: That of the departure or, for the first ride of a journey, that of the last one.
    ///   - others: The routes that follow the first ride.
    private static func add(
        _ departure: Departure, arriving arrival: Arrival?, then others: Line = Line(), to table: inout Table,
        _ way: CommonWay, of result: NextResult, _ numbers: inout RowNumbers
    ) {
        let number = numbers.next(departure.listedRow)
        let arrival = departure.runs ? arrival : nil
        let skipped = arrival?.status == .skipped ? arrival?.skippedLine : nil
        table.add([
            number + departure.line(from: result.at) + others,
            departure.leaveCell(from: result.at, isReachable: true),
            way.isNamedLikeDestination ? Line() : departure.destination,
            Line(way.from == nil ? "from \(departure.stop.name)" : ""),
            skipped == nil ? arrival?.cell ?? Line() : Line(),
            Line(way.to == nil && skipped == nil ? arrival.map { "at \($0.stop.name)" } ?? "" : ""),
            Line(
                way.platform == nil && departure.platformChange == nil
                    ? PlatformText.of(departure.stop.platform) ?? "" : ""),
            departure.alertCount,
            Line(joining: departure.optionalConditions + [departure.confidenceLine].compactMap(\.self)),
            Line(joining: [departure.platformChange, skipped].compactMap(\.self) + departure.warnings),
        ])
        table.shortCells.append(departure.shortLines(from: result.at).map { number + $0 })
        table.details.append(departure.directTripDetails(of: result.commute, from: result.at))
    }
}

/// A row of `next`.
enum NextEntry {
    /// A direct trip, with the journey that beats it.
    case departure(Departure, beatenBy: Journey?)
    case journey(Journey)
}

extension NextResult {
    /// The direct trips in their order, with each journey before the first direct trip for which riders leave later.
    var entries: [NextEntry] {
        var entries: [NextEntry] = []
        var waiting = journeys[...]
        for departure in departures {
            let leave = departure.leaveBy ?? departure.time
            while let first = waiting.first, let leave, first.leaveBy.instant < leave.instant {
                entries.append(.journey(first))
                waiting.removeFirst()
            }
            let better = beaten.first { $0.departure == departure.id }
            entries.append(
                .departure(
                    departure,
                    beatenBy: better.flatMap { journeys.indices.contains($0.journey) ? journeys[$0.journey] : nil }))
        }
        return entries + waiting.map { .journey($0) }
    }
}

extension Journey {
    fileprivate var lastArrival: Arrival? { legs[legs.count - 1].departure.arrival }

    /// The routes to which riders change, such as ", then Ferry F".
    fileprivate var otherRoutes: Line {
        legs.dropFirst().filter { !$0.stayOnBoard }.reduce(into: Line()) { line, leg in
            line.append(", then ")
            line.append(Line(leg.departure.route.words, leg.departure.route.style))
        }
    }

    /// The changes, each followed by the ride, its arrival, and what to do if the change breaks.
    fileprivate func changeLines(_ numbers: inout RowNumbers) -> [[Line]] {
        legs.indices.dropFirst().flatMap { position -> [[Line]] in
            let leg = legs[position]
            let number = numbers.next(row(at: position))
            numbers.mention(mentionedRows(at: position))
            let arrival = leg.departure.arrival?.time.map { ", arrives \($0.clock)" } ?? ""
            let ride = number + leg.line(of: self) + Line(arrival)
            return [
                [leg.change?.line].compactMap(\.self),
                [ride, leg.change?.lineIfMissed(of: self)].compactMap(\.self),
            ]
        }
    }

    /// A line such as "faster: leave 08:02, arrive 08:31, 1 change".
    fileprivate var beatingLine: Line {
        Line("faster: ", .caution)
            + Line("leave \(leaveBy.clock), arrive \(arrival.clock), \(CountText.of(changes, "change"))")
    }
}

/// What all departures of a commute have in common, which is shown once.
private struct CommonWay {
    /// The name of the stop where all of them leave; `nil` if they leave from several stops.
    let from: String?
    /// The platform where all of them leave; `nil` for several or unknown ones.
    let platform: String?
    /// The name of the stop where all of them arrive, or where none is known to arrive; `nil` for several stops.
    let to: String?
    /// Whether all vehicles show the stop where the trip ends for the rider, so that the destination needs no column.
    let isNamedLikeDestination: Bool
    private let walk: Int?
    private let walkAfter: Int?
    private let commute: CommuteSummary

    init(_ result: NextResult) {
        func common<Value: Hashable>(_ values: [Value]) -> Value? {
            Set(values).count == 1 ? values[0] : nil
        }
        let departures = result.departures + result.journeys.map { $0.legs[0].departure }
        let arrivals =
            result.departures.compactMap(\.arrival)
            + result.journeys.compactMap(\.lastArrival)
        commute = result.commute
        from = common(departures.map(\.stop.name))
        platform = common(departures.map { $0.platformChange == nil ? $0.stop.platform ?? "" : "" })
        to = arrivals.isEmpty ? "" : common(arrivals.map(\.stop.name))
        isNamedLikeDestination =
            result.journeys.isEmpty
            && departures.allSatisfy { departure in
                departure.scheduledHeadsign == nil && departure.headsign == departure.arrival?.stop.name
            }
        walk = from == nil ? nil : common(departures.map { $0.walk ?? 0 })
        walkAfter = to == nil ? nil : common(arrivals.map { $0.walk ?? 0 })
    }

    /// A line such as "from Mill Lane, platform 2 (8 min walk) to Harbor Square (4 min walk)", without what the commute
    /// says itself; `nil` if nothing is left.
    var line: Line? {
        var words: [String] = []
        let platform = PlatformText.of(platform)
        if let from, platform != nil || from != commute.from.name {
            words.append("from " + ([from] + [platform].compactMap(\.self)).joined(separator: ", ") + suffix(walk))
        }
        if let to, !to.isEmpty, to != commute.to.name { words.append("to " + to + suffix(walkAfter)) }
        return words.isEmpty ? nil : Line(words.joined(separator: " "), .faint)
    }

    private func suffix(_ walk: Int?) -> String {
        guard let walk, walk > 0 else { return "" }
        return " (\(WalkText.of(walk)) walk)"
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
    func heading(isNamed: Bool, time: RequestedTime?) -> String? {
        commute.heading(isNamed: isNamed, at, time)
    }
}

extension CommuteSummary {
    /// Returns the commute if it was chosen automatically and the time if one was requested, or `nil` for neither.
    func heading(isNamed: Bool, _ at: Timestamp, _ time: RequestedTime?) -> String? {
        let words = [isNamed ? nil : name, at.heading(for: time)].compactMap(\.self)
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }
}

/// The time that a user typed after `--at`.
struct RequestedTime {
    /// Whether all departures of the day are shown, because the text names only a day.
    let isDay: Bool

    /// - Parameter isLimited: Whether the user also limited the number of departures.
    init(_ text: String, isLimited: Bool = false) {
        let word = text.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let isName = word.allSatisfy { $0.isASCII && $0.isLetter } && !["now", "noon", "midnight"].contains(word)
        isDay = !isLimited && (isName || ServiceDate(iso8601: word) != nil)
    }
}

extension Timestamp {
    /// Returns the time of a board, such as "from Monday 30 March 2026, 08:00", or "Monday 30 March 2026, the whole day";
    /// `nil` for a board of now.
    func heading(for time: RequestedTime?) -> String? {
        guard let time else { return nil }
        let day = DayName.long(date)
        if !time.isDay { return "from \(day), \(clock)" }
        return clock == "00:00" ? "\(day), the whole day" : "\(day), from \(clock) to the end of the day"
    }
}
