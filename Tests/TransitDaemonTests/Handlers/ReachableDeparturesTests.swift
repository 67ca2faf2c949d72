import Testing
import TransitControl
import TransitModel
import TransitQueries
import TransitTestSupport
import TransitTestTraits
import TransitWire

@testable import TransitDaemon

/// Tests of the walk to the stop of a board, and of `reachable`. The clock starts on Friday, March 27, 2026, at 07:30 in
/// Berlin. Bus 24 leaves the harbor at 08:00, 08:20 and 23:50. Home is 68 seconds from the harbor, and work is 2.3 km.
@Suite(.ownThreads) struct ReachableDeparturesTests {
    private func daemon(
        at time: String = "2026-03-27T06:30:00Z", _ change: (inout Configuration) -> Void = BoardHandlerTests.withPlaces
    ) async throws -> TestDaemon {
        try await TestDaemon.imported(["city": .small], at: time, change)
    }

    private func times(_ board: DeparturesResult) -> [String?] { board.departures.map(\.scheduled?.clock) }

    // MARK: The walk

    @Test func boardHasTheWalkFromThePlaceNearby() async throws {
        let daemon = try await daemon()
        let board = try daemon.ask(DeparturesParameters(stop: "harbor", count: 1))
        let next = try daemon.ask(NextParameters(commute: "home-to-work", count: 1))
        let departure = try #require(board.departures.first)
        #expect(board.from == "home")
        #expect(departure.walk == 68)
        #expect(departure.leaveBy?.text == "2026-03-27T07:58:52+01:00")
        #expect(departure.leaveIn == 28 * 60 + 52)
        // The departure is the same one in `next`.
        #expect(next.departures.map(\.walk) == [68])
        #expect(next.departures.map(\.leaveBy) == [departure.leaveBy])
        // The walking time that a person has set applies.
        #expect(try daemon.ask(DeparturesParameters(stop: "central", count: 1)).departures.map(\.walk) == [120])
    }

    @Test func explanationHasTheWalkAndTheTimeToLeave() async throws {
        let daemon = try await daemon()
        let departure = try #require(try daemon.ask(DeparturesParameters(stop: "harbor", count: 1)).departures.first)
        let explained = try daemon.ask(ExplainParameters(departure: departure.id))
        #expect(explained.departure.walk == departure.walk)
        #expect([explained.departure.leaveBy, departure.leaveBy].map { $0?.clock } == ["07:58", "07:58"])
        func value(_ fact: String) -> [String?]? {
            explained.facts.first { $0.fact == fact }.map { [$0.value, $0.source] }
        }
        #expect(value("walk") == ["2 min from home, 65 m in a straight line", "estimated"])
        #expect(value("leave_by") == ["2026-03-27T07:58:52+01:00, 68 s before the scheduled departure", nil])
        let arriving = try #require(try daemon.ask(DeparturesParameters(stop: "central", count: 1)).departures.first)
        let facts = try daemon.ask(ExplainParameters(departure: arriving.id)).facts
        #expect(facts.contains(ExplainedFact(fact: "walk", value: "2 min from work", source: "your setting")))
        // A person without places has no walk.
        let nowhere = try await self.daemon { $0.places = [:] }
        let plain = try nowhere.ask(ExplainParameters(departure: departure.id))
        #expect(plain.departure.walk == nil)
        #expect(!plain.facts.contains { ["walk", "leave_by"].contains($0.fact) })
    }

    @Test func favoriteHasTheWalkOfItsBoard() async throws {
        let daemon = try await daemon()
        _ = try daemon.ask(FavoriteAddParameters(stop: "city:harbor"))
        let boards = try daemon.ask(FavoriteShowParameters()).boards
        #expect(boards.first?.departures.first?.walk == 68)
    }

    @Test func boardFarFromEveryPlaceHasNoWalk() async throws {
        let daemon = try await daemon()
        // Market Square is 0.9 km from home, and City Park is 1.2 km from work.
        #expect(try daemon.ask(DeparturesParameters(stop: "market", count: 1)).from == "home")
        let moved = try await self.daemon { configuration in
            configuration.places["hill"] = Coordinate(latitude: 53.53, longitude: 9.95).map {
                PlaceConfiguration(location: .coordinate($0))
            }
        }
        let board = try moved.ask(DeparturesParameters(stop: "central:1", count: 1))
        #expect(board.from == nil)
        #expect(board.departures.allSatisfy { $0.walk == nil && $0.leaveBy == nil && $0.leaveIn != nil })
    }

    @Test(arguments: [0, 600]) func statedWalkReplacesThePlace(walk: Int) async throws {
        let board = try await daemon().ask(DeparturesParameters(stop: "harbor", count: 1, walk: walk))
        #expect(board.from == nil)
        #expect(board.departures.map(\.walk) == [walk])
        #expect(board.departures.map(\.leaveIn) == [1800 - walk])
    }

    @Test func namedPlaceMayBeFartherAway() async throws {
        let daemon = try await daemon()
        let board = try daemon.ask(DeparturesParameters(stop: "harbor", count: 1, from: "Work"))
        #expect(board.from == "work")
        // 2,304 m with a detour factor of 1.3, at 1.25 m/s. The walk that is set belongs to the stops near work.
        #expect(board.departures.first?.walk.map { (2300...2500).contains($0) } == true)
    }

    /// The place is a stop: a person is there without a walk, and the walk to another stop is estimated.
    @Test func placeAtAStopHasNoWalkToIt() async throws {
        let daemon = try await daemon { configuration in
            configuration.places["office"] = PlaceConfiguration(
                location: .stop(QualifiedStop(feed: "city", stop: "harbor")))
        }
        #expect(try daemon.ask(DeparturesParameters(stop: "harbor", count: 1)).departures.map(\.walk) == [0])
        let other = try daemon.ask(DeparturesParameters(stop: "market", count: 1, from: "office"))
        #expect(other.departures.first?.walk.map { (850...950).contains($0) } == true)
    }

    // MARK: Reachable

    @Test(
        arguments: [
            // A rider who sets out at 07:58:52 reaches the bus of 08:00.
            ("2026-03-27T06:58:52Z", 2, ["08:00", "08:20"]), ("2026-03-27T06:58:53Z", 2, ["08:20", "23:50"]),
            ("2026-03-27T07:19:00Z", 2, ["23:50", "09:00"]),
        ])
    func departuresThatLeaveTooEarlyAreLeftOut(now: String, count: Int, times expected: [String]) async throws {
        let daemon = try await daemon(at: now)
        let board = try daemon.ask(DeparturesParameters(stop: "harbor", count: count, reachable: true))
        #expect(times(board) == expected)
        #expect(board.departures.allSatisfy { ($0.leaveIn ?? -1) >= 0 })
        let next = try daemon.ask(NextParameters(commute: "home-to-work", count: count, reachable: true))
        #expect(next.departures.map(\.scheduled?.clock) == expected)
    }

    /// The rider sets out at the time of the query.
    @Test func namedTimeIsWhenTheRiderSetsOut() async throws {
        let board = try await daemon().ask(
            DeparturesParameters(stop: "harbor", at: "07:59", count: 1, walk: 300, reachable: true))
        #expect(times(board) == ["08:20"])
    }

    @Test(
        arguments: [
            (
                600, nil, 600,
                "The only departure in the next 10 minutes leaves too early for a walk of 10 min; the next one that you can "
                    + "catch is at 08:20, leave by 08:10."
            ),
            (
                1800, nil, 1801,
                "The 2 departures in the next 30 minutes leave too early for a walk of 31 min; the next one that you can "
                    + "catch is at 23:50, leave by 23:19."
            ),
            (
                600, "23:49", 120,
                "The only departure in the 10 minutes after 23:49 leaves too early for a walk of 2 min; the next one that "
                    + "you can catch is at 09:00 on 2026-03-28, leave by 08:58."
            ),
        ] as [(Int, String?, Int, String)])
    func emptyBoardNamesWhatIsLeftOut(within: Int, at: String?, walk: Int, message: String) async throws {
        let daemon = try await daemon(at: "2026-03-27T06:55:00Z")
        let board = try daemon.ask(
            DeparturesParameters(stop: "harbor", at: at, within: within, walk: walk, reachable: true))
        #expect(board.departures.isEmpty)
        #expect(board.notices == [Notice(kind: .noService, feed: "city", message: message)])
    }

    /// Without `reachable`, the notice would say that nothing departs.
    @Test func emptyCommuteNamesWhatIsLeftOut() async throws {
        let daemon = try await daemon(at: "2026-03-27T06:59:30Z")
        let next = try daemon.ask(NextParameters(commute: "home-to-work", within: 600, reachable: true))
        #expect(next.departures.isEmpty)
        #expect(
            next.notices.map(\.message) == [
                "The only departure in the next 10 minutes leaves too early for a walk of 2 min from home; the next one that "
                    + "you can catch is at 08:20, leave by 08:18."
            ])
    }

    @Test func windowWithoutDeparturesKeepsItsReason() async throws {
        let board = try await daemon().ask(DeparturesParameters(stop: "harbor", within: 900, reachable: true))
        #expect(board.notices.map(\.message) == ["No departures in the next 15 minutes; the next one is at 08:00."])
    }

    // MARK: Errors

    @Test func reachableNeedsAWalk() async throws {
        let without = try await daemon { _ in }
        let parameters = DeparturesParameters(stop: "harbor", reachable: true)
        let error = try #require(without.error(of: parameters))
        #expect(error.kind == .placeNotSet)
        #expect(error.message == "How long you walk to Harbor is not known: you have no places.")
        #expect(
            error.hint == "Give the walk, such as --walk-minutes 5, or set a place near the stop: transitctl place set "
                + "home LAT,LON.")
        let far = try await daemon { configuration in
            configuration.places["moon"] = Coordinate(latitude: 50, longitude: 10).map {
                PlaceConfiguration(location: .coordinate($0))
            }
        }
        #expect(
            far.error(of: parameters)?.message
                == "How long you walk to Harbor is not known: moon is more than 3000 m away.")
        #expect(
            far.error(of: DeparturesParameters(stop: "harbor", from: "moon"))?.message
                == "How long you walk to Harbor is not known: moon is more than 3000 m away.")
        // The remedy works.
        #expect(try far.ask(DeparturesParameters(stop: "harbor", walk: 300, reachable: true)).departures.count > 1)
        // An ordinary board needs no walk.
        #expect(try without.ask(DeparturesParameters(stop: "harbor")).departures.count > 1)
    }

    @Test func placeAndWalkExcludeEachOther() async throws {
        let daemon = try await daemon()
        let error = daemon.error(of: DeparturesParameters(stop: "harbor", from: "home", walk: 60))
        #expect(error?.kind == .invalidParameters)
        #expect(daemon.error(of: DeparturesParameters(stop: "harbor", from: "hme"))?.kind == .placeNotFound)
    }
}
