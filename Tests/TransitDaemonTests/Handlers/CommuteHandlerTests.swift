import Testing
import TransitControl
import TransitEngine
import TransitModel
import TransitQueries
import TransitRefresh
import TransitTestSupport
import TransitTestTraits
import TransitWire

@testable import TransitDaemon

/// Tests of `commute.*` and `place.*`: the user's own entries, the entries from the configuration, and the implied
/// commutes.
@Suite(.ownThreads) struct CommuteHandlerTests {
    static func daemon(_ change: (inout Configuration) -> Void = { _ in }) async throws -> TestDaemon {
        try await TestDaemon.imported(["city": .small], change)
    }

    @Test func commuteIsStoredWithQualifiedStops() async throws {
        let daemon = try await Self.daemon()
        let added = try daemon.ask(CommuteAddParameters(name: "trip", from: "Market Square", to: "Central Station"))
        #expect(added.commute?.from == CommuteEndpoint(kind: .stop, reference: "city:market", name: "Market Square"))
        #expect(added.commute?.to == CommuteEndpoint(kind: .stop, reference: "city:central", name: "Central Station"))
        #expect(added.commute?.origin == .user)
        #expect(
            try daemon.ask(NextParameters(count: 1)).departures.map(\.line) == ["24 08:09 market > central:1 08:20"])
    }

    @Test func commuteWindowsAreReported() async throws {
        let daemon = try await Self.daemon()
        _ = try daemon.ask(
            CommuteAddParameters(
                name: "trip", from: "city:market", to: "city:central", windows: ["07:00-09:00", "16:00-18:00"],
                days: ["mon-fri"]))
        _ = try daemon.ask(CommuteAddParameters(name: "back", from: "city:central", to: "city:market"))
        #expect(
            try daemon.ask(CommuteListParameters()).commutes.map(\.windows) == [
                [], ["07:00-09:00 weekdays", "16:00-18:00 weekdays"],
            ])
        // On Friday at 07:30, these are both windows of today and of each weekday through Friday of next week.
        #expect(await Self.windows(daemon) == 12)
        _ = try daemon.ask(CommuteRenameParameters(commute: "trip", name: "way"))
        #expect(await Self.windows(daemon) == nil, "unchanged")
        _ = try daemon.ask(CommuteRemoveParameters(commute: "way"))
        #expect(await Self.windows(daemon) == 0)
    }

    /// Returns the number of windows in the last report that the refresh engine received since the previous call.
    private static func windows(_ daemon: TestDaemon) async -> Int? {
        let events = daemon.daemon.refresh.events
        events.send(.tick)
        var count: Int?
        for await event in events.stream {
            switch event {
            case .tick: return count
            case .demand("city", let demand): count = demand.periods.count
            default: break
            }
        }
        return count
    }

    @Test func commutesBelongToTheirUser() async throws {
        let daemon = try await Self.daemon()
        _ = try daemon.ask(CommuteAddParameters(name: "trip", from: "market", to: "central"), uid: 1)
        _ = try daemon.ask(CommuteUseParameters(commute: "trip"), uid: 1)
        #expect(try daemon.ask(CommuteListParameters(), uid: 2).commutes.isEmpty)
        #expect(try daemon.ask(StatusParameters(), uid: 1).commute == "trip")
        #expect(try daemon.ask(StatusParameters(), uid: 2).commute == nil)
        #expect(daemon.error(of: CommuteRemoveParameters(commute: "trip"), uid: 2)?.kind == .commuteNotFound)
    }

    @Test func duplicateCommuteIsRefused() async throws {
        let daemon = try await Self.daemon()
        let commute = CommuteAddParameters(name: "trip", from: "market", to: "central")
        _ = try daemon.ask(commute)
        #expect(daemon.error(of: commute)?.kind == .commuteExists)
        _ = try daemon.ask(CommuteAddParameters(name: "trip", from: "harbor", to: "central", replace: true))
        #expect(try daemon.ask(CommuteListParameters()).commutes.map(\.from.reference) == ["city:harbor"])
    }

    @Test(arguments: [
        (CommuteAddParameters(name: "a b", from: "market", to: "central"), ErrorKind.invalidParameters),
        (CommuteAddParameters(name: "x", from: "market", to: "nowhere"), .stopNotFound),
        (CommuteAddParameters(name: "x", from: "market", to: "101"), .commuteInvalid),
        (CommuteAddParameters(name: "x", from: "home", to: "market"), .placeNotSet),
        (CommuteAddParameters(name: "x", from: "market", to: "central", windows: ["7-9"]), .invalidParameters),
        (CommuteAddParameters(name: "x", from: "market", to: "central", days: ["mon"]), .invalidParameters),
        (
            CommuteAddParameters(name: "x", from: "market", to: "central", windows: ["07:00-09:00"], days: ["Monday"]),
            .invalidParameters
        ),
    ])
    func invalidCommuteIsRefused(_ commute: CommuteAddParameters, _ kind: ErrorKind) async throws {
        let daemon = try await Self.daemon()
        #expect(daemon.error(of: commute)?.kind == kind)
        #expect(try daemon.ask(CommuteListParameters()).commutes.isEmpty)
    }

    @Test func commuteIsRenamedUsedAndRemoved() async throws {
        let daemon = try await Self.daemon()
        _ = try daemon.ask(CommuteAddParameters(name: "trip", from: "market", to: "central"))
        _ = try daemon.ask(CommuteAddParameters(name: "back", from: "central", to: "park"))
        #expect(daemon.error(of: NextParameters())?.message == "You have several commutes and none is in use.")
        _ = try daemon.ask(CommuteUseParameters(commute: "trip"))
        #expect(try daemon.ask(CommuteRenameParameters(commute: "trip", name: "morning")).commute?.isInUse == true)
        #expect(try daemon.ask(NextParameters()).commute.name == "morning")
        #expect(daemon.error(of: CommuteRenameParameters(commute: "back", name: "morning"))?.kind == .commuteExists)
        #expect(try daemon.ask(CommuteRemoveParameters(commute: "morning")).commute?.name == "morning")
        #expect(try daemon.ask(NextParameters()).commute.name == "back")
        #expect(daemon.error(of: CommuteUseParameters(commute: "morning"))?.kind == .commuteNotFound)
    }

    @Test func configuredCommutesAreReadOnly() async throws {
        let daemon = try await Self.daemon { configuration in
            BoardHandlerTests.withPlaces(&configuration)
            configuration.commutes = [CommuteConfiguration(name: "trip", from: "city:market", to: "city:central")]
        }
        #expect(
            try daemon.ask(CommuteListParameters()).commutes.map { "\($0.name) \($0.origin)" } == [
                "home-to-work implied", "trip configuration", "work-to-home implied",
            ])
        #expect(daemon.error(of: CommuteRemoveParameters(commute: "trip"))?.kind == .commuteReadOnly)
        #expect(daemon.error(of: CommuteRenameParameters(commute: "home-to-work", name: "x"))?.kind == .commuteReadOnly)
        // A user's own commute takes precedence.
        _ = try daemon.ask(CommuteAddParameters(name: "trip", from: "harbor", to: "central"))
        #expect(try daemon.ask(CommuteListParameters()).commutes[1].origin == .user)
        _ = try daemon.ask(CommuteRemoveParameters(commute: "trip"))
        #expect(try daemon.ask(CommuteListParameters()).commutes[1].origin == .configuration)
    }

    @Test func homeAndWorkImplyTwoCommutes() async throws {
        let daemon = try await Self.daemon()
        let home = try daemon.ask(PlaceSetParameters(place: "home", position: Position(lat: 53.5405, lon: 9.9805)))
        #expect(home.place.stops.map(\.stop.id) == ["harbor", "market", "central"])
        #expect(home.place.stops.first?.routes == ["24"])
        #expect(home.commutes.isEmpty)
        let work = try daemon.ask(PlaceSetParameters(place: "work", stop: "Central Station", walk: 60))
        #expect(work.place.stop == "city:central")
        #expect(work.commutes == ["home-to-work", "work-to-home"])
        let answer = try daemon.ask(NextParameters(count: 1))
        #expect(answer.departures.map(\.line) == ["24 08:00 harbor > central:1 08:20"])
        #expect(answer.departures.first?.arrival?.walk == 60)
    }

    @Test func userPlaceTakesPrecedenceOverConfiguration() async throws {
        let daemon = try await Self.daemon(BoardHandlerTests.withPlaces)
        _ = try daemon.ask(PlaceSetParameters(place: "home", stop: "market"))
        #expect(
            try daemon.ask(NextParameters(commute: "home-to-work", count: 1)).departures.map(\.line) == [
                "24 08:09 market > central:1 08:20"
            ])
        #expect(try daemon.ask(PlaceListParameters()).places.map(\.origin) == [.user, .configuration])
        // The configured place applies again, so both commutes still have their ends.
        let again = try daemon.ask(PlaceRemoveParameters(place: "home"))
        #expect(again.place.origin == .configuration)
        #expect(again.place.stop == nil)
        #expect(again.place.position != nil)
        #expect(again.commutes == ["home-to-work", "work-to-home"])
        #expect(try daemon.ask(PlaceListParameters()).places.map(\.origin) == [.configuration, .configuration])
        #expect(daemon.error(of: PlaceRemoveParameters(place: "home"))?.kind == .placeReadOnly)
        #expect(daemon.error(of: PlaceRemoveParameters(place: "gym"))?.kind == .placeNotFound)
    }

    @Test(arguments: [
        PlaceSetParameters(place: "x"), PlaceSetParameters(place: "x", position: Position(lat: 0, lon: 0)),
        PlaceSetParameters(place: "x", position: Position(lat: 1, lon: 1), stop: "market"),
        PlaceSetParameters(place: "a:b", stop: "market"),
    ])
    func invalidPlaceIsRefused(_ place: PlaceSetParameters) async throws {
        let daemon = try await Self.daemon()
        #expect(daemon.error(of: place)?.kind == .invalidParameters)
    }

    @Test func unusableCommuteStatesProblem() async throws {
        let daemon = try TestDaemon(feeds: ["city": .small]) { configuration in
            configuration.commutes = [CommuteConfiguration(name: "trip", from: "city:market", to: "city:central")]
        }
        #expect(
            try daemon.ask(CommuteListParameters()).commutes.first?.problem
                == "The timetable of city has not been imported yet.")
        try await daemon.update("city")
        #expect(try daemon.ask(CommuteListParameters()).commutes.first?.problem == nil)
        try daemon.publish(
            .small.file("stops.txt", FeedBuilder.small["stops.txt"].replacing("market,101", with: "square,101"))
                .file("stop_times.txt", FeedBuilder.small["stop_times.txt"].replacing("market", with: "square")),
            as: "city")
        try await daemon.update("city")
        #expect(
            try daemon.ask(CommuteListParameters()).commutes.first?.problem
                == "The timetable of city has no stop \"market\".")
    }
}
