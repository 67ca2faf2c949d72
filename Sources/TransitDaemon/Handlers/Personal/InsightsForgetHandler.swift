internal import TransitControl
internal import TransitModel
internal import TransitNotifications
internal import TransitReplies
internal import TransitServer
internal import TransitStore
internal import TransitWire

/// Handles `insights.forget`.
struct InsightsForgetHandler: MethodHandler {
    let state: StateStore
    let travel: TravelRecorder
    let notifications: NotificationService

    func reply(to parameters: InsightsForgetParameters, _ context: RequestContext) throws -> InsightsForgetResult {
        let uid = context.caller.uid
        let count = try state.tripLog(of: uid).totals.trips
        let isOn: Void? = try notifications.perform(uid, context.query) { engine in
            engine.forgetTrips()
            return ((), [])
        } writing: { (saved) throws(StoreError) in
            try state.forgetTravel(of: uid, notifications: saved)
            return true
        }
        if isOn == nil { try state.forgetTravel(of: uid) }
        travel.forget(uid)
        do throws(StoreError) {
            try state.eraseRemains(today: ServiceZone.utc.civil(at: context.now).date)
        } catch {
            var failure = ControlError(error)
            failure.message =
                "Your trips and what was learned from them are removed, but older copies of the state still contain them: "
                + failure.message
            failure.hint = "Repeat the command when the problem is solved. The copies are removed within seven days."
            throw failure
        }
        return InsightsForgetResult(at: context.at, trips: count)
    }
}
