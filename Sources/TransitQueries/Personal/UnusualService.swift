internal import TransitEngine
package import TransitModel
internal import TransitStore

/// The service on a date that differs from the usual service of its weekday, such as on a holiday.
package struct UnusualService: Hashable, Sendable {
    /// A route in one direction at the user's stops.
    package struct Line: Hashable, Sendable {
        /// "Bus 24".
        package var name: String
        /// The number of departures on a usual day of the weekday.
        package var usual: Int
        /// The number of departures on the date.
        package var planned: Int

        package init(name: String, usual: Int, planned: Int) {
            self.name = name
            self.usual = usual
            self.planned = planned
        }
    }

    package var date: ServiceDate
    /// The affected lines, one for each name; not empty.
    package var lines: [Line]
    /// The day of the week whose service all affected lines have; `nil` if there is none.
    package var resembles: Weekday?

    package init(date: ServiceDate, lines: [Line], resembles: Weekday? = nil) {
        self.date = date
        self.lines = lines
        self.resembles = resembles
    }

    /// The weeks with which a date is compared, before and after it.
    private static let comparedWeeks = [-2, -1, 1, 2]

    /// Compares the departures on a date at the user's stops with those on the same weekday of the neighboring weeks.
    ///
    /// The usual service is the most frequent one of the covered weeks. If the date has one of the most frequent, as on
    /// the first day of a new timetable, it is usual. Returns `nil` if no line differs.
    ///
    /// - Throws: `StoreError`.
    package init?(on date: ServiceDate, _ network: PersonalNetwork, _ context: QueryContext) throws {
        var found: [String: Line] = [:]
        var order: [String] = []
        var candidates: Set<Weekday> = [.saturday, .sunday]
        candidates.remove(date.weekday)
        for line in network.lines {
            guard let stops = line.boarding,
                let timetable = context.feeds.first(where: { $0.id == line.feed })?.timetable,
                timetable.covers(date), let visits = try Self.visits(line, stops, timetable)
            else { continue }
            let planned = timetable.plannedTimes(of: visits, on: date)
            let weeks = Self.comparedWeeks.map { date.advanced(by: 7 * $0) }.filter { timetable.covers($0) }
            guard let usual = Self.usual(weeks.map { timetable.plannedTimes(of: visits, on: $0) }, planned) else {
                continue
            }
            candidates = candidates.filter { weekday in
                Self.neighbors(of: date, on: weekday).contains {
                    timetable.covers($0) && timetable.plannedTimes(of: visits, on: $0) == planned
                }
            }
            if found[line.name] == nil { order.append(line.name) }
            let known = found[line.name]
            // The same departures serve several subjects. The largest difference is shown.
            if abs(usual.count - planned.count) >= known.map({ abs($0.usual - $0.planned) }) ?? 0 {
                found[line.name] = Line(name: line.name, usual: usual.count, planned: planned.count)
            }
        }
        if order.isEmpty { return nil }
        let lines = order.compactMap { found[$0] }
        let hasService = lines.contains { $0.planned > 0 }
        self.init(
            date: date, lines: lines,
            resembles: hasService ? [Weekday.sunday, .saturday].first { candidates.contains($0) } : nil)
    }

    private static func visits(
        _ line: PersonalNetwork.Line, _ stops: Set<StopID>, _ timetable: Timetable
    ) throws -> [PatternCallPosition]? {
        guard let route = timetable.file.route(id: line.route) else { return nil }
        var indices: [StopIndex] = []
        for stop in stops.sorted() {
            if let index = try timetable.file.stop(id: stop) { indices.append(index) }
        }
        return try FeedBoard(timetable, stops: indices, routes: [route]).visits.filter { visit in
            visit.pattern.direction == line.direction && visit.position + 1 < visit.pattern.callCount
        }
    }

    /// Returns the usual departures if those of the date differ from them.
    private static func usual(_ weeks: [[ServiceTime]], _ planned: [ServiceTime]) -> [ServiceTime]? {
        let counts = Dictionary(weeks.map { ($0, 1) }, uniquingKeysWith: +)
        guard let most = counts.values.max(), counts[planned] != most else { return nil }
        return weeks.first { counts[$0] == most }
    }

    private static func neighbors(of date: ServiceDate, on weekday: Weekday) -> [ServiceDate] {
        (-7...7).map { date.advanced(by: $0) }.filter { $0.weekday == weekday && $0 != date }
    }
}
