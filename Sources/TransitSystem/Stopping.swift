internal import ServiceLifecycle

/// Runs `body` and cancels it when the calling service must stop (a graceful shutdown of ServiceLifecycle).
///
/// Replaces the library's `cancelWhenGracefulShutdown`, which creates a task outside the daemon's executor, on a
/// libdispatch worker. The worker sets its own priority when it starts, which the sandbox of the systemd units
/// denies, and libdispatch then logs errors.
package func cancelWhenStopping(_ body: @escaping @Sendable () async -> Void) async {
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
