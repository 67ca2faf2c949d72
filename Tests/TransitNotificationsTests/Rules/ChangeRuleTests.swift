import Testing
import TransitModel
import TransitNotifications
import TransitQueries
import TransitStore
import TransitTestSupport

/// Notifications about a pinned journey in ``FeedBuilder/valley``: from home, five minutes from Alder, with train T at 08:00,
/// and with bus 1 at 08:25 from Cedar to Zinnia.
@Suite struct ChangeRuleTests {
    @Test func journeyThatHoldsHasNoticesToLeaveAndToGetOff() throws {
        let commuter = try ValleyCommuter()
        #expect(try commuter.at("07:30").isEmpty)
        let leave = try commuter.at("07:48", ("t0", "a", 0), ("n25", "c", 0))
        #expect(leave.lines == ["leave: Leave by 07:50: Train T at 08:00"])
        #expect(leave.first?.subjectKind == "journey" && leave.first?.hasSound == true)
        #expect(try commuter.at("08:01", ("t0", "b", 0), ("n25", "c", 0)).isEmpty)
        #expect(
            try commuter.at("08:18", ("t0", "c", 0), ("n25", "c", 0)).lines == [
                "getoff: Get off at Cedar: Train T arrives at 08:20"
            ])
        #expect(try commuter.at("08:26", ("n25", "z", 0)).isEmpty)
        #expect(
            try commuter.at("08:38", ("n25", "z", 0)).lines == [
                "getoff: Get off at Zinnia: Bus 1 arrives at 08:40"
            ])
        #expect(try commuter.at("08:45").isEmpty)
    }

    @Test func brokenChangeNamesTheBestWay() throws {
        let commuter = try ValleyCommuter()
        try commuter.at("07:48", ("t0", "a", 0))
        try commuter.at("08:01", ("t0", "b", 0))
        let broken = try commuter.at("08:05", ("t0", "c", 660), ("n25", "c", 0))
        #expect(broken.lines == ["change: You will miss Bus 1 at 08:25"])
        #expect(
            broken.first?.body
                == "Train T arrives at 08:31, 7 min too late.\nGet off at Birch at 08:10 and take Bus 2 at 08:15 from Birch. "
                + "You arrive at 08:45.")
        #expect(broken.first?.hasSound == true && broken.first?.next.first?.key.route == "m")
        // The same news is not repeated, and the notice to get off is that of the new way.
        #expect(try commuter.at("08:06", ("t0", "c", 660), ("n25", "c", 0)).isEmpty)
        let late: [(trip: TripID, stop: StopID, delay: Int32)] = [("t0", "b", 0), ("t0", "c", 660), ("n25", "c", 0)]
        #expect(
            try commuter.at("08:08", late[0], late[1], late[2]).lines
                == ["getoff: Get off at Birch: Train T arrives at 08:10"])
        // The user is on the new way, so that no other one is advised, and the notice to get off comes at its end.
        #expect(try commuter.at("08:12", late[1], late[2], ("m15", "b", 0)).isEmpty)
        let way = commuter.way(at: "08:12")
        #expect(way.legs.map(\.departure.route) == ["T", "m"] && way.legs.map(\.destination) == ["b", "z"])
        #expect(try commuter.at("08:16", late[1], late[2], ("m15", "z", 0)).isEmpty)
        #expect(
            try commuter.at("08:43", ("m15", "z", 0)).lines == ["getoff: Get off at Zinnia: Bus 2 arrives at 08:45"])
    }

    @Test func betterWayIsNotifiedAgain() throws {
        let commuter = try ValleyCommuter()
        try commuter.at("08:05", ("t0", "c", 660), ("n25", "c", 0))
        // Bus 2 is canceled, too.
        let other = try commuter.at("08:06", ("t0", "c", 660), ("n25", "c", 0), canceled: "m15")
        #expect(other.lines == ["change: You will miss Bus 1 at 08:25"])
        #expect(other.first?.body.contains("Take Bus 1 at 08:55 from Cedar instead. You arrive at 09:10.") == true)
        #expect(other.first?.operation == .update)
    }

    @Test func mendedChangeNeedsTwoMessages() throws {
        let commuter = try ValleyCommuter()
        try commuter.at("08:05", ("t0", "c", 660), ("n25", "c", 0))
        #expect(try commuter.at("08:06", ("t0", "c", 660), ("n25", "c", 720)).isEmpty)
        let mended = try commuter.at("08:07", ("t0", "c", 660), ("n25", "c", 720))
        #expect(mended.lines == ["change: You reach Bus 1 at 08:25 after all"])
        #expect(mended.first?.body.hasPrefix("5 min to spare.") == true)
    }

    @Test func canceledConnectionNamesTheNextOne() throws {
        let commuter = try ValleyCommuter()
        try commuter.at("08:05", ("t0", "c", 0))
        let canceled = try commuter.at("08:16", ("t0", "c", 0), canceled: "n25")
        #expect(canceled.lines == ["canceled: Bus 1 at 08:25 is canceled"])
        #expect(
            canceled.first?.body.contains(
                "Get off at Dogwood at 08:35 and take Bus 3 at 08:40 from Dogwood. You arrive at 08:50.") == true)
    }

    /// A vehicle that continues as another trip is one ride, at whose end the user gets off.
    @Test func riderStaysInVehicleThatContinues() throws {
        let fixture = try QueryFixture([("city", .change(isBlock: true), nil)])
        func leg(_ route: RouteID, _ stop: StopID, _ clock: String, _ destination: StopID) -> SavedJourney.Leg {
            let key = DepartureKey(
                feed: "city", route: route, direction: nil, stop: stop, scheduled: ValleyCommuter.time(clock),
                serviceDate: ServiceDate(iso8601: "2026-03-27")!)
            return SavedJourney.Leg(
                departure: key, destination: destination, arrival: ValleyCommuter.time(clock).advanced(by: 600))
        }
        let legs = [leg("A", "a", "08:00", "x1"), leg("B", "x2", "08:10", "b")]
        fixture.personal.journeys = [SavedJourney(number: 1, from: "city:a", to: "city:b", legs: legs)]
        fixture.now = ValleyCommuter.time("07:45")
        var finder = SubjectFinder(fixture.context)
        let subjects = finder.subjects(fixture.context, changed: nil) ?? []
        #expect(subjects.map(\.kind) == [.journey])
        let ride = try #require(subjects.first?.departures.first)
        #expect(ride.names.destination == "End" && ride.arrival == ValleyCommuter.time("08:20"))
    }

    @Test func ruleThatIsOffIsSilent() throws {
        let commuter = try ValleyCommuter(["change.on": "off"])
        #expect(try commuter.at("08:05", ("t0", "c", 660), ("n25", "c", 0)).allSatisfy { $0.rule != .change })
    }

    @Test func lostStateDoesNotRepeatTheNews() throws {
        let commuter = try ValleyCommuter()
        try commuter.at("08:05", ("t0", "c", 660), ("n25", "c", 0))
        try commuter.restart()
        #expect(try commuter.at("08:06", ("t0", "c", 660), ("n25", "c", 0)).isEmpty)
    }

    /// The user was shown that the change holds after all, before getting off for the other way.
    @Test func mendedJourneyIsNotLeft() throws {
        let commuter = try ValleyCommuter()
        try commuter.at("08:05", ("t0", "c", 660), ("n25", "c", 0))
        try commuter.at("08:06", ("t0", "c", 660), ("n25", "c", 720))
        try commuter.at("08:07", ("t0", "c", 660), ("n25", "c", 720))
        try commuter.at("08:12", ("t0", "c", 660), ("n25", "c", 720))
        #expect(commuter.way(at: "08:12").legs == commuter.fixture.personal.journeys[0].legs)
    }

    /// A daemon that is killed goes on with the way that it named, wherever the user is on it, and repeats nothing.
    @Test(arguments: ["08:06", "08:09", "08:12", "08:20"])
    func restartKeepsTheWayThatWasNamed(after clock: String) throws {
        func decisions(restartingAfter restart: String?) throws -> [String] {
            let commuter = try ValleyCommuter()
            let late: (trip: TripID, stop: StopID, delay: Int32) = ("t0", "c", 660)
            var found: [String] = []
            for minute in ["08:05", "08:06", "08:07", "08:08", "08:09", "08:12", "08:16", "08:20", "08:30", "08:43"] {
                found += try commuter.at(minute, ("t0", "b", 0), late, ("n25", "c", 0), ("m15", "z", 0)).lines
                if minute == restart { try commuter.restart() }
            }
            return found
        }
        let expected = [
            "change: You will miss Bus 1 at 08:25", "getoff: Get off at Birch: Train T arrives at 08:10",
            "getoff: Get off at Zinnia: Bus 2 arrives at 08:45",
        ]
        #expect(try decisions(restartingAfter: nil) == expected)
        #expect(try decisions(restartingAfter: clock) == expected)
    }

    /// A search that a client's search delays is waited for, but not for long.
    @Test func searchIsAwaitedForALimitedTime() throws {
        let commuter = try ValleyCommuter()
        try commuter.at("08:01", ("t0", "b", 0))
        commuter.fixture.now = ValleyCommuter.time("08:05")
        commuter.isSearching = false
        #expect(try commuter.at("08:05", ("t0", "c", 660), ("n25", "c", 0)).isEmpty)
        let search = try #require(commuter.finder.startSearches().first)
        let late = try commuter.at("08:06", ("t0", "c", 660), ("n25", "c", 0))
        #expect(late.lines == ["change: You will miss Bus 1 at 08:25"])
        #expect(late.first?.body.hasSuffix("Another way is still being searched.") == true)
        commuter.finder.record(search.result())
        let found = try commuter.at("08:06")
        #expect(found.lines == late.lines && found.first?.operation == .update)
        #expect(found.first?.body.contains("Get off at Birch at 08:10 and take Bus 2") == true)
        #expect(found.first?.reason == "The search for another way has ended.")
    }

    /// A way that was found stays until a newer search ends.
    @Test func knownWayIsKeptDuringALongSearch() throws {
        let commuter = try ValleyCommuter()
        let late: (trip: TripID, stop: StopID, delay: Int32) = ("t0", "c", 660)
        #expect(try commuter.at("08:05", ("t0", "b", 0), late, ("n25", "c", 0)).lines.count == 1)
        commuter.isSearching = false
        for clock in ["08:06", "08:07"] {
            #expect(try commuter.at(clock, ("t0", "b", 0), late, ("n25", "c", 0)).isEmpty)
        }
        let input = commuter.finder.input(
            commuter.fixture.context, changed: ["valley"], for: commuter.engine, isSearching: false)
        #expect(input.subjects?.last?.departures.first?.key.route == "m")
        let search = try #require(commuter.finder.startSearches().first)
        commuter.finder.record(search.result())
        commuter.isSearching = true
        #expect(
            try commuter.at("08:08", ("t0", "b", 0), late, ("n25", "c", 0)).lines == [
                "getoff: Get off at Birch: Train T arrives at 08:10"
            ])
    }

    /// Only the way that replaces the journey uses the other feed.
    @Test func messageOfTheReplacementsFeedIsEvaluated() throws {
        let fixture = try QueryFixture([("valley", .valley, nil), ("hills", .hills, nil)])
        fixture.personal.places["work"] = PlaceConfiguration(
            location: .coordinate(Coordinate(latitude: 53.62, longitude: 10.0)!))
        var journey = SavedJourney.valley()
        (journey.to, journey.walkAfter) = ("work", 0)
        fixture.personal.journeys = [journey]
        fixture.now = ValleyCommuter.time("08:05")
        var finder = SubjectFinder(fixture.context)
        #expect(finder.problems.isEmpty)
        let engine = NotificationEngine(settings: NotificationSettings())
        func receive(_ updates: [(trip: TripID, stop: StopID, delay: Int32)], of feed: FeedID) throws {
            try fixture.receive(
                updates.map { update in
                    let event = StopTimeEvent(delay: update.delay, uncertainty: 0)
                    return TripUpdate(
                        id: EntityID(update.trip.rawValue), trip: TripDescriptor(tripID: update.trip),
                        updates: [StopTimeUpdate(stopID: update.stop, arrival: event, departure: event)],
                        timestamp: fixture.now)
                }, of: feed)
        }
        try receive([("t0", "c", 660), ("n25", "c", 0)], of: "valley")
        let broken = finder.input(fixture.context, changed: ["valley"], for: engine)
        #expect(broken.subjects?.compactMap(\.departures.first?.key.feed) == ["valley", "valley", "hills"])
        fixture.now = ValleyCommuter.time("08:06")
        try receive([("h12", "b2", 60)], of: "hills")
        let later = finder.input(fixture.context, changed: ["hills"], for: engine)
        #expect(later.subjects?.last?.departures.first?.observation.delay == 60)
        #expect(finder.input(fixture.context, changed: ["other"], for: engine).subjects == nil)
    }
}
