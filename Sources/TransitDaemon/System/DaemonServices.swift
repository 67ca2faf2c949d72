internal import Logging
internal import ServiceLifecycle
internal import TransitModel
internal import TransitStore
internal import TransitSystem

/// Handles signals: SIGHUP reloads the configuration; SIGTERM, SIGINT, and the end of the terminal in which the daemon was
/// started end this service and thereby the daemon.
struct SignalService: ServiceLifecycle.Service {
    let reloader: ConfigurationReloader
    let watch: SignalReceiver
    /// Finished when the daemon must stop.
    let stopping: AsyncStream<Never>.Continuation
    let logger: Logger

    func run() async throws {
        await cancelWhenStopping {
            for await signal in watch.signals {
                switch signal {
                case .stop: return stopping.finish()
                case .terminalClosed:
                    logger.notice("The terminal was closed. Use nohup(1) or systemd to keep transitd running.")
                    return stopping.finish()
                case .hangup:
                    // The reload has logged the errors, and the previous configuration stays in effect.
                    _ = try? reloader.reload()
                }
            }
        }
    }
}

/// Notifies systemd when the daemon is ready and when it stops, and sends watchdog messages at half the interval that
/// systemd requires (sd_watchdog_enabled(3)).
struct SystemdService: ServiceLifecycle.Service {
    let notifier: ServiceNotifier
    let ready: ServiceNotifier.Message
    /// Measures real time, because systemd's deadline does not follow a replayed clock.
    let timer: BootTimeTimer

    func run() async throws {
        notifier.send(ready)
        ProcessMemory.releaseFreeMemory()
        await withGracefulShutdownHandler {
            await cancelWhenStopping {
                guard let interval = notifier.watchdogInterval else {
                    // A service that returns ends the daemon.
                    try? await timer.sleep(seconds: .infinity)
                    return
                }
                while !Task.isCancelled {
                    notifier.send(.watchdog)
                    try? await timer.sleep(seconds: interval / 2)
                }
            }
        } onGracefulShutdown: {
            notifier.send(.stopping)
        }
    }
}

/// Writes users' searches to disk half a minute after the first unsaved one, so that not every keystroke causes a
/// write. Unsaved searches are also written at shutdown.
struct SearchHistoryService: ServiceLifecycle.Service {
    let state: StateStore
    let travel: TravelRecorder
    /// The time of the next write.
    let wake: WakeTimer
    let clock: any DaemonClock
    let logger: Logger

    /// Delay in seconds before searches are written. A power failure loses at most the searches within this period.
    static let saveInterval = 30

    func run() async throws {
        await cancelWhenStopping {
            await wake.runAtEachTime(clock) {
                do throws(SystemFailure) { try await BlockingWork.run("searches", CancellationFlag(), save) } catch {
                    logger.warning("Recent searches are saved later: \(error)")
                    wake.setIfUnset(clock.reading().boot.advanced(by: Self.saveInterval))
                }
            }
        }
        save()
    }

    /// Saves the searches, and the requests from which usual departures are learned. A failed write is retried after the
    /// next search or request.
    private func save() {
        do throws(StoreError) { try state.saveSearches() } catch {
            logger.warning("Recent searches cannot be saved: \(error)")
        }
        do throws(StoreError) { try travel.save() } catch {
            logger.warning("What users asked for cannot be saved: \(error)")
        }
    }
}

/// Backs up the state once a day, and drops usual departures that are no longer usual.
struct StateBackupService: ServiceLifecycle.Service {
    let state: StateStore
    let travel: TravelRecorder
    let clock: any DaemonClock
    let logger: Logger

    func run() async throws {
        await cancelWhenStopping {
            while !Task.isCancelled {
                var interval = 24 * 3600
                do throws(SystemFailure) { try await BlockingWork.run("backup", CancellationFlag(), backUp) } catch {
                    logger.error("The state is backed up later: \(error)")
                    interval = Self.retryInterval
                }
                do { try await clock.sleep(until: clock.now().advanced(by: interval)) } catch { return }
            }
        }
    }

    /// The number of seconds after which a backup that could not begin is tried again.
    private static let retryInterval = 600

    private func backUp() {
        do throws(StoreError) {
            try state.backUp(today: ServiceZone.utc.civil(at: clock.now()).date)
        } catch {
            logger.error("The state cannot be backed up: \(error)")
        }
        do throws(StoreError) { try travel.learnAll() } catch {
            logger.warning("Usual departures cannot be updated: \(error)")
        }
    }
}

/// Clears the crash marker after a minute, because the process has then run long enough with its cached responses.
struct CrashLoopMarkerService: ServiceLifecycle.Service {
    let marker: CrashLoopMarker
    /// Measures real time, because a replayed clock does not measure the lifetime of the process.
    let timer: BootTimeTimer
    var seconds = Double(CrashLoopMarker.crashWindow)

    func run() async throws {
        await cancelWhenStopping {
            do { try await timer.sleep(seconds: seconds) } catch { return }
            marker.end()
            // A service that returns ends the daemon.
            try? await timer.sleep(seconds: .infinity)
        }
    }
}
