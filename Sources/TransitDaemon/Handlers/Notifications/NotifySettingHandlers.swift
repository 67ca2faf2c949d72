internal import TransitControl
internal import TransitModel
internal import TransitNotifications
internal import TransitQueries
internal import TransitServer
internal import TransitStore
internal import TransitWire

/// Handles the methods that change the settings of the caller's notifications.
struct NotifySettingHandlers: Sendable {
    let list: NotifyListHandler
    let service: NotificationService
    let state: StateStore
    let taken: TakenHandlers

    func enable(_ parameters: NotifyEnableParameters, _ context: RequestContext) throws -> NotifyListResult {
        try state.setNotificationSettings(
            [NotificationSettingKey.on: parameters.isOn ? "on" : nil], of: context.caller.uid)
        if !parameters.isOn { service.outbox.removeAll(of: context.caller.uid) }
        // So that the result lists the subjects.
        service.pass()
        return list.list(context)
    }

    func set(_ parameters: NotifySetParameters, _ context: RequestContext) throws -> NotifySetResult {
        // `notify set delay off` turns a rule off.
        let key = NotificationRule(rawValue: parameters.key) == nil ? parameters.key : "\(parameters.key).on"
        let uid = context.caller.uid
        let definitions = SettingDefinition.all + SettingDefinition.personal
        guard let definition = definitions.first(where: { $0.name == key }) else {
            let near = Spelling.closest(to: key, among: definitions.map(\.name))
            throw ControlError(
                .notificationSettingInvalid, "There is no setting \"\(parameters.key)\".",
                hint: near.map { "Did you mean \"\($0)\"?" } ?? "List the settings with: transitctl notify list")
        }
        if let value = parameters.value, definition.parse(value) == nil {
            throw ControlError(
                .notificationSettingInvalid, "\"\(value)\" is not a value of \(key).",
                hint: "Use \(definition.rangeText).")
        }
        try state.setNotificationSettings([key: parameters.value], of: uid)
        let settings = NotificationSettings(
            machine: context.configuration.notifications,
            personal: state.userRecord(of: uid).notificationSettings)
        guard let entry = settings.entries.first(where: { $0.definition.name == key }) else {
            throw ControlError(.internalError, "\(key) is not listed.")
        }
        return NotifySetResult(at: context.at, setting: NotificationSetting(entry))
    }

    func mute(_ parameters: NotifyMuteParameters, _ context: RequestContext) throws -> NotifyMuteResult {
        var rule: NotificationRule?
        if let name = parameters.rule {
            guard let known = NotificationRule(rawValue: name) else { throw ControlError(unknownRule: name) }
            rule = known
        }
        let until = parameters.duration.map { context.now.advanced(by: $0) } ?? Self.endOfDay(context)
        let isMuted = parameters.duration != 0
        let isDone: Void? = service.perform(context.caller.uid, context.query) { engine in
            if isMuted { engine.mute(rule, until: until) } else { engine.unmute(rule) }
            return ((), [])
        }
        guard isDone != nil else { throw ControlError.notificationsAreOff }
        return NotifyMuteResult(
            at: context.at, rule: parameters.rule, until: isMuted ? Timestamp(until, in: context.zone) : nil)
    }

    static func endOfDay(_ context: RequestContext) -> Instant {
        context.zone.instant(date: context.zone.civil(at: context.now).date.advanced(by: 1), secondsOfDay: 0)
    }

    func daysOff(_ parameters: NotifyDaysOffParameters, _ context: RequestContext) throws -> NotifyDaysOffResult {
        let uid = context.caller.uid
        let record = state.userRecord(of: uid)
        let before = record.notificationSettings[NotificationSettingKey.daysOff] ?? ""
        let today = context.zone.civil(at: context.now).date
        var days = try DayList.days(before, from: today)
        for span in parameters.add { days.formUnion(try DayList.days(of: span)) }
        if let calendar = parameters.calendar {
            do throws(DaysOff.Failure) {
                let events = try DaysOff(calendar: calendar)
                days.formUnion((0..<DayList.ahead).map { today.advanced(by: $0) }.filter { events.contains($0) })
            } catch {
                throw ControlError(.notificationSettingInvalid, error.description)
            }
        }
        for span in parameters.remove { days.subtract(try DayList.days(of: span)) }
        guard days.count <= DayList.maximum else {
            throw ControlError(
                .notificationSettingInvalid, "More than \(DayList.maximum) days off are not possible.")
        }
        if !parameters.add.isEmpty || !parameters.remove.isEmpty || parameters.calendar != nil {
            try state.setNotificationSettings(
                [NotificationSettingKey.daysOff: days.isEmpty ? nil : DayList.text(days)], of: uid)
        }
        return NotifyDaysOffResult(at: context.at, days: days.sorted())
    }

    // MARK: Actions

    func act(_ parameters: NotifyActParameters, _ context: RequestContext) throws -> NotifyActResult {
        let uid = context.caller.uid
        guard let action = NotificationActionID(rawValue: parameters.action) else {
            throw ControlError(
                .invalidParameters, "There is no action \"\(parameters.action)\".",
                hint: "Use \(NotificationActionID.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")).")
        }
        guard let event = service.outbox.event(parameters.id, of: uid) else {
            throw ControlError(
                .notificationNotFound, "There is no current notification \"\(parameters.id)\".",
                hint: "List recent ones with: transitctl notify list --log")
        }
        if event.test {
            return NotifyActResult(at: context.at, message: "This was a test, so nothing was changed.")
        }
        var message = Self.message(of: action)
        // The trip is logged first: a departure that leaves much later is not taken yet, and is still watched.
        if action == .taken, let departure = event.departure {
            do {
                _ = try taken.takenAdd(TakenAddParameters(departure: departure.id), context)
            } catch let error as ControlError
                where departure.time.map({ context.now.seconds(to: $0.instant) > TakenHandlers.maximumAhead }) ?? false
            {
                throw error
            } catch {
                message += " The trip is not logged: \((error as? ControlError)?.message ?? "\(error)")"
            }
        }
        let isDone = service.perform(uid, context.query) { engine -> (Bool, [NotificationDecision]) in
            guard let decisions = engine.act(event.id, action.rawValue, at: context.now) else { return (false, []) }
            return (true, decisions)
        }
        guard let isDone else { throw ControlError.notificationsAreOff }
        guard isDone else {
            throw ControlError(
                .notificationNotFound, "The departure of this notification is no longer watched.")
        }
        return NotifyActResult(at: context.at, message: message)
    }

    private static func message(of action: NotificationActionID) -> String {
        switch action {
        case .taken: "You took it. You are told when to get off."
        case .next: "The next departure is watched instead."
        case .muteToday: "Your notifications are muted until midnight."
        }
    }
}

/// Days off as the settings store them: dates and ranges, separated by commas.
enum DayList {
    /// The maximum number of days off of a user.
    static let maximum = 800
    private static let maximumSpan = 366
    /// The number of days for which the events of a calendar are added.
    static let ahead = 731

    static func days(of span: DateSpan) throws(ControlError) -> Set<ServiceDate> {
        let count = span.first.days(to: span.last) + 1
        guard (1...maximumSpan).contains(count) else {
            throw ControlError(
                .notificationSettingInvalid, "\(span.first)..\(span.last) is not a range of 1 to \(maximumSpan) days.")
        }
        return Set((0..<count).map { span.first.advanced(by: $0) })
    }

    /// Returns the days of a stored list that are not over.
    static func days(_ text: String, from today: ServiceDate) throws(ControlError) -> Set<ServiceDate> {
        var days: Set<ServiceDate> = []
        for part in text.split(separator: ",") {
            let dates = part.split(separator: ".", omittingEmptySubsequences: true).compactMap {
                ServiceDate(iso8601: String($0))
            }
            guard let first = dates.first, let last = dates.last else { continue }
            days.formUnion(try Self.days(of: DateSpan(first: first, last: last)))
        }
        return days.filter { $0 >= today }
    }

    static func text(_ days: Set<ServiceDate>) -> String {
        var spans: [(first: ServiceDate, last: ServiceDate)] = []
        for day in days.sorted() {
            if let last = spans.last?.last, last.advanced(by: 1) == day {
                spans[spans.count - 1].last = day
            } else {
                spans.append((day, day))
            }
        }
        return spans.map { $0.first == $0.last ? "\($0.first)" : "\($0.first)..\($0.last)" }.joined(separator: ",")
    }
}
