internal import TransitModel

/// The server's WebSocket, which sends the vehicles in subscribed tiles.
struct WaBusStream: RealtimeStreamSource {
    private let urls: WaBusURLs

    init(_ urls: WaBusURLs) { self.urls = urls }

    var kind: DatasetKind { .vehicles }
    var request: UpstreamRequest { urls.socket }

    func session(around places: [Coordinate]) -> any RealtimeStreamSession { WaBusStreamSession(around: places) }
}

/// The protocol of one connection to the server.
///
/// The session subscribes to the tiles around the places of interest. It receives a snapshot of the vehicles in these
/// tiles and then the changes. The session passes on both as differential updates to the city-wide data, which is
/// polled from time to time. Every subscription lists all tiles, so a vehicle that is missing from its snapshot has
/// left the tiles and is removed.
///
/// The server's messages have no sequence numbers, the server drops messages for slow readers, and it does not report
/// when a vehicle leaves the tiles. Only a new snapshot shows what is missing, so the session requests one every minute
/// by subscribing again.
struct WaBusStreamSession: RealtimeStreamSession {
    /// The radius within which a vehicle can be on its way to a stop, in meters.
    static let radius = 1500.0
    /// The server rejects messages over 32 KiB; this many tiles take half of that.
    static let maximumTiles = 1000
    /// The interval between pings. This interval and the following ones are in milliseconds.
    static let pingInterval: Int64 = 25_000
    static let snapshotInterval: Int64 = 60_000
    /// The time after which a missing snapshot is requested again.
    static let snapshotTimeout: Int64 = 10_000
    /// The server sends at least the replies to pings, so a connection that is silent for longer than this is dead.
    static let silenceTimeout: Int64 = 60_000
    static let maximumUnreadable = 5

    private var tiles: [WaBusTile]
    private var isOpen = false
    private var lastReceived: Int64 = 0
    private var lastPing: Int64 = 0
    /// The time of the last subscription.
    private var lastSubscribed: Int64 = 0
    private var isSnapshotDue = false
    /// The vehicles in the tiles, according to the messages received.
    private var knownVehicles: Set<EntityID> = []
    /// The number of consecutive unparsable messages.
    private var unreadable = 0

    init(around places: [Coordinate]) { tiles = Self.tiles(places) }

    private static func tiles(_ places: [Coordinate]) -> [WaBusTile] {
        WaBusTile.around(places, radius: radius, limit: maximumTiles)
    }

    // MARK: Events

    mutating func opened(now: Int64) -> [RealtimeStreamAction] {
        isOpen = true
        (lastReceived, lastPing) = (now, now)
        return subscribe(now)
    }

    mutating func received(_ text: [UInt8], now: Int64) -> [RealtimeStreamAction] {
        lastReceived = now
        do throws(FeedError) {
            let message = try WaBusStreamMessage(text)
            unreadable = 0
            return handle(message)
        } catch {
            unreadable += 1
            return unreadable < Self.maximumUnreadable ? [] : [.giveUp(.unreadable(count: unreadable))]
        }
    }

    private mutating func handle(_ message: WaBusStreamMessage) -> [RealtimeStreamAction] {
        switch message {
        case .snapshot(let vehicles):
            isSnapshotDue = false
            let current = Set(vehicles.entities.map(\.id))
            let gone = knownVehicles.subtracting(current).sorted()
            knownVehicles = current
            return change(gone, vehicles)
        case .delta(let updates, let removes):
            knownVehicles.subtract(removes)
            knownVehicles.formUnion(updates.entities.map(\.id))
            return change(removes, updates)
        case .pong, .other: return []
        }
    }

    private func change(_ removed: [EntityID], _ vehicles: WaBusVehicles) -> [RealtimeStreamAction] {
        let entities = removed.map { RealtimeEntity.deleted($0) } + vehicles.entities
        guard !entities.isEmpty else { return [] }
        let header = RealtimeHeader(incrementality: .differential, timestamp: vehicles.newest)
        return [.apply(DecodedMessage(header: header, entities: entities, problems: vehicles.problems))]
    }

    mutating func timerFired(now: Int64) -> [RealtimeStreamAction] {
        guard isOpen else { return [] }
        if now - lastReceived >= Self.silenceTimeout {
            return [.giveUp(.silent(seconds: Int((now - lastReceived) / 1000)))]
        }
        var steps: [RealtimeStreamAction] = []
        if now >= nextSubscription { steps += subscribe(now) }
        if now - lastPing >= Self.pingInterval {
            lastPing = now
            steps.append(.send(#"{"type":"ping"}"#))
        }
        return steps
    }

    mutating func follow(_ places: [Coordinate], now: Int64) -> [RealtimeStreamAction] {
        let newTiles = Self.tiles(places)
        guard newTiles != tiles else { return [] }
        let gone = Set(tiles).subtracting(newTiles).sorted()
        tiles = newTiles
        guard isOpen else { return [] }
        let leave = gone.isEmpty ? [] : [RealtimeStreamAction.send(Self.text("unsubscribe", gone))]
        return leave + subscribe(now)
    }

    var wakeAt: Int64? {
        guard isOpen else { return nil }
        return min(lastReceived + Self.silenceTimeout, lastPing + Self.pingInterval, nextSubscription)
    }

    // MARK: Subscribing

    private var nextSubscription: Int64 {
        guard !tiles.isEmpty else { return .max }
        return lastSubscribed + (isSnapshotDue ? Self.snapshotTimeout : Self.snapshotInterval)
    }

    private mutating func subscribe(_ now: Int64) -> [RealtimeStreamAction] {
        guard !tiles.isEmpty else { return [] }
        lastSubscribed = now
        isSnapshotDue = true
        return [.send(Self.text("subscribe", tiles))]
    }

    private static func text(_ type: String, _ tiles: [WaBusTile]) -> String {
        let names = tiles.map { "\"\($0)\"" }.joined(separator: ",")
        return "{\"type\":\"\(type)\",\"payload\":{\"tileIds\":[\(names)]}}"
    }
}

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
