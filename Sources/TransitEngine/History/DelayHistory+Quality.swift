public import TransitModel

/// How good what has been learned about a feed's delays was in the last two weeks.
public struct DelayHistoryQuality: Hashable, Sendable {
    /// The number of departures that were judged.
    public var judged = 0
    /// How many of them left within their stated range.
    public var inside = 0
    /// The number of predictions about ten minutes ahead that were judged.
    public var predictions = 0
    /// The average absolute errors of these predictions in seconds: as the source states them, and corrected; `nil` if too few
    /// were judged.
    public var sourceError: Int?
    public var correctedError: Int?
    /// Whether predictions are corrected, at any distance.
    public var isCorrecting = false
    /// Whether the source repeats the timetable.
    public var repeatsTimetable = false

    /// The share of the judged departures inside of their range, in percent; `nil` if too few were judged.
    public var coverage: Int? { judged < Self.minimum ? nil : (inside * 100 + judged / 2) / judged }

    private static let minimum = 100

    init() {}
}

extension DelayHistory {
    /// How good the stated ranges and predictions were in the last two weeks.
    public var quality: DelayHistoryQuality {
        var quality = DelayHistoryQuality()
        quality.repeatsTimetable = predictions.repeatsTimetable
        for day in predictions.usualDays {
            quality.judged += Int(day.count)
            quality.inside += Int(day.count - day.sourceBelow - day.sourceAbove)
        }
        var errors = (source: 0, corrected: 0)
        for (number, slot) in predictions.slots.enumerated() {
            let judged = slot.judged
            if slot.isCorrecting { quality.isCorrecting = true }
            guard judged.count >= Int32(PredictionHistory.minimumJudgments) else { continue }
            quality.judged += Int(judged.count)
            let outside =
                slot.isCorrecting
                ? judged.correctedBelow + judged.correctedAbove : judged.sourceBelow + judged.sourceAbove
            quality.inside += Int(judged.count - outside)
            if PredictionHistory.judgedDistances[number / 2] == 600 {
                quality.predictions += Int(judged.count)
                errors.source += Int(judged.sourceError)
                errors.corrected += Int(slot.isCorrecting ? judged.correctedError : judged.sourceError)
            }
        }
        if quality.predictions >= PredictionHistory.minimumJudgments {
            quality.sourceError = errors.source / quality.predictions
            quality.correctedError = errors.corrected / quality.predictions
        }
        return quality
    }
}

/// The delays of a departure or route on earlier days.
public struct LearnedDelays: Sendable {
    /// The number of days with observations.
    public var days: Int
    /// The kind of the days; `nil` for all kinds.
    public var dayKind: DayKind?
    /// The share of departures that were canceled or did not stop, in percent.
    public var notServed: Int
    private let distribution: DelayDistribution

    init(_ distribution: DelayDistribution, notServed: Int, days: Int, _ dayKind: DayKind?) {
        self.distribution = distribution
        self.days = days
        self.dayKind = dayKind
        let all = distribution.total + notServed
        self.notServed = all == 0 ? 0 : (notServed * 100 + all / 2) / all
    }

    /// The delay in seconds that is exceeded as often as not.
    public var median: Int { distribution.quantile(500) ?? 0 }

    /// Returns the share of delays in a range in percent; `nil` is an open end.
    public func share(from: Int?, to: Int?) -> Int { distribution.share(from: from, to: to) }
}

extension DelayHistory {
    /// Returns the delays of a departure on days of its kind; `nil` if fewer than ten days are known.
    public func delays<Failure>(
        of call: ExpectedCall, _ route: RouteID, _ services: [Service],
        stop: (StopIndex) throws(Failure) -> StopID
    ) throws(Failure) -> LearnedDelays? {
        guard let (key, own) = try known(call, route, services, stop: stop), own.days >= Self.minimumDays else {
            return nil
        }
        return LearnedDelays(
            DelayDistribution(own.sketch), notServed: Int(own.notServed), days: Int(own.days), key.dayKind)
    }

    /// Returns the delays of a route in one direction, at all times and on all kinds of days; `nil` if fewer than ten days are
    /// known.
    public func delays(of route: RouteID, _ direction: Direction?) -> LearnedDelays? {
        guard !predictions.repeatsTimetable else { return nil }
        let (keys, entries) = entries(ofLine: DelayKey.line(route, direction))
        var all = DelayDistribution()
        var (notServed, days) = (0, 0)
        for (key, entry) in zip(keys, entries) where key.isGroup {
            all.add(entry.sketch, factor: 1)
            notServed += Int(entry.notServed)
            days = max(days, Int(entry.days))
        }
        guard days >= Int(Self.minimumDays), all.total > 0 else { return nil }
        return LearnedDelays(all, notServed: notServed, days: days, nil)
    }
}

extension DelayHistory {
    /// Returns what would be learned from some days with twenty departures of the route "r" from the stop "s", for fuzzing.
    ///
    /// - Parameter predictedDays: The number of the first days whose predictions are judged.
    package static func sample(days: Int, predictedDays: Int) -> DelayHistory {
        var history = DelayHistory()
        let line = DelayKey.line("r", nil)
        for day in 20_600..<(20_600 + days) {
            history.add(
                (0..<20).map { number in
                    let time = 30_000 + 600 * number
                    return Observation(
                        key: .departure(line: line, stop: DelayKey.stop("s"), .weekday, time: time),
                        group: .group(line: line, position: 0, of: 4, .weekday, time: time), hasOwnEntry: true,
                        isInUse: true, day: day, delay: number == 3 ? nil : 30 * number + day % 7)
                })
            for number in 0..<(day < 20_600 + predictedDays ? 240 : 0) {
                history.predictions.add(
                    PredictionHistory.Sample(slot: number % 12, stated: number, usual: (10, 20)), delay: number + 5,
                    on: day)
            }
        }
        return history
    }
}
