import Testing
import TransitModel

@testable import TransitEngine
@testable import TransitQueries

/// The best journeys of several time windows.
@Suite struct JourneySelectionTests {
    /// Returns a journey with its times in minutes. `walk` tells equal journeys apart.
    private func journey(_ leave: Int, _ arrival: Int, _ vehicles: Int, walk: Int = 0) -> FoundJourney {
        FoundJourney(
            legs: [], walkBefore: walk, walkAfter: 0, leaveBy: Instant(secondsSince1970: Int64(leave * 60)),
            arrival: Instant(secondsSince1970: Int64(arrival * 60)), vehicles: vehicles)
    }

    private func selected(_ windows: [FoundJourney]...) -> [[Int]] {
        var selection = JourneyWindows.Selection()
        for journeys in windows {
            var found = FoundJourneys()
            found.journeys = journeys
            selection.add(found)
        }
        return selection.journeys.map {
            [Int($0.leaveBy.secondsSince1970) / 60, Int($0.arrival.secondsSince1970) / 60, $0.vehicles, $0.walkBefore]
        }
    }

    /// Whatever the order in which they are found.
    @Test func journeysThatLeaveTogetherAreInOrderOfArrivalAndVehicles() {
        let journeys = [journey(10, 30, 1), journey(10, 20, 3), journey(10, 25, 2), journey(5, 15, 1)]
        let order = [[5, 15, 1, 0], [10, 20, 3, 0], [10, 25, 2, 0], [10, 30, 1, 0]]
        #expect(selected(journeys) == order)
        #expect(selected(journeys.reversed()) == order)
        #expect(selected([journeys[1], journeys[3]], [journeys[0], journeys[2]]) == order)
    }

    @Test func journeyThatLeavesTogetherWithABetterOneIsLeftOut() {
        let (good, bad) = (journey(10, 20, 2), journey(10, 25, 2))
        #expect(selected([good, bad]) == [[10, 20, 2, 0]])
        #expect(selected([bad], [good]) == [[10, 20, 2, 0]])
        #expect(selected([journey(5, 20, 2)], [good]) == [[10, 20, 2, 0]])
    }

    @Test func firstOfEqualJourneysRemains() {
        #expect(selected([journey(10, 20, 2, walk: 1)], [journey(10, 20, 2, walk: 2)]) == [[10, 20, 2, 1]])
    }
}
