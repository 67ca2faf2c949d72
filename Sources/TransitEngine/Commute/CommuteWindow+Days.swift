public import TransitModel

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
