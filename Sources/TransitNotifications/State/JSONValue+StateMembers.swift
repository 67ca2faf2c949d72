internal import TransitModel
internal import TransitWire

/// Readers of members that check types and ranges.
extension JSONValue {
    typealias Unreadable = NotificationState.Unreadable

    static func instant(_ instant: Instant) -> JSONValue { .int(instant.secondsSince1970) }

    static func date(_ value: Int64) throws(NotificationState.Unreadable) -> ServiceDate {
        guard (-719_162...2_932_896).contains(value) else { throw Unreadable() }
        return ServiceDate(daysSince1970: Int32(value))
    }

    func member(_ name: String) throws(NotificationState.Unreadable) -> JSONValue {
        guard let value = self[name] else { throw Unreadable() }
        return value
    }

    func list(_ name: String, _ limit: Int) throws(NotificationState.Unreadable) -> [JSONValue] {
        guard case .array(let elements)? = self[name], elements.count <= limit else { throw Unreadable() }
        return elements
    }

    func string(_ limit: Int) throws(NotificationState.Unreadable) -> String {
        guard let text, text.utf8.count <= limit else { throw Unreadable() }
        return text
    }

    func text(_ name: String, _ limit: Int) throws(NotificationState.Unreadable) -> String {
        try member(name).string(limit)
    }

    func optionalText(_ name: String) throws(NotificationState.Unreadable) -> String? {
        guard let value = self[name] else { return nil }
        return try value.string(NotificationState.Limit.document)
    }

    func integer(_ name: String) throws(NotificationState.Unreadable) -> Int64 {
        guard case .int(let value)? = self[name] else { throw Unreadable() }
        return value
    }

    func optionalInteger(_ name: String) throws(NotificationState.Unreadable) -> Int64? {
        self[name] == nil ? nil : try integer(name)
    }

    func number(_ name: String, _ range: ClosedRange<Int>) throws(NotificationState.Unreadable) -> Int {
        guard let value = Int(exactly: try integer(name)), range.contains(value) else { throw Unreadable() }
        return value
    }

    func flag(_ name: String) throws(NotificationState.Unreadable) -> Bool {
        guard case .bool(let value)? = self[name] else { throw Unreadable() }
        return value
    }

    /// Returns `false` for a member that is missing, as in documents of earlier releases.
    func optionalFlag(_ name: String) throws(NotificationState.Unreadable) -> Bool {
        guard self[name] != nil else { return false }
        return try flag(name)
    }

    func optionalDate(_ name: String) throws(NotificationState.Unreadable) -> ServiceDate? {
        guard let days = try optionalInteger(name) else { return nil }
        return try Self.date(days)
    }

    /// Years 1 to 9999, so that arithmetic with the value cannot overflow.
    static func checkedInstant(_ seconds: Int64) throws(NotificationState.Unreadable) -> Instant {
        guard (-62_135_596_800...253_402_300_799).contains(seconds) else { throw Unreadable() }
        return Instant(secondsSince1970: seconds)
    }

    func instant(_ name: String) throws(NotificationState.Unreadable) -> Instant {
        try Self.checkedInstant(try integer(name))
    }

    func optionalInstant(_ name: String) throws(NotificationState.Unreadable) -> Instant? {
        self[name] == nil ? nil : try instant(name)
    }

    func rule(_ name: String) throws(NotificationState.Unreadable) -> NotificationRule {
        guard let rule = NotificationRule(rawValue: try text(name, 20)) else { throw Unreadable() }
        return rule
    }
}
