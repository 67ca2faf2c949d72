/// Runs long blocking work on a thread of its own, because it would delay requests on the cooperative pool.
package enum BlockingWork {
    /// Runs `body` to its end. Cancellation of the task sets the flag, after which the body should stop soon.
    package static func run<Value: Sendable>(
        _ name: String, _ flag: CancellationFlag, _ body: @escaping @Sendable () -> Value
    ) async -> Value {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                NamedThread.start(name) { continuation.resume(returning: body()) }
            }
        } onCancel: {
            flag.set()
        }
    }
}
