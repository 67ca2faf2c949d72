import Foundation
import Glibc
import Testing
import TransitControl
import TransitModel
import TransitTestSupport
import TransitTestTraits
import TransitWire

/// Tests of the built daemon with an HTTPS upstream that fails in many ways and recovers.
@Suite(.enabled(if: UpstreamFixture.isThere, "needs the built transitd, python3 and openssl"), .ownThreads)
struct UpstreamProcessTests {
    @Test("Realtime data ages, expires with a notice, and recovers without a restart")
    func realtimeDataExpiresAndRecovers() throws {
        let scene = try UpstreamFixture(rate: 50)
        try scene.start(at: UpstreamFixture.earlyStart)
        var states: [String] = []
        var last: JSONValue = [:]
        // The data is aging for 210 s of the clock. If the test was not run for that long, it may not have seen it.
        var longestGap = 0
        for _ in 0..<5 where states.isEmpty || longestGap > 200 {
            (states, longestGap) = ([], 0)
            try scene.answer(UpstreamFixture.realtime)
            try scene.waitUntilLive()
            try scene.answer("/status?code=500")
            var previous = try scene.now()
            try scene.eventually("an expired departure") {
                last = try scene.departure()
                let now = try scene.now()
                longestGap = max(longestGap, previous.seconds(to: now))
                previous = now
                let state = last["realtime_state"]?.text ?? ""
                if states.last != state { states.append(state) }
                return state == "expired" ? true : nil
            }
        }
        #expect(Array(states.suffix(2)) == ["aging", "expired"])
        #expect(last["source"]?.text == "live")
        #expect(last["confidence"]?.text == "low")
        #expect(last["delay"]?.number != nil)
        let said = try scene.daemon.ask("departures", ["stop": "harbor"])["notices"]?.elements ?? []
        #expect(said.contains { $0["kind"]?.text == "stale" })
        #expect(try scene.transitctl("departures", "harbor").contains("other times come from the timetable"))

        try scene.eventually("an open circuit") {
            try scene.notices().contains { $0.contains("are failing. The next attempt is at") } ? true : nil
        }
        // While a request is in flight, there is no time for the next one.
        let dataset = try scene.eventually("a time for the next request") {
            let dataset = try scene.dataset(updates: true)
            return dataset["next_due"]?.text == nil ? nil : dataset
        }
        #expect((dataset["failures"]?.number ?? 0) >= 4)
        #expect(dataset["outcome"]?.text == "failed")
        #expect(dataset["updates"]?.elements.first?["status"]?.number == 500)
        #expect(!"\(try scene.daemon.ask("status"))\(scene.daemon.output())".contains("upstream-error-page"))

        try scene.answer(UpstreamFixture.realtime)
        try scene.waitUntilLive()
        // Departures use a response before the refresh engine learns of its outcome.
        try scene.eventually("no failures") {
            try scene.dataset()["failures"]?.number == 0 ? true : nil
        }
        try scene.eventually("no notice of failures") {
            try scene.notices().contains { $0.contains("The next attempt is at") } ? nil : true
        }
    }

    @Test("Failures due to resets and slow responses end when the cause is gone")
    func failuresEndWithTheirCause() throws {
        let scene = try UpstreamFixture(rate: 50)
        try scene.start(at: UpstreamFixture.earlyStart)
        try scene.waitUntilLive()
        for fault in ["/reset", "/slow-head?seconds=20", "/truncated", "/html"] {
            let before = try scene.requests()
            try scene.answer(fault)
            try scene.eventually("a failure by \(fault)") {
                let outcome = try scene.dataset()["outcome"]?.text
                return try outcome != "updated" && outcome != "unchanged" && scene.requests() > before ? true : nil
            }
            try scene.answer(UpstreamFixture.realtime)
            try scene.waitUntilLive()
        }
    }

    @Test("Retry-After also applies to forced refreshes")
    func retryAfterAppliesToForcedRefresh() throws {
        let scene = try UpstreamFixture()
        try scene.start(at: UpstreamFixture.earlyStart)
        try scene.waitUntilLive()
        let forcedRefresh: JSONObject = ["feed": "city", "dataset": "trip_updates", "force": true]
        // The wait is much longer than the steps before its end take on a loaded machine.
        try scene.answer("/status?code=429&retry_after=3600")
        _ = try scene.daemon.ask("refresh", forcedRefresh)
        let due = try scene.eventually("the wait") {
            let dataset = try scene.dataset()
            return dataset["due_reason"]?.text == "retry_after" ? try scene.instant(dataset["next_due"]) : nil
        }
        let asked = try scene.requests()
        try scene.answer(UpstreamFixture.realtime)
        let forced = try scene.daemon.ask("refresh", forcedRefresh)
        #expect(forced["datasets"]?.elements.first?["outcome"]?.text == "backoff")
        #expect(try scene.requests() == asked)
        scene.daemon.signal(SIGTERM)
        #expect(scene.daemon.wait().code == 0)
        // The last minutes of the wait.
        try scene.start(at: due.advanced(by: -300).rfc3339(), rate: 50)
        try scene.eventually("the end of the wait") {
            // The requests are counted before the time is read, so that all counted requests precede that time.
            let count = try scene.requests()
            guard try scene.now() < due else { return true }
            #expect(count == asked)
            return nil
        }
        try scene.waitUntilLive()
        #expect(try scene.requests() > asked)
    }

    @Test(
        "A restart does not fetch fresh data; a crash keeps realtime data, ledger and budget", arguments: [true, false])
    func restartKeepsDataLedgerAndBudget(isKilled: Bool) throws {
        let scene = try UpstreamFixture(feed: "budget = [{ requests = 60, seconds = 3600 }]", interval: "600s")
        try scene.start()
        try scene.waitUntilLive()
        let (archives, updates) = (try scene.requests("/files/city.zip"), try scene.requests())
        let spent = try spent(scene)
        #expect((archives, updates) == (1, 1))
        // Further requests get status 503, so only stored data is available.
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

    @Test("A key is sent but never appears in output or files")
    func keyAppearsNowhere() throws {
        let key = "k3y-that-nobody-may-see"
        let scene = try UpstreamFixture(feed: "key_file = \"../city.key\"\nkey_parameter = \"api_key\"")
        try scene.daemon.folder.write(secret: key + "\n", as: "city.key")
        // A server that echoes the request, first in an error and then in the message.
        try scene.answer("/echo?code=500")
        try scene.start(arguments: ["--record", scene.daemon.folder("recording")])
        try scene.eventually("a failure") { try scene.dataset()["outcome"]?.text == "failed" ? true : nil }
        try scene.answer("/echo")
        _ = try scene.daemon.ask("refresh", ["feed": "city", "dataset": "trip_updates", "force": true])
        try scene.eventually("a refusal") { try scene.dataset()["outcome"]?.text == "refused" ? true : nil }
        #expect(try scene.server.log().contains { $0.target.contains(key) })

        var output = scene.daemon.output()
        for method in ["status", "doctor", "feed.list", "budget"] { output += "\(try scene.daemon.ask(method))" }
        #expect(!output.contains(key))
        scene.daemon.signal(SIGTERM)
        #expect(scene.daemon.wait().code == 0)
        let kept = scene.daemon.files.filter { $0 != "city.key" }
        #expect(kept.contains { $0.hasPrefix("recording/") })
        for path in kept {
            let bytes = FileManager.default.contents(atPath: scene.daemon.folder(path)) ?? Data()
            #expect(bytes.range(of: Data(key.utf8)) == nil, "\(path)")
        }
    }

    @Test("A certificate from an unknown authority is refused and reported")
    func unknownAuthorityIsRefused() throws {
        let scene = try UpstreamFixture(knowsAuthority: false)
        try scene.start()
        let message = try scene.eventually("a failure") { try scene.dataset("static")["message"]?.text }
        #expect(message.contains("certificate"), "\(message)")
        #expect(try scene.requests("/files/city.zip") == 0)
        #expect(try scene.notices().contains { $0.contains("certificate") })
    }

    @Test("A corrupt cached response is ignored and reported")
    func corruptCachedResponseIsIgnored() throws {
        let scene = try UpstreamFixture()
        try scene.start()
        try scene.waitUntilLive()
        let name = try #require(scene.daemon.files.first { $0.hasSuffix("city.trip_updates.live") })
        try Data("not a snapshot at all, but long enough to be one".utf8)
            .write(to: URL(fileURLWithPath: scene.daemon.folder(name)))
        try scene.answer("/status?code=503")
        try scene.killAndRestart()
        #expect(scene.daemon.output().contains("The cached response for trip_updates cannot be used"))
        #expect(try scene.departure()["source"]?.text == "scheduled")
    }

    @Test("A timetable that becomes corrupt while in use is set aside, reported, and fetched again")
    func corruptTimetableIsFetchedAgain() throws {
        let scene = try UpstreamFixture(rate: 10)
        // A timetable that is too large for SQLite to keep entirely in memory after a request.
        try scene.server.answer("/files/city.zip", with: "/city")
        try scene.start()
        func asks(_ stop: String) -> Bool? {
            (try? scene.daemon.ask("departures", ["stop": .string(stop)])) == nil ? nil : true
        }
        try scene.eventually("the timetable") { asks("Stop 3") }
        let name = try #require(scene.daemon.files.first { $0.contains("timetables/") && $0.hasSuffix(".timetable") })
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: scene.daemon.folder(name)))
        let size = try file.seekToEnd()
        // Overwrites the file in place, because the daemon has it open. The first page is left intact, so that the
        // corruption is found only when the database is read.
        try file.seek(toOffset: 4096)
        try file.write(contentsOf: Data(repeating: 0xA5, count: Int(size) - 4096))
        try file.close()
        let error = #expect(throws: DaemonFailure.self) {
            try scene.daemon.ask("departures", ["stop": "Stop 5"])
        }
        #expect(error?.reason.contains("is corrupt") == true)
        #expect(scene.daemon.output().contains("is corrupt and was set aside"))
        try scene.eventually("the timetable again") { asks("Stop 5") }
        #expect(try scene.requests("/files/city.zip") == 2)
    }

    @Test("Concurrent refreshes share one fetch, and fresh data is fetched again only by force")
    func concurrentRefreshesShareFetch() throws {
        let scene = try UpstreamFixture(interval: "600s")
        try scene.start()
        try scene.waitUntilLive()
        let asked = try scene.requests()
        #expect(try refresh(scene)["outcome"]?.text == "fresh")
        #expect(try scene.requests() == asked)

        try scene.answer(UpstreamFixture.realtime + "&held=1")
        let parameters: JSONObject = ["feed": "city", "dataset": "trip_updates", "force": true]
        let (first, second) = (try DaemonClient(scene.daemon.socket), try DaemonClient(scene.daemon.socket))
        try first.send("refresh", parameters)
        // The minimum interval of the endpoint is 5 s.
        try scene.eventually("the request") { try scene.requests() == asked + 1 ? true : nil }
        try second.send("refresh", parameters)
        // The upstream responds long after the daemon has read the second request.
        _ = try scene.daemon.ask("status")
        usleep(1_000_000)
        try scene.answer(UpstreamFixture.realtime)
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

    @Test("A replay repeats the recorded responses")
    func replayRepeatsRecordedResponses() throws {
        let scene = try UpstreamFixture(interval: "600s")
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
