internal import Synchronization

/// Who wants to hear how far the updates of a feed are.
final class ProgressListeners: Sendable {
    /// Hears of progress as long as it is kept.
    final class Listener: Sendable {
        private let leave: @Sendable () -> Void
        fileprivate init(_ leave: @escaping @Sendable () -> Void) { self.leave = leave }
        deinit { leave() }
    }

    private struct State {
        var reports: [Int: FeedImport.Report] = [:]
        var lastTicket = 0
    }

    private let state = Mutex(State())

    func add(_ report: @escaping FeedImport.Report) -> Listener {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            state.reports[state.lastTicket] = report
            return state.lastTicket
        }
        return Listener { [weak self] in self?.remove(ticket) }
    }

    private func remove(_ ticket: Int) { state.withLock { $0.reports[ticket] = nil } }

    func report(_ progress: UpdateProgress) {
        for report in state.withLock({ Array($0.reports.values) }) { report(progress) }
    }
}
