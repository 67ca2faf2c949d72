import Foundation
import Glibc
import Testing
import TransitControl
import TransitFeeds
import TransitModel
import TransitTestSupport
import TransitTestTraits
import TransitWire

/// Tests of the built daemon with an upstream whose messages lose trips, and that is killed meanwhile.
@Suite(.enabled(if: UpstreamFixture.isThere, "needs the built transitd, python3 and openssl"), .ownThreads)
struct WithdrawnTripsProcessTests {
    /// Half an hour before the first of the nine buses.
    private static let start = "2026-03-27T06:30:00Z"

    private func scene() throws -> UpstreamFixture {
        let header = RealtimeHeader(version: "2.0")
        return try UpstreamFixture(
            rate: 1,
            files: [
                "city.zip": FeedBuilder.nineBuses.zip(),
                "all.pb": RealtimeWriter.bytes(header, FeedBuilder.updatesOfNineBuses),
                "change.pb": RealtimeWriter.bytes(header, [FeedBuilder.cancellation(ofBus: 2)]),
            ]
        ) { server in
            """
            [[feed]]
            id = "city"
            provider = "gtfs"
            static = "\(server.url("/files/city.zip", .plain))"
            trip_updates = "\(server.url("/trip-updates", .plain))"
            [feed.refresh]
            trip_updates = "30s"
            idle = "30s"
            """
        }
    }

    /// Lines such as "b1 canceled low" for the next departures at the harbor.
    private func board(_ scene: UpstreamFixture) throws -> [String] {
        try scene.daemon.ask("departures", ["stop": "harbor"])["departures"]?.elements.prefix(3).map { departure in
            ["trip", "status", "confidence"].map { departure[$0]?.text ?? "?" }.joined(separator: " ")
        } ?? []
    }

    private func notice(_ scene: UpstreamFixture, _ text: String) throws -> JSONValue? {
        try scene.daemon.ask("departures", ["stop": "harbor"])["notices"]?.elements.first {
            $0["message"]?.text?.contains(text) ?? false
        }
    }

    /// Fetches the message of the upstream, without the pause before the next request.
    private func refresh(_ scene: UpstreamFixture) throws {
        _ = try scene.daemon.ask("refresh", ["feed": "city", "dataset": "trip_updates", "force": true])
    }

    private func waitForBoard(_ scene: UpstreamFixture, _ lines: [String]) throws {
        try scene.eventually("a board with \(lines)") { try? board(scene) == lines ? true : nil }
    }

    @Test func emptyMessageCancelsNothingUntilItIsConfirmedEvenAfterKill() throws {
        let scene = try scene()
        try scene.answer("/live?file=all.pb")
        try scene.start(at: Self.start)
        try waitForBoard(scene, ["b1 canceled high", "b2 scheduled high", "b3 scheduled high"].map { $0 })
        try scene.answer("/live")
        try refresh(scene)
        let kept = ["b1 canceled low", "b2 scheduled low", "b3 scheduled low"]
        try waitForBoard(scene, kept)
        let since = try #require(try notice(scene, "lacks 9 trips")?["since"])
        #expect(try scene.transitctl("status").contains("9 trips last known"))
        #expect(try !scene.transitctl("status").contains("trips live"))

        try scene.killAndRestart()
        #expect(try board(scene) == kept)
        #expect(try notice(scene, "lacks 9 trips")?["since"] == since)

        // Five minutes pass until the confirmation.
        try scene.continueAtRate(20)
        try waitForBoard(scene, ["b1 scheduled medium", "b2 scheduled medium", "b3 scheduled medium"])
        let confirmed = try #require(try notice(scene, "no longer contains 9 trips"))
        #expect(confirmed["since"] == since)
        #expect(confirmed["message"]?.text?.contains("One cancellation ended with them.") == true)
        #expect(try scene.now() >= scene.instant(since).advanced(by: 300))
    }

    @Test func accumulatedChangesSurviveKill() throws {
        let scene = try scene()
        try scene.answer("/live?file=all.pb")
        // The first bus leaves after a loaded machine has shown it.
        try scene.start(at: "2026-03-27T06:56:00Z", rate: 3)
        try waitForBoard(scene, ["b1 canceled high", "b2 scheduled high", "b3 scheduled high"])
        try scene.answer("/live?file=change.pb&differential=1")
        try refresh(scene)
        try scene.eventually("a change") { try? board(scene).contains { $0.hasPrefix("b2 canceled") } ? true : nil }
        // What was received is on disk after 30 seconds of the daemon's clock.
        let written = try scene.now().advanced(by: 30)
        try scene.eventually("thirty seconds") { try scene.now() >= written ? true : nil }
        try scene.answer("/status?code=503")
        scene.daemon.signal(SIGKILL)
        #expect(scene.daemon.wait().code == -SIGKILL)
        // A bus is under way.
        try scene.start(at: "2026-03-27T07:01:00Z")
        let restored = try board(scene)
        #expect(restored.contains { $0.hasPrefix("b2 canceled") })
        let departures = try scene.daemon.ask("departures", ["stop": "harbor"])["departures"]?.elements ?? []
        #expect(!departures.isEmpty && departures.allSatisfy { $0["realtime_state"]?.text != "missing" })
        #expect(try notice(scene, "sends only changes")?["since"]?.text != nil)
        try scene.answer("/live?file=all.pb")
        try refresh(scene)
        try scene.eventually("a full set") { try notice(scene, "sends only changes") == nil ? true : nil }
    }
}
