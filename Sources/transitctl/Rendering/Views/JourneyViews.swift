internal import TransitControl
internal import TransitModel

extension View where Result == JourneysResult {
    /// Journeys, each with its rides, walks and changes.
    static let journeys = View(page: page, rows: rows)

    private static func page(_ page: inout Page, _ result: JourneysResult) {
        guard !result.journeys.isEmpty else {
            let ends = "from \(result.from.words) to \(result.to.words)"
            let reason = result.notices.first { $0.kind == .noService }?.message
            return page.line(reason ?? "Journeys \(ends) are not known.")
        }
        for journey in result.journeys {
            page.blank()
            add(journey, of: result, to: &page)
        }
    }

    private static func add(_ journey: Journey, of result: JourneysResult, to page: inout Page) {
        page.line(journey.heading)
        if let walk = journey.walkBefore, walk > 0 {
            page.line("walk \(WalkText.of(walk)) to \(journey.legs[0].departure.stop.words)", indent: 2)
        }
        for (position, leg) in journey.legs.enumerated() {
            if let change = leg.change { add(change, of: journey, to: &page) }
            page.line(leg.line(of: journey), indent: 2)
            page.pieces(leg.details(isFirst: position == 0), indent: 4)
        }
        if let walk = journey.walkAfter, walk > 0 {
            page.line("walk \(WalkText.of(walk)) to \(result.to.words)", indent: 2)
        }
    }

    private static func add(_ change: JourneyChange, of journey: Journey, to page: inout Page) {
        page.line(change.line, indent: 2)
        guard change.judgment == .tight || change.judgment == .missed else { return }
        guard let next = change.ifMissed else {
            return page.line("if you miss it: nothing follows within a day", .caution, indent: 4)
        }
        func words(_ time: Timestamp) -> String { time.words(on: journey.leaveBy, from: journey.now) }
        page.line(
            Line("if you miss it: ", .faint) + Line(next.route.words, next.route.style)
                + Line(" at \(words(next.departure)), arrive \(words(next.arrival))"), indent: 4)
    }

    /// Rows for scripts, one for each ride: the number of the journey, the time to leave, its arrival and its number of
    /// changes; the seconds in hand and the judgment of the change before the ride; whether riders stay on board; then the
    /// fields of a departure.
    private static func rows(_ result: JourneysResult) -> [[String]] {
        result.journeys.enumerated().flatMap { number, journey in
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

extension JourneysResult {
    /// Returns the requested time; `nil` for journeys from now on.
    func heading(for time: RequestedTime?, isArrival: Bool) -> String? {
        guard time != nil else { return nil }
        return isArrival ? "arriving by \(DayName.long(at.date)), \(at.clock)" : at.heading(for: time)
    }
}

extension Journey {
    /// The time of the request.
    fileprivate var now: Timestamp { Timestamp(leaveBy.instant.advanced(by: -leaveIn), offset: leaveBy.offset) }

    /// A line such as "leave 07:58 (in 12 minutes)  arrive 08:41  43 min, 1 change".
    fileprivate var heading: Line {
        var line = Line("leave \(leaveBy.words(from: now))", .accent)
        // The waiting time says nothing about another day.
        if (-3600..<12 * 3600).contains(leaveIn) { line.append(" (\(RelativeTime.words(seconds: leaveIn)))") }
        line.append("  arrive \(arrival.words(on: leaveBy, from: now))", .strong)
        let duration = leaveBy.instant.seconds(to: arrival.instant)
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
    /// A line such as `Train 123 at 08:05 (live), +2 min late`, or `stay on board as Bus 24 at 08:12 (scheduled)`.
    fileprivate func line(of journey: Journey) -> Line {
        Line(stayOnBoard ? "stay on board as " : "") + departure.rideLine(of: journey.leaveBy, from: journey.now)
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
    /// A line such as "change at Millbrae, walk 3 min: 4 min in hand, safe".
    fileprivate var line: Line {
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
