import Testing
import TransitEngine
import TransitModel
import TransitTestSupport

@testable import TransitQueries

/// The judgment of changes by the uncertainties of both times.
@Suite struct JourneyChangeTests {
    @Test(arguments: [
        (120, 60, 60, JourneyChange.Judgment.safe), (119, 60, 60, .tight), (0, 0, 0, .safe), (-120, 60, 60, .tight),
        (-121, 60, 60, .missed), (-1, 0, 0, .missed), (300, 301, 0, .tight),
    ])
    func uncertaintiesDecideTheJudgment(
        inHand: Int, arrival: Int, departure: Int, expected: JourneyChange.Judgment
    ) {
        let judgment = JourneyChange.Judgment(
            inHand: inHand, arrival: arrival, earliness: departure, lateness: departure)
        #expect(judgment == expected)
    }

    @Test func departureCanBeLateByMoreThanItCanBeEarly() {
        func judgment(inHand: Int) -> JourneyChange.Judgment {
            JourneyChange.Judgment(inHand: inHand, arrival: 60, earliness: 60, lateness: 1800)
        }
        #expect(judgment(inHand: 120) == .safe && judgment(inHand: 119) == .tight)
        #expect(judgment(inHand: -1860) == .tight && judgment(inHand: -1861) == .missed)
    }

    @Test func predictionIsLessCertainFarAheadAndOfALateVehicle() throws {
        let fixture = try QueryFixture()
        let result = try JourneysQuery(from: "Harbor", to: "City Park", fixture.context)
            .result(count: 1, fixture.context)
        var call = try #require(result.journeys.first).legs[0].departure.call
        let planned = try #require(call.scheduledDeparture)
        func uncertainty(_ seconds: Int) -> JourneyChange.UnstatedUncertainty {
            JourneyChange.UnstatedUncertainty(base: 60, now: planned.advanced(by: -seconds))
        }
        // A scheduled time is not a prediction, and its vehicle may not have left.
        #expect(uncertainty(1000).ofArrival(call).seconds == 60)
        #expect(uncertainty(1000).earliness(ofDeparture: call).seconds == 60)
        #expect(uncertainty(1000).lateness(ofDeparture: call).seconds == 1800)
        (call.expectedDeparture, call.expectedArrival, call.source) = (planned, planned, .live)
        #expect([0, 1000, 3600, 9000].map { uncertainty($0).ofArrival(call).seconds } == [60, 110, 240, 240])
        #expect(uncertainty(1000).lateness(ofDeparture: call).seconds == 220)
        // It does not leave before its scheduled time, unless the source says so.
        #expect(uncertainty(1000).earliness(ofDeparture: call).seconds == 0)
        call.expectedDeparture = planned.advanced(by: 50)
        #expect(uncertainty(1000).earliness(ofDeparture: call).seconds == 50)
        call.expectedDeparture = planned.advanced(by: -20)
        #expect(uncertainty(20).earliness(ofDeparture: call).seconds == 60)
        call.expectedDeparture = planned.advanced(by: 600)
        #expect(uncertainty(0).earliness(ofDeparture: call).seconds == 150)
        #expect(uncertainty(0).lateness(ofDeparture: call).seconds == 300)
        call.uncertainty = 10
        #expect(
            uncertainty(0).earliness(ofDeparture: call).seconds == 10 && uncertainty(0).ofArrival(call).seconds == 10)
        #expect(uncertainty(0).lateness(ofDeparture: call).seconds == 10)
    }

    /// Each uncertainty says where it comes from.
    @Test func uncertaintiesHaveABasis() throws {
        let fixture = try QueryFixture()
        let result = try JourneysQuery(from: "Harbor", to: "City Park", fixture.context)
            .result(count: 1, fixture.context)
        var call = try #require(result.journeys.first).legs[0].departure.call
        let planned = try #require(call.scheduledDeparture)
        let rule = JourneyChange.UnstatedUncertainty(base: 60, now: planned.advanced(by: -1000))
        #expect(rule.ofArrival(call).basis == .scheduled)
        #expect(rule.earliness(ofDeparture: call).basis == .scheduled)
        #expect(rule.lateness(ofDeparture: call).basis == .notPredicted)
        (call.expectedDeparture, call.expectedArrival, call.source) = (planned, planned, .live)
        #expect(rule.ofArrival(call).basis == .ahead(seconds: 1000, base: 60))
        #expect(rule.earliness(ofDeparture: call).basis == .notBeforeSchedule)
        #expect(
            rule.lateness(ofDeparture: call)
                == JourneyChange.Uncertainty(seconds: 220, basis: .ahead(seconds: 1000, base: 60), factor: 2))
        call.expectedDeparture = planned.advanced(by: 600)
        #expect(rule.earliness(ofDeparture: call).basis == .delay(seconds: 600))
        call.uncertainty = 10
        #expect(rule.lateness(ofDeparture: call) == JourneyChange.Uncertainty(seconds: 10, basis: .stated))
    }
}
