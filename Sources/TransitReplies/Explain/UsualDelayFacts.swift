internal import TransitControl
internal import TransitEngine

/// The facts about the delays of a departure on earlier days, and about the correction of its current prediction.
struct UsualDelayFacts {
    /// When the departure usually leaves; `nil` if too little is known.
    var prediction: DelayPrediction?
    /// The departure on earlier days; `nil` if too little is known.
    var earlierDays: EarlierDays?
    /// The delay in seconds that the source states; `nil` without one.
    var stated: Int?
    /// Why the source's delay is not corrected; `nil` without such a delay. Not used if it is.
    var missingCorrection: MissingCorrection?
    /// How good what was learned about the feed is.
    var quality: DelayHistoryQuality

    /// The median delay of a departure in seconds, and the days of which it is the median.
    struct EarlierDays {
        var median: Int
        var days: Int
        var dayKind: DayKind?
    }

    /// The facts `usual` and `correction`, as far as they are known.
    var facts: [ExplainedFact] {
        if quality.repeatsTimetable {
            return [
                ExplainedFact(
                    fact: "usual",
                    value: "not known: the source repeats the timetable, so nothing can be learned from it")
            ]
        }
        return [
            usual.map { ExplainedFact(fact: "usual", value: $0) },
            correction.map { ExplainedFact(fact: "correction", value: $0) },
        ].compactMap { $0 }
    }

    private var usual: String? {
        guard let prediction, prediction.basis != .prediction else {
            return earlierDays.map { "\($0.median) s in the median of \(Self.words($0.days, $0.dayKind))" }
        }
        let days = Self.words(prediction.days, prediction.dayKind)
        let words = "\(prediction.delay) s in the median of \(days), \(Self.range(prediction))"
        guard prediction.basis == .group else { return words }
        return "\(words); of all departures of this route and direction in this hour and on this part of the route, "
            + "because too little is known about this one"
    }

    private var correction: String? {
        guard let stated else { return nil }
        let range = prediction.flatMap { $0.basis == .prediction ? "; \(Self.range($0))" : nil } ?? ""
        if let prediction, prediction.basis == .prediction, prediction.isCorrected {
            let change = prediction.delay - stated
            guard change != 0 else { return "0 s: predictions like this one were right\(range)" }
            return "\(prediction.delay) s instead of \(stated) s, because vehicles left \(abs(change)) s "
                + "\(change > 0 ? "later" : "earlier") than predictions like this one\(range)"
        }
        switch missingCorrection {
        case .tooFew(let judged):
            return "none yet: \(judged) predictions of the source this far ahead have been judged in the last two "
                + "weeks, and at least \(MissingCorrection.minimumJudgments) are needed at the start of a day\(range)"
        case .notBetter(let source, let corrected):
            return "none: in the last two weeks, corrected predictions this far ahead were not clearly better than the "
                + "source's own; on average, they were off by \(corrected) s instead of \(source) s\(range)"
        case .unknownDeparture: return "none: too little is known about this departure on earlier days\(range)"
        case nil: return nil
        }
    }

    private static func range(_ prediction: DelayPrediction) -> String {
        "eight of ten from \(prediction.earliest) s to \(prediction.latest) s"
    }

    /// Returns a number of days of a kind, such as "26 weekdays".
    private static func words(_ days: Int, _ kind: DayKind?) -> String {
        let word =
            switch kind {
            case .weekday: "weekday"
            case .saturday: "Saturday"
            case .sunday: "Sunday"
            case .exception, nil: "day"
            }
        return "\(days) \(word)\(days == 1 ? "" : "s")" + (kind == .exception ? " with irregular service" : "")
    }
}
