import Glibc
import Testing
import TransitControl
import TransitTestSupport
import TransitTestTraits
import TransitWire

/// What the built daemon confirmed is there after SIGKILL, for every method that changes a user's data.
@Suite(.enabled(if: DaemonProcess.executable != nil, "transitd is not built"), .ownThreads)
struct StoredChangeProcessTests {
    private let daemon: DaemonProcess

    init() throws {
        daemon = try DaemonProcess.withCanceledTrip()
        try daemon.append(
            "\n[[feed]]\nid = \"keyed\"\nprovider = \"gtfs\"\nstatic = \"http://127.0.0.1:1/gtfs.zip\"\nkey_parameter = \"key\"\n"
        )
    }

    private func start() throws { try daemon.start(["--replay-clock", ProcessTests.clock]) }

    private func killed() throws {
        daemon.signal(SIGKILL)
        #expect(daemon.wait().code == -SIGKILL)
        try start()
    }

    private func visible() async throws -> VisibleUserData { try await VisibleUserData(daemon.ask) }

    @Test func confirmedChangesAreThereAfterAKill() async throws {
        try start()
        _ = try daemon.ask("notify.enable", ["is_on": true])
        _ = try daemon.ask("feed.update", ["feed": "city"])
        let event = try daemon.eventually("notification") { () -> JSONValue? in
            guard case .array(let events)? = try daemon.ask("notifications")["events"] else { return nil }
            return events.first { $0["rule"]?.text == "canceled" }?["id"]
        }
        try killed()
        for change in StoredChange.all {
            for preparation in change.preparation {
                switch preparation {
                case .request(let method, let parameters): _ = try daemon.ask(method, parameters)
                case .restart:
                    daemon.signal(SIGTERM)
                    #expect(daemon.wait().code == 0)
                    try start()
                }
            }
            let before = try await visible()
            var parameters = change.parameters
            if parameters["id"] == StoredChange.event { parameters["id"] = event }
            if parameters["ids"] == [StoredChange.event] { parameters["ids"] = .array([event]) }
            _ = try daemon.ask(change.method, parameters)
            try killed()
            #expect(try await visible() != before, "\(change.method) was confirmed and is lost after a kill")
        }
    }

    /// Another program, such as a backup, has locked the state file.
    @Test func muteOnALockedFileIsRefused() throws {
        try start()
        _ = try daemon.ask("notify.enable", ["is_on": true])
        let lock = try FileLock(daemon.folder("state/state.sqlite"))
        let failure = #expect(throws: DaemonFailure.self) {
            _ = try daemon.ask("notify.mute", ["duration": 7200])
        }
        #expect(failure?.reason.contains("storage.failed") == true)
        #expect(failure?.reason.contains("Another process has locked") == true)
        lock.end()
        #expect(try daemon.ask("notify.list")["muted_until"] == .null)
        _ = try daemon.ask("notify.mute", ["duration": 7200])
        try killed()
        // Before the first pass, too.
        #expect(try daemon.ask("notify.list")["muted_until"]?.text != nil)
    }
}
