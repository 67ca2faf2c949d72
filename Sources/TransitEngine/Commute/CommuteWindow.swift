public import TransitModel

/// The usual time of a commute: a local time range on some days of the week.
public struct CommuteWindow: Hashable, Sendable {
    /// Seconds after midnight on the clock, 0..<86,400.
    public var start: Int
    /// Seconds after midnight on the clock, at least ``start``.
    public var end: Int
    public var days: Set<Weekday>

    public init(start: Int, end: Int, days: Set<Weekday> = Set(Weekday.allCases)) {
        self.start = min(max(0, start), 86_399)
        self.end = min(max(self.start, end), 86_399)
        self.days = days
    }

    /// Parses a range such as `07:00-09:30`. Returns `nil` for any other text and if the end is not after the start.
    public init?(_ text: String, days: Set<Weekday> = Set(Weekday.allCases)) {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Self.seconds($0) }
        guard ends.count == 2, let start = ends[0], let end = ends[1], start < end else { return nil }
        self.init(start: start, end: end, days: days)
    }

    private static func seconds(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].count == 2, (1...2).contains(parts[0].count),
            let hour = Int(parts[0]), let minute = Int(parts[1]), (0...23).contains(hour), (0...59).contains(minute)
        else { return nil }
        return hour * 3600 + minute * 60
    }

    /// Returns the current and upcoming windows in ascending order.
    ///
    /// - Parameter count: the number of days after today.
    public func instances(from now: Instant, days count: Int, in zone: ServiceZone) -> [ClosedRange<Instant>] {
        let today = zone.civil(at: now).date
        return (0...max(0, count)).compactMap { ahead in
            let date = today.advanced(by: ahead)
            guard days.contains(date.weekday) else { return nil }
            let (first, last) = (
                zone.instant(date: date, secondsOfDay: start), zone.instant(date: date, secondsOfDay: end)
            )
            return last >= now && first <= last ? first...last : nil
        }
    }
}
