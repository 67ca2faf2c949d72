import Testing
import TransitControl
import TransitModel
import TransitNotifications
import TransitServer
import TransitStore
import TransitTestSupport
import TransitTestTraits

@testable import TransitDaemon
@testable import TransitWire

/// What happens between a decision and its hooks: subscriptions, stages, restarts and a full disk.
@Suite(.ownThreads) struct NotificationDeliveryTests {
    private func subscribe(
        _ daemon: TestDaemon, _ topic: JSONObject = ["topic": "notifications"], uid: UInt32 = 1000
    ) throws {
        let call = MethodCall(method: "subscribe", parameters: .object(["topics": .array([.object(topic)])]))
        _ = try daemon.handlers.resolve(call, from: daemon.caller(uid))
    }

    // MARK: Subscriptions

    @Test func languageOfTheLatestProgramIsRemembered() async throws {
        let fixture = try await NotificationFixture(isOn: false)
        let (daemon, service) = (fixture.daemon, fixture.service)
        #expect(service.agentLanguage(of: 1000) == nil)
        try subscribe(daemon, ["topic": "notifications", "language": "de-AT"])
        #expect(service.agentLanguage(of: 1000) == "de-AT")
        // It is saved although notifications are off.
        service.pass()
        #expect(daemon.daemon.state.userRecord(of: 1000).agentLanguage == "de-AT")
        try subscribe(daemon, ["topic": "notifications", "language": "en-GB"])
        try subscribe(daemon)
        service.pass()
        #expect(service.agentLanguage(of: 1000) == "en-GB")
        #expect(service.agentLanguage(of: 1001) == nil)
    }

    @Test(arguments: ["x", "de_DE", "\u{1F600}", "de--at", "12", "e", "german language"])
    func invalidLanguageIsIgnored(_ language: String) async throws {
        let fixture = try await NotificationFixture(isOn: false)
        try subscribe(fixture.daemon, ["topic": "notifications", "language": .string(language)])
        #expect(fixture.service.agentLanguage(of: 1000) == nil)
        #expect(fixture.service.refusal(of: 1000) == nil)
    }

    @Test func subscribersWithDifferentLanguagesShareATopic() async throws {
        let fixture = try await NotificationFixture(isOn: false)
        func topics(_ language: String) throws -> [UserTopic] {
            let call = MethodCall(
                method: "subscribe",
                parameters: ["topics": [["topic": "notifications", "language": .string(language)]]])
            guard
                case .subscribe(let topics) = try fixture.daemon.handlers.resolve(
                    call, from: fixture.daemon.caller(1000))
            else { return [] }
            return topics
        }
        #expect(try topics("de") == topics("en"))
        #expect(try topics("de").count == 1)
    }

    @Test(
        arguments: [["topic": "notifications", "volume": 3], ["topic": "notifications", "stop": "city:harbor"]]
            as [JSONObject])
    func refusedSubscriptionIsReported(_ topic: JSONObject) async throws {
        let fixture = try await NotificationFixture()
        let daemon = fixture.daemon
        #expect(throws: ControlError.self) { try subscribe(daemon, topic) }
        let refusal = try #require(fixture.service.refusal(of: 1000))
        #expect(refusal.message.lowercased().contains(topic["stop"] == nil ? "volume" : "stop"))
        let notices = try daemon.ask(StatusParameters()).notices.map(\.message)
        #expect(notices.contains { $0.contains("transitd refused the program") && $0.contains(refusal.message) })
        // The list does not say that the program is missing.
        let list = try daemon.ask(NotifyListParameters()).notices
        #expect(list.contains { $0.message.contains("refused") } && !list.contains { $0.kind == .missing })
        #expect(try daemon.ask(StatusParameters(), uid: 1001).notices.allSatisfy { !$0.message.contains("refused") })
        let check = try await daemon.askLengthy(DoctorParameters(), uid: 1000).checks.first {
            $0.check == "notifications"
        }
        #expect(check?.outcome == .failed)
        #expect(check?.message.contains(refusal.message) == true)
        // The command depends on whether systemd manages this machine. Its variants have tests of their own.
        let process = try #require(refusal.process)
        #expect(check?.remedy == ServiceCommands.ofThisProcess().replaceAgent(process))
        #expect(check?.remedy?.contains("transitd-notify`.") == true)
        // The next subscription succeeds.
        try subscribe(daemon)
        #expect(fixture.service.refusal(of: 1000) == nil)
    }

    @Test func refusalOfAnotherTopicIsNotReported() async throws {
        let fixture = try await NotificationFixture()
        #expect(throws: ControlError.self) { try subscribe(fixture.daemon, ["topic": "next", "volume": 3]) }
        #expect(fixture.service.refusal(of: 1000) == nil)
    }

    // MARK: Stages

    @Test func testsOfOneSecondAreTwoNotifications() async throws {
        let fixture = try await NotificationFixture(isOn: false)
        let first = try fixture.daemon.ask(NotifyTestParameters(rule: "delay")).event
        let second = try fixture.daemon.ask(NotifyTestParameters(rule: "delay")).event
        #expect(first.id != second.id && first.key != second.key)
        #expect(first.at == second.at)
        #expect(try fixture.current.unfinished == [first.id, second.id])
    }

    @Test func withdrawalReachesPrograms() async throws {
        let fixture = try await NotificationFixture()
        fixture.advance(by: 15 * 60)
        let shown = try #require(try fixture.events("leave").first)
        _ = try fixture.daemon.ask(NotifyAckParameters(ids: [shown.id], stage: .done))
        _ = try fixture.daemon.ask(NotifyActParameters(id: shown.id, action: "taken"))
        let end = try #require(try fixture.current.events.last { $0.key == shown.key })
        #expect(end.op == .withdraw)
        #expect(end.expiresIn >= 600)
        #expect(try fixture.current.unfinished.contains(end.id))
        fixture.daemon.clock.advance(by: 300)
        #expect(try fixture.current.unfinished.contains(end.id))
        _ = try fixture.daemon.ask(NotifyAckParameters(ids: [end.id], stage: .done))
        #expect(try !fixture.current.unfinished.contains(end.id))
        let log = try fixture.daemon.ask(NotifyListParameters(log: true)).log
        #expect(log.contains { $0.id == end.id && $0.op == .withdraw && $0.stage == "done" })
    }

    /// Two sessions of one user, and a restart of the daemon.
    @Test func lateReportOfASecondProgramShowsNothingAgain() async throws {
        let fixture = try await NotificationFixture()
        fixture.receive("b1", .canceled)
        let id = try #require(try fixture.events("canceled").first?.id)
        let other = try fixture.current.unfinished
        #expect(other.contains(id))
        _ = try fixture.daemon.ask(NotifyAckParameters(ids: [id], stage: .handedOut))
        _ = try fixture.daemon.ask(NotifyAckParameters(ids: [id], stage: .done))
        _ = try fixture.daemon.ask(NotifyAckParameters(ids: [id], stage: .handedOut))
        let saved = try fixture.daemon.daemon.state.notificationEvents(
            of: 1000, since: fixture.daemon.clock.now().advanced(by: -3600))
        #expect(saved.first { $0.id == id }?.stage == .done)
        let restarted = NotificationOutbox()
        restarted.restore(saved, of: 1000, at: fixture.daemon.clock.now())
        #expect(!restarted.current(of: 1000, at: fixture.daemon.clock.now()).unfinished.contains(id))
    }

    // MARK: A full disk

    @Test(.enabled(if: SmallDisk.canBeMounted, "mounting a small tmpfs needs root"))
    func fullDiskDelaysOnlyTheFile() async throws {
        var disks: [SmallDisk] = []
        let daemon = try TestDaemon(feeds: ["city": .small], at: "2026-03-27T06:30:00Z") { configuration in
            configuration.feeds[0].realtime[.tripUpdates] = .file(path: "")
        } before: { directories in
            disks.append(try SmallDisk(bytes: 4 << 20, at: directories.state))
        }
        let disk = try #require(disks.first)
        let fixture = NotificationFixture(daemon)
        #expect(try await daemon.update("city").outcome == .updated)
        try fixture.addCommute()
        let state = daemon.daemon.state
        disk.fill()
        // What is left of the file's pages is used up.
        #expect(throws: StoreError.self) {
            for number in 0..<2000 {
                try state.setNotificationSettings(
                    ["filler.\(number % 100)": String(repeating: "x", count: 8000)], of: 7)
            }
        }
        #expect(throws: StoreError.self) { for _ in 0..<2000 { try state.checkIsWritable() } }
        fixture.receive("b1", .canceled)
        let event = try #require(try fixture.events("canceled").first)
        #expect(try fixture.current.unfinished.contains(event.id))
        #expect(try daemon.ask(StatusParameters()).notices.contains { $0.message.contains("kept in memory") })
        try subscribe(daemon, ["topic": "notifications", "language": "de"])
        #expect(fixture.service.agentLanguage(of: 1000) == "de")
        // The program shows it and says so. The stage counts, but it is not on disk, so it is not confirmed.
        for stage in [NotificationStage.handedOut, .done, .handedOut] {
            #expect(daemon.error(of: NotifyAckParameters(ids: [event.id], stage: stage))?.kind == .storageFull)
        }
        #expect(try !fixture.current.unfinished.contains(event.id))
        let start = daemon.clock.now().advanced(by: -3600)
        #expect(try state.notificationEvents(of: 1000, since: start).isEmpty)
        disk.free()
        fixture.advance(by: 61)
        #expect(try state.notificationEvents(of: 1000, since: start).first { $0.id == event.id }?.stage == .done)
        #expect(state.userRecord(of: 1000).agentLanguage == "de")
        #expect(try !daemon.ask(StatusParameters()).notices.contains { $0.message.contains("kept in memory") })
        let restarted = NotificationOutbox()
        restarted.restore(
            try state.notificationEvents(of: 1000, since: start), of: 1000, at: daemon.clock.now())
        #expect(!restarted.current(of: 1000, at: daemon.clock.now()).unfinished.contains(event.id))
        withExtendedLifetime(disks) {}
    }
}
