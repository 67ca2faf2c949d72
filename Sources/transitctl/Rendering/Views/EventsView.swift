internal import TransitControl
internal import TransitModel

extension View where Result == EventsResult {
    /// The events by date, with venue, station and link, and the age and the attribution of the list.
    static func events(in units: DisplayUnits) -> View {
        View(page: { page(&$0, $1, $1.units.units(locale: units)) }, rows: { $0.events.map(\.row) })
    }

    private static func page(_ page: inout Page, _ result: EventsResult, _ units: DisplayUnits) {
        var date: ServiceDate?
        for event in result.events {
            if event.date != date || page == Page() {
                page.blank()
                page.line(Line(event.date.map { DayName.long($0) } ?? "Date not announced", .strong))
                date = event.date
            }
            page.line(event.line, indent: 2)
            page.pieces(event.details(units), indent: 4)
            if let url = event.url { page.line(url, .faint, indent: 4) }
        }
        if result.events.isEmpty { page.line(result.reasonForNone) }
        if result.total > result.events.count {
            page.line(
                "\(CountText.of(result.total - result.events.count, "more event")). Use -n 200 to show them.", .faint)
        }
        let age = result.age.map { "list \(DurationText.of(seconds: max(0, $0))) old · " } ?? ""
        page.line(age + result.attribution, .faint)
    }
}

extension EventsResult {
    /// Why no event is listed.
    fileprivate var reasonForNone: String {
        guard age != nil else { return "The events are unknown." }
        guard let knownFrom, let knownUntil else { return "No events." }
        let isKnown = date <= knownUntil && date.advanced(by: days - 1) >= knownFrom
        if isKnown { return "No events." }
        return date > knownUntil
            ? "The events are unknown. The list ends on \(DayName.long(knownUntil))."
            : "The events are unknown. The list begins on \(DayName.long(knownFrom))."
    }
}

extension EventSummary {
    /// Returns a line such as `19:30 Warriors vs. Lakers (Sports), canceled`.
    fileprivate var line: Line {
        let takesPlace = status == .scheduled || status == .rescheduled || status == .other
        var line = Line(start?.clock ?? "time not announced") + Line(" ")
        line.append(name, takesPlace ? .strong : .struck)
        if let category { line.append(" (\(category))") }
        if !takesPlace { line.append(", \(status.rawValue)", .bad) }
        return line
    }

    /// The venue, its size, and the station with the distance.
    fileprivate func details(_ units: DisplayUnits) -> [Line] {
        var place = venue.name
        if let city = venue.city, !city.isEmpty { place += ", \(city)" }
        var pieces = [Line(place)]
        if let capacity = venue.capacity {
            pieces.append(Line("up to \(CountText.of(capacity, "person", plural: "people"))"))
        }
        pieces.append(Line("\(units.distance(meters: distance)) from \(station.name)"))
        return pieces
    }

    /// The row for scripts: date, start, end, status, name, category, venue, city, capacity, station, distance in
    /// meters, feed, link.
    fileprivate var row: [String] {
        [
            date.map { "\($0)" } ?? "", start.rfc3339, end.rfc3339, status.rawValue, name, category ?? "", venue.name,
            venue.city ?? "", venue.capacity.map(String.init) ?? "", station.name, "\(distance)", feed.rawValue,
            url ?? "",
        ]
    }
}
