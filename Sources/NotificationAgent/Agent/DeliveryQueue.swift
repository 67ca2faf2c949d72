internal import TransitClient

/// Decides which hook runs when, and what is reported to the daemon about each event. A pure state machine.
///
/// The runs of one hook for the events of one key form a lane: they run in order, and a failed one is repeated before the
/// next. Different lanes run at the same time, so that a hook that hangs delays neither other hooks nor notifications with other keys.
/// A withdrawal is an event like others, except that it ends what waits before it: a hook that was not started for the
/// notification is not started for its withdrawal.
/// All times are milliseconds of CLOCK_BOOTTIME: an event is no longer valid after the machine was suspended for too
/// long.
struct DeliveryQueue {
    /// The maximum number of hooks that run at the same time.
    static let maximumRuns = 4
    /// The maximum number of processes of one hook that run at the same time, so that other hooks have a turn.
    static let maximumRunsPerHook = 3
    /// The maximum number of unfinished events. Further ones wait; the daemon keeps them.
    static let maximumEvents = 256
    /// The maximum number of events in a lane. A further one replaces the oldest one that is not running, since the
    /// newest event with a key counts.
    static let maximumLaneLength = 16
    /// The delays before a failed run is repeated, in milliseconds.
    static let retryDelays: [Int64] = [5_000, 20_000, 60_000]

    /// What is reported to the daemon and to the record of handled events.
    enum Effect: Hashable {
        case handedOut(id: String)
        case done(id: String)
        case failed(id: String, message: String)
        /// A hook was started for a notification for the first time.
        case started(key: String, hook: String)
        /// A hook is started for an event. It is recorded before the hook runs.
        case attempted(id: String, hook: String)
        /// The hooks for the withdrawal of a notification have run.
        case withdrawn(key: String)
    }

    /// A hook that has to be started.
    struct Start: Hashable {
        /// Identifies the run; unique in the life of the queue.
        var run: Int
        var delivery: Delivery
        var hook: Hook
        /// The number of runs of this hook for this event that have failed.
        var attempt: Int
    }

    private struct ActiveEvent {
        var delivery: Delivery
        var expires: Int64
        /// The number of hooks that have not finished.
        var remaining: Int
        var failures: HookFailures
        /// Whether a hook has succeeded or failed permanently. Until then, the event counts as not
        /// handled, and the daemon lists it again after a restart, regardless of its rule.
        var isHandedOut = false
    }

    private struct LaneID: Hashable {
        var key: String
        var hook: Hook
    }

    private struct Task {
        var event: String
        /// The position in the order of arrival.
        var sequence: Int
        var attempt = 0
        var notBefore: Int64 = 0
        /// Why the previous attempt failed.
        var failure: String?
    }

    private struct Lane {
        var tasks: [Task] = []
        /// The run of the first task.
        var run: Int?
    }

    private var events: [String: ActiveEvent] = [:]
    private var lanes: [LaneID: Lane] = [:]
    private var runs: [Int: LaneID] = [:]
    /// The events that wait because the queue is full, with the times at which they expire.
    private var waiting: [(delivery: Delivery, expires: Int64)] = []
    private var handled: HandledEvents
    /// The handled events that were acknowledged again on this connection.
    private var acknowledgedAgain: Set<String> = []
    private var lastRun = 0
    private var lastSequence = 0

    /// - Parameter handled: The events that have been handled, also by earlier runs of the program.
    init(handled: HandledEvents = HandledEvents()) { self.handled = handled }

    /// The paths of the hooks that were started for a notification, also by earlier runs of the program.
    private func startedHooks(of key: String) -> Set<String> { handled.startedHooks[key] ?? [] }

    /// Whether no event is unfinished.
    var isIdle: Bool { events.isEmpty && waiting.isEmpty }

    /// Takes the unfinished events of a result.
    ///
    /// - Parameters:
    ///   - list: The result.
    ///   - isFirst: Whether this is the first result of a connection. The daemon may then not know how far the events
    ///     are.
    ///   - now: The current time.
    ///   - hooks: Returns the hooks for an event.
    mutating func take(
        _ list: DeliveryList, isFirst: Bool, now: Int64, hooks: (Delivery) -> HookPlan
    ) -> [Effect] {
        var effects: [Effect] = []
        waiting = []
        if isFirst { acknowledgedAgain = [] }
        for problem in list.problems {
            guard let id = problem.id, handled.outcome(of: id) == nil else { continue }
            finish(id, failure: "the event is invalid: \(problem.reason)", &effects)
        }
        for delivery in list.deliveries {
            if let outcome = handled.outcome(of: delivery.id) {
                // The daemon has not received the acknowledgment. It may also be in transit, so it is sent again once.
                guard acknowledgedAgain.insert(delivery.id).inserted else { continue }
                effects.append(
                    outcome == .done
                        ? .done(id: delivery.id)
                        : .failed(id: delivery.id, message: "a hook failed; the journal has the reason"))
            } else if let event = events[delivery.id] {
                if isFirst, event.isHandedOut { effects.append(.handedOut(id: delivery.id)) }
            } else if events.count >= Self.maximumEvents {
                waiting.append((delivery, now + Int64(delivery.expiresIn) * 1000))
            } else {
                add(delivery, expires: now + Int64(delivery.expiresIn) * 1000, now: now, hooks, &effects)
            }
        }
        return effects
    }

    /// Takes events that had to wait. Call it after events have finished.
    mutating func takeWaiting(now: Int64, hooks: (Delivery) -> HookPlan) -> [Effect] {
        var effects: [Effect] = []
        while !waiting.isEmpty, events.count < Self.maximumEvents {
            let next = waiting.removeFirst()
            add(next.delivery, expires: next.expires, now: now, hooks, &effects)
        }
        return effects
    }

    private mutating func add(
        _ delivery: Delivery, expires: Int64, now: Int64, _ hooks: (Delivery) -> HookPlan, _ effects: inout [Effect]
    ) {
        guard expires > now else {
            effects.append(.handedOut(id: delivery.id))
            return finish(delivery.id, failure: "it arrived too late", &effects)
        }
        let plan = hooks(delivery)
        var failures = HookFailures()
        for refusal in plan.refusals { failures.add(refusal.hook, "not run: \(refusal.reason.reason)") }
        let started = startedHooks(of: delivery.key)
        let hooks = plan.hooks + plan.otherHooks.filter { started.contains($0.path) && !plan.hooks.contains($0) }
        guard !hooks.isEmpty else {
            effects.append(.handedOut(id: delivery.id))
            // Without hooks, nothing was shown that a withdrawal could end.
            let reason = delivery.isWithdrawal ? nil : "no hook is installed"
            return finish(delivery.id, failure: failures.message ?? reason, &effects)
        }
        let lanes = hooks.map { LaneID(key: delivery.key, hook: $0) }
        guard delivery.isWithdrawal else {
            events[delivery.id] = ActiveEvent(
                delivery: delivery, expires: expires, remaining: lanes.count, failures: failures)
            for lane in lanes { enqueue(delivery.id, in: lane, now: now, &effects) }
            return
        }
        let wanting = lanes.filter { !removeUnstarted(from: $0, &effects) }
        guard !wanting.isEmpty else {
            effects.append(.handedOut(id: delivery.id))
            return finish(delivery.id, failure: failures.message, &effects)
        }
        events[delivery.id] = ActiveEvent(
            delivery: delivery, expires: expires, remaining: wanting.count, failures: failures)
        for lane in wanting { enqueue(delivery.id, in: lane, now: now, &effects) }
    }

    /// Removes the events of a lane for which the hook was not started.
    ///
    /// - Returns: Whether the hook was never started for the notification, so that it needs no withdrawal. An update
    ///   can follow a notification that this queue does not know, so only the removal of its first event shows this.
    private mutating func removeUnstarted(from id: LaneID, _ effects: inout [Effect]) -> Bool {
        guard let lane = lanes[id] else { return false }
        let isStarted = { (position: Int, task: Task) in task.attempt > 0 || (position == 0 && lane.run != nil) }
        let removed = lane.tasks.enumerated().filter { !isStarted($0.offset, $0.element) }.map(\.element)
        lanes[id]?.tasks = lane.tasks.enumerated().filter { isStarted($0.offset, $0.element) }.map(\.element)
        if lanes[id]?.tasks.isEmpty == true { lanes[id] = nil }
        let isFirstEvent = removed.contains { events[$0.event]?.delivery.operation == "show" }
        for task in removed { complete(task, id.hook, failure: nil, &effects) }
        return isFirstEvent && lanes[id] == nil && !startedHooks(of: id.key).contains(id.hook.path)
    }

    /// Adds an event to a lane. The starts of the hook in earlier processes count as attempts: it failed, or those processes
    /// ended before it did, and it may have ended them.
    private mutating func enqueue(_ event: String, in id: LaneID, now: Int64, _ effects: inout [Effect]) {
        lastSequence += 1
        var task = Task(event: event, sequence: lastSequence)
        task.attempt = handled.attempts(of: event, hook: id.hook.path)
        guard task.attempt <= Self.retryDelays.count else {
            let failure = "it was started \(task.attempt) times without success"
            return complete(task, id.hook, failure: failure, &effects)
        }
        if task.attempt > 0 {
            task.notBefore = now + Self.retryDelays[task.attempt - 1]
            task.failure = "it was started before without success"
        }
        var lane = lanes[id] ?? Lane()
        // A newer event with the same key replaces one whose hook failed and waits to be repeated.
        let firstWaiting = lane.run == nil ? 0 : 1
        var superseded: Task?
        if lane.run == nil, let first = lane.tasks.first, first.attempt > 0 {
            superseded = lane.tasks.removeFirst()
        } else if lane.tasks.count >= Self.maximumLaneLength {
            superseded = lane.tasks.remove(at: firstWaiting)
        }
        lane.tasks.append(task)
        lanes[id] = lane
        if let superseded {
            let cause = superseded.failure.map { " after a failure: \($0)" } ?? ""
            complete(superseded, id.hook, failure: "a newer event replaced it" + cause, &effects)
        }
    }

    /// Returns the next hook to start now, or `nil`. An event that is no longer valid is not started.
    mutating func next(now: Int64, _ effects: inout [Effect]) -> Start? {
        while runs.count < Self.maximumRuns {
            var perHook: [Hook: Int] = [:]
            for lane in runs.values { perHook[lane.hook, default: 0] += 1 }
            let ready = lanes.lazy.filter { id, lane in
                lane.run == nil && (lane.tasks.first?.notBefore ?? .max) <= now
                    && perHook[id.hook, default: 0] < Self.maximumRunsPerHook
            }
            guard
                let id = ready.min(by: { $0.value.tasks[0].sequence < $1.value.tasks[0].sequence })?.key,
                let task = lanes[id]?.tasks.first, let event = events[task.event]
            else { return nil }
            guard event.expires > now else {
                removeFirst(of: id)
                complete(task, id.hook, failure: task.failure ?? "the event expired before the hook ran", &effects)
                continue
            }
            lastRun += 1
            if !event.delivery.isWithdrawal, handled.insertStarted(key: id.key, hook: id.hook.path) {
                effects.append(.started(key: id.key, hook: id.hook.path))
            }
            handled.insertAttempt(event.delivery.id, hook: id.hook.path)
            effects.append(.attempted(id: event.delivery.id, hook: id.hook.path))
            lanes[id]?.run = lastRun
            runs[lastRun] = id
            return Start(run: lastRun, delivery: event.delivery, hook: id.hook, attempt: task.attempt)
        }
        return nil
    }

    /// The next time at which ``next(now:_:)`` can return a hook without another event, or `nil`.
    var wakeTime: Int64? {
        guard runs.count < Self.maximumRuns else { return nil }
        // A lane whose hook may not run once more waits for the end of a run.
        var perHook: [Hook: Int] = [:]
        for lane in runs.values { perHook[lane.hook, default: 0] += 1 }
        return lanes.lazy.filter { id, lane in
            lane.run == nil && perHook[id.hook, default: 0] < Self.maximumRunsPerHook
        }.compactMap { $0.value.tasks.first?.notBefore }.filter { $0 > 0 }.min()
    }

    /// Records the end of a run.
    mutating func ended(_ run: Int, _ outcome: HookOutcome, now: Int64) -> [Effect] {
        guard let id = runs.removeValue(forKey: run), var task = lanes[id]?.tasks.first else { return [] }
        lanes[id]?.run = nil
        var effects: [Effect] = []
        switch outcome {
        case .succeeded:
            handOut(task.event, &effects)
            removeFirst(of: id)
            complete(task, id.hook, failure: nil, &effects)
        case .failed(let reason):
            handOut(task.event, &effects)
            removeFirst(of: id)
            complete(task, id.hook, failure: reason, &effects)
        case .failedTemporarily(let reason):
            task.failure = reason
            if let time = retryTime(of: task, id, now: now) {
                task.attempt += 1
                task.notBefore = time
                lanes[id]?.tasks[0] = task
            } else {
                removeFirst(of: id)
                let count = task.attempt + 1
                complete(
                    task, id.hook, failure: count > 1 ? "\(reason), for the \(Self.ordinal(count)) time" : reason,
                    &effects)
            }
        }
        return effects
    }

    private mutating func handOut(_ id: String, _ effects: inout [Effect]) {
        guard events[id]?.isHandedOut == false else { return }
        events[id]?.isHandedOut = true
        effects.append(.handedOut(id: id))
    }

    /// Returns the time of the next attempt; `nil` if there is none, because there were enough, the event expires before
    /// it, or a newer event with the same key is there.
    private func retryTime(of task: Task, _ id: LaneID, now: Int64) -> Int64? {
        guard task.attempt < Self.retryDelays.count, lanes[id]?.tasks.count == 1, let event = events[task.event] else {
            return nil
        }
        let time = now + Self.retryDelays[task.attempt]
        return time < event.expires ? time : nil
    }

    private mutating func removeFirst(of id: LaneID) {
        lanes[id]?.tasks.removeFirst()
        if lanes[id]?.tasks.isEmpty == true { lanes[id] = nil }
    }

    /// Records the end of one hook of an event.
    private mutating func complete(_ task: Task, _ hook: Hook, failure: String?, _ effects: inout [Effect]) {
        guard var event = events[task.event] else { return }
        event.remaining -= 1
        if let failure { event.failures.add(hook, failure) }
        events[task.event] = event
        guard event.remaining == 0 else { return }
        events[task.event] = nil
        if event.delivery.isWithdrawal, handled.removeStarted(key: event.delivery.key) {
            effects.append(.withdrawn(key: event.delivery.key))
        }
        finish(task.event, failure: event.failures.message, &effects)
    }

    private mutating func finish(_ id: String, failure: String?, _ effects: inout [Effect]) {
        handled.insert(id, failure == nil ? .done : .failed)
        effects.append(failure.map { .failed(id: id, message: $0) } ?? .done(id: id))
    }

    private static func ordinal(_ number: Int) -> String {
        switch number {
        case 2: "second"
        case 3: "third"
        default: "\(number)th"
        }
    }
}
