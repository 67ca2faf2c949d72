internal import Logging
internal import TransitEngine
internal import TransitFeeds
internal import TransitModel
internal import TransitStore

/// Remembers which keys their sources reject, also over a restart: until the key is another one, the refresh engine asks
/// with it after 10 minutes, then less and less often, and answers report the rejection.
struct RejectedKeys: Sendable {
    var registry: FeedRegistry
    var keys: FeedKeys
    var state: StateStore
    var clock: any DaemonClock
    var events: RefreshEvents
    var logger: Logger

    /// The feed's source has rejected its key. The rejection of a key that was replaced meanwhile is ignored.
    ///
    /// - Parameter key: the mark of the key that was sent.
    func take(_ feed: FeedID, _ key: String?) {
        guard let snapshot = registry.snapshot(feed), snapshot.keyRejectedSince == nil,
            mark(of: snapshot.configuration) == key
        else { return }
        let now = clock.now()
        registry.update(feed) { $0.keyRejectedSince = now }
        save(key.map { RejectedKey(mark: $0, since: now) }, of: feed)
    }

    /// The feed's source has taken its key, or it is another one.
    func clear(_ feed: FeedID) {
        guard registry.snapshot(feed)?.keyRejectedSince != nil else { return }
        registry.update(feed) { $0.keyRejectedSince = nil }
        save(nil, of: feed)
    }

    /// Takes over what was known before the start. A key that was replaced meanwhile is tried at once.
    func restore(_ feed: FeedConfiguration) {
        do throws(StoreError) {
            guard let known = try state.rejectedKey(of: feed.id) else { return }
            if let mark = mark(of: feed), mark != known.mark {
                events.send(.keyChanged(feed.id))
                try state.saveRejectedKey(nil, of: feed.id)
            } else {
                registry.update(feed.id) { $0.keyRejectedSince = known.since }
            }
        } catch {
            logger.error("Whether the key of \(feed.id) was rejected cannot be read: \(error)")
        }
    }

    private func save(_ key: RejectedKey?, of feed: FeedID) {
        do throws(StoreError) { try state.saveRejectedKey(key, of: feed) } catch {
            logger.error("That the key of \(feed) is rejected is not kept for the next start: \(error)")
        }
    }

    /// The mark of the key that a feed has now.
    func mark(of feed: FeedID) -> String? { registry.snapshot(feed).flatMap { mark(of: $0.configuration) } }

    /// A few digits of a digest, which tell one key from another; `nil` for a feed whose key cannot be read.
    private func mark(of feed: FeedConfiguration) -> String? {
        guard let credential = feed.credential, let key = try? keys.key(of: feed.id, credential) else { return nil }
        return String(ContentDigest.of(Array("\(feed.id) \(key.secret.reveal())".utf8)).suffix(8))
    }
}
