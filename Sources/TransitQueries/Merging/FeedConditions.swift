package import TransitEngine
package import TransitModel
package import TransitStore

/// A feed's timetable at the time of a query, with what decides how far data about its departures can be relied on.
///
/// This is a class so that the many departures of a result store only a reference.
package final class FeedConditions: Sendable {
    package let timetable: Timetable
    /// The time of the query.
    package let now: Instant
    /// The time of the last realtime message, if that is too old to be used; `nil` otherwise, and without a source.
    package let silentSince: Instant?
    /// The number of seconds since the source confirmed the timetable; `nil` if unknown.
    private let timetableAge: Int?
    /// Whether the last service date of the timetable has passed.
    private let isExpired: Bool
    /// What has been learned about the feed's delays; `nil` if nothing has.
    private let history: PublishedHistory?

    /// A departure usually has realtime data in this many seconds before it.
    private static let realtimeHorizon = 2 * 3600

    package init(_ timetable: Timetable, _ context: QueryContext) {
        self.timetable = timetable
        now = context.now
        let feed = context.feed(of: timetable)
        timetableAge = feed?.confirmed.map { max(0, $0.seconds(to: context.now)) }
        isExpired = timetable.isExpired(at: context.now)
        history = feed?.publishedHistory
        silentSince = context.realtime(timetable)?.outdatedTime(at: context.now)
    }
}

/// How far what is shown about a departure can be relied on.
package struct DepartureReliability: Hashable, Sendable {
    package var confidence: CallConfidence
    package var realtimeState: CallRealtimeState
    /// The age of the realtime data in seconds or, without any, the time since the source confirmed the timetable; `nil` if
    /// unknown.
    package var age: Int?
    /// Whether recent realtime data says something about the departure. That a recent message lacks the departure, although
    /// the source reports others like it, is such data.
    package var isCurrent: Bool
}

extension FeedConditions {
    /// Decides how far a call of this feed can be relied on.
    package func reliability(of call: ExpectedCall) -> DepartureReliability {
        let state = realtimeState(of: call)
        return DepartureReliability(
            confidence: call.source == .scheduled && isExpired ? .low : call.confidence, realtimeState: state,
            age: call.age?.seconds ?? (call.isExtra ? nil : timetableAge),
            isCurrent: isCurrent(call, state))
    }

    /// Predicts from earlier days when a call of this feed really takes place; `nil` if too little is known.
    package func prediction(of call: ExpectedCall) throws(StoreError) -> DelayPrediction? {
        guard let history, let route = call.route else { return nil }
        return try history.prediction(
            of: call, timetable.route(route)?.id, timetable.context.services, now: now, cache: timetable.delayKeys
        ) { (stop) throws(StoreError) in try timetable.cachedStop(stop).id }
    }

    /// Returns the delays of a call's departure on earlier days; `nil` if too little is known.
    package func delays(of call: ExpectedCall) throws(StoreError) -> LearnedDelays? {
        guard let history = history?.history, let route = call.route.flatMap({ timetable.route($0) }) else {
            return nil
        }
        return try history.delays(of: call, route.id, timetable.context.services) { (stop) throws(StoreError) in
            try timetable.cachedStop(stop).id
        }
    }

    private func realtimeState(of call: ExpectedCall) -> CallRealtimeState {
        if call.isLastKnown { return .expired }
        // A planned time is not realtime data, however recent it is. A planned time that could not be refreshed is
        // shown as aging. A call that is missing from a new message has no realtime data either.
        if call.source == .scheduled, call.isExtra {
            return call.age.map { $0.freshness != .fresh } ?? false ? .aging : .notExpected
        }
        // A time from the timetable has no realtime state unless the data has expired.
        switch call.age?.freshness {
        case .fresh: return call.source == .scheduled ? .notExpected : .fresh
        case .aging: return call.source == .scheduled ? .notExpected : .aging
        case .stale: return .expired
        case nil: break
        }
        if call.isOutdatedInRealtime { return .expired }
        if call.isMissingFromRealtime { return .missing }
        let isNear = (0...Self.realtimeHorizon).contains(now.seconds(to: call.departure))
        return silentSince != nil && isNear ? .expired : .notExpected
    }

    private func isCurrent(_ call: ExpectedCall, _ state: CallRealtimeState) -> Bool {
        switch state {
        case .fresh, .aging: true
        case .expired: false
        // What was missing when the source became silent is no news.
        case .missing: silentSince == nil
        // A message can say that a trip runs without predicting its times.
        case .notExpected: call.age != nil
        }
    }
}
