internal import TransitControl
internal import TransitModel

extension View where Result == AlertsResult {
    /// The service alerts, most urgent first.
    static let alerts = View(page: page, rows: rows)

    /// Rows for scripts: feed, id, severity, effect, cause, whether the alert is active, header, url, and the age of the
    /// data in seconds.
    private static func rows(_ result: AlertsResult) -> [[String]] {
        result.alerts.map {
            [
                $0.feed.rawValue, $0.id, $0.severity.rawValue, $0.effect.rawValue, $0.cause.rawValue,
                String($0.isActive), $0.header ?? "", $0.url ?? "", $0.age.map(String.init) ?? "",
            ]
        }
    }

    private static func page(_ page: inout Page, _ result: AlertsResult) {
        page.line(result.count)
        for alert in result.alerts {
            page.blank()
            page.line(alert.title)
            page.pieces(alert.facts(from: result.at), indent: 2)
            if let description = alert.description, !description.isEmpty, description != alert.header {
                page.line(description, indent: 2)
            }
            if let url = alert.url, !url.isEmpty { page.line(url, .faint, indent: 2) }
        }
        if result.nextCursor != nil {
            page.line("There are more. Use -n 500, or name a stop, route or commute.", .faint)
        }
    }
}

extension AlertsResult {
    /// The number of alerts, such as "3 alerts, 1 of them not active now." If data is missing, an empty list does not mean
    /// that there are no alerts.
    fileprivate var count: Line {
        if alerts.isEmpty { return Line(notices.isEmpty ? "No alerts." : "No alerts known.") }
        var text = alerts.count == 1 ? "1 alert" : "\(alerts.count) alerts"
        if nextCursor != nil { text = "The first \(text)" }
        let later = alerts.count { !$0.isActive }
        if later > 0 { text += alerts.count == 1 ? ", not active now" : ", \(later) of them not active now" }
        return Line(text + ".", .faint)
    }
}

extension AlertSummary {
    fileprivate var title: Line {
        var line = Line()
        switch severity {
        case .severe: line.append("severe: ", .bad)
        case .warning: line.append("warning: ", .caution)
        case .info: line.append("info: ", .info)
        case .unknown, .other: break
        }
        line.append(header ?? description ?? id, .strong)
        return line
    }

    fileprivate func facts(from now: Timestamp) -> [Line] {
        var facts: [Line] = []
        if effect != .unknown, effect != .other { facts.append(Line(Self.words(effect.rawValue))) }
        if cause != .unknown, cause != .other { facts.append(Line(Self.words(cause.rawValue))) }
        let subjects = Set(informedEntities.compactMap(\.words)).sorted()
        let unlisted = max(0, (informedEntityCount ?? 0) - informedEntities.count)
        if !subjects.isEmpty { facts.append(Line(Self.list(subjects, unlisted: unlisted))) }
        if let period = period(from: now) { facts.append(period) }
        if let age { facts.append(Line("\(DurationText.of(seconds: max(0, age))) old", .faint)) }
        facts.append(Line(feed.rawValue, .faint))
        return facts
    }

    private static func words(_ word: String) -> String { word.split(separator: "_").joined(separator: " ") }

    /// Lists at most six subjects.
    ///
    /// - Parameter unlisted: The number of further subjects that the reply does not list.
    private static func list(_ subjects: [String], unlisted: Int) -> String {
        let rest = max(0, subjects.count - 6) + unlisted
        return subjects.prefix(6).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }

    /// Returns the current or next period, such as "until 18:00" or "not yet: from tomorrow 08:00".
    private func period(from now: Timestamp) -> Line? {
        if isActive {
            let end = activePeriods.compactMap(\.end).filter { $0.instant > now.instant }.min {
                $0.instant < $1.instant
            }
            return end.map { Line("until \($0.words(from: now))") }
        }
        let start = activePeriods.compactMap(\.start).filter { $0.instant > now.instant }.min {
            $0.instant < $1.instant
        }
        return start.map { Line("not yet: from \($0.words(from: now))", .caution) } ?? Line("not active now", .faint)
    }
}

extension AlertSubject {
    /// The name of the subject, such as "Bus 24" or "Mill Lane".
    fileprivate var words: String? {
        if let trip { return "trip \(trip)" }
        let route = routeName ?? route?.rawValue
        switch (route, place) {
        case (let route?, let stop?): return "\(route) at \(stop)"
        case (let route?, nil): return route
        case (nil, let stop?): return stop
        case (nil, nil): return agency?.rawValue
        }
    }

    /// The name of the stop. The name of an elevator or entrance is followed by the name of its station, unless it
    /// contains that name.
    private var place: String? {
        guard let name = stopName else { return stop?.rawValue }
        guard let stationName, stopKind == .node || stopKind == .entrance || stopKind == .boardingArea,
            !name.contains(stationName)
        else { return name }
        return "\(name) (\(stationName))"
    }
}
