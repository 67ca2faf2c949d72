internal import Synchronization

/// A flag that is set once. Threads can poll it or register actions.
package final class CancellationFlag: Sendable {
    private let value = Atomic<Bool>(false)
    private let actions = Mutex<[@Sendable () -> Void]>([])

    package init() {}

    package func set() {
        value.store(true, ordering: .sequentiallyConsistent)
        runActions()
    }

    package var isSet: Bool { value.load(ordering: .relaxed) }

    /// Runs `action` when the flag is set, or at once if it already is.
    package func onSet(_ action: @escaping @Sendable () -> Void) {
        actions.withLock { $0.append(action) }
        if value.load(ordering: .sequentiallyConsistent) { runActions() }
    }

    private func runActions() {
        let due = actions.withLock { actions in
            defer { actions = [] }
            return actions
        }
        for action in due { action() }
    }
}
