internal import ServiceLifecycle
internal import TransitModel
internal import TransitSystem

/// Writes what is in use and not yet in the cache some seconds after it was received, and when the daemon stops. Without
/// such data, this service does nothing.
struct RealtimeCacheSaver: ServiceLifecycle.Service {
    let realtimeFeeds: RealtimeFeeds
    let clock: any DaemonClock

    func run() async throws {
        await cancelWhenStopping {
            await realtimeFeeds.saveTimer.runAtEachTime(clock) {
                await BlockingWork.run("realtime cache", CancellationFlag(), save)
            }
        }
        save()
    }

    private func save() { realtimeFeeds.saveAccumulated(now: clock.now()) }
}
