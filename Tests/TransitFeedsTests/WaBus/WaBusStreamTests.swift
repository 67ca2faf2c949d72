import Testing

@testable import TransitFeeds
@testable import TransitModel

@Suite("WaBus: WebSocket session")
struct WaBusStreamTests {
    private static let rynek = Coordinate(latitude: 52.2297, longitude: 21.0122)
    private static let las = Coordinate(latitude: 52.4, longitude: 21.3)

    private func session() -> WaBusStreamSession {
        WaBusStreamSession(around: [Self.rynek].compactMap(\.self))
    }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
    private static let snapshot =
        #"{"type":"snapshot","payload":{"vehicles":[{"key":"1:1","line":"7","lat":52.2,"lon":21}]}}"#

    @Test func urlUsesMatchingScheme() {
        let stream = WaBusProvider(ProviderOptions(base: "https://bus.example.org")).stream
        #expect(stream?.request.url == "wss://bus.example.org/v1/ws")
        #expect(WaBusProvider(ProviderOptions()).stream?.request.url == "ws://localhost:8080/v1/ws")
        #expect(stream?.kind == .vehicles)
    }

    @Test("a session subscribes when the connection opens, and every minute after that") func subscribesEveryMinute()
        throws
    {
        var session = session()
        #expect(session.wakeAt == nil)
        let steps = session.opened(now: 1000)
        guard case .send(let text)? = steps.first, steps.count == 1 else {
            Issue.record("\(steps)")
            return
        }
        #expect(text.hasPrefix(#"{"type":"subscribe","payload":{"tileIds":["14/"#))
        #expect(text.contains(#""14/9148/5394""#))
        _ = session.received(bytes(Self.snapshot), now: 1100)
        #expect(session.timerFired(now: 26_000) == [.send(#"{"type":"ping"}"#)])
        _ = session.received(bytes(#"{"type":"pong"}"#), now: 26_100)
        #expect(session.timerFired(now: 51_000) == [.send(#"{"type":"ping"}"#)])
        _ = session.received(bytes(#"{"type":"pong"}"#), now: 51_100)
        #expect(session.wakeAt == 61_000)
        #expect(session.timerFired(now: 61_000) == [.send(text)])
    }

    @Test("a missing snapshot is requested again") func missingSnapshotIsRequestedAgain() {
        var session = session()
        let steps = session.opened(now: 0)
        #expect(session.timerFired(now: 9_999) == [])
        #expect(session.timerFired(now: 10_000) == steps)
    }

    @Test("vehicles missing from a snapshot are removed; all others are changes")
    func vehiclesMissingFromSnapshotAreRemoved() {
        var session = session()
        _ = session.opened(now: 0)
        guard case .apply(let first)? = session.received(bytes(Self.snapshot), now: 2).first else {
            Issue.record("no snapshot")
            return
        }
        #expect(first.header.incrementality == .differential)
        #expect(first.entities.map(\.id) == ["1:1"])
        let update =
            #"{"type":"delta","payload":{"updates":[{"key":"1:2","line":"7","lat":52.2,"lon":21}],"removes":null}}"#
        #expect(session.received(bytes(update), now: 3).count == 1)
        let third = #"{"type":"snapshot","payload":{"vehicles":[{"key":"1:3","line":"7","lat":52.2,"lon":21}]}}"#
        guard case .apply(let change)? = session.received(bytes(third), now: 4).first else {
            Issue.record("no change")
            return
        }
        #expect(change.entities.map(\.id) == ["1:1", "1:2", "1:3"])
        #expect(Array(change.entities.prefix(2)) == [.deleted("1:1"), .deleted("1:2")])
        // A removed vehicle is not removed again by the next snapshot.
        _ = session.received(bytes(#"{"type":"delta","payload":{"removes":["1:3"]}}"#), now: 5)
        #expect(session.received(bytes(#"{"type":"snapshot","payload":{"vehicles":null}}"#), now: 6) == [])
    }

    @Test("a minute of silence ends the session") func silenceEndsSession() {
        var session = session()
        _ = session.opened(now: 0)
        _ = session.received(bytes(Self.snapshot), now: 5)
        #expect(!session.timerFired(now: 60_004).contains(.giveUp(.silent(seconds: 60))))
        #expect(session.timerFired(now: 60_005) == [.giveUp(.silent(seconds: 60))])
    }

    @Test("an unparsable message is ignored, but five in a row end the session") func fiveUnparsableMessagesEndSession()
    {
        var session = session()
        _ = session.opened(now: 0)
        for _ in 1...4 { #expect(session.received(bytes("{"), now: 1) == []) }
        #expect(session.received(bytes(#"{"type":"weather"}"#), now: 1) == [])
        for _ in 1...4 { #expect(session.received(bytes("[1"), now: 1) == []) }
        #expect(session.received(bytes(""), now: 1) == [.giveUp(.unreadable(count: 5))])
    }

    @Test("a change of places unsubscribes old tiles and subscribes to all new ones") func changedPlacesResubscribe()
        throws
    {
        var session = session()
        let opened = session.opened(now: 0)
        let las = try #require(Self.las)
        let rynek = try #require(Self.rynek)
        #expect(session.follow([rynek], now: 1) == [])
        let both = session.follow([rynek, las], now: 2)
        #expect(both.count == 1 && both != opened)
        let one = session.follow([las], now: 3)
        guard case .send(let leave)? = one.first, one.count == 2 else {
            Issue.record("\(one)")
            return
        }
        #expect(leave.hasPrefix(#"{"type":"unsubscribe""#))
        // Without places, nothing is requested.
        #expect(session.follow([], now: 4).count == 1)
        #expect(session.wakeAt == 25_000)
    }
}

@Suite("WaBus: tiles")
struct WaBusTileTests {
    @Test(
        "the tile of a place follows the Web Mercator standard",
        arguments: [
            (52.2297, 21.0122, "14/9148/5394"), (0.0001, 0.0001, "14/8192/8191"), (-33.8688, 151.2093, "14/15073/9831"),
            (89.9, -180.0, "14/0/0"), (-89.9, 180.0, "14/16383/16383"),
        ])
    func tileOfPlace(latitude: Double, longitude: Double, name: String) throws {
        let place = try #require(Coordinate(latitude: latitude, longitude: longitude))
        #expect("\(WaBusTile(place))" == name)
    }

    @Test("a square of 3 km takes four to sixteen tiles, including the place's own") func tilesAroundPlace() throws {
        for step in 0..<200 {
            let place = try #require(
                Coordinate(latitude: 52.1 + Double(step) * 0.0013, longitude: 20.9 + Double(step) * 0.0017))
            let tiles = WaBusTile.around([place], radius: 1500, limit: 100)
            #expect((4...16).contains(tiles.count))
            #expect(tiles.contains(WaBusTile(place)))
            #expect(tiles == tiles.sorted())
        }
    }

    @Test("there are never more tiles than the limit") func tileCountIsLimited() throws {
        let places = (0..<500).compactMap { Coordinate(latitude: 50 + Double($0) * 0.01, longitude: 21) }
        let tiles = WaBusTile.around(places, radius: 1500, limit: 40)
        #expect(tiles.count <= 40 && tiles.count > 30)
        let first = try #require(places.first)
        #expect(tiles.contains(WaBusTile(first)))
    }
}
