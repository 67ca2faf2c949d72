import Testing
import TransitEngine
import TransitModel
import TransitStore
import TransitTestSupport

@testable import TransitQueries

/// Changes through the pathways of a station, from a GTFS feed to the journeys that are found (docs/journeys.md).
@Suite struct PathwayTests {
    /// Bus A arrives at platform `x1` at 08:10. Bus B leaves platform `x2` at 08:10, 08:11, 08:13, 08:20 and 08:40. Without
    /// pathways, the walk takes 105 seconds.
    private static func feed(_ pathways: String, transfers: String = "") -> FeedBuilder {
        FeedBuilder.change(transfers: transfers).adding(
            """
            n,,53.5500,9.9000,3,x
            m,,53.5500,9.9000,3,x
            e1,West,53.5500,9.9000,2,x
            e2,East,53.5509,9.9000,2,x
            b1,,53.5500,9.9000,4,x1
            b2,,53.5500,9.9000,4,x1

            """, to: "stops.txt"
        )
        .file(
            "pathways.txt",
            """
            pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional,length,traversal_time,stair_count,max_slope,min_width
            \(pathways)

            """)
    }

    private func timetable(_ pathways: String, transfers: String = "") throws -> (QueryFixture, Timetable) {
        let fixture = try QueryFixture(Self.feed(pathways, transfers: transfers))
        return (fixture, try #require(fixture.context.feeds[0].timetable))
    }

    /// Returns the minute at which the rider leaves the exchange; `nil` if there is no journey.
    private func change(_ pathways: String, transfers: String = "") throws -> Int? {
        let (_, timetable) = try timetable(pathways, transfers: transfers)
        guard case .ready(let network) = timetable.journeyNetwork() else { throw NetworkNotReady() }
        let start = Instant(rfc3339: "2026-03-27T08:00:00+01:00")!
        let query = JourneyQuery(
            origins: [.init(stop: try #require(try timetable.file.stop(id: "a")))],
            destinations: [.init(stop: try #require(try timetable.file.stop(id: "b")))], earliest: start)
        let found = JourneyFinder.find(query, in: [JourneyFeed(network: network, calendar: timetable.context)])
        guard let journey = found.journeys.min(by: { $0.arrival < $1.arrival }) else { return nil }
        return Int((journey.legs[1].departure - start.secondsSince1970) / 60)
    }

    /// Returns the change from `x1` to `x2`; `nil` if there is none.
    private func footpath(_ pathways: String, transfers: String = "") throws -> JourneyNetwork.Footpath? {
        let (_, timetable) = try timetable(pathways, transfers: transfers)
        guard case .ready(let network) = timetable.journeyNetwork() else { throw NetworkNotReady() }
        let from = try #require(try timetable.file.stop(id: "x1"))
        let to = try #require(try timetable.file.stop(id: "x2"))
        let target = network.nodes(of: to.position).lowerBound
        return network.footpaths(of: network.nodes(of: from.position).lowerBound).map { network.footpaths[$0] }
            .first { $0.node == target }
    }

    // MARK: Times

    @Test(arguments: [(20, 11), (21, 13), (140, 13), (141, 20)]) func traversalTimesAreAdded(
        seconds: Int, minute: Int
    ) throws {
        #expect(try change("1,x1,n,1,1,500,40,,,\n2,n,x2,1,1,500,\(seconds),,,") == minute)
    }

    @Test(arguments: [
        ("1,x1,x2,1,1,75,,,,", 11), ("1,x1,x2,1,1,75.1,,,,", 13), ("1,x1,x2,3,1,75,,,,", 11),
        ("1,x1,x2,2,1,,,100,,", 11), ("1,x1,x2,2,1,,,-101,,", 13), ("1,x1,x2,2,1,150,,10,,", 13),
        ("1,x1,x2,2,1,37.5,,,,", 11), ("1,x1,x2,2,1,38,,,,", 13),
        ("1,x1,x2,4,1,30,,,,", 11), ("1,x1,x2,4,1,30.1,,,,", 13), ("1,x1,x2,5,1,,,,,", 11),
        ("1,x1,x2,5,1,,61,,,", 13), ("1,x1,n,4,1,,,,,\n2,n,x2,4,1,,,,,", 11),
        ("1,x1,n,6,1,,,,,\n2,n,x2,1,1,,55,,,", 11),
        ("1,x1,n,7,0,,,,,\n2,n,x2,1,1,,56,,,", 13),
        // 101 m in a straight line take 81 seconds.
        ("1,x1,x2,1,1,,,,,", 13), ("1,x1,n,1,1,,,,,\n2,n,x2,1,1,,30,,,", 11),
    ]) func timeOfEachModeIsEstimated(pathways: String, minute: Int) throws {
        #expect(try change(pathways) == minute)
    }

    @Test func quickestWayCounts() throws {
        #expect(try change("1,x1,x2,1,1,,300,,,\n2,x1,n,1,1,,20,,,\n3,n,x2,1,1,,30,,,\n4,n,m,1,1,,1,,,") == 11)
        // Of two boarding areas, the nearer one counts, and nobody walks from one to the other for nothing.
        #expect(try change("1,b1,n,1,1,,200,,,\n2,b2,m,1,1,,50,,,\n3,n,x2,1,1,,1,,,\n4,m,x2,1,1,,10,,,") == 11)
        #expect(try change("1,b1,n,1,1,,200,,,\n2,b2,m,1,1,,10,,,\n3,n,x2,1,1,,1,,,") == 20)
    }

    @Test func pathwayLongerThanFourHoursIsNone() throws {
        let hours = "1,x1,n,1,1,,3600,,,\n2,n,m,1,1,,3600,,,\n3,m,e1,1,1,,3600,,,"
        let slow = try #require(try footpath("\(hours)\n4,e1,x2,1,1,,3600,,,"))
        #expect(slow.kind == .stated && slow.value == 14_400)
        #expect(try footpath("\(hours)\n4,e1,e2,1,1,,1,,,\n5,e2,x2,1,1,,3600,,,") == nil)
    }

    // MARK: Directions and connections

    @Test func oneWayPathwaysLeadInOneDirection() throws {
        #expect(try change("1,x1,x2,4,0,,60,,,") == 11)
        #expect(try change("1,x2,x1,4,0,,60,,,") == nil)
        // An exit gate leads nobody back, whatever the feed states.
        #expect(try change("1,x2,x1,7,1,,60,,,") == nil)
        #expect(try change("1,x1,x2,7,1,,60,,,") == 11)
    }

    @Test func deadEndsConnectNothing() throws {
        #expect(try change("1,x1,n,1,1,,60,,,\n2,x2,m,1,1,,60,,,") == nil)
        #expect(try footpath("1,x1,n,1,1,,60,,,\n2,x2,m,1,1,,60,,,") == nil)
    }

    /// Riders leave through one entrance and walk 101 m outside, which takes 105 seconds, to the other one.
    @Test func ridersWalkOutsideBetweenEntrances() throws {
        let found = try #require(try footpath("1,x1,e1,1,1,,10,,,\n2,x2,e2,1,1,,20,,,"))
        #expect(found.kind == .stated && found.value == 135)
        // Not if there is no way in, and not if there is a way inside.
        #expect(try footpath("1,x1,e1,1,1,,10,,,\n2,x2,e2,1,0,,20,,,") == nil)
        #expect(try footpath("1,x1,e1,1,1,,10,,,\n2,x2,e2,1,1,,20,,,\n3,x1,x2,1,1,,300,,,")?.value == 300)
    }

    @Test func platformWithoutPathwaysIsWalkedTo() throws {
        let found = try #require(try footpath("1,x1,e1,1,1,,10,,,"))
        #expect(found.kind == .walk && found.value == 101 && found.stepFree == .unknown)
        #expect(try change("1,x1,e1,1,1,,10,,,") == 13)
    }

    // MARK: transfers.txt

    @Test func rulesOfTransfersPrecedePathways() throws {
        let minute = "1,x1,x2,1,1,,60,,,"
        // The greater time counts.
        #expect(try change("1,x1,x2,1,1,,61,,,", transfers: "x1,x2,,,,,2,30") == 13)
        #expect(try change(minute, transfers: "x1,x2,,,,,2,30") == 11)
        #expect(try change(minute, transfers: "x1,x2,,,,,2,61") == 13)
        #expect(try change(minute, transfers: "x,x,,,,,2,600") == 20)
        #expect(try change(minute, transfers: "x1,x2,,,,,1,") == 10)
        #expect(try change(minute, transfers: "x1,x2,,,,,0,") == 11)
        #expect(try change(minute, transfers: "x1,x2,,,,,3,") == nil)
    }

    @Test func ruleAllowsChangeWithoutPathway() throws {
        let closed = "1,x1,n,1,1,,60,,,\n2,x2,m,1,1,,60,,,"
        #expect(try change(closed, transfers: "x1,x2,,,,,0,") == 13)
        #expect(try change(closed, transfers: "x1,x2,,,,,2,60") == 11)
        #expect(try change(closed, transfers: "x1,x2,,,,,1,") == 10)
        #expect(try change(closed, transfers: "x2,x1,,,,,0,") == nil)
    }

    // MARK: Without steps

    @Test func stepFreeChangeIsKnown() throws {
        let lift = "3,x1,x2,5,1,,200,,,"
        let stairs = "1,x1,n,2,1,,20,,,\n2,n,x2,1,1,,10,,,"
        let both = try #require(try footpath("\(stairs)\n\(lift)"))
        #expect(both.value == 30 && both.stepFree == .possible(seconds: 200))
        #expect(both.isStepFree && both.wheelchairValue == 200)
        let steps = try #require(try footpath(stairs))
        #expect(steps.value == 30 && steps.stepFree == .notPossible)
        #expect(!steps.isStepFree && steps.wheelchairValue == nil)
        #expect(try footpath("1,x1,x2,4,1,,20,,,")?.stepFree == .notPossible)
        #expect(try footpath(lift)?.stepFree == .possible(seconds: 200))
        #expect(try footpath("1,x1,x2,1,1,,20,,,")?.stepFree == .possible(seconds: 20))
    }

    @Test(arguments: [
        ("0.083,", true), ("0.084,", false), ("-0.084,", false), (",0.9", true), (",0.8", false), (",0", true),
    ]) func steepAndNarrowWaysAreNotStepFree(columns: String, isStepFree: Bool) throws {
        #expect(try footpath("1,x1,x2,1,1,,20,,\(columns)")?.isStepFree == isStepFree)
    }

    @Test func rulesApplyToStepFreeChanges() throws {
        let ways = "1,x1,x2,2,1,,20,,,\n2,x1,x2,5,1,,200,,,"
        #expect(try footpath(ways, transfers: "x1,x2,,,,,2,60")?.value == 60)
        #expect(try footpath(ways, transfers: "x1,x2,,,,,2,60")?.stepFree == .possible(seconds: 200))
        #expect(try footpath(ways, transfers: "x1,x2,,,,,2,300")?.stepFree == .possible(seconds: 300))
        let timed = try #require(try footpath(ways, transfers: "x1,x2,,,,,1,"))
        #expect(timed.kind == .timed && timed.value == 0 && timed.stepFree == .possible(seconds: 0))
        #expect(try footpath("1,x1,x2,2,1,,20,,,", transfers: "x1,x2,,,,,1,")?.stepFree == .notPossible)
    }

    // MARK: Places

    /// Returns the walk in seconds from a place at the entrance `e1`, which is 101 m from `x2`, to bus B; `nil` if there is no
    /// journey.
    private func walkBefore(_ pathways: String, wheelchair: Bool = false) throws -> Int? {
        let (fixture, _) = try timetable(pathways)
        fixture.settings.walkingRadius = 300
        var query = try JourneysQuery(from: "53.5500,9.9000", to: "End", at: "friday 08:00", fixture.context)
        query.options.wheelchair = wheelchair
        return try query.result(count: 1, fixture.context).journeys.first?.walkBefore
    }

    /// Returns the walk in seconds from bus A, which arrives at `x1`, to a place at the entrance `e2`.
    private func walkAfter(_ pathways: String) throws -> Int? {
        let (fixture, _) = try timetable(pathways)
        fixture.settings.walkingRadius = 300
        let query = try JourneysQuery(from: "Start", to: "53.5509,9.9000", at: "friday 08:00", fixture.context)
        return try query.result(count: 1, fixture.context).journeys.first?.walkAfter
    }

    @Test func walksOfPlacesLeadThroughEntrances() throws {
        #expect(try walkBefore("1,x1,n,1,1,,20,,,") == 105)
        #expect(try walkBefore("1,e1,x2,1,0,,300,,,") == 300)
        // Of two entrances, the one with the least total counts.
        #expect(try walkBefore("1,e1,x2,1,0,,300,,,\n2,e2,x2,1,0,,20,,,") == 125)
        #expect(try walkBefore("1,e1,n,1,1,,30,,,\n2,n,x2,1,1,,40,,,\n3,e2,x2,1,0,,20,,,") == 70)
        // A way out is no way in.
        #expect(try walkBefore("1,x2,e1,1,0,,300,,,") == 105)
    }

    @Test func walksToPlacesLeadThroughExits() throws {
        #expect(try walkAfter("1,x1,n,1,1,,20,,,") == 105)
        #expect(try walkAfter("1,x1,e2,7,0,,200,,,") == 200)
        #expect(try walkAfter("1,x1,e2,7,0,,200,,,\n2,x1,e1,1,1,,10,,,") == 115)
        #expect(try walkAfter("1,e2,x1,1,0,,200,,,") == 105)
    }

    @Test func wheelchairsUseEntrancesWithoutSteps() throws {
        let stairs = "1,e1,x2,2,1,,30,,,"
        #expect(try walkBefore(stairs) == 30)
        #expect(try walkBefore(stairs, wheelchair: true) == nil)
        #expect(try walkBefore("\(stairs)\n2,e2,x2,5,1,,60,,,", wheelchair: true) == 165)
    }

    /// From a stop, a one-way path leads to the destination only in its direction.
    @Test func oneWayPathLeadsToTheDestination() throws {
        func minutes(_ pathways: String) throws -> Int? {
            let (fixture, _) = try timetable(pathways)
            let query = try JourneysQuery(from: "Start", to: "city:x2", at: "friday 08:00", fixture.context)
            return try query.result(count: 1, fixture.context).journeys.first?.walkAfter
        }
        #expect(try minutes("1,x1,x2,1,0,,60,,,") == 60)
        #expect(try minutes("1,x2,x1,1,0,,60,,,") == nil)
    }

    // MARK: The file

    @Test func footpathValuesHaveTheirNumbers() {
        typealias Value = JourneyNetwork.FootpathValue
        for stepFree in [
            JourneyNetwork.StepFreeChange.unknown, .possible(seconds: 0), .possible(seconds: 14_400), .notPossible,
        ] {
            for kind in [JourneyNetwork.FootpathKind.stated, .timed] {
                for seconds in [0, 1, 14_400] as [UInt32] {
                    let value = Value(kind: kind, value: seconds, stepFree: stepFree)
                    #expect(value.kind == kind && value.value == seconds && value.stepFree == stepFree)
                }
            }
        }
        let walk = Value(kind: .walk, value: 1_000_000, stepFree: .notPossible)
        #expect(walk.kind == .walk && walk.value == 1_000_000 && walk.stepFree == .unknown)
        #expect(Value(kind: .stated, value: .max).value == Value.maximumSeconds)
        #expect(Value(kind: .walk, value: .max).value == Value.maximumMeters)
    }
}
