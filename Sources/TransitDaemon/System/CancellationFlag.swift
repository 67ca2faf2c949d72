internal import Synchronization

/// Set once; read by a thread that works, or heard of by one that waits.
final class CancellationFlag: Sendable {
    private let value = Atomic<Bool>(false)
    private let actions = Mutex<[@Sendable () -> Void]>([])

    func set() {
        value.store(true, ordering: .sequentiallyConsistent)
        runActions()
    }

    var isSet: Bool { value.load(ordering: .relaxed) }

    /// Runs `action` once the flag is set, at once when it is already.
    func onSet(_ action: @escaping @Sendable () -> Void) {
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
