internal import TransitControl
internal import TransitModel
internal import TransitNotifications
internal import TransitQueries
internal import TransitReplies
internal import TransitServer
internal import TransitStore

/// Handles `notify.list`.
struct NotifyListHandler: MethodHandler {
    let service: NotificationService
    let state: StateStore

    func reply(to parameters: NotifyListParameters, _ context: RequestContext) throws -> NotifyListResult {
        var result = list(context)
        if parameters.log || parameters.suppressed {
            result.log = NotifyListReply.log(
                of: try state.notificationEvents(
                    of: context.caller.uid, since: context.now.advanced(by: -30 * 86_400), limit: 2000), parameters)
            // The log is about the past.
            result.notices.removeAll { $0.kind == .quiet }
        }
        return result
    }

    /// Returns the caller's rules and subjects, without the log.
    func list(_ context: RequestContext) -> NotifyListResult {
        let uid = context.caller.uid
        let settings = NotificationSettings(
            machine: context.configuration.notifications, personal: state.userRecord(of: uid).notificationSettings)
        let overview = service.overview(of: uid)
        let notices = NotificationNotices(service: service, state: state)
        return NotifyListReply(settings, overview.subjects, overview.problems, overview.engine).result(
            context.query, agent: notices.agent(context), deliveryNotices: notices.notices(context),
            agentNotices: settings.isEnabled && service.refusal(of: uid) == nil ? notices.missingAgent(context) : [])
    }
}
