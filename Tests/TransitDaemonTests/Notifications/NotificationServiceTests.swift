import Testing
import TransitControl
import TransitModel
import TransitNotifications
import TransitRefresh
import TransitReplies
import TransitStore
import TransitTestSupport
import TransitWire

@testable import TransitDaemon

@Suite struct NotificationServiceTests {
    @Test func userWithoutNotificationsIsNotEvaluated() async throws {
        let fixture = try await NotificationFixture(isOn: false)
        fixture.receive("b1", .canceled)
        #expect(fixture.service.overview(of: 1000).engine == nil)
        #expect(try fixture.current.events.isEmpty)
        #expect(try fixture.daemon.ask(NotifyListParameters()).isOn == false)
    }

    @Test func commuteInItsWindowIsASubject() async throws {
        let fixture = try await NotificationFixture()
        let subjects = try fixture.daemon.ask(NotifyListParameters()).subjects
        #expect(subjects.map(\.name) == ["trip"])
        #expect(subjects.first?.route == "Bus 24")
        #expect(subjects.first?.scheduled?.clock == "08:00")
    }

    @Test func cancellationIsHandedOutUntilItIsDone() async throws {
        let fixture = try await NotificationFixture()
        fixture.receive("b1", .canceled)
        let event = try #require(try fixture.events("canceled").first)
        #expect(event.op == .show)
        #expect(event.departure?.status == .canceled)
        #expect(event.departure?.stop.name == "Harbor")
        #expect(event.next.first?.scheduled?.clock == "08:20")
        #expect(event.actions.map(\.id) == ["next", "mute-today"])
        #expect(try fixture.current.unfinished == [event.id])
        // A program that has the event has not run its hooks.
        #expect(try fixture.daemon.ask(NotifyAckParameters(ids: [event.id], stage: .handedOut)).count == 1)
        #expect(try fixture.current.unfinished == [event.id])
        #expect(try fixture.daemon.ask(NotifyAckParameters(ids: [event.id], stage: .done)).count == 1)
        #expect(try fixture.current.unfinished.isEmpty)
        // It is listed for two minutes.
        #expect(try fixture.current.events.map(\.id) == [event.id])
        fixture.daemon.clock.advance(by: 121)
        #expect(try fixture.current.events.filter { $0.id == event.id }.isEmpty)
        // The same message again decides nothing.
        fixture.receive("b1", .canceled)
        #expect(try fixture.events("canceled").isEmpty)
    }

    @Test func delayIsToldAfterTwoMessages() async throws {
        let fixture = try await NotificationFixture()
        fixture.receive("b1", delay: 300)
        #expect(try fixture.events("delay").isEmpty)
        fixture.daemon.clock.advance(by: 30)
        fixture.receive("b1", delay: 300)
        let event = try #require(try fixture.events("delay").first)
        #expect(event.departure?.delay == 300)
        #expect(event.actions.map(\.id) == ["taken", "next", "mute-today"])
    }

    @Test func serviceWakesForTheNoticeToLeave() async throws {
        let fixture = try await NotificationFixture()
        // Without a place, 15 minutes before the departure.
        let next = try #require(
            fixture.service.overview(of: 1000).engine?.nextMoment(after: fixture.daemon.clock.now()))
        #expect(next <= Instant(rfc3339: "2026-03-27T07:45:00+01:00")!)
        fixture.advance(by: 15 * 60)
        #expect(try fixture.events("leave").count == 1)
    }

    @Test func whatBecameDueDuringSuspendIsNotTold() async throws {
        let fixture = try await NotificationFixture()
        fixture.advance(by: 31 * 60)
        #expect(try fixture.events("leave").isEmpty)
        let list = try fixture.daemon.ask(NotifyListParameters(suppressed: true))
        #expect(list.log.allSatisfy { $0.stage == "suppressed" })
    }

    @Test func observationsAreSavedOnChange() async throws {
        let fixture = try await NotificationFixture()
        fixture.receive("b1", delay: 300)
        let now = fixture.daemon.clock.now()
        let saved = try fixture.daemon.daemon.state.observations(scheduled: now..<now.advanced(by: 3600))
        #expect(saved.contains { $0.delay == 300 && $0.departure.route == "bus24" })
        let count = saved.count
        fixture.advance(by: 1)
        #expect(
            try fixture.daemon.daemon.state.observations(scheduled: now..<now.advanced(by: 3600)).count == count)
    }

    @Test func unreadableStateIsSetAside() async throws {
        let fixture = try await NotificationFixture(isOn: false)
        let state = fixture.daemon.daemon.state
        try state.saveNotifications(SavedNotifications(state: "[", events: []), of: 1000)
        _ = try fixture.daemon.ask(NotifyEnableParameters(isOn: true))
        fixture.service.pass()
        #expect(try fixture.daemon.ask(StatusParameters()).notices.contains { $0.kind == .damaged })
        // A new state is begun, and history is not told.
        #expect(try fixture.current.events.isEmpty)
        fixture.receive("b1", .canceled)
        #expect(try fixture.events("canceled").count == 1)
        #expect(try state.notificationState(of: 1000) != "[")
    }

    @Test func failureOfAHookIsReported() async throws {
        let fixture = try await NotificationFixture()
        fixture.receive("b1", .canceled)
        let id = try #require(try fixture.current.unfinished.first)
        _ = try fixture.daemon.ask(
            NotifyAckParameters(ids: [id], stage: .failed, message: "The hook ntfy ended with status 7."))
        #expect(try fixture.current.unfinished.isEmpty)
        let status = try fixture.daemon.ask(StatusParameters())
        #expect(status.notifications?.agent.failures == 1)
        #expect(status.notices.contains { $0.message.contains("status 7") })
        let log = try fixture.daemon.ask(NotifyListParameters(log: true)).log
        #expect(log.first?.stage == "failed")
        #expect(log.first?.reason == "The hook ntfy ended with status 7.")
    }

    @Test func actionsReachTheEngine() async throws {
        let fixture = try await NotificationFixture()
        fixture.advance(by: 15 * 60)
        let event = try #require(try fixture.events("leave").first)
        let taken = try fixture.daemon.ask(NotifyActParameters(id: event.id, action: "taken"))
        #expect(taken.message.hasPrefix("You took it."))
        // Then there is only the notice to get off.
        #expect(try fixture.daemon.ask(NotifyListParameters()).rules.first { $0.rule == "getoff" }?.next != nil)
        #expect(try fixture.current.events.contains { $0.op == .withdraw && $0.key == event.key })
        #expect(
            fixture.daemon.error(of: NotifyActParameters(id: "nothing", action: "taken"))?.kind == .notificationNotFound
        )
        #expect(
            fixture.daemon.error(of: NotifyActParameters(id: event.id, action: "explode"))?.kind == .invalidParameters)
    }

    @Test func otherSettingsAreRehearsed() async throws {
        let fixture = try await NotificationFixture()
        fixture.receive("b1", delay: 240)
        fixture.daemon.clock.advance(by: 30)
        fixture.receive("b1", delay: 245)
        #expect(try fixture.events("delay").count == 1)
        fixture.advance(by: 40 * 60)
        let same = try await fixture.daemon.askLengthy(NotifyRehearseParameters(days: 1), uid: 1000)
        #expect(same.before == same.after)
        #expect(same.days == 1)
        // The log is counted as it is listed: updates too, but no withdrawals. The machine slept for 40 minutes, so the log
        // and the rehearsal can differ.
        let log = try fixture.daemon.ask(NotifyListParameters(log: true, count: 100)).log
        #expect(log.contains { $0.rule == "delay" })
        #expect(same.logged == log.count { $0.op != .withdraw })
        #expect(same.before > 0 && same.soundingBefore > 0 && same.soundingBefore <= same.before)
        let other = try await fixture.daemon.askLengthy(
            NotifyRehearseParameters(days: 1, set: ["delay.first=10"]), uid: 1000)
        #expect(other.differences.contains { $0.rule == "delay" && $0.after == nil })
        await #expect(throws: ControlError.self) {
            try await fixture.daemon.askLengthy(NotifyRehearseParameters(set: ["delay.first"]), uid: 1000)
        }
    }

    @Test func testIsHandedOut() async throws {
        let fixture = try await NotificationFixture(isOn: false)
        let result = try fixture.daemon.ask(NotifyTestParameters(rule: "delay"))
        #expect(result.event.test)
        #expect(try fixture.current.unfinished == [result.event.id])
        #expect(
            fixture.daemon.error(of: NotifyTestParameters(rule: "nothing"))?.kind == .notificationSettingInvalid)
    }

    @Test func notificationsOfOthersAreNotListed() async throws {
        let fixture = try await NotificationFixture()
        fixture.receive("b1", .canceled)
        #expect(try fixture.daemon.ask(NotificationsParameters(), uid: 1001).events.isEmpty)
        let id = try #require(try fixture.current.unfinished.first)
        #expect(try fixture.daemon.ask(NotifyAckParameters(ids: [id], stage: .done), uid: 1001).count == 0)
        #expect(try fixture.current.unfinished == [id])
    }

    @Test func contentIgnoresAges() async throws {
        let fixture = try await NotificationFixture()
        fixture.receive("b1", .canceled)
        let first = try fixture.current
        fixture.daemon.clock.advance(by: 10)
        let second = try fixture.current
        #expect(first.events.first?.expiresIn != second.events.first?.expiresIn)
        #expect(first.content == second.content)
    }

    @Test func eventSurvivesItsDocument() async throws {
        let fixture = try await NotificationFixture()
        fixture.receive("b1", .canceled)
        let event = try #require(try fixture.events("canceled").first)
        #expect(NotificationEvent(json: event.json) == event)
        #expect(NotificationEvent(json: "{}") == nil)
    }
}

/// The demand for realtime data that follows from a user's notifications.
@Suite struct NotificationDemandTests {
    private func level(_ fixture: NotificationFixture) -> Set<Demand.Level> {
        let now = fixture.daemon.clock.now()
        let demand = fixture.daemon.daemon.demand.demand(for: "city")
        #expect(demand.lastRequest == nil && demand.subscribers == 0)
        return Set(demand.periods.filter { $0.range.contains(now) }.map(\.level))
    }

    /// Reports the windows of commutes again, as the daemon does after each change of a user's data.
    private func reportWindows(_ fixture: NotificationFixture) {
        let daemon = fixture.daemon.daemon
        daemon.windows.reportDaily(daemon.configuration.current, at: fixture.daemon.clock.now())
    }

    @Test func dataIsFetchedUntilTheDepartureIsTaken() async throws {
        let fixture = try await NotificationFixture(at: "2026-03-27T06:10:00Z")
        reportWindows(fixture)
        // It is 07:10. The bus leaves at 08:00, and there is no walk.
        #expect(level(fixture) == [.ahead])
        fixture.advance(by: 31 * 60)
        #expect(level(fixture) == [.full])
        fixture.advance(by: 5 * 60)
        let leave = try #require(try fixture.events("leave").first)
        _ = try fixture.daemon.ask(NotifyActParameters(id: leave.id, action: "taken"))
        fixture.service.pass()
        #expect(level(fixture).isSubset(of: [.ahead]))
    }

    @Test func turningNotificationsOffLeavesTheDemandOfCommutes() async throws {
        let fixture = try await NotificationFixture()
        reportWindows(fixture)
        let daemon = fixture.daemon.daemon
        let before = daemon.demand.demand(for: "city").periods
        _ = try fixture.daemon.ask(NotifyEnableParameters(isOn: false))
        let commutes = DemandTracker(RefreshEvents())
        CommuteWindowReporter(commutes, daemon.feeds, daemon.state)
            .report(daemon.configuration.current, at: fixture.daemon.clock.now())
        let windows = commutes.demand(for: "city").periods
        #expect(!before.isEmpty && before != windows)
        #expect(daemon.demand.demand(for: "city").periods == windows)
    }

    @Test func windowOfACommuteCountsOnlyWithoutNotifications() async throws {
        let fixture = try await NotificationFixture(isOn: false)
        let (daemon, events) = (fixture.daemon.daemon, RefreshEvents())
        let tracker = DemandTracker(events)
        let windows = CommuteWindowReporter(tracker, daemon.feeds, daemon.state)
        windows.reportDaily(daemon.configuration.current, at: fixture.daemon.clock.now())
        #expect(tracker.demand(for: "city").periods.contains { $0.level == .full })
        _ = try fixture.daemon.ask(NotifyEnableParameters(isOn: true))
        windows.reportDaily(daemon.configuration.current, at: fixture.daemon.clock.now())
        #expect(tracker.demand(for: "city").periods.isEmpty)
    }
}
