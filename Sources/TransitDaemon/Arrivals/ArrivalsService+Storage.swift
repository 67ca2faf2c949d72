internal import Logging
internal import Synchronization
internal import TransitEngine
internal import TransitFeeds
internal import TransitModel
internal import TransitRefresh
internal import TransitStore
internal import TransitSystem

// The latest responses and the times at which they were received are preserved across restarts.
extension ArrivalsService {
    /// Seconds between two writes.
    private static let interval = 60

    /// Writes unsaved responses periodically.
    func savePeriodically() async {
        while !Task.isCancelled {
            let next = dependencies.clock.reading().boot.advanced(by: Self.interval)
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
                    feedStates[feed]?.responses.drop(before: now.advanced(by: -feedState.usable))
                    return feedStates[feed].map { (feed, $0.responses.bytes) }
                }
            }
            for (feed, bytes) in unsaved { dependencies.realtimeFeeds.cacheArrivals(bytes, of: feed, at: now) }
        }
    }

    /// Reads the cached responses of a feed. A response is not applied until its query is requested, because the
    /// routes at its stop are not known before then.
    func read(_ feed: FeedID) -> ArrivalsCacheFile {
        let now = dependencies.clock.now()
        var archive =
            dependencies.realtimeFeeds.cachedArrivals(of: feed, now: now).flatMap(ArrivalsCacheFile.init)
            ?? ArrivalsCacheFile()
        // A response from the future was received while the clock was wrong, so its age is not known.
        archive.drop(after: now)
        return archive
    }

    /// Applies responses from the previous run whose queries are now requested.
    ///
    /// - Returns: The feeds with a restored response.
    @discardableResult
    func restoreRequested() -> Set<FeedID> {
        let now = dependencies.clock.reading()
        let requested = feedStates.withLock { feedStates in
            feedStates.mapValues { feedState in feedState.restorable(at: now) }
        }
        var restored: Set<FeedID> = []
        for (feed, queries) in requested {
            for query in queries where applyLock.withLock({ _ in restore(query, of: feed, now) }) {
                restored.insert(feed)
            }
        }
        return restored
    }

    /// - Returns: Whether the response was applied.
    private func restore(_ query: ArrivalsQuery, of feed: FeedID, _ now: ClockReading) -> Bool {
        let found = feedStates.withLock {
            feedStates -> (any ArrivalsSource, ArrivalsCacheFile.Response, usable: Int)? in
            guard let usable = feedStates[feed]?.usable, let archived = feedStates[feed]?.takeUnusedResponse(query)
            else {
                return nil
            }
            return (archived.0, archived.1, usable)
        }
        guard let (source, response, usable) = found else { return false }
        let age = response.received.seconds(to: now.wall)
        guard (0...usable).contains(age),
            let message = try? source.message(response.body, of: query, received: response.received)
        else { return false }
        _ = dependencies.realtimeFeeds.receive(
            message, of: query.id, feed: feed, received: response.received, now: now.wall)
        feedStates.withLock { feedStates in
            guard let demand = feedStates[feed]?.demands([query]).first else { return }
            feedStates[feed]?.scheduler.recordResponse(demand, answered: now.boot.advanced(by: -age), at: now)
        }
        return true
    }
}

// The backoff after failures and `Retry-After` is preserved across restarts.
extension ArrivalsService {
    /// Restores the backoff from the previous run.
    func restorePauses(_ feedState: inout ArrivalsFeedState) {
        do throws(StoreError) {
            guard let saved = try dependencies.state.arrivalsBackoff(of: feedState.configuration.id) else { return }
            feedState.savedPauses = saved
            feedState.scheduler.restore(saved, in: dependencies.boot, at: dependencies.clock.reading())
        } catch {
            logUnreadable(error)
        }
    }

    /// Saves the backoff of a feed if it has changed.
    func savePauses(of feed: FeedID) {
        pausesLock.withLock { _ in
            guard let pauses = unsavedPauses(of: feed) else { return }
            do throws(StoreError) {
                try dependencies.state.saveArrivalsBackoff(pauses, of: feed)
                // The value is set only after a successful write, so that a failed write is retried after the next
                // response.
                feedStates.withLock { $0[feed]?.savedPauses = pauses }
            } catch {
                dependencies.logger.error("The backoff of \(feed) cannot be saved for the next start: \(error)")
            }
        }
    }

    /// Returns the backoff to save; `nil` if it equals the saved one.
    func unsavedPauses(of feed: FeedID) -> ArrivalsBackoff? {
        let now = dependencies.clock.reading()
        return feedStates.withLock { feedStates in
            guard let feedState = feedStates[feed] else { return nil }
            let pauses = feedState.scheduler.backoff(in: dependencies.boot, at: now)
            let isNews = feedState.savedPauses.map { $0 != pauses } ?? !pauses.isEmpty
            return isNews ? pauses : nil
        }
    }

    /// Removes the stored backoff of feeds that were removed or whose source has changed.
    func forgetPauses(of gone: [FeedID]) {
        pausesLock.withLock { _ in
            let known = feedStates.withLock { Array($0.keys) }.filter { !gone.contains($0) }
            do throws(StoreError) { try dependencies.state.removeArrivalsBackoff(except: known) } catch {
                logUnreadable(error)
            }
        }
    }

    private func logUnreadable(_ error: StoreError) {
        dependencies.logger.error("The backoff of the on-demand sources cannot be read: \(error)")
    }
}
