import Testing
import TransitControl
import TransitModel
import TransitNotifications
import TransitReplies
import TransitStore

@testable import TransitDaemon

/// Which events are handed out, in the order in which they are decided, received and handled.
@Suite struct NotificationOutboxTests {
    private let outbox = NotificationOutbox()
    private let start = Instant(rfc3339: "2026-03-27T07:30:00Z")!

    private func event(
        _ id: String, _ op: NotificationOperation = .show, key: String = "bus", rule: String = "leave",
        validFor seconds: Int = 900, at: Instant? = nil
    ) -> NotificationEvent {
        let at = at ?? start
        return NotificationEvent(
            id: id, key: key, revision: 1, op: op, rule: rule, urgency: .normal, sound: false,
            at: Timestamp(at, in: .utc), validUntil: Timestamp(at.advanced(by: seconds), in: .utc),
            expiresIn: seconds, language: "en", title: "Bus 24", body: "",
            subject: NotificationSubject(kind: .commute, name: "trip"), reason: "A test.")
    }

    private func unfinished(after seconds: Int = 0, uid: UInt32 = 1) -> [String] {
        outbox.current(of: uid, at: start.advanced(by: seconds)).unfinished
    }

    private func record(_ stage: SavedNotificationEvent.Stage, _ ids: String...) {
        _ = outbox.record(stage, ofEvents: ids, message: nil, of: 1, at: start)
    }

    /// An event keeps its texts, and counts down until it is received.
    @Test func timesLeftCountFromTheReply() throws {
        var event = event("show", validFor: 600)
        event.departure = try departure(leaveIn: 300)
        event.next = [try departure(leaveIn: 30)]
        outbox.add([event], of: 1, at: start)
        let received = try #require(outbox.current(of: 1, at: start.advanced(by: 40)).events.first)
        #expect(received.expiresIn == 560)
        #expect(received.departure?.leaveIn == 260)
        #expect(received.next.map(\.leaveIn) == [-10])
    }

    private func departure(leaveIn: Int) throws -> Departure {
        Departure(
            id: "d", feed: "city", trip: "T1", serviceDate: try #require(ServiceDate(iso8601: "2026-03-27")),
            route: RouteSummary(id: "24", type: 3), stop: CallStop(id: "harbor", name: "Harbor"), status: .scheduled,
            source: .scheduled, confidence: .medium, isApproximate: false, pickup: .regular, wheelchair: .unknown,
            bikes: .unknown, leaveIn: leaveIn)
    }

    @Test func withdrawalOfWhatWasShownIsHandedOut() {
        outbox.add([event("show")], of: 1, at: start)
        #expect(unfinished() == ["show"])
        record(.done, "show")
        outbox.add([event("end", .withdraw)], of: 1, at: start)
        #expect(unfinished() == ["end"])
        record(.done, "end")
        #expect(unfinished().isEmpty)
    }

    @Test func withdrawalOfWhatNobodyReceivedIsNeedless() {
        outbox.add([event("show")], of: 1, at: start)
        #expect(outbox.add([event("change", .update)], of: 1, at: start) == ["show"])
        #expect(outbox.add([event("end", .withdraw)], of: 1, at: start) == ["change", "end"])
        #expect(unfinished().isEmpty)
    }

    @Test func decisionsOfOneEvaluationAreHandedOutTogether() {
        #expect(outbox.add([event("show"), event("end", .withdraw)], of: 1, at: start) == ["show", "end"])
        #expect(unfinished().isEmpty)
    }

    /// The program that received the event may be running a hook for it, which it has not reported yet.
    @Test func withdrawalOfWhatAProgramReceivedIsHandedOut() {
        outbox.add([event("show")], of: 1, at: start)
        #expect(unfinished() == ["show"])
        #expect(outbox.add([event("end", .withdraw)], of: 1, at: start) == ["show"])
        #expect(unfinished() == ["end"])
        // A late report does not hand out the replaced event again.
        record(.handedOut, "show")
        #expect(unfinished() == ["end"])
    }

    @Test func nothingIsKnownAboutAKeyWithoutEvents() {
        outbox.add([event("other", key: "tram"), event("end", .withdraw)], of: 1, at: start)
        #expect(unfinished() == ["other", "end"])
    }

    @Test func notificationThatFollowsAWithdrawalBeginsAnew() {
        outbox.add([event("show")], of: 1, at: start)
        record(.done, "show")
        outbox.add([event("end", .withdraw)], of: 1, at: start)
        record(.done, "end")
        #expect(outbox.add([event("again"), event("last", .withdraw)], of: 1, at: start) == ["again", "last"])
        #expect(unfinished().isEmpty)
    }

    @Test func withdrawalThatDidNotRunDoesNotHideWhatIsShown() {
        outbox.add([event("show")], of: 1, at: start)
        record(.done, "show")
        outbox.add([event("end", .withdraw), event("again"), event("last", .withdraw)], of: 1, at: start)
        #expect(unfinished() == ["last"])
    }

    @Test(arguments: [0, -60, 30]) func withdrawalIsValidForTenMinutes(_ seconds: Int) {
        outbox.add([event("show")], of: 1, at: start)
        record(.done, "show")
        outbox.add([event("end", .withdraw, validFor: seconds)], of: 1, at: start)
        #expect(unfinished(after: 599) == ["end"])
        #expect(outbox.current(of: 1, at: start.advanced(by: 500)).events.last?.expiresIn == 100)
        #expect(unfinished(after: 600).isEmpty)
    }

    @Test func withdrawalThatWasHandedOutIsHandedOutAgainUntilItIsDone() {
        outbox.add([event("show", rule: "alert")], of: 1, at: start)
        record(.handedOut, "show")
        #expect(unfinished().isEmpty)
        outbox.add([event("end", .withdraw, rule: "alert")], of: 1, at: start)
        record(.handedOut, "end")
        #expect(unfinished() == ["end"])
        record(.failed, "end")
        #expect(unfinished().isEmpty)
    }

    @Test func urgentEventIsNotRepeatedAfterANewerOne() {
        outbox.add([event("show")], of: 1, at: start)
        record(.handedOut, "show")
        #expect(unfinished() == ["show"])
        outbox.add([event("change", .update)], of: 1, at: start)
        #expect(unfinished() == ["change"])
        record(.done, "change")
        #expect(unfinished().isEmpty)
    }

    @Test func lateReportUndoesNothing() {
        outbox.add([event("show"), event("other", key: "tram")], of: 1, at: start)
        record(.done, "show")
        record(.failed, "other")
        record(.handedOut, "show", "other")
        record(.done, "other")
        #expect(unfinished().isEmpty)
        #expect(outbox.account(of: 1).entries.map(\.stage) == [.done, .failed])
    }

    private func saved(
        _ event: NotificationEvent, _ stage: SavedNotificationEvent.Stage
    ) -> SavedNotificationEvent {
        SavedNotificationEvent(
            id: event.id, key: event.key, rule: event.rule, stage: stage, decided: event.at.instant,
            validUntil: event.validUntil.instant, event: event.json)
    }

    @Test func withdrawalIsHandedOutAfterARestart() {
        outbox.restore(
            [saved(event("show"), .done), saved(event("end", .withdraw, validFor: 0), .decided)], of: 1, at: start)
        #expect(unfinished() == ["end"])
    }

    @Test func withdrawalAfterARestartConcernsWhatMayHaveBeenReceivedBefore() {
        outbox.restore(
            [saved(event("show"), .decided), saved(event("other", key: "tram"), .replaced)], of: 1, at: start)
        #expect(outbox.add([event("end", .withdraw)], of: 1, at: start) == ["show"])
        #expect(outbox.add([event("tram-end", .withdraw, key: "tram")], of: 1, at: start) == ["tram-end"])
        #expect(unfinished() == ["end"])
    }

    /// Two sessions of one user, each with a program that receives every event.
    @Test func eventIsFinishedWhenTheFirstOfTwoProgramsHasFinished() {
        outbox.add([event("show")], of: 1, at: start)
        #expect(unfinished() == ["show"])
        #expect(unfinished() == ["show"])
        record(.handedOut, "show")
        record(.done, "show")
        // The second program reports later, and is then restarted.
        record(.handedOut, "show")
        #expect(unfinished().isEmpty)
        record(.failed, "show")
        #expect(outbox.account(of: 1).entries.first?.stage == .done)
        #expect(unfinished().isEmpty)
        // What only one of them received is not lost.
        outbox.add([event("change", .update)], of: 1, at: start)
        #expect(unfinished() == ["change"])
        record(.handedOut, "change")
        #expect(unfinished() == ["change"])
    }
}
