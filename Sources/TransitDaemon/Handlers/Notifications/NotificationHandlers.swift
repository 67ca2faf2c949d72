internal import TransitControl
internal import TransitModel
internal import TransitNotifications
internal import TransitQueries
internal import TransitReplies
internal import TransitServer
internal import TransitStore
internal import TransitSystem
internal import TransitWire

/// Handles the topic and method `notifications`, and what programs report about them.
struct NotificationHandlers: Sendable {
    let service: NotificationService
    let state: StateStore

    func notifications(_ context: RequestContext) -> NotificationsResult {
        let (events, unfinished) = service.outbox.current(of: context.caller.uid, at: context.now)
        return NotificationsResult(
            at: context.at, events: events, unfinished: unfinished,
            notices: NotificationNotices(service: service, state: state).notices(context))
    }

    func ack(_ parameters: NotifyAckParameters, _ context: RequestContext) throws -> NotifyAckResult {
        let stage: SavedNotificationEvent.Stage =
            switch parameters.stage {
            case .handedOut: .handedOut
            case .done: .done
            case .failed: .failed
            }
        return NotifyAckResult(
            count: try service.record(
                stage, ofEvents: parameters.ids, message: parameters.stage == .failed ? parameters.message : nil,
                of: context.caller.uid))
    }

    // MARK: Tests and actions

    func test(_ parameters: NotifyTestParameters, _ context: RequestContext) throws -> NotifyTestResult {
        guard let rule = NotificationRule(rawValue: parameters.rule) else {
            throw ControlError(unknownRule: parameters.rule)
        }
        let uid = context.caller.uid
        let example = service.overview(of: uid).subjects.first
        let now = context.now
        // The number distinguishes two tests within one second. The time distinguishes it from a test before a
        // restart of the daemon.
        let id = "test-\(rule.rawValue)-\(now.secondsSince1970)-\(service.nextTestNumber())"
        var decision = NotificationDecision(
            id: id, key: id, revision: 1,
            operation: .show, rule: rule, at: now, validUntil: now.advanced(by: 120),
            title: "Test of the notification \"\(rule.rawValue)\"",
            body: "This is a test. Notifications of this kind are shown here.",
            subjectKind: example?.kind.rawValue ?? "machine", subjectName: example?.name ?? "transitd",
            reason: "You asked for a test.")
        decision.isTest = true
        decision.hasSound = rule == .leave
        decision.departure = example?.departures.first
        decision.walk = example?.walk
        decision.next = Array((example?.departures.dropFirst() ?? []).prefix(3))
        let renderer = NotificationRenderer(context: context.query, logger: service.dependencies.logger)
        let event = renderer.event(decision)
        service.hand(out: event, of: uid, at: now)
        return NotifyTestResult(
            at: context.at, event: event, subscribers: service.subscribers(of: uid),
            notices: NotificationNotices(service: service, state: state).missingAgent(context))
    }
}

/// The conditions that affect a user's notifications.
struct NotificationNotices {
    let service: NotificationService
    let state: StateStore
    var commands = ServiceCommands.ofThisProcess()

    func notices(_ context: RequestContext) -> [Notice] {
        let uid = context.caller.uid
        let account = service.outbox.account(of: uid)
        var notices = refusal(context).map { [$0] } ?? []
        if let failure = account.saveFailure {
            notices.append(
                Notice(
                    kind: .failed,
                    message: "Notifications cannot be saved and are kept in memory: \(failure).".asSentence))
        }
        if let setAside = account.setAside {
            notices.append(
                Notice(
                    kind: .damaged,
                    message:
                        "The state of your notifications could not be read. It was set aside, and a new one was started.",
                    since: Timestamp(setAside, in: context.zone)))
        }
        if let failure = account.failures.last {
            let count = account.failures.count
            notices.append(
                Notice(
                    kind: .failed,
                    message: (count == 1 ? "A notification was" : "\(count) notifications were")
                        + " not shown in the last week: \(failure.message)".asSentence,
                    since: Timestamp(failure.at, in: context.zone)))
        }
        return notices
    }

    /// Reports that the daemon refused the program that shows the caller's notifications.
    private func refusal(_ context: RequestContext) -> Notice? {
        service.refusal(of: context.caller.uid).map { refusal in
            Notice(
                kind: .failed,
                message: "transitd refused the program that shows your notifications: \(refusal.message) "
                    + commands.replaceAgent(refusal.process), since: Timestamp(refusal.at, in: context.zone))
        }
    }

    /// Reports that no program shows the caller's notifications, unless the reason is reported otherwise.
    func missingAgent(_ context: RequestContext) -> [Notice] {
        if let refusal = refusal(context) { return [refusal] }
        return service.subscribers(of: context.caller.uid) == 0 ? [.noAgent(commands)] : []
    }

    func summary(_ context: RequestContext) -> NotificationSummary {
        NotificationSummary(isOn: isOn(context), agent: agent(context))
    }

    func agent(_ context: RequestContext) -> NotificationAgentStatus {
        let account = service.outbox.account(of: context.caller.uid)
        return NotificationAgentStatus(
            lastContact: account.lastContact.map { Timestamp($0, in: context.zone) },
            subscribers: service.subscribers(of: context.caller.uid), failures: account.failures.count,
            lastFailure: account.failures.last?.message)
    }

    /// Checks that notifications are on and shown.
    func check(_ context: RequestContext) -> DoctorCheck {
        let agent = agent(context)
        guard isOn(context) else {
            return DoctorCheck(
                check: "notifications", outcome: .skipped, message: "Your notifications are off.",
                remedy: "transitctl notify on")
        }
        if let refusal = service.refusal(of: context.caller.uid) {
            return DoctorCheck(
                check: "notifications", outcome: .failed,
                message: "transitd refused the program that shows your notifications: \(refusal.message)",
                remedy: commands.replaceAgent(refusal.process))
        }
        if let problem = notices(context).first {
            return DoctorCheck(
                check: "notifications", outcome: .warning, message: problem.message,
                remedy: "See: transitctl notify list --log")
        }
        let isShown = agent.subscribers > 0
        return DoctorCheck(
            check: "notifications", outcome: isShown ? .ok : .warning,
            message: isShown
                ? "Your notifications are on, and a program shows them."
                : "Your notifications are on, but no program shows them.",
            remedy: isShown ? nil : commands.startAgent)
    }

    /// Whether the user turned notifications on.
    func isOn(_ context: RequestContext) -> Bool {
        state.userRecord(of: context.caller.uid).notificationSettings[NotificationSettingKey.on] == "on"
    }
}

extension Notice {
    /// Reports that no program shows the caller's notifications, and how to start the one that does.
    fileprivate static func noAgent(_ commands: ServiceCommands) -> Notice {
        Notice(
            kind: .missing,
            message: "No program shows your notifications. Start one with: \(commands.startAgent)")
    }
}

extension ControlError {
    init(unknownRule rule: String) {
        let near = Spelling.closest(to: rule, among: NotificationRule.allCases.map(\.rawValue))
        self.init(
            .notificationSettingInvalid, "There is no rule \"\(rule)\".",
            hint: near.map { "Did you mean \"\($0)\"?" } ?? "List the rules with: transitctl notify list")
    }

    static let notificationsAreOff = ControlError(
        .notificationsOff, "Your notifications are off.", hint: "Turn them on with: transitctl notify on")
}
