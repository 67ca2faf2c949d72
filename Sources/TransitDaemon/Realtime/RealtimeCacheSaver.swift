internal import ServiceLifecycle
internal import TransitModel
internal import TransitSystem

/// Writes the accumulated data of differential sources to the cache at intervals, and when the daemon stops.
struct RealtimeCacheSaver: ServiceLifecycle.Service {
    let realtimeFeeds: RealtimeFeeds
    let clock: any DaemonClock

    /// Seconds between two writes. A message is on disk at most 30 seconds after it was received, including the time of
    /// the write.
    private static let interval = 10

    func run() async throws {
        await cancelWhenStopping {
            while !Task.isCancelled {
                let next = clock.reading().boot.advanced(by: Self.interval)
                guard (try? await clock.sleep(until: next)) != nil else { return }
                realtimeFeeds.saveAccumulated(now: clock.now())
            }
        }
        realtimeFeeds.saveAccumulated(now: clock.now())
    }
}
