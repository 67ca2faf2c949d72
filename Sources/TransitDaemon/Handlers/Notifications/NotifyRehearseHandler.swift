internal import TransitControl
internal import TransitModel
internal import TransitNotifications
internal import TransitServer
internal import TransitStore
internal import TransitWire

/// Handles `notify.rehearse`.
struct NotifyRehearseHandler: MethodHandler {
    let service: NotificationService
    let state: StateStore

    private static let maximumDifferences = 200

    func reply(to parameters: NotifyRehearseParameters, _ context: RequestContext) throws -> NotifyRehearseResult {
        let uid = context.caller.uid
        let present = NotificationSettings(
            machine: context.configuration.notifications, personal: state.userRecord(of: uid).notificationSettings)
        guard present.isEnabled else { throw ControlError.notificationsAreOff }
        let other = try settings(parameters.set, over: present)
        let range = context.now.advanced(by: -parameters.days * 86_400)..<context.now
        let subjects = service.overview(of: uid).subjects
        let observations = Rehearsal.observations(try state.observations(scheduled: range), like: subjects)
        let rehearsal = Rehearsal(templates: subjects, observations: observations, zone: context.zone)
        let comparison = Rehearsal.compare(
            before: rehearsal.decisions(settings: present), after: rehearsal.decisions(settings: other))
        let differences = (comparison.onlyBefore + comparison.onlyAfter).sorted {
            ($0.before ?? $0.after ?? context.now, $0.key) < ($1.before ?? $1.after ?? context.now, $1.key)
        }
        return NotifyRehearseResult(
            at: context.at, days: Set(observations.map(\.departure.serviceDate)).count,
            before: comparison.both.count + comparison.onlyBefore.count,
            after: comparison.both.count + comparison.onlyAfter.count,
            differences: differences.prefix(Self.maximumDifferences).map { entry in
                RehearsedNotification(
                    rule: entry.rule.rawValue, title: entry.title,
                    before: entry.before.map { Timestamp($0, in: context.zone) },
                    after: entry.after.map { Timestamp($0, in: context.zone) })
            },
            notices: observations.isEmpty
                ? [Notice(kind: .missing, message: "No departure of yours was observed in these days.")] : [])
    }

    private func settings(
        _ changes: [String], over present: NotificationSettings
    ) throws(ControlError) -> NotificationSettings {
        var settings = present
        for change in changes {
            guard let sign = change.firstIndex(of: "=") else {
                throw ControlError(
                    .notificationSettingInvalid, "\"\(change)\" is not a setting with its value.",
                    hint: "Write it as delay.first=5.")
            }
            do throws(NotificationSettingError) {
                try settings.set(String(change[..<sign]), to: String(change[change.index(after: sign)...]))
            } catch {
                throw ControlError(.notificationSettingInvalid, error.description)
            }
        }
        return settings
    }
}
