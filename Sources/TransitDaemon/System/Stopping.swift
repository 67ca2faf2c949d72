internal import ServiceLifecycle

/// Runs `body`, and cancels it when the service that calls this is to stop (a graceful shutdown of ServiceLifecycle).
///
/// In place of the library's `cancelWhenGracefulShutdown`, which ends by a task of its own, outside of the daemon's executor:
/// on a worker of libdispatch, which sets its own priority as it begins. The sandbox of the units denies that, and libdispatch
/// complains in the journal.
func cancelWhenStopping(_ body: @escaping @Sendable () async -> Void) async {
    let (running, stop) = AsyncStream.makeStream(of: Never.self)
    await withGracefulShutdownHandler {
        await withTaskGroup(of: Void.self) { tasks in
            tasks.addTask { await body() }
            tasks.addTask { for await _ in running {} }
            await tasks.next()
            tasks.cancelAll()
        }
    } onGracefulShutdown: {
        stop.finish()
    }
}
