internal import TransitModel

/// The time until which a dataset is fresh: a pure function of the dataset's record, its policy and a random number.
struct FreshnessDeadline {
    var policy: RefreshPolicy
    /// The current number of seconds between two refreshes.
    var interval: Int
    /// A random number in `0..<1`.
    var fraction: Double
    var zone: ServiceZone

    /// The share of the interval by which a dataset may be fetched early, so that feeds are not fetched in lockstep.
    static let spread = 0.1
    /// The maximum number of seconds by which a dataset is fetched early.
    static let maximumSpread = 600
    /// A quiet hour less than this number of seconds after a success is skipped.
    static let quietGap = 3600

    /// Returns the end of freshness; `nil` before the first success.
    func moment(lastSuccess: ClockReading?, now: ClockReading) -> BootTime? {
        guard let lastSuccess else { return nil }
        guard let quiet = policy.quietHours, interval >= 24 * 3600 else { return even(lastSuccess) }
        return quietMoment(quiet, lastSuccess, now)
    }

    private func even(_ lastSuccess: ClockReading) -> BootTime {
        let early = min(Double(interval) * Self.spread, Double(Self.maximumSpread)) * fraction
        return lastSuccess.boot.advanced(byMilliseconds: Int64(Double(interval) * 1000 - early * 1000))
    }

    /// Returns the last quiet hour before the interval ends. The current wall clock determines the quiet hours, because
    /// the clock may have been wrong at the last success.
    private func quietMoment(_ quiet: QuietHours, _ lastSuccess: ClockReading, _ now: ClockReading) -> BootTime {
        let limit = lastSuccess.boot.advanced(by: interval)
        let (date, _) = zone.civil(at: now.wall(at: limit))
        let soonest = lastSuccess.boot.advanced(by: Self.quietGap)
        let moments = (-1...1).map { now.boot(at: moment(quiet, on: date.advanced(by: $0))) }
        // The quiet hour after the limit is used only if all earlier quiet hours are too close to the last success.
        return moments.last { $0 <= limit && $0 >= soonest } ?? moments.first { $0 > limit } ?? limit
    }

    private func moment(_ quiet: QuietHours, on date: ServiceDate) -> Instant {
        zone.instant(date: date, secondsOfDay: quiet.start + Int(Double(quiet.length) * fraction))
    }
}
