internal import Synchronization
internal import TransitEngine
internal import TransitFeeds
internal import TransitModel
internal import TransitStore

// The last answers outlive a restart, with their age.
extension ArrivalsService {
    /// Seconds between two writings.
    private static let pace = 60

    /// Writes what has come, now and then.
    func keepOnDisk() async {
        while !Task.isCancelled {
            let next = dependencies.clock.reading().boot.advanced(by: Self.pace)
            guard (try? await dependencies.clock.sleep(until: next)) != nil else { return }
            saveAll()
        }
    }

    func saveAll() {
        let now = dependencies.clock.now()
        applyLock.withLock { _ in
            let unsaved = feedStates.withLock { feedStates in
                feedStates.compactMap { feed, feedState -> (FeedID, [UInt8])? in
                    guard feedState.isUnsaved else { return nil }
                    feedStates[feed]?.isUnsaved = false
                    feedStates[feed]?.answers.drop(before: now.advanced(by: -feedState.usable))
                    return feedStates[feed].map { (feed, $0.answers.bytes) }
                }
            }
            for (feed, bytes) in unsaved { dependencies.live.cacheArrivals(bytes, of: feed, at: now) }
        }
    }

    /// Reads what was kept of a feed. An answer is put to use when somebody wants it, for only then is it known what the
    /// network says of its stop.
    func read(_ feed: FeedID) -> ArrivalsArchive {
        let now = dependencies.clock.now()
        var archive =
            dependencies.live.cachedArrivals(of: feed, now: now).flatMap(ArrivalsArchive.init) ?? ArrivalsArchive()
        // An answer of the future tells that a clock was wrong; how old it is nobody knows.
        archive.drop(after: now)
        return archive
    }

    /// Puts answers of the run before to use that somebody wants now.
    ///
    /// - Returns: the feeds of which an answer was restored.
    @discardableResult
    func restoreRequested() -> Set<FeedID> {
        let now = dependencies.clock.reading()
        let wanted = feedStates.withLock { feedStates in
            feedStates.mapValues { feedState in feedState.restorable(at: now) }
        }
        var restored: Set<FeedID> = []
        for (feed, queries) in wanted {
            for query in queries where applyLock.withLock({ _ in restore(query, of: feed, now) }) {
                restored.insert(feed)
            }
        }
        return restored
    }

    /// - Returns: whether it is in use.
    private func restore(_ query: ArrivalsQuery, of feed: FeedID, _ now: ClockReading) -> Bool {
        let found = feedStates.withLock { feedStates -> (any ArrivalsSource, ArrivalsArchive.Answer, usable: Int)? in
            guard let usable = feedStates[feed]?.usable, let kept = feedStates[feed]?.takeArchived(query) else {
                return nil
            }
            return (kept.0, kept.1, usable)
        }
        guard let (source, answer, usable) = found else { return false }
        let age = answer.received.seconds(to: now.wall)
        guard (0...usable).contains(age),
            let message = try? source.message(answer.body, of: query, received: answer.received)
        else { return false }
        _ = dependencies.live.take(message, of: query.id, feed: feed, received: answer.received, now: now.wall)
        feedStates.withLock { feedStates in
            guard let wish = feedStates[feed]?.wishes([query]).first else { return }
            feedStates[feed]?.plan.remember(wish, answered: now.boot.advanced(by: -age), at: now)
        }
        return true
    }
}
