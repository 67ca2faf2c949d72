import Synchronization
import Testing
import TransitControl
import TransitModel
import TransitStore
import TransitSystem
import TransitTestSupport
import TransitTestTraits
import TransitWire

@testable import TransitDaemon

/// The limit on threads is reached while the daemon runs: the work fails with an error, or is done later.
@Suite(.ownThreads) struct ThreadLimitTests {
    /// Counts the starts of threads by name.
    private final class Starts: Sendable {
        private let counts = Mutex<[String: Int]>([:])

        func next(_ name: String) -> Int {
            counts.withLock { counts in
                counts[name, default: 0] += 1
                return counts[name, default: 0]
            }
        }
    }

    /// Lets the first starts of threads with these names fail.
    private static func faults(_ names: Set<String>, first count: Int = .max) -> ThreadFaults {
        let starts = Starts()
        return ThreadFaults { name in names.contains(name) && starts.next(name) <= count }
    }

    @Test func importFailsAndIsRetried() async throws {
        let daemon = try TestDaemon(feeds: ["city": .small])
        let outcome = try await ThreadFaults.$current.withValue(Self.faults(["import"])) {
            try await daemon.update("city")
        }
        #expect(outcome.outcome == .failed && outcome.kind == .thread && outcome.message.contains("TasksMax="))
        @Sendable func hasTimetable() -> Bool { daemon.daemon.feeds.snapshot("city")?.timetable != nil }
        try await ThreadFaults.$current.withValue(Self.faults(["import", "feed record", "ledger"], first: 1)) {
            try await daemon.running { daemon.wait { hasTimetable() } }
        }
        #expect(hasTimetable())
    }

    @Test func requestsAreAnsweredWithAnError() async throws {
        let daemon = try await TestDaemon.imported(["city": .small])
        func error(_ thread: String, of call: some ControlParameters) async -> ControlError? {
            await #expect(throws: ControlError.self) {
                try await ThreadFaults.$current.withValue(Self.faults([thread])) {
                    _ = try await daemon.askLengthy(call)
                }
            }
        }
        let commute = CommuteAddParameters(name: "trip", from: "city:harbor", to: "city:central")
        for failure in [
            await error("answers", of: InsightsParameters()), await error("changes", of: commute),
        ] {
            #expect(failure?.kind == .internalError && failure?.message.contains("TasksMax=") == true)
        }
        #expect(try daemon.ask(CommuteListParameters(), uid: 0).commutes.isEmpty)
        _ = try await daemon.askLengthy(commute)
        #expect(try daemon.ask(CommuteListParameters(), uid: 0).commutes.count == 1)
    }

    @Test func notificationsAreDecidedAndWrittenLater() async throws {
        let fixture = try await NotificationFixture()
        let (daemon, now) = (fixture.daemon, fixture.daemon.clock.now())
        await ThreadFaults.$current.withValue(Self.faults(["notifications", "notify write"], first: 2)) {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { try? await fixture.service.run() }
                fixture.receive("b1", .canceled, decides: false)
                daemon.wait { (try? fixture.events("canceled").isEmpty) == false }
                group.cancelAll()
            }
        }
        #expect(try fixture.events("canceled").count == 1)
        let saved = try daemon.daemon.state.notificationEvents(of: 1000, since: now)
        #expect(saved.count { $0.rule == "canceled" } == 1)
    }
}
