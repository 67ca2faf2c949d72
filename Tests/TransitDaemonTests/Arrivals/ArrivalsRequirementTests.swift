import Testing
import TransitFeeds
import TransitModel

@testable import TransitDaemon

@Suite struct ArrivalsRequirementTests {
    private static func need(_ names: [String], feed: String = "hk") -> ArrivalsRequirement {
        ArrivalsRequirement(feed: .init(feed), queries: names.map { ArrivalsQuery($0) })
    }

    @Test func eachBoardHasItsTurn() {
        let shared = ArrivalsRequirement.shared([
            Self.need(["a1", "a2", "a3"]), Self.need(["w1"], feed: "warsaw"), Self.need(["b1", "a2"]), Self.need([]),
        ])
        #expect(shared.map(\.feed) == ["hk", "warsaw"])
        #expect(shared.first?.queries.map(\.description) == ["a1", "b1", "a2", "a3"])
        #expect(shared.map(\.isCut) == [false, false])
    }

    @Test func whatIsTooMuchIsSaidWhereItIsMissing() throws {
        let long = Self.need((1...40).map { "a\($0)" })
        let short = Self.need(["b1"])
        let shared = ArrivalsRequirement.shared([long, short])
        #expect(shared.map(\.queries.count) == [ArrivalsRequirement.most])
        #expect(shared.first?.isCut == true)
        #expect(!short.limited(to: shared).isCut)
        #expect(long.limited(to: shared).isCut)
        #expect(long.limited(to: shared).queries.count == ArrivalsRequirement.most - 1)
    }
}
