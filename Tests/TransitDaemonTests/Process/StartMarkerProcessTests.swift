import Foundation
import Glibc
import Testing
import TransitControl
import TransitModel

/// A kept live answer with which the built daemon died twice soon after its start is set aside, and that is said.
@Suite(.enabled(if: UpstreamFixture.isThere, "needs the built transitd, python3 and openssl"))
struct StartMarkerProcessTests {
    @Test("One death costs nothing, the second one the kept answer")
    func twoDeathsSetTheAnswerAside() throws {
        let scene = try UpstreamFixture()
        try scene.start()
        try scene.waitUntilLive()
        // Every request gets 503 from now on, so only the kept answers remain.
        try scene.answer("/status?code=503")
        let later = try scene.now().advanced(by: 5).rfc3339()
        func dieAndStart() throws {
            scene.daemon.signal(SIGKILL)
            #expect(scene.daemon.wait().code == -SIGKILL)
            try scene.start(at: later)
        }
        // The first process did not start with the answer; the second and the third die with it.
        for _ in 0..<2 {
            try dieAndStart()
            #expect(try scene.departure()["realtime_state"]?.text == "fresh")
            #expect(try scene.daemon.ask("status")["caches"]?.elements.isEmpty == true)
        }
        try dieAndStart()
        #expect(try scene.departure()["realtime_state"]?.text == "not_expected")
        let caches = try scene.daemon.ask("status")["caches"]?.elements ?? []
        #expect(caches.compactMap { $0["name"]?.text } == ["city trip_updates"])
        #expect(try scene.notices().contains { $0.contains("ended twice") })
        let board = try scene.daemon.ask("departures", ["stop": "harbor"])["notices"]?.elements ?? []
        #expect(board.contains { $0["message"]?.text?.contains("ended twice") == true })
        let checks = try scene.daemon.ask("doctor")["checks"]?.elements ?? []
        #expect(checks.contains { $0["check"]?.text == "cache" && $0["outcome"]?.text == "warning" })
        #expect(scene.daemon.output().contains("ended twice"))
        #expect(scene.daemon.files.contains { $0.hasSuffix("city.trip_updates.live.set-aside") })

        // The source's next answer takes its place.
        try scene.answer(UpstreamFixture.live)
        _ = try scene.daemon.ask("refresh", ["feed": "city", "dataset": "trip_updates", "force": true])
        try scene.waitUntilLive()
        #expect(try !scene.notices().contains { $0.contains("ended twice") })
    }

    @Test("An orderly stop is no death")
    func orderlyStopIsNoDeath() throws {
        let scene = try UpstreamFixture()
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
