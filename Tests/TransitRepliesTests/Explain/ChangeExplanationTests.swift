import Testing
import TransitControl
import TransitEngine
import TransitModel
import TransitQueries
import TransitTestSupport

@testable import TransitReplies

/// The explanations of changes with ``FeedBuilder/change(transfers:isBlock:)``: bus A arrives at 08:10, and bus B leaves
/// 100 m away at 08:10, 08:11, 08:13, 08:20 and 08:40. The time is 07:30.
@Suite struct ChangeExplanationTests {
    private func leg(_ fixture: QueryFixture, changes: Int = 3) throws -> JourneyLeg {
        let reply = try JourneysHandler().reply(
            to: JourneysParameters(from: "city:a", to: "city:b", count: 1, changes: changes, explain: true),
            fixture.context)
        let journey = try #require(reply.journeys.first)
        #expect(journey.legs[0].explanation.isEmpty)
        return journey.legs[1]
    }

    private func fact(_ name: String, _ leg: JourneyLeg) throws -> ExplainedFact {
        try #require(leg.explanation.first { $0.fact == name })
    }

    private func change(_ transfers: String, isBlock: Bool = false) throws -> JourneyLeg {
        try leg(QueryFixture(.change(transfers: transfers, isBlock: isBlock)))
    }

    private func delayed(_ trip: TripID, at stop: StopID, by seconds: Int32, uncertainty: Int32? = nil) -> TripUpdate {
        let event = StopTimeEvent(delay: seconds, uncertainty: uncertainty)
        return TripUpdate(
            id: EntityID(trip.rawValue), trip: TripDescriptor(tripID: trip),
            updates: [StopTimeUpdate(stopID: stop, arrival: event, departure: event)])
    }

    @Test func explanationsAreSentOnlyIfAsked() throws {
        let reply = try JourneysHandler().reply(
            to: JourneysParameters(from: "city:a", to: "city:b"), try QueryFixture(.change()).context)
        #expect(reply.journeys.allSatisfy { $0.legs.allSatisfy(\.explanation.isEmpty) })
    }

    @Test func walkIsExplainedByItsLengthAndTheSpeed() throws {
        let leg = try change("")
        #expect(
            leg.explanation.map(\.fact) == [
                "expected_arrival", "arrival_uncertainty", "change_time", "expected_departure", "departure_earliness",
                "departure_lateness", "in_hand", "judgment",
            ])
        let time = try fact("change_time", leg)
        #expect(
            time.value == "106 s: a walk of 101 m in a straight line, which is about 131 m on foot, at 4.5 km/h")
        #expect(time.source == "`walking_speed` in the configuration")
        #expect(try fact("expected_arrival", leg).value == "2026-03-27T08:10:00+01:00, scheduled, without a prediction")
        #expect(try fact("expected_arrival", leg).source == "stop_times.txt")
        #expect(
            try fact("arrival_uncertainty", leg).value
                == "60 s earlier or later, for a time without a prediction")
        #expect(
            try fact("departure_lateness", leg).value
                == "at most 1800 s later, because a vehicle without a prediction can be late")
        let inHand = try #require(leg.change).inHand
        #expect(
            try fact("in_hand", leg).value
                == "\(inHand) s: 180 s from the arrival to the departure, minus 106 s for the change")
        #expect(
            try fact("judgment", leg).value
                == "tight: 74 s in hand suffice as expected, but not if the arrival is 60 s later and the departure 60 s "
                + "earlier (120 s)")
    }

    @Test(arguments: [
        (
            "x1,x2,,,,,2,60", "60 s: the time that transfers.txt requires", "2",
            "from_stop_id x1, to_stop_id x2, min_transfer_time 60"
        ),
        (
            "x1,x2,A,B,,,2,61\nx1,x2,,,,,2,600", "61 s: the time that transfers.txt requires", "2",
            "from_stop_id x1, to_stop_id x2, from_route_id A, to_route_id B, min_transfer_time 61"
        ),
        (
            "x1,x2,,,,,0,", "106 s: a walk of 101 m in a straight line, which is about 131 m on foot, at 4.5 km/h", "0",
            "from_stop_id x1, to_stop_id x2"
        ),
        (
            "x,x,,,a0,,2,90", "90 s: the time that transfers.txt requires", "2",
            "from_stop_id x, to_stop_id x, from_trip_id a0, min_transfer_time 90"
        ),
        ("x1,x2,,,,,1,", "0 s: the departing vehicle waits for riders", "1", "from_stop_id x1, to_stop_id x2"),
    ])
    func rowThatDecidesIsNamed(transfers: String, value: String, type: String, row: String) throws {
        let time = try fact("change_time", try change(transfers))
        #expect(time.value == value)
        #expect(time.source == "transfers.txt, transfer_type \(type), \(row)")
    }

    @Test func vehicleThatWaitsNeedsNoUncertainties() throws {
        let leg = try change("x1,x2,,,,,1,")
        #expect(
            leg.explanation.map(\.fact) == [
                "expected_arrival", "change_time", "expected_departure", "in_hand", "judgment",
            ])
        #expect(try fact("judgment", leg).value == "safe, because the departing vehicle waits")
    }

    @Test func stayOnBoardIsExplained() throws {
        let block = try change("", isBlock: true)
        #expect(block.stayOnBoard && block.change == nil)
        #expect(
            block.explanation == [
                ExplainedFact(
                    fact: "stay_on_board", value: "the vehicle continues as this trip", source: "trips.txt, block_id")
            ])
        let stated = try change(",,,,a0,b10,4,")
        #expect(
            try fact("stay_on_board", stated).source
                == "transfers.txt, transfer_type 4, from_trip_id a0, to_trip_id b10")
    }

    /// Bus A is predicted 40 minutes ahead, 100 s late, and bus b13 states an uncertainty.
    @Test func predictionsAreExplained() throws {
        let fixture = try QueryFixture(.change(transfers: "x1,x2,,,,,2,60"))
        try fixture.receive(
            [delayed("a0", at: "x1", by: 100), delayed("b13", at: "x2", by: 20, uncertainty: 15)], of: "city")
        let leg = try leg(fixture)
        #expect(try fact("expected_arrival", leg).value == "2026-03-27T08:11:40+01:00, predicted, 100 s late")
        #expect(try fact("expected_arrival", leg).source == "live data of city")
        #expect(
            try fact("arrival_uncertainty", leg).value
                == "185 s earlier or later: 60 s for a prediction, and 125 s more because the predicted time is 2500 s "
                + "ahead")
        #expect(try fact("departure_earliness", leg).value == "at most 15 s earlier, as the source states")
        #expect(
            try fact("judgment", leg).value
                == "tight: 40 s in hand suffice as expected, but not if the arrival is 185 s later and the departure 15 s "
                + "earlier (200 s)")
        #expect(leg.change?.judgment == .tight && leg.change?.inHand == 40)
    }

    @Test func lastJourneysAreExplainedToo() throws {
        let fixture = try QueryFixture(.change())
        let reply = try LastJourneysHandler().reply(
            to: LastJourneysParameters(from: "city:a", to: "city:b", explain: true), fixture.context)
        #expect(reply.journeys.last?.legs.last?.explanation.isEmpty == false)
    }
}
