internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitQueries
internal import TransitServer
internal import TransitStore
internal import TransitWire

/// Handles `usual.list`, `usual.pin`, `usual.unpin`, `usual.forget` and `usual.explain`.
struct UsualHandlers: Sendable {
    let state: StateStore
    let travel: TravelRecorder

    func usualList(_ context: RequestContext) -> UsualListResult {
        UsualListResult(
            at: context.at, departures: context.usualDepartures, notices: state.personalNotices(context))
    }

    func usualPin(_ parameters: UsualPinParameters, _ context: RequestContext) throws -> UsualResult {
        var pinned = try departure(toPin: parameters, context)
        pinned.isPinned = true
        try state.pinDeparture(pinned, of: context.caller.uid)
        travel.learn(afterChangeOf: context.caller.uid)
        let changed = context.withCurrentUserData(state)
        let position = changed.personal.usualDepartures.firstIndex { $0 == pinned } ?? 0
        return UsualResult(at: context.at, departure: changed.usualDeparture(at: position))
    }

    private func departure(
        toPin parameters: UsualPinParameters, _ context: RequestContext
    ) throws -> SavedUsualDeparture {
        let days = try parameters.days.map { (text) throws(ControlError) in
            guard let days = CommuteWindow.days(text) else {
                throw ControlError(
                    .invalidParameters, "\"\(text)\" is not a day of the week.",
                    hint: "Use \(CommuteWindow.dayForms).")
            }
            return days
        }.reduce(into: Set<Weekday>()) { $0.formUnion($1) }
        guard parameters.days.isEmpty || !parameters.once else {
            throw ControlError(
                .invalidParameters, "days and once cannot both be given.", hint: "Leave one of them out.")
        }
        if let position = try? position(of: parameters.departure, context) {
            var usual = context.personal.usualDepartures[position]
            guard !parameters.once else {
                throw ControlError(
                    .invalidParameters, "once needs the id of a departure.",
                    hint: "Take it from: transitctl next --json.")
            }
            if !days.isEmpty { usual.days = days }
            return usual
        }
        let taken = try TakenQuery(context.query).departure(parameters.departure, destination: nil)
        guard let key = try taken.merged.key else {
            throw ControlError(
                .usualNotFound, "The route of this departure is not known, so it cannot be pinned.",
                hint: "Try again when its feed has been updated.")
        }
        let own =
            Weekday.workingDays.contains(key.serviceDate.weekday) ? Weekday.workingDays : [key.serviceDate.weekday]
        return SavedUsualDeparture(
            feed: key.feed, route: key.route, direction: key.direction, stop: key.stop,
            time: taken.merged.serviceTime(of: key),
            days: parameters.once ? [key.serviceDate.weekday] : days.isEmpty ? own : days,
            date: parameters.once ? key.serviceDate : nil, commute: taken.commute, isPinned: true)
    }

    func usualUnpin(_ parameters: UsualUnpinParameters, _ context: RequestContext) throws -> UsualResult {
        try remove(parameters.departure, isPinned: true, context)
    }

    func usualForget(_ parameters: UsualForgetParameters, _ context: RequestContext) throws -> UsualResult {
        try remove(parameters.departure, isPinned: false, context)
    }

    private func remove(_ text: String, isPinned: Bool, _ context: RequestContext) throws -> UsualResult {
        let position = try position(of: text, context)
        let usual = context.personal.usualDepartures[position]
        guard usual.isPinned == isPinned else {
            throw ControlError(
                .usualNotFound, "\"\(text)\" is a \(isPinned ? "learned" : "pinned") departure.",
                hint: "Remove it with: transitctl usual \(isPinned ? "forget" : "unpin") \(text).")
        }
        let summary = context.usualDeparture(at: position)
        try state.forgetDeparture(usual, of: context.caller.uid, now: context.now)
        travel.learn(afterChangeOf: context.caller.uid)
        return UsualResult(at: context.at, departure: summary)
    }

    /// Returns the position of the departure with a number, or with a time of day that no other one has.
    ///
    /// - Throws: ``ErrorKind/usualNotFound``.
    private func position(of text: String, _ context: RequestContext) throws(ControlError) -> Int {
        let departures = context.personal.usualDepartures
        if let number = Int(text.hasPrefix("#") ? String(text.dropFirst()) : text),
            departures.indices.contains(number - 1)
        {
            return number - 1
        }
        let atTime = departures.indices.filter { departures[$0].time.isShown(as: text) }
        if atTime.count == 1 { return atTime[0] }
        throw ControlError(
            .usualNotFound,
            atTime.isEmpty
                ? "You have no usual departure \"\(text)\"." : "You have \(atTime.count) usual departures at \(text).",
            hint: "List them with: transitctl usual list.")
    }

    func usualExplain(_ parameters: UsualExplainParameters, _ context: RequestContext) throws -> UsualExplainResult {
        let position = try position(of: parameters.departure, context)
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
        let learned = try travel.learned(by: context.caller.uid).first { $0.departure.isSameTime(as: usual) }
        if let learned { facts += Self.facts(learned) }
        if learned == nil, !usual.isPinned {
            facts.append(
                ExplainedFact(
                    fact: "evidence", value: "too old or too little by now; it will be dropped within a day",
                    source: nil))
        }
        return UsualExplainResult(
            at: context.at, departure: context.usualDeparture(at: position), facts: facts)
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
                    "taken on \(learned.takenDates) and asked for by hand on \(learned.askedDates) other dates, from "
                    + "\(learned.first) to \(learned.last); at least \(UsualDepartureLearning.minimumDates) dates count",
                source: "only dates of this scheduled departure count; a move of the timetable by less than "
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
                source: "days of the week on which you took it or asked for it, except rare ones"),
        ]
    }
}

extension RequestContext {
    /// The caller's pinned and learned departures.
    var usualDepartures: [UsualDeparture] { personal.usualDepartures.indices.map(usualDeparture) }

    /// Returns one of the caller's departures with the names of its route and stop.
    func usualDeparture(at position: Int) -> UsualDeparture {
        let usual = personal.usualDepartures[position]
        var summary = UsualDeparture(
            number: position + 1, feed: usual.feed, route: usual.route, routeName: usual.route.rawValue,
            directionId: usual.direction.map { Int($0.rawValue) },
            stop: StopReference(id: usual.stop, name: usual.stop.rawValue), time: usual.time.clock,
            days: usual.days.names, date: usual.date, commute: usual.commute, pinned: usual.isPinned)
        guard let timetable = query.feeds.first(where: { $0.id == usual.feed })?.timetable else {
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

extension ServiceTime {
    /// The time without seconds, such as "08:12" or "24:30".
    var clock: String { String(description.dropLast(3)) }

    /// Whether a text such as "02:40" or "26:40" is this time, without seconds, on a clock or counted from midnight of the
    /// service date.
    fileprivate func isShown(as text: String) -> Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].utf8.count == 2, (1...3).contains(parts[0].utf8.count),
            let hours = Int(parts[0]), let minutes = Int(parts[1]), hours >= 0, (0..<60).contains(minutes)
        else { return false }
        let (asked, own) = (hours * 60 + minutes, Int(seconds) / 60)
        return asked == own || asked == own % 1440
    }
}

extension Set<Weekday> {
    /// "mon" to "sun", in the order of the week.
    var names: [String] {
        let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
        return Weekday.allCases.filter(contains).map { names[Int($0.rawValue)] }
    }
}
