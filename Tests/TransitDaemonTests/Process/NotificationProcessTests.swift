import Glibc
import Testing
import TransitControl
import TransitModel
import TransitTestTraits
import TransitWire

/// Notifications of the built executable, killed between the stages of an event.
@Suite(.enabled(if: DaemonProcess.executable != nil, "transitd is not built"), .ownThreads)
struct NotificationProcessTests {
    private let daemon: DaemonProcess

    init() throws { daemon = try DaemonProcess.withCanceledTrip() }

    private func start() throws { try daemon.start(["--replay-clock", ProcessTests.clock]) }

    private func killed() {
        daemon.signal(SIGKILL)
        #expect(daemon.wait().code == -SIGKILL)
    }

    /// Returns the identifiers of the events whose hooks have to run.
    private func unfinished() throws -> [String] {
        guard case .array(let ids)? = try daemon.ask("notifications")["unfinished"] else { return [] }
        return ids.compactMap(\.text)
    }

    /// Returns the identifiers of those of them that are about departures.
    private func departures() throws -> [String] { try unfinished().filter { $0.hasPrefix("departure-") } }

    @Test func urgentEventIsHandedOutAgainUntilItIsDone() throws {
        try start()
        let client = try DaemonClient(daemon.socket)
        _ = try client.ask("subscribe", ["topics": [["topic": "notifications"]]])
        _ = try daemon.ask("notify.enable", ["is_on": true])
        _ = try daemon.ask("feed.update", ["feed": "city"])
        // The subscriber receives the event without asking.
        let event = try event(named: "canceled", client)
        let id = try #require(event["id"]?.text)
        #expect(event["departure"]?["status"]?.text == "canceled")
        #expect(event["op"]?.text == "show")
        killed()

        try start()
        #expect(try departures() == [id])
        _ = try daemon.ask("notify.ack", ["ids": [.string(id)], "stage": "handed_out"])
        killed()

        // The hooks may not have run.
        try start()
        #expect(try departures() == [id])
        _ = try daemon.ask("notify.ack", ["ids": [.string(id)], "stage": "done"])
        killed()

        try start()
        // After several kills, the machine's rule may tell that a response was set aside.
        #expect(try departures().isEmpty)
        // The state knows what was told: the same message decides nothing.
        _ = try daemon.ask("refresh", ["feed": "city", "dataset": "trip_updates", "force": true])
        #expect(try departures().isEmpty)
    }

    /// Reads events of a subscription until one lists a notification of a rule.
    private func event(named rule: String, _ client: DaemonClient) throws -> JSONValue {
        while true {
            let line = try JSONValue(parsing: try client.readLine())
            guard line["method"]?.text == "event", case .array(let events)? = line["params"]?["data"]?["events"] else {
                continue
            }
            if let found = events.first(where: { $0["rule"]?.text == rule }) { return found }
        }
    }
}
