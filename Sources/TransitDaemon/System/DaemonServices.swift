internal import Logging
internal import ServiceLifecycle
internal import TransitModel
internal import TransitStore

/// Handles signals: SIGHUP reloads the configuration; SIGTERM and SIGINT end this service and with it the daemon.
struct SignalService: ServiceLifecycle.Service {
    let context: DaemonContext
    let watch: SignalWatch
    /// Finished when the daemon must stop.
    let stopping: AsyncStream<Never>.Continuation

    func run() async throws {
        await cancelWhenStopping {
            for await signal in watch.signals {
                if signal == .stop { return stopping.finish() }
                // What is wrong has been logged; the configuration before stays.
                _ = try? context.reload()
            }
        }
    }
}

/// Tells systemd that the daemon is ready, that it stops, and at half the interval that it asks for that it is alive
/// (sd_watchdog_enabled(3)).
struct SystemdService: ServiceLifecycle.Service {
    let notifier: ServiceNotifier
    let ready: ServiceNotifier.Message
    /// Real time: systemd's deadline does not follow a replayed clock.
    let alarm: BootTimeTimer

    func run() async throws {
        notifier.send(ready)
        ProcessMemory.releaseFreeMemory()
        await withGracefulShutdownHandler {
            await cancelWhenStopping {
                guard let interval = notifier.watchdogInterval else {
                    // Nothing to do until the end.
                    try? await alarm.sleep(seconds: .infinity)
                    return
                }
                while !Task.isCancelled {
                    notifier.send(.watchdog)
                    try? await alarm.sleep(seconds: interval / 2)
                }
            }
        } onGracefulShutdown: {
            notifier.send(.stopping)
        }
    }
}

/// Writes users' searches to the file half a minute after the first unsaved one, so that typing does not cause a write
/// for each letter. The last ones are written at shutdown.
struct SearchHistoryService: ServiceLifecycle.Service {
    let state: StateStore
    /// The time of the next write.
    let wake: WakeTimer
    let clock: any DaemonClock
    let logger: Logger

    /// Seconds of searches that a power loss can lose.
    static let saveInterval = 30

    func run() async throws {
        await cancelWhenStopping {
            while !Task.isCancelled {
                let look = wake.look
                guard await wake.comes(look, by: clock) else { continue }
                // Clears the wake-up before the write, so that a search during the write schedules the next one.
                wake.clear(look)
                await BlockingWork.run("searches", CancellationFlag(), save)
            }
        }
        save()
    }

    /// A failed write is retried after the next search.
    private func save() {
        do throws(StoreError) { try state.saveSearches() } catch {
            logger.warning("What people looked for cannot be kept: \(error)")
        }
    }
}

/// Keeps a copy of the state once a day.
struct StateBackupService: ServiceLifecycle.Service {
    let state: StateStore
    let clock: any DaemonClock
    let logger: Logger

    func run() async throws {
        await cancelWhenStopping {
            while !Task.isCancelled {
                await BlockingWork.run("backup", CancellationFlag(), backUp)
                do { try await clock.sleep(until: clock.now().advanced(by: 24 * 3600)) } catch { return }
            }
        }
    }

    private func backUp() {
        do throws(StoreError) {
            try state.backUp(today: ServiceZone.utc.civil(at: clock.now()).date)
        } catch {
            logger.error("The state cannot be backed up: \(error)")
        }
    }
}

/// Reports after a minute that the process has survived the cached responses that it started with.
struct StartMarkerService: ServiceLifecycle.Service {
    let marker: CrashLoopMarker
    /// Uses real time, because a replayed clock does not measure the life of the process.
    let alarm: BootTimeTimer
    var seconds = Double(CrashLoopMarker.crashWindow)

    func run() async throws {
        await cancelWhenStopping {
            do { try await alarm.sleep(seconds: seconds) } catch { return }
            marker.end()
            // A service that returns ends the daemon.
            try? await alarm.sleep(seconds: .infinity)
        }
    }
}
