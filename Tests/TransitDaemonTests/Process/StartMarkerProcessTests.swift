import Foundation
import Glibc
import Testing
import TransitControl
import TransitModel
import TransitTestTraits
import TransitWire

/// Checks that a cached realtime response is set aside and reported if the built daemon crashes with it twice soon
/// after starting.
@Suite(.enabled(if: UpstreamFixture.isThere, "needs the built transitd, python3 and openssl"), .ownThreads)
struct StartMarkerProcessTests {
    @Test("The second crash sets the cached response aside; the first one does not")
    func secondCrashSetsCachedResponseAside() throws {
        let scene = try UpstreamFixture(interval: "600s")
        try scene.start()
        try scene.waitUntilLive()
        // All further requests get status 503, so only the cached responses remain.
        try scene.answer("/status?code=503")
        let later = try scene.now().advanced(by: 5).rfc3339()
        func dieAndStart() throws {
            scene.daemon.signal(SIGKILL)
            #expect(scene.daemon.wait().code == -SIGKILL)
            try scene.start(at: later)
        }
        // The first process started without the response; the second and third processes crash with it.
        for _ in 0..<2 {
            try dieAndStart()
            #expect(try scene.departure()["realtime_state"]?.text == "fresh")
            #expect(try scene.daemon.ask("status")["caches"]?.elements.isEmpty == true)
        }
        try dieAndStart()
        #expect(try scene.departure()["realtime_state"]?.text == "not_expected")
        let caches = try scene.daemon.ask("status")["caches"]?.elements ?? []
        #expect(caches.compactMap { $0["name"]?.text } == ["city trip_updates"])
        #expect(try scene.notices().contains { $0.contains("crashed twice") })
        let board = try scene.daemon.ask("departures", ["stop": "harbor"])["notices"]?.elements ?? []
        #expect(board.contains { $0["message"]?.text?.contains("crashed twice") == true })
        let checks = try scene.daemon.ask("doctor")["checks"]?.elements ?? []
        #expect(checks.contains { $0["check"]?.text == "cache" && $0["outcome"]?.text == "warning" })
        #expect(scene.daemon.output().contains("crashed twice"))
        // What was learned from the responses is read at a start too, so it may be the cause as well.
        for file in ["city.trip_updates.live.set-aside", "city.reporting.live.set-aside"] {
            #expect(scene.daemon.files.contains { $0.hasSuffix(file) }, "\(file)")
        }

        // The next response from the source replaces it.
        try scene.answer(UpstreamFixture.realtime)
        _ = try scene.daemon.ask("refresh", ["feed": "city", "dataset": "trip_updates", "force": true])
        try scene.waitUntilLive()
        #expect(try !scene.notices().contains { $0.contains("crashed twice") })
    }

    @Test("A regular stop does not count as a crash")
    func regularStopIsNoCrash() throws {
        let scene = try UpstreamFixture(interval: "600s")
        try scene.start()
        try scene.waitUntilLive()
        try scene.answer("/status?code=503")
        let later = try scene.now().advanced(by: 5).rfc3339()
        for number in [SIGKILL, SIGKILL, SIGTERM, SIGKILL, SIGTERM, SIGKILL] {
            scene.daemon.signal(number)
            #expect(scene.daemon.wait().code == (number == SIGTERM ? 0 : -number))
            try scene.start(at: later)
            #expect(try scene.departure()["realtime_state"]?.text == "fresh")
        }
    }
}
