public import TransitModel

/// A history as requests use it. This is a class, so that a query shares it instead of copying its parts.
public final class PublishedHistory: Sendable {
    public let history: DelayHistory
    /// Whether something has been learned, and not only the timetable.
    private let isUsable: Bool

    public init(_ history: DelayHistory) {
        self.history = history
        isUsable = !history.isEmpty && !history.predictions.repeatsTimetable
    }

    /// Predicts the delay of a call as ``DelayHistory`` does. If the call has been asked for before and has no prediction of
    /// its source, which is so for most calls, this takes few instructions.
    public func prediction<Failure>(
        of call: ExpectedCall, _ route: @autoclosure () -> RouteID?, _ services: @autoclosure () -> [Service],
        now: Instant, cache: DelayKeyCache, stop: (StopIndex) throws(Failure) -> StopID
    ) throws(Failure) -> DelayPrediction? {
        guard isUsable else { return nil }
        if let usual = recentUsual(call, cache) { return usual }
        return try history.prediction(of: call, route(), services(), now: now, cache: cache, stop: stop)
    }

    /// Returns the usual delay of a call without a prediction of its source; `nil` if the cache does not have its keys, and if
    /// too little is known about the departure itself.
    private func recentUsual(_ call: borrowing ExpectedCall, _ cache: DelayKeyCache) -> DelayPrediction? {
        guard call.isPredictable, call.statedDelay == nil, case .scheduled(let scheduled) = call.subject,
            scheduled.frequency == nil, let found = cache.keys(of: scheduled, at: scheduled.position)
        else { return nil }
        let (index, day) = (Int(found.index), Int(scheduled.serviceDate.daysSince1970))
        guard index >= 0, index < history.keys.count, history.keys[index] == found.keys.departure,
            history.entries[index].isKnown(on: day)
        else { return nil }
        return DelayPrediction(
            history.entries[index].usual, days: history.entries[index].days, found.keys.departure.dayKind, .departure)
    }
}
