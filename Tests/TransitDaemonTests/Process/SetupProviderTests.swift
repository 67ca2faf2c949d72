import Testing
import TransitControl
import TransitFetch
import TransitTestSupport
import TransitTestTraits
import TransitWire

/// Tests of these steps for each provider, with its upstream on loopback: `transitctl setup`, the next departures, an
/// unreachable upstream, and recovery.
@Suite(
    .enabled(
        if: UpstreamFixture.isThere && BuiltClient.path != nil,
        "needs the built transitd and transitctl, and python3"), .ownThreads)
struct SetupProviderTests {
    /// A city, with the answers for setup and the places of a user.
    struct City: Sendable, CustomTestStringConvertible {
        /// The provider's path prefix on the upstream.
        var path: String
        /// The answers up to and including the name of the feed.
        var answers: [String]
        var home: String
        var work: String
        var start: String
        /// The source of departures while the upstream works.
        var source: String
        /// Whether the feed has a timetable.
        var hasTimes = false

        var testDescription: String { answers[0] }
    }

    static let cities = [
        City(
            path: "/511", answers: ["Caltrain", Fixture511.key, ""], home: "37.7760,-122.3940",
            work: "37.3300,-121.9030", start: Fixture511.earlyStart, source: "live", hasTimes: true),
        City(
            path: "/hongkong/6x5", answers: ["Hong Kong (KMB and Citybus)", ""], home: "22.2600,114.0000",
            work: "22.2800,114.0000", start: "2026-03-28T00:00:00Z", source: "live"),
        City(
            path: "/tranzy", answers: ["Tranzy", "good", "Town Transport", ""], home: "46.7700,23.6066",
            work: "46.7700,23.6394", start: "2026-11-20T07:00:00Z", source: "estimated"),
        City(
            path: "/wabus", answers: ["Warsaw (WaBus)", ""], home: "52.2297,21.0122", work: "52.2497,21.0122",
            start: "2026-02-03T11:00:00Z", source: "scheduled"),
    ]

    @Test(arguments: cities) func departuresFailAndRecover(_ city: City) throws {
        let scene = try UpstreamFixture(rate: 20, files: Fixture511.files) { _ in "" }
        try scene.start(at: city.start)
        let setup = try scene.daemon.transitctl(
            ["setup", "--base-url", scene.server.url(city.path, .plain)],
            answers: city.answers + ["n", city.home, city.work])
        #expect(setup.code == 0, "\(setup.output) \(setup.error)")

        func next() throws -> JSONValue { try scene.daemon.ask("next", ["commute": "home-to-work"]) }
        func first() throws -> JSONValue? { try next()["departures"]?.elements.first }
        func isAsItShouldBe() throws -> Bool? {
            let first = try first()
            return first?["source"]?.text == city.source && first?["arrival"]?["stop"] != nil ? true : nil
        }
        func troubles() throws -> [String] {
            let kinds = try next()["notices"]?.elements.compactMap { $0["kind"]?.text } ?? []
            return kinds.filter { ["failed", "stale", "malformed", "offline"].contains($0) }
        }
        try scene.eventually("the next departure", isAsItShouldBe)
        let shown = try scene.transitctl("next", "home-to-work")
        #expect(!shown.isEmpty)

        if city.path == "/tranzy" {
            // The check of the key, its storage and the first collection share one request.
            let lists = try scene.server.log().count { $0.target == "/tranzy/agency" }
            #expect(lists == 1)
        }

        // While the upstream is unreachable, the reply has a notice or contains no departures from that source.
        try scene.server.answer("*", with: "/reset")
        try scene.eventually("what is missing") {
            let isDoubted = try first().map { $0["source"]?.text != city.source } ?? true
            return try isDoubted || !troubles().isEmpty ? true : nil
        }
        if city.hasTimes {
            try scene.eventually("scheduled times, or the last predictions with low confidence") { () -> Bool? in
                guard let first = try first() else { return nil }
                let isLastWord = first["realtime_state"]?.text == "expired" && first["confidence"]?.text == "low"
                return isLastWord || first["source"]?.text == "scheduled" ? true : nil
            }
        }

        try scene.server.answer("*", with: nil)
        try scene.eventually("the next departure again") {
            try isAsItShouldBe() == true && troubles().isEmpty ? true : nil
        }
    }
}
