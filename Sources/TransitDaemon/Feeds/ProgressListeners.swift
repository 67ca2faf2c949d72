internal import Synchronization
internal import TransitSystem

/// The listeners for the progress of a feed's updates.
final class ProgressListeners: Sendable {
    /// A listener that receives progress until it is deallocated.
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
