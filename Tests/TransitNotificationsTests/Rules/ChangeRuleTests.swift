import Testing
import TransitModel
import TransitNotifications
import TransitQueries
import TransitStore
import TransitTestSupport

/// Notifications about a pinned journey in ``FeedBuilder/valley``: from home, five minutes from Alder, with train T at 08:00,
/// and with bus 1 at 08:25 from Cedar to Zinnia.
@Suite struct ChangeRuleTests {
    private final class Commuter {
        let fixture: QueryFixture
        var finder: SubjectFinder
        var engine: NotificationEngine

        init(_ settings: [String: String] = [:]) throws {
            fixture = try QueryFixture([("valley", .valley, nil)])
            fixture.personal.journeys = [Self.journey]
            fixture.now = Self.time("07:30")
            finder = SubjectFinder(fixture.context)
            #expect(finder.problems.isEmpty)
            let personal = settings.merging(["notifications.on": "on"]) { first, _ in first }
            engine = NotificationEngine(settings: NotificationSettings(machine: [:], personal: personal))
        }

        static func time(_ clock: String) -> Instant { Instant(rfc3339: "2026-03-27T\(clock):00+01:00")! }

        static func key(_ route: RouteID, _ stop: StopID, _ clock: String) -> DepartureKey {
            DepartureKey(
                feed: "valley", route: route, direction: nil, stop: stop, scheduled: time(clock),
                serviceDate: ServiceDate(iso8601: "2026-03-27")!)
        }

        static var journey: SavedJourney {
            SavedJourney(
                number: 1, from: "valley:a", to: "valley:z",
                legs: [
                    SavedJourney.Leg(departure: key("T", "a", "08:00"), destination: "c", arrival: time("08:20")),
                    SavedJourney.Leg(
                        departure: key("n", "c", "08:25"), destination: "z", arrival: time("08:40"), changeTime: 60),
                ], walkBefore: 300)
        }

        /// Evaluates at a time of day, after a message if any trips are given with their delays at and after a stop.
        @discardableResult
        func at(
            _ clock: String, _ updates: (trip: TripID, stop: StopID, delay: Int32)..., canceled: TripID? = nil
        ) throws -> [NotificationDecision] {
            fixture.now = Self.time(clock)
            var messages = Set(updates.map(\.trip)).sorted { $0.rawValue < $1.rawValue }.map { trip in
                TripUpdate(
                    id: EntityID(trip.rawValue), trip: TripDescriptor(tripID: trip),
                    updates: updates.filter { $0.trip == trip }.map { update in
                        StopTimeUpdate(
                            stopID: update.stop, arrival: StopTimeEvent(delay: update.delay, uncertainty: 0),
                            departure: StopTimeEvent(delay: update.delay, uncertainty: 0))
                    }, timestamp: fixture.now)
            }
            if let canceled {
                messages.append(
                    TripUpdate(
                        id: "canceled", trip: TripDescriptor(tripID: canceled, relationship: .canceled),
                        timestamp: fixture.now))
            }
            if !messages.isEmpty { try fixture.receive(messages, of: "valley") }
            let context = fixture.context
            let subjects = finder.subjects(
                context, changed: messages.isEmpty ? [] : ["valley"], following: engine.followedDepartures,
                awaiting: engine.awaitedDepartures)
            return engine.evaluate(
                NotificationInput(now: context.now, zone: context.zone, subjects: subjects)
            ).filter { $0.suppression == nil }
        }
    }

    /// Returns decisions as their rules and titles.
    private func lines(_ decisions: [NotificationDecision]) -> [String] {
        decisions.map { "\($0.rule): \($0.title)" }
    }

    @Test func journeyThatHoldsHasNoticesToLeaveAndToGetOff() throws {
        let commuter = try Commuter()
        #expect(try commuter.at("07:30").isEmpty)
        let leave = try commuter.at("07:48", ("t0", "a", 0), ("n25", "c", 0))
        #expect(lines(leave) == ["leave: Leave by 07:50: Train T at 08:00"])
        #expect(leave.first?.subjectKind == "journey" && leave.first?.hasSound == true)
        #expect(try commuter.at("08:01", ("t0", "b", 0), ("n25", "c", 0)).isEmpty)
        #expect(
            try lines(commuter.at("08:18", ("t0", "c", 0), ("n25", "c", 0))) == [
                "getoff: Get off at Cedar: Train T arrives at 08:20"
            ])
        #expect(try commuter.at("08:26", ("n25", "z", 0)).isEmpty)
        #expect(
            try lines(commuter.at("08:38", ("n25", "z", 0))) == [
                "getoff: Get off at Zinnia: Bus 1 arrives at 08:40"
            ])
        #expect(try commuter.at("08:45").isEmpty)
    }

    @Test func brokenChangeNamesTheBestWay() throws {
        let commuter = try Commuter()
        try commuter.at("07:48", ("t0", "a", 0))
        try commuter.at("08:01", ("t0", "b", 0))
        let broken = try commuter.at("08:05", ("t0", "c", 660), ("n25", "c", 0))
        #expect(lines(broken) == ["change: You will miss Bus 1 at 08:25"])
        #expect(
            broken.first?.body
                == "Train T arrives at 08:31, 7 min too late.\nGet off at Birch at 08:10 and take Bus 2 at 08:15 from Birch. "
                + "You arrive at 08:45.")
        #expect(broken.first?.hasSound == true && broken.first?.next.first?.key.route == "m")
        // The same news is not repeated, and the notice to get off is that of the new way.
        #expect(try commuter.at("08:06", ("t0", "c", 660), ("n25", "c", 0)).isEmpty)
        let late: [(trip: TripID, stop: StopID, delay: Int32)] = [("t0", "b", 0), ("t0", "c", 660), ("n25", "c", 0)]
        #expect(
            try lines(commuter.at("08:08", late[0], late[1], late[2]))
                == ["getoff: Get off at Birch: Train T arrives at 08:10"])
        // The user is on the new way, so that no other one is advised, and the notice to get off comes at its end.
        #expect(try commuter.at("08:12", late[1], late[2], ("m15", "b", 0)).isEmpty)
        let way = try #require(commuter.finder.detours(at: Commuter.time("08:12"))[1])
        #expect(way.legs.map(\.departure.route) == ["T", "m"] && way.legs.map(\.destination) == ["b", "z"])
        #expect(try commuter.at("08:16", late[1], late[2], ("m15", "z", 0)).isEmpty)
        #expect(
            try lines(commuter.at("08:43", ("m15", "z", 0))) == ["getoff: Get off at Zinnia: Bus 2 arrives at 08:45"])
    }

    @Test func betterWayIsNotifiedAgain() throws {
        let commuter = try Commuter()
        try commuter.at("08:05", ("t0", "c", 660), ("n25", "c", 0))
        // Bus 2 is canceled, too.
        let other = try commuter.at("08:06", ("t0", "c", 660), ("n25", "c", 0), canceled: "m15")
        #expect(lines(other) == ["change: You will miss Bus 1 at 08:25"])
        #expect(other.first?.body.contains("Take Bus 1 at 08:55 from Cedar instead. You arrive at 09:10.") == true)
        #expect(other.first?.operation == .update)
    }

    @Test func mendedChangeNeedsTwoMessages() throws {
        let commuter = try Commuter()
        try commuter.at("08:05", ("t0", "c", 660), ("n25", "c", 0))
        #expect(try commuter.at("08:06", ("t0", "c", 660), ("n25", "c", 720)).isEmpty)
        let mended = try commuter.at("08:07", ("t0", "c", 660), ("n25", "c", 720))
        #expect(lines(mended) == ["change: You reach Bus 1 at 08:25 after all"])
        #expect(mended.first?.body.hasPrefix("5 min to spare.") == true)
    }

    @Test func canceledConnectionNamesTheNextOne() throws {
        let commuter = try Commuter()
        try commuter.at("08:05", ("t0", "c", 0))
        let canceled = try commuter.at("08:16", ("t0", "c", 0), canceled: "n25")
        #expect(lines(canceled) == ["canceled: Bus 1 at 08:25 is canceled"])
        #expect(
            canceled.first?.body.contains(
                "Get off at Dogwood at 08:35 and take Bus 3 at 08:40 from Dogwood. You arrive at 08:50.") == true)
    }

    /// A vehicle that continues as another trip is one ride, at whose end the user gets off.
    @Test func riderStaysInVehicleThatContinues() throws {
        let fixture = try QueryFixture([("city", .change(isBlock: true), nil)])
        func leg(_ route: RouteID, _ stop: StopID, _ clock: String, _ destination: StopID) -> SavedJourney.Leg {
            let key = DepartureKey(
                feed: "city", route: route, direction: nil, stop: stop, scheduled: Commuter.time(clock),
                serviceDate: ServiceDate(iso8601: "2026-03-27")!)
            return SavedJourney.Leg(
                departure: key, destination: destination, arrival: Commuter.time(clock).advanced(by: 600))
        }
        let legs = [leg("A", "a", "08:00", "x1"), leg("B", "x2", "08:10", "b")]
        fixture.personal.journeys = [SavedJourney(number: 1, from: "city:a", to: "city:b", legs: legs)]
        fixture.now = Commuter.time("07:45")
        var finder = SubjectFinder(fixture.context)
        let subjects = finder.subjects(fixture.context, changed: nil) ?? []
        #expect(subjects.map(\.kind) == [.journey])
        let ride = try #require(subjects.first?.departures.first)
        #expect(ride.names.destination == "End" && ride.arrival == Commuter.time("08:20"))
    }

    @Test func ruleThatIsOffIsSilent() throws {
        let commuter = try Commuter(["change.on": "off"])
        #expect(try commuter.at("08:05", ("t0", "c", 660), ("n25", "c", 0)).allSatisfy { $0.rule != .change })
    }

    @Test func lostStateDoesNotRepeatTheNews() throws {
        let commuter = try Commuter()
        try commuter.at("08:05", ("t0", "c", 660), ("n25", "c", 0))
        let state = try #require(NotificationState(json: commuter.engine.state.json))
        #expect(state == commuter.engine.state)
        commuter.engine = NotificationEngine(state: state, settings: commuter.engine.settings)
        commuter.finder = SubjectFinder(commuter.fixture.context)
        #expect(try commuter.at("08:06", ("t0", "c", 660), ("n25", "c", 0)).isEmpty)
    }
}
