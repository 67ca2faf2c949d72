public import TransitModel

/// The service dates on which two versions of a timetable are compared.
///
/// Calendars are compared only on dates that both versions cover. Otherwise, every trip would differ if one version
/// covered later dates.
public struct ComparedDates: Hashable, Sendable {
    /// The maximum number of dates.
    public static let limit = 64

    public let first: ServiceDate
    /// 0...``limit``; 0 if the versions share no date.
    public let count: Int

    /// Creates the dates, starting with `today`, that are within the service dates of both versions.
    public init(
        today: ServiceDate, old: ClosedRange<ServiceDate>?, new: ClosedRange<ServiceDate>?, days: Int = 28
    ) {
        guard let old, let new else {
            first = today
            count = 0
            return
        }
        first = max(today, old.lowerBound, new.lowerBound)
        let last = min(old.upperBound, new.upperBound)
        count = max(0, min(first.days(to: last) + 1, days, Self.limit))
    }

    /// Returns a bit set in which bit `n` is set if the service runs on the date `n` days after ``first``.
    public func running(_ service: Service) -> UInt64 {
        (0..<count).reduce(0) { days, day in service.runs(on: first.advanced(by: day)) ? days | 1 << UInt64(day) : days
        }
    }
}
