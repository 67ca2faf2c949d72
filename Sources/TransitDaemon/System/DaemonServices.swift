internal import Logging
internal import ServiceLifecycle
internal import TransitModel
internal import TransitStore

/// Acts on signals: SIGHUP reads the configuration again, SIGTERM and SIGINT end this service, and with it the daemon.
struct SignalService: ServiceLifecycle.Service {
    let context: DaemonContext
    let watch: SignalWatch
    /// Finished when the daemon is to end.
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
    let alarm: Alarm

    func run() async throws {
        notifier.send(ready)
        ProcessMemory.giveBack()
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

/// Keeps a copy of the state once a day.
struct StateBackupService: ServiceLifecycle.Service {
    let state: StateStore
    let clock: any DaemonClock
    let logger: Logger

    func run() async throws {
        await cancelWhenStopping {
            while !Task.isCancelled {
                do throws(StoreError) {
                    try state.backUp(today: ServiceZone.utc.civil(at: clock.now()).date)
                } catch {
                    logger.error("The state cannot be backed up: \(error)")
                }
                do { try await clock.sleep(until: clock.now().advanced(by: 24 * 3600)) } catch { return }
            }
        }
    }
}

/// Says after a minute that the process did not die of the live answers that it started with.
struct StartMarkerService: ServiceLifecycle.Service {
    let marker: StartMarker
    /// Real time: a process lives by no replayed clock.
    let alarm: Alarm
    var seconds = Double(StartMarker.longEnough)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            do { try await alarm.sleep(seconds: seconds) } catch { return }
            marker.end()
            // A service that returns ends the daemon.
            try? await gracefulShutdown()
        }
    }
}
