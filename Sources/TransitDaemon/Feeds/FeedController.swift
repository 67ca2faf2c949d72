internal import ServiceLifecycle
internal import Synchronization
internal import TransitModel

/// Runs the services of all feeds that are configured, and follows the configuration when it is reloaded.
final class FeedController: ServiceLifecycle.Service {
    private let surroundings: FeedSurroundings
    /// A feed that was taken out stays here, at rest: only one library may have its folder.
    private let services = Mutex<[FeedID: FeedService]>([:])
    private let starts: AsyncStream<FeedService>
    private let start: AsyncStream<FeedService>.Continuation

    init(_ surroundings: FeedSurroundings) {
        self.surroundings = surroundings
        (starts, start) = AsyncStream.makeStream()
    }

    /// `nil` for a feed that never was configured.
    func service(_ feed: FeedID) -> FeedService? { services.withLock { $0[feed] } }

    /// Puts these feeds in the place of those before. New ones are opened at once, and asked for when ``run()`` runs.
    func apply(_ feeds: [FeedConfiguration]) {
        services.withLock { services in
            for (id, service) in services where !feeds.contains(where: { $0.id == id }) {
                _ = service.reconfigure(nil)
            }
            for feed in feeds {
                if let service = services[feed.id] {
                    if service.reconfigure(feed) { service.requestUpdate() }
                } else {
                    let service = FeedService(feed, surroundings)
                    services[feed.id] = service
                    start.yield(service)
                }
            }
            surroundings.registry.replace(feeds.compactMap { services[$0.id]?.snapshot() })
        }
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                for await service in self.starts {
                    group.addTask { await service.run() }
                }
            }
        }
    }
}
