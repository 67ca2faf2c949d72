import TransitControl
import TransitWire

/// A request that changes the caller's data.
struct StoredChange: Sendable {
    var method: String
    var parameters: JSONObject
    /// Requests that are made before it, so that there is something to change.
    var preparation: [Preparation] = []

    enum Preparation: Sendable {
        case request(String, JSONObject)
        /// Ends the daemon in an orderly way and starts it again, because searches are saved with a delay.
        case restart
    }

    /// Stands for the identifier of the notification that the bus of 08:00 is canceled.
    static let event: JSONValue = "EVENT"

    init(_ method: String, _ parameters: JSONObject, after preparation: [Preparation] = []) {
        self.method = method
        self.parameters = parameters
        self.preparation = preparation
    }

    /// One or more requests for each method that changes data, in an order in which each of them changes something.
    static let all: [StoredChange] = [
        StoredChange("notify.ack", ["ids": [event], "stage": "handed_out"]),
        StoredChange("notify.ack", ["ids": [event], "stage": "done"]),
        StoredChange("notify.act", ["id": event, "action": "mute-today"]),
        StoredChange("notify.mute", ["duration": 0]),
        StoredChange("notify.mute", ["rule": "delay", "duration": 3600]),
        StoredChange("notify.set", ["key": "delay.first", "value": "7"]),
        StoredChange("notify.set", ["key": "units", "value": "metric"]),
        StoredChange("notify.days_off", ["add": [["first": "2026-12-24", "last": "2026-12-26"]]]),
        StoredChange("commute.add", ["name": "gym", "from": "city:market", "to": "city:central"]),
        StoredChange("commute.rename", ["commute": "gym", "name": "pool"]),
        StoredChange("commute.use", ["commute": "pool"]),
        StoredChange("commute.remove", ["commute": "pool"]),
        StoredChange("place.set", ["place": "cafe", "stop": "city:market"]),
        StoredChange("place.remove", ["place": "cafe"]),
        StoredChange("favorite.add", ["stop": "market", "feed": "city", "name": "one"]),
        StoredChange("favorite.rename", ["favorite": "one", "name": "two"]),
        StoredChange("favorite.category", ["favorite": "two", "category": "near"]),
        StoredChange(
            "favorite.order", ["favorites": ["three", "two"]],
            after: [.request("favorite.add", ["stop": "park", "feed": "city", "name": "three"])]),
        StoredChange("favorite.remove", ["favorite": "three"]),
        StoredChange("taken.add", ["departure": "city:b2@2026-03-26/1"]),
        StoredChange("taken.undo", [:]),
        StoredChange(
            "taken.import",
            [
                "trips": .array((9...20).map(trip)),
                "folded": ["days": [], "routes": [], "digests": ["1f", "2e"]],
            ]),
        StoredChange("usual.forget", ["departure": "08:20"]),
        StoredChange("usual.pin", ["departure": "city:b3@2026-03-27/1"]),
        StoredChange("usual.unpin", ["departure": "23:50"]),
        StoredChange(
            "journeys.pin",
            [
                "from": "city:harbor", "to": "city:market",
                "legs": [["departure": "city:b3@2026-03-27/1", "to": "market"]],
            ]),
        StoredChange("journeys.unpin", ["number": 1]),
        StoredChange("insights.forget", [:]),
        StoredChange("recent.clear", [:], after: [.request("stops.search", ["text": "harbor"]), .restart]),
        StoredChange("key.set", ["feed": "keyed", "key": "s3cret", "unverified": true]),
        StoredChange("key.remove", ["feed": "keyed"]),
        StoredChange("notify.enable", ["is_on": false]),
    ]

    /// A trip with the bus of 08:20 on a day of March 2026. On enough weekdays, it is a usual departure.
    private static func trip(_ day: Int) -> JSONValue {
        let date = "2026-03-\(day < 10 ? "0" : "")\(day)"
        let time = JSONValue.string("\(date)T08:20:00+01:00")
        return [
            "service_date": .string(date), "scheduled": time, "departed": time, "feed": "city", "route": "bus24",
            "route_name": "24", "direction_id": 0, "stop": "harbor", "stop_name": "Harbor", "straight_line": true,
            "logged": time,
        ]
    }
}

/// What a user can see of everything that the methods of ``StoredChange`` change.
struct VisibleUserData: Equatable, CustomStringConvertible {
    var values: [String: String] = [:]

    var description: String {
        values.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: "\n")
    }

    private static let lists: [(String, JSONObject)] = [
        ("commute.list", [:]), ("place.list", [:]), ("favorite.list", [:]), ("recent.list", [:]), ("taken.list", [:]),
        ("taken.list", ["folded": true]), ("usual.list", [:]), ("journeys.pinned", [:]), ("notify.days_off", [:]),
        ("key.check", ["feed": "keyed"]),
    ]

    init(_ send: (String, JSONObject) async throws -> JSONValue) async throws {
        for (method, parameters) in Self.lists {
            let name = parameters["folded"] == nil ? method : method + " folded"
            values[name] = Self.text(try await send(method, parameters))
        }
        var list = try await send("notify.list", ["log": true])
        if case .array(let log)? = list["log"], case .object(var object) = list {
            // Conditions of the machine add further entries at any time.
            object["log"] = .array(log.filter { $0["rule"]?.text == "canceled" })
            list = .object(object)
        }
        values["notify.list"] = Self.text(list)
    }

    /// Members that differ between two moments although nothing was changed.
    private static let volatile: Set<String> = [
        "at", "notices", "agent", "subjects", "next", "message", "tasks", "quiet",
    ]

    private static func text(_ value: JSONValue) -> String { String(decoding: stable(value).encoded, as: UTF8.self) }

    private static func stable(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): return .array(elements.map(stable))
        case .object(let object):
            var result = JSONObject()
            for member in object.members where !volatile.contains(member.name) {
                result[member.name] = stable(member.value)
            }
            return .object(result)
        default: return value
        }
    }
}
