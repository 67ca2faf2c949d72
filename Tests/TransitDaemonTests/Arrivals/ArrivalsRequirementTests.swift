import Testing
import TransitFeeds
import TransitModel

@testable import TransitDaemon

@Suite struct ArrivalsRequirementTests {
    private static func need(_ names: [String], feed: String = "hk") -> ArrivalsRequirement {
        ArrivalsRequirement(feed: .init(feed), queries: names.map { ArrivalsQuery($0) })
    }

    @Test func queriesAreTakenFromEachBoardInTurn() {
        let combined = ArrivalsRequirement.combined([
            Self.need(["a1", "a2", "a3"]), Self.need(["w1"], feed: "warsaw"), Self.need(["b1", "a2"]), Self.need([]),
        ])
        #expect(combined.map(\.feed) == ["hk", "warsaw"])
        #expect(combined.first?.queries.map(\.description) == ["a1", "b1", "a2", "a3"])
        #expect(combined.map(\.isTruncated) == [false, false])
    }

    @Test func truncationIsReportedForAffectedBoards() throws {
        let long = Self.need((1...40).map { "a\($0)" })
        let short = Self.need(["b1"])
        let combined = ArrivalsRequirement.combined([long, short])
        #expect(combined.map(\.queries.count) == [ArrivalsRequirement.maximumQueries])
        #expect(combined.first?.isTruncated == true)
        #expect(!short.limited(to: combined).isTruncated)
        #expect(long.limited(to: combined).isTruncated)
        #expect(long.limited(to: combined).queries.count == ArrivalsRequirement.maximumQueries - 1)
    }
}
