package import TransitControl
internal import TransitModel
package import TransitNotifications
package import TransitQueries
package import TransitStore
internal import TransitWire

/// The reply of `notify.list`.
package struct NotifyListReply {
    private let settings: NotificationSettings
    private let subjects: [WatchedSubject]
    private let problems: [SubjectFinder.Problem]
    private let engine: NotificationEngine?

    /// - Parameters:
    ///   - subjects: The subjects of the caller's notifications.
    ///   - problems: The subjects that cannot be watched.
    ///   - engine: The engine of the caller's notifications; `nil` if they are off.
    package init(
        _ settings: NotificationSettings, _ subjects: [WatchedSubject], _ problems: [SubjectFinder.Problem],
        _ engine: NotificationEngine?
    ) {
        self.settings = settings
        self.subjects = subjects
        self.problems = problems
        self.engine = engine
    }

    /// Returns the caller's rules and subjects, without the log.
    ///
    /// - Parameters:
    ///   - agent: The state of the program that shows the notifications.
    ///   - deliveryNotices: The notices about the delivery of notifications.
    ///   - agentNotices: The notices about a missing program.
    package func result(
        _ context: QueryContext, agent: NotificationAgentStatus, deliveryNotices: [Notice], agentNotices: [Notice]
    ) -> NotifyListResult {
        let mutes = engine?.mutes(at: context.now) ?? []
        return NotifyListResult(
            at: context.at, isOn: settings.isEnabled,
            mutedUntil: mutes.first { $0.rule == nil }?.until.map { Timestamp($0, in: context.zone) },
            agent: agent,
            subjects: subjects.map { WatchedSubjectStatus($0, settings) } + problems.map(WatchedSubjectStatus.init),
            rules: rules(mutes, context) + [UnitsSetting.group(context)],
            daysOff: settings.daysOff(from: context),
            notices: deliveryNotices + settings.problems.map(Notice.init) + agentNotices
                + context.commuteList.entries.compactMap { entry in
                    QuietCommute(entry.commute.windows, settings)?.notice(named: entry.commute.name)
                })
    }

    private func rules(
        _ mutes: [NotificationEngine.Mute], _ context: QueryContext
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
                            engine?.forecast(of: $0, at: context.now)
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

    /// Returns the entries of the log that a request asks for.
    package static func log(
        of saved: [SavedNotificationEvent], _ parameters: NotifyListParameters
    ) -> [NotificationLogEntry] {
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
    package init(_ entry: NotificationSettings.Entry) {
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
    func daysOff(from context: QueryContext) -> [ServiceDate] {
        let today = context.zone.civil(at: context.now).date
        if daysOff.isEmpty { return [] }
        return (0..<366).map { today.advanced(by: $0) }.filter { daysOff.contains($0) }
    }
}
