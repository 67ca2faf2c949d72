internal import Synchronization
internal import TransitModel
internal import TransitRefresh
internal import TransitSystem

/// The fetches that wait for the refresh engine: for its permission for another request, or until the ledger says that
/// their import begins.
final class FetchPermits: Sendable {
    private struct State {
        var waiting: [UInt64: ResultBox<StepPermission>] = [:]
        var isClosed = false
    }

    private let events: RefreshEvents
    private let state = Mutex(State())

    init(_ events: RefreshEvents) { self.events = events }

    /// Blocks until the engine answers, which it does at once, and returns the answer. For each fetch, only one
    /// thread at a time may call this method.
    func request(_ order: DatasetFetch) -> StepPermission {
        ask(order, .step(ticket: order.ticket, order.dataset))
    }

    /// Records in the ledger that a fetch reads a timetable, or waits until it may. Blocks in the former case.
    func recordImport(_ order: DatasetFetch, isReading: Bool) -> StepPermission {
        let event = RefreshEvent.importing(ticket: order.ticket, order.dataset, isReading: isReading)
        if isReading { return ask(order, event) }
        events.send(event)
        return .allowed
    }

    private func ask(_ order: DatasetFetch, _ event: RefreshEvent) -> StepPermission {
        let resultBox = ResultBox<StepPermission>()
        let isOpen = state.withLock { state in
            guard !state.isClosed else { return false }
            state.waiting[order.ticket] = resultBox
            return true
        }
        guard isOpen else { return .canceled }
        events.send(event)
        return resultBox.wait()
    }

    func answer(_ ticket: UInt64, _ answer: StepPermission) {
        state.withLock { $0.waiting.removeValue(forKey: ticket) }?.fulfill(answer)
    }

    /// Denies all waiting and future requests, because the engine has stopped.
    func close() {
        let left = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for resultBox in left { resultBox.fulfill(.canceled) }
    }
}
