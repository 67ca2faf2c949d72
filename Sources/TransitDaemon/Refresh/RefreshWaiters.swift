internal import Synchronization
internal import TransitModel
internal import TransitRefresh
internal import TransitSystem

/// The requests that wait for the refresh engine.
final class RefreshWaiters: Sendable {
    /// The outcomes of a request, by dataset.
    typealias Answers = [DatasetID: RefreshAnswer]

    private struct Waiter {
        var continuation: CheckedContinuation<Answers, Never>
        /// `nil` until the engine has accepted the request.
        var expected: Set<DatasetID>?
        var answers: Answers = [:]

        var isServed: Bool { expected.map { $0.isSubset(of: answers.keys) } ?? false }
    }

    private struct State {
        var waiters: [UInt64: Waiter] = [:]
        var lastID: UInt64 = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    private let events: RefreshEvents

    init(_ events: RefreshEvents) { self.events = events }

    /// Requests a refresh and waits for its outcomes. A canceled task receives the outcomes so far.
    func refresh(_ scope: RefreshRequest.Scope, force: Bool = false) async -> Answers {
        let id = nextID()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOpen = state.withLock { state in
                    guard !state.isClosed else { return false }
                    state.waiters[id] = Waiter(continuation: continuation)
                    return true
                }
                guard isOpen else { return continuation.resume(returning: [:]) }
                events.send(.requested(RefreshRequest(id: id, scope: scope, force: force)))
                // The task was canceled before the waiter was added.
                if Task.isCancelled { leave(id) }
            }
        } onCancel: {
            leave(id)
        }
    }

    /// Requests a dataset that a query needs, and waits until the request ends, but no longer than a number of seconds.
    func refresh(_ dataset: DatasetID, atMost seconds: Int, _ clock: any DaemonClock) async {
        let end = clock.reading().boot.advanced(by: Int(Double(seconds) * max(1, clock.rate)))
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = await self.refresh(.dataset(dataset), force: true) }
            group.addTask { try? await clock.sleep(until: end) }
            await group.next()
            group.cancelAll()
        }
    }

    /// The number of waiting requests.
    var waiting: Int { state.withLock { $0.waiters.count } }

    /// Requests a refresh without waiting.
    ///
    /// - Parameter isWhole: Whether the request has no cache validators. The default is the value of `force`.
    func requestRefresh(_ dataset: DatasetID, force: Bool = false, isWhole: Bool? = nil) {
        events.send(
            .requested(RefreshRequest(id: nextID(), scope: .dataset(dataset), force: force, isWhole: isWhole)))
    }

    /// Reports that the stored content of a dataset was lost, and requests the content again.
    func replaceLostContent(of dataset: DatasetID) {
        events.send(.contentLost(dataset))
        requestRefresh(dataset, force: true)
    }

    private func nextID() -> UInt64 {
        state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
    }

    private func leave(_ id: UInt64) {
        guard let waiter = state.withLock({ $0.waiters.removeValue(forKey: id) }) else { return }
        events.send(.withdrawn(id: id))
        waiter.continuation.resume(returning: waiter.answers)
    }

    /// Records the datasets for which a request was accepted.
    func accept(_ id: UInt64, _ datasets: [DatasetID]) { change(id) { $0.expected = Set(datasets) } }

    func answer(_ id: UInt64, _ dataset: DatasetID, _ answer: RefreshAnswer) {
        change(id) { $0.answers[dataset] = answer }
    }

    private func change(_ id: UInt64, _ body: (inout Waiter) -> Void) {
        let served: Waiter? = state.withLock { state in
            guard var waiter = state.waiters[id] else { return nil }
            body(&waiter)
            state.waiters[id] = waiter.isServed ? nil : waiter
            return waiter.isServed ? waiter : nil
        }
        served.map { $0.continuation.resume(returning: $0.answers) }
    }

    /// Resumes all waiters with the outcomes so far, and rejects new ones.
    func close() {
        let left = state.withLock { state in
            state.isClosed = true
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in left { waiter.continuation.resume(returning: waiter.answers) }
    }
}
