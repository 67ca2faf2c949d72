internal import TransitControl
internal import TransitModel

extension View where Result == JourneysResult {
    /// Journeys, each with its rides, walks and changes.
    static let journeys = View(page: page) { $0.journeys.rows }.numbered(
        .departure, count: { $0.journeys.legCount },
        command: { "transitctl journey \($0.from.words) to \($0.to.words)" })

    private static func page(_ page: inout Page, _ result: JourneysResult) {
        if result.journeys.isEmpty {
            let ends = "from \(result.from.words) to \(result.to.words)"
            let reason = result.notices.first { $0.kind == .noService }?.message
            page.line(reason ?? "Journeys \(ends) are not known.")
        }
        page.add(result.journeys, to: result.to, isOnBoard: result.onBoard != nil)
        if let walk = result.walk {
            page.blank()
            page.line("Walking all the way takes about \(WalkText.of(walk)).", .faint)
        }
    }
}

extension View where Result == LastJourneysResult {
    /// The last journeys of a day, and what follows.
    static let lastJourneys = View(page: page) { ($0.journeys + [$0.following].compactMap(\.self)).rows }.numbered(
        .departure, count: { $0.journeys.legCount }, command: { _ in "transitctl last" })

    private static func page(_ page: inout Page, _ result: LastJourneysResult) {
        if result.journeys.isEmpty {
            let ends = "from \(result.commute.from.words) to \(result.commute.to.words)"
            let reason = result.notices.first { $0.kind == .noService }?.message
            page.line(reason ?? "Journeys \(ends) are not known.")
        }
        page.add(result.journeys, to: result.commute.to)
        guard let following = result.following else {
            if !result.journeys.isEmpty { page.line("No journey is known after that.", .caution) }
            return
        }
        page.blank()
        let start = following.leaveBy.words(from: result.at)
        let end = following.arrival.words(on: following.leaveBy, from: result.at)
        page.line(
            Line(result.journeys.isEmpty ? "The first one leaves " : "After that, the first one leaves ")
                + Line(start, .accent) + Line(" and arrives ") + Line(end, .strong) + Line("."))
    }
}

extension Page {
    /// Adds journeys, separated by empty lines.
    ///
    /// - Parameter isOnBoard: Whether riders are on board of the first ride.
    fileprivate mutating func add(_ journeys: [Journey], to destination: CommuteEndpoint, isOnBoard: Bool = false) {
        for journey in journeys {
            blank()
            add(journey, to: destination.words, isOnBoard: isOnBoard)
        }
    }

    /// - Parameters:
    ///   - destination: The name of the end of the journey.
    ///   - isOnBoard: Whether riders are on board of the first ride.
    mutating func add(_ journey: Journey, to destination: String, isOnBoard: Bool = false) {
        line(journey.heading(isOnBoard: isOnBoard))
        if let walk = journey.walkBefore, walk > 0 {
            line("walk \(WalkText.of(walk)) to \(journey.legs[0].departure.stop.words)", indent: 2)
        }
        for (position, leg) in journey.legs.enumerated() {
            if let change = leg.change {
                line(change.line, indent: 2)
                if let next = change.lineIfMissed(of: journey) { line(next, indent: 4) }
            }
            add(leg.explanation, indent: 4)
            let number = numbers.next(journey.row(at: position))
            numbers.mention(journey.mentionedRows(at: position))
            let stay = isOnBoard && position == 0 ? "stay in " : ""
            line(number + Line(stay) + leg.line(of: journey), indent: 2)
            pieces(leg.details(isFirst: position == 0), indent: max(4, 2 + numbers.width))
        }
        if let walk = journey.walkAfter, walk > 0 {
            line("walk \(WalkText.of(walk)) to \(destination)", indent: 2)
        }
    }
}

extension [Journey] {
    /// The number of rides.
    var legCount: Int { reduce(0) { $0 + $1.legs.count } }

    /// Rows for scripts, one for each ride: the number of the journey, the time to leave, its arrival and its number of
    /// changes; the seconds in hand and the judgment of the change before the ride; whether riders stay on board; then the
    /// fields of a departure.
    var rows: [[String]] {
        enumerated().flatMap { number, journey in
            journey.legs.map { leg in
                [
                    String(number + 1), journey.leaveBy.rfc3339, journey.arrival.rfc3339, String(journey.changes),
                    leg.change.map { String($0.inHand) } ?? "", leg.change?.judgment.rawValue ?? "",
                    leg.stayOnBoard ? "stay" : "",
                ] + leg.departure.row
            }
        }
    }
}

extension Journey {
    /// Returns the row of a numbered list for a ride.
    func row(at position: Int) -> TerminalRows.Row {
        var row = legs[position].departure.listedRow
        row.names += legs[position].departure.time.map { [$0.words(on: leaveBy, from: now)] } ?? []
        row.after = ride(before: position, changeTime: legs[position].change?.walk)
        return row
    }

    /// Returns rows for the other departures that are shown with a ride, which a person can name as well: those of other
    /// routes, and what follows if the change breaks.
    func mentionedRows(at position: Int) -> [TerminalRows.Row] {
        let leg = legs[position]
        let next = leg.change?.ifMissed.map { ($0.id, $0.route, $0.departure) }
        return (leg.alternatives.map { ($0.id, $0.route, $0.departure) } + [next].compactMap(\.self)).map {
            (id: String, route: RouteSummary, time: Timestamp) in
            let words = time.words(on: leaveBy, from: now)
            return TerminalRows.Row(
                id: id, words: "\(route.words) at \(words)",
                names: [route.words, route.displayName, words, leg.departure.stop.name],
                after: ride(before: position, changeTime: nil))
        }
    }

    private func ride(before position: Int, changeTime: Int?) -> PreviousRide? {
        guard position > 0, let arrival = legs[position - 1].departure.arrival else { return nil }
        return PreviousRide(
            departure: legs[position - 1].departure.id, to: arrival.stop.id, changeTime: changeTime,
            stayOnBoard: legs[position].stayOnBoard)
    }
}

extension JourneysResult {
    /// Returns the requested time; `nil` for journeys from now on.
    func heading(for time: RequestedTime?, isArrival: Bool) -> String? {
        guard time != nil else { return nil }
        return isArrival ? "arriving by \(DayName.long(at.date)), \(at.clock)" : at.heading(for: time)
    }
}

extension Journey {
    /// The time of the request.
    var now: Timestamp { Timestamp(leaveBy.instant.advanced(by: -leaveIn), offset: leaveBy.offset) }

    /// A line such as "leave 07:58 (in 12 minutes)  arrive 08:41  43 min, 1 change", or
    /// "on board  arrive 08:41  31 min, 1 change" with the time from now on.
    fileprivate func heading(isOnBoard: Bool) -> Line {
        var line = Line(isOnBoard ? "on board" : "leave \(leaveBy.words(from: now))", .accent)
        // The waiting time says nothing about another day.
        if !isOnBoard, (-3600..<12 * 3600).contains(leaveIn) {
            line.append(" (\(RelativeTime.words(seconds: leaveIn)))")
        }
        line.append("  arrive \(arrival.words(on: leaveBy, from: now))", .strong)
        let start = isOnBoard ? max(now.instant, leaveBy.instant) : leaveBy.instant
        let duration = start.seconds(to: arrival.instant)
        line.append("  \(DurationText.short(seconds: max(0, duration))), ", .faint)
        line.append(changes == 0 ? "no change" : CountText.of(changes, "change"), .faint)
        return line
    }
}

extension Timestamp {
    /// Returns the time of day, with its date if that is not the one of `start`, which is shown with its own date.
    func words(on start: Timestamp, from now: Timestamp) -> String {
        days(from: start) == 0 ? clock : words(from: now)
    }
}

extension JourneyLeg {
    /// A line such as `Train 123 at 08:05 (live), +2 min late, or Bus 12 at 08:07`, or
    /// `stay on board as Bus 24 at 08:12 (scheduled)`.
    func line(of journey: Journey) -> Line {
        let line =
            Line(stayOnBoard ? "stay on board as " : "") + departure.rideLine(of: journey.leaveBy, from: journey.now)
        return alternatives.reduce(into: line) { line, other in
            line.append(", or ", .faint)
            line.append(Line(other.route.words, other.route.style))
            line.append(" at \(other.departure.words(on: journey.leaveBy, from: journey.now))")
        }
    }

    /// Where the ride leads, and what riders have to know.
    fileprivate func details(isFirst: Bool) -> [Line] {
        var pieces: [Line] = []
        if isFirst || departure.platformChange != nil { pieces.append(departure.from) }
        if !departure.destination.isEmpty { pieces.append(departure.destination) }
        if let arrival = departure.arrival {
            let words = arrival.time.map { "arrives \($0.clock)" } ?? "arrival time unknown"
            pieces.append(Line("\(words) at \(arrival.stop.words)"))
        }
        return pieces + departure.optionalConditions + departure.warnings
            + [departure.alertCount].filter { !$0.isEmpty }
    }
}

extension JourneyChange {
    /// A line such as "if you miss it: Ferry F at 23:00, arrive 23:12"; `nil` for a change that is safe.
    func lineIfMissed(of journey: Journey) -> Line? {
        guard judgment == .tight || judgment == .missed else { return nil }
        guard let next = ifMissed else { return Line("if you miss it: nothing follows within a day", .caution) }
        func words(_ time: Timestamp) -> String { time.words(on: journey.leaveBy, from: journey.now) }
        return Line("if you miss it: ", .faint) + Line(next.route.words, next.route.style)
            + Line(" at \(words(next.departure)), arrive \(words(next.arrival))")
    }

    /// A line such as "change at Millbrae, walk 3 min: 4 min in hand, safe".
    var line: Line {
        let isSameName = fromStop.name == toStop.name
        var place = isSameName ? "change at \(fromStop.name)" : "change from \(fromStop.words) to \(toStop.words)"
        if isSameName, fromStop.platform != toStop.platform, let platform = PlatformText.of(toStop.platform) {
            place += ", \(platform)"
        }
        if walk > 0 { place += ", \(fromStop.id == toStop.id ? "needs" : "walk") \(WalkText.of(walk))" }
        var line = Line(place + ": ")
        if isTimed {
            line.append("the next vehicle waits", .good)
            return line
        }
        line.append("\(DurationText.short(seconds: abs(inHand))) \(inHand < 0 ? "too short" : "in hand"), ")
        switch judgment {
        case .safe: line.append("safe", .good)
        case .tight: line.append("tight", .caution)
        case .missed: line.append("missed", .bad)
        case .other: line.append("not known", .faint)
        }
        return line
    }
}
