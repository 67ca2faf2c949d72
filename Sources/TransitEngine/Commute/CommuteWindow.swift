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

extension CommuteWindow {
    private static let names: [(name: String, days: [Weekday])] = [
        ("mon", [.monday]), ("tue", [.tuesday]), ("wed", [.wednesday]), ("thu", [.thursday]), ("fri", [.friday]),
        ("sat", [.saturday]), ("sun", [.sunday]), ("weekdays", [.monday, .tuesday, .wednesday, .thursday, .friday]),
        ("weekends", [.saturday, .sunday]),
    ]

    /// The accepted forms of days, as part of a sentence.
    public static let dayForms =
        names.map { "\"\($0.name)\"" }.joined(separator: ", ") + ", or a range such as \"mon-fri\""

    /// Parses a day such as `mon`, a group such as `weekdays` or `weekends`, or a range such as `mon-fri` or `sat-mon`.
    /// Returns `nil` for any other text.
    public static func days(_ text: String) -> Set<Weekday>? {
        if let known = names.first(where: { $0.name == text }) { return Set(known.days) }
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { end in
            Weekday.allCases.first { Self.name(of: $0) == end }
        }
        guard ends.count == 2, let first = ends[0], let last = ends[1] else { return nil }
        let count = (Int(last.rawValue) - Int(first.rawValue) + 7) % 7
        return Set((0...count).compactMap { Weekday(rawValue: UInt8((Int(first.rawValue) + $0) % 7)) })
    }

    private static func name(of day: Weekday) -> String { names[Int(day.rawValue)].name }
}

extension CommuteWindow: CustomStringConvertible {
    /// The window as `07:00-09:30`, followed by the days unless the window applies every day: `07:00-09:30 weekdays`,
    /// `07:00-09:30 mon, wed`.
    public var description: String {
        func clock(_ seconds: Int) -> String {
            DecimalText.padded(seconds / 3600, to: 2) + ":" + DecimalText.padded(seconds / 60 % 60, to: 2)
        }
        let part = "\(clock(start))-\(clock(end))"
        if days.count == Weekday.allCases.count { return part }
        let group = Self.names.first { $0.days.count > 1 && Set($0.days) == days }?.name
        return part + " " + (group ?? Weekday.allCases.filter(days.contains).map(Self.name).joined(separator: ", "))
    }
}
