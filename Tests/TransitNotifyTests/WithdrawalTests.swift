import Testing
import TransitWire

@testable import NotificationAgent

/// The hooks that run for the withdrawal of a notification, depending on how far its events are.
@Suite struct WithdrawalTests {
    private let desktop = Hook(path: "/hooks.d/desktop")
    private let lamp = Hook(path: "/hooks.d/leave/lamp")
    private let ntfy = Hook(path: "/hooks.d/ntfy")
    private var queue = DeliveryQueue()

    private mutating func take(
        _ deliveries: [Delivery], isFirst: Bool = false, now: Int64 = 0, hooks: [Hook]? = nil, others: [Hook] = []
    ) -> [DeliveryQueue.Effect] {
        let plan = HookPlan(hooks: hooks ?? [desktop], otherHooks: others)
        return queue.take(DeliveryList(deliveries), isFirst: isFirst, now: now) { _ in plan }
    }

    private mutating func start(now: Int64 = 0, _ effects: inout [DeliveryQueue.Effect]) -> [DeliveryQueue.Start] {
        var starts: [DeliveryQueue.Start] = []
        while let start = queue.next(now: now, &effects) { starts.append(start) }
        return starts
    }

    private mutating func start(now: Int64 = 0) -> [DeliveryQueue.Start] {
        var effects: [DeliveryQueue.Effect] = []
        return start(now: now, &effects)
    }

    /// Runs the hooks that can run until none is left, and returns "OPERATION HOOK" for each.
    private mutating func runAll() -> [String] {
        var runs: [String] = []
        while let next = Optional(start()), !next.isEmpty {
            for start in next {
                runs.append("\(start.delivery.operation) \(start.hook.name)")
                _ = queue.ended(start.run, .succeeded, now: 0)
            }
        }
        return runs
    }

    private func event(_ id: String, _ operation: String = "show") throws -> Delivery {
        try Sample.delivery(id, op: operation)
    }

    @Test mutating func withdrawalFollowsWhatWasShown() throws {
        _ = take([try event("e1")])
        var effects: [DeliveryQueue.Effect] = []
        let shown = start(&effects)
        #expect(
            effects == [
                .started(key: "leave/home", hook: desktop.path), .attempted(id: "e1", hook: desktop.path),
            ])
        _ = queue.ended(shown[0].run, .succeeded, now: 0)
        #expect(take([try event("e2", "withdraw")]) == [])
        effects = []
        let ended = start(&effects)
        #expect(effects == [.attempted(id: "e2", hook: desktop.path)])
        #expect(ended.map(\.delivery.id) == ["e2"])
        #expect(
            queue.ended(ended[0].run, .succeeded, now: 0)
                == [.handedOut(id: "e2"), .withdrawn(key: "leave/home"), .done(id: "e2")])
    }

    @Test mutating func withdrawalWaitsForTheHookThatIsRunning() throws {
        _ = take([try event("e1")])
        let shown = start()
        #expect(take([try event("e2", "withdraw")]) == [])
        #expect(start().isEmpty)
        _ = queue.ended(shown[0].run, .failed("exit status 1"), now: 0)
        // The hook may have shown something before it failed.
        #expect(runAll() == ["withdraw desktop"])
        #expect(queue.isIdle)
    }

    @Test mutating func whatWasNotStartedIsNeitherShownNorWithdrawn() throws {
        _ = take([try event("e1")])
        #expect(
            take([try event("e2", "withdraw")]) == [.done(id: "e1"), .handedOut(id: "e2"), .done(id: "e2")])
        #expect(runAll().isEmpty)
        #expect(queue.isIdle)
    }

    @Test mutating func onlyTheHooksThatStartedGetTheWithdrawal() throws {
        // Four hooks run at the same time; the fifth waits.
        let hooks = (1...5).map { Hook(path: "/hooks.d/\($0)") }
        _ = take([try event("e1")], hooks: hooks)
        let runs = start()
        #expect(runs.count == 4)
        #expect(take([try event("e2", "withdraw")], hooks: hooks) == [])
        for run in runs { _ = queue.ended(run.run, .succeeded, now: 0) }
        #expect(Set(runAll()) == ["withdraw 1", "withdraw 2", "withdraw 3", "withdraw 4"])
        #expect(queue.isIdle)
    }

    @Test mutating func updateThatWasNotStartedIsLeftOut() throws {
        _ = take([try event("e1")])
        let shown = start()
        _ = take([try event("e2", "update")])
        #expect(take([try event("e3", "withdraw")]) == [.done(id: "e2")])
        _ = queue.ended(shown[0].run, .succeeded, now: 0)
        #expect(runAll() == ["withdraw desktop"])
    }

    /// The agent was restarted or reinstalled, and knows nothing of what is shown.
    @Test mutating func withdrawalOfWhatIsNotKnownRuns() throws {
        _ = take([try event("e2", "withdraw")], isFirst: true)
        #expect(runAll() == ["withdraw desktop"])
        _ = take([try event("e3", "update")])
        _ = take([try event("e4", "withdraw")])
        #expect(runAll() == ["withdraw desktop"])
    }

    @Test mutating func hookOfAnEarlierRuleGetsTheWithdrawal() throws {
        _ = take([try event("e1")], hooks: [desktop, lamp])
        #expect(runAll() == ["show desktop", "show lamp"])
        _ = take([try event("e2", "update")], hooks: [desktop, ntfy])
        #expect(runAll() == ["update desktop", "update ntfy"])
        _ = take(
            [try event("e3", "withdraw")], hooks: [desktop, ntfy], others: [desktop, lamp, ntfy, Hook(path: "/new")])
        #expect(runAll() == ["withdraw desktop", "withdraw ntfy", "withdraw lamp"])
        // Then all of them are forgotten.
        _ = take([try event("e4", "withdraw")], hooks: [desktop], others: [desktop, lamp, ntfy])
        #expect(runAll() == ["withdraw desktop"])
    }

    @Test mutating func startedHooksOfAnEarlierProcessAreKnown() throws {
        var handled = HandledEvents()
        handled.insert("e1", .done)
        let isNew = (0..<2).map { _ in handled.insertStarted(key: "leave/home", hook: lamp.path) }
        #expect(isNew == [true, false])
        queue = DeliveryQueue(handled: handled)
        _ = take([try event("e1"), try event("e2", "withdraw")], isFirst: true, others: [lamp, ntfy])
        #expect(runAll() == ["withdraw desktop", "withdraw lamp"])
    }

    @Test mutating func withdrawalWithoutHooksIsDone() throws {
        #expect(
            take([try event("e1", "withdraw")], hooks: []) == [.handedOut(id: "e1"), .done(id: "e1")])
    }

    /// The withdrawals of earlier releases expire when they are decided.
    @Test mutating func withdrawalIsValidForTenMinutes() throws {
        #expect(try Sample.delivery("e1", op: "withdraw", expiresIn: 0).expiresIn == 600)
        #expect(try Sample.delivery("e1", op: "withdraw", expiresIn: 3600).expiresIn == 3600)
        #expect(try Sample.delivery("e1", op: "update", expiresIn: 0).expiresIn == 0)
        _ = take([try Sample.delivery("e1", op: "withdraw", expiresIn: 0)])
        #expect(start(now: 599_000).map(\.delivery.id) == ["e1"])
    }

    @Test mutating func temporaryFailureOfAWithdrawalIsRepeated() throws {
        _ = take([try event("e1", "withdraw")])
        #expect(queue.ended(start()[0].run, .failedTemporarily("exit status 75"), now: 0) == [])
        #expect(start(now: 5_000).map(\.attempt) == [1])
    }

    @Test func startedHooksAreLimited() {
        var handled = HandledEvents()
        for number in 0..<10_000 { _ = handled.insertStarted(key: "k\(number)", hook: "/h") }
        #expect(handled.startedKeys.count <= 2 * HandledEvents.capacity)
        #expect(handled.startedHooks.count == handled.startedKeys.count)
        #expect(handled.startedHooks["k9999"] == ["/h"] && handled.startedHooks["k1"] == nil)
    }

    // MARK: Failures

    @Test func everyFailedHookIsNamed() {
        var failures = HookFailures()
        #expect(failures.message == nil)
        failures.add(desktop, "exit status 1")
        failures.add(ntfy, "exit status 2")
        #expect(failures.message == "hook desktop: exit status 1; hook ntfy: exit status 2")
        for number in 1...8 { failures.add(Hook(path: "/h/\(number)"), String(repeating: "x", count: 100)) }
        #expect(
            failures.message
                == "the hooks desktop, ntfy, 1, 2, 3, 4, 5, 6, 7 and 8 failed; transitd-notify --check and "
                + "the journal have the reasons")
        for number in 1...200 { failures.add(Hook(path: "/h/long-name-\(number)"), "x") }
        let message = failures.message ?? ""
        #expect(message.count <= 500 && message.contains("desktop") && message.contains(" more failed"))
    }
}
