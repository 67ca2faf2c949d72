internal import Logging
internal import Synchronization
internal import TransitControl
internal import TransitModel
internal import TransitReplies
internal import TransitStore
internal import TransitWire

/// Owns the services of all configured feeds and updates them when the configuration is reloaded.
final class FeedController: Sendable {
    private let dependencies: FeedDependencies
    /// The service of a removed feed is kept but inactive, because only one library may use the feed's folder.
    private let services = Mutex<[FeedID: FeedService]>([:])

    init(_ dependencies: FeedDependencies) { self.dependencies = dependencies }

    var networks: JourneyNetworkBuilds { dependencies.networks }

    /// Returns `nil` for a feed that was never configured.
    func service(_ feed: FeedID) -> FeedService? { services.withLock { $0[feed] } }

    /// - Throws: ``ErrorKind/feedNotFound`` for a feed that was never configured.
    func service(of feed: FeedID) throws(ControlError) -> FeedService {
        guard let service = service(feed) else {
            throw ControlError.feedNotFound(feed, known: dependencies.registry.all.map(\.id))
        }
        return service
    }

    /// Stops using a version that a request found corrupt.
    func abandon(damagedFile path: String) {
        for service in services.withLock({ Array($0.values) }) { service.abandon(damagedFile: path) }
    }

    /// Replaces the feeds. New feeds are opened at once; the refresh engine fetches their data.
    ///
    /// Must not be called concurrently. This method is called at startup, then by ``ConfigurationReloader/reload()``.
    func apply(_ feeds: [FeedConfiguration]) {
        dependencies.realtimeFeeds.apply(feeds)
        let known = services.withLock { $0 }
        for (id, service) in known where !feeds.contains(where: { $0.id == id }) { service.reconfigure(nil) }
        // Opens the feeds before it takes the lock, because requests take the lock, too.
        let current = feeds.map { feed in
            guard let service = known[feed.id] else { return FeedService(feed, dependencies) }
            service.reconfigure(feed)
            return service
        }
        services.withLock { services in
            for service in current { services[service.id] = service }
        }
        dependencies.memory.removeFeeds(except: feeds.map(\.id))
        dependencies.registry.replace(current.compactMap { $0.snapshot() })
        for service in current { service.publish() }
    }
}

extension StateStore {
    /// Removes the state of feeds that are no longer configured, because a later feed of the same name is
    /// unrelated.
    func removeFeeds(except feeds: [FeedConfiguration], _ logger: Logger) {
        do throws(StoreError) { try removeFeeds(except: feeds.map(\.id)) } catch {
            logger.error("The state of removed feeds cannot be deleted: \(error)")
        }
    }
}
