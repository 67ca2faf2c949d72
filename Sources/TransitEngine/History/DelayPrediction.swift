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
    var departure = DelayKey(line: 0, place: 0, slot: 0)
    var group = DelayKey(line: 0, place: 0, slot: 0)

    /// The keys of no call.
    init() {}

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

/// The keys of a scheduled call, and where the entry of its departure is.
struct HistoricalCall {
    var keys: CallKeys
    /// The index of the entry; `nil` if the departure has none.
    var index: Int?
}

extension ScheduledCall {
    /// Whether the call has a scheduled time of its own.
    var hasExactTime: Bool { frequency.map { $0.row.isExact } ?? true }
}

extension ExpectedCall {
    /// Whether the vehicle is expected, and the timetable has the trip once.
    var isPredictable: Bool { isRunning && status != .departed && duplicateStart == nil }

    /// The delay that the source states; `nil` without realtime data.
    var statedDelay: Int? { source == .scheduled || expectedDeparture == nil ? nil : delay }
}

extension DelayHistory {
    /// Finds what is known about a scheduled call with a time of its own.
    ///
    /// - Returns: `nil` if the route is not known.
    private func historical<Failure>(
        _ call: borrowing ScheduledCall, at position: Int, _ cache: DelayKeyCache?, _ services: () -> [Service],
        _ route: () -> RouteID?, _ stop: (StopIndex) throws(Failure) -> StopID
    ) throws(Failure) -> HistoricalCall? {
        guard let cache, call.frequency == nil else {
            guard let keys = try Self.keys(of: call, at: position, services, route, stop) else { return nil }
            return HistoricalCall(keys: keys, index: index(of: keys.departure))
        }
        let cached = cache.keys(of: call, at: position)
        if let cached {
            let index = Int(cached.index)
            if index >= 0, index < keys.count, keys[index] == cached.keys.departure {
                return HistoricalCall(keys: cached.keys, index: index)
            }
        }
        return try search(call, at: position, cached, cache, services, route, stop)
    }

    /// Searches for a call whose keys or whose entry are not where the cache expects them.
    @inline(never)
    private func search<Failure>(
        _ call: borrowing ScheduledCall, at position: Int, _ cached: DelayKeyCache.Found?, _ cache: DelayKeyCache,
        _ services: () -> [Service], _ route: () -> RouteID?, _ stop: (StopIndex) throws(Failure) -> StopID
    ) throws(Failure) -> HistoricalCall? {
        let found: CallKeys?
        if let cached {
            found = cached.keys
        } else {
            found = try Self.keys(of: call, at: position, services, route, stop)
        }
        guard let keys = found else { return nil }
        let index = index(of: keys.departure)
        if cached == nil || index != nil {
            cache.insert(keys, index: index.map { Int32($0) } ?? -1, of: call, at: position)
        }
        return HistoricalCall(keys: keys, index: index)
    }

    private static func keys<Failure>(
        of call: borrowing ScheduledCall, at position: Int, _ services: () -> [Service], _ route: () -> RouteID?,
        _ stop: (StopIndex) throws(Failure) -> StopID
    ) throws(Failure) -> CallKeys? {
        guard let route = route() else { return nil }
        return CallKeys(call, at: position, route, try stop(call.pattern.stop(at: position)), services())
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
        guard !isEmpty, !predictions.repeatsTimetable, call.isPredictable,
            case .scheduled(let scheduled) = call.subject, scheduled.hasExactTime
        else { return nil }
        guard
            let historical = try historical(scheduled, at: scheduled.position, cache, services, route, stop)
        else { return nil }
        let day = Int(scheduled.serviceDate.daysSince1970)
        guard let stated = call.statedDelay else { return usual(historical, on: day) }
        guard let slot = Self.slot(of: call, now: now) else {
            return usual(historical, on: day).flatMap { stated <= $0.latest ? $0 : nil }
        }
        var sample = PredictionHistory.Sample(slot: slot, stated: stated)
        if let index = historical.index {
            let own = Int(entries[index].usual.median)
            if let stating = call.statingCall {
                let other = try self.historical(scheduled, at: stating, cache, services, route, stop)?.index
                sample.usual = other.map { (Int(entries[$0].usual.median), own) }
            } else {
                sample.usual = (own, own)
            }
        }
        return predictions.best(sample).map {
            DelayPrediction(
                $0, days: historical.index.map { entries[$0].days } ?? 0, historical.keys.departure.dayKind,
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
        return found.index.map { (found.keys.departure, entries[$0]) }
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
        if let index = call.index, entries[index].isKnown(on: day) {
            return DelayPrediction(entries[index].usual, days: entries[index].days, key.dayKind, .departure)
        }
        guard let group = entry(groupKey), group.isKnown(on: day),
            let all = distribution(of: key, group: groupKey, on: day)
        else { return nil }
        return DelayPrediction(
            DelayQuantiles(all, levels: predictions.usualLevels), days: group.days, key.dayKind, .group)
    }
}
