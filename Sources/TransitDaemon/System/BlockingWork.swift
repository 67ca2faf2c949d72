internal import Foundation

/// Long work that blocks, on a thread of its own: on the cooperative pool it would keep questions waiting.
enum BlockingWork {
    /// Runs `body` to its end. When the task is cancelled the flag is set, and the body is expected to stop soon.
    static func run<Value: Sendable>(
        _ name: String, _ flag: CancellationFlag, _ body: @escaping @Sendable () -> Value
    ) async -> Value {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                Thread.start(name) { continuation.resume(returning: body()) }
            }
        } onCancel: {
            flag.set()
        }
    }
}
