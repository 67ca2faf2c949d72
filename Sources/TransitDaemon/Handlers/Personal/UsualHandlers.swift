internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitQueries
internal import TransitReplies
internal import TransitServer
internal import TransitStore
internal import TransitWire

/// Handles `usual.list`, `usual.pin`, `usual.unpin`, `usual.forget` and `usual.explain`.
struct UsualHandlers: Sendable {
    let state: StateStore
    let travel: TravelRecorder

    func usualList(_ context: RequestContext) -> UsualListResult {
        UsualListResult(
            at: context.at, departures: context.query.usualDepartures, notices: state.personalNotices(context))
    }

    func usualPin(_ parameters: UsualPinParameters, _ context: RequestContext) throws -> UsualResult {
        var pinned = try departure(toPin: parameters, context)
        pinned.isPinned = true
        try state.pinDeparture(pinned, of: context.caller.uid)
        travel.learn(afterChangeOf: context.caller.uid)
        let changed = context.withCurrentUserData(state)
        let position = changed.personal.usualDepartures.firstIndex { $0 == pinned } ?? 0
        return UsualResult(at: context.at, departure: changed.query.usualDeparture(at: position))
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
        // A pinned departure is found by its time in the timetable, on every date.
        guard case .scheduled = taken.merged.call.subject else {
            throw ControlError(
                .usualNotFound, "This departure is not in the timetable, so it cannot be pinned.",
                hint: "Pin a departure that is not marked as added.")
        }
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
        let summary = context.query.usualDeparture(at: position)
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
        let learned = try travel.learned(by: context.caller.uid).first { $0.departure.isSameTime(as: usual) }
        return UsualExplainResult(position, learned, context.query)
    }
}

extension ServiceTime {
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
