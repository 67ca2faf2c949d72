import Testing
import TransitControl
import TransitModel

@testable import transitctl

/// Tests of the view of journeys.
@Suite struct JourneyViewTests {
    private func leg(
        _ route: RouteSummary, _ clock: String, days: Int = 0, to arrival: String, at name: String,
        from stop: CallStop? = nil,
        delay: Int? = nil, source: DepartureSource = .scheduled, change: JourneyChange? = nil
    ) throws -> JourneyLeg {
        var departure = try Sample.departure(route, clock, days: days, delay: delay, source: source)
        if let stop { departure.stop = stop }
        departure.headsign = name
        departure.arrival = try Sample.arrival(arrival, at: name)
        return JourneyLeg(change: change, departure: departure)
    }

    private func change(
        at name: String, to other: String? = nil, walk: Int, inHand: Int, _ judgment: ChangeJudgment,
        next: NextConnection? = nil
    ) -> JourneyChange {
        JourneyChange(
            fromStop: CallStop(id: "a", name: name, platform: "1"),
            toStop: CallStop(id: "b", name: other ?? name, platform: "2"), walk: walk, inHand: inHand,
            judgment: judgment, ifMissed: next)
    }

    private func sample() throws -> JourneysResult {
        let next = NextConnection(
            id: "demo:n@2026-03-28/1", route: Sample.train, departure: try Sample.time("08:46"),
            arrival: try Sample.time("09:01"))
        let first = Journey(
            leaveBy: try Sample.time("07:58"), leaveIn: 720, arrival: try Sample.time("08:41"), changes: 1,
            walkBefore: 480, walkAfter: 200,
            legs: [
                try leg(Sample.bus, "08:06", to: "08:20", at: "Central Station", delay: 120, source: .live),
                try leg(
                    Sample.train, "08:26", to: "08:37", at: "Harbor Square",
                    change: change(at: "Central Station", walk: 60, inHand: 100, .tight, next: next)),
            ])
        var third = try leg(
            Sample.tram, "08:35", to: "08:50", at: "Harbor Square",
            change: change(at: "Central Station", to: "Market", walk: 240, inHand: 610, .safe))
        third.departure.status = .replaced
        var stay = try leg(Sample.tram, "08:55", to: "09:10", at: "Airport")
        stay.stayOnBoard = true
        let second = Journey(
            leaveBy: try Sample.time("08:10"), leaveIn: 1440, arrival: try Sample.time("09:10"), changes: 1,
            legs: [
                try leg(Sample.bus, "08:10", to: "08:20", at: "Central Station"), third, stay,
            ])
        let broken = Journey(
            leaveBy: try Sample.time("00:10", days: 1), leaveIn: 58_320, arrival: try Sample.time("01:00", days: 1),
            changes: 1,
            legs: [
                try leg(Sample.bus, "00:10", days: 1, to: "00:20", at: "Central Station"),
                try leg(
                    Sample.train, "00:26", days: 1, to: "00:37", at: "Harbor Square",
                    change: change(at: "Central Station", walk: 0, inHand: -150, .missed)),
            ])
        return JourneysResult(
            at: try Sample.time("07:46"), from: CommuteEndpoint(kind: .place, reference: "home"),
            to: CommuteEndpoint(kind: .stop, reference: "demo:70012", name: "Harbor Square"),
            journeys: [first, second, broken],
            notices: [Notice(kind: .noTimetable, feed: "hk", message: "hk has no timetable.")])
    }

    @Test func journeysOnATerminal() throws {
        try expectSnapshot(paint(.journeys, try sample()), "journey")
        try expectSnapshot(paint(.journeys, try sample(), width: 60), "journey-60")
        try expectSnapshot(paint(.journeys, try sample(), color: true), "journey-color")
        try expectSnapshot(paint(.journeys, try sample(), width: nil), "journey-piped")
        try expectThemes(.journeys, try sample(), "journey")
    }

    @Test func explanationsFollowTheChange() throws {
        var result = try sample()
        result.journeys = [result.journeys[0]]
        result.journeys[0].legs[1].explanation = [
            ExplainedFact(
                fact: "change_time", value: "60 s: the time that transfers.txt requires", source: "transfers.txt"),
            ExplainedFact(fact: "judgment", value: "tight: 100 s in hand suffice as expected"),
        ]
        try expectSnapshot(paint(.journeys, result), "journey-explained")
    }

    /// A pinned journey is named by both ends, or as the commute between them.
    @Test(arguments: [("home to Harbor Square", "Harbor Square"), ("home-to-work", "the destination")])
    func pinnedJourneyEndsAtItsDestination(name: String, destination: String) throws {
        let journey = try sample().journeys[0]
        let pinned = PinnedJourney(number: 1, name: name, stage: .planned, leg: 0, journey: journey)
        let result = PinnedJourneysResult(at: try Sample.time("07:46"), journeys: [pinned])
        let lines = paint(.pinnedJourneys, result).split(separator: "\n")
        #expect(lines.last?.hasSuffix(" min to \(destination)") == true, "\(lines)")
    }

    /// On a terminal, `explain 2` explains the departure of the second row.
    @Test func ridesHaveNumbers() throws {
        let result = try sample()
        let listed = try #require(View.journeys.listed?(result))
        #expect(listed.kind == .departure)
        #expect(listed.command == "transitctl journey home to Harbor Square")
        #expect(listed.rows.map(\.id) == result.journeys.flatMap { $0.legs.map(\.departure.id) })
        try expectSnapshot(Painter(canvas: Canvas(width: 80)).paint(listed.page), "journey-numbered")
    }

    /// `explain` gets the ride before, and each departure that the page shows can be typed.
    @Test func rowsHaveTheRideBefore() throws {
        var result = try sample()
        result.journeys = [result.journeys[0], result.journeys[1]]
        result.journeys[0].legs[1].alternatives = [
            LegAlternative(id: "demo:o@2026-03-28/1", route: Sample.tram, departure: try Sample.time("08:29"))
        ]
        let listed = try #require(View.journeys.listed?(result))
        let first = result.journeys[0].legs[0].departure
        let stop = try #require(first.arrival?.stop.id)
        let ride = PreviousRide(departure: first.id, to: stop, changeTime: 60)
        #expect(listed.rows[0].after == nil && listed.rows[1].after == ride && listed.rows[2].after == nil)
        #expect(listed.rows[3].after?.changeTime == 240 && listed.rows[4].after?.stayOnBoard == true)
        var other = ride
        other.changeTime = nil
        #expect(listed.mentioned.map(\.words) == ["Tram 2 at 08:29", "Train 1 at 08:46"])
        #expect(listed.mentioned.map(\.id) == ["demo:o@2026-03-28/1", "demo:n@2026-03-28/1"])
        #expect(listed.mentioned.map(\.after) == [other, other])
        // A time of another day is typed as it is shown.
        result = try sample()
        result.journeys[0].legs[1].change?.ifMissed = NextConnection(
            id: "demo:m@2026-03-29/1", route: Sample.tram, departure: try Sample.time("06:00", days: 1),
            arrival: try Sample.time("06:30", days: 1))
        let page = try #require(View.journeys.listed?(result))
        let list = TerminalRows(
            time: 0, socket: "/s", command: page.command, kind: .departure, rows: page.rows, mentioned: page.mentioned)
        for text in ["Tram 2 at 06:00", "Tram 2 at tomorrow 06:00"] {
            #expect(DepartureChoice(text, in: list, nil, of: .departure) == .row(page.mentioned[0]), "\(text)")
        }
        let bus = "Bus 24 at 00:10 (scheduled)"
        #expect(DepartureChoice(bus, in: list, nil, of: .departure) == .row(page.rows[5]))
    }

    @Test func ridesOfNextHaveNumbers() throws {
        let journeys = try sample()
        let commute = CommuteSummary(
            name: "home to Harbor Square", from: journeys.from, to: journeys.to, isInUse: false, origin: .request)
        let result = NextResult(
            at: journeys.at, commute: commute, departures: [try Sample.departure(Sample.tram, "08:15")],
            journeys: [journeys.journeys[0]])
        let listed = try #require(View.next.listed?(result))
        #expect(listed.rows.map(\.id) == (journeys.journeys[0].legs.map(\.departure) + result.departures).map(\.id))
        #expect(listed.rows.map { $0.after != nil } == [false, true, false])
        for width in [60, 80, 120] {
            try expectSnapshot(Painter(canvas: Canvas(width: width)).paint(listed.page), "next-journey-\(width)")
        }
    }

    @Test func changeIsExplainedBeforeTheDeparture() throws {
        let leg = try sample().journeys[0].legs[1]
        let result = ExplainResult(
            at: try Sample.time("07:46"), departure: leg.departure,
            facts: [ExplainedFact(fact: "feed", value: "demo")], change: leg.change,
            changeFacts: [ExplainedFact(fact: "in_hand", value: "100 s")])
        try expectSnapshot(paint(.explain, result), "explain-change")
        #expect(PlainRows.text(View.explain.rows(result)) == "in_hand\t100 s\t\nfeed\tdemo\t\n")
    }

    @Test func otherRoutesAreShown() throws {
        var result = try sample()
        result.journeys[0].legs[1].alternatives = [
            LegAlternative(id: "demo:o@2026-03-28/1", route: Sample.tram, departure: try Sample.time("08:29"))
        ]
        #expect(paint(.journeys, result).contains("Train 1 at 08:26 (scheduled), or Tram 2 at 08:29\n"))
    }

    @Test func riderOnBoardStaysInTheVehicle() throws {
        var result = try sample()
        result.onBoard = "demo:T1@2026-03-28/3"
        result.notices = []
        result.journeys = [result.journeys[0]]
        // The bus has left 6 minutes before the request.
        result.journeys[0].leaveBy = try Sample.time("08:06")
        result.journeys[0].leaveIn = -360
        result.journeys[0].walkBefore = nil
        try expectSnapshot(paint(.journeys, result), "journey-on-board")
    }

    @Test func walkIsShown() throws {
        var result = try sample()
        result.walk = 600
        result.notices = []
        #expect(paint(.journeys, result).hasSuffix("\nWalking all the way takes about 10 min.\n"))
        result.journeys = []
        #expect(paint(.journeys, result).hasSuffix("\n\nWalking all the way takes about 10 min.\n"))
    }

    // MARK: Beside direct trips

    private func next(_ departures: [Departure], _ result: JourneysResult, beaten: [BeatenDeparture] = []) -> NextResult
    {
        NextResult(
            at: result.at,
            commute: CommuteSummary(
                name: "home-to-work", from: result.from, to: result.to, isInUse: false, origin: .configuration),
            departures: departures, journeys: Array(result.journeys.prefix(2)), beaten: beaten)
    }

    @Test func journeysAreAmongDirectTrips() throws {
        let direct = try ["07:59", "08:30"].map { clock in
            var departure = try leg(Sample.tram, clock, to: clock == "07:59" ? "08:58" : "09:20", at: "Harbor Square")
                .departure
            departure.id = clock
            departure.leaveBy = try Sample.time(clock)
            return departure
        }
        let result = next(direct, try sample(), beaten: [BeatenDeparture(departure: "07:59", journey: 0)])
        for width in [140, 100, 80, 60, 40] {
            try expectSnapshot(paint(.next, result, width: width), "next-journeys-\(width)")
        }
        try expectSnapshot(paint(.next, result, width: nil), "next-journeys-piped")
        try expectSnapshot(paint(.next, next([], try sample())), "next-journeys-only")
        // A script that reads rows of departures gets no other rows.
        #expect(View.next.rows(result).count == 2)
    }

    // MARK: The last ones

    @Test func lastJourneysOnATerminal() throws {
        let all = try sample()
        var last = LastJourneysResult(
            at: all.at, commute: next([], all).commute, journeys: Array(all.journeys.prefix(2)),
            following: all.journeys[2])
        try expectSnapshot(paint(.lastJourneys, last), "last")
        try expectSnapshot(paint(.lastJourneys, last, width: 60), "last-60")
        try expectSnapshot(PlainRows.text(View.lastJourneys.rows(last)), "last-plain")
        last.following = nil
        #expect(paint(.lastJourneys, last).hasSuffix("No journey is known after that.\n"))
        last.journeys = []
        last.notices = [Notice(kind: .noService, message: "No journey is left before 04:00 on 2026-03-04.")]
        #expect(paint(.lastJourneys, last) == "No journey is left before 04:00 on 2026-03-04.\n")
        last.following = all.journeys[2]
        #expect(
            paint(.lastJourneys, last)
                == """
                No journey is left before 04:00 on 2026-03-04.

                The first one leaves tomorrow 00:10 and arrives 01:00.

                """)
    }

    @Test func journeysForScripts() throws {
        try expectSnapshot(PlainRows.text(View.journeys.rows(try sample())), "journey-plain")
    }

    @Test func noServiceDiffersFromMissingData() throws {
        var result = try sample()
        result.journeys = []
        result.notices = [Notice(kind: .noService, message: "No journey begins through Monday.")]
        #expect(paint(.journeys, result) == "No journey begins through Monday.\n")
        result.notices = [Notice(kind: .missing, message: "Journeys could not be searched.")]
        #expect(
            paint(.journeys, result)
                == "Journeys from home to Harbor Square are not known.\n-- note: Journeys could not be searched.\n")
    }

    @Test func waitingVehicleNeedsNoTimeInHand() throws {
        var result = try sample()
        result.journeys = [result.journeys[0]]
        result.journeys[0].legs[1].change?.isTimed = true
        result.journeys[0].legs[1].change?.judgment = .safe
        let line = "change at Central Station, platform 2, walk 1 min: the next vehicle waits"
        #expect(paint(.journeys, result).contains(line))
    }

    @Test func headingNamesTheRequestedTime() throws {
        let result = try sample()
        #expect(result.heading(for: nil, isArrival: false) == nil)
        let time = RequestedTime("07:46")
        #expect(result.heading(for: time, isArrival: false) == "from Saturday 28 March 2026, 07:46")
        #expect(result.heading(for: time, isArrival: true) == "arriving by Saturday 28 March 2026, 07:46")
    }
}
