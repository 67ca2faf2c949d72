package import TransitControl
internal import TransitModel
package import TransitQueries
internal import TransitStore

extension QueryContext {
    /// The caller's pinned and learned departures.
    package var usualDepartures: [UsualDeparture] { personal.usualDepartures.indices.map(usualDeparture) }

    /// Returns one of the caller's departures with the names of its route and stop.
    package func usualDeparture(at position: Int) -> UsualDeparture {
        let usual = personal.usualDepartures[position]
        var summary = UsualDeparture(
            number: position + 1, feed: usual.feed, route: usual.route, routeName: usual.route.rawValue,
            directionId: usual.direction.map { Int($0.rawValue) },
            stop: StopReference(id: usual.stop, name: usual.stop.rawValue), time: usual.time.clock,
            days: usual.days.names, date: usual.date, commute: usual.commute, pinned: usual.isPinned)
        guard let timetable = feeds.first(where: { $0.id == usual.feed })?.timetable else {
            summary.problem = "There is no timetable of \(usual.feed)."
            return summary
        }
        if let route = timetable.file.route(id: usual.route).flatMap({ timetable.route($0) }) {
            (summary.routeName, summary.routeType) = (route.displayName, route.type)
        } else {
            summary.problem = "The timetable of \(usual.feed) has no route \"\(usual.route)\"."
        }
        // A stop that cannot be read has no name. Queries about the stop report the error.
        if let found = try? timetable.file.find(usual.stop) {
            summary.stop.name = found.stop.name
        } else {
            summary.problem = "The timetable of \(usual.feed) has no stop \"\(usual.stop)\"."
        }
        return summary
    }
}

extension UsualExplainResult {
    /// Explains why a departure is one of the caller's usual ones.
    ///
    /// - Parameters:
    ///   - position: Its position among ``PersonalState/usualDepartures``.
    ///   - learned: What the current evidence says about it; `nil` if nothing follows from it.
    package init(_ position: Int, _ learned: UsualDepartureLearning.Learned?, _ context: QueryContext) {
        let usual = context.personal.usualDepartures[position]
        var facts: [ExplainedFact] = []
        if usual.isPinned {
            facts.append(
                ExplainedFact(
                    fact: "pinned",
                    value: usual.date.map { "only \(usual.time.words(ofServiceDays: [], date: $0))" }
                        ?? "you pinned it",
                    source: nil)
            )
        }
        if let learned { facts += Self.facts(learned) }
        if learned == nil, !usual.isPinned {
            facts.append(
                ExplainedFact(
                    fact: "evidence", value: "too old or too little by now; the departure is removed within a day",
                    source: nil))
        }
        self.init(at: context.at, departure: context.usualDeparture(at: position), facts: facts)
    }

    private static func facts(_ learned: UsualDepartureLearning.Learned) -> [ExplainedFact] {
        func decimal(_ value: Double) -> String {
            let tenths = Int((value * 10).rounded())
            return "\(tenths / 10).\(tenths % 10)"
        }
        let halfLife = Int(UsualDepartureLearning.halfLife)
        return [
            ExplainedFact(
                fact: "evidence",
                value:
                    "taken on \(learned.takenDates) and requested by you on \(learned.lookupDates) other dates, from "
                    + "\(learned.first) to \(learned.last); at least \(UsualDepartureLearning.minimumDates) dates count",
                source: "only dates of this scheduled departure count; a shift in the timetable of less than "
                    + "\(UsualDepartureLearning.maximumMove / 60) minutes does not make it another one"),
            ExplainedFact(
                fact: "weight",
                value: "\(decimal(learned.weight)), of at least \(decimal(UsualDepartureLearning.minimumWeight))",
                source: "a trip counts \(Int(UsualDepartureLearning.takenWeight)) times as much as a request, and each "
                    + "date half as much after \(halfLife) days"),
            ExplainedFact(
                fact: "days",
                value: learned.departure.time.daysAfterServiceDate == 0
                    ? learned.departure.days.names.joined(separator: ", ")
                    : learned.departure.time.words(ofServiceDays: learned.departure.days),
                source: "days of the week on which you took or requested it, except rare ones"),
        ]
    }
}

extension ServiceTime {
    /// The time without seconds, such as "08:12" or "24:30".
    var clock: String { String(description.dropLast(3)) }
}

extension Set<Weekday> {
    /// "mon" to "sun", in the order of the week.
    var names: [String] {
        let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
        return Weekday.allCases.filter(contains).map { names[Int($0.rawValue)] }
    }
}
