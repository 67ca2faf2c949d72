internal import TransitModel

/// Until when a dataset is new enough: a pure function of its record, its policy and chance.
struct FreshnessDeadline {
    var policy: RefreshPolicy
    /// Seconds between two refreshes at present.
    var interval: Int
    /// Chance in `0..<1`.
    var fraction: Double
    var zone: ServiceZone

    /// A dataset is asked up to this part of its interval early, so that feeds do not march in step.
    static let spread = 0.1
    /// Nor more than so many seconds.
    static let maximumSpread = 600
    /// A quiet hour that comes sooner than so many seconds after a success is left out.
    static let quietGap = 3600

    /// - Returns: a moment between the last success and ``latest(_:)``; `nil` before the first success.
    func moment(lastSuccess: ClockReading?, now: ClockReading) -> BootTime? {
        guard let lastSuccess else { return nil }
        guard let quiet = policy.quietHours, interval >= 24 * 3600 else { return even(lastSuccess) }
        return quietMoment(quiet, lastSuccess, now)
    }

    private func even(_ lastSuccess: ClockReading) -> BootTime {
        let early = min(Double(interval) * Self.spread, Double(Self.maximumSpread)) * fraction
        return lastSuccess.boot.advanced(byMilliseconds: Int64(Double(interval) * 1000 - early * 1000))
    }

    /// The last quiet hour before the interval ends. What it was on the wall clock at the last success is told by today's
    /// clock: that one may have been wrong.
    private func quietMoment(_ quiet: QuietHours, _ lastSuccess: ClockReading, _ now: ClockReading) -> BootTime {
        let limit = lastSuccess.boot.advanced(by: interval)
        let (date, _) = zone.civil(at: now.wall(at: limit))
        let soonest = lastSuccess.boot.advanced(by: Self.quietGap)
        let moments = (-1...1).map { now.boot(at: moment(quiet, on: date.advanced(by: $0))) }
        // The one after the limit only when those before it lie too near to the last success.
        return moments.last { $0 <= limit && $0 >= soonest } ?? moments.first { $0 > limit } ?? limit
    }

    private func moment(_ quiet: QuietHours, on date: ServiceDate) -> Instant {
        zone.instant(date: date, secondsOfDay: quiet.start + Int(Double(quiet.length) * fraction))
    }
}
