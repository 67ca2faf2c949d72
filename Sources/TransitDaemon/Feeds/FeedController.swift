internal import Synchronization
internal import TransitModel

/// Has the services of all feeds that are configured, and follows the configuration when it is reloaded.
final class FeedController: Sendable {
    private let surroundings: FeedSurroundings
    /// A feed that was taken out stays here, at rest: only one library may have its folder.
    private let services = Mutex<[FeedID: FeedService]>([:])

    init(_ surroundings: FeedSurroundings) { self.surroundings = surroundings }

    /// `nil` for a feed that never was configured.
    func service(_ feed: FeedID) -> FeedService? { services.withLock { $0[feed] } }

    /// Puts these feeds in the place of those before. New ones are opened at once; their sources are the refresh engine's.
    func apply(_ feeds: [FeedConfiguration]) {
        surroundings.live.apply(feeds)
        let current = services.withLock { services in
            for (id, service) in services where !feeds.contains(where: { $0.id == id }) { service.reconfigure(nil) }
            return feeds.map { feed in
                if let service = services[feed.id] {
                    service.reconfigure(feed)
                    return service
                }
                let service = FeedService(feed, surroundings)
                services[feed.id] = service
                return service
            }
        }
        surroundings.registry.replace(current.compactMap { $0.snapshot() })
        for service in current { service.publish() }
    }
}
