import Testing
import TransitModel
import TransitTestSupport

@testable import TransitEngine
@testable import TransitQueries

/// Time windows of a search are chosen so that nothing is missed.
@Suite struct JourneyWindowsTests {
    private static let at = Instant(secondsSince1970: 1_780_000_000)
    private static let end = at.advanced(by: 86_400)

    private struct Key: Equatable {
        var leaveBy: Instant
        var arrival: Instant
        var vehicles: Int

        init(_ journey: FoundJourney) {
            (leaveBy, arrival, vehicles) = (journey.leaveBy, journey.arrival, journey.vehicles)
        }
    }

    /// Answers windows from a list of journeys, as the search does: only the best ones of the window.
    private static func find(_ query: JourneyQuery, in all: [FoundJourney]) -> FoundJourneys {
        let inside = all.filter {
            $0.leaveBy >= query.earliest && $0.leaveBy <= query.latest ?? query.earliest
                && $0.arrival <= query.arriveBy ?? $0.arrival
        }
        return FoundJourneys(journeys: best(of: inside))
    }

    private static func best(of journeys: [FoundJourney]) -> [FoundJourney] {
        journeys.enumerated().filter { position, one in
            !journeys.enumerated().contains { other, two in
                let isNoWorse =
                    two.leaveBy >= one.leaveBy && two.arrival <= one.arrival && two.vehicles <= one.vehicles
                return isNoWorse && (Key(one) != Key(two) || other < position)
            }
        }.map(\.element).sorted { ($0.leaveBy, $0.arrival, $0.vehicles) < ($1.leaveBy, $1.arrival, $1.vehicles) }
    }

    @Test(arguments: 0..<200) func journeysAreThoseOfOneSearchOfTheWholeTime(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let spread = Int.random(in: 600...40_000, using: &random)
        let duration = Int.random(in: 60...20_000, using: &random)
        let all = (0..<Int.random(in: 0...40, using: &random)).map { _ in
            let leave = Self.at.advanced(by: Int.random(in: 0..<spread, using: &random))
            return FoundJourney(
                legs: [], walkBefore: 0, walkAfter: 0, leaveBy: leave,
                arrival: leave.advanced(by: Int.random(in: 1...duration, using: &random)),
                vehicles: Int.random(in: 1...4, using: &random))
        }
        let count = Int.random(in: 1...6, using: &random)
        let query = JourneyQuery(origins: [], destinations: [], earliest: Self.at)
        let found = JourneyWindows(query) { Self.find($0, in: all) }
            .departing(from: Self.at, through: Self.end, count: count)
        #expect(found.journeys.map(Key.init) == Self.best(of: all).prefix(count).map(Key.init))
    }

    /// A search that reached its limit is not continued, and what it found is returned.
    @Test func searchEndsWhenAWindowIsIncomplete() {
        let query = JourneyQuery(origins: [], destinations: [], earliest: Self.at)
        var searches = 0
        let found = JourneyWindows(query) { _ in
            searches += 1
            return FoundJourneys(isIncomplete: searches == 2)
        }.departing(from: Self.at, through: Self.end, count: 5)
        #expect(found.isIncomplete && searches == 2)
    }

    /// Two rides of a quarter of an hour, with a change between them; times in minutes before the end of the day.
    private static func journey(leave: Int, wait: Int) -> FoundJourney {
        func leg(_ start: Int) -> FoundJourney.Leg {
            FoundJourney.Leg(
                feed: 0, board: 0, alight: 1, departure: time(start).secondsSince1970,
                arrival: time(start - 15).secondsSince1970, boardStop: StopIndex(0), alightStop: StopIndex(1),
                isContinuation: false, changeTime: 0, changeWalk: nil, isTimedTransfer: false, pattern: nil,
                source: .reported(view: 0, number: 0))
        }
        func time(_ minutes: Int) -> Instant { end.advanced(by: -60 * minutes) }
        return FoundJourney(
            legs: [leg(leave), leg(leave - 15 - wait)], walkBefore: 0, walkAfter: 0, leaveBy: time(leave),
            arrival: time(leave - 30 - wait), vehicles: 2)
    }

    @Test func lastJourneysDoNotWaitForTheNextMorning() {
        let all = [
            Self.journey(leave: 300, wait: 10), Self.journey(leave: 200, wait: 70), Self.journey(leave: 150, wait: 155),
            Self.journey(leave: 20, wait: 30), Self.journey(leave: 10, wait: 90),
        ]
        let query = JourneyQuery(origins: [], destinations: [], earliest: Self.at)
        let found = JourneyWindows(query) { Self.find($0, in: all) }
            .leaving(before: Self.end, from: Self.at, beating: JourneyWindows.Selection(), count: 3)
        #expect(found.journeys.map(Key.init) == [all[0], all[1], all[3]].map(Key.init))
    }
}
