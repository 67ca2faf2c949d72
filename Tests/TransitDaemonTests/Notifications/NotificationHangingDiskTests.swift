import Synchronization
import Testing
import TransitControl
import TransitModel
import TransitNotifications
import TransitStore
import TransitTestSupport
import TransitTestTraits

@testable import TransitDaemon

/// Notifications while the disk of the state file does not respond.
@Suite(.ownThreads) struct NotificationHangingDiskTests {
    /// A daemon with two users who have the same commute and turned notifications on.
    private static func fixture() async throws -> NotificationFixture {
        try DiskFaults.prepare()
        let fixture = try await NotificationFixture()
        _ = try fixture.daemon.ask(
            CommuteAddParameters(
                name: "trip", from: "city:harbor", to: "city:central", windows: ["07:00-09:00"], days: ["weekdays"]),
            uid: 1001)
        _ = try fixture.daemon.ask(NotifyEnableParameters(isOn: true), uid: 1001)
        fixture.service.pass()
        return fixture
    }

    /// A request or a pass on a thread of its own.
    private final class Work: Sendable {
        private let task: Task<Void, Never>

        init(_ body: @escaping @Sendable () throws -> Void) {
            task = startTask { do { try body() } catch { Issue.record(error) } }
        }

        func end() async { await task.value }
    }

    private static func hang(_ fixture: NotificationFixture) throws -> DiskFaults {
        try DiskFaults(in: fixture.daemon.daemon.directories.state, first: 1, kind: .hanging)
    }

    @Test func readersAndDecisionsOfOthersDoNotWaitForAWriteThatHangs() async throws {
        let fixture = try await Self.fixture()
        let (daemon, service) = (fixture.daemon, fixture.service)
        let isDemandRead = Mutex(false)
        func nextCanceled(_ uid: UInt32) -> Bool {
            service.overview(of: uid).subjects.first?.departures.first?.observation.status == .canceled
        }
        let disk = try Self.hang(fixture)
        let mute = Work { _ = try daemon.ask(NotifyMuteParameters(duration: 3600)) }
        #expect(eventually { disk.failures > 0 })

        let pass = Work { fixture.receive("b1", .canceled) }
        let demand = Work {
            _ = service.requiredArrivals { _ in false }
            isDemandRead.withLock { $0 = true }
        }
        #expect(eventually { isDemandRead.withLock { $0 } && nextCanceled(1001) })
        // Nothing is handed out before it is on disk, and an unconfirmed change is not visible.
        #expect(try daemon.ask(NotificationsParameters(), uid: 1001).events.isEmpty)
        #expect(try daemon.ask(NotifyListParameters()).mutedUntil == nil)
        #expect(try daemon.ask(NotifyListParameters(), uid: 1001).isOn)

        disk.end()
        for work in [mute, pass, demand] { await work.end() }
        #expect(try daemon.ask(NotificationsParameters(), uid: 1001).events.contains { $0.rule == "canceled" })
        // The user whose change hung is evaluated after it.
        fixture.service.pass()
        #expect(nextCanceled(1000))
        let log = try daemon.ask(NotifyListParameters(log: true, suppressed: true))
        #expect(log.mutedUntil?.clock == "08:30" && log.log.contains { $0.rule == "canceled" })
    }

    /// A decision is handed out with the write that contains it, whichever write that is, and once.
    @Test func changeThatFollowsAnUnwrittenDecisionWritesBoth() async throws {
        let fixture = try await Self.fixture()
        let (daemon, now) = (fixture.daemon, fixture.daemon.clock.now())
        let disk = try Self.hang(fixture)
        let pass = Work { fixture.receive("b1", .canceled) }
        #expect(eventually { disk.failures > 0 })
        let mute = Work { _ = try daemon.ask(NotifyMuteParameters(duration: 3600)) }
        #expect(try fixture.events("canceled").isEmpty)
        disk.end()
        for work in [pass, mute] { await work.end() }
        for uid in [1000, 1001] as [UInt32] {
            let events = try daemon.ask(NotificationsParameters(), uid: uid).events.filter { $0.rule == "canceled" }
            #expect(events.count == 1)
            let saved = try daemon.daemon.state.notificationEvents(of: uid, since: now)
            #expect(saved.count { $0.rule == "canceled" } == 1)
        }
        #expect(try daemon.ask(NotifyListParameters()).mutedUntil?.clock == "08:30")
        let restarted = try TestDaemon(
            feeds: ["city": .small], { $0.feeds[0].realtime[.tripUpdates] = .file(path: "") }, folder: daemon.folder)
        #expect(try restarted.ask(NotifyListParameters()).mutedUntil?.clock == "08:30")
        #expect(try restarted.ask(NotificationsParameters()).events.contains { $0.rule == "canceled" })
    }
}
