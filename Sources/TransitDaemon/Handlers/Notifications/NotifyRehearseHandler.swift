internal import TransitControl
internal import TransitModel
internal import TransitNotifications
internal import TransitReplies
internal import TransitServer
internal import TransitStore
internal import TransitWire

/// Handles `notify.rehearse`.
struct NotifyRehearseHandler: MethodHandler {
    let service: NotificationService
    let state: StateStore

    func reply(to parameters: NotifyRehearseParameters, _ context: RequestContext) throws -> NotifyRehearseResult {
        let uid = context.caller.uid
        let present = NotificationSettings(
            machine: context.configuration.notifications, personal: state.userRecord(of: uid).notificationSettings)
        guard present.isEnabled else { throw ControlError.notificationsAreOff }
        let reply = try RehearsalReply(parameters, present, context.query)
        return reply.result(
            of: service.overview(of: uid).subjects,
            RehearsalReply.Records(
                observations: try state.observations(scheduled: reply.period), trips: try state.tripLog(of: uid).trips,
                notifications: try state.notificationEvents(of: uid, since: reply.period.lowerBound)))
    }
}
