/// A range of service dates as people write it, both ends included: a date such as `2026-12-24`, or two such as
/// `2026-12-24..2027-01-02`.
public struct ServiceDateRange: Hashable, Sendable, CustomStringConvertible {
    public var first: ServiceDate
    public var last: ServiceDate

    public init(first: ServiceDate, last: ServiceDate) { (self.first, self.last) = (first, last) }

    /// Parses a date or range; `nil` for any other text. The last date can precede the first.
    public init?(_ text: some StringProtocol) {
        let start = String(text.prefix { $0 != "." })
        let end = text.contains(".") ? String(text.dropFirst(start.count).drop { $0 == "." }) : start
        guard let first = ServiceDate(iso8601: start), let last = ServiceDate(iso8601: end) else { return nil }
        self.init(first: first, last: last)
    }

    public var description: String { first == last ? "\(first)" : "\(first)..\(last)" }

    /// The number of dates, which is not positive if the last date precedes the first.
    public var count: Int { first.days(to: last) + 1 }

    /// Returns the ranges of consecutive dates.
    ///
    /// - Parameters:
    ///   - dates: The dates in ascending order.
    ///   - maximumCount: The maximum number of dates in a range.
    public static func ranges(of dates: [ServiceDate], maximumCount: Int = .max) -> [ServiceDateRange] {
        var ranges: [ServiceDateRange] = []
        for date in dates {
            if let range = ranges.last, range.last.advanced(by: 1) == date, range.count < maximumCount {
                ranges[ranges.count - 1].last = date
            } else {
                ranges.append(ServiceDateRange(first: date, last: date))
            }
        }
        return ranges
    }
}
