internal import Logging
internal import Synchronization
internal import TransitEngine
internal import TransitModel
internal import TransitRefresh
internal import TransitStore
internal import TransitSystem

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
