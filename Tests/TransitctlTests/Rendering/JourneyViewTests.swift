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
            route: Sample.train, departure: try Sample.time("08:46"), arrival: try Sample.time("09:01"))
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
