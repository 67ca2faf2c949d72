import Testing
import TransitModel
import TransitNotifications
import TransitTestSupport

/// The rule `last` for the pinned journey of ``FeedBuilder/valley``, for which the user leaves at 07:50. The next train leaves at
/// 09:30.
@Suite struct LastJourneyTests {
    @Test func journeyThatBecameTheLastOneIsAnnouncedOnce() throws {
        let commuter = try ValleyCommuter()
        #expect(try commuter.at("06:20", canceled: "t90").isEmpty)
        // The time to leave is an hour away.
        let last = try commuter.at("06:55", canceled: "t90")
        #expect(last.lines == ["last: Last journey of the day: Train T at 08:00"])
        #expect(last.first?.body.hasSuffix("The next journey leaves tomorrow at 08:00.") == true)
        #expect(last.first?.reason == "A search at 06:55 found no later journey on that day.")
        #expect(last.first?.hasSound == true)
        #expect(try commuter.at("07:06", canceled: "t90").isEmpty)
        try commuter.restart()
        #expect(try commuter.at("07:17", canceled: "t90").isEmpty)
        #expect(try commuter.at("07:28", ("t90", "a", 0)).isEmpty)
        #expect(try commuter.at("07:40", canceled: "t90").isEmpty)
        #expect(
            try commuter.at("07:48", ("t0", "a", 0), canceled: "t90").lines == [
                "leave: Leave by 07:50: Train T at 08:00"
            ])
    }

    /// The cancellation is known long after the hour before the journey began.
    @Test func cancellationShortlyBeforeTheDepartureIsNoticed() throws {
        let commuter = try ValleyCommuter()
        #expect(try commuter.at("07:05", ("t90", "a", 0)).isEmpty)
        #expect(try commuter.at("07:20", ("t90", "a", 0)).isEmpty)
        // It is searched every ten minutes.
        #expect(try commuter.at("07:21", canceled: "t90").isEmpty)
        #expect(try commuter.at("07:31", canceled: "t90").lines == ["last: Last journey of the day: Train T at 08:00"])
    }

    @Test func journeyWithALaterOneIsNotTheLast() throws {
        let commuter = try ValleyCommuter()
        for clock in ["06:30", "06:50", "07:10", "07:30"] { #expect(try commuter.at(clock).isEmpty) }
    }

    /// A user who is in the vehicle, or cannot reach it any more, has no choice left.
    @Test func journeyThatBeganIsNotAnnounced() throws {
        for clock in ["07:58", "08:05"] {
            let commuter = try ValleyCommuter()
            try commuter.at("07:05", ("t90", "a", 0))
            #expect(try commuter.at(clock, canceled: "t90").allSatisfy { $0.rule != .last })
        }
    }

    /// A pinned journey is what the user wants to take of the commute between its ends.
    @Test func pinnedJourneyStandsForItsCommute() throws {
        var scene = Scene(["quiet.on": "off"])
        var journey = WatchedSubject(
            kind: .journey, name: "home-to-work", departures: [Scene.departure(600)], walk: 480, leadsHome: true,
            isForDate: true)
        journey.last = journey.departures.first
        journey.lastJourney = WatchedLastJourney(following: nil, searched: Scene.minute(520))
        var commute = Scene.commute(Scene.departure(590, route: "7"), home: true)
        commute.last = commute.departures.first
        #expect(scene.at(540, journey, commute).lines == ["last: Last trip home: Tram 5 at 17:00"])
        var alone = Scene(["quiet.on": "off"])
        #expect(alone.at(540, commute).lines == ["last: Last trip home: Tram 7 at 16:50"])
    }

    @Test func ruleThatIsOffIsSilent() throws {
        let commuter = try ValleyCommuter(["last.on": "off"])
        #expect(try commuter.at("06:55", canceled: "t90").isEmpty)
    }
}
