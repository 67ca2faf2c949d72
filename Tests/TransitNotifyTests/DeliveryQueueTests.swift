import Testing
import TransitClient
import TransitWire

@testable import NotificationAgent

@Suite struct DeliveryQueueTests {
    private let bubble = Hook(path: "/hooks.d/bubble")
    private let ntfy = Hook(path: "/hooks.d/ntfy")
    private var queue = DeliveryQueue()

    private mutating func take(
        _ deliveries: [Delivery], isFirst: Bool = false, now: Int64 = 0, hooks: [Hook]? = nil
    ) -> [DeliveryQueue.Effect] {
        let hooks = hooks ?? [bubble]
        return queue.take(DeliveryList(deliveries), isFirst: isFirst, now: now) { _ in HookPlan(hooks: hooks) }
    }

    /// Starts everything that can be started.
    private mutating func start(now: Int64 = 0) -> [DeliveryQueue.Start] {
        var effects: [DeliveryQueue.Effect] = []
        var starts: [DeliveryQueue.Start] = []
        while let start = queue.next(now: now, &effects) { starts.append(start) }
        return starts
    }

    @Test mutating func eventIsHandedOutAndDoneAfterAllItsHooks() throws {
        #expect(take([try Sample.delivery("e1")], hooks: [bubble, ntfy]) == [])
        let starts = start()
        #expect(starts.map(\.hook) == [bubble, ntfy])
        #expect(queue.ended(starts[0].run, .succeeded, now: 0) == [.handedOut(id: "e1")])
        #expect(take([try Sample.delivery("e1")], isFirst: true, hooks: [bubble, ntfy]) == [.handedOut(id: "e1")])
        #expect(queue.ended(starts[1].run, .succeeded, now: 0) == [.done(id: "e1")])
        #expect(queue.isIdle)
    }

    @Test mutating func eventIsNotRunTwice() throws {
        let event = try Sample.delivery("e1")
        _ = take([event])
        // Another event of the user is decided meanwhile, and the daemon lists both.
        #expect(take([event]) == [])
        #expect(take([event], isFirst: true) == [])
        let starts = start()
        #expect(starts.count == 1)
        _ = queue.ended(starts[0].run, .succeeded, now: 0)
        // The daemon lists it again because the connection was lost before the acknowledgment.
        #expect(take([event], isFirst: true) == [.done(id: "e1")])
        #expect(take([event]) == [])
        #expect(take([event], isFirst: true) == [.done(id: "e1")])
        #expect(start().isEmpty)
    }

    @Test mutating func eventOfAnEarlierProcessIsNotRunAgain() throws {
        var handled = HandledEvents()
        handled.insert("e1", .done)
        handled.insert("e2", .failed)
        queue = DeliveryQueue(handled: handled)
        #expect(
            take([try Sample.delivery("e1"), try Sample.delivery("e2")]) == [
                .done(id: "e1"), .failed(id: "e2", message: "a hook failed; the journal has the reason"),
            ])
        #expect(start().isEmpty)
    }

    /// A hook that ends the agent is otherwise run again by each of its restarts.
    @Test mutating func startsOfEarlierProcessesCountAsAttempts() throws {
        let event = try Sample.delivery("e1")
        var handled = HandledEvents()
        for (restart, delay) in ([0] + DeliveryQueue.retryDelays).enumerated() {
            queue = DeliveryQueue(handled: handled)
            #expect(take([event], isFirst: true) == [])
            #expect(queue.wakeTime == (delay == 0 ? nil : delay))
            if delay > 0 { #expect(start(now: delay - 1).isEmpty) }
            #expect(start(now: delay).map(\.attempt) == [restart])
            handled.insertAttempt("e1", hook: bubble.path)
        }
        queue = DeliveryQueue(handled: handled)
        #expect(
            take([event], isFirst: true).last
                == .failed(id: "e1", message: "hook bubble: it was started 4 times without success"))
        #expect(start(now: 1_000_000).isEmpty)
        #expect(queue.isIdle)
    }

    @Test mutating func attemptIsRecordedBeforeTheHookStarts() throws {
        _ = take([try Sample.delivery("e1")])
        var effects: [DeliveryQueue.Effect] = []
        #expect(queue.next(now: 0, &effects) != nil)
        #expect(effects.contains(.attempted(id: "e1", hook: bubble.path)))
    }

    @Test mutating func eventsOfOneKeyRunInOrder() throws {
        _ = take([try Sample.delivery("e1"), try Sample.delivery("e2"), try Sample.delivery("e3")])
        for id in ["e1", "e2", "e3"] {
            let starts = start()
            #expect(starts.map(\.delivery.id) == [id])
            _ = queue.ended(starts[0].run, .succeeded, now: 0)
        }
    }

    @Test mutating func eventsOfDifferentKeysRunAtTheSameTime() throws {
        _ = take([try Sample.delivery("e1", key: "a"), try Sample.delivery("e2", key: "b")])
        #expect(start().count == 2)
    }

    @Test mutating func hookThatHangsDelaysNoOtherHook() throws {
        _ = take((1...20).map { try! Sample.delivery("e\($0)", key: "k\($0)") }, hooks: [bubble, ntfy])
        var hanging: [DeliveryQueue.Start] = []
        var finished = 0
        // Every run of the bubble ends, and none of the other hook does.
        while finished < 20 {
            let starts = start()
            guard !starts.isEmpty else { break }
            for start in starts {
                if start.hook == ntfy {
                    hanging.append(start)
                } else {
                    finished += 1
                    _ = queue.ended(start.run, .succeeded, now: 0)
                }
            }
        }
        #expect(finished == 20)
        #expect(hanging.count == DeliveryQueue.maximumRunsPerHook)
    }

    @Test mutating func atMostFourHooksRunAtTheSameTime() throws {
        let hooks = (1...9).map { Hook(path: "/hooks.d/\($0)") }
        _ = take([try Sample.delivery("e1")], hooks: hooks)
        #expect(start().count == 4)
        #expect(queue.wakeTime == nil)
    }

    @Test mutating func temporaryFailureIsRepeatedWithDelays() throws {
        _ = take([try Sample.delivery("e1")])
        var now: Int64 = 0
        for attempt in 0..<4 {
            let starts = start(now: now)
            #expect(starts.map(\.attempt) == [attempt])
            let effects = queue.ended(starts[0].run, .failedTemporarily("exit status 75"), now: now)
            guard attempt < 3 else {
                #expect(
                    effects == [.failed(id: "e1", message: "hook bubble: exit status 75, for the 4th time")])
                break
            }
            #expect(effects == [])
            #expect(start(now: now).isEmpty)
            #expect(queue.wakeTime == now + DeliveryQueue.retryDelays[attempt])
            now += DeliveryQueue.retryDelays[attempt]
        }
        #expect(queue.isIdle)
    }

    /// At a login, hooks fail until the desktop is there. Its beginning restarts the agent, and the daemon has to list the
    /// events again.
    @Test mutating func eventIsNotHandedOutWhileItsHooksFailTemporarily() throws {
        _ = take([try Sample.delivery("e1")])
        #expect(queue.ended(start()[0].run, .failedTemporarily("exit status 75"), now: 0) == [])
        #expect(take([try Sample.delivery("e1")], isFirst: true) == [])
        let run = start(now: 5_000)[0].run
        #expect(queue.ended(run, .succeeded, now: 5_000) == [.handedOut(id: "e1"), .done(id: "e1")])
    }

    @Test mutating func retryOfAHookThatHangsDoesNotWakeTheAgent() throws {
        _ = take((1...4).map { try! Sample.delivery("e\($0)", key: "k\($0)") })
        for run in (start() + start()).map(\.run) {
            _ = queue.ended(run, .failedTemporarily("exit status 75"), now: 0)
        }
        for run in start().map(\.run) { _ = queue.ended(run, .failedTemporarily("exit status 75"), now: 0) }
        #expect(queue.wakeTime == 5_000)
        let runs = start(now: 5_000).map(\.run)
        #expect(runs.count == DeliveryQueue.maximumRunsPerHook)
        #expect(queue.wakeTime == nil)
        _ = queue.ended(runs[0], .succeeded, now: 6_000)
        #expect(start(now: 6_000).count == 1)
    }

    @Test mutating func otherFailureIsNotRepeated() throws {
        _ = take([try Sample.delivery("e1")])
        let starts = start()
        #expect(
            queue.ended(starts[0].run, .failed("exit status 1"), now: 0) == [
                .handedOut(id: "e1"), .failed(id: "e1", message: "hook bubble: exit status 1"),
            ])
    }

    @Test mutating func failureIsNotRepeatedAfterTheEventHasExpired() throws {
        _ = take([try Sample.delivery("e1", expiresIn: 4)])
        let starts = start()
        #expect(
            queue.ended(starts[0].run, .failedTemporarily("exit status 75"), now: 0) == [
                .failed(id: "e1", message: "hook bubble: exit status 75")
            ])
    }

    @Test mutating func newerEventReplacesOneThatWaitsToBeRepeated() throws {
        _ = take([try Sample.delivery("e1")])
        _ = queue.ended(start()[0].run, .failedTemporarily("exit status 75"), now: 0)
        #expect(
            take([try Sample.delivery("e2", op: "withdraw")]) == [
                .failed(
                    id: "e1", message: "hook bubble: a newer event replaced it after a failure: exit status 75")
            ])
        #expect(start().map(\.delivery.id) == ["e2"])
    }

    @Test mutating func failureIsNotRepeatedWhenANewerEventIsThere() throws {
        _ = take([try Sample.delivery("e1"), try Sample.delivery("e2")])
        let starts = start()
        #expect(
            queue.ended(starts[0].run, .failedTemporarily("exit status 75"), now: 0) == [
                .failed(id: "e1", message: "hook bubble: exit status 75")
            ])
        #expect(start().map(\.delivery.id) == ["e2"])
    }

    @Test mutating func eventThatExpiresBeforeItsTurnIsNotRun() throws {
        _ = take([try Sample.delivery("e1", expiresIn: 600), try Sample.delivery("e2", expiresIn: 10)])
        let starts = start()
        _ = queue.ended(starts[0].run, .succeeded, now: 11_000)
        var effects: [DeliveryQueue.Effect] = []
        #expect(queue.next(now: 11_000, &effects) == nil)
        #expect(effects == [.failed(id: "e2", message: "hook bubble: the event expired before the hook ran")])
    }

    @Test mutating func eventThatHasExpiredIsNotRun() throws {
        #expect(
            take([try Sample.delivery("e1", expiresIn: -5)]) == [
                .handedOut(id: "e1"), .failed(id: "e1", message: "it arrived too late"),
            ])
    }

    @Test mutating func eventWithoutHooksFails() throws {
        #expect(
            take([try Sample.delivery("e1")], hooks: []) == [
                .handedOut(id: "e1"), .failed(id: "e1", message: "no hook is installed"),
            ])
    }

    @Test mutating func refusedHookIsReportedBesideOneThatRan() throws {
        let plan = HookPlan(
            hooks: [bubble], refusals: [HookPlan.Refusal(hook: ntfy, reason: .writableByGroup("/hooks.d/ntfy"))])
        _ = queue.take(DeliveryList([try Sample.delivery("e1")]), isFirst: true, now: 0) { _ in plan }
        #expect(
            queue.ended(start()[0].run, .succeeded, now: 0) == [
                .handedOut(id: "e1"),
                .failed(
                    id: "e1",
                    message:
                        "hook ntfy: not run: its group can write to /hooks.d/ntfy; run: chmod g-w /hooks.d/ntfy"),
            ])
    }

    @Test mutating func invalidEventFailsOnce() throws {
        var list = DeliveryList([])
        list.problems = [Delivery.Problem(id: "e1", reason: "its \"rule\" is not a name"), .init(id: nil, reason: "x")]
        let effect = DeliveryQueue.Effect.failed(
            id: "e1", message: "the event is invalid: its \"rule\" is not a name")
        #expect(queue.take(list, isFirst: true, now: 0) { _ in HookPlan(hooks: []) } == [effect])
        #expect(queue.take(list, isFirst: false, now: 0) { _ in HookPlan(hooks: []) } == [])
    }

    @Test mutating func floodIsBoundedAndCompleted() throws {
        let count = 900
        let deliveries = (0..<count).map { try! Sample.delivery("e\($0)", key: "k\($0)") }
        #expect(take(deliveries) == [])
        var started = 0
        var done = 0
        while !queue.isIdle {
            let starts = start()
            started += starts.count
            #expect(starts.count <= DeliveryQueue.maximumRuns)
            for start in starts {
                let id = start.delivery.id
                #expect(queue.ended(start.run, .succeeded, now: 0) == [.handedOut(id: id), .done(id: id)])
                done += 1
                let bubble = bubble
                _ = queue.takeWaiting(now: 0) { _ in HookPlan(hooks: [bubble]) }
            }
        }
        #expect(started == count && done == count)
    }

    @Test mutating func longLaneDropsItsOldestWaitingEvents() throws {
        let effects = take((0..<40).map { try! Sample.delivery("e\($0)") })
        let dropped = effects.compactMap { if case .failed(let id, _) = $0 { id } else { nil } }
        #expect(dropped == (0..<24).map { "e\($0)" })
        #expect(start().map(\.delivery.id) == ["e24"])
    }

    /// The hook that is running keeps its place.
    @Test mutating func longLaneKeepsTheRunningEvent() throws {
        _ = take([try Sample.delivery("first")])
        let run = start()[0].run
        _ = take((0..<40).map { try! Sample.delivery("e\($0)") })
        #expect(queue.ended(run, .succeeded, now: 0) == [.handedOut(id: "first"), .done(id: "first")])
        #expect(start().map(\.delivery.id) == ["e25"])
    }

    @Test func handledEventsAreLimited() {
        var handled = HandledEvents()
        for number in 0..<10_000 { handled.insert("e\(number)", .done) }
        #expect(handled.ids.count <= 2 * HandledEvents.capacity)
        #expect(handled.outcome(of: "e9999") == .done)
        #expect(handled.outcome(of: "e8000") == .done)
        #expect(handled.outcome(of: "e1") == nil)
    }
}
