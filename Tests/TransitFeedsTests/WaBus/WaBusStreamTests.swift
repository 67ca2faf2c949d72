import Testing

@testable import TransitFeeds
@testable import TransitModel

@Suite("WaBus: the conversation over the WebSocket")
struct WaBusStreamTests {
    private static let rynek = Coordinate(latitude: 52.2297, longitude: 21.0122)
    private static let las = Coordinate(latitude: 52.4, longitude: 21.3)

    private func conversation() -> WaBusStreamSession {
        WaBusStreamSession(around: [Self.rynek].compactMap(\.self))
    }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
    private static let snapshot =
        #"{"type":"snapshot","payload":{"vehicles":[{"key":"1:1","line":"7","lat":52.2,"lon":21}]}}"#

    @Test func address() {
        let stream = WaBusProvider(ProviderOptions(base: "https://bus.example.org")).stream
        #expect(stream?.request.url == "wss://bus.example.org/v1/ws")
        #expect(WaBusProvider(ProviderOptions()).stream?.request.url == "ws://localhost:8080/v1/ws")
        #expect(stream?.kind == .vehicles)
    }

    @Test("it subscribes when the connection opens, and each minute again") func subscribing() throws {
        var conversation = conversation()
        #expect(conversation.wakeAt == nil)
        let steps = conversation.opened(now: 1000)
        guard case .send(let text)? = steps.first, steps.count == 1 else {
            Issue.record("\(steps)")
            return
        }
        #expect(text.hasPrefix(#"{"type":"subscribe","payload":{"tileIds":["14/"#))
        #expect(text.contains(#""14/9148/5394""#))
        _ = conversation.received(bytes(Self.snapshot), now: 1100)
        #expect(conversation.timerFired(now: 26_000) == [.send(#"{"type":"ping"}"#)])
        _ = conversation.received(bytes(#"{"type":"pong"}"#), now: 26_100)
        #expect(conversation.timerFired(now: 51_000) == [.send(#"{"type":"ping"}"#)])
        _ = conversation.received(bytes(#"{"type":"pong"}"#), now: 51_100)
        #expect(conversation.wakeAt == 61_000)
        #expect(conversation.timerFired(now: 61_000) == [.send(text)])
    }

    @Test("a snapshot that does not come is asked for again") func lostSnapshot() {
        var conversation = conversation()
        let steps = conversation.opened(now: 0)
        #expect(conversation.timerFired(now: 9_999) == [])
        #expect(conversation.timerFired(now: 10_000) == steps)
    }

    @Test("what is no more in a snapshot is gone; all else is a change") func deltas() {
        var conversation = conversation()
        _ = conversation.opened(now: 0)
        guard case .apply(let first)? = conversation.received(bytes(Self.snapshot), now: 2).first else {
            Issue.record("no snapshot")
            return
        }
        #expect(first.header.incrementality == .differential)
        #expect(first.entities.map(\.id) == ["1:1"])
        let update =
            #"{"type":"delta","payload":{"updates":[{"key":"1:2","line":"7","lat":52.2,"lon":21}],"removes":null}}"#
        #expect(conversation.received(bytes(update), now: 3).count == 1)
        let third = #"{"type":"snapshot","payload":{"vehicles":[{"key":"1:3","line":"7","lat":52.2,"lon":21}]}}"#
        guard case .apply(let change)? = conversation.received(bytes(third), now: 4).first else {
            Issue.record("no change")
            return
        }
        #expect(change.entities.map(\.id) == ["1:1", "1:2", "1:3"])
        #expect(Array(change.entities.prefix(2)) == [.deleted("1:1"), .deleted("1:2")])
        // Removed once is removed: the next snapshot does not say so again.
        _ = conversation.received(bytes(#"{"type":"delta","payload":{"removes":["1:3"]}}"#), now: 5)
        #expect(conversation.received(bytes(#"{"type":"snapshot","payload":{"vehicles":null}}"#), now: 6) == [])
    }

    @Test("a minute of silence ends it") func silence() {
        var conversation = conversation()
        _ = conversation.opened(now: 0)
        _ = conversation.received(bytes(Self.snapshot), now: 5)
        #expect(!conversation.timerFired(now: 60_004).contains(.giveUp(.silent(seconds: 60))))
        #expect(conversation.timerFired(now: 60_005) == [.giveUp(.silent(seconds: 60))])
    }

    @Test("one message that makes no sense is passed over, five in a row are not") func garbage() {
        var conversation = conversation()
        _ = conversation.opened(now: 0)
        for _ in 1...4 { #expect(conversation.received(bytes("{"), now: 1) == []) }
        #expect(conversation.received(bytes(#"{"type":"weather"}"#), now: 1) == [])
        for _ in 1...4 { #expect(conversation.received(bytes("[1"), now: 1) == []) }
        #expect(conversation.received(bytes(""), now: 1) == [.giveUp(.unreadable(count: 5))])
    }

    @Test("other places: what is of no interest is left, the rest subscribed to as a whole") func following() throws {
        var conversation = conversation()
        let opened = conversation.opened(now: 0)
        let las = try #require(Self.las)
        let rynek = try #require(Self.rynek)
        #expect(conversation.follow([rynek], now: 1) == [])
        let both = conversation.follow([rynek, las], now: 2)
        #expect(both.count == 1 && both != opened)
        let one = conversation.follow([las], now: 3)
        guard case .send(let leave)? = one.first, one.count == 2 else {
            Issue.record("\(one)")
            return
        }
        #expect(leave.hasPrefix(#"{"type":"unsubscribe""#))
        // Nothing of interest: nothing is asked for.
        #expect(conversation.follow([], now: 4).count == 1)
        #expect(conversation.wakeAt == 25_000)
    }
}

@Suite("WaBus: tiles")
struct WaBusTileTests {
    @Test(
        "the tile of a place is that of every Web Mercator map",
        arguments: [
            (52.2297, 21.0122, "14/9148/5394"), (0.0001, 0.0001, "14/8192/8191"), (-33.8688, 151.2093, "14/15073/9831"),
            (89.9, -180.0, "14/0/0"), (-89.9, 180.0, "14/16383/16383"),
        ])
    func tile(latitude: Double, longitude: Double, name: String) throws {
        let place = try #require(Coordinate(latitude: latitude, longitude: longitude))
        #expect("\(WaBusTile(place))" == name)
    }

    @Test("a square of 3 km takes four to sixteen tiles, the place's own among them") func around() throws {
        for step in 0..<200 {
            let place = try #require(
                Coordinate(latitude: 52.1 + Double(step) * 0.0013, longitude: 20.9 + Double(step) * 0.0017))
            let tiles = WaBusTile.around([place], radius: 1500, limit: 100)
            #expect((4...16).contains(tiles.count))
            #expect(tiles.contains(WaBusTile(place)))
            #expect(tiles == tiles.sorted())
        }
    }

    @Test("there are never more tiles than the limit") func limit() throws {
        let places = (0..<500).compactMap { Coordinate(latitude: 50 + Double($0) * 0.01, longitude: 21) }
        let tiles = WaBusTile.around(places, radius: 1500, limit: 40)
        #expect(tiles.count <= 40 && tiles.count > 30)
        let first = try #require(places.first)
        #expect(tiles.contains(WaBusTile(first)))
    }
}
