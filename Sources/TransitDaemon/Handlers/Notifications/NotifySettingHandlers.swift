internal import TransitControl
internal import TransitModel
internal import TransitNotifications
internal import TransitQueries
internal import TransitReplies
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
        // So that the result lists the subjects.
        service.pass()
        // After the pass, no earlier write is in progress, so none can still hand out an event.
        if !parameters.isOn { service.outbox.removeAll(of: context.caller.uid) }
        return list.list(context)
    }

    func set(_ parameters: NotifySetParameters, _ context: RequestContext) throws -> NotifySetResult {
        if parameters.key == UnitsSetting.key { return try setUnits(parameters, context) }
        // `notify set delay off` turns a rule off.
        let key = NotificationRule(rawValue: parameters.key) == nil ? parameters.key : "\(parameters.key).on"
        let uid = context.caller.uid
        let definitions = SettingDefinition.all + SettingDefinition.personal
        guard let definition = definitions.first(where: { $0.name == key }) else {
            let near = Spelling.closest(to: key, among: definitions.map(\.name) + [UnitsSetting.key])
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

    /// Sets the units, which are not a setting of notifications alone.
    private func setUnits(_ parameters: NotifySetParameters, _ context: RequestContext) throws -> NotifySetResult {
        let value = parameters.value?.lowercased()
        guard value == nil || value.flatMap({ UnitSetting(rawValue: $0) }) != nil else {
            throw ControlError(
                .notificationSettingInvalid, "\"\(parameters.value ?? "")\" is not a value of \(UnitsSetting.key).",
                hint: "Use \(UnitSetting.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        try state.setUnits(value, of: context.caller.uid)
        return NotifySetResult(at: context.at, setting: UnitsSetting.entry(context.withCurrentUserData(state).query))
    }

    func mute(_ parameters: NotifyMuteParameters, _ context: RequestContext) throws -> NotifyMuteResult {
        var rule: NotificationRule?
        if let name = parameters.rule {
            guard let known = NotificationRule(rawValue: name) else { throw ControlError(unknownRule: name) }
            rule = known
        }
        let until = parameters.duration.map { context.now.advanced(by: $0) } ?? Self.endOfDay(context)
        let isMuted = parameters.duration != 0
        let isDone: Void? = try service.perform(context.caller.uid, context.query) { engine in
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
        func carryOut(_ engine: inout NotificationEngine) -> [NotificationDecision]? {
            engine.act(event.id, action.rawValue, at: context.now)
        }
        if action == .taken, let departure = event.departure {
            do {
                // The trip and the action are saved together. A departure that leaves much later is not taken yet, and is
                // still watched.
                let result = try taken.takenAdd(
                    TakenAddParameters(departure: departure.id), context, then: { carryOut(&$0) ?? [] })
                if result.changed { return NotifyActResult(at: context.at, message: message) }
            } catch let error as StoreError {
                throw error
            } catch let error as ControlError
                where departure.time.map({ context.now.seconds(to: $0.instant) > TakenHandlers.maximumAhead }) ?? false
            {
                throw error
            } catch {
                message += " The trip is not logged: \((error as? ControlError)?.message ?? "\(error)")"
            }
        }
        let isDone = try service.perform(uid, context.query) { engine -> (Bool, [NotificationDecision]) in
            guard let decisions = carryOut(&engine) else { return (false, []) }
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
        case .taken: "You took it. You will be notified when to get off."
        case .next: "The next departure is watched instead."
        case .muteToday: "Your notifications are muted until midnight."
        }
    }
}
