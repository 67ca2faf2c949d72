import Foundation

/// A notification event as hooks receive it.
struct SampleEvent {
    var members: [String: Any] = [
        "schema": 1, "id": "n1", "key": "leave:tram 4/Central Station", "revision": 1, "op": "show", "rule": "leave",
        "urgency": "high", "sound": true, "at": "2026-11-22T07:50:00Z", "valid_until": "2026-11-22T08:12:00Z",
        "expires_in": 1200, "language": "en", "title": "Leave in 5 min for the 08:12",
        "body": "Tram 4 toward Harbor from Central Station, 3 min late.\nNext: 08:19, 08:27",
        "subject": ["kind": "pinned", "name": "08:12"], "next": [] as [Any], "items": [] as [Any],
        "reason": "The margin is 2 min.",
        "actions": [
            ["id": "taken", "label": "I took it"], ["id": "next", "label": "Next one"],
            ["id": "mute-today", "label": "Mute today"],
        ],
        "attribution": [] as [Any], "test": false,
    ]

    init(_ changes: [String: Any] = [:]) { members.merge(changes) { $1 } }

    var json: String {
        let data = try? JSONSerialization.data(withJSONObject: members, options: [.sortedKeys])
        return String(decoding: data ?? Data(), as: UTF8.self)
    }
}
