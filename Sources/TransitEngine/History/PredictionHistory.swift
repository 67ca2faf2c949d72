internal import TransitModel

/// The levels of a stated range, in parts of 1000: usually 100 and 900. They are adjusted until the range contains eight of
/// ten departures.
struct RangeLevels: Hashable, Sendable {
    var low = 100.0
    var high = 900.0

    static let lowest = 30.0...150.0
    static let highest = 850.0...970.0
    /// How far the levels of usual delays, and those of predictions, follow the judgments of one day.
    static let usualStep = 200.0
    static let predictionStep = 30.0
    /// The wanted share of departures below the range, and above it. It is a little over a tenth, because departures that never
    /// vary are always inside.
    private static let wanted = 0.105
    /// The number of departures in a day below which they are not adjusted.
    private static let minimum = 30

    /// Adjusts the levels at the end of a day on which `below` and `above` of `count` departures were outside of the range.
    mutating func adjust(below: Int32, above: Int32, of count: Int32, step: Double) {
        guard count >= Self.minimum else { return }
        func correction(_ outside: Int32) -> Double { step * (Self.wanted - Double(outside) / Double(count)) }
        low = min(max(low + correction(below), Self.lowest.lowerBound), Self.lowest.upperBound)
        high = min(max(high - correction(above), Self.highest.lowerBound), Self.highest.upperBound)
    }
}

/// How good the predictions of a feed's source are at each distance from the departure, what corrects them, and whether the
/// corrections are used.
///
/// A correction starts from the usual delay and adds a part of what the vehicle is later or earlier than usual now:
/// `usual(stop) + beta * (stated - usual(stating stop))`. Then it adds the median error of such corrections.
struct PredictionHistory: Hashable, Sendable {
    /// The predictions at one distance, either those for the stop for which the source states a delay, or those propagated
    /// to later stops.
    struct Slot: Hashable, Sendable {
        /// The sums from which ``beta(isLater:)`` is computed: vehicles that are earlier than usual, and those that are later.
        var squares: [2 of Double] = [0, 0]
        var products: [2 of Double] = [0, 0]
        /// What really happened minus the corrected prediction without the median error.
        var correctedErrors = DelaySketch<UInt16>()
        /// What really happened minus the source's own prediction.
        var sourceErrors = DelaySketch<UInt16>()
        var correctedLevels = RangeLevels()
        var sourceLevels = RangeLevels()
        /// Whether predictions are corrected.
        var isCorrecting = false
        /// The last days with judgments, oldest first, the current one last.
        var days: [Day] = []
        /// The quantiles of the errors at the start of the day, so that a request need not compute them; `nil` before the first.
        private(set) var correctedRange: DelayQuantiles?
        private(set) var sourceRange: DelayQuantiles?

        /// Whether enough predictions were judged to rely on the errors.
        private(set) var isKnown = false

        static func == (left: Self, right: Self) -> Bool {
            left.squares[0] == right.squares[0] && left.squares[1] == right.squares[1]
                && left.products[0] == right.products[0] && left.products[1] == right.products[1]
                && left.correctedErrors == right.correctedErrors && left.sourceErrors == right.sourceErrors
                && left.correctedLevels == right.correctedLevels && left.sourceLevels == right.sourceLevels
                && left.isCorrecting == right.isCorrecting && left.days == right.days
        }

        func hash(into hasher: inout Hasher) { hasher.combine(days) }
    }

    /// The judgments of one day.
    struct Day: Hashable, Sendable {
        var day: Int32
        var count: Int32 = 0
        /// The sums of the absolute errors in seconds.
        var sourceError: Int32 = 0
        var correctedError: Int32 = 0
        var sourceBelow: Int32 = 0
        var sourceAbove: Int32 = 0
        var correctedBelow: Int32 = 0
        var correctedAbove: Int32 = 0
    }

    /// A prediction whose result is not yet known.
    struct Sample: Hashable, Sendable {
        /// Index into ``slots``.
        var slot: Int
        /// The delay that the source states, in seconds.
        var stated: Int
        /// The usual delays at the stop that states the delay and at the departure's stop; `nil` if they are unknown.
        var usual: (stating: Int, departure: Int)?

        static func == (left: Self, right: Self) -> Bool {
            left.slot == right.slot && left.stated == right.stated && left.usual?.stating == right.usual?.stating
                && left.usual?.departure == right.usual?.departure
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(slot)
            hasher.combine(stated)
        }
    }

    /// The upper ends of the distances in seconds. Nothing is known about predictions further ahead.
    static let distances = [180, 450, 750, 1200, 1800, 3600]
    /// The distances at which a prediction is judged.
    static let judgedDistances = [120, 300, 600, 900, 1500, 2400]
    static let slotCount = 2 * distances.count
    /// The number of days whose judgments count.
    static let window = 14
    /// The number of judgments in the window from which corrections can be used.
    static let minimumJudgments = 200
    /// Errors are counted up to this number of seconds.
    private static let maximumError = 900
    /// Deviations from the usual delay are limited to this number of seconds when beta is learned.
    private static let maximumDeviation = 300

    var slots = [Slot](repeating: Slot(), count: slotCount)
    /// The levels of the ranges of usual delays.
    var usualLevels = RangeLevels()
    /// The usual delays that were judged: those below, inside and above the range.
    var usualDays: [Day] = []
    /// The number of stated times, and how many of them were those of the timetable; halved when they are many.
    var statedTimes: Int32 = 0
    var scheduledTimes: Int32 = 0

    /// Whether the source repeats the timetable instead of measuring: of at least 500 times, more than 199 of 200 are those
    /// of the timetable.
    var repeatsTimetable: Bool { statedTimes >= 500 && Int(scheduledTimes) * 200 > Int(statedTimes) * 199 }

    /// Returns the slot for a prediction; `nil` if it is too far ahead.
    ///
    /// - Parameters:
    ///   - distance: The time from the statement to the predicted departure, in seconds.
    ///   - isStated: Whether the source states the delay for this stop.
    static func slot(distance: Int, isStated: Bool) -> Int? {
        distances.firstIndex { distance < $0 }.map { 2 * $0 + (isStated ? 1 : 0) }
    }

    // MARK: Predicting

    /// A delay with the ends of its range, in seconds.
    struct Prediction {
        var careful: Int
        var low: Int
        var delay: Int
        var high: Int
    }

    /// The corrected delay without the median error of corrections.
    private func correction(_ sample: Sample) -> Int {
        guard let usual = sample.usual else { return sample.stated }
        let deviation = sample.stated - usual.stating
        return usual.departure + Int(slots[sample.slot].beta(isLater: deviation > 0) * Double(deviation))
    }

    private static func prediction(_ delay: Int, _ errors: DelayQuantiles?, isShifted: Bool) -> Prediction? {
        errors.map { errors in
            Prediction(
                careful: delay + Int(errors.careful), low: delay + Int(errors.low),
                delay: isShifted ? delay + Int(errors.median) : delay, high: delay + Int(errors.high))
        }
    }

    func corrected(_ sample: Sample) -> Prediction? {
        Self.prediction(correction(sample), slots[sample.slot].correctedRange, isShifted: true)
    }

    func stated(_ sample: Sample) -> Prediction? {
        Self.prediction(sample.stated, slots[sample.slot].sourceRange, isShifted: false)
    }

    /// Returns the better of the source's prediction and the corrected one; `nil` if too few predictions were judged.
    func best(_ sample: Sample) -> Prediction? {
        guard slots[sample.slot].isKnown else { return nil }
        return slots[sample.slot].isCorrecting && sample.usual != nil ? corrected(sample) : stated(sample)
    }

    // MARK: Judging

    /// Adds the result of a prediction.
    mutating func add(_ sample: Sample, delay: Int, on day: Int) {
        let (own, corrected) = (stated(sample), corrected(sample))
        let raw = correction(sample)
        var slot = slots[sample.slot]
        slot.advance(to: day)
        if let own, let corrected {
            let last = slot.days.count - 1
            slot.days[last].count += 1
            slot.days[last].sourceError += Int32(min(abs(delay - own.delay), Self.maximumError))
            slot.days[last].correctedError += Int32(min(abs(delay - corrected.delay), Self.maximumError))
            slot.days[last].sourceBelow += delay < own.low ? 1 : 0
            slot.days[last].sourceAbove += delay > own.high ? 1 : 0
            slot.days[last].correctedBelow += delay < corrected.low ? 1 : 0
            slot.days[last].correctedAbove += delay > corrected.high ? 1 : 0
        }
        slot.sourceErrors.add(delay - sample.stated, on: day)
        slot.correctedErrors.add(delay - raw, on: day)
        if let usual = sample.usual {
            let limit = Self.maximumDeviation
            let deviation = Double(min(max(sample.stated - usual.stating, -limit), limit))
            let result = Double(min(max(delay - usual.departure, -limit), limit))
            slot.squares[deviation > 0 ? 1 : 0] += deviation * deviation
            slot.products[deviation > 0 ? 1 : 0] += deviation * result
        }
        slots[sample.slot] = slot
    }

    /// Counts whether a departure left in the range of its usual delay.
    mutating func judgeUsual(_ usual: DelayQuantiles, delay: Int, on day: Int) {
        if usualDays.last.map({ Int($0.day) < day }) ?? true {
            if let last = usualDays.last {
                usualLevels.adjust(
                    below: last.sourceBelow, above: last.sourceAbove, of: last.count, step: RangeLevels.usualStep)
            }
            usualDays.append(Day(day: Int32(clamping: day)))
            usualDays.removeAll { Int($0.day) <= day - Self.window }
        }
        let last = usualDays.count - 1
        usualDays[last].count += 1
        usualDays[last].sourceBelow += delay < Int(usual.low) ? 1 : 0
        usualDays[last].sourceAbove += delay > Int(usual.high) ? 1 : 0
    }

    /// Counts a time that the source stated shortly before it.
    mutating func countStatement(delay: Int) {
        if statedTimes >= 20_000 { (statedTimes, scheduledTimes) = (statedTimes / 2, scheduledTimes / 2) }
        statedTimes += 1
        if delay == 0 { scheduledTimes += 1 }
    }
}

extension PredictionHistory.Slot {
    /// The sum of the judgments in the window.
    var judged: PredictionHistory.Day { Self.sum(days[...]) }

    private static func sum(_ days: ArraySlice<PredictionHistory.Day>) -> PredictionHistory.Day {
        days.reduce(into: PredictionHistory.Day(day: 0)) { sum, day in
            sum.count += day.count
            sum.sourceError += day.sourceError
            sum.correctedError += day.correctedError
            sum.sourceBelow += day.sourceBelow
            sum.sourceAbove += day.sourceAbove
            sum.correctedBelow += day.correctedBelow
            sum.correctedAbove += day.correctedAbove
        }
    }

    /// The part of a vehicle's deviation from its usual delay that remains at the departure, from 0 to 1.1. Without evidence,
    /// half of an early deviation and all of a late one remain.
    func beta(isLater: Bool) -> Double {
        let index = isLater ? 1 : 0
        let prior = 100.0 * 60 * 60
        return min(max((products[index] + prior * (isLater ? 1 : 0.5)) / (squares[index] + prior), 0), 1.1)
    }

    /// Begins a day: adjusts the ranges by the judgments of the last day, and decides whether predictions are corrected.
    fileprivate mutating func advance(to day: Int) {
        guard days.last.map({ Int($0.day) < day }) ?? true else { return }
        if let last = days.last {
            let step = RangeLevels.predictionStep
            sourceLevels.adjust(below: last.sourceBelow, above: last.sourceAbove, of: last.count, step: step)
            correctedLevels.adjust(
                below: last.correctedBelow, above: last.correctedAbove, of: last.count, step: step)
            for index in 0..<2 {
                squares[index] *= 60.0 / 61
                products[index] *= 60.0 / 61
            }
        }
        days.removeAll { Int($0.day) <= day - PredictionHistory.window }
        isCorrecting = isCorrectionBetter
        updateRanges()
        days.append(PredictionHistory.Day(day: Int32(clamping: day)))
    }

    /// Computes what requests read: at the start of each day, and after the history was read from its file.
    mutating func updateRanges() {
        func range(_ errors: DelaySketch<UInt16>, _ levels: RangeLevels) -> DelayQuantiles? {
            let distribution = DelayDistribution(errors)
            return distribution.total == 0 ? nil : DelayQuantiles(distribution, levels: levels)
        }
        correctedRange = range(correctedErrors, correctedLevels)
        sourceRange = range(sourceErrors, sourceLevels)
        isKnown = judged.count >= Int32(PredictionHistory.minimumJudgments)
    }

    /// Whether predictions should be corrected.
    ///
    /// Corrections begin when their average error of two weeks is 5 % below that of the source's own predictions, and when
    /// they were not worse on the last three days. They end when their error is less than 2 % below, or when it was 5 % above
    /// on the last three days alone, as after a change of the source.
    private var isCorrectionBetter: Bool {
        let all = Self.sum(days[...])
        let recent = Self.sum(days.suffix(3))
        guard all.count >= Int32(PredictionHistory.minimumJudgments) else { return false }
        func isBelow(_ sum: PredictionHistory.Day, percent: Int) -> Bool {
            Int(sum.correctedError) * 100 < Int(sum.sourceError) * percent
        }
        guard isCorrecting else { return isBelow(all, percent: 95) && recent.correctedError <= recent.sourceError }
        let isRecentlyWorse =
            recent.count >= Int32(PredictionHistory.minimumJudgments / 2) && !isBelow(recent, percent: 105)
        return isBelow(all, percent: 98) && !isRecentlyWorse
    }
}
