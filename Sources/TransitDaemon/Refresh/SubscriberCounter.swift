internal import Synchronization
internal import TransitControl
internal import TransitModel

/// Reports the number of subscribers to each feed to the refresh engine.
final class SubscriberCounter: Sendable {
    private let demand: DemandTracker
    private let registry: FeedRegistry
    private let server = Mutex<ControlServer?>(nil)

    init(_ demand: DemandTracker, _ registry: FeedRegistry) {
        self.demand = demand
        self.registry = registry
    }

    /// Sets the server whose subscriptions are counted. Until it is set, the number of subscribers is zero.
    func setServer(_ server: ControlServer) { self.server.withLock { $0 = server } }

    /// Reports the subscribers. Called when a subscription starts or ends. A subscription that names no feed counts
    /// for all feeds. A subscription to the daemon's status counts for none, because it needs no newer data.
    @Sendable func changed() {
        guard let server = server.withLock({ $0 }) else { return }
        var counts: [FeedID: Int] = [:]
        for topic in server.demand() where topic.topic.topic != .status {
            for feed in topic.feeds ?? Set(registry.all.map(\.id)) { counts[feed, default: 0] += topic.subscribers }
        }
        demand.setSubscribers(counts)
    }
}
