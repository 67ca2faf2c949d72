internal import TransitModel

/// A message that the server sends over its WebSocket.
///
///     {"type": "snapshot", "payload": {"vehicles": […]}}
///     {"type": "delta", "payload": {"updates": […], "removes": ["1:1000"]}}
///     {"type": "pong"}
///
/// Empty lists are omitted or sent as `null`.
enum WaBusStreamMessage: Hashable, Sendable {
    /// All vehicles in the tiles of one subscription.
    case snapshot(WaBusVehicles)
    case delta(updates: WaBusVehicles, removes: [EntityID])
    case pong
    /// An unknown type of message, which is ignored.
    case other

    init(_ text: [UInt8]) throws(FeedError) {
        var parts = Parts()
        try WaBusResponse.read(text) { (name, json) throws(MalformedMessageError) in
            switch name.folded {
            case "type": parts.type = try json.string()
            case "payload": try parts.readPayload(&json)
            default: break
            }
        }
        switch parts.type {
        case "snapshot":
            guard let vehicles = parts.vehicles else { throw WaBusResponse.missing("payload.vehicles") }
            self = .snapshot(vehicles)
        case "delta": self = .delta(updates: parts.updates, removes: parts.removes)
        case "pong": self = .pong
        case nil: throw WaBusResponse.missing("type")
        default: self = .other
        }
    }

    private struct Parts {
        var type: String?
        var vehicles: WaBusVehicles?
        var updates = WaBusVehicles()
        var removes: [EntityID] = []

        mutating func readPayload(_ json: inout JSONReader) throws(MalformedMessageError) {
            guard try json.beginObject() else { return }
            while let name = try json.nextMember() {
                switch name.folded {
                case "vehicles": vehicles = try WaBusVehicles(&json)
                case "updates": updates = try WaBusVehicles(&json) ?? WaBusVehicles()
                case "removes":
                    var list = try json.list()
                    while try json.next(&list) {
                        if let key = try json.string() { removes.append(EntityID(key)) }
                    }
                default: break
                }
            }
        }
    }
}
