public import TransitModel

/// Why the prediction of a source is not corrected.
public enum MissingCorrection: Hashable, Sendable {
    /// Too few of its predictions this far ahead have been judged in the last two weeks.
    case tooFew(judged: Int)
    /// Corrected predictions this far ahead were not better in the last two weeks. The average errors are in seconds.
    case notBetter(source: Int, corrected: Int)
    /// Too little is known about the departure on earlier days.
    case unknownDeparture

    /// The number of judged predictions from which they can be corrected.
    public static let minimumJudgments = PredictionHistory.minimumJudgments
}

extension DelayHistory {
    /// Returns why the prediction of a call is not corrected.
    ///
    /// - Returns: `nil` without a prediction of the source, if it is more than an hour ahead, and if the source repeats the
    ///   timetable. Meaningless for a call whose prediction is corrected.
    public func missingCorrection(of call: ExpectedCall, now: Instant) -> MissingCorrection? {
        guard !predictions.repeatsTimetable, call.isPredictable, let number = Self.slot(of: call, now: now) else {
            return nil
        }
        let slot = predictions.slots[number]
        let judged = slot.judged
        guard slot.isKnown, judged.count > 0 else { return .tooFew(judged: Int(judged.count)) }
        guard !slot.isCorrecting else { return .unknownDeparture }
        return .notBetter(
            source: Int(judged.sourceError / judged.count), corrected: Int(judged.correctedError / judged.count))
    }

    /// Returns the slot of the predictions like that of a call; `nil` without a prediction, and if it is too far ahead.
    static func slot(of call: ExpectedCall, now: Instant) -> Int? {
        guard call.statedDelay != nil, let expected = call.expectedDeparture else { return nil }
        // The distance counts from the message, so that an old prediction is not taken for one just before the departure.
        let distance = max(0, (call.measured.map { min($0, now) } ?? now).seconds(to: expected))
        return PredictionHistory.slot(distance: distance, isStated: call.basis == .stated)
    }
}
