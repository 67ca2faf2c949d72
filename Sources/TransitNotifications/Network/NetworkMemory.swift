package import TransitModel
package import TransitWire

/// What a rule remembers of what it told. Each value can be saved as JSON and read back.
package protocol RuleMemory: Hashable, Sendable {
    /// Creates the memory of a rule that has told nothing.
    init()

    /// Reads a saved memory. Returns `nil` if the value is not one. Entries beyond the limits are left out.
    init?(_ json: JSONValue)

    /// The memory for the state file.
    var json: JSONValue { get }
}

/// What the rules of ``NetworkRules`` remember.
package struct NetworkMemory: RuleMemory {
    package var alerts = AlertRule.Memory()
    package var timetable = TimetableRule.Memory()
    package var service = ServiceRule.Memory()
    package var machine = MachineRule.Memory()
    package var crowding = EventCrowdingRule.Memory()
    package var badges = BadgeRule.Memory()
    package var streak = OncePerDay()
    package var brief = OncePerDay()

    /// The version of the saved form. A later version is not read, and the rules then begin as in a first run.
    private static let version: Int64 = 1

    package init() {}

    package init?(_ json: JSONValue) {
        guard json["version"] == .int(Self.version) else { return nil }
        func read<Memory: RuleMemory>(_ name: String) -> Memory { json[name].flatMap { Memory($0) } ?? Memory() }
        alerts = read("alerts")
        timetable = read("timetable")
        service = read("service")
        machine = read("machine")
        crowding = read("crowding")
        badges = read("badges")
        streak = read("streak")
        brief = read("brief")
    }

    package var json: JSONValue {
        [
            "version": .int(Self.version), "alerts": alerts.json, "timetable": timetable.json,
            "service": service.json, "machine": machine.json, "crowding": crowding.json, "badges": badges.json,
            "streak": streak.json, "brief": brief.json,
        ]
    }
}

/// The date on which a rule that tells at most one message a day last told one.
package struct OncePerDay: RuleMemory {
    package var last: ServiceDate?

    package init() {}

    package init?(_ json: JSONValue) {
        guard case .object = json else { return nil }
        last = json["last"]?.dateValue
    }

    package var json: JSONValue {
        var object = JSONObject()
        object["last"] = last.map { .string("\($0)") }
        return .object(object)
    }
}

// MARK: - Values

extension JSONValue {
    var instantValue: Instant? {
        guard case .int(let seconds) = self else { return nil }
        return Instant(secondsSince1970: seconds)
    }

    var intValue: Int? {
        guard case .int(let number) = self else { return nil }
        return Int(exactly: number)
    }

    var isTrue: Bool { self == .bool(true) }

    var dateValue: ServiceDate? { text.flatMap { ServiceDate(iso8601: $0) } }

    /// The elements of an array; empty for other types.
    var elements: [JSONValue] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }

    static func seconds(_ instant: Instant) -> JSONValue { .int(instant.secondsSince1970) }
    static func date(_ date: ServiceDate) -> JSONValue { .string("\(date)") }
    static func texts(_ texts: some Sequence<String>) -> JSONValue { .array(texts.map { .string($0) }) }
}

extension JSONObject {
    /// Reads a member of a value that may not be an object.
    init(_ members: [(String, JSONValue?)]) {
        self.init()
        for (name, value) in members { self[name] = value }
    }
}
