internal import TransitControl
internal import TransitModel

/// Formats delays that were learned from earlier days.
enum UsualDelayText {
    /// Returns the delay and its range in minutes, rounded: "3 min late (1 to 6)", "1 min early (2 early to 1 late)" or
    /// "on time". Eight of ten departures are in the range, which is omitted if it adds nothing.
    static func of(_ usual: UsualDelay) -> String {
        let (delay, earliest, latest) = (minutes(usual.delay), minutes(usual.earliest), minutes(usual.latest))
        guard abs(usual.delay) >= 60 else {
            let isNarrow = max(abs(usual.earliest), abs(usual.latest)) <= 60
            return isNarrow ? "on time" : "on time" + suffix(around(earliest, latest))
        }
        let words = "\(abs(delay)) min \(delay < 0 ? "early" : "late")"
        if earliest == latest { return words }
        // A range on one side of the timetable needs no words of its own.
        if delay > 0, earliest >= 0 { return words + suffix("\(earliest) to \(latest)") }
        if delay < 0, latest <= 0 { return words + suffix("\(-latest) to \(-earliest)") }
        return words + suffix("\(side(earliest)) to \(side(latest))")
    }

    /// Returns the delay without its range: "+3 min", "-1 min" or "on time".
    static func short(_ usual: UsualDelay) -> String {
        guard abs(usual.delay) >= 60 else { return "on time" }
        let delay = minutes(usual.delay)
        return (delay < 0 ? "-" : "+") + "\(abs(delay)) min"
    }

    /// Returns the range of a departure that is usually on time, such as "up to 4 min late".
    private static func around(_ earliest: Int, _ latest: Int) -> String? {
        switch (earliest < 0, latest > 0) {
        case (true, true): "\(side(earliest)) to \(side(latest))"
        case (false, true): "up to \(latest) min late"
        case (true, false): "up to \(-earliest) min early"
        case (false, false): nil
        }
    }

    private static func suffix(_ range: String?) -> String { range.map { " (\($0))" } ?? "" }

    private static func side(_ minutes: Int) -> String {
        minutes == 0 ? "on time" : "\(abs(minutes)) \(minutes < 0 ? "early" : "late")"
    }

    /// Returns a delay in minutes, rounded to the nearest one.
    private static func minutes(_ seconds: Int) -> Int { Int((Double(seconds) / 60).rounded()) }
}

extension Departure {
    /// The learned delay of a departure without live data; `nil` for others, and if too little is known.
    private var usualDelay: UsualDelay? { runs && source == .scheduled && !isApproximateOnly ? usual : nil }

    /// When the departure usually leaves, such as "usually 3 min late (1 to 6)"; `nil` with live data.
    var usualWords: String? { usualDelay.map { "usually " + UsualDelayText.of($0) } }

    /// When the departure usually leaves, such as "usually +3 min"; `nil` with live data.
    var shortUsualWords: String? { usualDelay.map { "usually " + UsualDelayText.short($0) } }

    /// The time at which the vehicle is likely to leave, as earlier predictions of the source show; `nil` if it is less than a
    /// minute from the time that the source states.
    var likelyTime: Timestamp? {
        guard runs, source != .scheduled, let usual, usual.basis == .prediction, let delay, let expected,
            abs(usual.delay - delay) >= 60
        else { return nil }
        return Timestamp(expected.instant.advanced(by: usual.delay - delay), offset: expected.offset)
    }
}

/// Formats distributions of delays.
enum PunctualityText {
    /// What is shown instead if nothing is known about any of the departures.
    static let unknown =
        "No delays have been learned for these departures yet. They are learned while transitd receives their realtime data, "
        + "and shown after ten days: transitctl feed history"

    /// Returns the shares of departures by delay, without empty ranges: "26 weekdays", "early 2 %", "on time 38 %", "1-3 min
    /// late 31 %", "over 15 min late 1 %", "did not run 2 %".
    static func pieces(_ punctuality: LearnedPunctuality) -> [Line] {
        let shares = punctuality.delays.filter { $0.share > 0 }.map { Line("\(range($0)) \($0.share) %", style($0)) }
        let notServed =
            punctuality.notServed > 0 ? [Line("did not run \(punctuality.notServed) %", .caution)] : []
        return [Line(DayKindText.count(punctuality.days, punctuality.dayKind), .faint)] + shares + notServed
    }

    /// Returns the name of a range, such as "1-3 min late". The range around the timetable is "on time".
    private static func range(_ share: DelayShare) -> String {
        switch (share.from.map { $0 / 60 }, share.to.map { $0 / 60 }) {
        case (nil, -1): "early"
        case (nil, let to?): to < 0 ? "over \(-to) min early" : "up to \(to) min late"
        case (let from?, nil): "over \(from) min late"
        case (let from?, let to?) where from < 0 && to > 0: "on time"
        case (let from?, let to?) where to <= 0: "\(-to)-\(-from) min early"
        case (let from?, let to?): "\(from)-\(to) min late"
        case (nil, nil): "at any time"
        }
    }

    private static func style(_ share: DelayShare) -> Style {
        if let from = share.from, from >= 60 { return .late }
        return (share.to ?? 0) <= 0 ? .early : .good
    }
}

/// Formats kinds of days.
enum DayKindText {
    /// Returns a number of days of a kind, such as "26 weekdays"; "26 days" for all kinds.
    static func count(_ days: Int, _ kind: ServiceDayKind?) -> String {
        switch kind {
        case .weekday: CountText.of(days, "weekday")
        case .saturday: CountText.of(days, "Saturday")
        case .sunday: CountText.of(days, "Sunday")
        case .exception: CountText.of(days, "day") + " with irregular service"
        case .other, nil: CountText.of(days, "day")
        }
    }
}

/// Formats how good learned delays are.
enum LearnedDelayText {
    /// Returns how many departures were in their usual range, and the errors of predictions ten minutes ahead: "79 % in
    /// range (target 80 %)", "off by 74 s, corrected 58 s".
    static func pieces(_ status: LearnedDelayStatus) -> [Line] {
        if status.repeatsTimetable { return [Line("the source repeats the timetable", .caution)] }
        var pieces = [coverage(status)]
        if let error = status.sourceError { pieces.append(Line(errors(error, status))) }
        return pieces
    }

    private static func coverage(_ status: LearnedDelayStatus) -> Line {
        guard let coverage = status.coverage else {
            return Line("\(CountText.of(status.departures, "departure")) known, too few judged", .faint)
        }
        return Line("\(coverage) % in range (target 80 %)", (70...90).contains(coverage) ? .good : .caution)
    }

    private static func errors(_ error: Int, _ status: LearnedDelayStatus) -> String {
        guard status.correcting, let corrected = status.correctedError else {
            return "off by \(error) s, not corrected"
        }
        return "off by \(error) s, corrected \(corrected) s"
    }
}
