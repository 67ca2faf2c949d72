internal import TransitModel
internal import TransitWire

/// Converts a state that an earlier version saved to the current form, which synthesized code reads. Each step leaves
/// the current form unchanged.
///
/// In earlier versions, handwritten code wrote each member: lists of values with their keys instead of dictionaries,
/// the flags of all rules as one list, and other names.
enum FormerState {
    static func converted(_ document: JSONValue) -> JSONValue {
        var state = document.renamed([
            "digested_through": "digestedThrough", "suppressed_count": "suppressedCount", "pinned_away": "pinnedAway",
            "network": "general",
        ])
        state.change("runs") { $0.mapped(run) }
        state.change("windows") { windows in
            windows.mapped {
                $0.renamed([
                    "told": "announced", "own": "hasOwnDeparture", "sounding": "isNextSounding", "done": "isDone",
                ]).with(["hasOwnDeparture": false, "isNextSounding": false])
            }.keyed(by: "name")
        }
        state.change("bubbles") { bubbles in
            bubbles.mapped { $0.renamed(["valid_until": "validUntil", "shown": "isShown"]) }.keyed(by: "key")
        }
        state.change("digest") { items in
            items.mapped { item in
                let item = item.renamed(["valid_until": "validUntil"])
                return item["item"] == nil ? item.with(["item": item]) : item
            }
        }
        if case .array(let mutes)? = state["mutes"] {
            let rules = JSONValue.array(mutes).keyed(by: "rule") { $0["until"] ?? .null }
            state.set("mutes", .object(JSONObject([("all", state["muted_until"]), ("rules", rules)])))
        }
        if state["buckets"] == nil {
            let buckets = NotificationBucket.allCases.map { ($0.rawValue, state[$0.rawValue]) }
            state.set("buckets", .object(JSONObject(buckets)))
        }
        state = state.with(["general": [:], "detours": []])
        if state["trips"] == nil { state.set("trips", trips(state)) }
        state.change("trips") { $0.mapped { $0.renamed(["home": "ledHome"]) } }
        state.change("general") { general in
            var general = general
            for rule in ["alerts", "timetable", "machine", "crowding"] {
                general.change(rule) { memory in
                    var memory = memory
                    memory.change("entries") { $0.mapped { $0.renamed(entryNames) } }
                    return memory
                }
            }
            return general
        }
        return state
    }

    private static let entryNames = [
        "open": "isOpen", "missing": "missingSince", "subject": "subjectName", "pinned": "isPinned",
        "later": "daysLater", "lasting": "isLasting", "reminded": "isReminded",
    ]

    /// The date of the last trip, and that of the last one home, before trips were a list.
    private static func trips(_ state: JSONValue) -> JSONValue {
        let home = state["taken_home"]
        guard let day = state["taken"] ?? home else { return [] }
        return [["day": day, "ledHome": .bool(day == home)]]
    }

    private static func run(_ run: JSONValue) -> JSONValue {
        guard case .array(let flags)? = run["flags"] else { return run }
        func has(_ name: String) -> JSONValue { .bool(flags.contains(.string(name))) }
        var run = run.renamed(["told": "shown", "judged": "compared", "missing_since": "missingSince"])
        run.change("shown") { $0.renamed(["missing": "isMissing"]).with(["isMissing": false]) }
        run.change("leave") { $0.renamed(["lower_bound": "lowerBound", "repeated": "isRepeated"]) }
        run.change("advice") {
            $0.renamed(["leave_by": "leaveBy", "lower_bound": "lowerBound", "sound": "hasSound"])
        }
        let report = run["report"]?.renamed(["running": "isRunning", "was_canceled": "wasCanceled"])
        return run.with([
            "isLeaveMissed": has("missed"), "isPassedUp": has("passed"), "isGivenUp": has("given_up"),
            "isSilent": has("silent"), "isCounted": has("counted"),
            "rules": [
                "delay": .object(JSONObject([("hasReportedDelay", has("delay")), ("late", run["late"])])),
                "early": .object(JSONObject([("hasReportedEarly", has("early")), ("early", run["early"])])),
                "normal": .object(JSONObject([("normal", run["normal"])])),
                "reinstatement": .object(JSONObject([("running", run["running"])])),
                "contradiction": .object(JSONObject([("report", report), ("stage", run["contradiction"])])),
                "unseen": ["hasNotified": has("unseen")], "last": ["hasNotified": has("last")],
                "getoff": ["hasNotified": has("getoff")],
            ],
        ])
    }
}

extension JSONObject {
    fileprivate init(_ members: [(String, JSONValue?)]) {
        self.init()
        for (name, value) in members { self[name] = value }
    }
}

extension JSONValue {
    fileprivate mutating func set(_ name: String, _ value: JSONValue?) {
        guard case .object(var object) = self else { return }
        object[name] = value
        self = .object(object)
    }

    /// Changes a member if there is one.
    fileprivate mutating func change(_ name: String, _ change: (JSONValue) -> JSONValue) {
        if let value = self[name] { set(name, change(value)) }
    }

    /// Returns an object with other names of its members.
    fileprivate func renamed(_ names: [String: String]) -> JSONValue {
        guard case .object(let object) = self else { return self }
        return .object(JSONObject(object.members.map { (names[$0.name] ?? $0.name, $0.value) }))
    }

    /// Returns an object with members that it lacks.
    fileprivate func with(_ members: JSONObject) -> JSONValue {
        var result = self
        for member in members.members where self[member.name] == nil { result.set(member.name, member.value) }
        return result
    }

    /// Returns a list with other elements.
    fileprivate func mapped(_ change: (JSONValue) -> JSONValue) -> JSONValue {
        guard case .array(let elements) = self else { return self }
        return .array(elements.map(change))
    }

    /// Returns an object whose members are named by a member of the elements of a list.
    fileprivate func keyed(by name: String, _ value: (JSONValue) -> JSONValue = { $0 }) -> JSONValue {
        guard case .array(let elements) = self else { return self }
        return .object(
            JSONObject(
                elements.compactMap { element in
                    element[name]?.text.map { ($0, value(element)) }
                }))
    }
}
