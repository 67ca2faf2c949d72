internal import TransitControl
internal import TransitModel
internal import TransitNotifications
internal import TransitQueries
internal import TransitReplies
internal import TransitServer
internal import TransitStore
internal import TransitWire

/// Handles `notify.list`.
struct NotifyListHandler: MethodHandler {
    let service: NotificationService
    let state: StateStore

    func reply(to parameters: NotifyListParameters, _ context: RequestContext) throws -> NotifyListResult {
        var result = list(context)
        if parameters.log || parameters.suppressed {
            result.log = try log(parameters, context)
            // The log is about the past.
            result.notices.removeAll { $0.kind == .quiet }
        }
        return result
    }

    /// Returns the caller's rules and subjects, without the log.
    func list(_ context: RequestContext) -> NotifyListResult {
        let uid = context.caller.uid
        let personal = state.userRecord(of: uid).notificationSettings
        let settings = NotificationSettings(machine: context.configuration.notifications, personal: personal)
        let overview = service.overview(of: uid)
        let notices = NotificationNotices(service: service, state: state)
        let mutes = overview.engine?.mutes(at: context.now) ?? []
        return NotifyListResult(
            at: context.at, isOn: settings.isEnabled,
            mutedUntil: mutes.first { $0.rule == nil }?.until.map { Timestamp($0, in: context.zone) },
            agent: notices.agent(context),
            subjects: overview.subjects.map { WatchedSubjectStatus($0, settings) }
                + overview.problems.map(WatchedSubjectStatus.init),
            rules: rules(settings, mutes, overview, context) + [UnitsSetting.group(context)],
            daysOff: settings.daysOff(from: context),
            notices: notices.notices(context) + settings.problems.map(Notice.init)
                + (settings.isEnabled && service.refusal(of: uid) == nil ? notices.missingAgent(context) : [])
                + context.query.commuteList.entries.compactMap { entry in
                    QuietCommute(entry.commute.windows, settings)?.notice(named: entry.commute.name)
                })
    }

    private func rules(
        _ settings: NotificationSettings, _ mutes: [NotificationEngine.Mute], _ overview: NotificationService.Overview,
        _ context: RequestContext
    ) -> [NotificationRuleStatus] {
        var groups: [NotificationRuleStatus] = []
        for entry in settings.entries {
            let group = entry.definition.group
            let position: Int
            if let known = groups.firstIndex(where: { $0.rule == group }) {
                position = known
            } else {
                position = groups.count
                groups.append(
                    NotificationRuleStatus(
                        rule: group, description: "", isOn: true,
                        mutedUntil: mutes.first { $0.rule?.rawValue == group }?.until.map {
                            Timestamp($0, in: context.zone)
                        }, settings: [],
                        next: NotificationRule(rawValue: group).flatMap {
                            overview.engine?.forecast(of: $0, at: context.now)
                        }))
            }
            if entry.definition.name == "\(group).on" {
                groups[position].description = entry.definition.sentence
                groups[position].isOn = entry.text == "on"
            }
            groups[position].settings.append(NotificationSetting(entry))
        }
        for position in groups.indices where groups[position].description.isEmpty {
            groups[position].description = groups[position].settings.first?.description ?? ""
        }
        return groups
    }

    private func log(_ parameters: NotifyListParameters, _ context: RequestContext) throws -> [NotificationLogEntry] {
        let saved = try state.notificationEvents(
            of: context.caller.uid, since: context.now.advanced(by: -30 * 86_400), limit: 2000)
        let wanted = saved.reversed().filter {
            $0.stage == .suppressed ? parameters.suppressed : parameters.log
        }
        return wanted.prefix(parameters.count).compactMap { one in
            guard let event = NotificationEvent(json: one.event) else { return nil }
            return NotificationLogEntry(
                id: one.id, at: event.at, rule: one.rule, op: event.op, title: event.title, stage: one.stage.name,
                reason: one.failure, attribution: event.attribution)
        }
    }
}

extension SavedNotificationEvent.Stage {
    /// The stage on the wire.
    fileprivate var name: String {
        switch self {
        case .decided: "decided"
        case .handedOut: NotificationStage.handedOut.rawValue
        case .done: NotificationStage.done.rawValue
        case .failed: NotificationStage.failed.rawValue
        case .suppressed: "suppressed"
        case .replaced: "replaced"
        }
    }
}

extension NotificationSetting {
    init(_ entry: NotificationSettings.Entry) {
        let origin: SettingOrigin =
            switch entry.source {
            case .standard: .builtIn
            case .configuration: .configuration
            case .user: .user
            }
        self.init(
            key: entry.definition.name, value: entry.text, origin: origin,
            description: entry.definition.sentence + (entry.definition.unit.map { " Unit: \($0)." } ?? ""),
            unit: entry.definition.unit, defaultValue: entry.definition.text(entry.definition.standard))
    }
}

extension Notice {
    /// Reports a value of a setting that cannot be used.
    fileprivate init(_ problem: NotificationSettingError) {
        self.init(kind: .malformed, message: "\(problem) It is ignored.")
    }
}

extension WatchedSubjectStatus {
    fileprivate init(_ subject: WatchedSubject, _ settings: NotificationSettings) {
        let first = subject.departures.first
        self.init(
            kind: NotificationSubjectKind(rawValue: subject.kind.rawValue) ?? .other, name: subject.name,
            stop: first?.names.stop, route: first?.names.route,
            scheduled: first.map { Timestamp($0.key.scheduled, in: $0.names.zone) },
            expected: first.flatMap { departure in
                departure.observation.expected.map { Timestamp($0, in: departure.names.zone) }
            }, problem: nil, rules: Self.rules(of: subject.kind, settings).map(\.rawValue))
    }

    /// The rules that are on and watch subjects of a kind.
    private static func rules(of kind: SubjectKind, _ settings: NotificationSettings) -> [NotificationRule] {
        NotificationRule.allCases.filter { rule in
            rule.subjects.contains(kind)
                && (rule.isOnForFavoritesByDefault == nil
                    ? settings.isOn(rule) : settings.isOn(rule, for: kind))
        }
    }

    fileprivate init(_ problem: SubjectFinder.Problem) {
        self.init(
            kind: NotificationSubjectKind(rawValue: problem.kind.rawValue) ?? .other, name: problem.name,
            problem: problem.reason)
    }
}

extension NotificationSettings {
    /// The days off of the coming year, in ascending order.
    func daysOff(from context: RequestContext) -> [ServiceDate] {
        let today = context.zone.civil(at: context.now).date
        if daysOff.isEmpty { return [] }
        return (0..<366).map { today.advanced(by: $0) }.filter { daysOff.contains($0) }
    }
}
