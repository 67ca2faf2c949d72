import Testing
import TransitControl
import TransitModel
import TransitStore
import TransitTestSupport
import TransitTestTraits
import TransitWire

@testable import TransitDaemon

/// Requests about notifications between a start of the daemon and the first evaluation, and while the disk fails.
@Suite(.ownThreads) struct NotificationRestartTests {
    /// Returns the daemon after a restart, before its first pass.
    private func restarted(_ fixture: NotificationFixture) throws -> NotificationFixture {
        NotificationFixture(
            try TestDaemon(
                feeds: ["city": .small], { $0.feeds[0].realtime[.tripUpdates] = .file(path: "") },
                folder: fixture.daemon.folder))
    }

    @Test func muteIsListedBeforeTheFirstPass() async throws {
        let fixture = try await NotificationFixture()
        _ = try fixture.daemon.ask(NotifyMuteParameters(duration: 7200))
        _ = try fixture.daemon.ask(NotifyMuteParameters(rule: "delay", duration: 3600))
        let list = try restarted(fixture).daemon.ask(NotifyListParameters())
        #expect(list.mutedUntil?.clock == "09:30")
        #expect(list.rules.first { $0.rule == "delay" }?.mutedUntil?.clock == "08:30")
    }

    @Test func muteBeforeTheFirstPassIsSaved() async throws {
        let fixture = try restarted(try await NotificationFixture())
        #expect(try fixture.daemon.ask(NotifyMuteParameters(duration: 3600)).until?.clock == "08:30")
        fixture.service.pass()
        #expect(try fixture.daemon.ask(NotifyListParameters()).mutedUntil?.clock == "08:30")
    }

    @Test func buttonThatCannotBeSavedChangesNothing() async throws {
        try DiskFaults.prepare()
        let fixture = try await NotificationFixture()
        fixture.advance(by: 15 * 60)
        let event = try #require(try fixture.events("leave").first)
        let faults = try DiskFaults(in: fixture.daemon.daemon.directories.state, first: 1)
        for action in ["taken", "mute-today"] {
            let error = fixture.daemon.error(of: NotifyActParameters(id: event.id, action: action))
            #expect(error?.kind == .storageFull)
        }
        #expect(try fixture.daemon.ask(NotifyListParameters()).mutedUntil == nil)
        // The notification is still shown.
        #expect(try fixture.current.events.allSatisfy { $0.op != .withdraw })
        faults.end()
        #expect(try fixture.daemon.daemon.state.tripLog(of: 1000).trips.isEmpty)
        _ = try fixture.daemon.ask(NotifyActParameters(id: event.id, action: "taken"))
        #expect(try fixture.daemon.daemon.state.tripLog(of: 1000).trips.count == 1)
        #expect(try fixture.current.events.contains { $0.op == .withdraw && $0.key == event.key })
    }

    /// An event that was decided while the disk was full is only in memory. Its confirmation puts both on disk.
    @Test func confirmationOfAnUnsavedEventIsOnDisk() async throws {
        try DiskFaults.prepare()
        let fixture = try await NotificationFixture()
        let directories = fixture.daemon.daemon.directories
        let faults = try DiskFaults(in: directories.state, first: 1)
        fixture.receive("b1", .canceled)
        let event = try #require(try fixture.events("canceled").first)
        let ack = NotifyAckParameters(ids: [event.id], stage: .done)
        #expect(fixture.daemon.error(of: ack)?.kind == .storageFull)
        faults.end()
        #expect(try fixture.daemon.ask(ack).count == 1)
        let saved = try fixture.daemon.daemon.state.notificationEvents(of: 1000, since: event.at.instant)
        #expect(saved.first { $0.id == event.id }?.stage == .done)
    }

    /// Turning notifications off forgets what was pending, also if the disk is full at that moment.
    @Test func notificationsThatAreTurnedOffOnAFullDiskAreForgottenLater() async throws {
        try DiskFaults.prepare()
        let fixture = try await NotificationFixture()
        fixture.receive("b1", .canceled)
        let before = try fixture.daemon.daemon.state.notificationState(of: 1000)
        try fixture.daemon.daemon.state.setNotificationSettings([NotificationSettingKey.on: nil], of: 1000)
        do {
            let faults = try DiskFaults(in: fixture.daemon.daemon.directories.state, first: 1)
            defer { faults.end() }
            fixture.service.pass()
        }
        #expect(try fixture.daemon.daemon.state.notificationState(of: 1000) == before)
        fixture.advance(by: 61)
        #expect(try fixture.daemon.daemon.state.notificationState(of: 1000) != before)
    }

    /// What a message means for two users is one write: it is on disk for both or for none, after whichever operation the
    /// disk became full.
    @Test func decisionsForAllUsersAreOneWrite() async throws {
        try DiskFaults.prepare()
        let fixture = try await NotificationFixture()
        let (daemon, now) = (fixture.daemon, fixture.daemon.clock.now())
        _ = try daemon.ask(
            CommuteAddParameters(
                name: "trip", from: "city:harbor", to: "city:central", windows: ["07:00-09:00"], days: ["weekdays"]),
            uid: 1001)
        _ = try daemon.ask(NotifyEnableParameters(isOn: true), uid: 1001)
        fixture.service.pass()
        func canceled() throws -> [Int] {
            try [1000, 1001].map { uid in
                try daemon.daemon.state.notificationEvents(of: uid, since: now).count { $0.rule == "canceled" }
            }
        }
        var operations = 0
        while try canceled() == [0, 0], operations < 100 {
            operations += 1
            let faults = try DiskFaults(in: daemon.daemon.directories.state, first: operations)
            if operations == 1 { fixture.receive("b1", .canceled) } else { fixture.service.pass() }
            faults.end()
            // Programs have the events in any case.
            for uid in [1000, 1001] as [UInt32] {
                #expect(try daemon.ask(NotificationsParameters(), uid: uid).events.contains { $0.rule == "canceled" })
            }
        }
        #expect(try canceled() == [1, 1])
        #expect(operations > 2)
    }
}
