internal import TransitControl
internal import TransitModel
internal import TransitNotifications
internal import TransitQueries
internal import TransitReplies
internal import TransitServer
internal import TransitStore

/// Handles `insights`.
struct InsightsHandler: MethodHandler {
    let state: StateStore

    func reply(to parameters: InsightsParameters, _ context: RequestContext) throws -> InsightsResult {
        let uid = context.caller.uid
        let totals = try state.tripLog(of: uid).totals
        let period = context.now.advanced(by: -parameters.days * 86_400)..<context.now
        let reply = InsightsReply(
            parameters, TravelInsights(totals, context), totals,
            InsightsReply.Records(
                asks: try state.asks(of: uid),
                notifications: try state.notificationEvents(of: uid, since: period.lowerBound),
                observations: { (feed, route, stop) throws(StoreError) in
                    try state.observations(scheduled: period, feed: feed, route: route, stop: stop)
                }))
        return try reply.result(context.query, notices: state.personalNotices(context))
    }
}

extension TravelInsights {
    /// The insights of a caller as of now, on the date in the zone of the first feed.
    init(_ totals: TripTotals, _ context: RequestContext) {
        self.init(
            totals, today: context.zone.civil(at: context.now).date, daysOff: context.daysOff,
            context.configuration.insights)
    }

    /// - Parameter daysOff: The user's days off, which do not end a streak.
    init(_ totals: TripTotals, today: ServiceDate, daysOff: DaysOff, _ options: InsightsOptions) {
        let first = totals.days.keys.min() ?? today
        let dates = daysOff.isEmpty || first > today ? [] : (0...first.days(to: today)).map { first.advanced(by: $0) }
        self.init(
            totals, today: today, commuteDays: CommuteDays(daysOff: Set(dates.filter(daysOff.contains))),
            kilogramsPerMeter: options.co2PoundsPerMile * DisplayUnits.kilogramsPerPound / DisplayUnits.metersPerMile)
    }

    /// Returns the badges that these insights have and earlier ones have not.
    func badges(newSince earlier: TravelInsights) -> [BadgeProgress] {
        let known = Set(earlier.badges.filter { $0.earned != nil }.map(\.badge))
        return badges.filter { $0.earned != nil && !known.contains($0.badge) }
    }
}

extension RequestContext {
    /// The caller's days off.
    var daysOff: DaysOff {
        NotificationSettings(machine: configuration.notifications, personal: personal.notificationSettings).daysOff
    }
}
