import Foundation
import Testing
import TransitControl
import TransitFeeds
import TransitModel
import TransitTestSupport
import TransitTestTraits
import TransitWire

@testable import TransitDaemon

/// Tests with two feeds of one agency. "city" has a timetable. "town" supplements it: a network whose only service runs
/// on a date in the distant future, with realtime data about vehicles. The clock starts at 07:30 in Berlin; bus 24
/// leaves the harbor at 08:00.
@Suite(.ownThreads) struct FeedPairTests {
    let daemon: TestDaemon

    init() async throws { daemon = try await Self.daemon(beside: "city") }

    private static func daemon(beside: FeedID?) async throws -> TestDaemon {
        let daemon = try TestDaemon(feeds: ["city": .small, "town": .town]) { configuration in
            BoardHandlerTests.withPlaces(&configuration)
            configuration.feeds[1].supplements = beside
            for feed in configuration.feeds.indices {
                configuration.feeds[feed].realtime[.tripUpdates] = .file(path: "")
            }
        }
        for feed in ["city", "town"] as [FeedID] {
            #expect(try await daemon.update(feed, force: true).outcome == .updated)
        }
        return daemon
    }

    private func at(_ clock: String) throws -> Instant {
        try #require(Instant(rfc3339: "2026-03-27T\(clock)+01:00"))
    }

    func tell(_ entities: [RealtimeEntity], of feed: FeedID, _ daemon: TestDaemon? = nil) {
        let daemon = daemon ?? self.daemon
        // A message with the timestamp of the previous one would be ignored.
        daemon.clock.advance(by: 1)
        let now = daemon.clock.now()
        let taken = daemon.daemon.realtimeFeeds.receive(
            RealtimeWriter.bytes(RealtimeHeader(version: "2.0", timestamp: now), entities),
            of: DatasetID(feed, .tripUpdates), received: now, now: now)
        #expect(taken.isUsed)
    }

    /// Returns the town server's trip update for a vehicle, with the departure times.
    func vehicle(_ name: String, route: RouteID = "7", _ calls: [(StopID, String)]) throws -> RealtimeEntity {
        .tripUpdate(
            TripUpdate(
                id: EntityID(name),
                trip: TripDescriptor(
                    tripID: TripID(name), routeID: route, startDate: ServiceDate(iso8601: "2026-03-27"),
                    relationship: .added),
                updates: try calls.enumerated().map { number, call in
                    StopTimeUpdate(
                        sequence: UInt32(number + 1), stopID: call.0, departure: StopTimeEvent(time: try at(call.1)))
                }))
    }

    /// Returns the city publisher's trip update for trip `b1`.
    private func b1(_ relationship: TripScheduleRelationship = .scheduled, delay: Int32? = nil) -> RealtimeEntity {
        .tripUpdate(
            TripUpdate(
                id: "1", trip: TripDescriptor(tripID: "b1", relationship: relationship),
                updates: delay.map {
                    [StopTimeUpdate(stopID: "harbor", departure: StopTimeEvent(delay: $0))]
                } ?? []))
    }

    private func board(_ stop: String = "city:harbor", count: Int = 2) throws -> [Departure] {
        try daemon.ask(DeparturesParameters(stop: stop, count: count)).departures
    }

    @Test func vehicleConfirmsScheduledDeparture() throws {
        tell([try vehicle("x", [("1", "08:01:00"), ("2", "08:10:00"), ("3", "08:21:00")])], of: "town")
        for stop in ["city:harbor", "town:1", "Harbor", "100"] {
            let departures = try board(stop)
            #expect(departures.map(\.line) == ["24 08:00 harbor", "24 08:20 harbor"], "\(stop)")
            let first = try #require(departures.first)
            #expect((first.feed, first.trip, first.source, first.confidence) == ("city", "b1", .live, .high))
            #expect((first.delay, first.realtimeState, first.age) == (60, .fresh, 0))
            #expect(first.expected?.clock == "08:01")
            let witness = try #require(first.confirmedBy)
            #expect((witness.feed, witness.difference) == ("town", 60))
            #expect(witness.agrees && witness.isUsed)
            #expect(witness.expected?.clock == "08:01")
            #expect(departures.last?.confirmedBy == nil)
        }
    }

    @Test func feedsAreNotMergedWithoutOption() async throws {
        let alone = try await Self.daemon(beside: nil)
        tell([try vehicle("x", [("1", "08:01:00"), ("3", "08:21:00")])], of: "town", alone)
        let city = try alone.ask(DeparturesParameters(stop: "city:harbor")).departures
        #expect(city.allSatisfy { $0.confirmedBy == nil && $0.source == .scheduled })
        #expect(try alone.ask(DeparturesParameters(stop: "town:1")).departures.map(\.trip) == ["x"])
        #expect(alone.error(of: DeparturesParameters(stop: "Harbor"))?.kind == .stopAmbiguous)
    }

    @Test func agreementAndDisagreementAreShown() throws {
        tell([b1(delay: 240)], of: "city")
        tell([try vehicle("x", [("1", "08:05:00"), ("3", "08:25:00")])], of: "town")
        let agreed = try #require(try board().first)
        #expect((agreed.expected?.clock, agreed.delay, agreed.confidence) == ("08:04", 240, .high))
        #expect(agreed.confirmedBy?.difference == 60)
        #expect(agreed.confirmedBy?.agrees == true)
        #expect(agreed.confirmedBy?.isUsed == false)
        tell([try vehicle("x", [("1", "08:00:30"), ("3", "08:25:00")])], of: "town")
        let disputed = try #require(try board().first)
        #expect((disputed.expected?.clock, disputed.confirmedBy?.difference) == ("08:04", -210))
        #expect(disputed.confirmedBy?.agrees == false)
        let fact = try daemon.ask(ExplainParameters(departure: disputed.id)).facts.first { $0.fact == "confirmed_by" }
        #expect(
            fact?.value
                == "town says: leaves at 2026-03-27T08:00:30+01:00 (live), 210 s earlier; the two feeds differ, "
                + "and the time of city is shown")
    }

    @Test func onlyAgreementRaisesConfidence() throws {
        // For a call an hour and a half ahead, the city's prediction is propagated from an earlier call and therefore
        // has medium confidence.
        tell([b1(delay: 240)], of: "city")
        let alone = try #require(try board("city:market").first)
        #expect((alone.confidence, alone.confirmedBy?.feed) == (.medium, nil))
        tell([try vehicle("x", [("2", "08:13:30"), ("3", "08:25:00")])], of: "town")
        let agreed = try #require(try board("city:market").first)
        #expect((agreed.confidence, agreed.confirmedBy?.agrees) == (.high, true))
        tell([try vehicle("x", [("2", "08:19:00"), ("3", "08:25:00")])], of: "town")
        let disputed = try #require(try board("city:market").first)
        #expect((disputed.confidence, disputed.confirmedBy?.agrees) == (.medium, false))
    }

    @Test func lateVehicleKeepsOverdueDeparture() throws {
        daemon.clock.advance(by: 35 * 60)
        #expect(try board().map(\.line) == ["24 08:20 harbor", "24 23:50 harbor"])
        tell([try vehicle("x", [("1", "08:07:00"), ("3", "08:27:00")])], of: "town")
        let departures = try board()
        #expect(departures.map(\.line) == ["24 08:00 harbor", "24 08:20 harbor"])
        #expect((departures.first?.delay, departures.first?.confirmedBy?.agrees) == (420, false))
        // `explain` also finds the departure.
        let id = try #require(departures.first?.id)
        #expect(try daemon.ask(ExplainParameters(departure: id)).departure.delay == 420)
        daemon.clock.advance(by: 180)
        #expect(try board().map(\.line) == ["24 08:20 harbor", "24 23:50 harbor"])
    }

    @Test func canceledTripStaysCanceledDespiteVehicle() throws {
        tell([b1(.canceled)], of: "city")
        tell([try vehicle("x", [("1", "08:01:00"), ("3", "08:21:00")])], of: "town")
        let departures = try board()
        #expect(departures.map(\.line) == ["24 08:00 harbor", "24 08:20 harbor"])
        #expect((departures[0].status, departures[0].confirmedBy?.agrees) == (.canceled, false))
        // In a feed with its own timetable, a trip that is not in the timetable counts as added.
        #expect(departures[0].confirmedBy?.status == .added)
    }

    @Test func addedDepartureCannotBePinned() throws {
        tell([try vehicle("v9", [("harbor", "07:50:00"), ("market", "08:00:00")])], of: "city")
        let added = try #require(try board().first { $0.status == .added })
        for once in [false, true] {
            let error = try #require(daemon.error(of: UsualPinParameters(departure: added.id, once: once)))
            #expect(error.kind == .usualNotFound)
            #expect(error.message == "This departure is not in the timetable, so it cannot be pinned.")
        }
        #expect(try daemon.ask(UsualListParameters()).departures.isEmpty)
    }

    @Test func departureOfOneFeedKeepsItsFeed() throws {
        tell([try vehicle("n", route: "8", [("1", "07:45:00"), ("4", "07:54:00")])], of: "town")
        let departures = try board()
        #expect(departures.map(\.feed) == ["town", "city"])
        #expect(
            (departures[0].route.shortName, departures[0].stop.id, departures[0].confirmedBy?.feed) == ("N9", "1", nil))
        // A route filter applies to the routes with that name in both feeds.
        let filtered = try daemon.ask(DeparturesParameters(stop: "city:harbor", route: "24", count: 2)).departures
        #expect(filtered.map(\.feed) == ["city", "city"])
        // This stop is only in the town's feed.
        #expect(try board("town:4").isEmpty)
    }

    @Test func commuteMergesBothFeeds() throws {
        tell([try vehicle("x", [("1", "08:02:00"), ("2", "08:10:00"), ("3", "08:23:00")])], of: "town")
        let answer = try daemon.ask(NextParameters(count: 2))
        #expect(
            answer.departures.map(\.line) == ["24 08:00 harbor > central:1 08:20", "24 08:20 harbor > central:1 08:40"])
        let first = try #require(answer.departures.first)
        #expect((first.delay, first.confirmedBy?.feed, first.confidence) == (120, "town", .high))
        #expect(first.arrival?.expected?.clock == "08:23")
        #expect(answer.notices.isEmpty)
        #expect(first.leaveBy?.text == "2026-03-27T08:00:52+01:00")
        // The result is the same for a commute between stops in the city's feed.
        let commute = CommuteAddParameters(name: "ride", from: "city:harbor", to: "city:central")
        _ = try daemon.ask(commute)
        let ride = try daemon.ask(NextParameters(commute: "ride", count: 1)).departures
        #expect(ride.map(\.confirmedBy?.feed) == ["town"])
    }

    @Test func stopMappingIsRecomputedForNewVersion() async throws {
        let vehicle = try vehicle("x", [("1", "08:01:00"), ("3", "08:21:00")])
        tell([vehicle], of: "town")
        #expect(try board().first?.confirmedBy != nil)
        let moved = FeedBuilder.town.file(
            "stops.txt", FeedBuilder.town["stops.txt"].replacing("53.5401,9.9802", with: "53.6401,9.9802"))
        try daemon.publish(moved, as: "town")
        #expect(try await daemon.update("town", force: true).outcome == .updated)
        tell([vehicle], of: "town")
        #expect(try board().first?.confirmedBy == nil)
    }
}
