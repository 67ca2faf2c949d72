internal import Logging
internal import TransitEngine
internal import TransitFeeds
internal import TransitFetch
internal import TransitModel
internal import TransitRefresh
internal import TransitStore
internal import TransitSystem

/// Remembers rejected keys, even across restarts. Until a rejected key is replaced, the refresh engine retries it after
/// 10 minutes and then at increasing intervals, and replies report the rejection.
struct RejectedKeys: Sendable {
    var registry: FeedRegistry
    var keys: FeedKeys
    var state: StateStore
    var clock: any DaemonClock
    var events: RefreshEvents
    var logger: Logger

    /// Records that the feed's source has rejected its key. Ignores the rejection of a key that has since been
    /// replaced.
    ///
    /// - Parameter key: The ``RejectedKey/mark`` of the key that was sent.
    func recordRejection(_ feed: FeedID, _ key: String?) {
        guard let snapshot = registry.snapshot(feed), fingerprint(of: snapshot.configuration) == key else { return }
        let now = clock.now()
        registry.update(feed) { $0.keyRejectedLast = now }
        guard snapshot.keyRejectedSince == nil else { return }
        registry.update(feed) { $0.keyRejectedSince = now }
        save(key.map { RejectedKey(fingerprint: $0, since: now) }, of: feed)
    }

    /// Records that the feed's source has accepted its key, or that the key was replaced.
    func clear(_ feed: FeedID) {
        guard registry.snapshot(feed)?.keyRejectedSince != nil else { return }
        registry.update(feed) { feed in (feed.keyRejectedSince, feed.keyRejectedLast) = (nil, nil) }
        save(nil, of: feed)
    }

    /// Restores the state from before the restart. A key that was replaced in the meantime is tried at once.
    func restore(_ feed: FeedConfiguration) {
        do throws(StoreError) {
            guard let stored = try state.rejectedKey(of: feed.id) else { return }
            if let fingerprint = fingerprint(of: feed), fingerprint != stored.fingerprint {
                events.send(.keyChanged(feed.id))
                try state.saveRejectedKey(nil, of: feed.id)
            } else {
                registry.update(feed.id) { $0.keyRejectedSince = stored.since }
            }
        } catch {
            logger.error("Cannot read whether the key of feed \(feed.id) was rejected: \(error)")
        }
    }

    private func save(_ key: RejectedKey?, of feed: FeedID) {
        do throws(StoreError) { try state.saveRejectedKey(key, of: feed) } catch {
            logger.error(
                "Cannot save that the key of feed \(feed) was rejected; it will be tried again after a restart: \(error)"
            )
        }
    }

    /// Returns the ``RejectedKey/mark`` of a feed's current key.
    func fingerprint(of feed: FeedID) -> String? {
        registry.snapshot(feed).flatMap { fingerprint(of: $0.configuration) }
    }

    /// Returns a few digits of a digest that distinguish the key from others; `nil` if the feed's key cannot be read.
    private func fingerprint(of feed: FeedConfiguration) -> String? {
        guard let credential = feed.credential, let key = try? keys.key(of: feed.id, credential) else { return nil }
        return String(ContentHash.of(Array("\(feed.id) \(key.secret.reveal())".utf8)).suffix(8))
    }
}
