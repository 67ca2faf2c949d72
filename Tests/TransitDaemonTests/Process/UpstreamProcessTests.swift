import Foundation
import Glibc
import Testing
import TransitControl
import TransitModel
import TransitTestSupport

/// The built daemon against an upstream over https that fails in every way and comes back.
@Suite(.enabled(if: UpstreamFixture.isThere, "needs transitd beside the tests, python3 and openssl"), .serialized)
struct UpstreamProcessTests {
    @Test("Live, aging, the last word with a notice, and live again without a restart")
    func failureAndReturn() throws {
        let scene = try UpstreamFixture(rate: 100)
        try scene.start()
        try scene.waitUntilLive()
        try scene.answer("/status?code=500")
        var states: [String] = []
        var last: JSONValue = [:]
        try scene.eventually("an expired departure") {
            last = try scene.departure()
            let state = last["realtime_state"]?.text ?? ""
            if states.last != state { states.append(state) }
            return state == "expired" ? true : nil
        }
        #expect(Array(states.suffix(2)) == ["aging", "expired"])
        #expect(last["source"]?.text == "live")
        #expect(last["confidence"]?.text == "low")
        #expect(last["delay"]?.number != nil)
        let said = try scene.daemon.ask("departures", ["stop": "harbor"])["notices"]?.elements ?? []
        #expect(said.contains { $0["kind"]?.text == "stale" })
        #expect(try scene.transitctl("departures", "harbor").contains("other times are those of the timetable"))

        try scene.eventually("an open circuit") {
            try scene.notices().contains { $0.contains("fails and is left alone until") } ? true : nil
        }
        let dataset = try scene.dataset(updates: true)
        #expect((dataset["failures"]?.number ?? 0) >= 4)
        #expect(dataset["outcome"]?.text == "failed")
        #expect(dataset["updates"]?.elements.first?["status"]?.number == 500)
        #expect(dataset["next_due"]?.text != nil)
        #expect(!"\(try scene.daemon.ask("status"))\(scene.daemon.output())".contains("upstream-error-page"))

        try scene.answer(UpstreamFixture.live)
        try scene.waitUntilLive()
        #expect(try scene.dataset()["failures"]?.number == 0)
        #expect(try !scene.notices().contains { $0.contains("left alone") })
    }

    @Test("A reset and a slow upstream are failures, and over when they are over")
    func resetAndSlow() throws {
        let scene = try UpstreamFixture(rate: 100)
        try scene.start()
        try scene.waitUntilLive()
        for fault in ["/reset", "/slow-head?seconds=20", "/truncated", "/html"] {
            let before = try scene.requests()
            try scene.answer(fault)
            try scene.eventually("a failure by \(fault)") {
                let outcome = try scene.dataset()["outcome"]?.text
                return try outcome != "updated" && outcome != "unchanged" && scene.requests() > before ? true : nil
            }
            try scene.answer(UpstreamFixture.live)
            try scene.waitUntilLive()
        }
    }

    @Test("Retry-After is obeyed, also by force")
    func retryAfter() throws {
        let scene = try UpstreamFixture(rate: 100)
        try scene.start()
        try scene.waitUntilLive()
        try scene.answer("/status?code=429&retry_after=300")
        let due = try scene.eventually("the wait") {
            let dataset = try scene.dataset()
            return dataset["due_reason"]?.text == "retry_after" ? try scene.instant(dataset["next_due"]) : nil
        }
        let asked = try scene.requests()
        try scene.answer(UpstreamFixture.live)
        let forced = try scene.daemon.ask("refresh", ["feed": "city", "dataset": "trip_updates", "force": true])
        #expect(forced["datasets"]?.elements.first?["outcome"]?.text == "backoff")
        var looks = 0
        try scene.eventually("the end of the wait") {
            // Counted before the time is read: what was counted came before that time.
            let count = try scene.requests()
            guard try scene.now() < due else { return true }
            looks += 1
            #expect(count == asked)
            return nil
        }
        #expect(looks > 0)
        try scene.waitUntilLive()
        #expect(try scene.requests() > asked)
    }

    @Test(
        "A restart fetches nothing that is fresh; a kill keeps live data, ledger and budget", arguments: [true, false])
    func restart(isKilled: Bool) throws {
        let scene = try UpstreamFixture(feed: "budget = [{ requests = 60, seconds = 3600 }]")
        try scene.start()
        try scene.waitUntilLive()
        let (archives, updates) = (try scene.requests("/files/city.zip"), try scene.requests())
        let spent = try spent(scene)
        #expect((archives, updates) == (1, 1))
        // Whoever asks now is answered 503: what is there has to do.
        try scene.answer("/status?code=503")
        let later = try scene.now().advanced(by: 10)
        scene.daemon.signal(isKilled ? SIGKILL : SIGTERM)
        #expect(scene.daemon.wait().code == (isKilled ? -SIGKILL : 0))
        try scene.start(at: later.rfc3339())

        #expect(try scene.departure()["realtime_state"]?.text == "fresh")
        #expect(try scene.departure()["delay"]?.number == 240)
        for name in ["static", "trip_updates"] {
            let dataset = try scene.dataset(name, updates: true)
            #expect(try scene.instant(dataset["next_due"]) > later)
            #expect(dataset["updates"]?.elements.isEmpty == false)
        }
        #expect(try self.spent(scene) == spent)
        #expect(try scene.requests("/files/city.zip") == archives)
        #expect(try scene.requests() == updates)
    }

    private func spent(_ scene: UpstreamFixture) throws -> Int64? {
        try scene.daemon.ask("budget")["keys"]?.elements.first?["windows"]?.elements.first?["spent"]?.number
    }

    @Test("A key is sent and shows up nowhere")
    func secret() throws {
        let key = "k3y-that-nobody-may-see"
        let scene = try UpstreamFixture(feed: "key_file = \"../city.key\"\nkey_parameter = \"api_key\"")
        try scene.daemon.folder.write(secret: key + "\n", as: "city.key")
        // A server that says back what it was sent, first as an error and then as the message.
        try scene.answer("/echo?code=500")
        try scene.start(arguments: ["--record", scene.daemon.folder("recording")])
        try scene.eventually("a failure") { try scene.dataset()["outcome"]?.text == "failed" ? true : nil }
        try scene.answer("/echo")
        _ = try scene.daemon.ask("refresh", ["feed": "city", "dataset": "trip_updates", "force": true])
        try scene.eventually("a refusal") { try scene.dataset()["outcome"]?.text == "refused" ? true : nil }
        #expect(try scene.server.log().contains { $0.target.contains(key) })

        var told = scene.daemon.output()
        for method in ["status", "doctor", "feed.list", "budget"] { told += "\(try scene.daemon.ask(method))" }
        #expect(!told.contains(key))
        scene.daemon.signal(SIGTERM)
        #expect(scene.daemon.wait().code == 0)
        let kept = scene.daemon.files.filter { $0 != "city.key" }
        #expect(kept.contains { $0.hasPrefix("recording/") })
        for path in kept {
            let bytes = FileManager.default.contents(atPath: scene.daemon.folder(path)) ?? Data()
            #expect(bytes.range(of: Data(key.utf8)) == nil, "\(path)")
        }
    }

    @Test("A certificate of an unknown authority is refused, and it is said")
    func certificate() throws {
        let scene = try UpstreamFixture(knowsAuthority: false)
        try scene.start()
        let message = try scene.eventually("a failure") { try scene.dataset("static")["message"]?.text }
        #expect(message.contains("certificate"), "\(message)")
        #expect(try scene.requests("/files/city.zip") == 0)
        #expect(try scene.notices().contains { $0.contains("certificate") })
    }

    @Test("A damaged live file is passed over and said; the source takes its place")
    func damagedLiveFile() throws {
        let scene = try UpstreamFixture()
        try scene.start()
        try scene.waitUntilLive()
        let name = try #require(scene.daemon.files.first { $0.hasSuffix("city.trip_updates.live") })
        try Data("not a snapshot at all, but long enough to be one".utf8)
            .write(to: URL(fileURLWithPath: scene.daemon.folder(name)))
        try scene.answer("/status?code=503")
        try scene.killAndRestart()
        #expect(scene.daemon.output().contains("The last answer for trip_updates cannot be used"))
        #expect(try scene.departure()["source"]?.text == "scheduled")
    }

    @Test("A timetable that is damaged while it is in use is set aside, said, and fetched anew")
    func damagedTimetable() throws {
        let scene = try UpstreamFixture(rate: 10)
        // A city whose timetable SQLite does not have in memory after a question.
        try scene.server.answer("/files/city.zip", with: "/city")
        try scene.start()
        func asks(_ stop: String) -> Bool? {
            (try? scene.daemon.ask("departures", ["stop": .string(stop)])) == nil ? nil : true
        }
        try scene.eventually("the timetable") { asks("Stop 3") }
        let name = try #require(scene.daemon.files.first { $0.contains("timetables/") && $0.hasSuffix(".timetable") })
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: scene.daemon.folder(name)))
        let size = try file.seekToEnd()
        // In place, for the daemon has it open; the first page stays, so that only reading finds it.
        try file.seek(toOffset: 4096)
        try file.write(contentsOf: Data(repeating: 0xA5, count: Int(size) - 4096))
        try file.close()
        let error = #expect(throws: DaemonFailure.self) {
            try scene.daemon.ask("departures", ["stop": "Stop 5"])
        }
        #expect(error?.reason.contains("is corrupt") == true)
        #expect(scene.daemon.output().contains("is damaged and is put aside"))
        try scene.eventually("the timetable anew") { asks("Stop 5") }
        #expect(try scene.requests("/files/city.zip") == 2)
    }

    @Test("Two who ask at once share one fetch, and what is fresh is not asked for without force")
    func shared() throws {
        let scene = try UpstreamFixture()
        try scene.start()
        try scene.waitUntilLive()
        let asked = try scene.requests()
        #expect(try refresh(scene)["outcome"]?.text == "fresh")
        #expect(try scene.requests() == asked)

        try scene.answer(UpstreamFixture.live + "&seconds=1.5")
        let wish: JSONObject = ["feed": "city", "dataset": "trip_updates", "force": true]
        let (first, second) = (try DaemonClient(scene.daemon.socket), try DaemonClient(scene.daemon.socket))
        try first.send("refresh", wish)
        // The endpoint is left alone for 5 s after the call before.
        try scene.eventually("the request") { try scene.requests() == asked + 1 ? true : nil }
        try second.send("refresh", wish)
        for client in [first, second] {
            let line = try JSONValue(parsing: client.readLine())
            let outcome = line["result"]?["datasets"]?.elements.first?["outcome"]?.text
            #expect(outcome == "updated" || outcome == "unchanged", "\(line)")
        }
        #expect(try scene.requests() == asked + 1)
    }

    private func refresh(_ scene: UpstreamFixture) throws -> JSONValue {
        let answer = try scene.daemon.ask("refresh", ["feed": "city", "dataset": "trip_updates"])
        return try #require(answer["datasets"]?.elements.first)
    }

    @Test("What was recorded is answered again by a replay")
    func replay() throws {
        let scene = try UpstreamFixture()
        let recording = scene.daemon.folder("recording")
        try scene.start(arguments: ["--record", recording])
        try scene.waitUntilLive()
        let before = try scene.departure()
        let later = try scene.now().advanced(by: 1)
        scene.daemon.signal(SIGTERM)
        #expect(scene.daemon.wait().code == 0)
        let asked = try scene.server.log().count
        for name in ["state", "cache"] { try FileManager.default.removeItem(atPath: scene.daemon.folder(name)) }

        try scene.start(at: later.rfc3339(), arguments: ["--replay", recording])
        try scene.waitUntilLive()
        let after = try scene.departure()
        for name in ["id", "scheduled", "expected", "delay", "source", "realtime_state", "status"] {
            #expect(after[name] == before[name], "\(name)")
        }
        #expect(try scene.server.log().count == asked)
    }
}
