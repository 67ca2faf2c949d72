internal import Logging
internal import Synchronization
internal import TransitEngine
internal import TransitModel
internal import TransitStore

// What was refused, and who asked to be left alone, outlives a restart.
extension ArrivalsService {
    /// Takes over what the run before must not have asked yet.
    func restorePauses(_ feedState: inout ArrivalsFeedState) {
        do throws(StoreError) {
            guard let kept = try dependencies.state.arrivalsBackoff(of: feedState.configuration.id) else { return }
            feedState.savedPauses = kept
            feedState.plan.restore(kept, in: dependencies.boot, at: dependencies.clock.reading())
        } catch {
            logUnreadable(error)
        }
    }

    /// Writes what must not be asked yet, where it is something else than before.
    func savePauses(of feed: FeedID) {
        pausesLock.withLock { _ in
            guard let pauses = unsavedPauses(of: feed) else { return }
            do throws(StoreError) {
                try dependencies.state.saveArrivalsBackoff(pauses, of: feed)
                // Not before: what could not be written is written with the next answer.
                feedStates.withLock { $0[feed]?.savedPauses = pauses }
            } catch {
                dependencies.logger.error("What \(feed) has refused is not kept for the next start: \(error)")
            }
        }
    }

    /// `nil`: it is as on the disk.
    func unsavedPauses(of feed: FeedID) -> ArrivalsBackoff? {
        let now = dependencies.clock.reading()
        return feedStates.withLock { feedStates in
            guard let feedState = feedStates[feed] else { return nil }
            let pauses = feedState.plan.pauses(in: dependencies.boot, at: now)
            let isNews = feedState.savedPauses.map { $0 != pauses } ?? !pauses.isEmpty
            return isNews ? pauses : nil
        }
    }

    /// Feeds that are gone, or have another source, have refused nothing.
    func forgetPauses(of gone: [FeedID]) {
        pausesLock.withLock { _ in
            let known = feedStates.withLock { Array($0.keys) }.filter { !gone.contains($0) }
            do throws(StoreError) { try dependencies.state.removeArrivalsBackoff(except: known) } catch {
                logUnreadable(error)
            }
        }
    }

    private func logUnreadable(_ error: StoreError) {
        dependencies.logger.error("What sources of arrivals have refused cannot be read: \(error)")
    }
}
