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

/// The keys of a scheduled call in a history.
struct CallKeys {
    var departure: DelayKey
    var group: DelayKey

    /// - Parameter position: The position of the call of the trip.
    init(
        _ call: borrowing ScheduledCall, at position: Int, _ route: RouteID, _ stop: StopID, _ services: [Service]
    ) {
        let pattern = call.pattern
        let row = pattern.tripRange(ofTimingGroup: call.timingGroup).lowerBound + call.tripPosition
        let line = DelayKey.line(route, pattern.direction)
        let kind = pattern.dayKind(ofRow: row, on: call.serviceDate, services)
        let start = Int(call.frequency?.start.seconds ?? pattern.column(.starts)[row])
        let time = start + Int(pattern.learnedTime(ofTimingGroup: call.timingGroup, call: position))
        departure = .departure(line: line, stop: DelayKey.stop(stop), kind, time: time)
        group = .group(line: line, position: position, of: pattern.callCount, kind, time: time)
    }
}

/// The keys of a scheduled call, and what is known about its departure.
struct HistoricalCall {
    var keys: CallKeys
    var own: DelayHistory.Entry?
}

extension ScheduledCall {
    /// Whether the call has a scheduled time of its own.
    var hasExactTime: Bool { frequency.map { $0.row.isExact } ?? true }
}

extension DelayHistory {
    /// Returns what is known about a scheduled call with a time of its own.
    ///
    /// - Returns: `nil` if the route is not known.
    private func historical<Failure>(
        _ call: borrowing ScheduledCall, at position: Int, _ cache: DelayKeyCache?, _ services: () -> [Service],
        _ route: () -> RouteID?, _ stop: (StopIndex) throws(Failure) -> StopID
    ) throws(Failure) -> HistoricalCall? {
        let isRepeated = call.frequency != nil
        let slot = isRepeated ? nil : cache?.slot(of: call, at: position)
        if let slot, slot.index >= 0, Int(slot.index) < keys.count, keys[Int(slot.index)] == slot.keys.departure {
            return HistoricalCall(keys: slot.keys, own: entries[Int(slot.index)])
        }
        let found: CallKeys
        if let slot {
            found = slot.keys
        } else {
            guard let route = route() else { return nil }
            found = CallKeys(call, at: position, route, try stop(call.pattern.stop(at: position)), services())
        }
        let index = index(of: found.departure)
        if !isRepeated, slot == nil || index != nil {
            cache?.insert(found, index: index.map { Int32($0) } ?? -1, of: call, at: position)
        }
        return HistoricalCall(keys: found, own: index.map { entries[$0] })
    }
}

extension DelayHistory {
    /// Predicts the delay of a call: from earlier days and, if its source states one, from the current delay and how good
    /// such predictions were.
    ///
    /// - Parameters:
    ///   - route: The identifier of the call's route; `nil` if it is not known.
    ///   - services: The services of the timetable.
    ///   - cache: The keys of recent calls of the timetable.
    ///   - stop: Returns the identifier of a stop.
    /// - Returns: `nil` if fewer than ten days are known, if the source repeats the timetable, and for calls that are not
    ///   expected to take place.
    public func prediction<Failure>(
        of call: ExpectedCall, _ route: @autoclosure () -> RouteID?, _ services: @autoclosure () -> [Service],
        now: Instant, cache: DelayKeyCache? = nil, stop: (StopIndex) throws(Failure) -> StopID
    ) throws(Failure) -> DelayPrediction? {
        guard !isEmpty, !predictions.repeatsTimetable, call.isRunning, call.status != .departed,
            call.duplicateStart == nil, case .scheduled(let scheduled) = call.subject, scheduled.hasExactTime
        else { return nil }
        guard
            let historical = try historical(scheduled, at: scheduled.position, cache, services, route, stop)
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
        if let own = historical.own {
            if let stating = call.statingCall {
                let other = try self.historical(scheduled, at: stating, cache, services, route, stop)?.own
                sample.usual = other.map { (Int($0.usual.median), Int(own.usual.median)) }
            } else {
                sample.usual = (Int(own.usual.median), Int(own.usual.median))
            }
        }
        return predictions.best(sample).map {
            DelayPrediction(
                $0, days: historical.own?.days ?? 0, historical.keys.departure.dayKind,
                isCorrected: predictions.slots[slot].isCorrecting && sample.usual != nil)
        }
    }

    /// Returns what is known about the departure of a call on days of its kind, with its key; `nil` if nothing is.
    func known<Failure>(
        _ call: ExpectedCall, _ route: RouteID, _ services: [Service], stop: (StopIndex) throws(Failure) -> StopID
    ) throws(Failure) -> (key: DelayKey, entry: Entry)? {
        guard !predictions.repeatsTimetable, case .scheduled(let scheduled) = call.subject, scheduled.hasExactTime,
            let found = try historical(
                scheduled, at: scheduled.position, nil, { services }, { route }, stop)
        else { return nil }
        return found.own.map { (found.keys.departure, $0) }
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
        let (key, groupKey) = (call.keys.departure, call.keys.group)
        if let own = call.own, own.isKnown(on: day) {
            return DelayPrediction(own.usual, days: own.days, key.dayKind, .departure)
        }
        guard let group = entry(groupKey), group.isKnown(on: day),
            let all = distribution(of: key, group: groupKey, on: day)
        else { return nil }
        return DelayPrediction(
            DelayQuantiles(all, levels: predictions.usualLevels), days: group.days, key.dayKind, .group)
    }
}
