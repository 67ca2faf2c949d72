internal import Synchronization
internal import TransitControl
internal import TransitModel

/// Tells the refresh engine how many clients follow which feeds.
final class SubscriberCounter: Sendable {
    private let demand: DemandTracker
    private let registry: FeedRegistry
    private let server = Mutex<ControlServer?>(nil)

    init(_ demand: DemandTracker, _ registry: FeedRegistry) {
        self.demand = demand
        self.registry = registry
    }

    /// The server whose subscriptions count; before it is known, nobody subscribes.
    func follow(_ server: ControlServer) { self.server.withLock { $0 = server } }

    /// To be called when a subscription begins or ends. One that names no feed follows all of them, but for one to how
    /// the daemon stands, which needs no newer data.
    @Sendable func changed() {
        guard let server = server.withLock({ $0 }) else { return }
        var readers: [FeedID: Int] = [:]
        for topic in server.demand() where topic.topic.topic != .status {
            for feed in topic.feeds ?? Set(registry.all.map(\.id)) { readers[feed, default: 0] += topic.subscribers }
        }
        demand.follow(readers)
    }
}
