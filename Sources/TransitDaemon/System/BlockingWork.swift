internal import Foundation
internal import Synchronization

/// Long work that blocks, on a thread of its own: on the cooperative pool it would keep questions waiting.
enum BlockingWork {
    /// Runs `body` to its end. When the task is cancelled the flag is set, and the body is expected to stop soon.
    static func run<Value: Sendable>(
        _ name: String, _ flag: CancellationFlag, _ body: @escaping @Sendable () -> Value
    ) async -> Value {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let thread = Thread { continuation.resume(returning: body()) }
                thread.name = name
                thread.start()
            }
        } onCancel: {
            flag.set()
        }
    }
}

/// Set once, read by a thread that works.
final class CancellationFlag: Sendable {
    private let value = Atomic<Bool>(false)

    func set() { value.store(true, ordering: .relaxed) }
    var isSet: Bool { value.load(ordering: .relaxed) }
}
