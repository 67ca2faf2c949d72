internal import TransitModel

/// The server's WebSocket: vehicles of the tiles that are subscribed to.
struct WaBusStream: RealtimeStreamSource {
    private let addresses: WaBusAddresses

    init(_ addresses: WaBusAddresses) { self.addresses = addresses }

    var kind: DatasetKind { .vehicles }
    var request: UpstreamRequest { addresses.socket }

    func conversation(around places: [Coordinate]) -> any RealtimeStreamSession { WaBusStreamSession(around: places) }
}

/// What is said over one connection to the server.
///
/// It subscribes to the tiles around the places of interest and is told a snapshot of them, then what changes. Both are handed
/// on as changes of what is known of the whole city, which asking tells now and then. Every subscription names all
/// tiles, so that what is not in its snapshot has left them: it is known no more.
///
/// The server numbers nothing, drops what a slow reader does not take in time, and does not tell when a vehicle leaves
/// the tiles. So what is missing shows only by a new snapshot, which is asked for each minute by subscribing again.
struct WaBusStreamSession: RealtimeStreamSession {
    /// Vehicles this near are on their way to a stop; metres.
    static let radius = 1500.0
    /// The server takes no message over 32 KiB; this many tiles are half of that.
    static let maximumTiles = 1000
    /// All in milliseconds.
    static let pingInterval: Int64 = 25_000
    static let snapshotInterval: Int64 = 60_000
    /// So long a snapshot may take before it is asked for again.
    static let snapshotTimeout: Int64 = 10_000
    /// The server tells something at least each half minute, if only the answer to a ping.
    static let silenceTimeout: Int64 = 60_000
    static let maximumUnreadable = 5

    private var tiles: [WaBusTile]
    private var isOpen = false
    private var lastReceived: Int64 = 0
    private var lastPing: Int64 = 0
    /// When tiles were subscribed to last.
    private var asked: Int64 = 0
    private var isSnapshotDue = false
    /// The vehicles that are on the tiles, as far as was told.
    private var told: Set<EntityID> = []
    /// In a row.
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
            return take(message)
        } catch {
            unreadable += 1
            return unreadable < Self.maximumUnreadable ? [] : [.giveUp(.unreadable(count: unreadable))]
        }
    }

    private mutating func take(_ message: WaBusStreamMessage) -> [RealtimeStreamAction] {
        switch message {
        case .snapshot(let vehicles):
            isSnapshotDue = false
            let here = Set(vehicles.entities.map(\.id))
            let gone = told.subtracting(here).sorted()
            told = here
            return change(gone, vehicles)
        case .delta(let updates, let removes):
            told.subtract(removes)
            told.formUnion(updates.entities.map(\.id))
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
        let wanted = Self.tiles(places)
        guard wanted != tiles else { return [] }
        let gone = Set(tiles).subtracting(wanted).sorted()
        tiles = wanted
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
        return asked + (isSnapshotDue ? Self.snapshotTimeout : Self.snapshotInterval)
    }

    private mutating func subscribe(_ now: Int64) -> [RealtimeStreamAction] {
        guard !tiles.isEmpty else { return [] }
        asked = now
        isSnapshotDue = true
        return [.send(Self.text("subscribe", tiles))]
    }

    private static func text(_ type: String, _ tiles: [WaBusTile]) -> String {
        let names = tiles.map { "\"\($0)\"" }.joined(separator: ",")
        return "{\"type\":\"\(type)\",\"payload\":{\"tileIds\":[\(names)]}}"
    }
}
