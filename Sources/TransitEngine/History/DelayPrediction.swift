public import TransitModel

/// When a departure usually leaves: a delay with a range, learned from earlier days. All delays are in seconds, relative to
/// the timetable, and negative when early.
public struct DelayPrediction: Hashable, Sendable {
    /// What the delay was learned from.
    public enum Basis: UInt8, Hashable, Sendable, CaseIterable {
        /// The same departure on earlier days.
        case departure
        /// Departures of the same route and direction, on the same part of the route and in the same hour.
        case group
        /// The current prediction of the source, and how good such predictions were.
        case prediction
    }

    /// The delay that 95 of 100 departures exceed. A rider who is at the stop then does not miss the vehicle.
    public var careful: Int
    /// The delay that nine of ten departures exceed.
    public var earliest: Int
    /// The delay that is exceeded as often as not; with ``Basis/prediction``, the best prediction of the delay.
    public var delay: Int
    /// The delay that one of ten departures exceeds.
    public var latest: Int
    /// The number of days with observations.
    public var days: Int
    public var dayKind: DayKind
    public var basis: Basis
    /// Whether ``delay`` differs from what the source states, because corrected predictions were better in the last two
    /// weeks.
    public var isCorrected = false

    init(_ usual: DelayQuantiles, days: UInt8, _ dayKind: DayKind, _ basis: Basis) {
        careful = Int(usual.careful)
        earliest = Int(usual.low)
        delay = Int(usual.median)
        latest = Int(usual.high)
        self.days = Int(days)
        self.dayKind = dayKind
        self.basis = basis
    }

    init(_ prediction: PredictionHistory.Prediction, days: UInt8, _ dayKind: DayKind, isCorrected: Bool) {
        careful = prediction.careful
        earliest = prediction.low
        delay = prediction.delay
        latest = prediction.high
        self.days = Int(days)
        self.dayKind = dayKind
        basis = .prediction
        self.isCorrected = isCorrected
    }
}

extension DelayPrediction {
    /// Returns the time at which a rider should be at the stop, so that the vehicle is missed once in twenty times at most:
    /// never after the expected time, and not after the scheduled time of a departure that can still leave on time, because a
    /// vehicle that is usually late can be on time.
    public func boardingTime(of call: ExpectedCall) -> Instant {
        guard let planned = call.scheduledDeparture else { return call.departure }
        let time = planned.advanced(by: careful)
        return basis == .prediction ? min(call.departure, time) : min(planned, time)
    }

    /// The possible error of a stated delay in seconds: nine of ten departures are at most this much earlier or later.
    public func uncertainty(ofDelay stated: Int) -> Int { max(latest - stated, stated - earliest, 0) }
}

/// A scheduled call whose delay is predicted, as the history identifies it.
struct HistoricalCall {
    let key: DelayKey
    let group: DelayKey
    private let pattern: Pattern
    private let start: Int
    private let timingGroup: Int
    private let line: UInt32

    /// - Returns: `nil` for calls without a scheduled time of their own.
    init?(_ call: ScheduledCall, _ route: RouteID, _ stop: StopID, _ services: [Service]) {
        if let frequency = call.frequency, !frequency.row.isExact { return nil }
        let row = call.pattern.tripRange(ofTimingGroup: call.timingGroup).lowerBound + call.tripPosition
        pattern = call.pattern
        timingGroup = call.timingGroup
        start = Int(call.frequency?.start.seconds ?? call.pattern.column(.starts)[row])
        line = DelayKey.line(route, call.pattern.direction)
        let kind = call.pattern.dayKind(ofRow: row, on: call.serviceDate, services)
        let calls = call.pattern.callCount
        let time = start + Int(call.pattern.learnedTime(ofTimingGroup: timingGroup, call: call.position))
        key = .departure(line: line, stop: DelayKey.stop(stop), kind, time: time)
        group = .group(line: line, position: call.position, of: calls, kind, time: time)
    }

    /// Returns the key of an earlier call of the same trip.
    func key(at position: Int, _ stop: StopID) -> DelayKey {
        let time = start + Int(pattern.learnedTime(ofTimingGroup: timingGroup, call: position))
        return .departure(line: line, stop: DelayKey.stop(stop), key.dayKind, time: time)
    }
}

extension DelayHistory {
    /// Predicts the delay of a call: from earlier days and, if its source states one, from the current delay and how good
    /// such predictions were.
    ///
    /// - Parameters:
    ///   - route: The identifier of the call's route.
    ///   - services: The services of the timetable.
    ///   - stop: Returns the identifier of a stop.
    /// - Returns: `nil` if fewer than ten days are known, if the source repeats the timetable, and for calls that are not
    ///   expected to take place.
    public func prediction<Failure>(
        of call: ExpectedCall, _ route: RouteID, _ services: [Service], now: Instant,
        stop: (StopIndex) throws(Failure) -> StopID
    ) throws(Failure) -> DelayPrediction? {
        guard !isEmpty, !predictions.repeatsTimetable, call.isRunning, call.status != .departed,
            call.duplicateStart == nil, let scheduled = call.scheduledCall,
            let historical = HistoricalCall(
                scheduled, route, try stop(scheduled.pattern.stop(at: scheduled.position)), services)
        else { return nil }
        let day = Int(scheduled.serviceDate.daysSince1970)
        guard call.source != .scheduled, let stated = call.delay, let expected = call.expectedDeparture else {
            return usual(historical, on: day)
        }
        let isStated = call.basis == .stated
        // The distance counts from the message, so that an old prediction is not taken for one just before the departure.
        let distance = max(0, (call.measured.map { min($0, now) } ?? now).seconds(to: expected))
        guard let slot = PredictionHistory.slot(distance: distance, isStated: isStated) else {
            return usual(historical, on: day).flatMap { stated <= $0.latest ? $0 : nil }
        }
        var sample = PredictionHistory.Sample(slot: slot, stated: stated)
        let own = entry(historical.key)
        if let own {
            if let stating = call.statingCall {
                let key = historical.key(at: stating, try stop(scheduled.pattern.stop(at: stating)))
                sample.usual = entry(key).map { (Int($0.usual.median), Int(own.usual.median)) }
            } else {
                sample.usual = (Int(own.usual.median), Int(own.usual.median))
            }
        }
        return predictions.best(sample).map {
            DelayPrediction(
                $0, days: own?.days ?? 0, historical.key.dayKind,
                isCorrected: predictions.slots[slot].isCorrecting && sample.usual != nil)
        }
    }

    /// Returns the usual delay of the departure of a route from a stop at a time; `nil` if fewer than ten days are known.
    public func usual(
        _ route: RouteID, _ direction: Direction?, from stop: StopID, at time: ServiceTime, _ kind: DayKind
    ) -> DelayPrediction? {
        let key = DelayKey.departure(
            line: DelayKey.line(route, direction), stop: DelayKey.stop(stop), kind, time: Int(time.seconds))
        guard !predictions.repeatsTimetable, let own = entry(key), own.isKnown(on: newestDay) else { return nil }
        return DelayPrediction(own.usual, days: own.days, kind, .departure)
    }

    /// Returns the usual delay of a departure; of its group if too little is known about the departure itself.
    private func usual(_ call: HistoricalCall, on day: Int) -> DelayPrediction? {
        if let own = entry(call.key), own.isKnown(on: day) {
            return DelayPrediction(own.usual, days: own.days, call.key.dayKind, .departure)
        }
        guard let group = entry(call.group), group.isKnown(on: day),
            let all = distribution(of: call.key, group: call.group, on: day)
        else { return nil }
        return DelayPrediction(
            DelayQuantiles(all, levels: predictions.usualLevels), days: group.days, call.key.dayKind, .group)
    }
}
