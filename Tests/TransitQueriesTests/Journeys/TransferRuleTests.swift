import Testing
import TransitEngine
import TransitModel
import TransitStore
import TransitTestSupport

@testable import TransitQueries

/// The rules of transfers.txt and the vehicles that continue as other trips, from a GTFS feed to the journeys that are found
/// (GTFS reference, transfers.txt).
@Suite struct TransferRuleTests {
    /// Returns the minute at which the rider leaves the exchange; `nil` if there is no journey.
    private func change(_ transfers: String, isBlock: Bool = false) throws -> (minute: Int, vehicles: Int)? {
        let fixture = try QueryFixture(.change(transfers: transfers, isBlock: isBlock))
        let timetable = try #require(fixture.context.feeds[0].timetable)
        guard case .ready(let network) = timetable.journeyNetwork() else { throw NetworkNotReady() }
        let start = Instant(rfc3339: "2026-03-27T08:00:00+01:00")!
        let query = JourneyQuery(
            origins: [.init(stop: try #require(try timetable.file.stop(id: "a")))],
            destinations: [.init(stop: try #require(try timetable.file.stop(id: "b")))], earliest: start)
        let found = JourneyFinder.find(query, in: [JourneyFeed(network: network, calendar: timetable.context)])
        // Journeys with more vehicles arrive earlier.
        guard let journey = found.journeys.min(by: { $0.arrival < $1.arrival }) else { return nil }
        #expect(journey.legs.count == 2)
        return (Int((journey.legs[1].departure - start.secondsSince1970) / 60), journey.vehicles)
    }

    @Test func platformsAreWalkedBetween() throws { #expect(try change("")?.minute == 13) }

    @Test func recommendedTransferIsWalked() throws { #expect(try change("x1,x2,,,,,0,")?.minute == 13) }

    @Test func timedTransferNeedsNoTime() throws { #expect(try change("x1,x2,,,,,1,")?.minute == 10) }

    @Test(arguments: [(60, 11), (61, 13), (600, 20), (601, 40)]) func minimumTimeIsExact(
        seconds: Int, minute: Int
    ) throws {
        #expect(try change("x1,x2,,,,,2,\(seconds)")?.minute == minute)
    }

    @Test func impossibleTransferIsNotFound() throws { #expect(try change("x1,x2,,,,,3,") == nil) }

    @Test func inSeatTransferStaysOnBoard() throws {
        let found = try change(",,,,a0,b10,4,")
        #expect(found?.minute == 10)
        #expect(found?.vehicles == 1)
    }

    @Test func tripsOfOneBlockStayOnBoard() throws {
        let found = try change("", isBlock: true)
        #expect(found?.minute == 10)
        #expect(found?.vehicles == 1)
    }

    @Test func forbiddenInSeatTransferPrecedesTheBlock() throws {
        let found = try change(",,,,a0,b10,5,", isBlock: true)
        #expect(found?.minute == 13)
        #expect(found?.vehicles == 2)
    }

    @Test func ruleForRoutesPrecedesRuleForStops() throws {
        #expect(try change("x1,x2,,,,,2,600\nx1,x2,A,B,,,1,")?.minute == 10)
        #expect(try change("x1,x2,A,,,,2,600\nx1,x2,,,,,1,")?.minute == 20)
        #expect(try change("x1,x2,A,,,,2,60\nx1,x2,A,B,,,2,600")?.minute == 20)
        // It concerns another route.
        #expect(try change("x1,x2,B,,,,2,600\nx1,x2,,,,,1,")?.minute == 10)
    }

    @Test func ruleForTripsPrecedesRuleForRoutes() throws {
        #expect(try change("x1,x2,A,B,,,1,\nx1,x2,,,a0,b10,3,")?.minute == 11)
        #expect(try change("x1,x2,A,B,,,3,\nx1,x2,,,a0,b11,1,")?.minute == 11)
        #expect(try change("x1,x2,A,B,,,1,\nx1,x2,,,a0,,2,600")?.minute == 20)
    }

    @Test func ruleForPlatformPrecedesRuleForStation() throws {
        #expect(try change("x,x,,,,,3,")?.minute == nil)
        #expect(try change("x,x,,,,,3,\nx1,x2,,,,,2,60")?.minute == 11)
        #expect(try change("x1,x2,,,,,2,600\nx,x,,,,,1,")?.minute == 20)
    }

    @Test func ruleForUnknownTripIsIgnored() throws { #expect(try change("x1,x2,,,a0,missing,3,")?.minute == 13) }

    @Test(arguments: [-60, 86_400]) func implausibleTimeIsIgnoredAndCounted(seconds: Int) throws {
        #expect(try change("x1,x2,,,,,2,\(seconds)")?.minute == 13)
        let fixture = try QueryFixture(.change(transfers: "x1,x2,,,,,2,86400"))
        let file = try #require(fixture.context.feeds[0].timetable).file
        let derived = try DerivedJourneyNetwork(file)
        #expect(derived.omissions.implausibleTransfers == 1)
        #expect(JourneyNetworkOmissions(of: try JourneyNetwork(inMemory: derived)) == derived.omissions)
    }
}
