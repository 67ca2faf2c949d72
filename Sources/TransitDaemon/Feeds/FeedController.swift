internal import Synchronization
internal import TransitModel

/// Has the services of all feeds that are configured, and follows the configuration when it is reloaded.
final class FeedController: Sendable {
    private let dependencies: FeedDependencies
    /// A feed that was taken out stays here, at rest: only one library may have its folder.
    private let services = Mutex<[FeedID: FeedService]>([:])

    init(_ dependencies: FeedDependencies) { self.dependencies = dependencies }

    /// `nil` for a feed that never was configured.
    func service(_ feed: FeedID) -> FeedService? { services.withLock { $0[feed] } }

    /// Puts these feeds in the place of those before. New ones are opened at once; their sources are the refresh engine's.
    ///
    /// Must not be called concurrently: it is called at the start, then by ``DaemonContext/reload()``.
    func apply(_ feeds: [FeedConfiguration]) {
        dependencies.live.apply(feeds)
        let known = services.withLock { $0 }
        for (id, service) in known where !feeds.contains(where: { $0.id == id }) { service.reconfigure(nil) }
        // Opens the feeds before it takes the lock, because requests take the lock too.
        let current = feeds.map { feed in
            guard let service = known[feed.id] else { return FeedService(feed, dependencies) }
            service.reconfigure(feed)
            return service
        }
        services.withLock { services in
            for service in current { services[service.id] = service }
        }
        dependencies.registry.replace(current.compactMap { $0.snapshot() })
        for service in current { service.publish() }
    }
}
